"""Tests of `hnefi lab lengths`: engine and recorded games, its file, and what Ctrl-C leaves."""

import json
from pathlib import Path

import pytest

from hnefi.lab import lengths, positions
from hnefi.record import format_records, load_records
from tests.cli_runs import answer, refusal, run

LIGHT = ("--games", "2", "--nodes", "20")
GAMES = Path(__file__).parent / "records" / "brandub-globe.tafl"


def test_the_engine_gives_the_same_lengths_again() -> None:
    first, again = (answer("lab", "lengths", "ard-ri-globe", *LIGHT) for _ in range(2))
    assert first == again
    (row,) = first["variants"]
    assert (first["complete"], row["variant"], row["by"], row["games"]) == (True, "ard-ri-globe", "engine", 2)
    assert 1 < row["choices"] < 100
    assert row["minutes"] % 5 == 0


def test_twenty_recorded_games_with_a_result_stand_for_a_variant(tmp_path: Path) -> None:
    games = [one for one in load_records(GAMES).records if one.result != "*" and len(one.nodes) >= 8]
    path = tmp_path / "games.tafl"
    for count, by in ((20, "people"), (19, "engine")):
        path.write_text(format_records((games * 20)[:count]), "utf-8")
        (row,) = answer("lab", "lengths", "brandub-globe", *LIGHT, "--recorded", str(path))["variants"]
        assert (row["by"], row["games"]) == (by, 20 if by == "people" else 2)


def test_the_file_keeps_other_variants_and_recorded_games(tmp_path: Path) -> None:
    path = tmp_path / "lengths.json"
    people = {"plies": 41, "games": 25, "by": "people", "choices": 1.0}
    path.write_text(json.dumps({"variants": {"ard-ri-globe": people, "skalk-11": people}}))
    run("lab", "lengths", "ard-ri-globe", "brandub-globe", *LIGHT, "--output", str(path))
    found = json.loads(path.read_text("utf-8"))
    assert list(found["variants"]) == ["ard-ri-globe", "brandub-globe", "skalk-11"]
    assert found["variants"]["skalk-11"] == people
    assert {**found["variants"]["ard-ri-globe"], "choices": 1.0} == people
    assert found["variants"]["ard-ri-globe"]["choices"] > 1


def test_another_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    path.write_text("[1, 2]")
    found = refusal("lab", "lengths", "ard-ri-globe", *LIGHT, "--output", str(path))
    assert (found["code"], path.read_text("utf-8")) == ("would_be_lost", "[1, 2]")


def test_an_interruption_keeps_the_variants_that_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = positions.play_on

    def interrupted(game, *arguments):  # type: ignore[no-untyped-def]
        if game.rules.size == 9:
            raise KeyboardInterrupt
        return plain(game, *arguments)

    monkeypatch.setattr(lengths, "play_on", interrupted)
    code, out, _ = run("lab", "lengths", "ard-ri-globe", "tablut-kouvia", *LIGHT)
    assert (code, "ard-ri-globe" in out, "tablut-kouvia" in out) == (130, True, False)
