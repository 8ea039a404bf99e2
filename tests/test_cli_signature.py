"""Tests of `hnefi lab signature`."""

from pathlib import Path

import pytest

from hnefi import variant
from hnefi.cli.lab.signature import signature_of
from hnefi.engine import calibrated_ids
from tests.cli_runs import answer, printed, run

EXPECTED = Path(__file__).parent / "signature.txt"


def expected() -> dict[str, int]:
    """Reads the numbers that are written down."""
    lines = EXPECTED.read_text(encoding="utf-8").splitlines()
    return {name: int(nodes) for name, nodes in (line.split() for line in lines)}


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the numbers that are written down for those that are counted, which takes two seconds."""
    monkeypatch.setattr("hnefi.cli.lab.signature.signature_of", lambda chosen: expected()[chosen.id])


def test_signature_is_the_one_written_down() -> None:
    # Each change of the search changes it; `hnefi lab signature -o tests/signature.txt` writes it anew.
    found = answer("lab", "signature", "--json")
    assert {**found["variants"], "total": found["nodes"]} == expected()
    assert list(expected()) == [*calibrated_ids(), "total"]
    assert sum(expected().values()) == 2 * expected()["total"]


def test_signature_is_the_same_each_time() -> None:
    chosen = variant("ard-ri-globe")
    assert signature_of(chosen) == signature_of(chosen)


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_signature_is_written_to_a_file(tmp_path: Path, lang: str) -> None:
    path = tmp_path / "signature.txt"
    out = printed("lab", "signature", "--output", str(path), "--lang", lang)
    assert out.splitlines()[-1].startswith("Total")
    assert path.read_text(encoding="utf-8") == EXPECTED.read_text(encoding="utf-8")


@pytest.mark.usefixtures("counted")
def test_signature_names_the_unwritable_path(tmp_path: Path) -> None:
    # A path of any usual length is told whole.
    path = tmp_path / ("long" * 20) / "nowhere" / "signature.txt"
    code, out, err = run("lab", "signature", "--output", str(path))
    assert code == 2
    assert err.startswith(f"{path} cannot be written: ")
    assert len(err.splitlines()) == 1
    assert out == ""
