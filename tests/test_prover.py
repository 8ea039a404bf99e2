"""Tests of the prover: against an exhaustive solver, and its certificates against the reference."""

import itertools
import json

import pytest

from hnefi import Game, Rules, Setup, Side, variant
from hnefi._core import Searcher
from tests.reference.board import Rules as ReferenceRules
from tests.reference.certificate import BadCertificateError, verify
from tests.small_positions import endgame_trees
from tests.solver import Lengths, Solver, TooLargeError, proved
from tests.worked import variant_tree

SEED = 5


def agree(seed: int, limit: int, wanted: int, most: int) -> tuple[int, int, int]:
    """Compares prover and solver; returns the numbers of wins, other answers and compared lengths."""
    won = lost = measured = 0
    searcher = Searcher(table_mib=1)
    for tree, position in endgame_trees(seed, limit):
        rules = ReferenceRules(tree)
        game = Game(Rules(json.dumps(tree)), Setup(position))
        for side in Side:
            try:
                expected = Solver(rules, side.value, most).wins(position)
            except TooLargeError:
                continue
            answer, _, proof = searcher.prove(game, side, nodes=200_000, table_mib=4)
            where = f"{position} {side.value}: {json.dumps(tree)}"
            assert answer == ("proven" if expected else "disproven"), where
            if proof is not None:
                moves = [(str(setup), str(move)) for setup, move in proof[0]]
                assert verify(rules, position, side.value, moves)[0] == proof[2], where
                measured += is_shortest(rules, game, side, proof[2], most)
            won, lost = won + expected, lost + (not expected)
        if won + lost >= wanted:
            return won, lost, measured
    raise AssertionError("no more positions")


def is_shortest(rules: ReferenceRules, game: Game, side: Side, plies: int, most: int) -> bool:
    """Asserts that no win is shorter, except by one ply for a pass; False if the tree was too large."""
    try:
        shortest = Lengths(rules, side.value, most).plies(str(game.position))
    except TooLargeError:
        return False
    parity = 1 if game.turn is side else 0
    assert plies == shortest + (shortest % 2 != parity), f"{game.position} {side.value}: {shortest} plies"
    return True


@pytest.mark.parametrize(
    ("settings", "least"),
    [
        ((SEED, 3, 10, 500), (2, 2, 1)),
        pytest.param((SEED, 3, 170, 500), (21, 21, 11), marks=pytest.mark.deep),
        pytest.param((SEED + 1, 4, 250, 3_000), (31, 31, 11), marks=pytest.mark.deep),
    ],
    ids=["few positions", "many positions", "longer lines"],
)
def test_prover_agrees_with_an_exhaustive_solver(
    settings: tuple[int, int, int, int], least: tuple[int, int, int]
) -> None:
    found = agree(*settings)
    assert all(number >= few for number, few in zip(found, least, strict=True)), found


# From games of the engine with itself; in the second the king's side is chased for eleven quiet plies.
WINS = [
    ("ard-ri-globe", "2ttt2/t6/2t1tt1/1t1KT1t/t1t1t1t/3t1t1/3t3 a 1"),
    ("gwezboell-globe", "5t3/2t4t1/tTKt5/2Tt4t/6T2/1t1t5/9/9/9 a 1"),
    ("tablut-kouvia", "1t5t1/7t1/1T1t3t1/2t6/3K5/3t5/t8/1t5t1/9 a 19"),
]
Moves = list[tuple[str, str]]


def proof_of(variant_id: str, position: str) -> tuple[ReferenceRules, Moves, int]:
    """Proves a win of the attackers; returns the reference rules, the certificate and its length."""
    game = Game(variant(variant_id).rules, Setup(position))
    moves, plies = proved(Searcher(table_mib=1), game, Side.ATTACKERS, 50_000, 8)
    return ReferenceRules(variant_tree(variant_id)), moves, plies


@pytest.mark.parametrize(("variant_id", "position"), WINS)
def test_certificate_is_verified_by_the_reference(variant_id: str, position: str) -> None:
    rules, moves, longest = proof_of(variant_id, position)
    assert verify(rules, position, "attackers", moves)[0] == longest


@pytest.mark.parametrize(("variant_id", "position"), WINS)
def test_certificate_with_a_position_missing_is_refused(variant_id: str, position: str) -> None:
    rules, moves, _ = proof_of(variant_id, position)
    for place in range(0, len(moves), 1 + len(moves) // 5):
        with pytest.raises(BadCertificateError, match="no move given"):
            verify(rules, position, "attackers", moves[:place] + moves[place + 1 :])


@pytest.mark.parametrize(("variant_id", "position"), WINS)
def test_certificate_with_a_wrong_move_is_refused(variant_id: str, position: str) -> None:
    rules, moves, _ = proof_of(variant_id, position)
    where, right = moves[0]
    game = Game(variant(variant_id).rules, Setup(position))
    searcher = Searcher(table_mib=1)
    loses = (
        str(move)
        for move in reversed(game.legal_moves())
        if searcher.prove(game.play(move), Side.ATTACKERS, nodes=500, table_mib=1)[0] != "proven"
    )
    wrong = list(itertools.islice(loses, 2))
    assert wrong
    assert right not in wrong
    for move in [*wrong, "a1-a2"]:
        with pytest.raises(BadCertificateError):
            verify(rules, position, "attackers", [(where, move), *moves[1:]])


def test_certificate_of_the_other_side_is_refused() -> None:
    rules, moves, _ = proof_of(*WINS[0])
    with pytest.raises(BadCertificateError):
        verify(rules, WINS[0][1], "defenders", moves)


def test_certificate_after_the_quiet_limit_is_refused() -> None:
    rules, moves, _ = proof_of(*WINS[1])
    rows, turn, _ = WINS[1][1].split()
    need = verify(rules, WINS[1][1], "attackers", moves)[1]
    verify(rules, f"{rows} {turn} {20 - need}", "attackers", moves)
    with pytest.raises(BadCertificateError, match="quiet plies needed"):
        verify(rules, f"{rows} {turn} {21 - need}", "attackers", moves)


def test_prover_counts_the_quiet_plies_that_are_left() -> None:
    rows, turn, _ = WINS[1][1].split()
    rules = variant("gwezboell-globe").rules
    for quiet in (17, 18, 19):
        game = Game(rules, Setup(f"{rows} {turn} {quiet}"))
        assert Searcher(table_mib=1).prove(game, Side.ATTACKERS, nodes=50_000)[0] == "disproven"


def test_prover_stops_on_request() -> None:
    game = variant("tablut-kouvia").new_game()
    answer, nodes, proof = Searcher(table_mib=1).prove(game, Side.ATTACKERS, nodes=1_000, table_mib=1)
    assert (answer, proof) == ("unknown", None)
    assert 1_000 <= nodes < 1_300
