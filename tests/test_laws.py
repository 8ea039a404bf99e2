"""Laws of values, positions and games, over random games by random rules."""

import json
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hnefi import (
    Game,
    IllegalMove,
    Move,
    Piece,
    Position,
    Reason,
    Rules,
    Setup,
    Side,
    Square,
    format_move,
    parse_move,
    variant,
)
from hnefi._core import random_game
from tests.samples import examples
from tests.strategies import games, positions, setups, squares, trees

# The codes of a well-formed move that the rules refuse (decision 9).
REFUSALS = {
    *("game_over", "no_piece", "not_your_piece", "not_on_board", "no_move_made", "not_in_line"),
    *("path_blocked", "square_occupied", "too_far", "throne_no_stop", "throne_no_pass", "corner_no_stop"),
    *("corner_no_pass", "camp_closed", "must_replay", "wrong_captures", "must_capture", "other_goes_on"),
}
TURNED = {Piece.ATTACKER_RENEGADE: Piece.DEFENDER_RENEGADE, Piece.DEFENDER_RENEGADE: Piece.ATTACKER_RENEGADE}
MANNERS = {
    *("custodial", "three_sides", "four_sides", "commanders", "jump", "linnaean", "blocked_group"),
    *("shieldwall", "row"),
}
JUMPER = {
    Piece.KING: "king",
    **dict.fromkeys((Piece.ATTACKER_COMMANDER, Piece.DEFENDER_COMMANDER), "commanders"),
    **dict.fromkeys((Piece.ATTACKER_KNIGHT, Piece.DEFENDER_KNIGHT), "knights"),
}
SMALL = st.sampled_from([5, 5, 7, 9])

laws = examples(20)


# --- Texts ----------------------------------------------------------------------------------------------


@given(squares(19))
def test_a_square_reads_back(square: Square) -> None:
    assert Square(square.name) == Square(square.name.upper()) == square
    assert Square.at(square.file, square.rank) == square
    assert square.name == "abcdefghijklmnopqrs"[square.file] + str(square.rank + 1)


@given(squares(19), squares(19), st.lists(squares(19), max_size=5, unique=True))
def test_a_move_reads_back(origin: Square, target: Square, captures: list[Square]) -> None:
    move = Move.of(origin, target)
    assert (move.from_square, move.to_square) == (origin, target)
    assert Move(str(move)) == move
    text = format_move(move, captures)
    assert parse_move(text) == (move, tuple(sorted(captures)) or None)
    assert format_move(*(move, sorted(captures))) == text
    assert text == str(move) + ("x" + "/".join(one.name for one in sorted(captures)) if captures else "")


@given(setups())
def test_a_setup_reads_back(setup: Setup) -> None:
    assert Setup(str(setup)) == setup
    assert Setup.of(setup.size, setup.pieces, setup.turn, setup.quiet, setup.going) == setup
    rows, side, quiet, *going = str(setup).split()
    assert (side, int(quiet)) == (setup.turn.value[0], setup.quiet)
    assert going == ([] if setup.going is None else [setup.going.name])
    assert len(rows.split("/")) == setup.size
    assert sum(letter.isalpha() for letter in rows) == len(setup.pieces)
    assert hash(Setup(str(setup))) == hash(setup)


@given(trees())
@laws
def test_a_rules_tree_reads_back(tree: dict[str, object]) -> None:
    rules = Rules(json.dumps(tree))
    again = Rules(rules.to_json())
    assert again == rules
    assert again.to_json() == rules.to_json()
    assert hash(again) == hash(rules)


# --- Symmetry -------------------------------------------------------------------------------------------


def mapped(rules: Rules, move: Move, symmetry: int) -> Move:
    return Move.of(rules.map_square(move.from_square, symmetry), rules.map_square(move.to_square, symmetry))


@given(positions())
@laws
def test_a_transformed_position_has_the_transformed_moves(position: Position) -> None:
    rules = position.rules
    for symmetry in rules.symmetries:
        image = position.transformed(symmetry)
        assert image.turn == position.turn
        assert image.outcome == position.outcome
        assert image.threatened_king == position.threatened_king
        assert {mapped(rules, move, symmetry) for move in position.legal_moves()} == set(image.legal_moves())
        assert {mapped(rules, move, symmetry).from_square for move in position.open_roads} == {
            move.from_square for move in image.open_roads
        }
        assert len(image.open_roads) == len(position.open_roads)


@given(positions(), st.data())
@laws
def test_a_transformed_move_does_the_transformed_thing(position: Position, data: st.DataObject) -> None:
    moves = position.legal_moves()
    assume(moves)
    move = data.draw(st.sampled_from(moves))
    rules, described = position.rules, position.describe(move)
    for symmetry in rules.symmetries:
        image, image_move = position.transformed(symmetry), mapped(rules, move, symmetry)
        there = image.describe(image_move)
        assert there.outcome == described.outcome
        assert {(one.square, one.piece, one.how) for one in there.captures} == {
            (rules.map_square(one.square, symmetry), one.piece, one.how) for one in described.captures
        }
        assert image.play(image_move) == position.play(move).transformed(symmetry)


def image_of(square: Square, symmetry: int, size: int) -> Square:
    """Bit 0 mirrors the files, bit 1 the ranks, bit 2 then swaps the two."""
    file = size - 1 - square.file if symmetry & 1 else square.file
    rank = size - 1 - square.rank if symmetry & 2 else square.rank
    return Square.at(rank, file) if symmetry & 4 else Square.at(file, rank)


@given(trees(), st.data())
@laws
def test_symmetries_are_those_the_camps_allow(tree: dict[str, object], data: st.DataObject) -> None:
    rules = Rules(json.dumps(tree))
    size, camps = rules.size, {frozenset(camp) for camp in rules.camps}
    kept = [
        symmetry
        for symmetry in range(8)
        if {frozenset(image_of(square, symmetry, size) for square in camp) for camp in camps} == camps
    ]
    assert list(rules.symmetries) == kept
    square = data.draw(squares(size))
    for symmetry in kept:
        assert rules.map_square(square, symmetry) == image_of(square, symmetry, size)
    for symmetry in set(range(9)) - set(kept):
        with pytest.raises(ValueError, match="symmetry"):
            rules.map_square(square, symmetry)


# --- Hash and equality ----------------------------------------------------------------------------------


@given(games())
@laws
def test_the_key_kept_up_is_the_key_from_scratch(game: Game) -> None:
    while game is not None:
        position = game.position
        assert game.zobrist == position.zobrist == Position(game.rules, Setup(str(position))).zobrist
        if game.parent is None:
            return
        game = game.parent


@given(positions(), st.integers(0, 999))
@laws
def test_the_counter_is_no_part_of_a_position(position: Position, quiet: int) -> None:
    size, pieces, going = position.rules.size, position.pieces, position.going
    other = Position(position.rules, Setup.of(size, pieces, position.turn, quiet, going))
    assert other == position
    assert (hash(other), other.zobrist) == (hash(position), position.zobrist)
    others = [Setup.of(size, pieces, position.turn.opponent, quiet)]
    if going is not None:  # the piece in mid-turn is part of the setup
        others.append(Setup.of(size, pieces, position.turn, quiet))
    for setup in others:
        assert Position(position.rules, setup) != position
        assert Position(position.rules, setup).zobrist != position.zobrist


@given(games(), st.data())
@laws
def test_two_orders_of_moves_lead_to_one_position(game: Game, data: st.DataObject) -> None:
    moves = game.legal_moves()
    assume(moves)
    first, second = data.draw(st.sampled_from(moves)), data.draw(st.sampled_from(moves))
    between = game.play(first).legal_moves()
    assume(between)
    reply = data.draw(st.sampled_from(between))
    found = []
    for order in ((first, reply, second), (second, reply, first)):
        after = game
        for move in order:
            if not after.is_legal(move):
                return
            after = after.play(move)
        found.append(after)
    one, other = found
    if one.position.pieces == other.position.pieces and one.position.turn == other.position.turn:
        assert one.position == other.position
        assert hash(one.position) == hash(other.position)
        assert one.zobrist == other.zobrist
    else:
        assert one.position != other.position


# --- What a move may change -----------------------------------------------------------------------------


@given(games())
@laws
def test_pieces_never_come_back_and_only_the_enemy_loses_them(game: Game) -> None:
    line = [game]
    while line[-1].parent is not None:
        line.append(line[-1].parent)
    for after, before in pairwise(line):
        ply = after.last
        assert ply is not None
        old, new = before.position.pieces, after.position.pieces
        moved = old.pop(ply.move.from_square)
        assert new.pop(ply.move.to_square) is moved
        assert moved.side is ply.side
        gone = dict(old.items() - new.items())
        for square, piece in new.items() - old.items():  # a renegade who was captured
            assert piece is TURNED[gone[square]]
        assert all(piece.side is not ply.side for piece in gone.values())
        men = [square for square, piece in gone.items() if piece is not Piece.KING]
        assert tuple(sorted(men)) == ply.captures
        stops = ply.move.from_square == ply.move.to_square
        if stops:  # of a piece that has captured and could go on
            assert before.position.may_end_turn
            assert before.position.going == ply.move.from_square
        assert after.quiet == (0 if gone else before.quiet if stops else before.quiet + 1)
        if Piece.KING in gone.values():
            assert after.outcome is not None
            assert after.outcome.reason is Reason.KING_CAPTURED


@given(games())
@laws
def test_a_game_continues_exactly_while_there_are_moves(game: Game) -> None:
    assert (game.outcome is None) == bool(game.legal_moves()) == (game.turn is not None)
    position = game.position
    for turn in Side:
        loaded = Position(game.rules, Setup.of(game.rules.size, position.pieces, turn, 0))
        if loaded.outcome is None and not loaded.legal_moves():
            assert json.loads(game.rules.to_json())["ends"]["no_move"] == "pass"
            assert Game(game.rules, loaded.setup).passed
        if loaded.outcome is not None:
            assert loaded.legal_moves() == []


def refusal(position: Position, move: Move) -> str | None:
    """Returns the code with which a move is refused, None if it is not."""
    try:
        position.check(move)
    except IllegalMove as error:
        return error.code if "\n" not in str(error) else "more than one line"
    return None


@given(positions(SMALL))
@examples(4)
def test_legal_are_the_legal_moves_and_the_rest_is_refused_with_a_code(position: Position) -> None:
    legal = position.legal_moves()
    assert len(set(legal)) == len(legal)
    size = position.rules.size
    lines = range(min(size + 1, 19))  # one beyond the edge, where squares have a name there
    board = [Square.at(file, rank) for file in lines for rank in lines]
    pairs = [Move.of(origin, target) for origin in board for target in board]
    codes = {move: refusal(position, move) for move in pairs}
    assert {move for move in pairs if position.is_legal(move)} == set(legal)
    assert {move for move, code in codes.items() if code is None} == set(legal)
    assert {code for code in codes.values() if code} <= REFUSALS


@given(positions())
@laws
def test_a_description_agrees_with_playing_the_move(position: Position) -> None:
    jumps = json.loads(position.rules.to_json())["special"]["jumps"]
    for move in position.legal_moves():
        described, after = position.describe(move), position.play(move)
        before = position.pieces
        assert described.move == move
        assert described.piece is before.pop(move.from_square)
        left = after.pieces
        assert left.pop(move.to_square) is described.piece
        taken = {one.square: one.piece for one in described.captures}
        assert len(taken) == len(described.captures)
        assert taken == dict(before.items() - left.items())
        for one in described.captures:
            assert one.how in MANNERS
            assert one.by[0] == move.to_square
            if one.how == "jump":
                assert jumps[JUMPER[described.piece]] == "capture"
            if one.how == "commanders":
                assert (described.piece, one.piece) == (Piece.ATTACKER_COMMANDER, Piece.KING)
        game = Game(position.rules, position.setup).play(move)
        if described.outcome is not None:
            assert game.outcome == described.outcome


def test_jump_does_not_capture_a_piece_held_by_the_throne() -> None:
    start = Setup("t10/11/11/11/5t5/5K5/11/11/11/11/10T d 0")
    described = Position(variant("berserk-11").rules, start).describe(Move("f6-f8"))
    (capture,) = described.captures
    assert capture.how == "custodial"
    assert [square.name for square in capture.by] == ["f8", "f6"]


@given(positions())
@laws
def test_exits_and_danger_are_moves_that_are_there(position: Position) -> None:
    king = position.king
    if king is None:
        assert position.open_roads == ()
        assert not position.threatened_king
        return
    pieces, size = position.pieces, position.rules.size
    defending = Position(position.rules, Setup.of(size, pieces, Side.DEFENDERS))
    attacking = Position(position.rules, Setup.of(size, pieces, Side.ATTACKERS))
    goals = set(position.rules.goals)
    if defending.outcome is None:
        ways = [
            move for move in defending.legal_moves() if move.from_square == king and move.to_square in goals
        ]
        assert set(position.open_roads) <= set(ways)
        assert bool(ways) == bool(position.open_roads)
    if attacking.outcome is None:
        takes = any(
            capture.piece is Piece.KING
            for move in attacking.legal_moves()
            for capture in attacking.describe(move).captures
        )
        assert position.threatened_king == takes


# --- Counting -------------------------------------------------------------------------------------------


@given(positions(st.sampled_from([5, 7])), st.integers(1, 3))
@examples(6)
def test_counts_by_first_move_add_up(position: Position, depth: int) -> None:
    assert sum(position.divide(depth).values()) == position.perft(depth)


@given(trees(), st.integers(0, 2**32), st.integers(0, 30))
@examples(15)
def test_playing_counts_as_perft_does(tree: dict[str, dict[str, object]], seed: int, plies: int) -> None:
    tree["ends"]["repetition"] = {"count": 0, "result": "none"}  # perft does not look at it
    game = random_game(Rules(json.dumps(tree)), seed, plies)

    def count(game: Game, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(count(game.play(move), depth - 1) for move in game.legal_moves())

    moves = len(game.legal_moves())
    depth = 3 if moves < 12 else 2 if moves < 100 else 1
    expected = count(game, depth) if game.outcome is None else 0
    position = game.position
    if game.outcome is None or position.outcome is not None:
        assert position.perft(depth) == expected
