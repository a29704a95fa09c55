"""The recorded games of the rules engines, replayed through Python.

Each game is a row, and every state on the way must be what was recorded: the position, who is to move, what is legal, and
what the turn did.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ENV

import kiothi

FILES = sorted(path for path in ENV.glob("*/testdata/vectors/*.jsonl") if path.name != "perft.jsonl")


def test_there_are_recorded_games() -> None:
    assert len(FILES) >= 10


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_replay(path: Path) -> None:
    games = [json.loads(line) for line in path.read_text().splitlines()]
    plain = [game for game in games if not game.get("position")]
    for start in {game.get("position", "") for game in games}:
        replay(start, [game for game in games if game.get("position", "") == start])
    assert plain or games


def replay(position: str, games: list[dict[str, Any]]) -> None:
    """Play games that start from one position side by side. Games that are shorter wait, and take no part any more."""
    vec = kiothi.parallel_vec(
        games[0]["game"], rules=[game["rules"] for game in games], num_envs=len(games), position=position, seeds=1,
        autoreset="NextStep",
    )  # fmt: skip
    check(vec, games, 0)
    for ply in range(max(len(game["actions"]) for game in games)):
        vec.sample_actions()  # for those that wait
        for row, game in enumerate(games):
            if ply < len(game["actions"]):
                vec.actions[row] = game["actions"][ply]
        vec.step()
        check(vec, games, ply + 1)


def check(vec: kiothi.ParallelVec, games: list[dict[str, Any]], ply: int) -> None:
    positions = vec.positions()
    for row, game in enumerate(games):
        if ply >= len(game["states"]):
            continue
        state = game["states"][ply]
        got = {
            "ply": int(vec.infos.steps[row]),
            "position": positions[row],
            "player": int(vec.players[row]),
            "legal": np.flatnonzero(vec.action_masks[row]).tolist(),
            "over": bool(vec.terminated[row]),
            "reason": kiothi.REASONS[vec.infos.reasons[row]],
            "stores": vec.infos.stores[row].tolist(),
            "laps": int(vec.infos.laps[row]),
            "captured": vec.infos.captured[row].tolist(),
            "cut": bool(vec.infos.cut[row]),
        }
        assert got == state, f"{game['rules']}, game {row}, ply {ply}"
