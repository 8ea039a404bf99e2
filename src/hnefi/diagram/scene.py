"""The content of a diagram: a game, a position or a setup, to be drawn as SVG or as text."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from hnefi.diagram.board import Special
from hnefi.pieces import Piece, Side
from hnefi.staging import Coordinates, place_of
from hnefi.variants.finding import rules_of

_STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}

if TYPE_CHECKING:
    from hnefi._core import Game, Move, Position, Rules, Setup, Square
    from hnefi.variants.model import Variant

    Board = Game | Position | Setup | Rules | Variant | str


class ShownCapture(Protocol):
    """The part of a capture that drawings need, as returned by `Position.describe`."""

    @property
    def square(self) -> "Square":
        """The square of the captured piece."""

    @property
    def piece(self) -> Piece:
        """The captured piece."""

    @property
    def by(self) -> "tuple[Square, ...]":
        """The squares that enclosed it."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The contents of a board at one moment.

    Attributes:
        hostile: The empty special squares that are hostile to a piece.
        closed_sides: The closed places beside the king, also beyond the edge.
        last_move: Origin and target of the last move.
        victims: The captures of the last move by place, with the places that enclosed them.
        emptied: The places of captures, if nothing more is known about them.
        is_over: Whether it is a game that has ended: no side is to move.
    """

    size: int
    pieces: dict[Coordinates, Piece]
    turn: Side
    special: Special = field(default_factory=Special)
    hostile: frozenset[Coordinates] = frozenset()
    closed_sides: tuple[Coordinates, ...] = ()
    last_move: tuple[Coordinates, Coordinates] | None = None
    victims: dict[Coordinates, tuple[Piece, tuple[Coordinates, ...]]] = field(default_factory=dict)
    emptied: tuple[Coordinates, ...] = ()
    is_over: bool = False

    @property
    def king(self) -> Coordinates | None:
        """The place of the king, captured or not."""
        on_board = [place for place, piece in self.pieces.items() if piece is Piece.KING]
        taken = [place for place, (piece, _) in self.victims.items() if piece is Piece.KING]
        return next(iter(on_board + taken), None)


def board_of(board: "Board") -> "Game | Position | Setup":
    """Returns what a board to draw stands for: a setup for its text, the start for rules or a variant."""
    from hnefi._core import Game, Position, Setup

    if isinstance(board, Game | Position | Setup):
        return board
    return Setup(board) if isinstance(board, str) and "/" in board else Game(board)


def scene_of(
    board: "Board",
    *,
    rules: "Rules | Variant | str | None" = None,
    played: "Move | str | None" = None,
    last_move: "Move | str | None" = None,
) -> Scene:
    """Returns the scene of a board.

    Args:
        board: A game (with its last move), a position, a setup or its text, or rules or a variant for their
            start.
        rules: The rules of a setup; without them it has no special squares.
        played: A legal move, shown as just played, with fading captures.
        last_move: The move that led to the position.

    Raises:
        IllegalMove: If `played` is not legal.
        SetupError: If a setup has another size than its rules, or more than one king.
        ValueError: If `played` is given with a setup, which has no rules, or `last_move` is not on the board.
    """
    from hnefi._core import Game, Move, Position, Setup

    board = board_of(board)
    emptied: tuple[Coordinates, ...] = ()
    position = board.position if isinstance(board, Game) else board
    if isinstance(board, Game) and board.last and played is None and last_move is None:
        last_move = board.last.move
        emptied = tuple(place_of(square) for square in (*board.last.captures, *_captured_king(board)))
    if isinstance(position, Position):
        setup, rules = position.setup, position.rules
    else:
        setup = position
    pieces = {place_of(square): piece for square, piece in setup.pieces.items()}
    victims: dict[Coordinates, tuple[Piece, tuple[Coordinates, ...]]] = {}
    if played is not None:
        if not isinstance(position, Position):
            raise ValueError("played: a move of a setup, expected a position, which has rules")
        described = position.describe(played)
        last_move = described.move
        victims = _victims(described.captures)
        pieces[place_of(last_move.to_square)] = pieces.pop(place_of(last_move.from_square))
        pieces = {place: piece for place, piece in pieces.items() if place not in victims}
    move = Move(last_move) if last_move else None
    return _with_rules(
        Scene(
            size=setup.size,
            pieces=pieces,
            turn=setup.turn,
            last_move=_ends(move, setup.size) if move else None,
            victims=victims,
            emptied=emptied,
            is_over=played is None and not isinstance(board, Setup) and board.outcome is not None,
        ),
        rules,
    )


def place_on(square: "Square | str", size: int) -> Coordinates:
    """Returns the place of a square.

    Raises:
        ValueError: If it is not on a board of this size.
    """
    place = place_of(square)
    if max(place) >= size:
        raise ValueError(f"{square}: not on a board of {size} x {size}")
    return place


def _ends(move: "Move", size: int) -> tuple[Coordinates, Coordinates]:
    return place_on(move.from_square, size), place_on(move.to_square, size)


def _captured_king(game: "Game") -> list["Square"]:
    """Returns the square on which the last move captured the king: a ply names only soldiers."""
    before = game.parent.position.setup.pieces if game.parent else {}
    if Piece.KING in game.position.setup.pieces.values():
        return []
    return [square for square, piece in before.items() if piece is Piece.KING]


def _victims(captures: Iterable[ShownCapture]) -> dict[Coordinates, tuple[Piece, tuple[Coordinates, ...]]]:
    return {
        place_of(capture.square): (capture.piece, tuple(place_of(square) for square in capture.by))
        for capture in captures
    }


def _with_rules(scene: Scene, subject: "Rules | Variant | str | None") -> Scene:
    """Adds the special squares of the rules, and which of them are hostile now."""
    if subject is None:
        return scene
    rules = rules_of(subject)
    position = _position_to_show(scene, rules)
    hostile = {place_of(square) for square in position.hostile_squares}
    return replace(
        scene,
        special=Special.of(rules),
        hostile=frozenset(hostile - scene.pieces.keys() - scene.victims.keys()),
        closed_sides=_closed_sides(position),
    )


def _position_to_show(scene: Scene, rules: "Rules") -> "Position":
    """Returns the position to show, with a just captured king on his square."""
    from hnefi._core import Position, Setup, Square

    taken = {place: piece for place, (piece, _) in scene.victims.items() if piece is Piece.KING}
    pieces = {Square.at(*place): piece for place, piece in (scene.pieces | taken).items()}
    return Position(rules, Setup.of(scene.size, pieces, scene.turn))


def _closed_sides(position: "Position") -> tuple[Coordinates, ...]:
    if position.king is None:
        return ()
    file, rank = place_of(position.king)
    steps = [_STEPS[side] for side in position.closed_sides]
    return tuple((file + across, rank + up) for across, up in steps)
