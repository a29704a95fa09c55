"""The package as a whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kiothi
from kiothi import _library, errors

ROOT = Path(__file__).resolve().parents[1]


def test_every_public_name_is_there() -> None:
    for name in kiothi.__all__:
        assert getattr(kiothi, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        kiothi.nothing  # noqa: B018


def test_the_package_is_typed() -> None:
    assert (Path(kiothi.__file__).parent / "py.typed").exists()


def test_the_games_and_their_rule_sets() -> None:
    games = kiothi.games()
    assert list(games) == ["kiothi", "rio-kadalis"]
    for name, sets in games.items():
        assert kiothi.describe(name).rules == sets[0]
        for rules in sets:
            about = kiothi.describe(name, rules)
            assert (about.name, about.rules) == (name, rules)
            assert about.observation_shape == (len(about.planes), 2, about.width)
    assert kiothi.describe("kiothi").num_actions == 631


def test_the_fields_of_the_buffers_are_those_of_the_library() -> None:
    source = (ROOT.parent.parent / "cmd" / "libkiothi" / "exports.go").read_text()
    struct = source[source.index("typedef struct {") : source.index("} kiothi_buffers;")]
    fields = re.findall(r"^\s+(?:float|uint8_t|int32_t)\s+\*(\w+);", struct, re.MULTILINE)
    assert fields == [name for name, *_ in _library.Buffers._fields_]
    assert re.search(rf"^const abi = {_library.ABI}$", source, re.MULTILINE)


def test_a_missing_library_says_how_to_build_it(tmp_path: Path) -> None:
    with pytest.raises(kiothi.KiothiError, match="pip install ./env/python"):
        _library.Library(tmp_path / _library.file_name())


def test_each_kind_of_failure_has_its_exception() -> None:
    for kind, exception in (
        ("argument", kiothi.InvalidArgumentError),
        ("not running", kiothi.NotRunningError),
        ("closed", kiothi.ClosedError),
        ("failed", kiothi.KiothiError),
        ("internal", kiothi.InternalError),
    ):
        error = errors.from_failure(f'{{"kind": "{kind}", "message": "oh"}}')
        assert type(error) is exception and str(error) == "oh"
