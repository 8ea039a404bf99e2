"""Puzzles: proved in the core, known by their themes, answered move by move, and on the command line."""

import datetime as dt
import hashlib
from collections import Counter

import pytest

from hnefi import Game, Move, Piece, Reason, Side, Square, variant
from hnefi.formats import parse_suite
from hnefi.i18n import has_text
from hnefi.lab.compositions import has_rings, ring_positions
from hnefi.lab.positions import canonical
from hnefi.lab.puzzle_proofs import Prover
from hnefi.puzzles import THEMES, Attempt, Node, Puzzle, daily_puzzle, puzzle, puzzle_variants, puzzles
from tests.cli_runs import answer, printed, refusal, run

VARIANTS = {
    *("ard-ri-globe", "brandub-globe", "copenhagen-11", "gwezboell-globe", "hist-brandubh-7"),
    *("hist-tablut-9", "tablut-geoludie", "tablut-kouvia"),
}
MONDAY = dt.date(2026, 11, 23)


def wins(game: Game, side: Side, moves: int) -> bool:
    """Checks whether a side wins within so many of its moves, by all moves and all replies."""
    if game.outcome is not None:
        return game.outcome.winner is side
    if moves == 0:
        return False
    if game.turn is side:
        return any(wins(game.play(move), side, moves - 1) for move in game.legal_moves())
    return all(wins(game.play(move), side, moves) for move in game.legal_moves())


def sample(count: int) -> list[Puzzle]:
    """Returns some puzzles that a search without pruning solves soon."""
    short = [one for one in puzzles() if one.moves <= 2]
    return sorted(short, key=lambda one: hashlib.sha256(one.id.encode()).digest())[:count]


def solve(one: Puzzle) -> list[Move]:
    """Returns the solver's moves of the solution."""
    attempt, moves = Attempt.begin(one), []
    while True:
        moves.append(attempt.solution())
        answer = attempt.answer(moves[-1])
        assert answer.kind != "wrong"
        if answer.kind == "solved":
            return moves
        attempt = answer.attempt


def test_there_are_more_than_five_hundred_puzzles_of_every_theme_for_eight_games() -> None:
    assert len(puzzles()) == 564
    assert min(Counter(one.theme for one in puzzles()).values()) >= 60
    assert set(puzzle_variants()) == VARIANTS
    assert min(Counter(one.variant for one in puzzles()).values()) >= 30
    assert {one.theme for one in puzzles()} == set(THEMES)
    assert [one for one in puzzles("tablut-kouvia", "trap") if one.theme != "trap"] == []
    assert len(puzzles("tablut-kouvia")) > len(puzzles("tablut-kouvia", "trap")) > 0


def test_no_two_puzzles_are_equal_or_symmetric() -> None:
    for variant_id in VARIANTS:
        keys = Counter(canonical(one.new_game()) for one in puzzles(variant_id))
        assert [key for key, count in keys.items() if count > 1] == []


def test_every_solution_ends_the_puzzle_in_the_stated_number_of_moves() -> None:
    for one in puzzles():
        moves = solve(one)
        assert len(moves) == (1 if one.theme == "only_move" else one.moves), one.id
        assert len(one.node.right) == 1, one.id


def test_every_wrong_first_move_has_an_answer_with_a_reason_in_both_languages() -> None:
    reasons = Counter[str]()
    for one in puzzles():
        attempt = Attempt.begin(one)
        for move in attempt.game.legal_moves():
            answer = attempt.answer(move)
            if move == one.solution:
                assert (answer.kind, answer.why) != ("wrong", None)
                continue
            assert answer.kind == "wrong", (one.id, move)
            assert answer.attempt == attempt
            assert answer.why is not None
            assert has_text(f"puzzle.why.{answer.why}", "en"), answer.why
            assert has_text(f"puzzle.why.{answer.why}", "fr"), answer.why
            reasons[answer.why] += 1
    assert len(reasons) > 8, reasons


@pytest.mark.parametrize("one", sample(20), ids=lambda one: one.id)
def test_a_sample_of_the_claims_holds_in_a_search_that_prunes_nothing(one: Puzzle) -> None:
    game, side = one.new_game(), one.side
    assert game.turn is side
    if one.theme == "only_move":
        lost = [move for move in game.legal_moves() if wins(game.play(move), side.opponent, one.moves)]
        assert [move for move in game.legal_moves() if move not in lost] == [one.solution]
    else:
        assert not wins(game, side, one.moves - 1)
        winning = [move for move in game.legal_moves() if wins(game.play(move), side, one.moves - 1)]
        assert winning == [one.solution]
    check_refutations(one, game, one.node, one.moves)


def check_refutations(one: Puzzle, game: Game, node: Node, moves: int) -> None:
    """Checks that after the reply to a wrong move the claim about the puzzle no longer can be met."""
    for move in game.legal_moves():
        after = game.play(move)
        if move in node.right or after.outcome is not None or not node.wrong:
            continue
        reply = node.refutation(move)
        assert reply is not None
        refuted = after.play(reply)
        if one.theme == "only_move":
            assert wins(refuted, one.side.opponent, moves - 1), (one.id, move)
        else:
            assert not wins(refuted, one.side, moves - 1), (one.id, move)


@pytest.mark.deep
@pytest.mark.parametrize("one", puzzles(), ids=lambda one: one.id)
def test_every_claim_holds(one: Puzzle) -> None:
    game, side = one.new_game(), one.side
    winner = side.opponent if one.theme == "only_move" else side
    prover = Prover(winner, budget=10**9)
    if one.theme == "only_move":
        safe = [move for move in game.legal_moves() if not prover.wins_within(game.play(move), one.moves)]
        assert safe == [one.solution]
        assert not prover.wins_within(game.play(one.solution), one.moves + 1)
        return
    assert not prover.wins_within(game, one.moves - 1)
    assert prover.winning_moves(game, one.moves) == [one.solution]
    check_tree(prover, one, game, one.node, one.moves)


def check_tree(prover: Prover, one: Puzzle, game: Game, node: Node, moves: int) -> None:
    """Checks all right moves, all refutations and all replies from a position on."""
    assert set(prover.winning_moves(game, moves)) == set(node.right)
    for move in game.legal_moves():
        after = game.play(move)
        if move not in node.right:
            if after.outcome is None and node.wrong:
                reply = node.refutation(move)
                assert reply is not None
                assert not prover.wins_within(after.play(reply), moves - 1), (one.id, move)
            continue
        reply_node = node.right[move]
        if reply_node is None:
            assert after.outcome is not None
            continue
        replied = after.play(reply_node.move)
        assert prover.wins_within(replied, reply_node.moves)
        if reply_node.node is not None:
            check_tree(prover, one, replied, reply_node.node, reply_node.moves)


def test_the_puzzle_of_a_day_is_as_hard_as_its_weekday_and_does_not_come_back_soon() -> None:
    days = [MONDAY + dt.timedelta(days=count) for count in range(56)]
    found = [daily_puzzle(day) for day in days]
    week = ["easy", "easy", "medium", "medium", "medium", "hard", "hard"]
    assert [one.difficulty for one in found] == week * 8
    assert len({one.id for one in found}) == 56


def test_positions_with_a_ring_are_composed_where_enclosing_wins() -> None:
    one = variant("hist-brandubh-7")
    assert has_rings(one)
    assert not has_rings(variant("brandub-globe"))
    games = [game for seed in range(4) for game in ring_positions(one, seed)]
    again = [game for seed in range(4) for game in ring_positions(one, seed)]
    assert [str(game.start) for game in games] == [str(game.start) for game in again]
    endings = Counter[Reason]()
    for game in games:
        assert game.turn is Side.ATTACKERS
        pieces = list(game.position.pieces.values())
        assert game.position.piece_at(Square("d4")) in (None, Piece.KING)
        assert (pieces.count(Piece.KING), pieces.count(Piece.ATTACKER) <= 8) == (1, True)
        outcomes = (game.play(move).outcome for move in game.legal_moves())
        endings.update({outcome.reason for outcome in outcomes if outcome is not None})
    assert endings[Reason.ENCLOSURE] > len(games) / 4


def two_moves() -> Puzzle:
    """Returns a puzzle of two moves with a wrong move that has an answer."""
    return next(one for one in puzzles(theme="king_out") if one.moves == 2)


def test_the_list_is_filtered_by_game_theme_and_difficulty() -> None:
    found = answer("puzzles", "--variant", "tablut-kouvia", "--theme", "king_out", "--difficulty", "easy")
    ids = [one.id for one in puzzles("tablut-kouvia", "king_out") if one.difficulty == "easy"]
    assert [one["id"] for one in found["puzzles"]] == ids
    assert ids
    code, out, _ = run("puzzles", "--lang", "fr", "--variant", "tablut-kouvia", "--theme", "king_out")
    assert code == 0
    assert "Le roi sort en 2 coups" in out.replace("\u00a0", " ")


def test_a_game_without_puzzles_is_told_so() -> None:
    told = refusal("puzzles", "--variant", "Alea Evangelii")["message"]
    assert told == "alea-evangelii-19 has no puzzles; `hnefi puzzles` lists those of other games."
    assert refusal("puzzles", "--variant", "my-tablut")["code"] == "unknown_variant"


def test_a_puzzle_is_shown_with_its_solution() -> None:
    one = two_moves()
    found = answer("puzzles", one.id, "--solution")
    assert found["position"] == str(one.setup)
    assert found["solution"][0] == str(one.solution)
    assert len(found["solution"]) == 3
    _, out, _ = run("puzzles", one.id, "--solution")
    assert f"{one.id}: King out in 2" in out
    assert f"Solution: {one.solution}" in out


def test_a_puzzle_is_solved_and_a_wrong_move_is_answered() -> None:
    one = two_moves()
    attempt = Attempt.begin(one)
    wrong = next(move for move in attempt.game.legal_moves() if attempt.answer(move).why == "free.king_out")
    reply = attempt.answer(wrong).reply
    right = attempt.answer(one.solution)
    lines = ["nonsense", str(wrong), str(one.solution), str(right.attempt.solution())]
    out = printed("puzzles", one.id, "--solve", stdin="\n".join(lines))
    assert f"Not this one. That opens no road, so the attackers have time for {reply}." in out
    assert "The king can’t get out in 2 moves any more." in out
    assert f"Right. The other side answers {right.reply}." in out
    assert "That’s it. The king is out." in out
    # With --plain the position is words, before and after the reply.
    plain = printed("puzzles", one.id, "--solve", "--plain", stdin="\n".join(lines))
    assert f"King: {attempt.game.position.king}." in plain
    assert right.reply is not None
    assert f"Last move: {right.reply.from_square} to {right.reply.to_square}." in plain
    assert not set("▲○♔·×□") & set(plain)


def test_input_that_ends_early_leaves_the_puzzle_unsolved() -> None:
    assert run("puzzles", two_moves().id, "--solve", stdin="")[0] == 1


def test_the_daily_puzzle_is_one_of_the_list() -> None:
    found = answer("puzzles", "--daily")
    assert str(puzzle(found["id"]).setup) == found["position"]


def test_puzzles_are_lines_of_a_test_suite() -> None:
    code, out, err = run("puzzles", "--suite", "--variant", "brandub-globe")
    reading = parse_suite(out)
    assert (code, err, reading.faults) == (0, "", ())
    for entry, one in zip(reading.entries, puzzles("brandub-globe"), strict=True):
        assert (entry.id, entry.setup) == (one.id, one.setup)
        assert entry.is_solved_by(one.solution)
        assert ("dm" in entry.operations) == (one.theme != "only_move")
    one = two_moves()
    assert run("puzzles", one.id, "--suite")[1] == f"{one.suite_entry}\n"
    assert one.suite_entry.operations["dm"] == ("3",)


def test_wrong_usage_is_refused() -> None:
    assert run("puzzles", "brandub-globe-1", "--suite", "--solution")[0] == 2
    given = ("--suite", "--solution", "brandub-globe-0", "brandub-globe-1 --daily", "brandub-globe-1 --solve")
    for words in given:
        assert refusal("puzzles", *words.split())["code"] == "bad_usage", words
