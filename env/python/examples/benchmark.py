"""Measures environments side by side, in steps a second, and prints the tables of experiments/environment.md.

    pip install './env/python[pettingzoo]' open_spiel pygame-ce
    python env/python/examples/benchmark.py

In every environment uniformly random legal moves are played, game after game, and at every step the observation and the
legal actions of the player to move are made, as a learner needs them. All environments are measured in turn, in several
rounds; the table has the medians. What is not installed is left out, and said so. The Go rows need the go command.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import kiothi

CHECKOUT = Path(__file__).resolve().parents[3]
ROWS = 1024
GAMES = {"kiothi": "Kiothi", "rio-kadalis": "Rio Kadalis"}
GO_ENV = "Go `Env`"
GO_VECTOR = f"Go `Vector`, {ROWS:,} games, "
PYTHON_VECTOR = f"Python `parallel_vec`, {ROWS:,} games, "
PYTHON_ONE = "Python `parallel_vec`, one game"
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class Contender:
    """An environment to measure."""

    environment: str
    game: str
    rate: Callable[[float], float]
    """Steps a second, measured for about so many seconds."""
    rates: list[float] = field(default_factory=list)


def timed(play: Callable[[], int], seconds: float) -> float:
    """Return steps a second, from calls that say how many steps they made."""
    steps, began = 0, time.perf_counter()
    while True:
        steps += play()
        passed = time.perf_counter() - began
        if passed >= seconds:
            return steps / passed


# Ours.


class GoBenchmarks:
    """The benchmarks of the Go engine, in a program that is built once."""

    def __init__(self, folder: str) -> None:
        self.program = str(Path(folder, "bench.test"))
        subprocess.run(
            ["go", "test", "-c", "-o", self.program, "./cmd/libkiothi/internal/bridge"], cwd=CHECKOUT, check=True
        )

    def rate(self, name: str, seconds: float) -> float:
        """Run a benchmark and return the steps a second that it reports."""
        out = subprocess.run(
            [self.program, "-test.run=^$", f"-test.bench=^Benchmark{name}$", f"-test.benchtime={seconds}s"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        found = re.search(r"([\d.e+]+) steps/s", out)
        assert found is not None, out
        return float(found[1])


def ours(folder: str) -> Iterator[Contender]:
    """Yield our environments."""
    try:
        go = GoBenchmarks(folder)
    except FileNotFoundError:
        print("there is no go command: the rows of Go are left out", file=sys.stderr)
        go = None
    for game, name in GAMES.items():
        if go is not None:
            yield Contender(GO_ENV, name, partial(go.rate, f"Env/{game}"))
        for workers in sorted({1, CORES}):
            if go is not None:
                yield Contender(GO_VECTOR + cores(workers), name, partial(go.rate, f"Rows/{game}/workers={workers}"))
            yield Contender(PYTHON_VECTOR + cores(workers), name, parallel(game, workers))
        yield Contender(PYTHON_ONE, name, parallel(game, 1, rows=1))
        if importlib.util.find_spec("pettingzoo") is not None:
            aec = {"kiothi": "KiothiAEC", "rio-kadalis": "RioKadalisAEC"}[game]
            yield Contender("PettingZoo AEC", name, pettingzoo(aec, kiothi))
        env_id = "kiothi/" + name.replace(" ", "") + "-v0"
        yield Contender("Gymnasium, against `random`", name, single_gymnasium(env_id))
        yield Contender(
            f"Gymnasium vector, against `random`, {ROWS:,} games, {cores(CORES)}", name, vector_gymnasium(env_id)
        )


def cores(n: int) -> str:
    """Say a number of cores."""
    return "one core" if n == 1 else f"{n} cores"


def parallel(game: str, workers: int, rows: int = ROWS) -> Callable[[float], float]:
    """Measure a batched vector, whose actions the engine draws."""
    vec = kiothi.parallel_vec(game, num_envs=rows, seeds=1, workers=workers)
    for _ in range(100):  # so that the rows are in all parts of their games
        vec.sample_actions()
        vec.step()

    def play() -> int:
        for _ in range(10):
            vec.sample_actions()
            vec.step()
        return 10 * rows

    return lambda seconds: timed(play, seconds)


def single_gymnasium(env_id: str) -> Callable[[float], float]:
    """Measure a single-agent environment; a step is the learner's, with the opponent's answers inside."""
    env = gymnasium.make(env_id).unwrapped
    env.reset(seed=1)

    def play() -> int:
        steps = 0
        _, info = env.reset()
        over = False
        while not over:
            action = random.choice(np.flatnonzero(info["action_mask"]).tolist())
            _, _, terminated, truncated, info = env.step(action)
            over, steps = terminated or truncated, steps + 1
        return steps

    return lambda seconds: timed(play, seconds)


def vector_gymnasium(env_id: str) -> Callable[[float], float]:
    """Measure a vector of single-agent environments. The engine draws the actions; NumPy would take longer than a step."""
    envs: Any = gymnasium.make_vec(env_id, num_envs=ROWS)
    envs.reset(seed=1)
    vec = envs.unwrapped.vec

    def play() -> int:
        envs.step(vec.sample_actions())
        return ROWS

    return lambda seconds: timed(play, seconds)


def pettingzoo(name: str, module: Any) -> Callable[[float], float]:
    """Measure a PettingZoo environment by the loop of PettingZoo's own benchmark."""
    env = getattr(module, name)()

    def play() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(random.choice(np.flatnonzero(observation["action_mask"]).tolist()))
                steps += 1
        return steps

    return lambda seconds: timed(play, seconds)


# Others.


def classics() -> Iterator[Contender]:
    """Yield PettingZoo's classic games that need no other program."""
    try:
        from pettingzoo.classic import connect_four_v3, tictactoe_v3
    except ImportError as error:
        print(f"PettingZoo's classic games are left out: {error}", file=sys.stderr)
        return
    yield Contender("PettingZoo `connect_four_v3`", "Connect Four", pettingzoo("env", connect_four_v3))
    yield Contender("PettingZoo `tictactoe_v3`", "Tic-tac-toe", pettingzoo("env", tictactoe_v3))


def open_spiel() -> Iterator[Contender]:
    """Yield OpenSpiel's mancala, which is Kalah with six pits of four seeds."""
    try:
        import pyspiel
        from open_spiel.python import rl_environment, vector_env
        from open_spiel.python.rl_agent import StepOutput
    except ImportError as error:
        print(f"OpenSpiel is left out: {error}", file=sys.stderr)
        return
    game = pyspiel.load_game("mancala")

    def state() -> int:
        s, steps = game.new_initial_state(), 0
        while not s.is_terminal():
            s.observation_tensor(s.current_player())
            s.apply_action(random.choice(s.legal_actions()))
            steps += 1
        return steps

    yield Contender("OpenSpiel `pyspiel` state", "Kalah", lambda s: timed(state, s))

    single = rl_environment.Environment(game)

    def environment() -> int:
        step, steps = single.reset(), 0
        while not step.last():
            player = step.observations["current_player"]
            step = single.step([random.choice(step.observations["legal_actions"][player])])
            steps += 1
        return steps

    yield Contender("OpenSpiel `rl_environment`", "Kalah", lambda s: timed(environment, s))

    # Fewer rows than ours: its vector is a loop, which more rows do not make faster.
    many = vector_env.SyncVectorEnv([rl_environment.Environment(game) for _ in range(64)])
    steps = many.reset()

    def vector() -> int:
        nonlocal steps
        actions = []
        for step in steps:
            player = step.observations["current_player"]
            actions.append(StepOutput(random.choice(step.observations["legal_actions"][player]), None))
        steps, _, _, _ = many.step(actions, reset_if_done=True)
        return len(actions)

    yield Contender("OpenSpiel `vector_env`, 64 games", "Kalah", lambda s: timed(vector, s))


# The table.


def processor() -> str:
    """Name the processor."""
    try:
        found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
        if found is not None:
            return found[1]
    except OSError:
        pass
    return platform.processor() or platform.machine()


def versions() -> str:
    """Name the versions of all that is measured."""
    names = ["numpy", "gymnasium", "pettingzoo", "open_spiel"]
    found = [f"Python {platform.python_version()}"]
    try:
        go = subprocess.run(["go", "version"], capture_output=True, text=True, check=True).stdout
        found.append("Go " + go.split()[2].removeprefix("go"))
    except OSError:
        pass
    for name in names:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def main() -> None:
    """Measure everything in turn, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--seed", type=int, default=1, help="of the random moves that Python draws")
    s = parser.parse_args()
    random.seed(s.seed)
    with tempfile.TemporaryDirectory() as folder:
        contenders = [*ours(folder), *open_spiel(), *classics()]
        for number in range(s.rounds):
            print(f"round {number + 1} of {s.rounds}", file=sys.stderr)
            for contender in contenders:
                contender.rates.append(contender.rate(s.seconds))
    load = f", load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{processor()}, {cores(CORES)}{load}; {platform.system()} {platform.machine()}; {versions()}.")
    print(f"Medians of {s.rounds} rounds of {s.seconds:g} s each, seed {s.seed}.\n")
    print("| environment | game | steps a second | |\n|---|---|--:|---|")
    for contender in contenders:
        low, high = min(contender.rates), max(contender.rates)
        print(
            f"| {contender.environment} | {contender.game} | {statistics.median(contender.rates):,.0f} "
            f"| {low:,.0f} to {high:,.0f} |"
        )
    overhead(contenders)


def overhead(contenders: list[Contender]) -> None:
    """Tell what the way from Python to the engine costs. It is a small difference of two times, so it is taken from the
    fastest round of each, which other programs disturbed least."""
    times = {(c.environment, c.game): 1e9 / max(c.rates) for c in contenders}
    for name in GAMES.values():
        if (GO_ENV, name) not in times:
            continue
        go, python = times[GO_VECTOR + cores(1), name], times[PYTHON_VECTOR + cores(1), name]
        calls = times[PYTHON_ONE, name] - times[GO_ENV, name]
        print(
            f"\n{name}, {ROWS:,} games on one core, fastest rounds: a step takes {go:.0f} ns in Go and {python:.0f} ns from Python, "
            f"{python - go:+.0f} ns. The two calls of a round take {calls / 1e3:.1f} µs more than in Go (from the rows of "
            f"one game), which are {calls / ROWS:.1f} ns a step."
        )


if __name__ == "__main__":
    main()
