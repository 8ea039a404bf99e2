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
from collections import Counter

from hnefi import variant
from hnefi.lab.positions import before_end, decided_games, prove
from hnefi.variants.built_in import booklet_ids


def measure(variant_id: str, options: argparse.Namespace) -> Counter[str]:
    """Measures and prints one variant; returns the numbers of quick proofs and of each answer."""
    counts: Counter[str] = Counter()
    seconds, effort, needed = 0.0, 0, []
    games = decided_games(variant(variant_id), options.seed, options.play)
    for _, game, winner in itertools.islice(games, options.games):
        earlier = before_end(game, options.back)
        if earlier is None:
            continue
        begin = time.thread_time()
        proof = prove(earlier, winner, options.nodes, 32)
        spent = time.thread_time() - begin
        seconds, effort = seconds + spent, effort + proof.effort
        if proof.answer == "proven":
            counts["quick"] += spent < 1
            needed.append(proof.effort)
        elif proof.answer == "unknown":
            proof = prove(earlier, winner, options.large, 256)
        counts[proof.answer] += 1
    print(
        f"{variant_id:20} {options.back} plies back: "
        f"{counts['quick']:3} of {counts['proven']:3} wins in 1 s, "
        f"{counts['unknown']} unclear, {counts['disproven']} no forced win; nodes of proofs: "
        f"median {statistics.median(needed or [0]):.0f}, most {max(needed, default=0)}; "
        f"{effort / max(1e-9, seconds) / 1e6:.2f} M/s",
        flush=True,
    )
    return counts


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
    counts: Counter[str] = Counter()
    for variant_id in options.variants:
        counts += measure(variant_id, options)
    wins = f"{counts['quick']} of {counts['proven']} wins proved in under 1 s"
    print(f"in all: {wins}, {counts['unknown']} unclear")


if __name__ == "__main__":
    main()
