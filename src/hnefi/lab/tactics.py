"""Positions with one winning move, from self-play games."""

from collections.abc import Iterator

from hnefi._core import Game, Move
from hnefi.engine import Engine, Limit
from hnefi.formats import SuiteEntry
from hnefi.lab.positions import SuiteFile, before_end, decided_games, number_of, prove
from hnefi.lab.suite import run_suite
from hnefi.pieces import Side

_PLIES_BEFORE_END = (13, 11, 9, 7, 5)
# The plies of a win, and the most positions of its proof.
_SHORTEST, _LONGEST, _LARGEST = 5, 25, 5_000
# Positions the prover may expand: for the win, for a first test of the other moves, and at least for the
# second, which has so many times the effort of the proof.
_PROOF_NODES, _FIRST_TEST_NODES, _SECOND_TEST_NODES, _EFFORT = 5_000, 300, 2_000, 4
_SEARCH = Limit(nodes=100_000)
# Positions with this depth to solution or more are hard; at most such a share is not.
_HARD_DEPTH, _EASY_SHARE = 4, 0.4


def collect_tactics(
    suite: SuiteFile, positions: int, nodes: int, share: float, engine: Engine
) -> Iterator[list[SuiteEntry]]:
    """Plays games with so many nodes a move until a suite has enough positions; yields what each game adds.

    A position has the only winning move (`bm`), the longest line of the proof in plies (`dm`), the depth to
    solution if a search finds the move (`depth`), how many of the other moves are disproved, of all others
    (`disproved`), and the number of the game (`seed`). The other moves are disproved, or not proven with four
    times the effort of the proof. One side has at most this share of the wins; a game gives one position at
    most. A suite is continued after its last game.
    """
    first = 1 + max((number_of(entry, "seed") for entry in suite.entries), default=0)
    games = decided_games(suite.variant, first, nodes)
    while len(suite.entries) < positions:
        seed, game, winner = next(games)
        entry = None
        if sum(known.setup.turn is winner for known in suite.entries) < share * positions:
            entry = _tactic_of(suite, game, winner, positions, engine)
        if entry is not None:
            suite.add(SuiteEntry(entry.variant, entry.setup, {**entry.operations, "seed": (str(seed),)}))
        yield suite.entries[-1:] if entry is not None else []


def _tactic_of(
    suite: SuiteFile, game: Game, winner: Side, positions: int, engine: Engine
) -> SuiteEntry | None:
    """Returns the first position of a game that the suite lacks, without its seed."""
    is_hard_wanted = sum(map(_is_easy, suite.entries)) >= _EASY_SHARE * positions
    for one in (before_end(game, plies) for plies in _PLIES_BEFORE_END):
        if one is not None and one.turn is winner and not suite.has(one):
            found = _tactic(suite.variant.id, one, engine)
            if found is not None and not (is_hard_wanted and _is_easy(found)):
                return found
    return None


def _is_easy(entry: SuiteEntry) -> bool:
    """Checks whether the search finds the move soon."""
    return "depth" in entry.operations and number_of(entry, "depth") < _HARD_DEPTH


def _tactic(variant_id: str, game: Game, engine: Engine) -> SuiteEntry | None:
    """Returns a position with one winning move, without its seed; None if it is not one."""
    proof = prove(game, game.position.turn, _PROOF_NODES)
    if not _SHORTEST <= proof.plies <= _LONGEST or proof.size > _LARGEST:
        return None
    move = proof.line[0]
    if _other_moves(game, move, _FIRST_TEST_NODES) is None:
        return None
    rest = _other_moves(game, move, max(_SECOND_TEST_NODES, _EFFORT * proof.effort))
    if rest is None:
        return None
    entry = SuiteEntry(variant_id, game.position.setup, {"bm": (str(move),), "dm": (str(proof.plies),)})
    solution = next(run_suite(engine, [entry], _SEARCH)).solution
    depth = {"depth": (str(solution.depth),)} if solution is not None else {}
    counts = {"disproved": tuple(map(str, rest))}
    return SuiteEntry(variant_id, entry.setup, {**entry.operations, **depth, **counts})


def _other_moves(game: Game, move: Move, nodes: int) -> tuple[int, int] | None:
    """Returns how many other moves are disproved with some nodes each, of how many; None if one wins too."""
    side = game.position.turn
    answers = []
    for other in game.legal_moves():
        if other != move:
            answers.append(prove(game.play(other), side, nodes, 4).answer)
            if answers[-1] == "proven":
                return None
    return answers.count("disproven"), len(answers)
