"""Collects positions with one winning move into tests/tactics, from self-play games.

    python tools/make_tactics.py brandub-globe --positions 40

Each line of a suite has the only winning move (`bm`), the longest line of the proof in plies (`dm`), the
depth to solution if a search finds the move (`depth`), how many of the other moves are disproved, of all
others (`disproved`), and the seed of the game. The other moves are disproved, or not proven with four times
the effort of the proof. A game gives one position at most. A suite is continued after its last game.
"""

import argparse
from pathlib import Path

from hnefi import Game, Move, variant
from hnefi.engine import Engine, Limit
from hnefi.formats import SuiteEntry
from hnefi.lab.positions import SuiteFile, before_end, decided_games, prove
from hnefi.lab.suite import run_suite
from hnefi.variants.built_in import booklet_ids

FOLDER = Path(__file__).parents[1] / "tests" / "tactics"
PLIES_BEFORE_END = (13, 11, 9, 7, 5)
# The plies of a win, and the most positions of its proof.
SHORTEST, LONGEST, LARGEST = 5, 25, 5_000
# Positions the prover may expand: for the win, for a first test of the other moves, and at least for the
# second, which has so many times the effort of the proof.
PROOF_NODES, FIRST_TEST_NODES, SECOND_TEST_NODES, EFFORT = 5_000, 300, 2_000, 4
SEARCH = Limit(nodes=100_000)
# Positions with this depth to solution or more are hard; at most such a share is not.
HARD_DEPTH, EASY_SHARE = 4, 0.4


def other_moves(game: Game, move: Move, nodes: int) -> tuple[int, int] | None:
    """Returns how many other moves are disproved with some nodes each, of how many; None if one wins too."""
    side = game.position.turn
    answers = []
    for other in game.legal_moves():
        if other != move:
            answers.append(prove(game.play(other), side, nodes, 4).answer)
            if answers[-1] == "proven":
                return None
    return answers.count("disproven"), len(answers)


def tactic(variant_id: str, game: Game, engine: Engine) -> SuiteEntry | None:
    """Returns a position with one winning move, without its seed; None if it is not one."""
    proof = prove(game, game.position.turn, PROOF_NODES)
    if not SHORTEST <= proof.plies <= LONGEST or proof.size > LARGEST:
        return None
    move = proof.line[0]
    if other_moves(game, move, FIRST_TEST_NODES) is None:
        return None
    rest = other_moves(game, move, max(SECOND_TEST_NODES, EFFORT * proof.effort))
    if rest is None:
        return None
    entry = SuiteEntry(variant_id, game.position.setup, {"bm": (str(move),), "dm": (str(proof.plies),)})
    solution = next(run_suite(engine, [entry], SEARCH)).solution
    depth = {"depth": (str(solution.depth),)} if solution is not None else {}
    counts = {"disproved": tuple(map(str, rest))}
    return SuiteEntry(variant_id, entry.setup, {**entry.operations, **depth, **counts})


def is_easy(entry: SuiteEntry) -> bool:
    """Checks whether the search finds the move soon."""
    return "depth" in entry.operations and int(entry.operations["depth"][0]) < HARD_DEPTH


def collect(variant_id: str, options: argparse.Namespace, engine: Engine) -> None:
    """Collects the positions of one variant."""
    suite = SuiteFile(FOLDER / f"{variant_id}.epd")
    first = 1 + max((int(entry.operations["seed"][0]) for entry in suite.entries), default=0)
    games = decided_games(variant(variant_id), first, options.play)
    while len(suite.entries) < options.positions:
        seed, game, winner = next(games)
        for one in (before_end(game, plies) for plies in PLIES_BEFORE_END):
            wins = sum(entry.setup.turn is winner for entry in suite.entries)
            if one is None or one.turn is not winner or suite.has(one):
                continue
            if wins >= options.share * options.positions:
                break
            found = tactic(variant_id, one, engine)
            easy = sum(map(is_easy, suite.entries))
            if found is None or (is_easy(found) and easy >= EASY_SHARE * options.positions):
                continue
            suite.add(SuiteEntry(variant_id, found.setup, {**found.operations, "seed": (str(seed),)}))
            print(f"{len(suite.entries)} of {options.positions}: {suite.entries[-1]}", flush=True)
            break


def main() -> None:
    """Collects the positions of the variants of the command line, by default of all booklet variants."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("variants", nargs="*", default=booklet_ids())
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--play", type=int, default=2_000, help="nodes for each move of the games")
    parser.add_argument("--share", type=float, default=0.7, help="largest share of wins of one side")
    options = parser.parse_args()
    with Engine(table_mib=16) as engine:
        for variant_id in options.variants:
            collect(variant_id, options, engine)


if __name__ == "__main__":
    main()
