"""Measures how well the prover finds wins some plies before the end of games of the engine with itself.

    python tools/measure_prover.py --games 20 --back 9

What the prover does not settle within `--nodes` it tries again with `--large`. A position from which the
winner of the game had no forced win (the loser erred later) is left out where that is disproved; one that
stays unclear is counted apart, since nobody knows whether it is won. Seconds are those of the processor.
"""

import argparse
import itertools
import statistics
import time
from typing import NamedTuple

from decided_games import back, decided_games

from hnefi import Game, Side, variant
from hnefi._core import Searcher
from hnefi.variants.built_in import booklet_ids


class Try(NamedTuple):
    """What the prover made of one position, and with what at last."""

    answer: str
    truth: str
    nodes: int
    seconds: float


def attempt(game: Game, winner: Side, options: argparse.Namespace) -> Try:
    """Lets the prover look for a win."""
    begin = time.thread_time()
    answer, expanded, _ = Searcher(table_mib=1).prove(game, winner, nodes=options.nodes, table_mib=32)
    seconds = time.thread_time() - begin
    truth = answer
    if answer == "unknown":
        truth = Searcher(table_mib=1).prove(game, winner, nodes=options.large, table_mib=256)[0]
    return Try(answer, truth, expanded, seconds)


def measure(variant_id: str, options: argparse.Namespace) -> tuple[int, int, int]:
    """Measures one variant and prints it; gives how many were proved in time, known as won, and unclear."""
    games = itertools.islice(decided_games(variant(variant_id), options.seed, options.play), options.games)
    earlier = [(back(game, options.back), winner) for _, game, winner in games]
    tries = [attempt(game, winner, options) for game, winner in earlier if game is not None]
    won = sum(one.truth == "proven" for one in tries)
    unclear = sum(one.truth == "unknown" for one in tries)
    proven = [one for one in tries if one.answer == "proven"]
    quick = sum(one.seconds < 1 for one in proven)
    needed = [one.nodes for one in proven] or [0]
    speed = sum(one.nodes for one in tries) / max(1e-9, sum(one.seconds for one in tries))
    print(
        f"{variant_id:20} {options.back} plies back: {quick:3} of {won:3} wins in 1 s, {unclear} unclear, "
        f"{len(tries) - won - unclear} no forced win; "
        f"nodes of proofs: median {statistics.median(needed):.0f}, most {max(needed)}; {speed / 1e6:.2f} M/s",
        flush=True,
    )
    return quick, won, unclear


def main() -> None:
    """Measures the variants the command line names, all of them without a name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("variants", nargs="*", default=booklet_ids())
    parser.add_argument("--games", type=int, default=20, help="decided games of each variant")
    parser.add_argument("--back", type=int, default=9, help="plies before the end")
    parser.add_argument("--play", type=int, default=20_000, help="nodes of each move of the games")
    parser.add_argument("--nodes", type=int, default=300_000, help="positions the prover may expand")
    parser.add_argument("--large", type=int, default=2_000_000, help="the same where that is not enough")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    totals = [measure(variant_id, options) for variant_id in options.variants]
    quick, won, unclear = (sum(one[place] for one in totals) for place in range(3))
    print(f"in all: {quick} of {won} wins proved in under 1 s, {unclear} unclear")


if __name__ == "__main__":
    main()
