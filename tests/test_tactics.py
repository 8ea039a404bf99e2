"""Tests of the positions in tests/tactics: their proofs, verified by the reference, and their other moves."""

from pathlib import Path

import pytest

from hnefi import Engine, Limit
from hnefi._core import Searcher
from hnefi.formats import SuiteEntry, parse_suite
from hnefi.lab.positions import canonical, prove
from hnefi.lab.suite import run_suite
from hnefi.variants.built_in import booklet_ids
from tests.reference.board import Rules as ReferenceRules
from tests.reference.certificate import verify
from tests.samples import sampled
from tests.worked import variant_tree

FOLDER = Path(__file__).parent / "tactics"
LEAST = 40
# Most wins of these rules are slow, and more than one move keeps them.
FEWER = {"tablut-geoludie-slow": 20}
LARGEST = 20_000


def read(variant_id: str) -> tuple[SuiteEntry, ...]:
    reading = parse_suite((FOLDER / f"{variant_id}.epd").read_text(encoding="utf-8"))
    assert not reading.faults
    return reading.entries


def plies(tactic: SuiteEntry) -> int:
    return int(tactic.operations["dm"][0])


def verify_tactics(variant_id: str, wanted: int, largest: int) -> int:
    """Proves positions again and verifies the certificates of a limited size; returns how many."""
    rules = ReferenceRules(variant_tree(variant_id))
    verified = 0
    for tactic in read(variant_id):
        answer, _, proof = Searcher(table_mib=1).prove(
            tactic.new_game(), tactic.setup.turn, nodes=100_000, table_mib=16
        )
        assert answer == "proven", str(tactic)
        assert proof is not None
        if len(proof[0]) <= largest:
            moves = [(str(setup), str(move)) for setup, move in proof[0]]
            longest, _ = verify(rules, str(tactic.setup), tactic.setup.turn.value, moves)
            assert longest == proof[2] <= plies(tactic)
            verified += 1
        if verified == wanted:
            break
    return verified


@pytest.mark.parametrize("variant_id", booklet_ids())
def test_there_are_enough_different_tactics(variant_id: str) -> None:
    tactics = read(variant_id)
    assert len(tactics) >= FEWER.get(variant_id, LEAST)
    assert len({canonical(tactic.new_game()) for tactic in tactics}) == len(tactics)
    assert len({tactic.operations["seed"] for tactic in tactics}) == len(tactics)
    assert len(set(map(plies, tactics))) >= 4
    for tactic in tactics:
        assert plies(tactic) >= 5
        assert len(tactic.best_moves) == 1


@pytest.mark.parametrize("variant_id", sampled(booklet_ids(), "brandub", "gwezboell"))
def test_reference_accepts_some_proofs_of_tactics(variant_id: str) -> None:
    assert verify_tactics(variant_id, 2, 800) == 2


@pytest.mark.deep
@pytest.mark.parametrize("variant_id", booklet_ids())
def test_reference_accepts_all_proofs_of_tactics(variant_id: str) -> None:
    count = len(read(variant_id))
    assert verify_tactics(variant_id, count, LARGEST) == count


def count_winning(tactic: SuiteEntry, nodes: int) -> int:
    """Returns how many other moves are proven to win with some nodes each."""
    game, side = tactic.new_game(), tactic.setup.turn
    others = [move for move in game.legal_moves() if move not in tactic.best_moves]
    return sum(prove(game.play(move), side, nodes, 4).answer == "proven" for move in others)


@pytest.mark.parametrize("variant_id", booklet_ids())
def test_no_other_move_is_proven_to_win_with_few_nodes(variant_id: str) -> None:
    for tactic in read(variant_id)[:: LEAST // 4]:
        assert count_winning(tactic, 300) == 0, str(tactic)


@pytest.mark.deep
@pytest.mark.parametrize("variant_id", booklet_ids())
def test_no_other_move_is_proven_to_win_with_four_times_the_effort(variant_id: str) -> None:
    for tactic in read(variant_id):
        proof = prove(tactic.new_game(), tactic.setup.turn, 20_000)
        assert (proof.line[:1], proof.plies) == (tactic.best_moves, plies(tactic))
        assert count_winning(tactic, max(2_000, 4 * proof.effort)) == 0, str(tactic)


def test_position_is_solved_from_some_depth_on() -> None:
    tactic = read("brandub-globe")[0]
    other = SuiteEntry(tactic.variant, tactic.setup, {"am": tactic.operations["bm"]})
    with Engine(table_mib=16) as engine:
        found, missed = run_suite(engine, [tactic, other], Limit(nodes=100_000))
    assert found.solution is not None
    assert 1 <= found.solution.depth <= found.analysis.depth
    assert found.solution.nodes <= found.analysis.nodes
    assert (missed.is_solved, missed.solution) == (False, None)


def test_there_is_a_file_for_each_variant() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.epd")) == sorted(booklet_ids())
