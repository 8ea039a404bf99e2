"""Tests of the positions in tests/tactics: their proofs, verified by the reference, and their other moves."""

import pytest
from decided_games import canonical
from measure_tactics import FOLDER, Tactic, read, solve

from hnefi import Move
from hnefi._core import Searcher
from hnefi.variants.built_in import booklet_ids
from tests.reference.board import Rules as ReferenceRules
from tests.reference.certificate import verify
from tests.worked import variant_tree

LEAST = 40
# Most wins of these rules are slow, and more than one move keeps them.
FEWER = {"tablut-geoludie-slow": 20}
LARGEST = 20_000


def verify_tactics(variant_id: str, wanted: int, largest: int) -> int:
    """Proves positions again and verifies the certificates of a limited size; returns how many."""
    rules = ReferenceRules(variant_tree(variant_id))
    verified = 0
    for tactic in read(variant_id):
        answer, _, proof = Searcher(table_mib=1).prove(
            tactic.game, tactic.winner, nodes=100_000, table_mib=16
        )
        assert answer == "proven", str(tactic.game.position)
        assert proof is not None
        if len(proof[0]) <= largest:
            moves = [(str(setup), str(move)) for setup, move in proof[0]]
            plies, _ = verify(rules, str(tactic.game.position), tactic.winner.value, moves)
            assert plies == proof[2] <= tactic.longest
            verified += 1
        if verified == wanted:
            break
    return verified


@pytest.mark.parametrize("variant_id", booklet_ids())
def test_there_are_enough_different_tactics(variant_id: str) -> None:
    tactics = read(variant_id)
    assert len(tactics) >= FEWER.get(variant_id, LEAST)
    assert len({canonical(tactic.game) for tactic in tactics}) == len(tactics)
    assert len({tactic.seed for tactic in tactics}) == len(tactics)
    assert len({tactic.longest for tactic in tactics}) >= 4
    for tactic in tactics:
        assert tactic.longest >= 5
        assert tactic.game.turn is tactic.winner
        assert tactic.game.is_legal(tactic.move)


@pytest.mark.parametrize("variant_id", booklet_ids())
def test_reference_accepts_some_proofs_of_tactics(variant_id: str) -> None:
    assert verify_tactics(variant_id, 2, 800) == 2


@pytest.mark.deep
@pytest.mark.parametrize("variant_id", booklet_ids())
def test_reference_accepts_all_proofs_of_tactics(variant_id: str) -> None:
    count = len(read(variant_id))
    assert verify_tactics(variant_id, count, LARGEST) == count


def count_winning(tactic: Tactic, nodes: int) -> int:
    """Returns how many moves are proven to win with some nodes each."""
    searcher = Searcher(table_mib=1)
    answers = (
        searcher.prove(tactic.game.play(move), tactic.winner, nodes=nodes, table_mib=4)[0]
        for move in tactic.game.legal_moves()
        if move != tactic.move
    )
    return sum(answer == "proven" for answer in answers)


@pytest.mark.parametrize("variant_id", booklet_ids())
def test_no_other_move_is_proven_to_win_with_few_nodes(variant_id: str) -> None:
    for tactic in read(variant_id)[:: LEAST // 4]:
        assert count_winning(tactic, 300) == 0, str(tactic.game.position)


@pytest.mark.deep
@pytest.mark.parametrize("variant_id", booklet_ids())
def test_no_other_move_is_proven_to_win_with_four_times_the_effort(variant_id: str) -> None:
    for tactic in read(variant_id):
        answer, nodes, proof = Searcher(table_mib=1).prove(
            tactic.game, tactic.winner, nodes=20_000, table_mib=8
        )
        assert answer == "proven"
        assert proof is not None
        assert (proof[1][0], proof[2]) == (tactic.move, tactic.longest)
        assert count_winning(tactic, max(2_000, 4 * nodes)) == 0, str(tactic.game.position)


def test_position_is_not_solved_by_a_move_that_does_not_win() -> None:
    tactic = read("brandub-globe")[0]
    assert tactic.depth is not None
    assert solve(tactic, None, 200_000).depth is not None
    other = tactic._replace(move=Move("a1-a2"), winner=tactic.winner.opponent)
    assert solve(other, None, 2_000).depth is None


def test_there_is_a_file_for_each_variant() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(booklet_ids())
