"""Tests of `hnefi lab conversion`: its positions are won, a seed repeats them, and what Ctrl-C leaves."""

from pathlib import Path

import pytest

from hnefi import Game, Setup, Side, variant
from hnefi._core import Searcher
from hnefi.lab import conversion
from tests.cli_runs import answer, refusal, run

QUICK = ("brandub-globe", "--positions", "4", "--nodes", "500", "--play-nodes", "300", "--judge", "2000")
BRIEF = ("lab", "conversion", *QUICK)


def test_won_positions_are_converted() -> None:
    found, again = (answer(*BRIEF) for _ in range(2))
    assert found == again
    played = found.pop("positions")
    assert {one["winner"] for one in played} == {"attackers", "defenders"}
    assert found.pop("complete")
    assert found == {name: sum(one["result"] == name for one in played) for name in found}
    for one in played:
        game = Game(variant("brandub-globe").rules, Setup(one["position"]))
        for move in one["moves"].split():
            game = game.play(move)
        winner = game.outcome.winner if game.outcome is not None else None
        assert (one["result"] == "won") == (winner is not None and winner.value == one["winner"])
        assert game.ply_count == one["plies"] == len(one["scores"])


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = ("--resume", str(tmp_path / "kept"))
    plain, begun = conversion.best_move, list[Game]()

    def interrupted(game: Game, *arguments):  # type: ignore[no-untyped-def]
        begun.extend([game] if game.ply_count == 0 else [])
        if len(begun) > 1:
            raise KeyboardInterrupt
        return plain(game, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(conversion, "best_move", interrupted)
        code, out, err = run(*BRIEF, *kept)
    rows = [line.split() for line in out.splitlines()[2:]]
    assert (code, sum(int(row[2]) for row in rows), "kept" in err) == (130, 1, True)
    assert [row[:2] for row in rows] == [["brandub-globe", side.value] for side in Side]
    assert answer(*BRIEF, *kept) == answer(*BRIEF)
    assert refusal(*BRIEF, *kept, "--seed", "2")["code"] == "other_experiment"


def test_prover_plays_a_proven_win() -> None:
    one = variant("copenhagen-11")
    # The ring around the king is closed in three plies, which a search of 5,000 positions overlooks.
    enclosure = "2t4Kt2/1t1t1tt2t1/ttttt2tttt/11/11/11/11/2t8/10t/1t7t1/8t2 a 39"
    game = Game(one.rules, Setup(enclosure))
    move, score = conversion.best_move(game, Searcher(table_mib=1), 5_000, 500)
    assert (str(move), score) == ("c11-g11", 31_997)
    line = conversion.best_line(game, Searcher(table_mib=1), 10)
    assert not conversion.has_chances(game, line, Side.DEFENDERS, 0.5)
    assert conversion.has_chances(game, line, Side.ATTACKERS, 0.5)
