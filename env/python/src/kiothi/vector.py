"""Many games in one call, over NumPy arrays that the engine writes in place."""

from __future__ import annotations

import ctypes
import json
import secrets
import weakref
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import gymnasium.spaces
import gymnasium.vector.utils
import numpy as np
import numpy.typing as npt

from kiothi import errors
from kiothi._library import Buffers, Library, library
from kiothi.games import Game, describe

Autoreset = Literal["SameStep", "NextStep", "Disabled"]
Seat = Literal["alternating", "random", "south", "north"]
IllegalAction = Literal["raise", "lose"]
Seeds = int | Sequence[int] | npt.NDArray[np.integer[Any]]

REASONS = ("", "stuck", "exhausted", "illegal")
"""Why a game is over, by its number in :attr:`Infos.reasons`. The last is only seen with ``illegal="lose"``."""

_MAX_SEED = 2**64 - 1
_INT32 = np.iinfo(np.int32)


class Infos(NamedTuple):
    """What a step tells beyond observation and reward, an entry a row.

    It describes the step that was made, also where the game was reset after it. Against an opponent, laps, captured, cut
    and turn_over stay zero, since a step is several turns.
    """

    stores: npt.NDArray[np.int32]
    """[n, 2]: South's and North's, with the final sweep once the game is over."""
    reasons: npt.NDArray[np.int32]
    """[n]: why the game is over; see :data:`REASONS`."""
    laps: npt.NDArray[np.int32]
    """[n]: laps of the sowing, 0 for an action of the opening."""
    captured: npt.NDArray[np.int32]
    """[n, 2]: seeds that the step put into the stores, before any sweep."""
    cut: npt.NDArray[np.bool_]
    """[n]: the relay reached the lap limit."""
    turn_over: npt.NDArray[np.bool_]
    """[n]: the step ended its player's turn."""
    steps: npt.NDArray[np.int32]
    """[n]: steps since the game's start; against an opponent, the learner's."""
    turns: npt.NDArray[np.int32]
    """[n]: turns completed since the game's start."""


class ParallelVec:
    """``num_envs`` games, the rows, that step together. Made by :func:`parallel_vec`.

    The arrays below are written in place by :meth:`reset`, :meth:`reset_rows` and :meth:`step`, so that nothing is copied:
    copy what has to outlive the next call. A vector steps in all cores, and its games are the same with any number of
    them. It can be used from several threads, but belongs to the process that made it.
    """

    observations: npt.NDArray[np.float32]
    """[n, planes, 2, W]: the position from the side of ``players``."""
    action_masks: npt.NDArray[np.bool_]
    """[n, actions]: exactly the actions that a step accepts."""
    players: npt.NDArray[np.int32]
    """[n]: who acts next, 0 for South and 1 for North. Against an opponent this is always the learner's seat."""
    rewards: npt.NDArray[np.float32]
    """[n]: of the player who made the step, who is in ``actors``; zero until a game is over."""
    both_rewards: npt.NDArray[np.float32]
    """[n, 2]: of South and North; they add up to zero."""
    actors: npt.NDArray[np.int32]
    """[n]: who made the step, or -1 after a reset."""
    terminated: npt.NDArray[np.bool_]
    """[n]: the step ended the game by its rules."""
    truncated: npt.NDArray[np.bool_]
    """[n]: the step was the last one that the step limit allows."""
    final_observations: npt.NDArray[np.float32]
    """[n, planes, 2, W]: how a game ended. A row is written when ``terminated`` or ``truncated`` is set, in every mode."""
    final_players: npt.NDArray[np.int32]
    """[n]: from whose side ``final_observations`` is seen."""
    infos: Infos
    actions: npt.NDArray[np.int32]
    """[n]: the actions that a step without an argument plays."""

    def __init__(
        self,
        game: str,
        rules: str | Sequence[str],
        num_envs: int,
        seeds: Seeds | None,
        autoreset: Autoreset,
        workers: int,
        reward: str,
        step_limit: int,
        position: str,
        opponent: str | None,
        seat: Seat,
        illegal: IllegalAction,
    ) -> None:
        sets = [rules] if isinstance(rules, str) else list(rules)
        self.game: Game = describe(game, sets[0] if sets else "")
        self.num_envs = num_envs
        self.autoreset = autoreset
        self._allocate(max(num_envs, 0))
        settings = {
            "game": game,
            "rules": sets,
            "rows": num_envs,
            "autoreset": autoreset,
            "workers": workers,
            "reward": reward,
            "step_limit": step_limit,
            "position": position,
            "opponent": opponent or "",
            "seat": seat,
            "illegal": illegal,
        }
        self._library = library()
        handle = self._library.handle(
            self._library.vector_new, json.dumps(settings).encode(), ctypes.byref(self._addresses())
        )
        self._handle = ctypes.c_int64(handle)
        # The arrays must live as long as the engine writes to them.
        self._closer = weakref.finalize(self, _close, self._library, handle, self._arrays())
        self._closer.atexit = False
        try:
            self.reset(secrets.randbits(64) if seeds is None else seeds)
        except BaseException:
            self.close()
            raise

    def _allocate(self, n: int) -> None:
        shape = (n, *self.game.observation_shape)
        self.observations = np.zeros(shape, np.float32)
        self.action_masks = np.zeros((n, self.game.num_actions), np.bool_)
        self.players = np.zeros(n, np.int32)
        self.rewards = np.zeros(n, np.float32)
        self.both_rewards = np.zeros((n, 2), np.float32)
        self.actors = np.zeros(n, np.int32)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.final_observations = np.zeros(shape, np.float32)
        self.final_players = np.zeros(n, np.int32)
        self.infos = Infos(
            stores=np.zeros((n, 2), np.int32),
            reasons=np.zeros(n, np.int32),
            laps=np.zeros(n, np.int32),
            captured=np.zeros((n, 2), np.int32),
            cut=np.zeros(n, np.bool_),
            turn_over=np.zeros(n, np.bool_),
            steps=np.zeros(n, np.int32),
            turns=np.zeros(n, np.int32),
        )
        self.actions = np.zeros(n, np.int32)

    def _arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """Return the arrays in the order of the library's ``kiothi_buffers``."""
        return (
            self.observations,
            self.action_masks,
            self.players,
            self.rewards,
            self.both_rewards,
            self.actors,
            self.terminated,
            self.truncated,
            self.final_observations,
            self.final_players,
            *self.infos,
            self.actions,
        )

    def _addresses(self) -> Buffers:
        return Buffers(*(array.ctypes.data for array in self._arrays()))

    @property
    def single_observation_space(self) -> gymnasium.spaces.Box:
        """The observation of one row."""
        return gymnasium.spaces.Box(0.0, 1.0, self.game.observation_shape, np.float32)

    @property
    def single_action_space(self) -> gymnasium.spaces.Discrete:
        """The actions of one row."""
        return gymnasium.spaces.Discrete(self.game.num_actions)

    @property
    def observation_space(self) -> gymnasium.spaces.Space[Any]:
        """The observations of all rows."""
        return gymnasium.vector.utils.batch_space(self.single_observation_space, self.num_envs)

    @property
    def action_space(self) -> gymnasium.spaces.Space[Any]:
        """The actions of all rows."""
        return gymnasium.vector.utils.batch_space(self.single_action_space, self.num_envs)

    def reset(self, seed: Seeds | None = None) -> None:
        """Start a game in each row: the first one of a seed, or the row's next one when none is given.

        One number gives each row another seed, a sequence has one a row. The games hold no chance of their own: a seed
        drives :meth:`sample_actions`, and an opponent.
        """
        if seed is None:
            self.reset_rows(np.ones(self.num_envs, np.bool_))
            return
        single = isinstance(seed, (int, np.integer))
        numbers = [int(s) for s in ([seed] if isinstance(seed, (int, np.integer)) else seed)]
        if not single and len(numbers) != self.num_envs:
            raise errors.InvalidArgumentError(f"{len(numbers)} seeds for {self.num_envs} rows, expected one a row")
        if any(not 0 <= number <= _MAX_SEED for number in numbers):
            raise errors.InvalidArgumentError(f"seed {seed}, expected numbers from 0 to {_MAX_SEED}")
        array = np.array(numbers, np.uint64)
        self._library.call(self._library.vector_reset, self._handle, array.ctypes.data, len(numbers), single)

    def reset_rows(self, rows: npt.NDArray[np.bool_]) -> None:
        """Start the next game in each row for which the mask ``rows`` is true, whether its game is over or not."""
        wanted = self._mask(rows)
        self._library.call(self._library.vector_reset_rows, self._handle, wanted.ctypes.data)

    def step(self, actions: npt.ArrayLike | None = None) -> None:
        """Play an action in each row, those in :attr:`actions` when none are given.

        Raises:
            IllegalActionError: actions are illegal. No row has changed.
            NotRunningError: rows are over and wait for a reset (``autoreset="Disabled"``). No row has changed.
        """
        if actions is not None and actions is not self.actions:
            self._take_actions(actions)
        self._library.call(self._library.vector_step, self._handle)

    def sample_actions(self) -> npt.NDArray[np.int32]:
        """Fill :attr:`actions` with random legal ones, each as likely as its row's others, and return them."""
        self._library.call(self._library.vector_sample, self._handle)
        return self.actions

    def positions(self) -> list[str]:
        """Return the position of each row, as text from which games can start."""
        positions: list[str] = json.loads(self._library.text(self._library.vector_positions, self._handle))
        return positions

    def render(self, row: int = 0) -> str:
        """Return the board of a row as text."""
        return self._library.text(self._library.vector_text, self._handle, b"board", row, 0)

    def action_text(self, action: int, row: int = 0) -> str:
        """Return an action in words, such as ``e3`` or ``+b``, as the player to move in a row would say it."""
        return self._library.text(self._library.vector_text, self._handle, b"action", row, action)

    def step_one(self, action: int) -> None:
        """Play an action in a vector of one row, without an array."""
        self.actions[0] = min(max(action, _INT32.min), _INT32.max)
        self._library.call(self._library.vector_step, self._handle)

    def close(self) -> None:
        """End the engine's part. The arrays stay as they are. Closing again does nothing."""
        self._closer()

    def __enter__(self) -> ParallelVec:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self.num_envs

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("a vector belongs to the process that made it and cannot be pickled: make it where it is used")

    def __repr__(self) -> str:
        return f"ParallelVec({self.game.name!r}, rules={self.game.rules!r}, num_envs={self.num_envs})"

    def _take_actions(self, actions: npt.ArrayLike) -> None:
        given = np.asarray(actions)
        if given.shape != self.actions.shape:
            raise errors.InvalidArgumentError(
                f"actions of shape {given.shape}, expected {self.actions.shape}: one a row"
            )
        if given.dtype != np.int32:
            if given.dtype.kind not in "iu":
                raise errors.InvalidArgumentError(f"actions of type {given.dtype}, expected whole numbers")
            # An overflow must not make a legal action of an illegal one.
            if given.dtype.itemsize >= 4:
                given = np.minimum(given, _INT32.max)
            if given.dtype == np.int64:
                given = np.maximum(given, _INT32.min)
        self.actions[:] = given

    def _mask(self, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        mask = np.ascontiguousarray(rows)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise errors.InvalidArgumentError(
                f"a mask of rows of shape {mask.shape} and type {mask.dtype}, expected ({self.num_envs},) and bool"
            )
        return mask


def _close(lib: Library, handle: int, _: tuple[npt.NDArray[Any], ...]) -> None:
    """End the engine's part of a vector. A forked child has no part of the engine, and must not call it."""
    if lib.alive():
        lib.call(lib.vector_close, handle)


def parallel_vec(
    game: str = "kiothi",
    *,
    rules: str | Sequence[str] = "",
    num_envs: int = 1,
    seeds: Seeds | None = None,
    autoreset: Autoreset = "SameStep",
    workers: int = 0,
    reward: str = "outcome",
    step_limit: int = 0,
    position: str = "",
    opponent: str | None = None,
    seat: Seat = "alternating",
    illegal: IllegalAction = "raise",
) -> ParallelVec:
    """Return ``num_envs`` games that step together, already reset.

    Args:
        game: ``"kiothi"`` or ``"rio-kadalis"``.
        rules: a rule set, such as ``"wikipedia-it"`` or ``"mancala-world,bonus=run"``; empty for the default. Several are
            dealt out in turn: row ``i`` plays by ``rules[i % len(rules)]``.
        num_envs: the number of rows.
        seeds: see :meth:`ParallelVec.reset`. Without, chance is drawn from the system.
        autoreset: what happens to a game that is over, by the names of Gymnasium: its next game starts in the same step,
            in place of the next step, or by :meth:`ParallelVec.reset_rows`.
        workers: cores to use; 0 for all. The games are the same.
        reward: ``"outcome"``, ``"margin"``, or ``"warrior:2"`` or ``"warrior:10"``, which count a win by exactly two
            seeds that many times.
        step_limit: steps, against an opponent the learner's, after which a game is truncated; 0 for none.
        position: the text of a position that games start from.
        opponent: an agent, such as ``"greedy"`` or ``"zero:PATH"``, that plays the other seat within each step, so that
            a row is a single-agent environment. Without, a row's steps are those of both players.
        seat: the learner's, against an opponent: ``"south"``, who moves first, ``"north"``, ``"random"``, drawn for each
            game by its seed, or ``"alternating"`` from game to game, beginning with South where a row's seed is even.
        illegal: against an opponent, what an illegal action does: raise, or lose the game at once.
    """
    return ParallelVec(
        game, rules, num_envs, seeds, autoreset, workers, reward, step_limit, position, opponent, seat, illegal
    )
