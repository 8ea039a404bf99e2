"""What is tried when an example is looked for: a few men and a move, near the squares where rules act."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest

from hnefi.examples.ground import DIRECTIONS, Ground, distance, step
from hnefi.pieces import Piece, Side
from hnefi.words.stage import Place

__all__ = ["Trial", "trials"]

_A, _D, _K = Piece.ATTACKER, Piece.DEFENDER, Piece.KING
_RANKS = (Piece.ATTACKER_COMMANDER, Piece.DEFENDER_COMMANDER, Piece.ATTACKER_KNIGHT, Piece.DEFENDER_KNIGHT)
_Men = dict[Place, Piece]


@dataclass(frozen=True, slots=True)
class Trial:
    """A position and a move.

    Attributes:
        pieces: The men.
        origin: Where the piece that moves stands.
        target: Where it goes.
        quiet: Plies since the last capture.
        history: The moves from this position before the one that matters, if there are any.
        going: The piece in the midst of its turn; a move to its own square ends it.
    """

    pieces: Mapping[Place, Piece]
    origin: Place
    target: Place
    quiet: int = 0
    history: tuple[tuple[Place, Place], ...] = ()
    going: Place | None = None

    @property
    def turn(self) -> Side:
        """The side to move in the position."""
        first = self.history[0][0] if self.history else self.origin
        return self.pieces[first].side


def trials(ground: Ground, section: str, limits: Sequence[int], counts: Sequence[int]) -> Iterator[Trial]:
    """Returns what is worth a try, best first for a section of the rules.

    Args:
        ground: Where.
        section: The section of the rules in which the two differ.
        limits: The quiet limits of the two, but for 0.
        counts: How often a position may come about by them, but for 0.
    """
    slides, captures = _slides(ground), _captures(ground, with_spares=True)
    orders = {
        "movement": ((slides,), (captures,)),
        "capture": ((captures, _rows(ground)), (slides,)),
        "special": ((_jumps(ground), _chains(ground), captures, _knights(ground)), (slides,)),
        "ends": (
            (_captures(ground, with_spares=False), slides, _blocks(ground), _breakouts(ground)),
            (captures,),
        ),
        "board": ((slides, captures),),
    }
    if limits:
        yield from _quiet(ground, limits)
    if counts:
        yield from _repeats(ground, counts)
    for families in orders.get(section, ((captures,), (slides,))):
        yield from _in_turn(families)


def _in_turn(families: Sequence[Iterator[Trial]]) -> Iterator[Trial]:
    """Takes one of each family, then the next of each."""
    for row in zip_longest(*families):
        yield from (trial for trial in row if trial is not None)


def _completed(ground: Ground, men: _Men, path: tuple[Place, ...], *, with_spares: bool) -> Iterator[_Men]:
    """Adds a king, attackers and defenders where they are missing, out of the way of what happens."""
    for seat in _seats(ground, men, path):
        whole = dict(men) if seat is None else {**men, seat: _K}
        for piece in (_A, _D):
            if with_spares or (piece is _A and not any(man.side is _A.side for man in whole.values())):
                place = _vacant(ground, whole, path)
                if place is not None:
                    whole[place] = piece
        yield whole


def _seats(ground: Ground, men: _Men, path: tuple[Place, ...]) -> list[Place | None]:
    """Lists where the king may sit: on his throne, and far away too where the throne is near.

    None stands for a king who is among the men already.
    """
    if _K in men.values():
        return [None]
    near = min(distance(ground.centre, place) for place in (*men, *path)) <= 1
    seats = [_vacant(ground, men, path), ground.centre] if near else [ground.centre]
    return [seat for seat in seats if seat is not None and seat not in path and seat not in men]


def _vacant(ground: Ground, men: _Men, path: tuple[Place, ...]) -> Place | None:
    """Returns an ordinary place far from the action and beside nobody."""
    for place in ground.far_from(path[-1]):
        if place not in men and place not in path and all(distance(place, man) > 1 for man in men):
            return place
    return None


def _between(origin: Place, target: Place) -> tuple[Place, ...]:
    """Lists the places a move passes and ends on."""
    length = distance(origin, target)
    direction = (target[0] - origin[0]) // length, (target[1] - origin[1]) // length
    return tuple(step(origin, direction, count) for count in range(1, length + 1))


def _slides(ground: Ground) -> Iterator[Trial]:
    """Moves of one piece to, from and across every place that matters, and long ones in the open."""
    pieces = (_K, _A, _D, *(_RANKS[:2] if ground.has_ranks else ()))
    row = 2
    reaches = [((first, row), (last, row)) for first in (0, 1) for last in range(first + 1, ground.size)]
    around = [
        (step(target, direction, -count), target)
        for target in ground.spots
        for count in (1, 2, 3)
        for direction in DIRECTIONS
    ]
    for (origin, target), piece in product([*around, *reaches], pieces):
        if ground.has(origin):
            path = (origin, *_between(origin, target))
            for men in _completed(ground, {origin: piece}, path, with_spares=True):
                yield Trial(men, origin, target)


def _captures(ground: Ground, *, with_spares: bool) -> Iterator[Trial]:
    """A piece closed in between two: everywhere, by everybody, with every helper opposite."""
    for victim, direction in product(ground.spots, DIRECTIONS):
        target, beyond = step(victim, direction, -1), step(victim, direction)
        if not ground.has(target):
            continue
        for men, mover in _closed_in(ground, victim, beyond, direction):
            for origin in _arrivals(ground, men, target, direction):
                placed = {**men, origin: mover}
                for whole in _completed(ground, placed, (origin, target), with_spares=with_spares):
                    yield Trial(whole, origin, target)


def _closed_in(
    ground: Ground, victim: Place, beyond: Place, direction: Place
) -> Iterator[tuple[_Men, Piece]]:
    """Returns the men round a victim, and who comes to the square that is still free."""
    ranks = _RANKS[:1] if ground.has_ranks else ()
    for taken, mover in [(_A, _D), (_A, _K), (_D, _A), (_K, _A), *((_K, rank) for rank in ranks)]:
        helpers: list[Piece | None] = [None, _D if mover is _K else mover]
        helpers += [_A, *ranks] if taken is _K else [_D] if taken is _D else [_A]
        helpers += [_K] if _K not in (taken, mover) else []
        for helper in dict.fromkeys(helpers):
            if helper is not None and not ground.has(beyond):
                continue
            men = {victim: taken} if helper is None else {victim: taken, beyond: helper}
            for flanks in _flanks(ground, victim, direction) if taken is _K else ({},):
                yield men | flanks, mover


def _flanks(ground: Ground, king: Place, direction: Place) -> Iterator[_Men]:
    """Returns nobody beside the king, attackers on both sides, and attackers but on the throne."""
    aside = direction[::-1]
    both = [place for place in (step(king, aside), step(king, aside, -1)) if ground.has(place)]
    yield {}
    yield dict.fromkeys(both, _A)
    if ground.centre in both:
        yield {place: _A for place in both if place != ground.centre}


def _arrivals(ground: Ground, men: _Men, target: Place, direction: Place) -> list[Place]:
    """Returns one or two places from which a piece may come to a square."""
    aside = direction[::-1]
    ways = [step(target, aside), step(target, aside, -1)]
    ways += [step(target, direction, -1), step(target, direction, -2)]
    free = [place for place in ways if ground.has(place) and place not in men and place != ground.centre]
    return free[:2]


def _jumps(ground: Ground) -> Iterator[Trial]:
    """A piece beside an enemy, and the square beyond him."""
    for origin, direction in product(ground.spots, DIRECTIONS):
        over, target = step(origin, direction), step(origin, direction, 2)
        if not ground.has(target):
            continue
        for piece in (_K, *(_RANKS if ground.has_ranks else ())):
            enemy = _A if piece.side is Side.DEFENDERS else _D
            for men in _completed(ground, {origin: piece, over: enemy}, (origin, target), with_spares=True):
                yield Trial(men, origin, target)


def _knights(ground: Ground) -> Iterator[Trial]:
    """A knight who is closed in between two, and on three sides."""
    for victim, direction in product(ground.spots, DIRECTIONS if ground.has_ranks else ()):
        target, aside = step(victim, direction, -1), step(victim, direction[::-1])
        for taken, mover in ((Piece.DEFENDER_KNIGHT, _A), (Piece.ATTACKER_KNIGHT, _D)):
            for others in ([step(victim, direction)], [step(victim, direction), aside]):
                men = {victim: taken, **dict.fromkeys(others, mover)}
                if not all(map(ground.has, (*men, target))):
                    continue
                for origin in _arrivals(ground, men, target, direction):
                    placed = {**men, origin: mover}
                    for whole in _completed(ground, placed, (origin, target), with_spares=True):
                        yield Trial(whole, origin, target)


def _chains(ground: Ground) -> Iterator[Trial]:
    """A capture after which the same piece could capture again, and the end of the turn between the two."""
    for (x, y), mover in product(((1, 2), (2, 2), (1, 3)), (_A, _D)):
        other = _D if mover is _A else _A
        target = (x, y)
        waiting = {(x + 1, y + 2): other, (x + 2, y + 2): mover}
        begun = {**waiting, (x + 1, y): other, (x + 2, y): mover, (x, y - 1): mover}
        if not all(ground.has(place) and place != ground.centre for place in begun):
            continue
        for whole in _completed(ground, begun, ((x, y - 1), target), with_spares=True):
            yield Trial(whole, (x, y - 1), target)
        for whole in _completed(ground, {**waiting, target: mover}, (target,), with_spares=True):
            yield Trial(whole, target, target, going=target)


def _rows(ground: Ground) -> Iterator[Trial]:
    """Two side by side on the edge, shut in by enemies in front and at both ends, one of them just coming."""
    for x, (pair, enemy) in product(
        range(1, ground.size - 2), (((_D, _D), _A), ((_D, _K), _A), ((_A, _A), _D))
    ):
        row = {(x, 0): pair[0], (x + 1, 0): pair[1]}
        front, ends = [(x, 1), (x + 1, 1)], [(x - 1, 0), (x + 2, 0)]
        for closing, origin in ((ends[1], (x + 2, 1)), (front[1], (x + 1, 2))):
            for left in ([place for place in (*front, *ends) if place != closing], [*front, *ends[1:]]):
                walls = [place for place in left if place != closing]
                men = {**row, **dict.fromkeys(walls, enemy), origin: enemy}
                if all(ground.has(place) and place != ground.centre for place in (*men, closing)):
                    for whole in _completed(ground, men, (origin, closing), with_spares=True):
                        yield Trial(whole, origin, closing)


def _blocks(ground: Ground) -> Iterator[Trial]:
    """The last attacker shut in on the edge, and a king who cannot move."""
    for x in range(1, ground.size - 1):
        walls = {(x - 1, 0): _D, (x + 1, 0): _D, (x, 0): _A}
        for origin in ((x, 2), (x + 1, 1)):
            path = (origin, (x, 1))
            if path[1] == ground.centre:
                continue
            for men in _completed(ground, {**walls, origin: _D}, path, with_spares=False):
                yield Trial(men, *path)
    for x, y in ground.spots:
        around = [step((x, y), direction) for direction in DIRECTIONS]
        ring = [place for place in around if ground.has(place)]
        origin = step(ring[0], (1, 0)) if ring else (x, y)
        if ground.has(origin) and origin not in ring:
            men = {(x, y): _K, **dict.fromkeys(ring[1:], _A), origin: _A}
            yield Trial(men, origin, ring[0])


def _breakouts(ground: Ground) -> Iterator[Trial]:
    """A king with attackers on all sides, who steps to where the ways to both sides are free."""
    for king, direction in product(ground.spots, DIRECTIONS):
        aside = direction[::-1]
        walls = [
            step(king, direction, 2),
            step(king, direction, -1),
            step(king, aside),
            step(king, aside, -1),
        ]
        if all(ground.has(place) for place in walls):
            yield Trial({king: _K, **dict.fromkeys(walls, _A)}, king, step(king, direction))


def _quiet(ground: Ground, limits: Sequence[int]) -> Iterator[Trial]:
    """A move without a capture, when a limit is nearly reached."""
    for limit, trial in product(limits, _to_and_fro(ground)):
        origin, target = trial.history[0]
        yield Trial(trial.pieces, origin, target, quiet=limit - 1)


def _repeats(ground: Ground, counts: Sequence[int]) -> Iterator[Trial]:
    """Both sides go to and fro until the position has come about so often."""
    for count, trial in product(counts, _to_and_fro(ground)):
        moves = trial.history * (count - 1)
        if moves:
            yield Trial(trial.pieces, *moves[-1], history=moves[:-1])


def _to_and_fro(ground: Ground) -> Iterator[Trial]:
    """An attacker and a defender with room to go one step and back; either may begin."""
    last = ground.size - 1
    for file in (1, 2):
        first, second = (file, 1), (last - file, last - 2)
        for one, two in ((first, second), (second, first)):
            steps = ((one, step(one, (0, 1))), (two, step(two, (0, 1))))
            history = (*steps, *((target, origin) for origin, target in steps))
            path = tuple(place for move in steps for place in move)
            for men in _completed(ground, {first: _A, second: _D}, path, with_spares=False):
                yield Trial(men, *steps[0], history=history)
