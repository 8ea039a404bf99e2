"""`hnefi puzzles`: lists, shows and solves puzzles."""

from hnefi.formats import parse_suite
from hnefi.puzzles import Attempt, Puzzle, puzzle, puzzles
from tests.cli_runs import answer, refusal, run


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
    code, out, err = run("puzzles", one.id, "--solve", stdin="\n".join(lines))
    assert (code, err) == (0, "")
    assert f"Not this one. That opens no road, so the attackers have time for {reply}." in out
    assert "The king can’t get out in 2 moves any more." in out
    assert f"Right. The other side answers {right.reply}." in out
    assert "That’s it. The king is out." in out


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
    assert refusal("puzzles", "--suite")["code"] == "bad_usage"
    assert run("puzzles", "brandub-globe-1", "--suite", "--solution")[0] == 2
    assert refusal("puzzles", "brandub-globe-0")["code"] == "bad_usage"
    assert refusal("puzzles", "brandub-globe-1", "--daily")["code"] == "bad_usage"
    assert refusal("puzzles", "brandub-globe-1", "--solve")["code"] == "bad_usage"
    assert refusal("puzzles", "--solution")["code"] == "bad_usage"
