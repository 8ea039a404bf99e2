"""The positions in tests/tactics: their proofs are found again and verified by the plain reference."""

import pytest
from measure_tactics import FOLDER, read, solve

from hnefi import Move, variant_ids
from hnefi._core import Searcher
from tests.reference.board import Rules as ReferenceRules
from tests.reference.certificate import verify
from tests.worked import variant_tree

LEAST = 40
LARGEST = 20_000


def verify_tactics(variant_id: str, step: int, largest: int) -> int:
    """Proves every so manieth position again, verifies the proof, and gives how many were verified."""
    rules = ReferenceRules(variant_tree(variant_id))
    verified = 0
    for tactic in read(variant_id)[::step]:
        answer, _, proof = Searcher(table_mib=1).prove(
            tactic.game, tactic.winner, nodes=100_000, table_mib=16
        )
        assert answer == "proven", str(tactic.game.position)
        assert proof is not None
        if len(proof[0]) <= largest:
            moves = [(str(setup), str(move)) for setup, move in proof[0]]
            verify(rules, str(tactic.game.position), tactic.winner.value, moves)
            verified += 1
    return verified


@pytest.mark.parametrize("variant_id", variant_ids())
def test_tactics_are_enough_and_different(variant_id: str) -> None:
    tactics = read(variant_id)
    assert len(tactics) >= LEAST
    assert len({str(tactic.game.position) for tactic in tactics}) == len(tactics)
    for tactic in tactics:
        assert tactic.longest >= 5
        assert tactic.game.turn is tactic.winner
        assert all(tactic.game.is_legal(move) for move in tactic.moves)


@pytest.mark.parametrize("variant_id", variant_ids())
def test_some_tactics_are_proven_for_the_reference(variant_id: str) -> None:
    assert verify_tactics(variant_id, LEAST // 4, 500) >= 1


@pytest.mark.deep
@pytest.mark.parametrize("variant_id", variant_ids())
def test_all_tactics_are_proven_for_the_reference(variant_id: str) -> None:
    assert verify_tactics(variant_id, 1, LARGEST) >= LEAST


@pytest.mark.deep
@pytest.mark.parametrize("variant_id", variant_ids())
def test_every_move_that_is_listed_wins(variant_id: str) -> None:
    for tactic in read(variant_id):
        for move in tactic.moves[1:]:
            found = Searcher(table_mib=1).prove(tactic.game.play(move), tactic.winner, nodes=50_000)[0]
            assert found == "proven", f"{tactic.game.position} {move}"


def test_position_is_not_solved_by_a_move_that_does_not_win() -> None:
    tactic = read("brandub-globe")[0]
    assert solve(tactic, None, 200_000).depth is not None
    other = tactic._replace(moves=(Move("a1-a2"),), winner=tactic.winner.opponent)
    assert solve(other, None, 2_000).depth is None


def test_there_is_a_file_for_each_variant() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(variant_ids())
