"""Self-play games for measurements and collections of positions, and what these do with positions.

The searches are limited by nodes and run in one thread, so that a seed gives the same games on every machine.
"""

import random
from collections.abc import Iterator

from hnefi import Game, Setup, Side, Variant
from hnefi._core import Searcher

OPENING_PLIES = 4
MAX_PLIES = 200


def self_play(variant: Variant, seed: int, nodes: int, searcher: Searcher) -> Game:
    """Plays one game: a few random plies, then the best moves of searches with `nodes` positions."""
    searcher.clear()
    game = opening(variant, random.Random(f"{variant.id}/{seed}"))
    while game.turn is not None and game.ply_count < MAX_PLIES:
        game = game.play(searcher.analyse(game, nodes=nodes).lines[0].moves[0])
    return game


def opening(variant: Variant, rng: random.Random) -> Game:
    """Plays the random plies at the start of a game, none of which ends it."""
    while True:
        game = variant.new_game()
        for _ in range(OPENING_PLIES):
            moves = game.legal_moves()
            if not moves:
                break
            game = game.play(rng.choice(moves))
        if game.turn is not None:
            return game


def decided_games(variant: Variant, seed: int, nodes: int) -> Iterator[tuple[int, Game, Side]]:
    """Iterates without end over games that are not drawn: the seed, the game and the winner."""
    searcher = Searcher(table_mib=16)
    while True:
        game = self_play(variant, seed, nodes, searcher)
        if game.outcome is not None and game.outcome.winner is not None:
            yield seed, game, game.outcome.winner
        seed += 1


def before_end(game: Game, plies: int) -> Game | None:
    """Returns a game that starts at the position `plies` before the end; None in the opening."""
    before: Game | None = game
    for _ in range(plies):
        before = before.parent if before is not None else None
    if before is None or before.ply_count < OPENING_PLIES:
        return None
    return Game(before.rules, before.position.setup)


def from_position(game: Game, turn: Side | None = None) -> Game:
    """Returns the position of a game as the beginning of one, with the same or a given side to move."""
    setup = game.position.setup
    return Game(game.rules, Setup.of(setup.size, setup.pieces, turn or setup.turn))


def canonical(game: Game) -> str:
    """Returns a text that is equal for symmetric positions."""
    position = game.position
    images = (position.transformed(symmetry) for symmetry in position.rules.symmetries)
    return min(str(image.setup).rsplit(" ", 1)[0] for image in images)
