"""The Gymnasium environments, by Gymnasium's own checker and by use."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import kiothi

IDS = ["kiothi/Kiothi-v0", "kiothi/RioKadalis-v0"]


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("opponent", ["random", "greedy"])
@pytest.mark.parametrize("seat", ["south", "north", "alternating", "random"])
def test_the_checker_passes_without_a_warning(env_id: str, opponent: str, seat: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(env_id, opponent=opponent, seat=seat).unwrapped)


@pytest.mark.parametrize("env_id", IDS)
def test_a_game_by_the_mask(env_id: str) -> None:
    env = gymnasium.make(env_id, illegal="raise")
    observation, info = env.reset(seed=1)
    env.action_space.seed(1)
    over, steps = False, 0
    while not over:
        assert np.array_equal(info["action_mask"], env.get_wrapper_attr("action_masks")())
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        assert observation in env.observation_space
        over, steps = terminated or truncated, steps + 1
    assert info["reason"] in ("stuck", "exhausted")
    assert reward in (-1.0, 0.0, 1.0)
    assert sum(info["stores"]) == kiothi.describe(env.unwrapped.game).seeds  # type: ignore[attr-defined]


def test_an_illegal_action_loses_or_raises() -> None:
    env = gymnasium.make("kiothi/RioKadalis-v0", position="0,3,0,0,0,0/1,0,0,0,0,0 - 20-24 S sow 7", seat="south")
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step(np.int64(0))
    assert (reward, terminated, info["reason"]) == (-1.0, True, "illegal")
    with pytest.raises(kiothi.NotRunningError):
        env.step(np.int64(0))
    strict = gymnasium.make("kiothi/Kiothi-v0", illegal="raise")
    strict.reset(seed=0)
    with pytest.raises(kiothi.IllegalActionError):
        strict.step(np.int64(0))


def test_seats_alternate_with_seeds_and_with_games() -> None:
    env = gymnasium.make("kiothi/RioKadalis-v0")
    assert [env.reset(seed=s)[1]["seat"] for s in range(4)] == [0, 1, 0, 1]
    env.reset(seed=6)
    assert [env.reset()[1]["seat"] for _ in range(3)] == [1, 0, 1]


def test_the_board_is_rendered_as_text() -> None:
    env = gymnasium.make("kiothi/Kiothi-v0", render_mode="ansi")
    env.reset(seed=0)
    assert "South" in str(env.render())
    vec = gymnasium.make_vec("kiothi/Kiothi-v0", num_envs=2, render_mode="ansi")
    vec.reset(seed=0)
    boards = vec.render()
    assert boards is not None and len(boards) == 2
    assert kiothi.KiothiEnv(render_mode="rgb_array").render() is None


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_native_vector_is_what_gymnasium_makes_of_single_environments(env_id: str, mode: AutoresetMode) -> None:
    """Play the same actions in both. Seats are fixed because a reset without a seed takes part in their alternation."""
    n = 6
    native = gymnasium.make_vec(env_id, num_envs=n, opponent="greedy", autoreset_mode=mode)
    assert type(native.unwrapped).__module__ == "kiothi.gymnasium_envs"
    sync = gymnasium.make_vec(
        env_id, num_envs=n, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, opponent="greedy"
    )
    assert native.single_observation_space == sync.single_observation_space
    assert native.observation_space == sync.observation_space
    assert native.action_space == sync.action_space
    assert native.metadata["autoreset_mode"] == mode
    (a, a_info), (b, b_info) = native.reset(seed=3), sync.reset(seed=3)
    rng = np.random.default_rng(1)
    ended = 0
    for _ in range(150):
        assert np.array_equal(a, b)
        assert np.array_equal(a_info["action_mask"], b_info["action_mask"])
        assert np.array_equal(a_info["seat"], b_info["seat"])
        actions = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in a_info["action_mask"]])
        a, a_reward, a_terminated, a_truncated, a_info = native.step(actions)
        b, b_reward, b_terminated, b_truncated, b_info = sync.step(actions)
        assert np.array_equal(a_reward, b_reward)
        assert np.array_equal(a_terminated, b_terminated)
        assert np.array_equal(a_truncated, b_truncated)
        assert ("final_obs" in a_info) == ("final_obs" in b_info)
        if "final_obs" in a_info:
            assert np.array_equal(a_info["_final_obs"], b_info["_final_obs"])
            for x, y in zip(a_info["final_obs"], b_info["final_obs"], strict=True):
                assert (x is None and y is None) or np.array_equal(x, y)
            over = a_info["_final_info"]
            assert np.array_equal(a_info["final_info"]["stores"][over], b_info["final_info"]["stores"][over])
        over = a_terminated | a_truncated
        ended += over.sum()
        if mode == AutoresetMode.DISABLED and over.any():
            a, a_info = native.reset(options={"reset_mask": over.copy()})
            b, b_info = sync.reset(options={"reset_mask": over.copy()})
            b_info["action_mask"] = np.where(over[:, None], b_info["action_mask"], a_info["action_mask"])
            b_info["seat"] = np.where(over, b_info["seat"], a_info["seat"])
    assert ended > 0
    native.close()
    sync.close()


def test_returned_arrays_are_new_unless_told_otherwise() -> None:
    for copy in (True, False):
        env = gymnasium.make_vec("kiothi/RioKadalis-v0", num_envs=2, copy=copy)
        first, info = env.reset(seed=1)
        second, *_ = env.step(np.array([np.flatnonzero(mask)[0] for mask in info["action_mask"]]))
        assert np.shares_memory(first, second) != copy


def test_gymnasiums_wrappers_of_vectors_work() -> None:
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(gymnasium.make_vec("kiothi/RioKadalis-v0", num_envs=8))
    _, info = env.reset(seed=1)
    rng = np.random.default_rng(1)
    episodes = 0
    for _ in range(60):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        _, _, _, _, info = env.step(actions)
        if "episode" in info:
            episodes += int(info["_episode"].sum())
            assert set(info["episode"]["r"][info["_episode"]]) <= {-1.0, 0.0, 1.0}
    assert episodes > 0


@pytest.mark.parametrize("arguments", [{"reward": "much"}, {"seat": "east"}, {"opponent": "nobody"}])
def test_wrong_arguments_are_refused(arguments: dict[str, Any]) -> None:
    for make in (kiothi.KiothiEnv, kiothi.KiothiVectorEnv):
        with pytest.raises(kiothi.InvalidArgumentError):
            make(**arguments)
