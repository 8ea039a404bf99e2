"""The guided first game of the home page: what it says and offers is what the rules say."""

import itertools
import re

import pytest

from hnefi._core import Game, Move
from hnefi.i18n import languages
from hnefi.pieces import Reason, Side
from hnefi.server.assets import Assets
from hnefi.server.pages.contents import PageContents
from hnefi.server.pages.home import guided_game
from hnefi.server.pages.home.guided_board import guided_board
from hnefi.server.pages.home.guided_game import STEPS, VARIANT, begin, guided_facts, is_playable, right_moves
from hnefi.server.pages.page import PageRequest
from hnefi.server.pages.rendering import PageWriter
from hnefi.variants.finding import variant


def lines() -> list[list[tuple[Game, Move, Game]]]:
    """Returns every way through the steps: the game before a move, the move, and the game after the reply."""
    found: list[list[tuple[Game, Move, Game]]] = [[]]
    for place in range(len(STEPS)):
        found = [
            [*line, (before, move, after)]
            for line in found
            for before in [line[-1][2] if line else begin()]
            for move, after in right_moves(before, STEPS[place:]).items()
        ]
    return found


LINES = lines()


def test_there_are_several_first_moves_and_one_way_on() -> None:
    assert len({line[0][1] for line in LINES}) > 1
    for place in (1, 2):
        assert len({line[place][1] for line in LINES}) == 1


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line[0][1]))
def test_every_way_captures_and_ends_with_the_king_in_a_corner(line: list[tuple[Game, Move, Game]]) -> None:
    before, move, _ = line[1]
    assert before.play(move).last.captures  # type: ignore[union-attr]
    end = line[2][2]
    assert end.outcome is not None
    assert (end.outcome.winner, end.outcome.reason) == (Side.DEFENDERS, Reason.CORNER)
    assert end.position.king in end.rules.corners


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line[0][1]))
def test_the_attackers_shut_one_of_two_roads_and_can_shut_no_more(
    line: list[tuple[Game, Move, Game]],
) -> None:
    before, move, answered = line[1]
    after = before.play(move)
    assert len(after.position.open_roads) == 2
    assert len(answered.position.open_roads) == 1
    for reply in after.legal_moves():
        assert after.play(reply).outcome is None
        assert after.play(reply).position.open_roads


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line[0][1]))
def test_the_king_is_never_in_reach_of_the_attackers(line: list[tuple[Game, Move, Game]]) -> None:
    for before, move, _ in line[:2]:
        after = before.play(move)
        assert all(after.play(reply).outcome is None for reply in after.legal_moves())


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line[0][1]))
def test_the_facts_for_the_script_are_those_of_every_way(line: list[tuple[Game, Move, Game]]) -> None:
    for step, facts, (before, move, after) in zip(STEPS, guided_facts("en")["steps"], line, strict=True):
        own = [one for one in before.legal_moves() if one.from_square == step.piece]
        assert facts["from"] == step.piece.name
        assert sorted([*facts["moves"], *facts["others"]]) == sorted(one.to_square.name for one in own)
        played = before.play(move)
        assert played.last is not None
        assert facts["moves"][move.to_square.name] == sorted(one.name for one in played.last.captures)
        if facts["reply"] is None:
            assert after.outcome is not None
        else:
            assert after.last is not None
            assert facts["reply"] == [after.last.move.from_square.name, after.last.move.to_square.name]
            # The script only moves the piece.
            assert not after.last.captures


def test_the_column_of_the_king_is_no_way_for_the_first_piece() -> None:
    first = guided_facts("en")["steps"][0]
    assert first["others"]
    assert {square[0] for square in first["others"]} == {first["from"][0]}


@pytest.mark.parametrize("lang", languages())
def test_the_board_shows_the_pieces_of_the_position(lang: str) -> None:
    drawn = re.findall(r'data-man="(\w+)" data-piece="(\w+)"', guided_board(lang))
    standing = {square.name: piece.value for square, piece in begin().position.setup.pieces.items()}
    assert dict(drawn) == standing


@pytest.mark.parametrize("lang", languages())
def test_only_the_marks_of_the_first_step_are_shown(lang: str) -> None:
    groups = re.findall(r'<g data-marks="(\d)"( hidden="")?', guided_board(lang))
    assert {place for place, hidden in groups if not hidden} == {"0"}
    assert {place for place, _ in groups} == {"0", "1", "2", "3"}


@pytest.mark.parametrize("lang", languages())
def test_every_answer_of_a_step_is_another_sentence(lang: str) -> None:
    facts = guided_facts(lang)
    for step in facts["steps"]:
        assert len(set(step["texts"].values())) == len(step["texts"])
        # What is strong stands between two stars.
        assert step["texts"]["say"].count("*") == 2
    for first, second in itertools.combinations(facts["texts"].values(), 2):
        assert first != second


@pytest.mark.parametrize("lang", languages())
def test_the_home_page_does_without_a_game_that_the_rules_forbid(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A corrected variant file may forbid a move: a king of single steps does not reach the corner."""
    assert is_playable()
    slow = variant(VARIANT).with_switches({"range.king": "1"})
    monkeypatch.setattr(guided_game, "variant", lambda _: slow)
    assert not is_playable()
    page = PageContents(PageWriter(Assets.load_names())).content(PageRequest("home", lang, f"/{lang}/"))
    html = page.body.decode()
    assert page.status == 200
    assert 'id="guided"' not in html
    assert "data-pegs" not in html
    assert f'href="/{lang}/new?opponent=computer"' in html
    assert "<svg" in html.partition("data-first-board>")[2][:200]
