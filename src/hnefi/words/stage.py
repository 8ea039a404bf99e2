"""Staging a picture: a few men on the board, a move, and the proof that it does what the picture says."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from hnefi.pieces import Piece, Reason, Side
from hnefi.words.model import Picture
from hnefi.words.teller import Teller

if TYPE_CHECKING:
    from hnefi._core import Description, Move, Position, Square

__all__ = ["Place", "Scene", "crop_around", "places_far_from", "square_at", "staged"]

Place = tuple[int, int]
_MOST_TRIES = 12
_LONGEST_WAY = 19


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture is to show.

    Attributes:
        kind: The picture's name.
        pieces: The men that matter, where they stand before the move.
        origin: Where the piece that moves stands.
        target: Where it goes.
        victims: The soldiers that the move must capture, no more and no fewer.
        king_falls: Whether it must capture the king.
        how: The kind of capture it must be, if there are several.
        reason: The reason for which it must end the game.
        also: Places that the picture must show, though nothing stands there.
        span: How many files and ranks the picture has at least.
    """

    kind: str
    pieces: Mapping[Place, Piece]
    origin: Place
    target: Place
    victims: frozenset[Place] = frozenset()
    king_falls: bool = False
    how: str | None = None
    reason: Reason | None = None
    also: tuple[Place, ...] = ()
    span: tuple[int, int] = (4, 3)


@cache
def square_at(place: Place) -> "Square":
    """Returns the square of a place."""
    from hnefi._core import Square

    return Square.at(*place)


def staged(teller: Teller, scene: Scene, caption: str, *, quietly: bool) -> tuple[Picture, ...]:
    """Returns the picture of a scene, none if these rules do not make it so.

    The king, and a man for a side that has none left, are put far from the scene, where they change nothing.

    Args:
        teller: The rules.
        scene: What is to be shown.
        caption: The sentence below it.
        quietly: Whether nobody may win by something else, who tries the move on the whole board.
    """
    from hnefi._core import Move

    size = teller.rules.size
    shown = [*scene.pieces, scene.target, *scene.also]
    if not all(0 <= at < size for place in shown for at in place) or not _may_stand(teller, scene):
        return ()
    crop = crop_around(size, shown, scene.span)
    move = Move.of(square_at(scene.origin), square_at(scene.target))
    for pieces in _completed(teller, scene, crop):
        position = _position(teller, pieces, scene.pieces[scene.origin].side)
        if position is not None and _shows(position, move, scene):
            if quietly and not _is_quiet(position, move, scene):
                continue
            words = caption.format(**_facts(teller, scene, move))
            return (Picture(scene.kind, words, position, move, crop=crop),)
    return ()


def _may_stand(teller: Teller, scene: Scene) -> bool:
    """Checks that no piece stands on a special square where these rules let none of its kind stop."""
    movement = teller.tree.movement
    kind_of = {Piece.ATTACKER: "attackers", Piece.DEFENDER: "defenders", Piece.KING: "king"}
    for place, piece in scene.pieces.items():
        square = square_at(place)
        kind = kind_of[piece.soldier]
        if square in teller.rules.corners and kind not in movement.corner_stop:
            return False
        if square == teller.rules.throne and piece is not Piece.KING and kind not in movement.throne_stop:
            return False
    return True


def _facts(teller: Teller, scene: Scene, move: "Move") -> dict[str, str]:
    """Returns what a caption may speak of: who moves where, and what is taken."""
    mover = scene.pieces[scene.origin].value
    taken = sorted(scene.victims)
    victim = scene.pieces[taken[0]].value if taken else "king"
    return {
        "The_mover": teller.nouns[f"The_{mover}"],
        "the_victim": teller.nouns[f"the_{victim}"],
        "to": move.to_square.name,
        "square": teller.listed([square_at(place).name for place in taken]),
    }


def _shows(position: "Position", move: "Move", scene: Scene) -> bool:
    """Checks that the move is legal and does exactly what the scene is to show."""
    from hnefi.errors import IllegalMove

    try:
        described: Description = position.describe(move)
    except IllegalMove:
        return False
    soldiers = {(c.square.file, c.square.rank) for c in described.captures if c.piece is not Piece.KING}
    king_falls = any(capture.piece is Piece.KING for capture in described.captures)
    if soldiers != scene.victims or king_falls != scene.king_falls:
        return False
    if scene.how is not None and not any(capture.how == scene.how for capture in described.captures):
        return False
    reason = described.outcome.reason if described.outcome else None
    return scene.reason is None or reason is scene.reason


def _is_quiet(position: "Position", move: "Move", scene: Scene) -> bool:
    """Checks that before the move and after it nobody wins at once by what the picture is not about."""
    if scene.king_falls or scene.reason is not None:
        return True
    if position.describe(move).outcome is not None:
        return False
    after = position.play(move)
    places = (position, after)
    if any(place.turn is Side.DEFENDERS and place.open_roads for place in places):
        return False
    return not any(_wins(place, other) for place in places for other in place.legal_moves())


def _wins(position: "Position", move: "Move") -> bool:
    outcome = position.describe(move).outcome
    return outcome is not None and outcome.winner is position.turn


def _position(teller: Teller, pieces: Mapping[Place, Piece], turn: Side) -> "Position | None":
    """Returns the position, None if it cannot be or is over already."""
    from hnefi._core import Position, Setup
    from hnefi.errors import SetupError

    by_square = {square_at(place): piece for place, piece in pieces.items()}
    try:
        position = Position(teller.rules, Setup.of(teller.rules.size, by_square, turn))
    except SetupError:
        return None
    return position if position.outcome is None else None


def _completed(teller: Teller, scene: Scene, crop: "tuple[Square, Square]") -> Iterator[dict[Place, Piece]]:
    """Returns the scene with what is missing of king, attackers and defenders, put here or there.

    Where the king would be out at once, his men stand on all sides of him, or in his way.
    """
    left = [piece for place, piece in scene.pieces.items() if place not in scene.victims]
    missing = [piece for piece in (Piece.ATTACKER, Piece.DEFENDER) if piece not in left]
    spare = list(places_far_from(teller, scene, crop))
    if Piece.KING in left:
        outside = {*spare, *_goals_outside(teller, crop)}
        for pieces in (scene.pieces, _shut_in(scene, outside)):
            free = [place for place in spare if place not in pieces]
            yield from _scattered(pieces, missing, free)
            yield from _scattered(pieces, [*missing, Piece.ATTACKER], free)
        return
    inside = [place for place in spare if all(0 < at < teller.rules.size - 1 for at in place)]
    alone = _scattered(scene.pieces, [Piece.KING, *missing], [*inside, *spare])
    guarded = _guarded(scene.pieces, missing, inside, spare)
    # On an open board every square of which leads to an edge a king needs guards.
    yield from chain(guarded, alone) if teller.tree.ends.goal == "edge" else chain(alone, guarded)


def _guarded(
    pieces: Mapping[Place, Piece], missing: Sequence[Piece], inside: Sequence[Place], spare: Sequence[Place]
) -> Iterator[dict[Place, Piece]]:
    """Puts the king on one place after the other, between four defenders."""
    free = {*spare}
    for king in inside:
        guards = _around(king)
        if all(guard in free for guard in guards):
            house = {**pieces, king: Piece.KING, **dict.fromkeys(guards, Piece.DEFENDER)}
            others = [piece for piece in missing if piece is not Piece.DEFENDER]
            yield from _scattered(house, others, [place for place in spare if place not in house])


def _shut_in(scene: Scene, outside: set[Place]) -> dict[Place, Piece]:
    """Puts defenders where the king would leave the picture, before the move and after it."""
    king = next(place for place, piece in scene.pieces.items() if piece is Piece.KING)
    in_the_way = {*scene.pieces} - scene.victims - {king}
    shut = dict(scene.pieces)
    for x, y in (king, scene.target if king == scene.origin else king):
        for dx, dy in _around((0, 0)):
            way = ((x + far * dx, y + far * dy) for far in range(1, _LONGEST_WAY))
            stop = next((place for place in way if place in in_the_way or place in outside), None)
            if stop is not None and stop not in in_the_way:
                shut[stop] = Piece.DEFENDER
    return shut


def _goals_outside(teller: Teller, crop: "tuple[Square, Square]") -> Iterator[Place]:
    """Lists the places outside a picture where the king would have escaped, save those that are marked."""
    low, high = crop
    for square in {*teller.rules.goals} - {*teller.rules.corners}:
        if not (low.file <= square.file <= high.file and low.rank <= square.rank <= high.rank):
            yield square.file, square.rank


def _scattered(
    pieces: Mapping[Place, Piece], missing: Sequence[Piece], spare: Sequence[Place]
) -> Iterator[dict[Place, Piece]]:
    """Puts more pieces on places that are free, in different ways."""
    if not missing:
        yield dict(pieces)
        return
    for shift in range(min(_MOST_TRIES, len(spare))):
        places = [spare[(shift + 5 * k) % len(spare)] for k in range(len(missing))]
        if len(set(places)) == len(places):
            yield {**pieces, **dict(zip(places, missing, strict=True))}


def _around(place: Place) -> list[Place]:
    x, y = place
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def places_far_from(teller: Teller, scene: Scene, crop: "tuple[Square, Square]") -> Iterator[Place]:
    """Lists ordinary places outside a picture, the farthest first."""
    size = teller.rules.size
    low, high = crop
    special = {*teller.rules.corners, *teller.rules.goals, teller.rules.throne}
    special |= {square for camp in teller.rules.camps for square in camp}
    middle = ((low.file + high.file) / 2, (low.rank + high.rank) / 2)
    places = [
        (file, rank)
        for file in range(size)
        for rank in range(size)
        if square_at((file, rank)) not in special
        and not (low.file <= file <= high.file and low.rank <= rank <= high.rank)
        and (file, rank) not in scene.pieces
    ]
    yield from sorted(places, key=lambda at: (-abs(at[0] - middle[0]) - abs(at[1] - middle[1]), at))


def crop_around(size: int, places: list[Place], span: tuple[int, int]) -> "tuple[Square, Square]":
    """Returns the part of a board that shows some places, and at least so many files and ranks."""
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
