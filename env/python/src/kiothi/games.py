"""The games, their rule sets, and the shapes of their observations and actions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import NamedTuple

from kiothi._library import library


class Plane(NamedTuple):
    """A layer of the observation."""

    name: str
    doc: str
    """What a value means, and its unit."""


@dataclass(frozen=True)
class Game:
    """A game under a rule set."""

    name: str
    rules: str
    """The rule set in canonical form: a name, and the options that differ from it."""
    width: int
    """Pits in a row."""
    seeds: int
    """Seeds in the game."""
    num_actions: int
    observation_shape: tuple[int, int, int]
    """Planes, 2, pits in a row: the mover's row, and the enemy's, whose facing pits share a column."""
    planes: tuple[Plane, ...]


def games() -> dict[str, list[str]]:
    """Return the names of the games, each with the names of its rule sets, the default first."""
    lib = library()
    return {game["name"]: game["rules"] for game in json.loads(lib.text(lib.games))}


def describe(game: str = "kiothi", rules: str = "") -> Game:
    """Describe a game under a rule set: a name such as ``"wikipedia-it"``, or one with options overridden, such as
    ``"mancala-world,bonus=run,lifts=0+2"``; empty for the game's default."""
    lib = library()
    text = json.loads(lib.text(lib.describe, game.encode(), rules.encode()))
    planes, rows, width = text["shape"]
    return Game(
        name=text["game"],
        rules=text["rules"],
        width=text["width"],
        seeds=text["seeds"],
        num_actions=text["actions"],
        observation_shape=(planes, rows, width),
        planes=tuple(Plane(**plane) for plane in text["planes"]),
    )
