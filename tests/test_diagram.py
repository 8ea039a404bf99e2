"""Diagrams: well-formed, the same each time, complete, readable without colour."""

import re
import xml.etree.ElementTree as ET
from itertools import product
from typing import Any

import pytest

from hnefi import Game, IllegalMove, Move, Piece, Position, Setup, SetupError, Side, Square, diagram, variant
from hnefi.diagram.markup import number
from hnefi.diagram.theme import THEMES

SVG = "{http://www.w3.org/2000/svg}"
DANGER = THEMES["driftwood"].danger
BRANDUB = variant("brandub-globe")
TABLUT = variant("tablut-geoludie")
ARD_RI = variant("ard-ri-globe")


def position(rows: str, game: str = "brandub-globe") -> Position:
    return Position(variant(game).rules, Setup(rows))


def parsed(drawing: str) -> ET.Element:
    return ET.fromstring(drawing)


def uses(drawing: str) -> list[str]:
    return re.findall(r'xlink:href="#hnefi-[0-9a-f]+-([a-z]+)"', drawing)


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.mark.parametrize(("theme", "pieces"), list(product(diagram.THEMES, diagram.PIECE_SETS)))
def test_every_theme_draws_every_set(theme: str, pieces: str) -> None:
    drawing = diagram.svg(Position(BRANDUB.rules), theme=theme, pieces=pieces)
    assert parsed(drawing).tag == f"{SVG}svg"
    assert sorted(uses(drawing)) == ["attacker"] * 8 + ["defender"] * 4 + ["king"]
    assert THEMES[theme].field in drawing


def test_a_page_defines_every_colour_of_its_drawings() -> None:
    """So that readers who chose colours of their own, as for high contrast, see those."""
    played = Game(BRANDUB.rules, Setup("4t2/7/2tT3/3K3/7/7/7 a")).play("e7-e5")
    marks = {"a1": "move", "b2": "block", "c3": "capture"}
    drawing = diagram.svg(played, marks=marks, king_in_danger=True, theme="page")
    left = re.sub(r"var\(--[a-z-]+, #[0-9a-f]+\)", "", drawing)
    assert re.findall(r'"#[0-9a-f]{3,8}"', left) == []


def test_the_same_arguments_give_the_same_text() -> None:
    assert diagram.svg(Position(TABLUT.rules)) == diagram.svg(Position(TABLUT.rules))
    text = "7/7/7/3K3/7/7/t6 d"
    assert diagram.svg(text, rules=BRANDUB) == diagram.svg(Position(BRANDUB.rules, text))


def test_ids_are_unique_in_a_page_with_several_drawings() -> None:
    drawings = [diagram.svg(Position(BRANDUB.rules), theme=theme) for theme in diagram.THEMES]
    ids = [re.findall(r'\bid="([^"]+)"', drawing) for drawing in drawings]
    together = [name for names in ids for name in names]
    assert len(together) == len(set(together)) == 5 * len(drawings)


def test_every_reference_in_a_drawing_is_defined_in_it() -> None:
    drawing = diagram.svg(Position(BRANDUB.rules))
    defined = set(re.findall(r'\bid="([^"]+)"', drawing))
    assert set(re.findall(r'href="#([^"]+)"', drawing)) <= defined
    (labels,) = re.findall(r'aria-labelledby="([^"]+)"', drawing)
    assert set(labels.split()) <= defined


def test_a_piece_costs_its_reference_alone() -> None:
    """Its shape, with its shadow, is in the drawing once."""
    one, two = (
        diagram.svg(position(f"7/7/7/3K3/7/{rank}/7 a"), title="t", description="d")
        for rank in ("2t4", "2t1t2")
    )
    assert two.count("<ellipse") == one.count("<ellipse") == 4
    assert len(two) - len(one) < 70


def test_a_drawing_needs_nothing_from_outside() -> None:
    drawing = diagram.svg(Position(BRANDUB.rules))
    for word in ("<style", "<script", "class=", "url(", "<image", "var("):
        assert word not in drawing


def test_a_drawing_has_a_text_alternative() -> None:
    root = parsed(diagram.svg(position("7/7/7/3K3/7/2t4/7 a"), last_move=Move("c1-c2"), lang="en"))
    assert root.findtext(f"{SVG}title") == "Board of 7 by 7 squares; it is for the attackers to move"
    assert root.findtext(f"{SVG}desc") == "Attackers: c2. King: d4. Last move: c1 to c2."


def test_the_text_alternative_of_a_finished_game_names_no_side_to_move() -> None:
    game = Game(BRANDUB, Setup("7/7/7/3K3/7/7/t6 d")).play("d4-d7").play("a1-a2")
    for board, over in ((game, False), (game.play("d7-g7"), True), (game.play("d7-g7").position, True)):
        title = parsed(diagram.svg(board, lang="en")).findtext(f"{SVG}title")
        ended = "the game is over" if over else "it is for the defenders to move"
        assert title == f"Board of 7 by 7 squares; {ended}"


def test_a_title_is_escaped() -> None:
    root = parsed(diagram.svg(Position(BRANDUB.rules), title='<a> & "b"', description="<c>"))
    assert root.findtext(f"{SVG}title") == '<a> & "b"'


def test_special_squares_are_carved_only_where_the_rules_have_them() -> None:
    bare = diagram.svg(Setup("5/5/2K2/5/5 a"))
    assert bare.count("<circle") == 25
    drawing = diagram.svg(position("7/7/7/3K3/7/2t4/7 a"))
    holes = [part for part in parsed(drawing).iter(f"{SVG}circle") if part.get("r") == "5"]
    assert len(holes) == 49 - 5


def test_a_setup_is_drawn_with_the_rules_it_is_for() -> None:
    setup = Setup("7/7/7/3K3/7/2t4/7 a")
    assert diagram.svg(setup, rules=BRANDUB.rules) == diagram.svg(Position(BRANDUB.rules, setup))


def test_the_nicks_are_doubled_where_the_edge_is_the_goal() -> None:
    def nicks(drawing: str) -> int:
        return drawing.count("l5 -13 5 13z") + drawing.count("l5 13 5 -13z")

    assert nicks(diagram.svg(Position(ARD_RI.rules))) == 2 * nicks(diagram.svg(Position(BRANDUB.rules)))


def test_the_empty_throne_has_teeth_and_the_occupied_one_has_none() -> None:
    tooth = "l8 12 8 -12z"
    assert tooth in diagram.svg(position("3K3/7/7/7/7/2t4/7 a"))
    assert tooth not in diagram.svg(position("7/7/7/3K3/7/2t4/7 a"))


def test_a_move_that_is_played_shows_its_captures() -> None:
    before = position("7/7/7/7/1tT4/3t3/6K a".replace("6K", "5K1"))
    drawing = diagram.svg(before, played=Move("d2-d3"), lang="en")
    assert len(re.findall(r'-defender"[^>]* opacity="\.5"', drawing)) == 1
    assert sorted(uses(drawing)) == ["attacker", "attacker", "defender", "king"]
    assert 'stroke-dasharray="11 9"' in drawing
    assert parsed(drawing).findtext(f"{SVG}desc", "").endswith("Last move: d2 to d3. Captured: c3.")


def king_teeth(drawing: str) -> list[int]:
    """Returns the numbers of the saw teeth of each path round the king: four for each closed side."""
    paths = [path for path in parsed(drawing).iter(f"{SVG}path") if path.get("stroke") == DANGER]
    return [(path.get("d") or "").count("M") for path in paths]


def test_a_king_who_is_taken_is_shown_between_saw_teeth() -> None:
    before = position("7/7/3t3/2tK1t1/3t3/7/7 a")
    drawing = diagram.svg(before, played=Move("f4-e4"))
    assert king_teeth(drawing) == [16]
    assert "king" in uses(drawing)


def test_a_king_who_falls_with_a_companion_has_teeth_on_his_own_sides_only() -> None:
    before = position("9/9/9/9/9/9/4t4/3t5/2tTKt3 a", "tablut-geoludie")
    drawing = diagram.svg(before, played=Move("e3-e2"))
    (capture,) = (c for c in before.describe(Move("e3-e2")).captures if c.piece is Piece.KING)
    assert len(capture.by) > 3
    assert king_teeth(drawing) == [4 * 3]  # e2, f1 and the edge; not what closes in d1


def test_danger_is_shown_on_the_closed_sides_only() -> None:
    before = position("7/7/7/7/2tK3/7/7 a")
    drawing = diagram.svg(before, king_in_danger=True)
    assert king_teeth(drawing) == [4 * 2]  # the attacker on c3 and the empty throne on d4


def test_the_edge_closes_a_side_only_where_he_is_taken_between_four() -> None:
    at_edge = "9/9/9/9/9/9/9/9/3tK4 a"
    assert king_teeth(diagram.svg(position(at_edge, "tablut-geoludie"), king_in_danger=True)) == [4 * 2]
    between_two = variant("tablut-geoludie").with_switches({"king_capture": "two,two,two"})
    custodial = Position(between_two.rules, Setup(at_edge))
    assert custodial.closed_sides == ("west",)
    assert king_teeth(diagram.svg(custodial, king_in_danger=True)) == [4]


def test_a_setup_that_its_rules_cannot_have_is_refused() -> None:
    with pytest.raises(SetupError):
        diagram.svg(Setup("5/5/2K2/5/5 a"), rules=BRANDUB.rules)


def test_an_illegal_move_is_not_drawn() -> None:
    with pytest.raises(IllegalMove):
        diagram.svg(Position(BRANDUB.rules), played=Move("d4-d5"))
    with pytest.raises(ValueError, match="which has rules"):
        diagram.svg(Setup("5/5/2K2/5/5 a"), played=Move("c3-c4"))


def test_a_game_shows_its_last_move_and_what_it_took() -> None:
    game = Game(BRANDUB.rules, Setup("7/7/7/7/1tT4/3t3/5K1 a")).play("d2-d3")
    drawing = diagram.svg(game)
    assert 'stroke-dasharray="7 7"' in drawing
    assert game.position.piece_at("c3") is None
    assert " (·) " in diagram.text(game)
    assert "[▲]" in diagram.text(game)
    assert "-·-" in diagram.text(game)


def test_a_crop_shows_only_its_part() -> None:
    drawing = diagram.svg(Position(BRANDUB.rules), crop=("a3", "d5"))
    assert sorted(uses(drawing)) == ["attacker"] * 2 + ["defender"] * 3 + ["king"]
    letters = [part.text for part in parsed(drawing).iter(f"{SVG}text")]
    assert letters == ["a", "b", "c", "d", "3", "4", "5"]


@pytest.mark.parametrize("size_px", [160, 400, 1200])
def test_the_drawing_is_as_wide_as_asked(size_px: int) -> None:
    for crop in (None, ("b2", "e5")):
        root = parsed(diagram.svg(Position(TABLUT.rules), size_px=size_px, crop=crop))
        assert abs(float(root.get("width", "0")) - size_px) < 1


@pytest.mark.parametrize("square_px", [14, 20, 48, 120])
def test_coordinates_and_outlines_stay_readable_at_any_size(square_px: int) -> None:
    root = parsed(diagram.svg(Position(TABLUT.rules), size_px=square_px * 10.5))
    scale = float(root.get("width", "0")) / float(root.get("viewBox", "").split()[2])
    letters = next(part for part in root.iter(f"{SVG}g") if part.get("font-size"))
    assert float(letters.get("font-size", "0")) * scale >= 10.4
    dome = next(
        part for part in root.iter(f"{SVG}path") if part.get("stroke") == THEMES["driftwood"].bone_edge
    )
    outline = max(
        float(part.get("stroke-width", "0"))
        for part in root.iter(f"{SVG}path")
        if part.get("d") == dome.get("d") or part.get("stroke") == THEMES["driftwood"].bone_edge
    )
    assert outline * 0.8 * scale >= 0.98


def test_turned_boards_have_rank_one_at_the_top() -> None:
    turned = diagram.text(Position(BRANDUB.rules), turned=True).splitlines()
    assert turned[0].split() == list("gfedcba")
    assert turned[1].split()[0] == "1"
    corner = position("7/7/7/3K3/7/7/2t4 a")
    root = parsed(diagram.svg(corner, turned=True))
    shown = re.findall(r'-attacker" x="([0-9.]+)" y="([0-9.]+)"', diagram.svg(corner, turned=True))
    assert shown == [("450", "50")]
    first_number = next(part for part in root.iter(f"{SVG}text") if part.text == "1")
    assert float(first_number.get("y", "0")) < 100


@pytest.mark.parametrize("kind", diagram.MARK_KINDS)
def test_every_mark_leaves_a_trace(kind: str) -> None:
    bare = diagram.svg(Position(BRANDUB.rules))
    marked = diagram.svg(Position(BRANDUB.rules), marks={"b2": kind})
    assert len(marked) > len(bare)


@pytest.mark.parametrize("kind", diagram.ARROW_KINDS)
def test_every_arrow_leaves_a_trace_of_its_own(kind: str) -> None:
    drawings = {
        one: diagram.svg(Position(BRANDUB.rules), arrows=[("a1", "c1", one)]) for one in diagram.ARROW_KINDS
    }
    assert "rotate(0)" in drawings[kind]
    assert len(set(drawings.values())) == len(diagram.ARROW_KINDS)


def test_unknown_names_are_refused_with_those_that_are_known() -> None:
    wrong: dict[str, dict[str, Any]] = {
        "driftwood, firelight, slate, print": {"theme": "oak"},
        "wood, stone, contrast, line": {"pieces": "bronze"},
        "marks: 'star'": {"marks": {"a1": "star"}},
        "arrows: 'star'": {"arrows": [("a1", "a2", "star")]},
    }
    board = Position(BRANDUB.rules)
    for message, option in wrong.items():
        with pytest.raises(ValueError, match=message):
            diagram.svg(board, **option)
    pair = diagram.svg(board, arrows=[("d5", "c5")])
    assert pair == diagram.svg(board, arrows=["d5-c5"]) == diagram.svg(board, arrows=[Move("d5-c5")])


def test_marks_are_a_mapping_or_squares_and_pairs() -> None:
    board = Position(BRANDUB.rules)
    named = diagram.svg(board, marks={"d5": "highlight", "d4": "capture"})
    assert named == diagram.svg(board, marks=["d5", ("d4", "capture")])
    assert named == diagram.svg(board, marks=(one for one in (("d4", "capture"), Square("d5"))))
    with pytest.raises(TypeError, match="marks: 'd5', expected squares"):
        diagram.svg(board, marks="d5")
    with pytest.raises(ValueError, match="marks: 'cross', expected one of"):
        diagram.svg(board, marks=[("d5", "cross")])


@pytest.mark.parametrize(
    "wrong",
    [
        {"marks": {"d9": "highlight"}},
        {"arrows": [("d2", "d9")]},
        {"arrows": ["h1-a1"]},
        {"roads": ["d4-d19"]},
        {"crop": ("a1", "s19")},
        {"last_move": "s1-s5"},
    ],
)
def test_squares_that_are_not_on_the_board_are_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^(d9|h1|d19|s19|s1): not on a board of 7 x 7$"):
        diagram.svg(BRANDUB.new_game(), **wrong)


def test_an_arrow_leads_to_another_square() -> None:
    with pytest.raises(ValueError, match="from d2 to d2, expected two squares"):
        diagram.svg(BRANDUB.new_game(), arrows=[("d2", "d2", "move")])


@pytest.mark.parametrize("width", [-1, float("nan"), 100])
def test_a_frame_out_of_bounds_is_refused(width: float) -> None:
    with pytest.raises(ValueError, match=r"frame: .*, expected 0 to 9"):
        diagram.svg(Position(TABLUT.rules), frame=width)


def test_the_kings_roads_lead_to_their_gates() -> None:
    board = position("3K3/7/7/7/7/2t4/7 d")
    assert len(board.open_roads) == 2
    drawing = diagram.svg(board, roads=board.open_roads)
    roads = [part for part in parsed(drawing).iter(f"{SVG}path") if part.get("stroke-width") == "8"]
    assert [(part.get("d") or "").count("M") for part in roads] == [4 + 2, 4 + 2]


def test_notebooks_show_positions_games_and_setups() -> None:
    for shown in (Position(BRANDUB.rules), Game(BRANDUB.rules), Setup("5/5/2K2/5/5 a")):
        assert shown._repr_svg_() == diagram.svg(shown)


EXPECTED = """\
    a  b  c  d  e  f  g
 7  □  ·  ·  ▲  ·  ·  □  7
 6  ·  ·  ·  ▲  ·  ·  ·  6
 5  ·  ·  ·  ○  ·  ·  ·  5
 4  ▲  ▲  ○  ♔  ○  ▲  ▲  4
 3  ·  ·  ·  ○  ·  ·  ·  3
 2  ·  ·  ·  ▲  ·  ·  ·  2
 1  □  ·  ·  ▲  ·  ·  □  1
    a  b  c  d  e  f  g"""


def test_text_shows_the_whole_board_without_colour() -> None:
    assert diagram.text(Position(BRANDUB.rules)) == EXPECTED


def test_colours_change_nothing_but_colour() -> None:
    game = Game(BRANDUB.rules).play("d7-c7")
    without = diagram.text(game)
    for depth in ("256", "truecolor"):
        coloured = diagram.text(game, colour=depth)
        assert plain(coloured) == without
        assert coloured != without


def test_ascii_is_ascii_and_reads_back() -> None:
    drawn = diagram.text(Position(TABLUT.rules), ascii_only=True)
    assert drawn.isascii()
    rows = ["".join(line.split()[1:-1]) for line in drawn.splitlines()[1:-1]]
    side = "a" if TABLUT.rules.start.turn is Side.ATTACKERS else "d"
    pieces = "/".join(rows).replace("+", ".").replace("#", ".")
    assert Setup(f"{pieces} {side}").pieces == TABLUT.rules.start.pieces


def test_a_king_who_was_captured_leaves_an_empty_hole_as_soldiers_do() -> None:
    game = Game(BRANDUB, Setup("7/7/1tK1t2/7/7/7/7 a"))
    assert "Captured: c5." in diagram.svg(game.play("e5-d5"))
    assert "Captured" not in diagram.svg(game.play("e5-e4"))


def test_text_squeezes_what_is_captured() -> None:
    before = position("7/7/7/7/1tT4/3t3/5K1 a")
    drawn = diagram.text(before, played=Move("d2-d3"), crop=("b2", "e3"))
    assert drawn.splitlines() == ["    b  c  d  e", " 3  ▲ ▸○◂[▲] ·  3", " 2  ·  · (·) ·  2"]
    drawn = diagram.text(before, played=Move("d2-d3"), ascii_only=True)
    assert " t >T<[t]" in drawn


@pytest.mark.parametrize(("value", "written"), [(1.0, "1"), (-0.01, "0"), (2.25, "2.2"), (-1.5, "-1.5")])
def test_numbers_are_short(value: float, written: str) -> None:
    assert number(value) == written


def test_every_piece_has_a_shape_of_its_own() -> None:
    from hnefi.diagram.pieces import piece_shape

    for piece_set in diagram.PIECE_SETS:
        outlines = {
            piece: set(re.findall(r' d="([^"]+)"', piece_shape(piece, piece_set, THEMES["print"], 1.0)))
            for piece in Piece
        }
        assert not (outlines[Piece.ATTACKER] & outlines[Piece.DEFENDER])
        assert not (outlines[Piece.KING] & outlines[Piece.DEFENDER])
