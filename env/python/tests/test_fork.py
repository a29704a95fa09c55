"""Go and fork do not mix: a forked child gets an error at once, a spawned one works."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import textwrap
from typing import Any

import gymnasium
import pytest

import kiothi

SECONDS = 300
"""A child that takes longer hangs."""

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
# Python warns of forks in processes with threads, such as Go's.
ignores_fork_warning = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


def use_engine(queue: Any) -> None:
    """Use the engine in a new process, and tell how it went."""
    try:
        vec = kiothi.parallel_vec("kiothi", num_envs=256, seeds=1)
        for _ in range(20):
            vec.sample_actions()
            vec.step()
        queue.put("worked")
    except kiothi.KiothiError as error:
        queue.put(f"{type(error).__name__}: {error}")


def in_process(method: str, target: Any) -> str:
    context: Any = multiprocessing.get_context(method)
    queue = context.Queue()
    process = context.Process(target=target, args=(queue,))
    process.start()
    try:
        answer: str = queue.get(timeout=SECONDS)
        process.join(SECONDS)
        assert process.exitcode == 0
        return answer
    finally:
        process.kill()


@needs_fork
@ignores_fork_warning
def test_a_forked_child_gets_an_error_that_says_what_to_do() -> None:
    kiothi.games()  # the engine is loaded
    answer = in_process("fork", use_engine)
    assert answer.startswith("ForkedProcessError")
    assert "spawn" in answer


@needs_fork
@ignores_fork_warning
def test_objects_of_the_parent_refuse_calls_in_a_child_and_let_go_quietly() -> None:
    vec, agent = kiothi.parallel_vec("kiothi", seeds=1), kiothi.agent("greedy")

    def use(queue: Any) -> None:
        answers = []
        for call in (vec.step, vec.sample_actions, vec.reset, vec.positions, lambda: agent.choose(vec)):
            try:
                call()
            except kiothi.ForkedProcessError:
                answers.append("refused")
        vec.close()
        agent.close()
        queue.put(" ".join(answers))

    assert in_process("fork", use) == "refused " * 4 + "refused"
    vec.sample_actions()
    vec.step()


def test_a_spawned_child_works() -> None:
    kiothi.games()
    assert in_process("spawn", use_engine) == "worked"


@needs_fork
def test_a_child_works_that_was_forked_before_the_engine_was_loaded() -> None:
    program = """
        import multiprocessing, kiothi
        def work():
            vec = kiothi.parallel_vec("kiothi", num_envs=256, seeds=1)
            for _ in range(20):
                vec.sample_actions()
                vec.step()
        child = multiprocessing.get_context("fork").Process(target=work)
        child.start()
        child.join(300)
        assert child.exitcode == 0, child.exitcode
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True, timeout=2 * SECONDS)


def test_gymnasiums_async_vector_works_with_spawn() -> None:
    env = gymnasium.make_vec(
        "kiothi:kiothi/RioKadalis-v0", num_envs=2, vectorization_mode="async", vector_kwargs={"context": "spawn"}
    )
    _, info = env.reset(seed=1)
    env.step(info["action_mask"].argmax(axis=1))
    env.close()
