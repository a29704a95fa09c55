"""The programs in examples/ learn: they run for some seconds, and what comes out plays legal moves and is no worse."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run(*command: str) -> tuple[float, str]:
    """Run an example and return the score that it tells, in percent, with all it printed."""
    done = subprocess.run([sys.executable, *command], cwd=EXAMPLES, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    score = re.search(r"score ([\d.]+)%", done.stdout)
    assert score is not None, done.stdout
    return float(score[1]), done.stdout


def test_ppo_learns_to_beat_random() -> None:
    score, _ = run("ppo.py", "--game", "rio-kadalis", "--iterations", "8", "--num-steps", "32", "--games", "500")
    assert score > 52


def test_equal_seeds_learn_equal_networks() -> None:
    command = ("ppo.py", "--game", "kiothi", "--iterations", "1", "--num-steps", "16", "--games", "100")
    assert run(*command)[0] == run(*command)[0]


def test_maskable_ppo_learns_from_the_gymnasium_environment() -> None:
    pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")
    score, printed = run("maskable_ppo.py", "--steps", "12000", "--games", "200")
    assert "total_timesteps" in printed
    assert score > 45
