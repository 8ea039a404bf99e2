"""Tests of the positions in tests/themes: proofs, verified by the reference, and solved positions."""

from collections import Counter

import pytest
from decided_games import canonical
from make_themes import after_pass, ends_in, prove, shieldwalls
from measure_themes import VARIANTS, Task, Theme, ThemePosition, is_solved, read

from hnefi import Game, Move, Side
from hnefi._core import Searcher
from tests.reference.board import Rules as ReferenceRules
from tests.reference.certificate import verify
from tests.reference.tafl import Game as ReferenceGame
from tests.worked import variant_tree

# More than the proofs took when the file was made, so that the prover may change a little.
PROOF_NODES = 50_000
LEAST = {Theme.ENCLOSURE: 24, Theme.EXIT_FORT: 22, Theme.SHIELDWALL: 58}
# The least positions of each theme that a search of so many nodes solves.
NODES = 5_000
LEAST_SOLVED = {Theme.ENCLOSURE: 14, Theme.EXIT_FORT: 9, Theme.SHIELDWALL: 54}

VARIANT = VARIANTS[0]
RULES = ReferenceRules(variant_tree(VARIANT))


def of_theme(theme: Theme) -> list[ThemePosition]:
    return [one for one in read(VARIANT) if one.theme is theme]


def lost_moves(one: ThemePosition) -> list[Move]:
    """Returns the moves that are proven to lose: all but the best."""
    return [move for move in one.game.legal_moves() if move not in one.best]


def verify_win(game: Game, winner: Side) -> int:
    """Proves a win again and verifies its certificate; returns the plies it takes at most."""
    answer, _, proof = Searcher(table_mib=1).prove(game, winner, nodes=PROOF_NODES, table_mib=16)
    assert answer == "proven", str(game.position)
    assert proof is not None
    moves = [(str(setup), str(move)) for setup, move in proof[0]]
    plies, _ = verify(RULES, str(game.position), winner.value, moves)
    assert plies == proof[2]
    return plies


def verify_position(one: ThemePosition, most_moves: int) -> None:
    """Verifies the proofs of a position, of at most so many of its moves, or its captures."""
    if one.theme is Theme.SHIELDWALL:
        verify_shieldwall(one)
    elif one.task is Task.MAKE:
        assert one.plies is not None
        assert verify_win(one.game, one.turn) <= one.plies
        for move in one.best[1:most_moves]:
            after = one.game.play(move)
            if after.outcome is None:
                verify_win(after, one.turn)
    else:
        assert one.plies is not None
        moves = lost_moves(one)
        for move in moves[:: max(1, len(moves) // most_moves)]:
            after = one.game.play(move)
            if after.outcome is None:
                assert verify_win(after, one.turn.opponent) <= one.plies
            else:
                assert after.outcome.winner is one.turn.opponent


def verify_shieldwall(one: ThemePosition) -> None:
    """Checks the row captures of a position: those of the side to move, or those that are to be prevented."""
    if one.task is Task.PREVENT:
        assert shieldwalls(after_pass(one.game))
        for move in one.best:
            assert not shieldwalls(one.game.play(move))
    for move in shieldwalls(after_pass(one.game) if one.task is Task.PREVENT else one.game):
        before = after_pass(one.game) if one.task is Task.PREVENT else one.game
        reference = ReferenceGame(RULES, str(before.position.setup)).play(str(move))
        after = before.play(move)
        assert reference.position.split()[0] == str(after.position.setup).split()[0]


def test_there_are_enough_different_positions() -> None:
    positions = read(VARIANT)
    assert len({canonical(one.game) for one in positions}) == len(positions)
    counts = Counter(one.theme for one in positions)
    assert all(counts[theme] >= least for theme, least in LEAST.items())
    sides = {(one.theme, one.task, one.turn) for one in positions}
    assert {(Theme.SHIELDWALL, task, side) for task in Task for side in Side} <= sides
    for one in positions:
        assert one.best
        assert all(one.game.is_legal(move) for move in one.best)
        assert (one.plies is None) == (one.theme is Theme.SHIELDWALL)
        assert (one.margin is None) == (one.theme is not Theme.SHIELDWALL)


def proof_size(one: ThemePosition) -> int:
    """Returns the number of positions in the certificate of a win."""
    proof = Searcher(table_mib=1).prove(one.game, one.turn, nodes=PROOF_NODES, table_mib=16)[2]
    assert proof is not None
    return len(proof[0])


@pytest.mark.parametrize("theme", [Theme.ENCLOSURE, Theme.EXIT_FORT])
def test_reference_accepts_the_smallest_proof_of_themes(theme: Theme) -> None:
    wins = [one for one in of_theme(theme) if one.task is Task.MAKE]
    verify_position(min(wins, key=proof_size), 1)


def test_reference_accepts_some_other_positions_of_themes() -> None:
    for theme in Theme:
        of_task = [one for one in of_theme(theme) if one.task is Task.PREVENT]
        verify_position(min(of_task, key=lambda one: one.plies or 0), 1)
    verify_position(next(one for one in of_theme(Theme.SHIELDWALL) if one.task is Task.MAKE), 1)


@pytest.mark.deep
@pytest.mark.parametrize("theme", list(Theme))
def test_reference_accepts_all_positions_of_themes(theme: Theme) -> None:
    for one in of_theme(theme):
        verify_position(one, 1_000)


@pytest.mark.parametrize("theme", [Theme.ENCLOSURE, Theme.EXIT_FORT])
def test_proofs_end_in_their_theme(theme: Theme) -> None:
    for one in of_theme(theme)[::8]:
        if one.task is Task.MAKE:
            _, _, proof = prove(one.game, one.turn, PROOF_NODES)
            assert proof is not None
            assert proof[0][0] in one.best
            assert ends_in(one.game, proof[0], theme)


@pytest.mark.parametrize("theme", list(Theme))
def test_search_solves_enough_positions(theme: Theme) -> None:
    solved = sum(is_solved(one, NODES) for one in of_theme(theme))
    assert solved >= LEAST_SOLVED[theme]
