"""What is to be shown of a game, a position or a setup, however it is then drawn."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from hnefi.diagram.board import Special
from hnefi.diagram.view import Place
from hnefi.pieces import Piece, Side

if TYPE_CHECKING:
    from hnefi._core import Game, Move, Position, Rules, Setup, Square

__all__ = ["Scene", "ShownCapture", "place_of", "scene_of"]


class ShownCapture(Protocol):
    """What a drawing needs of a capture, as `Position.describe` gives it."""

    @property
    def square(self) -> "Square":
        """Where the captured piece stood."""

    @property
    def piece(self) -> Piece:
        """What was captured."""

    @property
    def by(self) -> "tuple[Square, ...]":
        """The squares that closed it in."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The things on a board at one moment.

    Attributes:
        size: The side of the board, in squares.
        pieces: The pieces by place.
        turn: The side to move.
        special: The special squares.
        hostile: The special squares that stand empty and are hostile to somebody.
        hostile_to_king: Those of them that are hostile to the king.
        edge_hostile_king: Whether the edge closes in the king.
        last_move: Where the last move began and ended.
        victims: What the last move captured, by place, with the places that closed it in.
        emptied: Where the last move captured something, if no more is known of it.
    """

    size: int
    pieces: dict[Place, Piece]
    turn: Side
    special: Special = field(default_factory=Special)
    hostile: frozenset[Place] = frozenset()
    hostile_to_king: frozenset[Place] = frozenset()
    edge_hostile_king: bool = False
    last_move: tuple[Place, Place] | None = None
    victims: dict[Place, tuple[Piece, tuple[Place, ...]]] = field(default_factory=dict)
    emptied: tuple[Place, ...] = ()

    @property
    def king(self) -> Place | None:
        """Where the king stands, captured or not."""
        on_board = [place for place, piece in self.pieces.items() if piece is Piece.KING]
        taken = [place for place, (piece, _) in self.victims.items() if piece is Piece.KING]
        return next(iter(on_board + taken), None)

    def closed_sides_of_king(self) -> list[Place]:
        """Lists the places beside the king that are closed to him; one beyond the edge may be among them."""
        king = self.king
        if king is None:
            return []
        return [place for place in neighbours(king) if self._is_closed(place)]

    def _is_closed(self, place: Place) -> bool:
        if not all(0 <= at < self.size for at in place):
            return self.edge_hostile_king
        return self.pieces.get(place) is Piece.ATTACKER or place in self.hostile_to_king


def neighbours(place: Place) -> list[Place]:
    """Lists the four places beside a place, on the board or not."""
    file, rank = place
    return [(file, rank + 1), (file + 1, rank), (file, rank - 1), (file - 1, rank)]


def place_of(square: "Square") -> Place:
    """Gives the file and rank of a square."""
    return square.file, square.rank


def scene_of(
    board: "Position | Game | Setup",
    *,
    rules: "Rules | None" = None,
    played: "Move | None" = None,
    last_move: "Move | None" = None,
) -> Scene:
    """Gives what is to be shown of a board.

    Args:
        board: A game (with its last move), a position or a setup.
        rules: The rules that a setup is for; without them it has no special squares.
        played: A legal move, shown as it has just been made: its captures fade.
        last_move: The move that led here.

    Raises:
        IllegalMove: If `played` is not legal.
        ValueError: If `played` is given with a setup, which has no rules.
    """
    from hnefi._core import Game, Position

    emptied: tuple[Place, ...] = ()
    position = board.position if isinstance(board, Game) else board
    if isinstance(board, Game) and board.last and played is None and last_move is None:
        last_move = board.last.move
        emptied = tuple(place_of(square) for square in board.last.captures)
    if isinstance(position, Position):
        setup, rules = position.setup, position.rules
    else:
        setup = position
    pieces = {place_of(square): piece for square, piece in setup.pieces.items()}
    victims: dict[Place, tuple[Piece, tuple[Place, ...]]] = {}
    if played is not None:
        if not isinstance(position, Position):
            raise ValueError("played: a move of a setup, expected a position, which has rules")
        last_move = played
        victims = _victims(position.describe(played).captures)
        pieces[place_of(played.to_square)] = pieces.pop(place_of(played.from_square))
        pieces = {place: piece for place, piece in pieces.items() if place not in victims}
    return _with_rules(
        Scene(
            size=setup.size,
            pieces=pieces,
            turn=setup.turn,
            last_move=(place_of(last_move.from_square), place_of(last_move.to_square)) if last_move else None,
            victims=victims,
            emptied=emptied,
        ),
        rules,
    )


def _victims(captures: Iterable[ShownCapture]) -> dict[Place, tuple[Piece, tuple[Place, ...]]]:
    return {
        place_of(capture.square): (capture.piece, tuple(place_of(square) for square in capture.by))
        for capture in captures
    }


def _with_rules(scene: Scene, rules: "Rules | None") -> Scene:
    """Adds the special squares of the rules, and which of them are hostile as they stand."""
    if rules is None:
        return scene
    tree = json.loads(rules.to_json())
    throne = place_of(rules.throne) if rules.throne else None
    corners = frozenset(place_of(square) for square in rules.corners)
    camps = frozenset(place_of(square) for camp in rules.camps for square in camp)
    hostility = tree["hostility"]
    hostile: set[Place] = set()
    to_king: set[Place] = set()
    for places, key in (({throne} if throne else set(), "throne_hostile"), (corners, "corner_hostile")):
        empty = {place for place in places if place not in scene.pieces and place not in scene.victims}
        against = {kind for kind, when in hostility[key].items() if when != "never"}
        hostile |= empty if against else set()
        to_king |= empty if "king" in against else set()
    free_camps = {place for place in camps if place not in scene.pieces}
    hostile |= free_camps if hostility["camp_hostile"] else set()
    to_king |= free_camps if "king" in hostility["camp_hostile"] else set()
    return Scene(
        size=scene.size,
        pieces=scene.pieces,
        turn=scene.turn,
        special=Special(throne, corners, camps, tree["ends"]["goal"] == "edge"),
        hostile=frozenset(hostile),
        hostile_to_king=frozenset(to_king),
        edge_hostile_king=hostility["edge_hostile_king"],
        last_move=scene.last_move,
        victims=scene.victims,
        emptied=scene.emptied,
    )
