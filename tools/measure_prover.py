"""Measures how well the prover finds wins some plies before the end of games of the engine with itself.

    python tools/measure_prover.py --games 20 --back 9

A position from which the winner of the game had no forced win (the loser erred later) is left out where the
prover disproves it; one that stays unclear counts as not proved. Seconds are those of the processor.
"""

import argparse
import itertools
import statistics
import time
from typing import NamedTuple

from decided_games import back, decided_games

from hnefi import Game, Side, variant, variant_ids
from hnefi._core import Searcher


class Try(NamedTuple):
    """What the prover made of one position."""

    answer: str
    nodes: int
    seconds: float


def attempt(game: Game, winner: Side, nodes: int) -> Try:
    """Lets the prover look for a win."""
    begin = time.thread_time()
    answer, expanded, _ = Searcher(table_mib=1).prove(game, winner, nodes=nodes, table_mib=32)
    return Try(answer, expanded, time.thread_time() - begin)


def measure(variant_id: str, options: argparse.Namespace) -> tuple[int, int]:
    """Measures one variant and prints what was found; gives how many were proved in time, and of how many."""
    games = itertools.islice(decided_games(variant(variant_id), options.seed, options.play), options.games)
    earlier = [(back(game, options.back), winner) for _, game, winner in games]
    tries = [attempt(game, winner, options.nodes) for game, winner in earlier if game is not None]
    wins = [one for one in tries if one.answer != "disproven"]
    proven = [one for one in wins if one.answer == "proven"]
    quick = [one for one in proven if one.seconds < 1]
    needed = [one.nodes for one in proven] or [0]
    speed = sum(one.nodes for one in tries) / max(1e-9, sum(one.seconds for one in tries))
    print(
        f"{variant_id:20} {options.back} plies back: {len(quick):3} of {len(wins):3} in 1 s, "
        f"{len(proven):3} in all; {len(tries) - len(wins)} no forced win; "
        f"nodes of proofs: median {statistics.median(needed):.0f}, most {max(needed)}; {speed / 1e6:.2f} M/s",
        flush=True,
    )
    return len(quick), len(wins)


def main() -> None:
    """Measures the variants the command line names, all of them without a name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("variants", nargs="*", default=variant_ids())
    parser.add_argument("--games", type=int, default=20, help="decided games of each variant")
    parser.add_argument("--back", type=int, default=9, help="plies before the end")
    parser.add_argument("--play", type=int, default=20_000, help="nodes of each move of the games")
    parser.add_argument("--nodes", type=int, default=100_000, help="positions the prover may expand")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    totals = [measure(variant_id, options) for variant_id in options.variants]
    print(f"in all: {sum(one[0] for one in totals)} of {sum(one[1] for one in totals)} proved in under 1 s")


if __name__ == "__main__":
    main()
