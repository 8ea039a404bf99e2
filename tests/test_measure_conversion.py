"""Tests of `tools/measure_conversion.py`: its positions are won, and a seed repeats its games."""

import json
import sys
from pathlib import Path

import measure_conversion
import pytest

from hnefi import Game, Setup, Side, variant
from hnefi._core import Searcher


def measure(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["measure_conversion.py", *arguments])
    measure_conversion.main()


SMALL = ("brandub-globe", "--positions", "4", "--nodes", "500", "--play", "300", "--judge", "2000")


def test_won_positions_are_converted_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = [tmp_path / "first", tmp_path / "second"]
    for log in logs:
        measure(monkeypatch, *SMALL, "--log", str(log))
    assert logs[0].read_text(encoding="utf-8") == logs[1].read_text(encoding="utf-8")
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[:2] for row in rows[:2]] == [["brandub-globe", side.value] for side in Side]
    games = [json.loads(line) for line in logs[0].read_text(encoding="utf-8").splitlines()]
    assert {one["winner"] for one in games} == {"attackers", "defenders"}
    one = variant("brandub-globe")
    for found in games:
        game = Game(one.rules, Setup(found["position"]))
        for move in found["moves"].split():
            game = game.play(move)
        winner = game.outcome.winner if game.outcome is not None else None
        assert (found["result"] == "won") == (winner is not None and winner.value == found["winner"])
        assert game.ply_count == found["plies"] == len(found["scores"])


def test_prover_plays_a_proven_win() -> None:
    one = variant("copenhagen-11")
    # The ring around the king is closed in three plies, which a search of 5,000 positions overlooks.
    enclosure = "2t4Kt2/1t1t1tt2t1/ttttt2tttt/11/11/11/11/2t8/10t/1t7t1/8t2 a 39"
    game = Game(one.rules, Setup(enclosure))
    move, score = measure_conversion.best_move(game, Searcher(table_mib=1), 5_000, 500)
    assert (str(move), score) == ("c11-g11", 31_997)
    line = measure_conversion.search(game, Searcher(table_mib=1), 10)
    assert not measure_conversion.has_chances(game, line, Side.DEFENDERS, 0.5)
    assert measure_conversion.has_chances(game, line, Side.ATTACKERS, 0.5)
