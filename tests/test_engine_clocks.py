"""Tests of time management: with all kinds of clocks no game is lost on time."""

import subprocess

import pytest

from hnefi import Side, variant
from hnefi.engine import Clock, Engine, Limit
from hnefi.engine.ugi import go_words, read_go
from tests.cli_runs import COMMAND

MOVES = 600
FEW_NODES = 500 + 512
"""Positions that are searched for a move in time trouble: a search looks at its limits after 512."""

DAY_MS = 24 * 3_600_000


@pytest.mark.parametrize("lag_ms", [0, 1])
@pytest.mark.parametrize(
    ("start_ms", "increment_ms"),
    [(1_000, 0), (60_000, 0), (600_000, 0), (1_000, 10), (100, 100), (60_000, 600)],
)
def test_full_budgets_never_use_up_a_clock(start_ms: int, increment_ms: int, lag_ms: int) -> None:
    left = start_ms
    for _ in range(MOVES):
        budget = Clock(left, increment_ms).budget_ms
        if left <= 40 and not increment_ms:
            break  # what is kept back: a glance at a move takes a fraction of a millisecond
        left -= budget + lag_ms
        assert left > 0
        left += increment_ms


@pytest.mark.parametrize(
    ("start_ms", "moves"), [(1_000, 10), (60_000, 40), (300_000, 5), (5_000, 1), (5_000, 2)]
)
def test_the_next_period_is_reached_with_time_left(start_ms: int, moves: int) -> None:
    left = start_ms
    for to_go in range(moves, 0, -1):
        budget = Clock(left, 0, to_go).budget_ms
        left -= budget
        assert left >= 40
    assert left < start_ms * 0.6


def test_time_per_move_is_used_but_not_for_days() -> None:
    assert 800 <= Clock(1_000, 0, 1).budget_ms <= 960
    assert Clock(3 * DAY_MS, 0, 1).budget_ms == Clock(14 * DAY_MS, 0, 1).budget_ms == 120_000
    assert Clock(3 * DAY_MS).budget_ms == 120_000
    assert Limit(time_ms=5_000, clock=Clock(3 * DAY_MS, 0, 1)).budget_ms == 5_000


def test_an_external_engine_manages_its_time_itself() -> None:
    assert Limit(clock=Clock(60_000, 500)).external_timeout_ms == 60_000
    assert Limit(time_ms=2_000, clock=Clock(60_000)).external_timeout_ms == 2_000
    assert Limit(nodes=100).external_timeout_ms is None


@pytest.mark.parametrize("clock", [Clock(5_000), Clock(5_000, 20), Clock(90_000, 0, 12), Clock(DAY_MS, 0, 1)])
def test_clocks_are_passed_on_as_they_are(clock: Clock) -> None:
    words = go_words(Limit(clock=clock)).split()
    for side in Side:
        assert read_go(words[1:], side) == (Limit(clock=clock), [])
    limit, _ = read_go(["p1time", "7", "p2time", "9", "p2inc", "2", "movestogo", "0"], Side.DEFENDERS)
    assert limit == Limit(clock=Clock(9, 2))


@pytest.mark.parametrize("name", ["brandub-globe", "tablut-kouvia", "tablut-geoludie-slow"])
def test_a_whole_game_can_be_played_when_the_time_has_nearly_run_out(name: str) -> None:
    """The budgets above cannot use up a clock; here few positions are searched for each move."""
    game = variant(name).new_game()
    with Engine(table_mib=1) as engine:
        while game.turn and game.ply_count < 60:
            found = engine.analyse(game, Limit(clock=Clock(20)), lines=1).last()
            assert found.nodes <= FEW_NODES
            assert found.best is not None
            game = game.play(found.best.move)
    assert game.outcome is not None or game.ply_count == 60


def test_the_process_plays_a_whole_game_on_a_short_clock() -> None:
    game = variant("brandub-globe").new_game()
    with subprocess.Popen(
        [COMMAND, "engine", "brandub-globe", "--hash", "2"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        while game.turn and game.ply_count < 60:
            moves = " ".join(str(ply.move) for ply in game.plies)
            process.stdin.write(f"position startpos{f' moves {moves}' if moves else ''}\n")
            process.stdin.write("go p1time 20 p2time 20 p1inc 0 p2inc 0\n")
            process.stdin.flush()
            for line in process.stdout:
                words = line.split()
                if "nodes" in words:
                    assert int(words[words.index("nodes") + 1]) <= FEW_NODES
                if words[0] == "bestmove":
                    game = game.play(words[1])
                    break
        process.stdin.write("quit\n")
    assert game.ply_count > 10
