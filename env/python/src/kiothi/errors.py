"""What can go wrong, as exceptions. All of them are :class:`KiothiError`."""

from __future__ import annotations

import json
from typing import NamedTuple


class KiothiError(Exception):
    """Something went wrong in the engine, such as a network that cannot be read."""


class InvalidArgumentError(KiothiError, ValueError):
    """A setting is wrong. The message lists what is valid."""


class ForkedProcessError(KiothiError, RuntimeError):
    """The engine was used in a process that was forked after it had been loaded, where it would hang."""


class ClosedError(KiothiError):
    """The vector or agent was closed."""


class InternalError(KiothiError):
    """A bug in the engine. The message has a stack trace for its authors."""


class RefusedRow(NamedTuple):
    """A row of a vector that could not be stepped."""

    row: int
    action: int
    text: str
    """The action in the words of the rules, or its number when it has none."""
    reason: str
    """The rule that forbids the action, or that no game is running."""


class NotRunningError(KiothiError):
    """There is no game to step: reset first, or again."""

    def __init__(self, message: str, rows: tuple[RefusedRow, ...] = ()) -> None:
        super().__init__(message)
        self.rows = rows
        """The rows that could not be stepped; empty before the first reset."""


class IllegalActionError(KiothiError, ValueError):
    """An action is illegal. Nothing has changed: another action can be tried.

    ``rows`` has the rows whose actions are illegal; ``row``, ``action``, ``text`` and ``reason`` are those of the first.
    """

    def __init__(self, message: str, rows: tuple[RefusedRow, ...]) -> None:
        super().__init__(message)
        self.rows = rows
        self.row, self.action, self.text, self.reason = rows[0]


def from_failure(text: str) -> KiothiError:
    """Make an exception of a failure as the library writes it."""
    failure = json.loads(text)
    kind, message = failure["kind"], failure["message"]
    rows = tuple(RefusedRow(**row) for row in failure.get("rows", ()))
    if kind == "illegal":
        return IllegalActionError(message, rows)
    if kind == "not running":
        return NotRunningError(message, rows)
    kinds: dict[str, type[KiothiError]] = {
        "argument": InvalidArgumentError,
        "closed": ClosedError,
        "internal": InternalError,
    }
    return kinds.get(kind, KiothiError)(message)
