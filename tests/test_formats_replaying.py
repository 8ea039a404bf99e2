"""Games of moves alone: the library, `hnefi replay` and every command find the same in them."""

from pathlib import Path

import pytest

from hnefi import variant
from hnefi.checking import Checker
from hnefi.formats import FAULTS, FindingKind, RawGame
from hnefi.record import explain_fault, load_records, variant_headers
from tests.cli_runs import answer, run

CALM = variant("brandub-globe").with_switches({"quiet_limit": "0"})
HEADERS = variant_headers(CALM)
CAPTURE = "d2-c2 d3-e3 f4-f3 c4-c3 d1-d3"
TWICE = f"d2-c2 d3-e3 {CAPTURE}xe3"
WON = "d2-c2 c4-c3 f4-f3 d4-c4 d1-e1 c4-c7 d7-e7 c7-a7"
CODES = {
    FindingKind.BLOCKED: "path_blocked",
    FindingKind.WRONG_SIDE: "not_your_piece",
    FindingKind.AFTER_END: "game_over",
    FindingKind.CAPTURE_NOT_MADE: "wrong_captures",
    FindingKind.CAPTURE_NOT_WRITTEN: "wrong_captures",
    FindingKind.WINNER: "wrong_result",
}


def raw_game(moves: str, result: str = "*", **facts: tuple[int, int]) -> RawGame:
    return RawGame((*HEADERS, ("Result", result)), tuple(moves.split()), **facts)  # type: ignore[arg-type]


GAMES = [
    raw_game(f"{CAPTURE}xe3"),
    raw_game(CAPTURE),
    raw_game(f"{CAPTURE}xe3", captures=(2, 0)),
    raw_game("d2-c2xd3", captures=(1, 0)),
    raw_game(CAPTURE.replace("d1-d3", "d1-c1xe3")),
    raw_game(TWICE),
    raw_game(f"{CAPTURE}xe3xe3"),
    raw_game("d3-c3 d2-c2 c3-b3"),
    raw_game("d2-c2 a4-a3"),
    raw_game("d1-c1 d3-d1"),
    raw_game(f"{WON} e1-d1", "defenders"),
    raw_game(WON, "attackers"),
    raw_game(WON, "defenders"),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: " ".join(game.written))
def test_a_replay_finds_what_the_checker_finds(game: RawGame) -> None:
    found = Checker().check_game("games.csv", game).result.findings
    faults = game.replay().faults
    assert [(one.ply, one.code) for one in faults] == [
        (one.ply, CODES.get(one.kind, one.kind.value)) for one in found
    ]
    assert [one.is_remark for one in faults] == [one.kind not in FAULTS for one in found]
    assert all(explain_fault(one, lang) for one in faults for lang in ("en", "fr"))


def test_every_kind_of_remark_and_of_capture_is_among_these_games() -> None:
    codes = {fault.code for game in GAMES for fault in game.replay().faults}
    assert {"tried", "twice", "captured_twice", "other_side", "wrong_captures", "capture_count"} <= codes


def test_the_record_of_a_replay_has_the_moves_that_were_played() -> None:
    replay = raw_game(TWICE, "attackers").replay()
    assert replay.ok
    assert [str(node.move) for node in replay.record.nodes] == ["d2-c2", "d3-e3", "f4-f3", "c4-c3", "d1-d3"]
    assert replay.record.header("Result") == "attackers"
    assert replay.record.replay().ok
    refused = raw_game("d2-c2 a4-a3").replay()
    assert [str(node.move) for node in refused.record.nodes] == ["d2-c2", "a4-a3"]


def test_the_rules_of_a_type_that_changed_are_tried_in_turn() -> None:
    # Type 34 began with other starts in the course of time.
    moves = ("g2-g3",)
    assert RawGame((("GameType", "34 Sea battle tafl 13x13"),), moves).replay().variant is not None


def test_a_game_without_rules_says_what_lacks() -> None:
    assert [fault.code for fault in RawGame((), ("d2-c2",)).replay().faults] == ["missing_header"]


def test_commands_take_a_game_whose_moves_are_written_twice(tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    games.write_text(f"{TWICE},1,0,Black\n")
    options = ("--variant", "brandub-globe")
    assert answer("replay", str(games), *options)["ok"] == 1
    written = tmp_path / "games.tafl"
    assert run("convert", str(games), *options, "--check", "-o", str(written))[0] == 0
    record = load_records(written).records[0]
    assert record.replay().ok
    assert len(record.nodes) == 5
    typed = tmp_path / "games.moves"
    typed.write_text(f"{TWICE}\n")
    analysed = answer("analyse", "brandub-globe", "--record", str(typed), "--nodes", "50")
    assert len(analysed["games"][0]["moves"]) == 5


def test_bare_moves_may_leave_out_all_captures(tmp_path: Path) -> None:
    games = tmp_path / "games.moves"
    games.write_text(f"{CAPTURE}\n")
    options = ("--variant", "brandub-globe")
    assert answer("replay", str(games), *options)["ok"] == 1
    games.write_text(f"{CAPTURE} g4-g3 d3-d2xd3\n")
    assert answer("replay", str(games), *options, code=1)["ok"] == 0


def test_moves_may_be_written_as_two_squares(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    for text in ("d2 c2\nd3  e3\n", "d2 c2 d3 e3", "1. d2 c2 d3 e3 2. f4 f3 c4 c3 3. d1 d3xe3"):
        games.write_text(text)
        found = answer("replay", str(games), "--variant", "brandub-globe", "--board")
        assert found["ok"] == 1
        assert [one["move"] for one in found["boards"][1:3]] == ["d2-c2", "d3-e3"]
