"""Openings of experiments: a few random moves that do not decide the game, moves to a score, or a book.

The first two depend only on the rules and a seed. No two of them lead to the same position or to symmetric
ones, as long as there are others.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from hnefi._core import Game, Move, Rules, Searcher, random_game, steered_opening
from hnefi.engine.book import book_for
from hnefi.lab.errors import LabError

_TRIES = 300
_NODES = 20_000
_TABLE_MIB = 4


@dataclass(frozen=True, slots=True)
class Openings:
    """How openings are generated.

    >>> from hnefi import variant
    >>> few = Openings(plies=2, seed=7)
    >>> [len(moves) for _, moves in zip(range(3), few.draw(variant("brandub-globe").rules))]
    [2, 2, 2]
    """

    plies: int = 4
    """How many random moves."""

    seed: int = 1

    foresight: int = 4
    """Openings that a search of this depth proves won are left out."""

    aim: int | None = None
    """The score for the attackers that openings are steered to, with as many moves as it takes; None for
    random moves."""

    weights: str | None = None
    """The weights that evaluate steered openings, as JSON; None for the default ones."""

    from_book: bool = False
    """Whether they are the lines of the opening book instead, as far as levels play by it, without an end."""

    def draw(self, rules: Rules) -> Iterator[tuple[Move, ...]]:
        """Iterates over openings without end, always in the same order.

        If no new one is found, the openings become two plies longer.

        Raises:
            LabError: `no_opening`, `no_book`.
        """
        if self.from_book:
            book = book_for(rules)
            if book is None:
                raise LabError.of_facts("no_book")
            yield from book.lines
            return
        rng = random.Random(f"hnefi openings 1 {rules.hash} {self.plies} {self.seed}")
        searcher = Searcher(table_mib=_TABLE_MIB)
        seen: set[int] = set()
        plies, tries, longest = self.plies, 0, self.plies + 20
        while plies <= longest:
            game = self._begin(rules, rng.getrandbits(63), plies)
            tries += 1
            if game is not None and game.position.canonical_key not in seen and self._is_open(game, searcher):
                seen.add(game.position.canonical_key)
                tries = 0
                yield tuple(ply.move for ply in game.plies)
            if tries >= _TRIES:
                plies, tries = plies + 2, 0
        raise LabError.of_facts("no_opening", plies=self.plies)

    def _begin(self, rules: Rules, seed: int, plies: int) -> Game | None:
        if self.aim is None:
            game = random_game(rules, seed, plies)
            return game if game.ply_count == plies else None
        moves = steered_opening(rules, seed=seed, aim=self.aim, weights=self.weights)
        return None if moves is None else Game.replay(rules, None, moves)

    def _is_open(self, game: Game, searcher: Searcher) -> bool:
        """Checks whether the game is not over and a shallow search proves nothing."""
        if game.outcome is not None:
            return False
        searcher.clear()
        report = searcher.analyse(game, depth=self.foresight, nodes=_NODES)
        return bool(report.lines) and report.lines[0].win_in is None
