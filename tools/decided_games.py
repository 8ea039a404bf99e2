"""Plays games of the engine with itself, to be measured and searched for positions.

The searches are limited by nodes and run in one thread: from one seed every machine plays the same games.
"""

import random
from collections.abc import Iterator

from hnefi import Game, Side, Variant
from hnefi._core import Searcher

OPENING_PLIES = 4
LONGEST = 200


def self_play(variant: Variant, seed: int, nodes: int, searcher: Searcher) -> Game:
    """Plays one game: a few random plies, then the best move of a search of so many nodes."""
    searcher.clear()
    game = opening(variant, random.Random(f"{variant.id}/{seed}"))
    while game.turn is not None and game.ply_count < LONGEST:
        game = game.play(searcher.analyse(game, nodes=nodes).lines[0].moves[0])
    return game


def opening(variant: Variant, rng: random.Random) -> Game:
    """Plays the random plies a game begins with, none of which ends it."""
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
    """Plays games without end; gives those that somebody won: the seed, the game and the winner."""
    searcher = Searcher(table_mib=16)
    while True:
        game = self_play(variant, seed, nodes, searcher)
        if game.outcome is not None and game.outcome.winner is not None:
            yield seed, game, game.outcome.winner
        seed += 1


def back(game: Game, plies: int) -> Game | None:
    """Gives the position so many plies before the end, as a game of its own; None in the opening."""
    before: Game | None = game
    for _ in range(plies):
        before = before.parent if before is not None else None
    if before is None or before.ply_count < OPENING_PLIES:
        return None
    return Game(before.rules, before.position.setup)
