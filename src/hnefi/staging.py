"""Sets up small positions by hand: for the pictures of the rules in words, and for the examples of rules."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from hnefi._core import Move, Rules, Setup, Square
from hnefi.pieces import Piece, Side

Coordinates = tuple[int, int]
"""The file and rank of a place, both from 0. A place may lie outside the board."""

DIRECTIONS: tuple[Coordinates, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))


@cache
def square_at(place: Coordinates) -> Square:
    """Returns the square of a place."""
    return Square.at(*place)


def place_of(square: Square | str) -> Coordinates:
    """Returns the place of a square."""
    square = Square(square)
    return square.file, square.rank


def step(place: Coordinates, direction: Coordinates, count: int = 1) -> Coordinates:
    """Returns the place `count` steps further."""
    return place[0] + count * direction[0], place[1] + count * direction[1]


def neighbours(place: Coordinates) -> tuple[Coordinates, ...]:
    """Returns the four places beside a place."""
    return tuple(step(place, direction) for direction in DIRECTIONS)


def distance(first: Coordinates, second: Coordinates) -> int:
    """Returns the number of steps from one place to another."""
    return abs(first[0] - second[0]) + abs(first[1] - second[1])


def move_between(origin: Coordinates, target: Coordinates) -> Move:
    """Returns the move from one place to another."""
    return Move.of(square_at(origin), square_at(target))


def setup_of(
    size: int,
    pieces: Mapping[Coordinates, Piece],
    turn: Side,
    quiet: int = 0,
    going: Coordinates | None = None,
) -> Setup:
    """Returns the setup with some pieces.

    Args:
        size: The side of the board, in squares.
        quiet: The plies since the last capture.
        going: The piece in the middle of its turn.
    """
    by_square = {square_at(place): piece for place, piece in pieces.items()}
    return Setup.of(size, by_square, turn, quiet, None if going is None else square_at(going))


class _Limits(NamedTuple):
    """The places on which a set of rules allows only certain kinds of pieces to stop."""

    throne: Coordinates | None
    throne_stop: frozenset[str]
    corners: frozenset[Coordinates]
    corner_stop: frozenset[str]


@lru_cache(maxsize=512)  # bounded: a server sees any number of custom rules
def _limits_of(rules: Rules) -> _Limits:
    movement = rules.tree.movement
    return _Limits(
        None if rules.throne is None else place_of(rules.throne),
        frozenset(movement.throne_stop),
        frozenset(map(place_of, rules.corners)),
        frozenset(movement.corner_stop),
    )


def _kind(piece: Piece) -> str:
    return "king" if piece is Piece.KING else piece.side.value


def may_stand(rules: Rules, pieces: Iterable[tuple[Coordinates, Piece]]) -> bool:
    """Checks that every piece may have stopped on its place; the king may always be on the throne."""
    limits = _limits_of(rules)
    for place, piece in pieces:
        if place in limits.corners and _kind(piece) not in limits.corner_stop:
            return False
        if place == limits.throne and piece is not Piece.KING and _kind(piece) not in limits.throne_stop:
            return False
    return True


def crop_around(size: int, places: Sequence[Coordinates], span: tuple[int, int]) -> tuple[Square, Square]:
    """Returns opposite corners of the part of a board that shows some places, with a minimum span."""
    bounds = []
    for axis in (0, 1):
        low, high = min(place[axis] for place in places), max(place[axis] for place in places)
        while high - low + 1 < min(span[axis], size):
            if high < size - 1:
                high += 1
            if high - low + 1 < min(span[axis], size) and low > 0:
                low -= 1
        bounds.append((low, high))
    (left, right), (bottom, top) = bounds
    return square_at((left, bottom)), square_at((right, top))
