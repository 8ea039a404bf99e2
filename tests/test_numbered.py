"""Numbered moves below headers: playtafl.org, hnefatafl.org, Walker's form."""

import io
from functools import partial

import pytest

from hnefi import CalledGame, Game, Setup, variant
from hnefi._core import Move, Outcome, random_game
from hnefi.errors import RecordError
from hnefi.formats import FORMATS, Format, Gap, RawGame, ReadOptions, find_format, read_games, recognise
from hnefi.pieces import Reason, Side
from hnefi.record import Node, PlayedMove, Record, Variation, variant_headers
from tests import test_formats

BRANDUB = variant("brandub-globe")
FORM = find_format("pgn")
PLAYTAFL = '[Event "A game"]\n[Site "playtafl.com"]\n[Date "2026.04.25"]\n\n1. d2e2 c4c5 2. f4f5\n'
CAMPBELL = '[Event "Game 7"]\n[Site "hnefatafl.org"]\n\n1. d2e2 c4c5 2. f4f5 c5a5\n3. d6a6\n'
WALKER = "1. d2-e2 c4-c5+\n2. f4-f5 c5-a5\n3. d6-a6xa5/b3 d5-a5xa6++\n"


read = partial(test_formats.read, name="pgn")
raws = partial(test_formats.raws, name="pgn")


@pytest.mark.parametrize(("text", "plies"), [(PLAYTAFL, 3), (CAMPBELL, 5), (WALKER, 6)])
def test_all_three_are_recognised_and_read(text: str, plies: int) -> None:
    assert recognise(text.encode()) is FORM
    (found,) = raws(text)
    assert len(found.moves) == plies
    assert found.record().nodes[0].move is not None
    assert found.header("Variant") == "brandub-globe"


def test_headers_and_captures_are_kept() -> None:
    assert raws(PLAYTAFL)[0].header("Site") == "playtafl.com"
    assert raws(WALKER)[0].written[4:] == ("d6-a6xa5xb3", "d5-a5xa6")
    players = '[White "Ana"]\n[Black "Bran"]\n[Result "White"]\n\n1. d2-e2 Kd4-c4:b3 2. a4-a3\n'
    (found,) = raws(players)
    assert (found.header("Defenders"), found.header("Attackers")) == ("Ana", "Bran")
    assert found.header("Result") == "defenders"
    assert found.written[1] == "d4-c4xb3"


def test_several_games_and_games_without_headers() -> None:
    assert [len(one.moves) for one in raws(PLAYTAFL + "\n" + CAMPBELL + WALKER + "\n" + WALKER)] == [
        3,
        5,
        6,
        6,
    ]


def test_a_number_may_stand_for_each_move() -> None:
    (pairs,) = raws("1. d2-c2 d5-c5 2. g4-g6 d4-d5\n")
    (singles,) = raws("1. d2-c2 2. d5-c5 3. g4-g6\n4. d4-d5\n")
    assert singles.moves == pairs.moves
    (varied,) = raws("1. d2-c2 (1. d2-e2 2. d5-c5 3. g4-g6) 2. d5-c5\n")
    assert varied.moves == pairs.moves[:2]
    (fault,) = read("1. d2-c2 2. d5-c5 4. g4-g6\n")
    assert isinstance(fault, RecordError)
    assert (fault.code, fault.parameters["expected"]) == ("wrong_number", "3")


def test_a_score_does_not_determine_the_winner() -> None:
    (found,) = raws('[Result "1-0"]\n\n1. d2e2 c4c5 1-0\n')
    assert found.header("Result") == "*"
    assert [gap.code for gap in found.gaps] == ["score"]
    assert raws("1. d2e2 1/2-1/2\n")[0].header("Result") == "draw"


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("1. d2e2 nonsense\n", "bad_move", 1, 9),
        ("1. d2e2 c4c5 3. f4f5\n", "wrong_number", 1, 14),
        ('[Site "a"\n\n1. d2e2\n', "bad_header", 1, 1),
        ('[Site "a"]\n[Site "b"]\n\n1. d2e2\n', "duplicate_header", 2, 1),
        ('[Result "7"]\n\n1. d2e2\n', "bad_outcome", 1, 1),
    ],
)
def test_faults_have_a_place_and_the_next_game_is_read(text: str, code: str, line: int, column: int) -> None:
    found = read(text + "\n" + PLAYTAFL)
    assert [(one.code, one.line, one.column) for one in found if isinstance(one, RecordError)] == [
        (code, line, column)
    ]
    assert [one.game for one in found if isinstance(one, RawGame)] == [2]


def test_lenient_reading_keeps_the_moves_before() -> None:
    (found,) = raws("1. d2e2 c4c5 2. nonsense f4f5\n", lenient=True)
    assert len(found.moves) == 2
    assert [(fault.code, fault.column) for fault in found.faults] == [("bad_move", 17)]
    (found,) = raws('[Site "Tara]\n[Result "*"]\n[Result "*"]\n\n1. d2e2 c4c5\n', lenient=True)
    assert (len(found.moves), found.is_cut, found.header("Site")) == (2, False, None)
    assert [(fault.code, fault.line) for fault in found.faults] == [
        ("bad_header", 1),
        ("duplicate_header", 3),
    ]
    (found,) = raws('[Site "Tara]\n\n1. d2e2 nonsense\n', lenient=True)
    assert (len(found.moves), [fault.code for fault in found.faults]) == (1, ["bad_header", "bad_move"])


@pytest.mark.parametrize("seed", range(20))
def test_games_come_back(seed: int) -> None:
    game = random_game(BRANDUB.rules, seed, 2 * seed)
    if game.passed or any(ply.passed for ply in game.plies):
        return
    record = Record.from_game(game, (*variant_headers(BRANDUB), ("Site", "Tara; {2024")))
    written = FORM.write(RawGame.of(record))
    assert written.gaps == ()
    assert recognise(written.text.encode(), "games.pgn") is FORM
    for back in raws(written.text * 2):
        assert back.record().nodes == record.nodes
        assert dict(back.headers) == dict(record.headers)
    assert len(raws(written.text * 2)) == 2


CHESS = """[Event "Club"]

{Before
1. all}
1. d2-c2! {good [not a header]
[really]} (1. e4-e5 {or this} d5-c5 (1... d5-e5?) 2. a4-a5) 1... d5-c5 $6 $14 2. g4-g6 d3-e3 ; the rest
3. a4-a5 *

[Event "Next"]

1. d2-c2
1... d5-c5
2. g4-g6 *
"""


def test_comments_glyphs_and_variations_are_those_of_chess() -> None:
    assert recognise(CHESS.encode()) is FORM
    first, second = raws(CHESS)
    record = first.record()
    assert record.comments == ("Before 1. all",)
    assert [str(node.move) for node in record.nodes] == ["d2-c2", "d5-c5", "g4-g6", "d3-e3", "a4-a5"]
    assert record.nodes[0].comments == ("!", "good [not a header] [really]")
    (line,) = record.nodes[0].variations
    assert [str(node.move) for node in line.nodes] == ["e4-e5", "d5-c5", "a4-a5"]
    assert line.nodes[1].variations[0].nodes[0].comments == ("?",)
    assert (record.nodes[1].comments, record.nodes[3].comments) == (("?!",), ("the rest",))
    assert [(gap.code, gap.facts["glyph"]) for gap in first.gaps] == [("glyph", "$14")]
    assert second.moves == ("d2-c2", "d5-c5", "g4-g6")


def test_what_is_read_from_a_commented_game_is_written_again() -> None:
    (first, _) = raws(CHESS)
    written = FORM.write(first)
    moves = " ".join(written.text.split())
    assert "1. d2-c2! {good" in moves
    assert "(1. e4-e5 {or this} 1... d5-c5 (1... d5-e5?) 2. a4-a5) 1... d5-c5?! 2." in moves
    (again,) = raws(written.text)
    assert (again.record(), written.gaps) == (first.record(), ())


@pytest.mark.parametrize("comment", ["see {D12}", "two\nlines", "two  spaces", " leading", "a\ttab"])
def test_a_comment_that_comes_back_changed_is_a_gap(comment: str) -> None:
    line = Variation((Node(Move("d2-e2"), comments=("kept", comment)),))
    for record in (
        Record((), (Node(Move("d2-c2"), comments=("!", comment)),)),
        Record((), (Node(Move("d2-c2"), variations=(line,)),)),
        Record((), (Node(Move("d2-c2")),), (comment,)),
    ):
        assert FORM.write(RawGame.of(record)).gaps == (Gap("signs"),)


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("1. d2-c2 {open d5-c5\n", "unclosed_comment", 1),
        ("1. d2-c2 (1. e4-e5 d5-c5\n", "unclosed_variation", 1),
        ("1. d2-c2 ) d5-c5\n", "unopened_variation", 10),
        ("1. d2-c2 () d5-c5\n", "empty_variation", 11),
        ("(1. d2-c2) d5-c5\n", "variation_without_move", 1),
        ("1. d2-c2 " + "(1. e4-e5 " * 65 + "\n", "too_deep", 650),
        ("1. d2-c2 $3 d5-c5 3... e5-e6\n", "wrong_number", 19),
    ],
)
def test_an_open_part_is_a_fault(text: str, code: str, column: int) -> None:
    (fault,) = read(text)
    assert isinstance(fault, RecordError)
    assert (fault.code, fault.line, fault.column) == (code, 1, column)


@pytest.mark.parametrize("moves", [0, 1, 2])
def test_a_short_game_is_recognised_as_the_format_of_its_name(moves: int) -> None:
    played = random_game(BRANDUB.rules, 1, moves)
    record = Record.from_game(
        played.end(Outcome(Side.ATTACKERS, Reason.RESIGNATION)), variant_headers(BRANDUB)
    )
    for form in (find_format("pgn"), find_format("tafl")):
        text = form.write(RawGame.of(record)).text
        for ending in (".gz", ""):
            assert recognise(text.encode(), f"games{form.extensions[0]}{ending}") is form
        (game,) = read_games(io.BytesIO(text.encode()), name=f"games{form.extensions[0]}")
        assert isinstance(game, RawGame)
        assert game.header("Rules") == record.header("Rules")


@pytest.mark.parametrize("moves", [0, 1, 2])
@pytest.mark.parametrize("games", [1, 2])
@pytest.mark.parametrize("form", [find_format("pgn"), find_format("tafl")], ids=lambda form: form.name)
def test_a_short_unfinished_game_needs_no_name_to_be_read(form: Format, games: int, moves: int) -> None:
    record = Record.from_game(random_game(BRANDUB.rules, 1, moves), variant_headers(BRANDUB))
    text = form.write(RawGame.of(record)).text * games
    found = list(read_games(io.BytesIO(text.encode()), errors="raise"))
    assert [game.moves for game in found] == [RawGame.of(record).moves] * games


def test_a_game_of_changed_rules_keeps_them_whoever_names_its_variant() -> None:
    changed = BRANDUB.with_switches({"quiet_limit": 40})
    record = Record.from_game(changed.new_game().play("d2-e2"), variant_headers(changed))
    text = find_format("pgn").write(RawGame.of(record)).text
    without_rules = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("[Rules"))
    for written in (text, without_rules):
        (game,) = read_games(io.BytesIO(written.encode()), ReadOptions(variant=BRANDUB), name="g.pgn")
        assert isinstance(game, RawGame)
        assert not game.replay().faults
        assert game.header("Rules") == changed.rules.hash


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_start_switches_and_calls_come_back_in_each_format_or_are_gaps(form: Format) -> None:
    changed = BRANDUB.with_switches({"quiet_limit": 40})
    start = CalledGame(Game(changed.rules, Setup("3t3/7/1t5/6t/3K3/1T5/7 d 0")), "manual", sanction="replay")
    played = [PlayedMove(Move("d3-d1"), 2), PlayedMove(Move("b5-b6"))]
    record = Record.from_calls(start, played, variant_headers(changed))
    written = form.write(RawGame.of(record))
    (back,) = read_games(io.BytesIO(written.text.encode()), file_format=form, errors="raise")
    lost = {gap.facts["name"] for gap in (*written.gaps, *back.gaps) if gap.code == "header"}
    names = {"Start", "Switches", "Calls", "Sanction", "Replay"}
    assert {name for name in names if back.header(name) != record.header(name)} <= lost | {"Switches"}
    if "Start" not in lost:
        replay, expected = back.replay(), record.replay()
        assert replay.ok
        assert replay.game is not None
        assert expected.game is not None
        assert replay.game.position == expected.game.position
        assert replay.game.rules == changed.rules
