"""The games as PettingZoo environments, in which the two players act in turn."""

from __future__ import annotations

from typing import Any, ClassVar, TypedDict

import gymnasium
import gymnasium.spaces
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv

from kiothi import errors
from kiothi.vector import REASONS, parallel_vec


class Observation(TypedDict):
    """What an agent sees."""

    observation: npt.NDArray[np.float32]
    """[planes, 2, W], from the agent's side."""
    action_mask: npt.NDArray[np.int8]
    """[actions]: 1 where the action is legal; all 0 for the agent whose turn it is not."""


class MancalaAEC(AECEnv[str, Any, Any]):
    """One game of ``player_0``, who is South and moves first, and ``player_1``, who is North.

    In Kiothi's opening one player acts several times in a row: ``agent_selection`` tells who is next. Rewards come with
    the end of the game and add up to zero. An illegal action raises :class:`kiothi.IllegalActionError` and changes
    nothing; PettingZoo's ``TerminateIllegalWrapper`` turns it into a loss.

    The agent who waits sees the same position, each plane turned by half a circle, as the players face each other. What
    the planes say of the mover, such as the hand, stays with the mover.

    Args:
        rules: a rule set; empty for the game's default.
        reward: see :func:`kiothi.parallel_vec`.
        step_limit: steps after which a game is truncated; 0 for none.
        position: the text of a position that games start from.
        render_mode: ``"ansi"`` for the board as text.
    """

    game: ClassVar[str]
    metadata: dict[str, Any]

    def __init__(
        self,
        rules: str = "",
        *,
        reward: str = "outcome",
        step_limit: int = 0,
        position: str = "",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        if render_mode not in (None, "ansi"):
            raise errors.InvalidArgumentError(f"render mode {render_mode!r}, expected 'ansi' or None")
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
        )
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": self.vec.single_observation_space,
                    "action_mask": gymnasium.spaces.Box(0, 1, (self.vec.game.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: self.vec.single_action_space for agent in self.possible_agents}

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return what an agent can see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return what an agent can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. Games hold no chance: a seed has no effect."""
        self.vec.reset(None if seed is None else [seed])
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._tell()

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Play an action of ``agent_selection``, or None once the game is over."""
        agent, vec = self.agent_selection, self.vec
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise errors.InvalidArgumentError(f"no action, expected one of {agent}, whose game goes on")
        vec.step_one(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if vec.terminated[0] or vec.truncated[0]:
            for i, name in enumerate(self.agents):
                self.rewards[name] = float(vec.both_rewards[0, i])
                self.terminations[name] = bool(vec.terminated[0])
                self.truncations[name] = bool(vec.truncated[0])
        self._accumulate_rewards()
        self._tell()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now."""
        observation, mask = self.vec.observations[0], self.vec.action_masks[0]
        if self.possible_agents[self.vec.players[0]] == agent:
            return {"observation": observation.copy(), "action_mask": mask.astype(np.int8)}
        return {"observation": observation[:, ::-1, ::-1].copy(), "action_mask": np.zeros(mask.shape, np.int8)}

    def render(self) -> str | None:
        """Return the board as text."""
        return self.vec.render() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Release the engine's part."""
        self.vec.close()

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def _tell(self) -> None:
        """Say who acts next, and what the step did."""
        vec = self.vec
        self.agent_selection = self.possible_agents[vec.players[0]]
        south, north = (int(store) for store in vec.infos.stores[0])
        self.infos = {
            agent: {
                "stores": (south, north),
                "steps": int(vec.infos.steps[0]),
                "reason": REASONS[vec.infos.reasons[0]],
            }
            for agent in self.agents
        }


class KiothiAEC(MancalaAEC):
    """Kiothi for two agents; see :class:`MancalaAEC`."""

    game = "kiothi"
    metadata = {"name": "kiothi_v0", "render_modes": ["ansi"], "is_parallelizable": False}


class RioKadalisAEC(MancalaAEC):
    """Rio Kadalis for two agents; see :class:`MancalaAEC`."""

    game = "rio-kadalis"
    metadata = {"name": "rio_kadalis_v0", "render_modes": ["ansi"], "is_parallelizable": False}
