"""Measures how many of the positions in tests/tactics the search solves, and to what depth it needs.

    python tools/measure_tactics.py --time 1000
    python tools/measure_tactics.py brandub-globe --nodes 200000

A position is solved if the best move at the limit is the only winning one. The depth to solution is that of
the first iteration after which the best move does not change any more.
"""

import argparse
import statistics
from pathlib import Path
from typing import NamedTuple

from hnefi import Game, Move, Setup, Side, variant
from hnefi._core import Report, Searcher
from hnefi.engine.weights import weights_for
from hnefi.variants.built_in import booklet_ids

FOLDER = Path(__file__).parents[1] / "tests" / "tactics"


class Tactic(NamedTuple):
    """A line of a file: position, winner, winning move, plies of the proof, depth to solution, seed.

    The depth is that of the search when the file was made, None if it did not find the move.
    """

    game: Game
    winner: Side
    move: Move
    longest: int
    depth: int | None
    seed: int


class Solution(NamedTuple):
    """The depth and the nodes to solution, None if the position was not solved."""

    depth: int | None
    nodes: int | None
    is_proven: bool


def read(variant_id: str) -> list[Tactic]:
    """Reads the file of a variant."""
    rules = variant(variant_id).rules
    tactics = []
    for line in (FOLDER / f"{variant_id}.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            position, winner, move, longest, depth, _, seed = (part.strip() for part in line.split("|"))
            known = None if depth == "-" else int(depth)
            game = Game(rules, Setup(position))
            tactics.append(Tactic(game, Side(winner), Move(move), int(longest), known, int(seed)))
    return tactics


def solve(tactic: Tactic, time_ms: int | None, nodes: int | None) -> Solution:
    """Searches a position."""
    reports: list[Report] = []
    searcher = Searcher(table_mib=16)
    weights = weights_for(tactic.game.rules).text
    last = searcher.analyse(
        tactic.game, time_ms=time_ms, nodes=nodes, weights=weights, on_report=reports.append
    )
    is_proven = last.lines[0].win_in is not None
    first: Report | None = None
    for report in reversed([*reports, last]):
        if report.lines[0].moves[0] != tactic.move:
            break
        first = report
    return Solution(first and first.depth, first and first.nodes, is_proven)


def measure(variant_id: str, time_ms: int | None, nodes: int | None) -> tuple[int, int]:
    """Measures and prints one variant; returns how many positions were solved, and of how many."""
    tactics = read(variant_id)
    solutions = [solve(tactic, time_ms, nodes) for tactic in tactics]
    depths = [one.depth for one in solutions if one.depth is not None]
    needed = [one.nodes for one in solutions if one.nodes is not None]
    print(
        f"{variant_id:20} {len(depths):3} of {len(tactics):3} solved, "
        f"{sum(one.is_proven for one in solutions):3} proven; "
        f"depth to solution: median {statistics.median(depths or [0]):.0f}, most {max(depths, default=0)}; "
        f"nodes: median {statistics.median(needed or [0]):.0f}",
        flush=True,
    )
    return len(depths), len(tactics)


def main() -> None:
    """Measures the variants of the command line, by default all booklet variants."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("variants", nargs="*", default=booklet_ids())
    parser.add_argument("--time", type=int, help="milliseconds for each position")
    parser.add_argument("--nodes", type=int, help="nodes for each position")
    options = parser.parse_args()
    time_ms = options.time if options.time or options.nodes else 1_000
    totals = [measure(variant_id, time_ms, options.nodes) for variant_id in options.variants]
    print(f"in all: {sum(one[0] for one in totals)} of {sum(one[1] for one in totals)} solved")


if __name__ == "__main__":
    main()
