"""What the tests share. They test the installed package, from anywhere; the recorded games lie in the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

ENV = Path(__file__).resolve().parents[2]
"""The checkout's folder of the environment."""


@pytest.fixture(params=["kiothi", "rio-kadalis"])
def game(request: pytest.FixtureRequest) -> str:
    """Each game by its name."""
    name: str = request.param
    return name
