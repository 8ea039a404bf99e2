"""Sets of squares: those of pieces, those a piece can reach, and those on which pieces can be captured."""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any

from hnefi._core import Position, Setup, Square
from hnefi.errors import SetupError
from hnefi.pieces import Piece, Side

_LARGEST = 19


class SquareSet(AbstractSet[Square]):
    """An immutable set of squares of a board, iterated in board order: from `a1` rank by rank.

    `|`, `&`, `-`, `^` and `in` take squares or their names; it is compared with other sets of squares.

    >>> from hnefi import SquareSet
    >>> edge = SquareSet(5, "a1 c5")
    >>> [square.name for square in (edge | ["b1"]) - {"c5"}], "a1" in edge
    (['a1', 'b1'], True)
    >>> print(edge)
    5 . . x . .
    4 . . . . .
    3 . . . . .
    2 . . . . .
    1 x . . . .
      a b c d e
    """

    __slots__ = ("_squares", "size")

    def __init__(self, size: int, squares: Iterable[Square | str] | str = ()) -> None:
        """Creates a set.

        Args:
            size: The number of squares along a side of the board.
            squares: The squares, or their names separated by spaces.

        Raises:
            SetupError: If a name is not that of a square.
            ValueError: If the size is out of bounds, or a square is not on the board.
        """
        if not 1 <= size <= _LARGEST:
            raise ValueError(f"size: {size}, expected 1 to {_LARGEST}")
        self.size = size
        """The number of squares along a side of the board."""
        found = map(Square, squares.split() if isinstance(squares, str) else squares)
        self._squares = dict.fromkeys(sorted(found, key=lambda one: (one.rank, one.file)))
        for square in self._squares:
            if max(square.file, square.rank) >= size:
                raise ValueError(f"{square}: not on a board of {size} x {size}")

    def _from_iterable(self, squares: Iterable[Square | str]) -> "SquareSet":  # type: ignore[override]
        """Returns a set of the same board; the operations of `Set` call it."""
        return SquareSet(self.size, squares)

    def __contains__(self, square: object) -> bool:
        try:
            return isinstance(square, Square | str) and Square(square) in self._squares
        except SetupError:
            return False

    def __iter__(self) -> Iterator[Square]:
        return iter(self._squares)

    def __len__(self) -> int:
        return len(self._squares)

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)

    def __and__(self, other: Iterable[Any]) -> "SquareSet":
        return self._from_iterable(self._squares.keys() & self._from_iterable(other))

    def __or__(self, other: Iterable[Any]) -> "SquareSet":
        return self._from_iterable((*self, *other))

    def __xor__(self, other: Iterable[Any]) -> "SquareSet":
        return self._from_iterable(self._squares.keys() ^ self._from_iterable(other))

    def __sub__(self, other: Iterable[Any]) -> "SquareSet":
        return self._from_iterable(self._squares.keys() - self._from_iterable(other))

    def __invert__(self) -> "SquareSet":
        every = (Square.at(file, rank) for rank in range(self.size) for file in range(self.size))
        return self._from_iterable(square for square in every if square not in self._squares)

    def __hash__(self) -> int:
        return self._hash()

    def __repr__(self) -> str:
        return f"SquareSet({self.size}, {' '.join(square.name for square in self)!r})"

    def __str__(self) -> str:
        rows = [
            f"{rank + 1:>{len(str(self.size))}} "
            + " ".join(".x"[Square.at(file, rank) in self._squares] for file in range(self.size))
            for rank in reversed(range(self.size))
        ]
        letters = " ".join(chr(ord("a") + file) for file in range(self.size))
        return "\n".join([*rows, f"{'':>{len(str(self.size))}} {letters}"])


def pieces_on(position: Position, kind: Piece | Side) -> SquareSet:
    """Returns the squares of one kind of piece, or of all pieces of a side.

    >>> from hnefi import Side, squares, variant
    >>> start = variant("brandub-globe").new_game().position
    >>> [square.name for square in squares.pieces_on(start, Side.DEFENDERS)]
    ['d3', 'c4', 'd4', 'e4', 'd5']
    """
    if not isinstance(kind, Piece | Side):
        raise TypeError(f"kind: {kind!r}, expected a Piece or a Side, such as Side.ATTACKERS")
    pieces = position.pieces.items()
    return SquareSet(position.rules.size, (square for square, piece in pieces if kind in (piece, piece.side)))


def reachable(position: Position, square: Square | str) -> SquareSet:
    """Returns the squares that the piece on a square could move to if its side were to move.

    >>> from hnefi import squares, variant
    >>> start = variant("brandub-globe").new_game().position
    >>> [square.name for square in squares.reachable(start, "d3")]
    ['a3', 'b3', 'c3', 'e3', 'f3', 'g3']
    """
    piece = position.piece_at(square)
    moves = [] if piece is None else _to_move(position, piece.side).legal_moves(square)
    return SquareSet(position.rules.size, (move.to_square for move in moves))


def capturable(position: Position, side: Side) -> SquareSet:
    """Returns the squares of a side's pieces that the other side could capture if it were to move.

    >>> from hnefi import Position, Setup, Side, squares, variant
    >>> position = Position(variant("brandub-globe").rules, Setup("7/7/2tT3/7/4t2/7/1K5 d"))
    >>> [square.name for square in squares.capturable(position, Side.DEFENDERS)]
    ['b1', 'd5']
    """
    other = _to_move(position, Side(side).opponent)
    captures = (capture for move in other.legal_moves() for capture in other.describe(move).captures)
    return SquareSet(position.rules.size, (capture.square for capture in captures))


def unsafe(position: Position, square: Square | str) -> SquareSet:
    """Returns the squares that the piece on a square can move to, but could be captured on by the next move.

    This plays each of its moves, and describes all replies to it.

    >>> from hnefi import Position, Setup, squares, variant
    >>> position = Position(variant("brandub-globe").rules, Setup("7/7/7/2t4/4t2/7/1K1T3 d"))
    >>> [square.name for square in squares.unsafe(position, "d1")]
    ['f1', 'd3']
    """
    piece = position.piece_at(square)
    if piece is None:
        return SquareSet(position.rules.size)
    mine = _to_move(position, piece.side)
    moves = (move for move in mine.legal_moves(square) if mine.describe(move).outcome is None)
    found = (m.to_square for m in moves if m.to_square in capturable(mine.play(m), piece.side))
    return SquareSet(position.rules.size, found)


def _to_move(position: Position, side: Side) -> Position:
    """Returns the position with a side to move; in the middle of a turn of the other, as if it had ended."""
    if position.turn is side:
        return position
    setup = position.setup
    return Position(position.rules, Setup.of(setup.size, setup.pieces, side, setup.quiet))
