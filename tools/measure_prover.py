"""Measures how many wins the prover proves some plies before the end of self-play games.

    python tools/measure_prover.py --games 20 --back 9

Positions that are not solved within `--nodes` are tried again with `--large`. A position without a forced win
(the loser erred later) is left out if it is disproved, and counted as unclear if not. Seconds are processor
time.
"""

import argparse
import itertools
import statistics
import time
from typing import NamedTuple

from positions import before_end, decided_games

from hnefi import Game, Side, variant
from hnefi._core import Searcher
from hnefi.variants.built_in import booklet_ids


class Attempt(NamedTuple):
    """The answer of the prover for one position, and the answer with more effort."""

    answer: str
    truth: str
    nodes: int
    seconds: float


def attempt(game: Game, winner: Side, options: argparse.Namespace) -> Attempt:
    """Runs the prover on a position."""
    begin = time.thread_time()
    answer, expanded, _ = Searcher(table_mib=1).prove(game, winner, nodes=options.nodes, table_mib=32)
    seconds = time.thread_time() - begin
    truth = answer
    if answer == "unknown":
        truth = Searcher(table_mib=1).prove(game, winner, nodes=options.large, table_mib=256)[0]
    return Attempt(answer, truth, expanded, seconds)


def measure(variant_id: str, options: argparse.Namespace) -> tuple[int, int, int]:
    """Measures and prints one variant; returns the numbers of quick proofs, known wins, unclear positions."""
    games = itertools.islice(decided_games(variant(variant_id), options.seed, options.play), options.games)
    earlier = [(before_end(game, options.back), winner) for _, game, winner in games]
    attempts = [attempt(game, winner, options) for game, winner in earlier if game is not None]
    won = sum(one.truth == "proven" for one in attempts)
    unclear = sum(one.truth == "unknown" for one in attempts)
    proven = [one for one in attempts if one.answer == "proven"]
    quick = sum(one.seconds < 1 for one in proven)
    needed = [one.nodes for one in proven] or [0]
    speed = sum(one.nodes for one in attempts) / max(1e-9, sum(one.seconds for one in attempts))
    print(
        f"{variant_id:20} {options.back} plies back: {quick:3} of {won:3} wins in 1 s, {unclear} unclear, "
        f"{len(attempts) - won - unclear} no forced win; "
        f"nodes of proofs: median {statistics.median(needed):.0f}, most {max(needed)}; {speed / 1e6:.2f} M/s",
        flush=True,
    )
    return quick, won, unclear


def main() -> None:
    """Measures the variants of the command line, by default all booklet variants."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("variants", nargs="*", default=booklet_ids())
    parser.add_argument("--games", type=int, default=20, help="decided games of each variant")
    parser.add_argument("--back", type=int, default=9, help="plies before the end")
    parser.add_argument("--play", type=int, default=20_000, help="nodes for each move of the games")
    parser.add_argument("--nodes", type=int, default=300_000, help="positions the prover may expand")
    parser.add_argument("--large", type=int, default=2_000_000, help="the same for unsolved positions")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    totals = [measure(variant_id, options) for variant_id in options.variants]
    quick, won, unclear = (sum(one[index] for one in totals) for index in range(3))
    print(f"in all: {quick} of {won} wins proved in under 1 s, {unclear} unclear")


if __name__ == "__main__":
    main()
