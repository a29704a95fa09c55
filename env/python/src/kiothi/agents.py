"""Players that can be measured against, or learned from."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import numpy.typing as npt

from kiothi import errors
from kiothi._library import Library, library
from kiothi.vector import ParallelVec


class Agent:
    """A player. Made by :func:`agent`.

    It is made for each game and rule set that it meets, on first use. Its chance in a row depends on its seed, the row,
    and how often it chose there.
    """

    def __init__(self, spec: str, seed: int) -> None:
        self.spec = spec
        if not 0 <= seed < 2**64:
            raise errors.InvalidArgumentError(f"seed {seed}, expected 0 to {2**64 - 1}")
        self._library = library()
        self._handle = self._library.handle(self._library.agent_new, spec.encode(), seed)
        self._closer = weakref.finalize(self, _close, self._library, self._handle)
        self._closer.atexit = False

    def choose(self, vec: ParallelVec, rows: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.int32]:
        """Choose an action for each row of a vector, or for those for which the mask ``rows`` is true.

        They are written to ``vec.actions``, which is returned; what stands there for other rows stays. An agent with a
        network judges all rows together.
        """
        mask: Any = None if rows is None else vec._mask(rows)
        address = None if mask is None else mask.ctypes.data
        self._library.call(self._library.agent_choose, self._handle, vec._handle, address)
        return vec.actions

    def close(self) -> None:
        """Release the player. Closing again does nothing."""
        self._closer()

    def __enter__(self) -> Agent:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("an agent belongs to the process that made it and cannot be pickled: make it where it is used")

    def __repr__(self) -> str:
        return f"Agent({self.spec!r})"


def _close(lib: Library, handle: int) -> None:
    """Release the engine's part of an agent. A forked child has no part of the engine, and must not call it."""
    if lib.alive():
        lib.call(lib.agent_close, handle)


def agent(spec: str, *, seed: int = 0) -> Agent:
    """Return the player that a text names, as on the command line: ``"random"``, ``"greedy"``, ``"alphabeta:depth=4"``,
    ``"zero:PATH,sims=64"`` or ``"policy:PATH"``, where PATH is a run, or a model that was exported from one."""
    return Agent(spec, seed)
