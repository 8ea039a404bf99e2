"""Draws small random positions of random rules, and of the variants with few pieces left."""

import json
import random
from collections.abc import Iterator
from typing import Any

from hnefi import Game, Piece, Rules, Setup, Side, Square
from tests.reference.random_rules import random_tree
from tests.worked import variant_tree

SMALL = ("ard-ri-globe", "brandub-breyer", "brandub-globe")


def random_positions(seed: int, size: int | None = 5) -> Iterator[tuple[str, Game]]:
    """Iterates over positions of random rules, some random plies after the start, and the rules as JSON.

    The games keep their past, so that repetition counts. One in three has gone to and fro.
    """
    rng = random.Random(seed)
    while True:
        tree = json.dumps(random_tree(rng, size))
        game = Game(Rules(tree))
        back: list[str] = []
        shuffles = rng.random() < 0.34
        for _ in range(rng.randrange(12)):
            moves = [str(move) for move in game.legal_moves()]
            if not moves:
                break
            wanted = [move for move in back[-2:-1] if move in moves]
            choice = wanted[0] if shuffles and wanted else rng.choice(moves)
            back.append("-".join(reversed(choice.split("x")[0].split("-"))))
            game = game.play(choice)
        if game.turn is not None:
            yield tree, game


def endgame_trees(seed: int, limit: int) -> Iterator[tuple[dict[str, Any], str]]:
    """Iterates over 7x7 positions with few pieces under a short quiet limit, with their rules."""
    rng = random.Random(seed)
    while True:
        tree = variant_tree(rng.choice(SMALL))
        tree["ends"]["quiet_limit"] = limit
        tree["ends"]["repetition"] = {"count": 0, "result": "none"}
        rules = Rules(json.dumps(tree))
        special = {*rules.corners, rules.throne}
        squares = [square for square in _squares(rules.size) if square not in special]
        drawn = rng.sample(squares, 1 + rng.randrange(3, 7) + rng.randrange(3))
        if drawn[0] in rules.goals:
            continue
        pieces = dict.fromkeys(drawn, Piece.ATTACKER)
        pieces[drawn[0]] = Piece.KING
        for square in drawn[1 : 1 + rng.randrange(3)]:
            pieces[square] = Piece.DEFENDER
        setup = Setup.of(rules.size, pieces, rng.choice(list(Side)), rng.randrange(limit))
        if Game(rules, setup).turn is not None:
            yield tree, str(setup)


def _squares(size: int) -> list[Square]:
    return [Square.at(file, rank) for file in range(size) for rank in range(size)]
