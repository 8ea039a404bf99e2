"""Tests of `hnefi lab prover`: what it counts, its table, and what Ctrl-C leaves."""

import json

import pytest

from hnefi.lab import positions, prover
from tests.cli_runs import run

LIGHT = ("--games", "3", "--play-nodes", "100", "--nodes", "1000", "--large-nodes", "2000")


def test_every_game_is_proved_disproved_or_unclear() -> None:
    code, out, err = run("lab", "prover", "ard-ri-globe", "brandub-globe", *LIGHT, "--json")
    found = json.loads(out)
    assert (code, err, found["complete"]) == (0, "", True)
    assert [one["variant"] for one in found["variants"]] == ["ard-ri-globe", "brandub-globe"]
    for one in found["variants"]:
        assert one["proven"] + one["disproven"] + one["unknown"] <= 3
        assert one["quick"] == len(one["efforts"]) <= one["proven"]
        assert sum(one["efforts"]) <= one["expanded"] <= 3 * 1000


def test_wins_nearer_to_the_end_are_easier() -> None:
    rows = [
        json.loads(run("lab", "prover", "ard-ri-globe", *LIGHT, "--back", back, "--json")[1]) for back in "19"
    ]
    near, far = (one["variants"][0] for one in rows)
    assert near["proven"] == 3
    assert near["expanded"] < far["expanded"]


def test_an_interruption_keeps_the_variants_that_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = positions.decided_games

    def interrupted(one, *arguments):  # type: ignore[no-untyped-def]
        if one.id == "brandub-globe":
            raise KeyboardInterrupt
        return plain(one, *arguments)

    monkeypatch.setattr(prover, "decided_games", interrupted)
    code, out, err = run("lab", "prover", "ard-ri-globe", "brandub-globe", *LIGHT)
    assert (code, "ard-ri-globe" in out, "brandub-globe" in out, bool(err)) == (130, True, False, True)
