"""Players that a learner can be measured against."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from conftest import ENV

import kiothi


def mean_reward(game: str, learner: str, opponent: str, seat: str) -> float:
    """Return the learner's mean reward over a few hundred games."""
    vec = kiothi.parallel_vec(game, num_envs=64, seeds=1, opponent=opponent, seat=seat)  # type: ignore[arg-type]
    agent, rewards, games = kiothi.agent(learner, seed=1), 0.0, 0
    while games < 400:
        vec.step(agent.choose(vec))
        rewards += vec.rewards.sum()
        games += vec.terminated.sum()
    return rewards / games


@pytest.mark.parametrize("seat", ["south", "north"])
def test_greedy_beats_random_from_either_seat(game: str, seat: str) -> None:
    assert mean_reward(game, "greedy", "random", seat) > 0.2
    assert mean_reward(game, "random", "greedy", seat) < -0.2


def test_both_seats_of_a_vector_can_be_chosen_for_in_turn() -> None:
    vec = kiothi.parallel_vec("rio-kadalis", num_envs=32, seeds=1)
    south, north = kiothi.agent("greedy", seed=1), kiothi.agent("random", seed=2)
    won = 0.0
    for _ in range(300):
        south.choose(vec, vec.players == 0)
        north.choose(vec, vec.players == 1)
        vec.step()
        won += vec.both_rewards[:, 0].sum()
    assert won > 0


def test_only_the_wanted_rows_are_chosen_for() -> None:
    vec = kiothi.parallel_vec("rio-kadalis", num_envs=3, seeds=1)
    vec.actions[:] = 99
    chosen = kiothi.agent("greedy").choose(vec, np.array([True, False, True]))
    assert chosen is vec.actions
    assert chosen[1] == 99 and (chosen[[0, 2]] < 6).all()


def test_chance_depends_on_the_seed() -> None:
    vec = kiothi.parallel_vec("kiothi", num_envs=50, seeds=1)
    a, b, c = (kiothi.agent("random", seed=s).choose(vec).copy() for s in (1, 1, 2))
    assert np.array_equal(a, b)
    assert not np.array_equal(a, c)


def test_a_wrong_spec_is_refused_at_once() -> None:
    with pytest.raises(kiothi.InvalidArgumentError, match='did you mean "greedy"'):
        kiothi.agent("gredy")
    with pytest.raises(kiothi.InvalidArgumentError, match="did you mean"):
        kiothi.agent("zero:somewhere,sim=3")
    with pytest.raises(kiothi.InvalidArgumentError, match="seed -1"):
        kiothi.agent("greedy", seed=-1)


def test_a_network_that_is_not_there_is_named() -> None:
    vec = kiothi.parallel_vec(seeds=1)
    with pytest.raises(kiothi.KiothiError, match=r"no-such-run: no such folder"):
        kiothi.agent("zero:no-such-run").choose(vec)
    with pytest.raises(kiothi.KiothiError, match=r"no-such-run: no such folder"):
        kiothi.parallel_vec(opponent="zero:no-such-run")


def test_a_closed_agent_refuses_to_choose() -> None:
    with kiothi.agent("greedy") as agent:
        pass
    agent.close()
    with pytest.raises(kiothi.ClosedError):
        agent.choose(kiothi.parallel_vec(seeds=1))
    with pytest.raises(TypeError, match="make it where it is used"):
        pickle.dumps(agent)


MODEL = ENV.parent / "models" / "rio-kadalis-quick"


@pytest.mark.parametrize("kind", ["zero:{},sims=8", "policy:{}"])
def test_a_network_chooses_legal_actions_and_is_an_opponent(kind: str) -> None:
    spec = kind.format(str(MODEL).replace(",", ",,"))
    vec = kiothi.parallel_vec("rio-kadalis", num_envs=40, seeds=1)
    agent = kiothi.agent(spec)
    for _ in range(5):
        vec.step(agent.choose(vec).copy())
    against = kiothi.parallel_vec("rio-kadalis", num_envs=40, seeds=1, opponent=spec)
    for _ in range(5):
        against.sample_actions()
        against.step()
