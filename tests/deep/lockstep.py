"""Differential testing: plays random games on the core and on the reference, and compares them at every ply.

    python -m tests.deep.lockstep --games 20000

Every fourth game is one of the variants, every fourth a variant under a few changed rules, the others have
random rules and a random start position. The seed is printed; `--seed S --first N` resumes a run.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, NamedTuple

from hnefi import HnefiError, Rules, variant_ids
from hnefi.variants.schema import completed
from tests.deep.report import note
from tests.reference.random_rules import random_tree
from tests.test_lockstep import walk_together
from tests.worked import variant_tree

CHUNK = 20


class ChunkResult(NamedTuple):
    """The result of a chunk of games: games by kind, plies compared, disagreements."""

    games: Counter[str]
    plies: int
    faults: list[str]


def tree_of(seed: int, number: int) -> tuple[str, dict[str, Any]]:
    """Draws the rules of one game; returns their kind and the rule tree."""
    rng = random.Random(f"{seed}/{number}")
    if number % 4 == 0:
        return "variant", variant_tree(variant_ids()[number // 4 % len(variant_ids())])
    if number % 4 == 1:
        return "changed variant", changed(variant_tree(rng.choice(variant_ids())), rng)
    return "random rules", random_tree(rng)


def changed(tree: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Returns a variant's tree with up to four leaves taken from random rules of the same size."""
    other = completed(random_tree(rng, tree["board"]["size"]))
    tree = completed(tree)
    for _ in range(rng.randint(1, 4)):
        trial = json.loads(json.dumps(tree))
        section = rng.choice(sorted(key for key, branch in tree.items() if isinstance(branch, dict)))
        leaf = rng.choice(sorted(set(tree[section]) - {"size", "start"}))
        trial[section][leaf] = other[section][leaf]
        try:
            Rules(json.dumps(trial))
        except HnefiError:  # the change contradicts the rest
            continue
        tree = trial
    return tree


def walk_chunk(task: tuple[int, int, int, int]) -> ChunkResult:
    """Plays the games of a task and collects the disagreements."""
    seed, first, last, plies = task
    chunk = ChunkResult(Counter(), 0, [])
    for number in range(first, last):
        kind, tree = tree_of(seed, number)
        try:
            compared = walk_together(tree, number, plies, danger_every=5)
        except AssertionError as error:
            chunk.faults.append(f"game {number} of seed {seed}: {error}")
            compared = 0
        chunk.games[kind] += 1
        chunk = chunk._replace(plies=chunk.plies + compared)
    return chunk


def chunks(seed: int, first: int, last: int, plies: int) -> Iterator[tuple[int, int, int, int]]:
    """Splits the games into tasks."""
    for begin in range(first, last, CHUNK):
        yield seed, begin, min(begin + CHUNK, last), plies


def main() -> None:
    """Plays the games the command line asks for; the exit code is 1 if any disagree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--plies", type=int, default=40, help="the longest game")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    begin = time.monotonic()
    total = ChunkResult(Counter(), 0, [])
    tasks = chunks(options.seed, options.first, options.games, options.plies)
    shown = begin
    with ProcessPoolExecutor(options.processes) as pool:
        for chunk in pool.map(walk_chunk, tasks):
            total = ChunkResult(
                total.games + chunk.games, total.plies + chunk.plies, total.faults + chunk.faults
            )
            for fault in chunk.faults:
                print(fault, flush=True)
            if time.monotonic() - shown > 30:
                shown = time.monotonic()
                done = options.first + total.games.total()
                print(f"{done} games, {total.plies} plies, {shown - begin:.0f} s; ", end="")
                print(f"to resume: --seed {options.seed} --first {done}", flush=True)
    finish(options, total, time.monotonic() - begin)


def finish(options: argparse.Namespace, total: ChunkResult, seconds: float) -> None:
    """Prints the result and records it."""
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(total.games.items()))
    done = f"{total.games.total():,} games ({kinds}), {total.plies:,} plies compared"
    result = f"{len(total.faults)} disagreements" if total.faults else "no disagreement"
    print(f"{done}: {result}, {seconds:.0f} s")
    note("lock-step", done, result, options.seed, seconds)
    sys.exit(bool(total.faults))


if __name__ == "__main__":
    main()
