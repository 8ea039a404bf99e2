"""Openings of experiments: a few random moves, none of which decides the game at once.

They follow from the rules and a seed alone. No two of them lead to the same position, nor to one that a
symmetry of the board makes the same, as long as there are others.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from hnefi._core import Game, Move, Rules, Searcher, random_game
from hnefi.lab.faults import lab_error

__all__ = ["Openings"]

_TRIES = 300
_NODES = 20_000
_TABLE_MIB = 4


@dataclass(frozen=True, slots=True)
class Openings:
    """How openings are made.

    >>> from hnefi import variant
    >>> few = Openings(plies=2, seed=7)
    >>> [len(moves) for _, moves in zip(range(3), few.draw(variant("brandub-globe").rules))]
    [2, 2, 2]
    """

    plies: int = 4
    """How many random moves, half of them by each side if it is even."""

    seed: int = 1

    foresight: int = 4
    """An opening that a search of so many plies finds won for either side is left out."""

    def draw(self, rules: Rules) -> Iterator[tuple[Move, ...]]:
        """Gives openings without end, always the same in the same order.

        Where no new one is found they become two plies longer.

        Raises:
            LabError: `no_opening`.
        """
        chance = random.Random(f"hnefi openings 1 {rules.hash} {self.plies} {self.seed}")
        searcher = Searcher(table_mib=_TABLE_MIB)
        seen: set[int] = set()
        plies, tries, longest = self.plies, 0, self.plies + 20
        while plies <= longest:
            game = random_game(rules, chance.getrandbits(63), plies)
            key = _key(game)
            tries += 1
            if key not in seen and game.ply_count == plies and self._is_open(game, searcher):
                seen.add(key)
                tries = 0
                yield tuple(ply.move for ply in game.plies)
            if tries >= _TRIES:
                plies, tries = plies + 2, 0
        raise lab_error("no_opening", plies=self.plies)

    def _is_open(self, game: Game, searcher: Searcher) -> bool:
        """Tests whether the game goes on and a shallow search proves nothing."""
        if game.outcome is not None:
            return False
        searcher.clear()
        found = searcher.analyse(game, depth=self.foresight, nodes=_NODES)
        return bool(found.lines) and found.lines[0].win_in is None


def _key(game: Game) -> int:
    """Gives a number that positions have in common which a symmetry makes the same."""
    return min(game.position.transformed(symmetry).zobrist for symmetry in game.rules.symmetries)
