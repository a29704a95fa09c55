"""Measures plain Monte Carlo tree search side by side: uct of this program, and the C++ bot of OpenSpiel on Kalah.

    pip install open_spiel
    python experiments/mcts_speed.py

One core, simulations a second, medians over positions and then over rounds, in which all take turns: where a game begins
(Kiothi after a random opening), and in the middle of games. Every simulation of either ends with one random playout to the
end of the game. uct is measured by `kiothi bench search`, which needs the go command.
"""

import argparse
import os
import platform
import random
import statistics
import subprocess
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import numpy
import pyspiel

CHECKOUT = Path(__file__).resolve().parents[1]


def kalah_positions(count, rng):
    """Return middle games: after some random moves, as many as four to twelve turns of each player."""
    game = pyspiel.load_game("mancala")
    states = []
    while len(states) < count:
        state = game.new_initial_state()
        for _ in range(rng.randint(8, 24)):
            if state.is_terminal():
                break
            state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal() and len(state.legal_actions()) > 1:
            states.append(state)
    return game, states


def bot_rate(game, states, simulations):
    """Return the median rate of the bot over some positions."""
    rates = []
    for number, state in enumerate(states):
        evaluator = pyspiel.RandomRolloutEvaluator(1, number)
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, simulations, 1024, False, number, False)
        began = time.perf_counter()
        bot.step(state)
        rates.append(simulations / (time.perf_counter() - began))
    return statistics.median(rates)


def playout_length(states, rng):
    """Return the mean number of moves of random games from some positions."""
    moves = 0
    for start in states:
        for _ in range(20):
            state = start.clone()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                moves += 1
    return moves / 20 / len(states)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--positions", type=int, default=21)
    parser.add_argument("--simulations", type=int, default=20_000, help="of the bot for each position")
    parser.add_argument("--time", default="100ms", help="of uct for each position")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    rng = random.Random(1)
    game, middle = kalah_positions(options.positions, rng)
    begin = [game.new_initial_state()] * options.positions
    rates = {}
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "kiothi")
        subprocess.run(["go", "build", "-o", program, "./cmd/kiothi"], cwd=CHECKOUT, check=True)
        bench = [program, "bench", "search", "--positions", str(options.positions), "--time", options.time]
        for _ in range(options.rounds):
            for line in subprocess.run(bench, check=True, capture_output=True, text=True).stdout.splitlines()[2:]:
                name, *_, in_middle, at_start = line.split()
                rates.setdefault(("uct", name), []).append((1000 * float(at_start), 1000 * float(in_middle)))
            rates.setdefault(("OpenSpiel's MCTSBot", "Kalah"), []).append(
                (bot_rate(game, begin, options.simulations), bot_rate(game, middle, options.simulations))
            )
    print(f"{platform.machine()}, one core, load average {os.getloadavg()[0]:.1f}; open_spiel {version('open_spiel')}, numpy {numpy.__version__}.")
    print(f"A random game of Kalah takes {playout_length(begin[:1], rng):.0f} moves from the start, {playout_length(middle, rng):.0f} from the middle.\n")
    print("| search | game | from the start | from the middle | range there |\n|---|---|--:|--:|---|")
    for (search, name), found in rates.items():
        start, middle_rate = (statistics.median(column) for column in zip(*found))
        low, high = min(r[1] for r in found), max(r[1] for r in found)
        print(f"| {search} | {name} | {start:,.0f} | {middle_rate:,.0f} | {low:,.0f} to {high:,.0f} |")


if __name__ == "__main__":
    main()
