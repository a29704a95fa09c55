"""The PettingZoo environments, by PettingZoo's own tests and by use."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
from pettingzoo.test.api_test import api_test
from pettingzoo.test.performance_benchmark import performance_benchmark
from pettingzoo.test.seed_test import seed_test
from pettingzoo.utils import wrappers

import kiothi

ENVS = [kiothi.KiothiAEC, kiothi.RioKadalisAEC]

# What PettingZoo's tests say of every environment with a mask that is not on their list of known ones, and of the agent
# whose turn it is not.
EXPECTED_WARNINGS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros (no legal actions).",
)


@pytest.mark.parametrize("make", ENVS)
@pytest.mark.parametrize("arguments", [{}, {"step_limit": 15}])
def test_api(make: Any, arguments: dict[str, Any]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(make(**arguments), num_cycles=300)
    unexpected = {str(w.message) for w in caught} - set(EXPECTED_WARNINGS)
    assert not unexpected


@pytest.mark.parametrize("make", ENVS)
def test_seeds(make: Any) -> None:
    seed_test(make, num_cycles=200)


def test_performance_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(kiothi.RioKadalisAEC())
    printed = capsys.readouterr().out
    assert "turns per second" in printed


@pytest.mark.parametrize("make", ENVS)
def test_each_agent_sees_the_board_from_its_own_side(make: Any) -> None:
    env = make()
    env.reset()
    rng = np.random.default_rng(1)
    for _ in range(40):
        mover = env.agent_selection
        waiting = "player_1" if mover == "player_0" else "player_0"
        mine, other = env.observe(mover), env.observe(waiting)
        assert mine["action_mask"].any() and not other["action_mask"].any()
        seeds = mine["observation"][0]
        assert np.array_equal(seeds[0], other["observation"][0][1][::-1])
        assert np.array_equal(seeds[1], other["observation"][0][0][::-1])
        env.step(int(rng.choice(np.flatnonzero(mine["action_mask"]))))
        if env.agent_selection == waiting and not any(env.terminations.values()):
            before = other["observation"]
            assert before.shape == env.observe(waiting)["observation"].shape


def test_one_agent_acts_several_times_in_the_opening() -> None:
    env = kiothi.KiothiAEC()
    env.reset()
    actors = []
    for _ in range(24):
        actors.append(env.agent_selection)
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert actors == ["player_0"] * 12 + ["player_1"] * 12


@pytest.mark.parametrize("make", ENVS)
def test_the_rewards_of_a_game_add_up_to_zero(make: Any) -> None:
    env = make()
    rng = np.random.default_rng(1)
    decided = 0
    for game in range(5):
        env.reset(seed=game)
        total = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            total[agent] += reward
            over = terminated or truncated
            env.step(None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        assert total["player_0"] == -total["player_1"]
        decided += total["player_0"] != 0
    assert decided > 0


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = kiothi.RioKadalisAEC()
    env.reset()
    before = env.observe("player_0")
    for action in (6, -1, 2**40):
        with pytest.raises(kiothi.IllegalActionError):
            env.step(action)
    with pytest.raises(kiothi.InvalidArgumentError, match="no action"):
        env.step(None)
    assert np.array_equal(before["observation"], env.observe("player_0")["observation"])
    assert env.agent_selection == "player_0"
    env.step(0)


def test_pettingzoos_wrapper_makes_an_illegal_action_a_loss(caplog: pytest.LogCaptureFixture) -> None:
    env: Any = wrappers.TerminateIllegalWrapper(
        kiothi.RioKadalisAEC(position="0,3,0,0,0,0/1,0,0,0,0,0 - 20-24 S sow 7"), illegal_reward=-1
    )
    env.reset()
    env.observe(env.agent_selection)
    env.step(0)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards["player_0"] == -1


def test_the_board_is_rendered_as_text() -> None:
    env = kiothi.KiothiAEC(render_mode="ansi")
    env.reset()
    assert "North" in str(env.render())
    assert kiothi.KiothiAEC().render() is None
    with pytest.raises(kiothi.InvalidArgumentError, match="render mode"):
        kiothi.KiothiAEC(render_mode="human")
