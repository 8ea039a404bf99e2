"""Square sets: their operations, and where pieces can go and be captured."""

import pytest

from hnefi import Side, Square, SquareSet, random_game, squares, variant


def test_the_operations_are_those_of_sets_with_squares_or_names() -> None:
    some, every = SquareSet(7, "g7 a1"), ~SquareSet(7)
    assert [square.name for square in some] == ["a1", "g7"]
    assert some & {"a1"} == some - {"g7"} == SquareSet(7, ["a1"])
    assert some | {"b1"} == SquareSet(7, "a1 b1 g7") == some ^ {"b1"}
    assert some ^ {"a1", "b1"} == SquareSet(7, "b1 g7")
    assert some == {Square("a1"), Square("g7")}
    assert some <= {Square("a1"), Square("g7")} < every
    assert {"a1"} | some == some | ["a1"] == some
    assert some < every
    grown: SquareSet = some & every
    grown |= ["b1"]
    assert [square.name for square in grown] == ["a1", "b1", "g7"]
    assert len(every) == 49
    assert ~every == SquareSet(7)
    assert "g7" in some
    assert 7 not in some
    assert hash(some) == hash(SquareSet(7, "a1 g7"))
    assert repr(some) == "SquareSet(7, 'a1 g7')"
    with pytest.raises(ValueError, match="not on a board of 7 x 7"):
        some.__or__({"a8"})


@pytest.mark.parametrize("variant_id", ["brandub-globe", "berserk-11", "alea-evangelii-19"])
def test_capturable_pieces_are_those_that_legal_moves_capture(variant_id: str) -> None:
    rules = variant(variant_id).rules
    for seed in range(5):
        position = random_game(rules, seed, 40).position
        moves, side = position.legal_moves(), position.turn
        captured = {capture.square for move in moves for capture in position.describe(move).captures}
        assert {*squares.capturable(position, side.opponent)} == captured
        for square in squares.pieces_on(position, side):
            reached = squares.reachable(position, square)
            assert {*reached} == {move.to_square for move in position.legal_moves(square)}
            assert squares.unsafe(position, square) <= reached
        both = squares.pieces_on(position, Side.ATTACKERS) | squares.pieces_on(position, Side.DEFENDERS)
        assert {*both} == {*position.pieces}
