"""Generates the trials for examples: a few pieces and a move, near the squares where rules act."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest

from hnefi._core import Setup
from hnefi.examples.trial_board import TrialBoard
from hnefi.pieces import Piece, Side
from hnefi.staging import DIRECTIONS, Coordinates, distance, neighbours, setup_of, step

_A, _D, _K = Piece.ATTACKER, Piece.DEFENDER, Piece.KING
_RANKS = (Piece.ATTACKER_COMMANDER, Piece.DEFENDER_COMMANDER, Piece.ATTACKER_KNIGHT, Piece.DEFENDER_KNIGHT)
_Pieces = dict[Coordinates, Piece]


@dataclass(frozen=True, slots=True)
class Trial:
    """A position and a move.

    Attributes:
        quiet: The plies since the last capture.
        history: The moves from this position to the one before the move.
        going: The piece in the middle of its turn; a move to its own square ends the turn.
    """

    pieces: Mapping[Coordinates, Piece]
    origin: Coordinates
    target: Coordinates
    quiet: int = 0
    history: tuple[tuple[Coordinates, Coordinates], ...] = ()
    going: Coordinates | None = None

    @property
    def turn(self) -> Side:
        """The side to move in the position."""
        first = self.history[0][0] if self.history else self.origin
        return self.pieces[first].side

    def setup(self, size: int) -> Setup:
        """Returns the position before the history, on a board of a size."""
        return setup_of(size, self.pieces, self.turn, self.quiet, self.going)


def trials(board: TrialBoard, section: str, limits: Sequence[int], counts: Sequence[int]) -> Iterator[Trial]:
    """Iterates over trials, the best first for a section of the rules.

    Args:
        limits: Their quiet limits, without 0.
        counts: Their repetition counts, without 0.
    """
    slides, captures = _slides(board), _captures(board, with_spares=True)
    orders = {
        "movement": ((slides,), (captures,)),
        "capture": ((captures, _rows(board)), (slides,)),
        "special": ((_jumps(board), _chains(board), captures, _knights(board)), (slides,)),
        "ends": (
            (_captures(board, with_spares=False), slides, _blocks(board), _breakouts(board)),
            (captures,),
        ),
        "board": ((slides, captures),),
    }
    if limits:
        yield from _quiet(board, limits)
    if counts:
        yield from _repeats(board, counts)
    for families in orders.get(section, ((captures,), (slides,))):
        yield from _interleaved(families)


def _interleaved(families: Sequence[Iterator[Trial]]) -> Iterator[Trial]:
    """Iterates over the families in turns, one trial of each."""
    for row in zip_longest(*families):
        yield from (trial for trial in row if trial is not None)


def _completed(
    board: TrialBoard, pieces: _Pieces, path: tuple[Coordinates, ...], *, with_spares: bool
) -> Iterator[_Pieces]:
    """Iterates over completions with missing king, attacker and defender, away from the action."""
    for king in _king_places(board, pieces, path):
        whole = dict(pieces) if king is None else {**pieces, king: _K}
        for piece in (_A, _D):
            if with_spares or (piece is _A and not any(one.side is _A.side for one in whole.values())):
                place = _vacant(board, whole, path)
                if place is not None:
                    whole[place] = piece
        yield whole


def _king_places(
    board: TrialBoard, pieces: _Pieces, path: tuple[Coordinates, ...]
) -> list[Coordinates | None]:
    """Returns the places for the king: his throne, and a distant place if the throne is near the action.

    None stands for a king among the pieces.
    """
    if _K in pieces.values():
        return [None]
    near = min(distance(board.centre, place) for place in (*pieces, *path)) <= 1
    places = [_vacant(board, pieces, path), board.centre] if near else [board.centre]
    return [place for place in places if place is not None and place not in path and place not in pieces]


def _vacant(board: TrialBoard, pieces: _Pieces, path: tuple[Coordinates, ...]) -> Coordinates | None:
    """Returns an ordinary place far from the action and beside no piece."""
    for place in board.far_from(path[-1]):
        if place not in pieces and place not in path and all(distance(place, one) > 1 for one in pieces):
            return place
    return None


def _between(origin: Coordinates, target: Coordinates) -> tuple[Coordinates, ...]:
    """Returns the places that a move passes, and its target."""
    length = distance(origin, target)
    direction = (target[0] - origin[0]) // length, (target[1] - origin[1]) // length
    return tuple(step(origin, direction, count) for count in range(1, length + 1))


def _slides(board: TrialBoard) -> Iterator[Trial]:
    """Iterates over moves to, from and across every place that matters, and long moves in the open."""
    pieces = (_K, _A, _D, *(_RANKS[:2] if board.has_ranks else ()))
    row = 2
    reaches = [((first, row), (last, row)) for first in (0, 1) for last in range(first + 1, board.size)]
    around = [
        (step(target, direction, -count), target)
        for target in board.spots
        for count in (1, 2, 3)
        for direction in DIRECTIONS
    ]
    for (origin, target), piece in product([*around, *reaches], pieces):
        if board.has(origin):
            path = (origin, *_between(origin, target))
            for whole in _completed(board, {origin: piece}, path, with_spares=True):
                yield Trial(whole, origin, target)


def _captures(board: TrialBoard, *, with_spares: bool) -> Iterator[Trial]:
    """Iterates over custodial captures on every spot, by every piece, with every helper."""
    for victim, direction in product(board.spots, DIRECTIONS):
        target, beyond = step(victim, direction, -1), step(victim, direction)
        if not board.has(target):
            continue
        for pieces, mover in _closed_in(board, victim, beyond, direction):
            for origin in _arrivals(board, pieces, target, direction):
                placed = {**pieces, origin: mover}
                for whole in _completed(board, placed, (origin, target), with_spares=with_spares):
                    yield Trial(whole, origin, target)


def _closed_in(
    board: TrialBoard, victim: Coordinates, beyond: Coordinates, direction: Coordinates
) -> Iterator[tuple[_Pieces, Piece]]:
    """Iterates over the pieces around a victim, with the mover to the last free square."""
    ranks = _RANKS[:1] if board.has_ranks else ()
    for taken, mover in [(_A, _D), (_A, _K), (_D, _A), (_K, _A), *((_K, rank) for rank in ranks)]:
        helpers: list[Piece | None] = [None, _D if mover is _K else mover]
        helpers += [_A, *ranks] if taken is _K else [_D] if taken is _D else [_A]
        helpers += [_K] if _K not in (taken, mover) else []
        for helper in dict.fromkeys(helpers):
            if helper is not None and not board.has(beyond):
                continue
            pieces = {victim: taken} if helper is None else {victim: taken, beyond: helper}
            for flanks in _flanks(board, victim, direction) if taken is _K else ({},):
                yield pieces | flanks, mover


def _flanks(board: TrialBoard, king: Coordinates, direction: Coordinates) -> Iterator[_Pieces]:
    """Iterates over flanks of the king: empty, attackers on both sides, or except on the throne."""
    aside = direction[::-1]
    both = [place for place in (step(king, aside), step(king, aside, -1)) if board.has(place)]
    yield {}
    yield dict.fromkeys(both, _A)
    if board.centre in both:
        yield {place: _A for place in both if place != board.centre}


def _arrivals(
    board: TrialBoard, pieces: _Pieces, target: Coordinates, direction: Coordinates
) -> list[Coordinates]:
    """Returns up to two places from which a piece may move to a target."""
    aside = direction[::-1]
    origins = [step(target, aside), step(target, aside, -1)]
    origins += [step(target, direction, -1), step(target, direction, -2)]
    free = [place for place in origins if board.has(place) and place not in pieces and place != board.centre]
    return free[:2]


def _jumps(board: TrialBoard) -> Iterator[Trial]:
    """Iterates over jumps over an enemy."""
    for origin, direction in product(board.spots, DIRECTIONS):
        over, target = step(origin, direction), step(origin, direction, 2)
        if not board.has(target):
            continue
        for piece in (_K, *(_RANKS if board.has_ranks else ())):
            enemy = _A if piece.side is Side.DEFENDERS else _D
            for whole in _completed(board, {origin: piece, over: enemy}, (origin, target), with_spares=True):
                yield Trial(whole, origin, target)


def _knights(board: TrialBoard) -> Iterator[Trial]:
    """Iterates over captures of a knight, between two pieces and on three sides."""
    for victim, direction in product(board.spots, DIRECTIONS if board.has_ranks else ()):
        target, aside = step(victim, direction, -1), step(victim, direction[::-1])
        for taken, mover in ((Piece.DEFENDER_KNIGHT, _A), (Piece.ATTACKER_KNIGHT, _D)):
            for others in ([step(victim, direction)], [step(victim, direction), aside]):
                pieces = {victim: taken, **dict.fromkeys(others, mover)}
                if not all(map(board.has, (*pieces, target))):
                    continue
                for origin in _arrivals(board, pieces, target, direction):
                    placed = {**pieces, origin: mover}
                    for whole in _completed(board, placed, (origin, target), with_spares=True):
                        yield Trial(whole, origin, target)


def _chains(board: TrialBoard) -> Iterator[Trial]:
    """Iterates over captures after which the piece could capture again, and over the end of such a turn."""
    for (x, y), mover in product(((1, 2), (2, 2), (1, 3)), (_A, _D)):
        other = _D if mover is _A else _A
        target = (x, y)
        waiting = {(x + 1, y + 2): other, (x + 2, y + 2): mover}
        begun = {**waiting, (x + 1, y): other, (x + 2, y): mover, (x, y - 1): mover}
        if not all(board.has(place) and place != board.centre for place in begun):
            continue
        for whole in _completed(board, begun, ((x, y - 1), target), with_spares=True):
            yield Trial(whole, (x, y - 1), target)
        for whole in _completed(board, {**waiting, target: mover}, (target,), with_spares=True):
            yield Trial(whole, target, target, going=target)


def _rows(board: TrialBoard) -> Iterator[Trial]:
    """Iterates over pairs on the edge that are enclosed by enemies in front and at both ends."""
    for x, (pair, enemy) in product(
        range(1, board.size - 2), (((_D, _D), _A), ((_D, _K), _A), ((_A, _A), _D))
    ):
        row = {(x, 0): pair[0], (x + 1, 0): pair[1]}
        front, ends = [(x, 1), (x + 1, 1)], [(x - 1, 0), (x + 2, 0)]
        for closing, origin in ((ends[1], (x + 2, 1)), (front[1], (x + 1, 2))):
            for left in ([place for place in (*front, *ends) if place != closing], [*front, *ends[1:]]):
                walls = [place for place in left if place != closing]
                pieces = {**row, **dict.fromkeys(walls, enemy), origin: enemy}
                if all(board.has(place) and place != board.centre for place in (*pieces, closing)):
                    for whole in _completed(board, pieces, (origin, closing), with_spares=True):
                        yield Trial(whole, origin, closing)


def _blocks(board: TrialBoard) -> Iterator[Trial]:
    """Iterates over blocked sides: the last attacker on the edge, and a surrounded king."""
    for x in range(1, board.size - 1):
        walls = {(x - 1, 0): _D, (x + 1, 0): _D, (x, 0): _A}
        for origin in ((x, 2), (x + 1, 1)):
            path = (origin, (x, 1))
            if path[1] == board.centre:
                continue
            for whole in _completed(board, {**walls, origin: _D}, path, with_spares=False):
                yield Trial(whole, *path)
    for x, y in board.spots:
        ring = [place for place in neighbours((x, y)) if board.has(place)]
        origin = step(ring[0], (1, 0)) if ring else (x, y)
        if board.has(origin) and origin not in ring:
            pieces = {(x, y): _K, **dict.fromkeys(ring[1:], _A), origin: _A}
            yield Trial(pieces, origin, ring[0])


def _breakouts(board: TrialBoard) -> Iterator[Trial]:
    """Iterates over kings who step out of a ring of attackers to a square with two open roads."""
    for king, direction in product(board.spots, DIRECTIONS):
        aside = direction[::-1]
        walls = [
            step(king, direction, 2),
            step(king, direction, -1),
            step(king, aside),
            step(king, aside, -1),
        ]
        if all(board.has(place) for place in walls):
            yield Trial({king: _K, **dict.fromkeys(walls, _A)}, king, step(king, direction))


def _quiet(board: TrialBoard, limits: Sequence[int]) -> Iterator[Trial]:
    """Iterates over quiet moves one ply before a limit."""
    for limit, trial in product(limits, _to_and_fro(board)):
        origin, target = trial.history[0]
        yield Trial(trial.pieces, origin, target, quiet=limit - 1)


def _repeats(board: TrialBoard, counts: Sequence[int]) -> Iterator[Trial]:
    """Iterates over moves to and fro until a position is repeated `counts` times."""
    for count, trial in product(counts, _to_and_fro(board)):
        moves = trial.history * (count - 1)
        if moves:
            yield Trial(trial.pieces, *moves[-1], history=moves[:-1])


def _to_and_fro(board: TrialBoard) -> Iterator[Trial]:
    """Iterates over an attacker and a defender that each move one step and back."""
    last = board.size - 1
    for file in (1, 2):
        first, second = (file, 1), (last - file, last - 2)
        for one, two in ((first, second), (second, first)):
            steps = ((one, step(one, (0, 1))), (two, step(two, (0, 1))))
            history = (*steps, *((target, origin) for origin, target in steps))
            path = tuple(place for move in steps for place in move)
            for whole in _completed(board, {first: _A, second: _D}, path, with_spares=False):
                yield Trial(whole, *steps[0], history=history)
