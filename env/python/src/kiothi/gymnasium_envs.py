"""The games as Gymnasium environments: one learner, whose opponent plays within the step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

import gymnasium
import gymnasium.spaces
import gymnasium.vector
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from kiothi import errors
from kiothi.vector import REASONS, IllegalAction, ParallelVec, Seat, parallel_vec

Observation = npt.NDArray[np.float32]


class MancalaEnv(gymnasium.Env[Observation, np.int64]):
    """One game against an opponent.

    The observation is [planes, 2, W] from the learner's side. ``info["action_mask"]`` (int8) and :meth:`action_masks`
    (bool) tell the legal actions. The reward comes with the end of the game.

    Args:
        rules: a rule set; empty for the game's default.
        opponent: an agent, such as ``"random"``, ``"greedy"`` or ``"zero:PATH"``.
        seat: ``"south"``, who moves first, ``"north"``, ``"random"``, drawn for each game by its seed, or
            ``"alternating"`` from game to game, beginning with South where the seed of a reset is even.
        reward: see :func:`kiothi.parallel_vec`.
        step_limit: steps of the learner after which a game is truncated; 0 for none.
        position: the text of a position that games start from.
        illegal: what an action does that the mask does not allow: ``"lose"`` the game at once, so that every action of the
            space can be stepped, or ``"raise"`` an :class:`kiothi.IllegalActionError`, which shows a masking mistake.
        render_mode: ``"ansi"`` for the board as text. Others are taken too, because some libraries ask for one without
            being asked, and render nothing.
    """

    game: ClassVar[str]
    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        rules: str = "",
        *,
        opponent: str = "random",
        seat: Seat = "alternating",
        reward: str = "outcome",
        step_limit: int = 0,
        position: str = "",
        illegal: IllegalAction = "lose",
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        self.vec = parallel_vec(
            self.game,
            rules=rules,
            seeds=0,
            autoreset="Disabled",
            workers=1,
            reward=reward,
            step_limit=step_limit,
            position=position,
            opponent=opponent,
            seat=seat,
            illegal=illegal,
        )
        self.observation_space = cast("gymnasium.Space[Observation]", self.vec.single_observation_space)
        self.action_space = self.vec.single_action_space
        self._seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game: the first one of a seed, or the next one when none is given."""
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(2**63))
        self.vec.reset(None if seed is None else [seed])
        self._seeded = True
        return self.vec.observations[0].copy(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, and then the opponent until the learner is to move again."""
        vec = self.vec
        vec.step_one(int(action))
        return (
            vec.observations[0].copy(),
            float(vec.rewards[0]),
            bool(vec.terminated[0]),
            bool(vec.truncated[0]),
            self._info(),
        )

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions, [actions]. MaskablePPO of sb3-contrib asks by this name."""
        mask: npt.NDArray[np.bool_] = self.vec.action_masks[0].copy()
        return mask

    def render(self) -> str | None:
        """Return the board as text."""
        return self.vec.render() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Release the engine's part."""
        self.vec.close()

    def _info(self) -> dict[str, Any]:
        vec = self.vec
        return {
            "action_mask": vec.action_masks[0].astype(np.int8),
            "seat": int(vec.players[0]),
            "stores": vec.infos.stores[0].copy(),
            "steps": int(vec.infos.steps[0]),
            "reason": REASONS[vec.infos.reasons[0]],
        }


class KiothiEnv(MancalaEnv):
    """Kiothi against an opponent; see :class:`MancalaEnv`."""

    game = "kiothi"


class RioKadalisEnv(MancalaEnv):
    """Rio Kadalis against an opponent; see :class:`MancalaEnv`."""

    game = "rio-kadalis"


class MancalaVectorEnv(gymnasium.vector.VectorEnv[Observation, npt.NDArray[np.integer[Any]], npt.NDArray[Any]]):
    """Many games against an opponent, in one call of the engine.

    Infos hold ``action_mask`` [n, actions] (bool), ``seat``, and ``stores``, ``steps`` and ``reason`` (a number; see
    :data:`kiothi.REASONS`) of the game in which the step was made. With ``autoreset_mode="SameStep"``, games that ended
    also have ``final_obs`` and ``final_info``.

    Args:
        num_envs: the number of games.
        rules: a rule set, or several, which are dealt out in turn.
        autoreset_mode: see :class:`gymnasium.vector.AutoresetMode`.
        workers: cores to use; 0 for all. The games are the same.
        copy: whether arrays that are returned are new. Without, they change with the next step.

    The others are those of :class:`MancalaEnv`.
    """

    game: ClassVar[str]

    def __init__(
        self,
        num_envs: int = 1,
        rules: str | Sequence[str] = "",
        *,
        opponent: str = "random",
        seat: Seat = "alternating",
        reward: str = "outcome",
        step_limit: int = 0,
        position: str = "",
        illegal: IllegalAction = "lose",
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        workers: int = 0,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {**MancalaEnv.metadata, "autoreset_mode": mode}
        self.num_envs = num_envs
        self.vec: ParallelVec = parallel_vec(
            self.game,
            rules=rules,
            num_envs=num_envs,
            seeds=0,
            autoreset=mode.value,
            workers=workers,
            reward=reward,
            step_limit=step_limit,
            position=position,
            opponent=opponent,
            seat=seat,
            illegal=illegal,
        )
        self.single_observation_space = self.vec.single_observation_space
        self.single_action_space = self.vec.single_action_space
        self.observation_space = self.vec.observation_space
        self.action_space = self.vec.action_space
        self._copy = copy
        self._seeded = False
        self._every = np.ones(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start games: the first ones of a seed, or the next ones when none is given.

        As in Gymnasium, one seed stands for ``seed, seed + 1, …``, and ``options={"reset_mask": mask}`` starts the next
        game in some rows alone.
        """
        mask = (options or {}).get("reset_mask")
        if mask is not None:
            if seed is not None:
                raise errors.InvalidArgumentError("both a seed and a reset_mask: rows go on with the seeds they have")
            self.vec.reset_rows(mask)
            return self._give(self.vec.observations), self._infos(mask)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(2**62))
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
            seed = [int(seed) + i for i in range(self.num_envs)]
        self.vec.reset(seed)
        self._seeded = True
        return self._give(self.vec.observations), self._infos(self._every)

    def step(
        self, actions: npt.NDArray[np.integer[Any]]
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Play an action in each game, and then the opponents until the learner is to move again in each."""
        vec = self.vec
        vec.step(actions)
        infos = self._infos(self._every)
        if vec.autoreset == "SameStep":
            self._add_finals(infos)
        return (
            self._give(vec.observations),
            self._give(vec.rewards),
            self._give(vec.terminated),
            self._give(vec.truncated),
            infos,
        )

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions, [n, actions]."""
        return self._give(self.vec.action_masks)

    def render(self) -> tuple[str, ...] | None:
        """Return the boards as text."""
        return tuple(self.vec.render(row) for row in range(self.num_envs)) if self.render_mode == "ansi" else None

    def close_extras(self, **_: Any) -> None:
        """Release the engine's part."""
        self.vec.close()

    def _give(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self._copy else array

    def _infos(self, rows: npt.NDArray[np.bool_]) -> dict[str, Any]:
        vec = self.vec
        infos: dict[str, Any] = {}
        for name, array in (
            ("action_mask", vec.action_masks),
            ("seat", vec.players),
            ("stores", vec.infos.stores),
            ("steps", vec.infos.steps),
            ("reason", vec.infos.reasons),
        ):
            # Gymnasium says of each entry in which rows it means something.
            infos[name], infos["_" + name] = self._give(array), rows.copy()
        return infos

    def _add_finals(self, infos: dict[str, Any]) -> None:
        vec = self.vec
        over = vec.terminated | vec.truncated
        if not over.any():
            return
        observations = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(over):
            observations[row] = vec.final_observations[row].copy()
        infos["final_obs"], infos["_final_obs"] = observations, over
        info: dict[str, Any] = {}
        for name, array in (
            ("seat", vec.final_players),
            ("stores", vec.infos.stores),
            ("steps", vec.infos.steps),
            ("reason", vec.infos.reasons),
        ):
            info[name], info["_" + name] = self._give(array), over.copy()
        infos["final_info"], infos["_final_info"] = info, over.copy()


class KiothiVectorEnv(MancalaVectorEnv):
    """Many games of Kiothi against an opponent; see :class:`MancalaVectorEnv`."""

    game = "kiothi"


class RioKadalisVectorEnv(MancalaVectorEnv):
    """Many games of Rio Kadalis against an opponent; see :class:`MancalaVectorEnv`."""

    game = "rio-kadalis"


def register() -> None:
    """Register the environments with Gymnasium. Importing :mod:`kiothi` does it."""
    for name in ("Kiothi", "RioKadalis"):
        if f"kiothi/{name}-v0" not in gymnasium.registry:
            gymnasium.register(
                id=f"kiothi/{name}-v0",
                entry_point=f"kiothi.gymnasium_envs:{name}Env",
                vector_entry_point=f"kiothi.gymnasium_envs:{name}VectorEnv",
            )
