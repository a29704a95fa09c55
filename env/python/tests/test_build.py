"""Building the engine says clearly what is missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="hatchling is not installed")
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
import hatch_build


def test_the_checkout_is_found() -> None:
    assert (hatch_build.find_checkout(ROOT) / "go.mod").exists()


def test_outside_of_a_checkout_the_build_says_so(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"expected a checkout of the whole repository .* pip install ./env/python"):
        hatch_build.find_checkout(tmp_path / "env" / "python")


def test_without_go_the_build_says_which_is_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=r"expected Go 1\.\d+ or newer.* found no command 'go'"):
        hatch_build.check_go(hatch_build.find_checkout(ROOT))


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Go is a shell script")
def test_with_an_old_go_the_build_says_which_is_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    go = tmp_path / "go"
    go.write_text("#!/bin/sh\necho go version go1.19.3 linux/amd64\n")
    go.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=r"expected Go 1\.\d+ or newer.* found: go version go1\.19\.3"):
        hatch_build.check_go(hatch_build.find_checkout(ROOT))


def test_a_wheel_is_for_one_platform() -> None:
    tag = hatch_build.platform_tag()
    assert tag != "any" and "-" not in tag and "." not in tag
