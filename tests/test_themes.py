"""The positions in tests/themes and tests/tactics: proofs for the reference, and solved positions."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from hnefi import Engine, Game, Limit, Move, Side
from hnefi._core import Searcher
from hnefi.formats import SuiteEntry, parse_suite
from hnefi.lab.positions import canonical, prove
from hnefi.lab.suite import run_suite
from hnefi.lab.themes import (
    ENCLOSURE,
    EXIT_FORT,
    MAKE,
    PREVENT,
    SHIELDWALL,
    after_pass,
    ends_in,
    kind_of,
    shieldwalls,
)
from hnefi.variants.built_in import booklet_ids
from tests.reference.board import Rules as ReferenceRules
from tests.reference.certificate import verify
from tests.reference.tafl import Game as ReferenceGame
from tests.samples import sampled
from tests.solver import proved
from tests.worked import variant_tree

FOLDER, TACTICS_FOLDER = (Path(__file__).parent / name for name in ("themes", "tactics"))
# More than the proofs took when the file was made, so that the prover may change a little.
PROOF_NODES = 50_000
LEAST = {ENCLOSURE: 70, EXIT_FORT: 65, SHIELDWALL: 70}
# The least positions of each theme that a search of so many nodes solves.
NODES = 5_000
LEAST_SOLVED = {ENCLOSURE: 52, EXIT_FORT: 50, SHIELDWALL: 66}

RULES = ReferenceRules(variant_tree("copenhagen-11"))
POSITIONS = parse_suite((FOLDER / "copenhagen-11.epd").read_text(encoding="utf-8")).entries
ROADS = parse_suite((FOLDER / "perpetual-roads.epd").read_text(encoding="utf-8")).entries


def of_theme(theme: str, *tasks: str) -> list[SuiteEntry]:
    wanted = tasks or (MAKE, PREVENT)
    return [one for one in POSITIONS if one.id in {f"{theme} {task}" for task in wanted}]


def plies(one: SuiteEntry) -> int:
    """Returns the plies of the proof of a theme or of a tactic."""
    return int((one.operations.get("plies") or one.operations["dm"])[0])


def verify_win(game: Game, winner: Side) -> int:
    """Proves a win again and verifies its certificate; returns the plies it takes at most."""
    moves, plies = proved(Searcher(table_mib=1), game, winner, PROOF_NODES, 16)
    assert verify(RULES, str(game.position), winner.value, moves)[0] == plies
    return plies


def verify_position(one: SuiteEntry, most_moves: int) -> None:
    """Verifies the proofs of a position, of at most so many of its moves, or its captures."""
    theme, task, turn = kind_of(one)
    game, best = one.new_game(), one.best_moves
    if theme == SHIELDWALL:
        verify_shieldwall(game, best if task == PREVENT else ())
    elif task == MAKE:
        assert verify_win(game, turn) <= plies(one)
        for move in best[1:most_moves]:
            after = game.play(move)
            if after.outcome is None:
                verify_win(after, turn)
    else:
        moves = [move for move in game.legal_moves() if move not in best]
        for move in moves[:: max(1, len(moves) // most_moves)]:
            after = game.play(move)
            if after.outcome is None:
                assert verify_win(after, turn.opponent) <= plies(one)
            else:
                assert after.outcome.winner is turn.opponent


def verify_shieldwall(game: Game, preventing: Sequence[Move]) -> None:
    """Checks the row captures of a position: those of the side to move, or those that are to be prevented."""
    before = after_pass(game) if preventing else game
    for move in preventing:
        assert not shieldwalls(game.play(move))
    if preventing:
        assert shieldwalls(before)
    for move in shieldwalls(before):
        reference = ReferenceGame(RULES, str(before.position.setup)).play(str(move))
        after = before.play(move)
        assert reference.position.split()[0] == str(after.position.setup).split()[0]


def test_there_are_enough_different_positions() -> None:
    assert len({canonical(one.new_game()) for one in POSITIONS}) == len(POSITIONS)
    assert all(len(of_theme(theme)) >= least for theme, least in LEAST.items())
    sides = {kind_of(one) for one in POSITIONS}
    assert {(SHIELDWALL, task, side) for task in (MAKE, PREVENT) for side in Side} <= sides
    for one in POSITIONS:
        assert one.best_moves
        is_shieldwall = kind_of(one)[0] == SHIELDWALL
        assert ("margin" in one.operations, "plies" in one.operations) == (is_shieldwall, not is_shieldwall)


@pytest.mark.parametrize("theme", [ENCLOSURE, EXIT_FORT])
def test_reference_accepts_the_smallest_proof_of_themes(theme: str) -> None:
    wins = of_theme(theme, MAKE)
    sizes = [prove(one.new_game(), one.setup.turn, PROOF_NODES, 16).size for one in wins]
    assert min(sizes) > 0
    verify_position(wins[sizes.index(min(sizes))], 1)


def test_reference_accepts_some_other_positions_of_themes() -> None:
    for theme in (ENCLOSURE, EXIT_FORT):
        verify_position(min(of_theme(theme, PREVENT), key=plies), 1)
    for task in (MAKE, PREVENT):
        verify_position(of_theme(SHIELDWALL, task)[0], 1)


@pytest.mark.deep
@pytest.mark.parametrize("theme", list(LEAST))
def test_reference_accepts_all_positions_of_themes(theme: str) -> None:
    for one in of_theme(theme):
        verify_position(one, 1_000)


@pytest.mark.parametrize("theme", [ENCLOSURE, EXIT_FORT])
def test_proofs_end_in_their_theme(theme: str) -> None:
    for one in of_theme(theme, MAKE)[::4]:
        proof = prove(one.new_game(), one.setup.turn, PROOF_NODES)
        assert proof.line[0] in one.best_moves
        assert ends_in(one.new_game(), proof.line, theme)


@pytest.mark.parametrize("theme", list(LEAST))
def test_search_solves_enough_positions(theme: str) -> None:
    with Engine(table_mib=16) as engine:
        results = list(run_suite(engine, of_theme(theme), Limit(nodes=NODES)))
    assert sum(one.is_solved for one in results) >= LEAST_SOLVED[theme]


def test_search_wins_perpetual_roads() -> None:
    with Engine(table_mib=16) as engine:
        results = list(run_suite(engine, ROADS, Limit(nodes=NODES)))
    for one in results:
        best = one.analysis.best
        assert one.is_solved
        assert best is not None
        assert best.score.winner is Side.DEFENDERS
        game, opened = one.entry.new_game(), 0
        for move in best.moves:
            if game.turn is Side.ATTACKERS:
                assert after_pass(game).position.open_roads
                opened += 1
            game = game.play(move)
        assert opened >= 3


def test_reference_accepts_the_smallest_proof_of_a_perpetual_road() -> None:
    games = [one.new_game() for one in ROADS]
    assert len({canonical(game) for game in games}) == 10
    verify_win(min(games, key=lambda game: prove(game, Side.DEFENDERS, PROOF_NODES, 16).size), Side.DEFENDERS)


TACTICS = 40
# Most wins of these rules are slow, and more than one move keeps them.
FEWER = {"tablut-geoludie-slow": 20}
LARGEST = 20_000


def read(variant_id: str) -> tuple[SuiteEntry, ...]:
    reading = parse_suite((TACTICS_FOLDER / f"{variant_id}.epd").read_text(encoding="utf-8"))
    assert not reading.faults
    return reading.entries


def verify_tactics(variant_id: str, wanted: int, largest: int) -> int:
    """Proves positions again and verifies the certificates of a limited size; returns how many."""
    rules = ReferenceRules(variant_tree(variant_id))
    verified = 0
    for tactic in read(variant_id):
        side = tactic.setup.turn
        moves, most = proved(Searcher(table_mib=1), tactic.new_game(), side, 100_000, 16)
        if len(moves) <= largest:
            longest, _ = verify(rules, str(tactic.setup), side.value, moves)
            assert longest == most <= plies(tactic)
            verified += 1
        if verified == wanted:
            break
    return verified


@pytest.mark.parametrize("variant_id", booklet_ids())
def test_there_are_enough_different_tactics(variant_id: str) -> None:
    tactics = read(variant_id)
    assert len(tactics) >= FEWER.get(variant_id, TACTICS)
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
    for tactic in read(variant_id)[:: TACTICS // 4]:
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
    assert sorted(path.stem for path in TACTICS_FOLDER.glob("*.epd")) == sorted(booklet_ids())
