"""Many games in one call."""

from __future__ import annotations

import gc
import pickle
import threading
from typing import Any

import numpy as np
import pytest

import kiothi


def play(vec: kiothi.ParallelVec, steps: int) -> list[tuple[Any, ...]]:
    """Step random actions and return what was written."""
    written = []
    for _ in range(steps):
        vec.sample_actions()
        vec.step()
        written.append(tuple(array.copy() for array in (*vec._arrays(),)))
    return written


def same(a: list[tuple[Any, ...]], b: list[tuple[Any, ...]]) -> bool:
    return all(np.array_equal(x, y) for i, j in zip(a, b, strict=True) for x, y in zip(i, j, strict=True))


def test_arrays_have_the_shapes_and_types_that_the_spaces_say(game: str) -> None:
    vec = kiothi.parallel_vec(game, num_envs=5, seeds=1)
    about = kiothi.describe(game)
    assert vec.observations.shape == (5, *about.observation_shape)
    assert vec.observations.shape[1] == len(about.planes)
    assert vec.action_masks.shape == (5, about.num_actions)
    for _ in range(200):
        vec.sample_actions()
        vec.step()
        assert vec.observation_space.contains(vec.observations)
        assert vec.single_observation_space.contains(vec.observations[0])
        assert vec.action_space.contains(vec.actions)
        assert set(vec.players) <= {0, 1}


def test_the_engine_writes_into_the_arrays_in_place(game: str) -> None:
    vec = kiothi.parallel_vec(game, num_envs=3, seeds=1)
    arrays = vec._arrays()
    before = vec.observations.copy()
    play(vec, 3)
    assert all(a is b for a, b in zip(arrays, vec._arrays(), strict=True))
    assert not np.array_equal(before, vec.observations)


def test_a_mask_is_exactly_what_a_step_accepts(game: str) -> None:
    vec = kiothi.parallel_vec(game, num_envs=1, seeds=1, autoreset="Disabled")
    actions = range(vec.game.num_actions)
    for _ in range(12):
        position = vec.positions()[0]
        mask = vec.action_masks[0].copy()
        for action in actions:
            if mask[action]:
                other = kiothi.parallel_vec(game, position=position, seeds=1)
                other.step([action])
            else:
                with pytest.raises(kiothi.IllegalActionError):
                    vec.step([action])
        assert vec.positions()[0] == position
        vec.sample_actions()
        vec.step()


def test_an_illegal_action_names_row_action_and_rule_and_changes_nothing() -> None:
    vec = kiothi.parallel_vec("rio-kadalis", num_envs=4, seeds=1)
    before = [array.copy() for array in vec._arrays()[:-1]]
    with pytest.raises(kiothi.IllegalActionError, match="row 2, action 6") as caught:
        vec.step([0, 1, 6, -1])
    error = caught.value
    assert (error.row, error.action) == (2, 6)
    assert error.reason
    assert [row.row for row in error.rows] == [2, 3]
    assert isinstance(error, kiothi.KiothiError) and isinstance(error, ValueError)
    assert all(np.array_equal(a, b) for a, b in zip(before, vec._arrays(), strict=False))


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32, np.uint64])
def test_actions_may_have_any_type_of_whole_numbers(dtype: Any) -> None:
    vec = kiothi.parallel_vec("rio-kadalis", num_envs=2, seeds=1)
    vec.step(np.array([2, 3], dtype))
    assert list(vec.actions) == [2, 3]


def test_large_numbers_do_not_wrap_round_to_legal_actions() -> None:
    vec = kiothi.parallel_vec("rio-kadalis", num_envs=1, seeds=1)
    for action in (2**32, 2**32 + 1, -(2**32), 2**62):
        with pytest.raises(kiothi.IllegalActionError):
            vec.step(np.array([action]))
    with pytest.raises(kiothi.IllegalActionError):
        vec.step(np.array([2**63 + 1], np.uint64))


def test_wrong_actions_are_refused() -> None:
    vec = kiothi.parallel_vec("rio-kadalis", num_envs=2, seeds=1)
    with pytest.raises(kiothi.InvalidArgumentError, match=r"shape \(3,\), expected \(2,\)"):
        vec.step([0, 0, 0])
    with pytest.raises(kiothi.InvalidArgumentError, match="float64, expected whole numbers"):
        vec.step([0.0, 1.0])


def test_equal_seeds_give_equal_games(game: str) -> None:
    a, b, c = (play(kiothi.parallel_vec(game, num_envs=8, seeds=s), 60) for s in (7, 7, 8))
    assert same(a, b)
    assert not same(a, c)


def test_a_seed_a_row_gives_that_row_the_same_games_anywhere(game: str) -> None:
    a = play(kiothi.parallel_vec(game, num_envs=3, seeds=[5, 6, 7]), 60)
    b = play(kiothi.parallel_vec(game, num_envs=2, seeds=np.array([7, 5])), 60)
    for one, other in zip(a, b, strict=True):
        for x, y in zip(one, other, strict=True):
            assert np.array_equal(x[[2, 0]], y)


def test_a_reset_without_a_seed_starts_the_next_games(game: str) -> None:
    a, b = kiothi.parallel_vec(game, num_envs=2, seeds=3), kiothi.parallel_vec(game, num_envs=2, seeds=3)
    play(a, 5)
    a.reset()
    b.reset()
    assert same(play(a, 10), play(b, 10))


@pytest.mark.parametrize("opponent", [None, "greedy"])
def test_the_number_of_workers_changes_nothing(game: str, opponent: str | None) -> None:
    one, three = (
        kiothi.parallel_vec(game, num_envs=200, seeds=1, workers=workers, opponent=opponent) for workers in (1, 3)
    )
    assert same(play(one, 40), play(three, 40))


def test_rewards_come_at_the_end_and_add_up_to_zero(game: str) -> None:
    vec = kiothi.parallel_vec(game, num_envs=16, seeds=1)
    ended = 0
    for _ in range(300):
        vec.sample_actions()
        vec.step()
        over = vec.terminated
        assert not vec.truncated.any()
        assert (vec.both_rewards.sum(axis=1) == 0).all()
        assert (vec.both_rewards[~over] == 0).all()
        assert (vec.rewards == vec.both_rewards[np.arange(16), vec.actors]).all()
        margin = np.sign(vec.infos.stores[:, 0] - vec.infos.stores[:, 1])
        assert (vec.both_rewards[over, 0] == margin[over]).all()
        assert (vec.infos.stores[over].sum(axis=1) == vec.game.seeds).all()
        assert ((vec.infos.reasons > 0) == over).all()
        ended += over.sum()
    assert ended > 0


def test_a_step_limit_truncates_and_is_no_end_by_the_rules(game: str) -> None:
    vec = kiothi.parallel_vec(game, num_envs=2, seeds=1, step_limit=3, autoreset="Disabled")
    for step in (1, 2, 3):
        assert not vec.truncated.any()
        vec.sample_actions()
        vec.step()
        assert (vec.infos.steps == step).all()
    assert vec.truncated.all() and not vec.terminated.any()
    assert not vec.action_masks.any()
    with pytest.raises(kiothi.NotRunningError) as caught:
        vec.step(np.zeros(2, np.int32))
    assert [row.row for row in caught.value.rows] == [0, 1]


def until_over(vec: kiothi.ParallelVec) -> None:
    while True:
        vec.sample_actions()
        vec.step()
        if (vec.terminated | vec.truncated).any():
            return


def test_same_step_keeps_how_the_game_ended() -> None:
    vec = kiothi.parallel_vec("rio-kadalis", seeds=1)
    start = vec.observations.copy()
    until_over(vec)
    assert np.array_equal(vec.observations, start)
    assert vec.action_masks.all()
    assert not np.array_equal(vec.final_observations, start)


def test_next_step_shows_the_end_before_the_next_game() -> None:
    vec = kiothi.parallel_vec("rio-kadalis", seeds=1, autoreset="NextStep")
    start = vec.observations.copy()
    until_over(vec)
    assert np.array_equal(vec.observations, vec.final_observations)
    assert not vec.action_masks.any()
    vec.step([99])
    assert np.array_equal(vec.observations, start)
    assert not vec.terminated.any() and (vec.actors == -1).all() and (vec.rewards == 0).all()


def test_a_disabled_autoreset_waits_for_the_rows_to_be_reset() -> None:
    vec = kiothi.parallel_vec("rio-kadalis", num_envs=4, seeds=1, autoreset="Disabled")
    until_over(vec)
    over = vec.terminated.copy()
    others = vec.observations[~over].copy()
    vec.sample_actions()
    with pytest.raises(kiothi.NotRunningError) as caught:
        vec.step()
    assert [row.row for row in caught.value.rows] == list(np.flatnonzero(over))
    vec.reset_rows(over)
    assert np.array_equal(vec.observations[~over], others)
    assert (vec.infos.steps[over] == 0).all()
    vec.sample_actions()
    vec.step()


def test_rule_sets_are_dealt_out_in_turn() -> None:
    rules = ["mancala-world", "wikipedia-it"]
    vec = kiothi.parallel_vec("kiothi", rules=rules, num_envs=4, seeds=1)
    alone = [kiothi.parallel_vec("kiothi", rules=r, seeds=1) for r in rules]
    assert vec.positions() == [alone[i % 2].positions()[0] for i in range(4)]
    with pytest.raises(kiothi.InvalidArgumentError, match="one shape"):
        kiothi.parallel_vec("rio-kadalis", rules=["standard", "five-holes"], num_envs=2)


def test_games_start_from_a_position() -> None:
    position = "0,3,0,0,0,0/1,0,0,0,0,0 - 20-24 S sow 7"
    vec = kiothi.parallel_vec("rio-kadalis", position=position, reward="margin")
    assert vec.positions() == [position]
    assert vec.action_text(1) == "b"
    assert "South to sow" in vec.render()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "kiotih"}, 'did you mean "kiothi"'),
        ({"rules": "no-such"}, "Valid rule sets"),
        ({"rules": "mancala-world,bonus=much"}, "valid values"),
        ({"num_envs": 0}, "expected at least one row"),
        ({"num_envs": -3}, "expected at least one row"),
        ({"autoreset": "Never"}, "SameStep, NextStep, Disabled"),
        ({"workers": -1}, "-1 workers"),
        ({"reward": "much"}, "unknown reward"),
        ({"step_limit": -1}, "step limit -1"),
        ({"position": "nonsense"}, "nonsense"),
        ({"opponent": "gredy"}, 'did you mean "greedy"'),
        ({"opponent": "random", "seat": "east"}, "unknown seat"),
        ({"opponent": "random", "illegal": "ignore"}, "illegal-action"),
        ({"seeds": -1}, "seed -1"),
        ({"seeds": 2**64}, "expected numbers from 0"),
        ({"seeds": [1, 2]}, "2 seeds for 1 rows"),
    ],
)
def test_a_wrong_argument_says_what_is_valid(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(kiothi.InvalidArgumentError, match=message):
        kiothi.parallel_vec(**arguments)


def test_the_arrays_outlive_the_vector() -> None:
    observations = kiothi.parallel_vec("kiothi", num_envs=64, seeds=1).observations
    gc.collect()
    assert observations.sum() > 0


def test_a_closed_vector_refuses_calls() -> None:
    with kiothi.parallel_vec("kiothi", seeds=1) as vec:
        pass
    vec.close()
    with pytest.raises(kiothi.ClosedError):
        vec.step([604])


def test_a_vector_cannot_be_pickled() -> None:
    with pytest.raises(TypeError, match="make it where it is used"):
        pickle.dumps(kiothi.parallel_vec())


def test_threads_take_turns() -> None:
    vec = kiothi.parallel_vec("rio-kadalis", num_envs=256, seeds=1, autoreset="NextStep")
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(50):
                vec.sample_actions()
                vec.render()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_the_opponent_plays_the_other_seat(game: str) -> None:
    for seat, player in (("south", 0), ("north", 1)):
        vec = kiothi.parallel_vec(game, num_envs=4, seeds=1, opponent="random", seat=seat)  # type: ignore[arg-type]
        for _ in range(100):
            assert (vec.players == player).all()
            assert vec.action_masks.any(axis=1).all()
            vec.sample_actions()
            vec.step()
            assert (vec.rewards == vec.both_rewards[:, player]).all()


def test_a_step_limit_against_an_opponent_counts_the_learners_steps() -> None:
    vec = kiothi.parallel_vec("rio-kadalis", seeds=1, opponent="random", seat="north", step_limit=2, autoreset="Disabled")
    for _ in range(2):
        assert not vec.truncated.any()
        vec.sample_actions()
        vec.step()
    assert vec.truncated.all() and vec.infos.steps[0] == 2


def test_an_illegal_action_can_lose_the_game() -> None:
    vec = kiothi.parallel_vec("rio-kadalis", num_envs=2, seeds=1, opponent="random", seat="south", illegal="lose")
    vec.step([0, 77])
    assert list(vec.terminated) == [False, True]
    assert list(vec.rewards) == [0, -1]
    assert kiothi.REASONS[vec.infos.reasons[1]] == "illegal"
