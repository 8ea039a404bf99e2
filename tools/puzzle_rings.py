"""Composes positions in which the attackers are about to close a ring: weak players hardly ever get there.

A ring is drawn around a random area, the king's side is placed inside it, and a few pieces of the ring are
moved back along their lines. Whether that leaves a puzzle is decided by `make_puzzles.py`, as for every other
position.
"""

import json
import random
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from hnefi import Game, HnefiError, Piece, Setup, Side, Square, Variant

# Positions that are tried around one area.
TRIES = 120
# How many pieces of the ring are moved back, at most.
MOST_BACK = 3
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))

Area = frozenset[Square]


def has_rings(one: Variant) -> bool:
    """Checks whether enclosing the king's side wins in a variant."""
    return bool(json.loads(one.rules.to_json())["ends"]["enclosure"] == "attackers_win")


def ring_positions(one: Variant, seed: int) -> Iterator[Game]:
    """Iterates over positions around one random area, with the attackers to move."""
    rng = random.Random(f"ring/{one.id}/{seed}")
    start = one.new_game().position.setup
    counts = {piece: list(start.pieces.values()).count(piece) for piece in Piece}
    size = start.size
    area = _area(size, counts[Piece.ATTACKER], rng)
    ring = beside(area, size)
    if not len(area) >= 2 or len(ring) > counts[Piece.ATTACKER] or _has_holes(area, size):
        return
    outside = [square for square in _squares(size) if square not in {*area, *ring}]
    # Throne and corners: in these games nobody but the king may stand there.
    ends = (0, size - 1)
    kings_own = [Square.at(size // 2, size // 2), *(Square.at(file, rank) for file in ends for rank in ends)]
    for _ in range(TRIES):
        inside = rng.sample(sorted(area), min(len(area), 1 + rng.randint(1, counts[Piece.DEFENDER])))
        pieces = dict.fromkeys(inside, Piece.DEFENDER)
        pieces[inside[0]] = Piece.KING
        free = min(counts[Piece.ATTACKER] - len(ring), len(outside))
        others = rng.sample(outside, rng.randint(0, free))
        pieces |= dict.fromkeys([*ring, *others], Piece.ATTACKER)
        for square in rng.sample(ring, min(rng.randint(1, MOST_BACK), len(ring))):
            move_back(pieces, square, size, rng, area)
        if any(pieces.get(square, Piece.KING) is not Piece.KING for square in kings_own):
            continue
        try:
            game = Game(one.rules, Setup.of(size, pieces, Side.ATTACKERS))
        except HnefiError:
            continue
        if game.turn is Side.ATTACKERS:
            yield game


def _squares(size: int) -> list[Square]:
    return [Square.at(file, rank) for file in range(size) for rank in range(size)]


def _step(square: Square, direction: tuple[int, int], size: int) -> Square | None:
    file, rank = square.file + direction[0], square.rank + direction[1]
    return Square.at(file, rank) if 0 <= file < size and 0 <= rank < size else None


def _neighbours(square: Square, size: int) -> list[Square]:
    found = (_step(square, direction, size) for direction in DIRECTIONS)
    return [one for one in found if one is not None]


def beside(area: AbstractSet[Square], size: int) -> list[Square]:
    """Returns the squares next to an area, sorted."""
    return sorted({one for square in area for one in _neighbours(square, size)} - area)


def _area(size: int, attackers: int, rng: random.Random) -> Area:
    """Returns a random area away from the edge that so many attackers can enclose."""
    inner = [one for one in _squares(size) if 0 < one.file < size - 1 and 0 < one.rank < size - 1]
    area = frozenset([rng.choice(inner)])
    for _ in range(rng.randint(2, size * 2)):
        choices = [square for square in beside(area, size) if square in inner]
        # Squares with more neighbours in the area keep it round, so that few attackers enclose much.
        weights = [3 ** sum(one in area for one in _neighbours(square, size)) for square in choices]
        larger = area | {rng.choices(choices, weights)[0]}
        if len(beside(larger, size)) <= attackers:
            area = larger
    return area


def _has_holes(area: Area, size: int) -> bool:
    """Checks whether an area surrounds squares that are not its own."""
    edge = [one for one in _squares(size) if len(_neighbours(one, size)) < len(DIRECTIONS)]
    reached, open_squares = set(edge), edge
    while open_squares:
        square = open_squares.pop()
        for one in _neighbours(square, size):
            if one not in area and one not in reached:
                reached.add(one)
                open_squares.append(one)
    return len(reached) + len(area) < size * size


def move_back(
    pieces: dict[Square, Piece], square: Square, size: int, rng: random.Random, area: Area = frozenset()
) -> None:
    """Moves a piece back along a free line, if there is one outside an area."""
    if square not in pieces:
        return
    origins: list[Square] = []
    for direction in DIRECTIONS:
        origin = _step(square, direction, size)
        while origin is not None and origin not in pieces and origin not in area:
            origins.append(origin)
            origin = _step(origin, direction, size)
    if origins:
        pieces[rng.choice(origins)] = pieces.pop(square)
