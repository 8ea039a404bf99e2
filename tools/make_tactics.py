"""Collects positions with one winning move into tests/tactics, from self-play games.

    python tools/make_tactics.py brandub-globe --positions 40

Each line of a file has a position, the winner, the only winning move, the longest line of the proof in plies,
the depth to solution (`-` if the search does not find the move), how many of the other moves are disproved,
and the seed of the game. The other moves are disproved, or not proven with four times the effort of the
proof. A game gives one position at most. A file is continued after the game of its last line, so that a run
may stop at any time.
"""

import argparse
import time
from collections import Counter
from typing import NamedTuple

from decided_games import before_end, canonical, decided_games
from measure_tactics import FOLDER, Tactic, read, solve

from hnefi import Game, Move, Side, variant
from hnefi._core import Searcher
from hnefi.variants.built_in import booklet_ids

HEAD = (
    "# position | winner | the move that wins | plies of the proof at most | depth to solution | "
    "other moves disproved, of all others | seed of the game\n"
)
PLIES_BEFORE_END = (13, 11, 9, 7, 5)
# Positions the prover may expand: for the win, for a first test of the other moves, and at least for the
# second.
PROOF_NODES = 5_000
FIRST_TEST_NODES = 300
SECOND_TEST_NODES = 2_000
# Effort for each of the other moves, relative to that of the proof.
EFFORT = 4
# Positions the search may visit to find the move.
SEARCH_NODES = 100_000
# Positions with this depth to solution or more count as hard.
HARD_DEPTH = 4


class Candidate(NamedTuple):
    """A position with a proven win."""

    game: Game
    winner: Side
    move: Move
    longest: int
    nodes: int


class OtherMoves(NamedTuple):
    """How many of the other moves are disproved."""

    disproved: int
    total: int


def candidate(game: Game, winner: Side, options: argparse.Namespace) -> Candidate | None:
    """Returns a position with a proven win of suitable length and size; None if there is none."""
    answer, nodes, proof = Searcher(table_mib=1).prove(game, winner, nodes=PROOF_NODES, table_mib=8)
    if answer != "proven" or proof is None:
        return None
    moves, line, longest = proof
    is_suitable = options.shortest <= longest <= options.longest and len(moves) <= options.size
    return Candidate(game, winner, line[0], longest, nodes) if is_suitable else None


def test_other_moves(one: Candidate, nodes: int) -> OtherMoves | None:
    """Tries to prove the other moves with some nodes each; None if one of them wins too."""
    disproved = total = 0
    searcher = Searcher(table_mib=1)
    for move in one.game.legal_moves():
        if move != one.move:
            answer, _, _ = searcher.prove(one.game.play(move), one.winner, nodes=nodes, table_mib=4)
            if answer == "proven":
                return None
            total += 1
            disproved += answer == "disproven"
    return OtherMoves(disproved, total)


class Collection:
    """The file of a variant during its collection."""

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
        self.easy = sum(tactic.depth is not None and tactic.depth < HARD_DEPTH for tactic in tactics)
        self.seed = 1 + max((tactic.seed for tactic in tactics), default=0)

    @property
    def seconds(self) -> float:
        """The duration of this run, in seconds."""
        return time.monotonic() - self.begin

    def is_full(self) -> bool:
        """Checks whether there are enough positions, or time is up."""
        return bool(len(self.known) >= self.options.positions or self.seconds > self.options.seconds)

    def has_room(self, share: float, count: int) -> bool:
        """Checks whether one more position of a kind is accepted; near the end of the time any is."""
        return bool(self.seconds > 0.75 * self.options.seconds or count < share * self.options.positions)

    def add(self, game: Game, winner: Side, seed: int) -> bool:
        """Adds a position if it is suitable; returns whether it was."""
        key = canonical(game)
        if key in self.known or not self.has_room(self.options.share, self.winners[winner]):
            return False
        one = candidate(game, winner, self.options)
        if one is None or test_other_moves(one, FIRST_TEST_NODES) is None:
            return False
        tactic = Tactic(game, winner, one.move, one.longest, None, seed)
        depth = solve(tactic, None, SEARCH_NODES).depth
        is_easy = depth is not None and depth < HARD_DEPTH
        if is_easy and not self.has_room(0.4, self.easy):
            return False
        rest = test_other_moves(one, max(SECOND_TEST_NODES, EFFORT * one.nodes))
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
    """Collects the positions of one variant."""
    collection = Collection(variant_id, options)
    if collection.is_full():
        return
    for seed, game, winner in decided_games(variant(variant_id), collection.seed, options.play):
        earlier = (before_end(game, plies) for plies in PLIES_BEFORE_END)
        candidates = (one for one in earlier if one is not None and one.turn is winner)
        any(collection.add(one, winner, seed) for one in candidates)
        print(
            f"{variant_id}: game {seed}, {len(collection.known)} of {options.positions}, "
            f"{collection.easy} easy, {dict(collection.winners)}, {collection.seconds:.0f} s",
            flush=True,
        )
        if collection.is_full():
            return


def main() -> None:
    """Collects the positions of the variants of the command line, by default of all booklet variants."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("variants", nargs="*", default=booklet_ids())
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--play", type=int, default=2_000, help="nodes for each move of the games")
    parser.add_argument("--shortest", type=int, default=5, help="least plies of a win")
    parser.add_argument("--longest", type=int, default=25, help="most plies of a win")
    parser.add_argument("--size", type=int, default=5_000, help="most positions of a proof")
    parser.add_argument("--share", type=float, default=0.7, help="largest share of wins of one side")
    parser.add_argument("--seconds", type=float, default=1e9, help="time limit for each variant")
    options = parser.parse_args()
    for variant_id in options.variants:
        collect(variant_id, options)


if __name__ == "__main__":
    main()
