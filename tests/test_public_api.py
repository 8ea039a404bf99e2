"""What users of the library expect: text wherever a move or a square is taken, pickling, printing, names."""

import copy
import pickle
import pydoc
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

import hnefi
from hnefi import (
    CalledGame,
    Capture,
    Description,
    HnefiError,
    IllegalMove,
    Limit,
    MatchFormat,
    Move,
    Piece,
    Ply,
    Setup,
    SetupError,
    Side,
    Square,
    VariantError,
    diagram,
    engine,
    lessons,
    level,
    variant,
    variants,
    words,
)
from hnefi.match import TieBreak
from hnefi.paper import box_files, sheet_document
from hnefi.paper.booklets import booklet_document
from hnefi.paper.imprints import NO_IMPRINT
from hnefi.puzzles import puzzle, puzzles
from hnefi.record import variant_headers
from tests.codes import has_code

BRANDUB = variant("brandub-globe")
GAME = BRANDUB.new_game()
CAPTURE = GAME.play("d1-c1").play("d3-b3").play("a4-a3")


def test_moves_and_squares_may_be_texts() -> None:
    position = GAME.position
    move = Move("d1-c1")
    assert GAME.is_legal("d1-c1")
    assert not GAME.is_legal("d1-d4")
    assert position.play("d1-c1") == position.play(move)
    assert str(position.describe("d1-c1")) == "d1-c1"
    assert GAME.legal_moves("d1") == GAME.legal_moves(Square("d1")) == position.legal_moves("d1")
    assert {one.from_square for one in GAME.legal_moves("d1")} == {Square("d1")}
    assert GAME.legal_moves("e5") == []
    assert Move.of("d1", Square("c1")) == move
    assert position.piece_at("d1") == position.piece_at(Square("d1"))
    position.check("d1-c1")
    with pytest.raises(IllegalMove, match=r"^d9 is not on this board\.$") as off:
        position.check("d1-d9")
    assert (off.value.code, "square = d9" in off.value.detail) == ("not_on_board", True)
    with pytest.raises(IllegalMove, check=has_code("bad_move")):
        GAME.is_legal("nonsense")
    with pytest.raises(SetupError):
        GAME.legal_moves("z99")
    with pytest.raises(TypeError, match="expected Move or str"):
        position.play(7)  # type: ignore[arg-type]


def test_every_function_takes_moves_and_squares_as_texts() -> None:
    position, rules, move, square = GAME.position, GAME.rules, Move("d1-c1"), Square("d1")
    puzzle = hnefi.puzzles.puzzle("brandub-globe-1")

    def results(move: Move | str, square: Square | str) -> list[object]:
        with hnefi.Engine() as engine:
            analysed = engine.analyse(GAME, Limit(nodes=10), moves=[move]).last().lines[0].moves[0]
        return [
            analysed,
            Move(move),
            Square(square),
            Move.of(square, square),
            Setup.of(7, {square: Piece.KING}, Side.ATTACKERS, going=square),
            Ply(move, Side.ATTACKERS, [square]),
            Capture(square, Piece.KING, "custodial", [square]),
            Description(move, Piece.KING, []),
            rules.map_square(square, 1),
            position.canonical_moves([move]),
            hnefi.format_move(move, [square]),
            diagram.text(position, played=move, crop=(square, square)),
            diagram.text(position.play(move), last_move=move),
            diagram.svg(position, marks={square: "move"}, arrows=[(square, "c2", "move")], roads=[move]),
        ]

    assert results("d1-c1", "D1") == results(move, square)
    solution = puzzle.solution
    attempt = hnefi.puzzles.Attempt.begin(puzzle)
    assert attempt.answer(str(solution)) == attempt.answer(solution)
    wrong = next(one for one in attempt.game.legal_moves() if one not in puzzle.node.right)
    assert puzzle.node.refutation(str(wrong)) == puzzle.node.refutation(wrong)
    with pytest.raises(TypeError, match="expected Square or str"):
        Square(7)  # type: ignore[arg-type]


def test_positions_and_games_take_setups_as_texts() -> None:
    text = "7/t6/3T3/2tKt2/3t3/7/7 a"
    setup = Setup(text)
    assert BRANDUB.new_game(text) == BRANDUB.new_game(setup)
    assert BRANDUB.new_called_game(setup=text).game == BRANDUB.new_game(setup)
    assert hnefi.Game("brandub-globe", text).start == hnefi.Game("brandub-globe", setup).start == setup
    assert hnefi.Game.replay("brandub-globe", text, []).position == hnefi.Position("brandub-globe", text)
    with pytest.raises(SetupError):
        BRANDUB.new_game("nonsense")
    with pytest.raises(TypeError, match="expected Setup or str"):
        BRANDUB.new_game(7)  # type: ignore[arg-type]


OF_A_VARIANT: dict[str, Callable[[Any], object]] = {
    "Game": hnefi.Game,
    "Game.replay": lambda one: hnefi.Game.replay(one, None, ["d1-c1"]),
    "Position": hnefi.Position,
    "random_game": lambda one: hnefi.random_game(one, 1, 9),
    "sample_game": hnefi.sample_game,
    "MatchFormat.of": MatchFormat.of,
    "TieBreak.of": TieBreak.of,
    "book_for": lambda one: engine.book_for(one).digest,  # type: ignore[union-attr]
    "weights_for": engine.weights_for,
    "words.rules": lambda one: words.rules(one, "en"),
    "booklet": lambda one: booklet_document(one, "en", "a5").data,
    "sheet": lambda one: sheet_document("score", one, "en").data,
    "svg": diagram.svg,
    "text": diagram.text,
    "of a setup": lambda one: diagram.text(Setup("7/7/7/3K3/7/7/t6 d"), rules=one),
    "playable": diagram.playable,
    "match_rules": hnefi.match_rules,
    "switches_between": lambda one: variants.switches_between("brandub-breyer", one),
}
OF_A_VARIANT_ALONE: dict[str, Callable[[Any], object]] = {
    "variant": variant,
    "words.why": lambda one: words.why(one, "en"),
    "box_files": lambda one: list(box_files(one, [], NO_IMPRINT)),
    "lessons.begin": lambda one: lessons.begin(one, lessons.lessons("brandub-globe")[0]),
    "puzzles": puzzles,
    "as_switches": variants.as_switches,
    "format_link": variants.format_link,
    "resolve": lambda one: variants.resolve(one, {"corners": "none"}).follows,
    "variant_headers": variant_headers,
}


@pytest.mark.parametrize("name", [*OF_A_VARIANT, *OF_A_VARIANT_ALONE])
def test_an_id_or_a_name_stands_for_a_variant(name: str) -> None:
    make = (OF_A_VARIANT | OF_A_VARIANT_ALONE)[name]
    made = make(BRANDUB)
    assert make("brandub-globe") == made
    assert make("Brandub (Le Globe Joueur)") == made
    with pytest.raises(VariantError, match="Did you mean: brandub-globe", check=has_code("unknown_variant")):
        make("brandub-glob")
    if name in ("Game", "Position", "random_game", "weights_for", "svg", "match_rules"):
        assert make(BRANDUB.rules) == made
    with pytest.raises(TypeError, match=r"expected (Rules, )?Variant or str"):
        make(7)


@pytest.mark.parametrize("number", [-1, 2**64, -(2**70), 10**80])
@pytest.mark.parametrize(
    "call",
    [
        GAME.position.perft,
        GAME.position.divide,
        GAME.position.transformed,
        lambda number: hnefi.random_game("brandub-globe", number, 9),
        lambda number: hnefi.random_game("brandub-globe", 1, number),
        lambda number: Square.at(number, 0),
        lambda number: Setup.of(7, {}, Side.ATTACKERS, number),
        lambda number: BRANDUB.rules.map_square("d4", number),
        lambda number: BRANDUB.new_called_game().play("d1-c1", number),
        lambda number: Limit(nodes=number),
        lambda number: Limit(depth=number),
        engine.Clock,
        lambda number: hnefi.Engine(threads=number),
        lambda number: hnefi.Engine(table_mib=number),
        lambda number: hnefi.Engine(table_mib=1).analyse(GAME, Limit(nodes=1), lines=number),
        hnefi.SquareSet,
        lambda number: diagram.svg(GAME, size_px=number),
        level,
    ],
)
def test_a_number_out_of_bounds_is_shown_with_the_bounds(call: Callable[[int], object], number: int) -> None:
    with pytest.raises(ValueError, match=rf"{str(number)[:60]}.*expected \d+ to \d+"):
        call(number)


def test_captures_written_with_a_move_have_to_be_made() -> None:
    for method in (GAME.position.play, GAME.position.check, GAME.position.describe):
        with pytest.raises(IllegalMove, check=has_code("wrong_captures")):
            method("d1-c1xc2")


SAMPLE = hnefi.sample_game("brandub-globe")
assert SAMPLE is not None
DESCRIBED = CAPTURE.position.describe(CAPTURE.legal_moves()[0])
ONE = {
    value.__class__: value
    for value in (
        CalledGame(GAME, "auto"),
        Capture("d1", Piece.KING, "custodial", ["c1"]),
        DESCRIBED,
        hnefi.Fault("bad_rules", "board", "1", "2", facts={"row": "1"}),
        CAPTURE,
        hnefi.level(3),
        Limit(nodes=10),
        hnefi.Match(MatchFormat.TWO_LEGS, hnefi.Sides("a", "b")),
        MatchFormat.TWO_LEGS,
        Move("d1-c1"),
        hnefi.Outcome(Side.ATTACKERS, hnefi.Reason.TIME),
        Piece.KING,
        Ply("d1-c1", Side.ATTACKERS, ["c1"]),
        GAME.position,
        hnefi.Reason.TIME,
        SAMPLE,
        SAMPLE.nodes[0],
        SAMPLE.replay(),
        hnefi.record.MoveTree.of(SAMPLE, GAME),
        BRANDUB.rules,
        BRANDUB.tree,
        GAME.start,
        Side.ATTACKERS,
        hnefi.Sides("a", "b"),
        hnefi.match_rules(BRANDUB.rules)[0],
        Square("d1"),
        hnefi.SquareSet(7, "d1 a2"),
        BRANDUB,
        hnefi.engine.Analysis(depth=3),
        hnefi.puzzles.puzzle("brandub-globe-1"),
    )
}


@pytest.mark.parametrize("value", ONE.values(), ids=lambda value: type(value).__name__)
def test_a_public_value_survives_pickling_and_copying(value: object) -> None:
    for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert again == value
        assert hash(again) == hash(value)
        assert type(again) is type(value)


def test_every_public_class_of_values_is_copied_above() -> None:
    public = {one for name in hnefi.__all__ if isinstance(one := getattr(hnefi, name), type)}
    values = {one for one in public if not issubclass(one, Exception | hnefi.Engine | hnefi.ExternalEngine)}
    assert values == {*ONE} & public


PUBLIC_ERRORS = [
    *(one for name in hnefi.__all__ if isinstance(one := getattr(hnefi, name), type) and "Error" in name),
    IllegalMove,
    hnefi.formats.FormatError,
    hnefi.library.LibraryError,
    hnefi.match.MatchError,
]


@pytest.mark.parametrize("kind", PUBLIC_ERRORS)
def test_every_public_error_has_a_code_and_a_sentence_in_each_language(
    kind: type[HnefiError], monkeypatch: pytest.MonkeyPatch
) -> None:
    error = kind("not_on_board", "square = d9", {"square": "d9"})
    for again in (error, pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert isinstance(again, HnefiError)
        assert (again.code, again.detail) == ("not_on_board", "square = d9")
        assert again.parameters == error.parameters
        monkeypatch.setenv("HNEFI_LANG", "en")
        assert str(again) == "d9 is not on this board."
        monkeypatch.setenv("HNEFI_LANG", "fr")
        assert str(again).startswith("d9 n’est pas")


def test_a_pickled_game_with_calls_goes_on_as_the_other_one() -> None:
    setup = Setup("7/3K3/7/7/7/7/3t3 d")
    rules = variant("brandub-globe").rules
    called = CalledGame(hnefi.Game(rules, setup), "manual", sanction="replay")
    for move in ("d6-a6", "d1-d2", "a6-a1"):
        again = pickle.loads(pickle.dumps(called))
        assert again == called
        assert (again.open_roads, again.called, again.must_replay) == (
            called.open_roads,
            called.called,
            called.must_replay,
        )
        assert again.play(move) == called.play(move)
        called = called.play(move)
    assert called.refused
    assert pickle.loads(pickle.dumps(called)).refused


def test_a_printed_game_is_its_board() -> None:
    assert str(GAME) == diagram.text(GAME)
    assert str(CalledGame(GAME, "off")) == diagram.text(GAME)
    assert len(repr(GAME)) < 80
    assert len(repr(diagram.playable(GAME))) < 80


@pytest.mark.parametrize("package", ["engine", "lab", "variants"])
def test_dir_and_help_show_every_public_name_of_a_package(package: str) -> None:
    module = import_module(f"hnefi.{package}")
    assert dir(module) == sorted(module.__all__)
    text = pydoc.plain(pydoc.render_doc(module))
    assert not [name for name in module.__all__ if name not in text]


def test_dir_shows_every_public_name_and_module() -> None:
    assert dir(hnefi) == sorted(hnefi.__all__)
    assert {"__version__", "engine", "formats", "library", "record"} <= {*dir(hnefi)}
    starred: dict[str, object] = {}
    exec("from hnefi import *", starred)
    assert {*hnefi.__all__} == {*starred} - {"__builtins__"}


def test_modules_are_there_after_import_and_python_m_runs() -> None:
    code = "import hnefi; print(hnefi.formats.__name__, hnefi.record.parse_records.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "hnefi.formats parse_records\n"
    done = subprocess.run(
        [sys.executable, "-m", "hnefi", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"hnefi {hnefi.__version__}\n"


def test_values_in_the_wrong_place_are_named_with_what_is_expected() -> None:
    brandub = variant("brandub-globe")
    assert brandub.with_switches({"quiet_limit": 60}).switches == {"quiet_limit": "60"}
    with pytest.raises(TypeError, match="name: None, expected Variant or str"):
        variant(None)  # type: ignore[arg-type]
    for name, most in (("threads", 256), ("table_mib", 65536)):
        with pytest.raises(ValueError, match=f"{name}: 0, expected 1 to {most}"):
            hnefi.Engine(**{name: 0})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'fox', expected 1 to 10"):
        level("fox")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'brandub-globe-9999', expected an id such as"):
        puzzle("brandub-globe-9999")
    with pytest.raises(ValueError, match="'nonsense', expected one of"):
        puzzles(theme="nonsense")
    with pytest.raises(VariantError, check=has_code("unknown_variant")):
        puzzles("brandubb-globe")
    board = GAME.position
    drawn = diagram.svg(board, arrows=[("d2", "c2", "drawn")])
    assert diagram.svg(board, arrows=[("d2", "c2")]) == drawn
