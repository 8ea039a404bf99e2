"""Composes positions that are rare in games: with most of a ring, of an exit fort, or of a shieldwall.

A ring is drawn around a random area with the king's side inside it; a fort, or a row on the edge with the
wall around it, is placed into a position of a self-play game. Then a few pieces are moved back along free
lines. Whether that leaves a puzzle or a position of a suite is decided elsewhere, as for all positions.
"""

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from hnefi._core import Game, Searcher, Setup, Square
from hnefi.errors import HnefiError
from hnefi.lab.positions import self_play
from hnefi.pieces import Piece, Side
from hnefi.variants.model import Variant

# Positions that are tried around one area, or with the pieces of one game, and those of a ring for a suite.
RING_TRIES, TRIES, RINGS = 120, 60, 12
# How many pieces of a ring are moved back, how far an area of a fort grows, and the lengths of rows.
MOST_BACK, MOST_AREA, ROWS = 3, 6, (2, 2, 2, 3, 3, 4)
# Nodes for each move of the games, and the plies from which their positions are taken.
PLAY_NODES, EARLIEST, LATEST = 300, 12, 70

Pieces = dict[Square, Piece]


class Board:
    """The squares of a board."""

    def __init__(self, one: Variant) -> None:
        self.size = size = one.rules.size
        ends = (0, size - 1)
        self.squares = [Square.at(file, rank) for file in range(size) for rank in range(size)]
        self.edge = {square for square in self.squares if square.file in ends or square.rank in ends}
        self.corners = {square for square in self.edge if square.file in ends and square.rank in ends}
        self.centre = Square.at(size // 2, size // 2)

    def lines(self, square: Square) -> Iterator[list[Square]]:
        """Iterates over the squares in each direction, the nearest first."""
        for file, rank in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            steps = ((square.file + by * file, square.rank + by * rank) for by in range(1, self.size))
            yield [Square.at(*at) for at in steps if min(at) >= 0 and max(at) < self.size]

    def beside(self, area: AbstractSet[Square]) -> list[Square]:
        """Returns the squares next to an area, sorted."""
        return sorted({line[0] for square in area for line in self.lines(square) if line} - area)

    def placed(self, along: int, depth: int, symmetry: int) -> Square:
        """Returns the square so far along the edge and so far from it, at one of the four edges."""
        file = self.size - 1 - along if symmetry & 1 else along
        rank = self.size - 1 - depth if symmetry & 2 else depth
        return Square.at(rank, file) if symmetry & 4 else Square.at(file, rank)

    def move_back(
        self, pieces: Pieces, square: Square, rng: random.Random, area: AbstractSet[Square] = frozenset()
    ) -> None:
        """Moves a piece back along a free line, if there is one outside an area."""
        blocked = pieces.keys() | area
        lines = self.lines(square) if square in pieces else ()
        origins = [
            at for line in lines for at in itertools.takewhile(lambda square: square not in blocked, line)
        ]
        if origins:
            pieces[rng.choice(origins)] = pieces.pop(square)

    def has_holes(self, area: AbstractSet[Square]) -> bool:
        """Checks whether an area away from the edge surrounds squares that are not its own."""
        reached, found = set(self.edge), set(self.edge)
        while found:
            found = set(self.beside(reached)) - area
            reached |= found
        return len(reached) + len(area) < self.size**2


def has_rings(one: Variant) -> bool:
    """Checks whether enclosing the king's side wins in a variant."""
    return bool(json.loads(one.rules.to_json())["ends"]["enclosure"] == "attackers_win")


def ring_positions(one: Variant, seed: int) -> Iterator[Game]:
    """Iterates over positions around one random area, with the attackers to move."""
    rng, board = random.Random(f"ring/{one.id}/{seed}"), Board(one)
    counts = Counter(one.new_game().position.pieces.values())
    area = _ringed_area(board, counts[Piece.ATTACKER], rng)
    ring = board.beside(area)
    if len(area) < 2 or len(ring) > counts[Piece.ATTACKER] or board.has_holes(area):
        return
    outside = [square for square in board.squares if square not in {*area, *ring}]
    for _ in range(RING_TRIES):
        inside = rng.sample(sorted(area), min(len(area), 1 + rng.randint(1, counts[Piece.DEFENDER])))
        pieces = dict.fromkeys(inside, Piece.DEFENDER) | {inside[0]: Piece.KING}
        others = rng.sample(outside, rng.randint(0, min(counts[Piece.ATTACKER] - len(ring), len(outside))))
        pieces |= dict.fromkeys([*ring, *others], Piece.ATTACKER)
        for square in rng.sample(ring, min(rng.randint(1, MOST_BACK), len(ring))):
            board.move_back(pieces, square, rng, area)
        yield from _game(one, board, pieces, Side.ATTACKERS)


def _ringed_area(board: Board, attackers: int, rng: random.Random) -> frozenset[Square]:
    """Returns a random area away from the edge that so many attackers can enclose."""
    area = frozenset([rng.choice([square for square in board.squares if square not in board.edge])])
    for _ in range(rng.randint(2, board.size * 2)):
        choices = [square for square in board.beside(area) if square not in board.edge]
        # Squares with more neighbours in the area keep it round, so that few attackers enclose much.
        weights = [3 ** sum(one in area for one in board.beside({square})) for square in choices]
        larger = area | {rng.choices(choices, weights)[0]}
        if len(board.beside(larger)) <= attackers:
            area = larger
    return area


def composed_rings(one: Variant, seed: int, side: Side, _: Searcher) -> Iterator[Game]:
    """Iterates over positions with most of a ring around the defenders, with this side to move."""
    for game in itertools.islice(ring_positions(one, seed), RINGS):
        yield from _game(one, Board(one), game.position.pieces, side)


def composed_forts(one: Variant, seed: int, side: Side, searcher: Searcher) -> Iterator[Game]:
    """Iterates over positions with most of a fort, with this side to move."""
    rng, board = random.Random(f"fort/{one.id}/{side.value}/{seed}"), Board(one)
    before = _pieces_of_a_game(one, searcher, rng)
    most = list(before.values()).count(Piece.DEFENDER)
    for _ in range(TRIES):
        area = _edge_area(board, rng)
        wall = [square for square in board.beside(area) if square not in board.corners]
        king = rng.choice(sorted(area & board.edge))
        if len(wall) > most:
            continue
        kept = before.keys() - {*area, *wall}
        pieces: Pieces = {at: piece for at, piece in before.items() if at in kept and piece is not Piece.KING}
        pieces |= dict.fromkeys(wall, Piece.DEFENDER) | {king: Piece.KING}
        _drop(pieces, Piece.DEFENDER, most, set(wall), rng)
        for square in rng.sample([*wall, king], rng.choice((1, 2, 2, 3))):
            board.move_back(pieces, square, rng)
        yield from _game(one, board, pieces, side)


def composed_shieldwalls(one: Variant, seed: int, side: Side, searcher: Searcher) -> Iterator[Game]:
    """Iterates over positions with most of a wall before a row on the edge, with this side to move."""
    rng, board = random.Random(f"shieldwall/{one.id}/{side.value}/{seed}"), Board(one)
    before = _pieces_of_a_game(one, searcher, rng)
    counts = Counter(before.values())
    for _ in range(TRIES):
        victim, captor = rng.sample([Piece.ATTACKER, Piece.DEFENDER], 2)
        row = rng.choice(ROWS)
        begin, symmetry = rng.randint(1, board.size - 1 - row), rng.randrange(8)
        victims, fronts = (
            [board.placed(file, depth, symmetry) for file in range(begin, begin + row)] for depth in (0, 1)
        )
        ends = [board.placed(file, 0, symmetry) for file in (begin - 1, begin + row)]
        ends = [square for square in ends if square not in board.corners]
        wall = [*victims, *fronts, *ends]
        pieces: Pieces = {at: piece for at, piece in before.items() if at not in wall}
        pieces |= dict.fromkeys(victims, victim) | dict.fromkeys([*fronts, *ends], captor)
        for piece in (victim, captor):
            _drop(pieces, piece, max(counts[piece], row), set(wall), rng)
        # The hammer closes an end: another piece may be away from its place too, or one of the victims.
        board.move_back(pieces, rng.choice(ends), rng)
        if rng.random() < 0.5:
            board.move_back(pieces, rng.choice(wall), rng)
        yield from _game(one, board, pieces, side)


def _pieces_of_a_game(one: Variant, searcher: Searcher, rng: random.Random) -> Pieces:
    game = self_play(one, rng.randrange(1_000_000), PLAY_NODES, searcher)
    wanted = rng.randint(EARLIEST, LATEST)
    while game.parent is not None and (game.turn is None or game.ply_count > wanted):
        game = game.parent
    return game.position.pieces


def _game(one: Variant, board: Board, pieces: Pieces, side: Side) -> Iterator[Game]:
    """Iterates over the one game that begins so, if the rules allow the position and nobody has won.

    Nobody but the king may stand on the throne and the corners.
    """
    if any(pieces.get(square, Piece.KING) is not Piece.KING for square in {*board.corners, board.centre}):
        return
    try:
        game = Game(one.rules, Setup.of(board.size, pieces, side))
    except HnefiError:
        return
    if game.turn is side:
        yield game


def _edge_area(board: Board, rng: random.Random) -> set[Square]:
    """Returns a random area of at least two squares that touches the edge, without corners."""
    area = {board.placed(rng.randint(1, board.size - 2), 0, rng.randrange(8))}
    for _ in range(rng.randint(1, MOST_AREA - 1)):
        closed = {*board.corners, board.centre}
        area.add(rng.choice([square for square in board.beside(area) if square not in closed]))
    return area


def _drop(pieces: Pieces, kind: Piece, most: int, kept: set[Square], rng: random.Random) -> None:
    """Removes pieces of a kind until there are at most so many."""
    others = sorted(square for square, piece in pieces.items() if piece is kind and square not in kept)
    excess = list(pieces.values()).count(kind) - most
    for square in rng.sample(others, min(max(excess, 0), len(others))):
        del pieces[square]
