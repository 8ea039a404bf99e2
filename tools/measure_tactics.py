"""Measures how many of the positions in tests/tactics the engine solves, and how deep it has to look.

    python tools/measure_tactics.py --time 1000
    python tools/measure_tactics.py brandub-globe --nodes 200000

Solved is a position whose best move, when the limit is reached, is the only one that wins. The depth to
solution is that of the first iteration from which on the best move always was this one.
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
    """A line of a file: the position, who wins, the move that does, the plies of the proof.

    The depth is that at which the search found the move when the file was made, None if it did not.
    """

    game: Game
    winner: Side
    move: Move
    longest: int
    depth: int | None
    seed: int


class Solved(NamedTuple):
    """What became of a position: the depth and the nodes to solution, None if it was not solved."""

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


def solve(tactic: Tactic, time_ms: int | None, nodes: int | None) -> Solved:
    """Lets the engine look at a position."""
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
    return Solved(first and first.depth, first and first.nodes, is_proven)


def measure(variant_id: str, time_ms: int | None, nodes: int | None) -> tuple[int, int]:
    """Measures one variant and prints what was found; gives how many were solved, and of how many."""
    tactics = read(variant_id)
    found = [solve(tactic, time_ms, nodes) for tactic in tactics]
    depths = [one.depth for one in found if one.depth is not None]
    needed = [one.nodes for one in found if one.nodes is not None]
    print(
        f"{variant_id:20} {len(depths):3} of {len(tactics):3} solved, "
        f"{sum(one.is_proven for one in found):3} seen as won; "
        f"depth to solution: median {statistics.median(depths or [0]):.0f}, most {max(depths, default=0)}; "
        f"nodes: median {statistics.median(needed or [0]):.0f}",
        flush=True,
    )
    return len(depths), len(tactics)


def main() -> None:
    """Measures the variants the command line names, all of them without a name."""
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
