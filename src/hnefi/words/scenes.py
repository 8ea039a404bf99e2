"""Stages the pictures of rules: a few pieces, a move, and the check that it has the effect of the picture."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from hnefi._core import Description, Move, Position, Square
from hnefi.errors import IllegalMove, SetupError
from hnefi.pieces import Piece, Reason, Side
from hnefi.staging import (
    DIRECTIONS,
    Coordinates,
    crop_around,
    may_stand,
    move_between,
    neighbours,
    place_of,
    setup_of,
    square_at,
    step,
)
from hnefi.words.model import Picture
from hnefi.words.wording import Wording

_MOST_TRIES = 12
_LONGEST_WAY = 19


@dataclass(frozen=True, slots=True)
class Scene:
    """A small position and a move, with the effect that a picture has to show.

    Attributes:
        kind: The name of the picture.
        pieces: The pieces that matter, by place, before the move.
        victims: The places of the soldiers that the move must capture, exactly.
        king_falls: Whether it must capture the king.
        captors: The number of attackers that capture the king alone.
        how: The kind of capture it must be, if there are several.
        reason: The reason for which it must end the game.
        also: Empty places that the picture must show.
        span: The minimum numbers of files and ranks shown.
    """

    kind: str
    pieces: Mapping[Coordinates, Piece]
    origin: Coordinates
    target: Coordinates
    victims: frozenset[Coordinates] = frozenset()
    king_falls: bool = False
    captors: int = 0
    how: str | None = None
    reason: Reason | None = None
    also: tuple[Coordinates, ...] = ()
    span: tuple[int, int] = (4, 3)


def picture_of(wording: Wording, scene: Scene, caption: str, *, quietly: bool) -> tuple[Picture, ...]:
    """Returns the picture of a scene, none if these rules do not allow it.

    A missing king, and a soldier for a side without any, are put far from the scene.

    Args:
        caption: The sentence below the picture.
        quietly: Whether no side may be able to win at once in another way, on the whole board.
    """
    size = wording.rules.size
    shown = [*scene.pieces, scene.target, *scene.also]
    if not all(0 <= at < size for place in shown for at in place):
        return ()
    if not may_stand(wording.rules, scene.pieces.items()):
        return ()
    crop = crop_around(size, shown, scene.span)
    move = move_between(scene.origin, scene.target)
    for pieces in _completed(wording, scene, crop):
        position = _position(wording, pieces, scene.pieces[scene.origin].side)
        if position is not None and _shows(position, move, scene):
            if quietly and not _is_quiet(position, move, scene):
                continue
            words = caption.format(**_facts(wording, scene, move))
            return (Picture(scene.kind, words, position, move, crop=crop),)
    return ()


def _facts(wording: Wording, scene: Scene, move: Move) -> dict[str, str]:
    """Returns the parameters of a caption: the mover, its target, and what is captured."""
    mover = scene.pieces[scene.origin].value
    taken = sorted(scene.victims)
    victim = scene.pieces[taken[0]].value if taken else "king"
    return {
        "The_mover": wording.nouns[f"The_{mover}"],
        "the_victim": wording.nouns[f"the_{victim}"],
        "e_victim": wording.nouns[f"e_{victim}"],
        "to": move.to_square.name,
        "square": wording.listed([square_at(place).name for place in taken]),
    }


def _shows(position: Position, move: Move, scene: Scene) -> bool:
    """Checks that the move is legal and has exactly the effect of the scene."""
    try:
        described: Description = position.describe(move)
    except IllegalMove:
        return False
    soldiers = {place_of(c.square) for c in described.captures if c.piece is not Piece.KING}
    king_falls = any(capture.piece is Piece.KING for capture in described.captures)
    if soldiers != scene.victims or king_falls != scene.king_falls:
        return False
    if scene.how is not None and not any(capture.how == scene.how for capture in described.captures):
        return False
    reason = described.outcome.reason if described.outcome else None
    return scene.reason is None or reason is scene.reason


def _is_quiet(position: Position, move: Move, scene: Scene) -> bool:
    """Checks that before and after the move no side can win at once in another way."""
    if scene.king_falls or scene.reason is not None:
        return True
    if position.describe(move).outcome is not None:
        return False
    after = position.play(move)
    places = (position, after)
    if any(place.turn is Side.DEFENDERS and place.open_roads for place in places):
        return False
    return not any(_wins(place, other) for place in places for other in place.legal_moves())


def _wins(position: Position, move: Move) -> bool:
    outcome = position.describe(move).outcome
    return outcome is not None and outcome.winner is position.turn


def _position(wording: Wording, pieces: Mapping[Coordinates, Piece], turn: Side) -> Position | None:
    """Returns the position; None if it is invalid or the game is over."""
    try:
        position = Position(wording.rules, setup_of(wording.rules.size, pieces, turn))
    except SetupError:
        return None
    return position if position.outcome is None else None


def _completed(
    wording: Wording, scene: Scene, crop: tuple[Square, Square]
) -> Iterator[dict[Coordinates, Piece]]:
    """Iterates over the scene with missing king, attacker and defender in different places.

    Where the king could escape at once, defenders surround him or block his way.
    """
    remaining = [piece for place, piece in scene.pieces.items() if place not in scene.victims]
    missing = [piece for piece in (Piece.ATTACKER, Piece.DEFENDER) if piece not in remaining]
    spare = list(_places_far_from(wording, scene, crop))
    if Piece.KING in remaining:
        outside = {*spare, *_goals_outside(wording, crop)}
        for pieces in (scene.pieces, _shut_in(scene, outside)):
            free = [place for place in spare if place not in pieces]
            yield from _scattered(pieces, missing, free)
            yield from _scattered(pieces, [*missing, Piece.ATTACKER], free)
        return
    inside = [place for place in spare if all(0 < at < wording.rules.size - 1 for at in place)]
    alone = _scattered(scene.pieces, [Piece.KING, *missing], [*inside, *spare])
    guarded = _guarded(scene.pieces, missing, inside, spare)
    # Where every square leads to an edge, a king needs guards.
    yield from chain(guarded, alone) if wording.tree.ends.goal == "edge" else chain(alone, guarded)


def _guarded(
    pieces: Mapping[Coordinates, Piece],
    missing: Sequence[Piece],
    inside: Sequence[Coordinates],
    spare: Sequence[Coordinates],
) -> Iterator[dict[Coordinates, Piece]]:
    """Iterates over places for a king between four defenders."""
    free = {*spare}
    for king in inside:
        guards = neighbours(king)
        if all(guard in free for guard in guards):
            guarded = {**pieces, king: Piece.KING, **dict.fromkeys(guards, Piece.DEFENDER)}
            others = [piece for piece in missing if piece is not Piece.DEFENDER]
            yield from _scattered(guarded, others, [place for place in spare if place not in guarded])


def _shut_in(scene: Scene, outside: set[Coordinates]) -> dict[Coordinates, Piece]:
    """Adds defenders where the king could leave the picture, before and after the move."""
    king = next(place for place, piece in scene.pieces.items() if piece is Piece.KING)
    in_the_way = {*scene.pieces} - scene.victims - {king}
    shut = dict(scene.pieces)
    for place in (king, scene.target if king == scene.origin else king):
        for direction in DIRECTIONS:
            way = (step(place, direction, count) for count in range(1, _LONGEST_WAY))
            stop = next((at for at in way if at in in_the_way or at in outside), None)
            if stop is not None and stop not in in_the_way:
                shut[stop] = Piece.DEFENDER
    return shut


def _goals_outside(wording: Wording, crop: tuple[Square, Square]) -> Iterator[Coordinates]:
    """Iterates over the goals outside a picture, without corners."""
    low, high = crop
    for square in {*wording.rules.goals} - {*wording.rules.corners}:
        if not (low.file <= square.file <= high.file and low.rank <= square.rank <= high.rank):
            yield place_of(square)


def _scattered(
    pieces: Mapping[Coordinates, Piece], missing: Sequence[Piece], spare: Sequence[Coordinates]
) -> Iterator[dict[Coordinates, Piece]]:
    """Iterates over ways to put missing pieces on spare places."""
    if not missing:
        yield dict(pieces)
        return
    for shift in range(min(_MOST_TRIES, len(spare))):
        places = [spare[(shift + 5 * k) % len(spare)] for k in range(len(missing))]
        if len(set(places)) == len(places):
            yield {**pieces, **dict(zip(places, missing, strict=True))}


def _places_far_from(wording: Wording, scene: Scene, crop: tuple[Square, Square]) -> Iterator[Coordinates]:
    """Iterates over ordinary places outside a picture, the farthest first."""
    size = wording.rules.size
    low, high = crop
    special = {*wording.rules.corners, *wording.rules.goals, wording.rules.throne}
    special |= {square for camp in wording.rules.camps for square in camp}
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
