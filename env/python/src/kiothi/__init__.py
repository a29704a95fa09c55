"""Kiothi and Rio Kadalis, two African mancala games, as fast environments for reinforcement learning.

The engine is in Go; this package has it as a library. See README.md for an example of each interface.
"""

from __future__ import annotations

import importlib.metadata
from typing import TYPE_CHECKING, Any

from kiothi.agents import Agent, agent
from kiothi.errors import (
    ClosedError,
    ForkedProcessError,
    IllegalActionError,
    InternalError,
    InvalidArgumentError,
    KiothiError,
    NotRunningError,
    RefusedRow,
)
from kiothi.games import Game, Plane, describe, games
from kiothi.gymnasium_envs import KiothiEnv, KiothiVectorEnv, RioKadalisEnv, RioKadalisVectorEnv, register
from kiothi.vector import REASONS, Infos, ParallelVec, parallel_vec

if TYPE_CHECKING:
    from kiothi.pettingzoo_envs import KiothiAEC, RioKadalisAEC

__version__ = importlib.metadata.version("kiothi")

__all__ = [
    "REASONS",
    "Agent",
    "ClosedError",
    "ForkedProcessError",
    "Game",
    "IllegalActionError",
    "Infos",
    "InternalError",
    "InvalidArgumentError",
    "KiothiAEC",
    "KiothiEnv",
    "KiothiError",
    "KiothiVectorEnv",
    "NotRunningError",
    "ParallelVec",
    "Plane",
    "RefusedRow",
    "RioKadalisAEC",
    "RioKadalisEnv",
    "RioKadalisVectorEnv",
    "agent",
    "describe",
    "games",
    "parallel_vec",
]

register()


def __getattr__(name: str) -> Any:
    """Import what needs PettingZoo only when it is asked for, because the package works without."""
    if name in ("KiothiAEC", "RioKadalisAEC"):
        try:
            from kiothi import pettingzoo_envs
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] != "pettingzoo":
                raise
            raise ImportError(f"kiothi.{name} needs PettingZoo: pip install 'pettingzoo>=1.24'") from error
        return getattr(pettingzoo_envs, name)
    raise AttributeError(f"module 'kiothi' has no attribute {name!r}")
