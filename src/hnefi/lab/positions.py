"""Self-play games, their positions, and growing test suites of positions.

The searches are limited by nodes and run in one thread, so that a seed gives the same games on every machine.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from hnefi._core import Game, Move, Searcher, Setup
from hnefi.formats import SuiteEntry, parse_suite
from hnefi.pieces import Side
from hnefi.variants.model import Variant

OPENING_PLIES = 4
MAX_PLIES = 200


def play_on(game: Game, choose: Callable[[Game], Move], most: int = MAX_PLIES) -> Game:
    """Plays a game on until it is over, or has so many plies."""
    while game.turn is not None and game.ply_count < most:
        game = game.play(choose(game))
    return game


def searched(searcher: Searcher, nodes: int, weights: str | None = None) -> Callable[[Game], Move]:
    """Returns a function that chooses the best move of a search, which keeps its table during a game."""
    searcher.clear()
    return lambda game: searcher.analyse(game, nodes=nodes, weights=weights).lines[0].moves[0]


def self_play(variant: Variant, seed: int, nodes: int, searcher: Searcher) -> Game:
    """Plays one game: a few random plies, then the best moves of searches with `nodes` positions."""
    return play_on(opening(variant, random.Random(f"{variant.id}/{seed}")), searched(searcher, nodes))


def opening(variant: Variant, rng: random.Random) -> Game:
    """Plays the random plies at the start of a game, none of which ends it."""
    while True:
        game = play_on(variant.new_game(), lambda game: rng.choice(game.legal_moves()), OPENING_PLIES)
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


class Proof(NamedTuple):
    """The answer of the prover: `proven`, `disproven` or `unknown`, and its effort in positions expanded.

    For a proof its line, the plies of the longest one, and the positions of its certificate.
    """

    answer: str
    effort: int
    line: tuple[Move, ...] = ()
    plies: int = 0
    size: int = 0


def prove(game: Game, side: Side, nodes: int, table_mib: int = 8) -> Proof:
    """Searches for a forced win of a side."""
    answer, effort, proof = Searcher(table_mib=1).prove(game, side, nodes=nodes, table_mib=table_mib)
    if answer != "proven" or proof is None:
        return Proof(answer, effort)
    return Proof(answer, effort, tuple(proof[1]), proof[2], len(proof[0]))


class SuiteFile:
    """The positions of a variant in a test suite, to which others are added, none symmetric to another."""

    def __init__(self, variant: Variant, path: Path | None = None) -> None:
        """Reads the file, if there is one; without a path, the suite is nowhere else.

        Raises:
            RecordError: The first fault of the file: it may be one of something else.
        """
        self.variant, self.path = variant, path
        text = path.read_text(encoding="utf-8-sig") if path is not None and path.exists() else ""
        self._gap = "" if text.endswith("\n") or not text else "\n"
        reading = parse_suite(text)
        if reading.faults:
            raise reading.faults[0]
        self.entries = [entry for entry in reading.entries if entry.variant == variant.id]
        self._known = {canonical(entry.new_game()) for entry in self.entries}

    def has(self, game: Game) -> bool:
        """Checks whether the position of a game, or a symmetric one, is in the suite."""
        return canonical(game) in self._known

    def add(self, entry: SuiteEntry) -> None:
        """Appends a position to the file."""
        self.entries.append(entry)
        self._known.add(canonical(entry.new_game()))
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{self._gap}{entry}\n")
            self._gap = ""


def number_of(entry: SuiteEntry, name: str) -> int:
    """Returns the number of an operation of a position; 0 if it has none."""
    word = "".join(entry.operations.get(name, ()))
    return int(word) if word.isdecimal() else 0
