"""Composes positions of themes that are rare in self-play games: enclosures, exit forts and shieldwalls.

A fort, or a row on the edge with the wall around it, is placed into a position of a self-play game, and some
of its pieces are moved back along free lines. Whether that leaves a position of the suite is decided by
`make_themes.py`, as for the positions of games.
"""

import itertools
import random
from collections.abc import Iterator

from positions import self_play
from puzzle_rings import beside, move_back, ring_positions

from hnefi import Game, HnefiError, Piece, Setup, Side, Square, Variant
from hnefi._core import Searcher

# Nodes for each move of the games, and the plies from which their positions are taken.
PLAY_NODES = 300
EARLIEST, LATEST = 12, 70
# Positions that are tried with the pieces of one game.
TRIES = 60
RINGS = 12
# How far an area of a fort grows, and how far the pieces of a shieldwall reach.
MOST_AREA = 6
ROWS = (2, 2, 2, 3, 3, 4)

Pieces = dict[Square, Piece]


def composed_rings(one: Variant, seed: int, side: Side, searcher: Searcher) -> Iterator[Game]:
    """Iterates over positions with most of a ring around the defenders, with this side to move."""
    del searcher
    for game in itertools.islice(ring_positions(one, seed), RINGS):
        yield from _game(one, game.position.pieces, side)


def composed_forts(one: Variant, seed: int, side: Side, searcher: Searcher) -> Iterator[Game]:
    """Iterates over positions with most of a fort, with this side to move."""
    rng = random.Random(f"fort/{one.id}/{side.value}/{seed}")
    before = _pieces_of_a_game(one, searcher, rng)
    size = one.new_game().position.setup.size
    for _ in range(TRIES):
        area = _edge_area(size, rng)
        wall = [square for square in beside(area, size) if not _is_corner(square, size)]
        king = rng.choice([square for square in sorted(area) if _is_edge(square, size)])
        pieces = _cleared(before, {*area, *wall})
        most = sum(piece is Piece.DEFENDER for piece in before.values())
        if len(wall) > most:
            continue
        pieces = {square: piece for square, piece in pieces.items() if piece is not Piece.KING}
        pieces |= dict.fromkeys(wall, Piece.DEFENDER) | {king: Piece.KING}
        _drop(pieces, Piece.DEFENDER, most, set(wall), rng)
        for square in rng.sample([*wall, king], rng.choice((1, 2, 2, 3))):
            move_back(pieces, square, size, rng)
        yield from _game(one, pieces, side)


def composed_shieldwalls(one: Variant, seed: int, side: Side, searcher: Searcher) -> Iterator[Game]:
    """Iterates over positions with most of a wall before a row on the edge, with this side to move."""
    rng = random.Random(f"shieldwall/{one.id}/{side.value}/{seed}")
    before = _pieces_of_a_game(one, searcher, rng)
    size = one.new_game().position.setup.size
    for _ in range(TRIES):
        victim, captor = rng.sample([Piece.ATTACKER, Piece.DEFENDER], 2)
        row = rng.choice(ROWS)
        begin, symmetry = rng.randint(1, size - 1 - row), rng.randrange(8)
        victims = [_placed(file, 0, size, symmetry) for file in range(begin, begin + row)]
        fronts = [_placed(file, 1, size, symmetry) for file in range(begin, begin + row)]
        ends = [_placed(file, 0, size, symmetry) for file in (begin - 1, begin + row)]
        ends = [square for square in ends if not _is_corner(square, size)]
        counts = {piece: sum(one is piece for one in before.values()) for piece in (victim, captor)}
        pieces = _cleared(before, {*victims, *fronts, *ends})
        pieces |= dict.fromkeys(victims, victim) | dict.fromkeys([*fronts, *ends], captor)
        for piece in (victim, captor):
            _drop(pieces, piece, max(counts[piece], row), {*victims, *fronts, *ends}, rng)
        # The hammer closes an end: another piece may be away from its place too, or one of the victims.
        move_back(pieces, rng.choice(ends), size, rng)
        if rng.random() < 0.5:
            move_back(pieces, rng.choice([*victims, *fronts, *ends]), size, rng)
        yield from _game(one, pieces, side)


def _pieces_of_a_game(one: Variant, searcher: Searcher, rng: random.Random) -> Pieces:
    game: Game | None = self_play(one, rng.randrange(1_000_000), PLAY_NODES, searcher)
    wanted = rng.randint(EARLIEST, LATEST)
    while game is not None and game.parent is not None and (game.turn is None or game.ply_count > wanted):
        game = game.parent
    assert game is not None
    return game.position.pieces


def _game(one: Variant, pieces: Pieces, side: Side) -> Iterator[Game]:
    """Iterates over the one game that begins so, if the rules allow the position and nobody has won."""
    size = one.new_game().position.setup.size
    reserved = [square for square in pieces if _is_corner(square, size) or square == _centre(size)]
    if any(pieces[square] is not Piece.KING for square in reserved):
        return
    try:
        game = Game(one.rules, Setup.of(size, pieces, side))
    except HnefiError:
        return
    if game.turn is side and not game.position.open_roads:
        yield game


def _placed(along: int, depth: int, size: int, symmetry: int) -> Square:
    """Returns the square so far along the edge and so far from it, at one of the four edges."""
    file, rank = along, depth
    if symmetry & 1:
        file = size - 1 - file
    if symmetry & 2:
        rank = size - 1 - rank
    return Square.at(rank, file) if symmetry & 4 else Square.at(file, rank)


def _is_edge(square: Square, size: int) -> bool:
    return square.file in (0, size - 1) or square.rank in (0, size - 1)


def _is_corner(square: Square, size: int) -> bool:
    return square.file in (0, size - 1) and square.rank in (0, size - 1)


def _centre(size: int) -> Square:
    return Square.at(size // 2, size // 2)


def _edge_area(size: int, rng: random.Random) -> set[Square]:
    """Returns a random area of at least two squares that touches the edge, without corners."""
    area = {_placed(rng.randint(1, size - 2), 0, size, rng.randrange(8))}
    for _ in range(rng.randint(1, MOST_AREA - 1)):
        choices = [square for square in beside(area, size) if not _is_corner(square, size)]
        area.add(rng.choice([square for square in choices if square != _centre(size)]))
    return area


def _cleared(pieces: Pieces, squares: set[Square]) -> Pieces:
    return {square: piece for square, piece in pieces.items() if square not in squares}


def _drop(pieces: Pieces, kind: Piece, most: int, kept: set[Square], rng: random.Random) -> None:
    """Removes pieces of a kind until there are at most so many."""
    others = sorted(square for square, piece in pieces.items() if piece is kind and square not in kept)
    excess = sum(piece is kind for piece in pieces.values()) - most
    for square in rng.sample(others, min(max(excess, 0), len(others))):
        del pieces[square]
