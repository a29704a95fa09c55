"""The README's examples run as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import ENV

README = Path(__file__).resolve().parents[1] / "README.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_there_is_an_example_of_each_interface() -> None:
    text = "".join(EXAMPLES)
    for name in ("parallel_vec", "gymnasium.make(", "gymnasium.make_vec(", "KiothiAEC", "kiothi.agent(", "spawn"):
        assert name in text


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.splitlines()[0][:40])
def test_example(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "pettingzoo" in example or "AEC" in example:
        pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
    monkeypatch.chdir(ENV.parent)  # where the networks are, by the paths in the README
    exec(compile(example, str(README), "exec"), {"__name__": "example"})
