"""Numbered moves below headers: playtafl.org, hnefatafl.org, Walker's form."""

import io

import pytest

from hnefi import variant
from hnefi._core import random_game
from hnefi.errors import RecordError
from hnefi.formats import RawGame, ReadOptions, find_format, recognise
from hnefi.record import Record, variant_headers

BRANDUB = variant("brandub-globe")
FORM = find_format("pgn")
PLAYTAFL = '[Event "A game"]\n[Site "playtafl.com"]\n[Date "2026.04.25"]\n\n1. d2e2 c4c5 2. f4f5\n'
CAMPBELL = '[Event "Game 7"]\n[Site "hnefatafl.org"]\n\n1. d2e2 c4c5 2. f4f5 c5a5\n3. d6a6\n'
WALKER = "1. d2-e2 c4-c5+\n2. f4-f5 c5-a5\n3. d6-a6xa5/b3 d5-a5xa6++\n"


def read(text: str, *, lenient: bool = False) -> list[RawGame | RecordError]:
    return list(FORM.read(io.BytesIO(text.encode()), ReadOptions(variant=BRANDUB, lenient=lenient)))


def raws(text: str, *, lenient: bool = False) -> list[RawGame]:
    found = read(text, lenient=lenient)
    assert all(isinstance(one, RawGame) for one in found), found
    return [one for one in found if isinstance(one, RawGame)]


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
    assert found.gaps


@pytest.mark.parametrize("seed", range(20))
def test_games_come_back(seed: int) -> None:
    game = random_game(BRANDUB.rules, seed, 40)
    if game.passed or any(ply.passed for ply in game.plies):
        return
    record = Record.from_game(game, (*variant_headers(BRANDUB), ("Site", "Tara")))
    written = FORM.write(RawGame.of(record))
    assert written.gaps == ()
    (back,) = raws(written.text)
    assert back.record().nodes == record.nodes
    assert dict(back.headers) == dict(record.headers)
