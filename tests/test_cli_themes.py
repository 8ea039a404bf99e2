"""Tests of `hnefi lab themes`: composed positions, those of recorded games, and the themes of the rules."""

from pathlib import Path

import pytest

from hnefi.lab.positions import SuiteFile
from hnefi.lab.themes import EXIT_FORT, SHIELDWALL, ThemeCollection, kind_of
from hnefi.variants.finding import variant
from tests.cli_runs import answer, refusal, run

FORTS = ("lab", "themes", "copenhagen-11", "--themes", "exit_fort")


def test_composed_forts_are_a_suite(tmp_path: Path) -> None:
    path = tmp_path / "forts.epd"
    found = answer(*FORTS, "--seconds", "0.001", "-o", str(path))
    assert found["complete"]
    (one,) = found["positions"]
    assert one["operations"] == {
        "id": ["exit_fort make"],
        "bm": ["e10-e11"],
        "plies": ["3"],
        "source": ["composed 1"],
    }
    (entry,) = SuiteFile(variant("copenhagen-11"), path).entries
    assert (kind_of(entry)[0], str(entry.setup)) == (EXIT_FORT, one["position"])


def test_positions_come_from_recorded_games(tmp_path: Path) -> None:
    games = Path(__file__).parent / "records" / "brandub-globe.tafl"
    assert run(*FORTS, "--recorded", str(games)) == (0, "", "")
    assert refusal(*FORTS, "--recorded", str(tmp_path / "none.tafl"))["code"] == "cannot_read"


def test_only_themes_of_the_rules_are_missing() -> None:
    counts = {"copenhagen-11": 205, "hist-brandubh-7": 70, "brandub-globe": 0}
    for variant_id, count in counts.items():
        assert ThemeCollection(SuiteFile(variant(variant_id))).missing == count
    assert ThemeCollection(SuiteFile(variant("copenhagen-11")), (SHIELDWALL,)).missing == 70


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "brandub-globe: these rules have none of these themes.\n"),
        ("fr", "brandub-globe\u00a0: ces règles n’ont aucun de ces thèmes.\n"),
    ],
)
def test_it_says_which_rules_have_none_of_the_themes(lang: str, sentence: str, tmp_path: Path) -> None:
    options = ("--lang", lang, "-o", str(tmp_path / "themes.epd"))
    assert run("lab", "themes", "brandub-globe", *options) == (1, "", sentence)
    both = run("lab", "themes", "hist-brandubh-7", "brandub-globe", "--seconds", "0.001", "--lang", lang)
    assert (both[0], both[2]) == (1, sentence)
