"""Collects positions with one winning move into tests/tactics, from games of the engine with itself.

    python tools/make_tactics.py brandub-globe --positions 40

Each line of a file holds a position, who wins, the only move that does, the longest line of the proof in
plies, the depth at which the search finds the move and keeps to it (`-` if it does not), how many of the
other moves are disproved, and the seed of the game. Of the other moves those that are not disproved resist
four times the effort that proved the win. A game gives one position at most. A file is added to, from the
game after the last one it holds, so that one may stop at any time.
"""

import argparse
import time
from collections import Counter
from typing import NamedTuple

from decided_games import back, decided_games
from measure_tactics import FOLDER, Tactic, read, solve

from hnefi import Game, Move, Side, variant
from hnefi._core import Searcher
from hnefi.variants.built_in import booklet_ids

HEAD = (
    "# position | winner | the move that wins | plies of the proof at most | depth to solution | "
    "other moves disproved, of all others | seed of the game\n"
)
BACK = (13, 11, 9, 7, 5)
# Positions expanded: for the proof, at a first look at the other moves, and at least at the second look.
NODES = 5_000
NODES_OF_GLANCE = 300
NODES_OF_OTHERS = 2_000
EFFORT = 4
# What the search may visit to find the move.
NODES_OF_SEARCH = 100_000
# Depths from which on a position counts as hard.
HARD = 4


class Candidate(NamedTuple):
    """A position with a proven win."""

    game: Game
    winner: Side
    move: Move
    longest: int
    nodes: int


class Others(NamedTuple):
    """What became of the other moves."""

    disproved: int
    total: int


def candidate(game: Game, winner: Side, options: argparse.Namespace) -> Candidate | None:
    """Proves a win; None if there is none that is long and small enough."""
    answer, nodes, proof = Searcher(table_mib=1).prove(game, winner, nodes=NODES, table_mib=8)
    if answer != "proven" or proof is None:
        return None
    moves, line, longest = proof
    is_fit = options.shortest <= longest <= options.longest and len(moves) <= options.size
    return Candidate(game, winner, line[0], longest, nodes) if is_fit else None


def others(one: Candidate, nodes: int) -> Others | None:
    """Tries the other moves, so hard each; None if one of them is proved to win too."""
    disproved = total = 0
    searcher = Searcher(table_mib=1)
    for move in one.game.legal_moves():
        if move != one.move:
            answer, _, _ = searcher.prove(one.game.play(move), one.winner, nodes=nodes, table_mib=4)
            if answer == "proven":
                return None
            total += 1
            disproved += answer == "disproven"
    return Others(disproved, total)


def canonical(game: Game) -> str:
    """Gives the same text for positions that are mirror images of each other."""
    position = game.position
    images = (position.transformed(symmetry) for symmetry in position.rules.symmetries)
    return min(str(image.setup).rsplit(" ", 1)[0] for image in images)


class Collection:
    """The file of a variant while it is being filled."""

    def __init__(self, variant_id: str, options: argparse.Namespace) -> None:
        self.path = FOLDER / f"{variant_id}.txt"
        self.options = options
        self.begin = time.monotonic()
        tactics: list[Tactic] = read(variant_id) if self.path.exists() else []
        if not tactics:
            FOLDER.mkdir(exist_ok=True)
            self.path.write_text(HEAD, encoding="utf-8")
        self.known = {canonical(tactic.game) for tactic in tactics}
        self.winners = Counter(tactic.winner for tactic in tactics)
        self.easy = sum(tactic.depth is not None and tactic.depth < HARD for tactic in tactics)
        self.seed = 1 + max((tactic.seed for tactic in tactics), default=0)

    @property
    def seconds(self) -> float:
        """How long it has been filled."""
        return time.monotonic() - self.begin

    def is_full(self) -> bool:
        """Tells whether there are enough positions, or time is up."""
        return bool(len(self.known) >= self.options.positions or self.seconds > self.options.seconds)

    def has_room(self, share: float, count: int) -> bool:
        """Tells whether one more of a kind may come in; when time runs short anything may."""
        return bool(self.seconds > 0.75 * self.options.seconds or count < share * self.options.positions)

    def take(self, game: Game, winner: Side, seed: int) -> bool:
        """Adds a position if it is fit; tells whether it was."""
        key = canonical(game)
        if key in self.known or not self.has_room(self.options.share, self.winners[winner]):
            return False
        one = candidate(game, winner, self.options)
        if one is None or others(one, NODES_OF_GLANCE) is None:
            return False
        tactic = Tactic(game, winner, one.move, one.longest, None, seed)
        depth = solve(tactic, None, NODES_OF_SEARCH).depth
        is_easy = depth is not None and depth < HARD
        if is_easy and not self.has_room(0.4, self.easy):
            return False
        rest = others(one, max(NODES_OF_OTHERS, EFFORT * one.nodes))
        if rest is None:
            return False
        self.known.add(key)
        self.winners[winner] += 1
        self.easy += is_easy
        parts = [str(game.position.setup), winner.value, str(one.move), str(one.longest)]
        parts += [str(depth or "-"), f"{rest.disproved}/{rest.total}", str(seed)]
        with self.path.open("a", encoding="utf-8") as file:
            file.write(" | ".join(parts) + "\n")
        return True


def collect(variant_id: str, options: argparse.Namespace) -> None:
    """Fills the file of one variant."""
    collection = Collection(variant_id, options)
    if collection.is_full():
        return
    for seed, game, winner in decided_games(variant(variant_id), collection.seed, options.play):
        earlier = (back(game, plies) for plies in BACK)
        fit = (one for one in earlier if one is not None and one.turn is winner)
        any(collection.take(one, winner, seed) for one in fit)
        print(
            f"{variant_id}: game {seed}, {len(collection.known)} of {options.positions}, "
            f"{collection.easy} easy, {dict(collection.winners)}, {collection.seconds:.0f} s",
            flush=True,
        )
        if collection.is_full():
            return


def main() -> None:
    """Fills the files of the variants the command line names, of all without a name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("variants", nargs="*", default=booklet_ids())
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--play", type=int, default=2_000, help="nodes of each move of the games")
    parser.add_argument("--shortest", type=int, default=5, help="plies of the shortest win that is taken")
    parser.add_argument("--longest", type=int, default=25, help="plies of the longest win that is taken")
    parser.add_argument("--size", type=int, default=5_000, help="positions of the largest proof taken")
    parser.add_argument("--share", type=float, default=0.7, help="how many may be won by one side, of all")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so long with each variant")
    options = parser.parse_args()
    for variant_id in options.variants:
        collect(variant_id, options)


if __name__ == "__main__":
    main()
