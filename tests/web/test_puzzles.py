"""The pages of the puzzles: wrong tries and their refutations, the streak, mouse and keyboard."""

import datetime as dt
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from hnefi import Move
from hnefi.puzzles import Attempt, Puzzle, daily_puzzle, puzzle, puzzles
from tests.web.conftest import Visitors
from tests.web.game_page import opened, play, unfold_all, wait_for_board, walk
from tests.web.test_voice import expect_voice, hear, told

pytestmark = pytest.mark.usefixtures("quick")


def message(page: Page) -> Locator:
    return page.locator(".puzzle-message")


def open_puzzle(visit: Visitors, one: Puzzle) -> Page:
    return opened(visit, f"/en/puzzles/{one.id}")


def of_moves(theme: str, moves: int) -> Puzzle:
    return next(one for one in puzzles(theme=theme) if one.moves == moves)


def written(sentence: str, move: Move | None) -> str:
    """Returns a sentence with a move in it as pages write moves."""
    return sentence.replace(str(move), str(move).replace("-", "–"))


def wrong_move(one: Puzzle) -> Move:
    """Returns a wrong first move that a reply refutes."""
    attempt = Attempt.begin(one)
    return next(
        move for move in attempt.game.legal_moves() if attempt.answer(move).reply and move != one.solution
    )


def solve(page: Page, one: Puzzle) -> None:
    """Plays the solution."""
    attempt = Attempt.begin(one)
    while True:
        move = attempt.solution()
        play(page, str(move))
        answer = attempt.answer(move)
        if answer.kind == "solved":
            return
        attempt = answer.attempt


def test_a_wrong_try_is_refuted_and_tried_again(visit: Visitors) -> None:
    one = of_moves("king_out", 2)
    attempt = Attempt.begin(one)
    wrong = wrong_move(one)
    answer = attempt.answer(wrong)
    page = open_puzzle(visit, one)
    play(page, str(wrong))
    expect(message(page)).to_have_text(f"Not this one. {written(answer.explanation('en'), answer.reply)}")
    steps = page.get_by_role("group", name="Why it fails, move by move").get_by_role("button")
    tried, reply = (written(str(move), move) for move in (wrong, answer.reply))
    expect(steps).to_have_text(["Before", f"Your move{tried}", f"Their reply{reply}"])
    expect(steps.nth(2)).to_have_attribute("aria-pressed", "true")
    assert answer.reply is not None
    target = page.locator(f"tafl-board [data-square={answer.reply.to_square.name}]")
    expect(target).to_have_accessible_name(re.compile("attacker"))
    steps.nth(0).click()
    expect(page.locator("tafl-board .cell.mine")).to_have_count(0)
    expect(page.locator(f"tafl-board [data-square={wrong.from_square.name}]")).to_have_accessible_name(
        re.compile("king|defender")
    )
    page.get_by_role("button", name="Try again").click()
    solve(page, one)
    expect(message(page)).to_have_text("That’s it. The king is out.")
    expect(page.get_by_role("link", name="Next puzzle")).to_be_focused()


def test_one_voice_tells_a_wrong_try_and_the_solution_once(visit: Visitors) -> None:
    one = of_moves("king_out", 2)
    page, wrong = open_puzzle(visit, one), wrong_move(one)
    expect_voice(page, "Move a piece to begin.")
    expect(page.get_by_role("status")).to_have_count(1)
    hear(page)
    play(page, str(wrong))
    answer = Attempt.begin(one).answer(wrong)
    why = f"Not this one. {written(answer.explanation('en'), answer.reply)}"
    expect_voice(page, why)
    move, reason = told(page)
    assert f"{wrong.from_square.name} to {wrong.to_square.name}" in move
    assert reason == why
    page.get_by_role("button", name="Show me").press("Enter")
    expect(message(page)).to_have_text(re.compile("The solution: .+, .+, .+"))
    first, reply, last = told(page)
    assert all(" to " in text for text in (first, reply, last))


@pytest.mark.deep
@pytest.mark.parametrize("theme", ["king_out", "trap"])
def test_a_puzzle_of_three_moves_goes_on_until_it_is_solved(visit: Visitors, theme: str) -> None:
    one = of_moves(theme, 3)
    page = open_puzzle(visit, one)
    solve(page, one)
    expect(message(page)).to_contain_text("That’s it.")


def test_a_puzzle_is_solved_by_keyboard_alone(visit: Visitors) -> None:
    one = of_moves("king_out", 2)
    page = open_puzzle(visit, one)
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    wrong = wrong_move(one)
    walk(page, wrong.from_square.name, wrong.to_square.name)
    expect(page.get_by_role("button", name="Try again")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("tafl-board [data-square]:focus")).to_have_count(1)
    first = Attempt.begin(one).answer(one.solution)
    walk(page, one.solution.from_square.name, one.solution.to_square.name)
    expect(message(page)).to_have_text(
        f"Right. They reply {written(str(first.reply), first.reply)}. One more move."
    )
    last = first.attempt.solution()
    expect(page.locator(f"tafl-board [data-square={last.from_square.name}].mine")).to_be_attached()
    walk(page, last.from_square.name, last.to_square.name)
    expect(page.get_by_role("link", name="Next puzzle")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/en/puzzles/[a-z0-9-]+$"))
    assert not page.url.endswith(one.id)


def test_hint_and_solution_are_shown_and_do_not_count(visit: Visitors) -> None:
    one = of_moves("trap", 2)
    page = open_puzzle(visit, one)
    hint, (origin, target) = page.get_by_role("button", name="Hint"), str(one.solution).split("-")
    piece = page.locator(f"tafl-board [data-square={origin}]")
    hint.press("Enter")
    expect(message(page)).to_have_text(f"Move the piece on {origin}.")
    expect(hint).to_be_focused()
    # A button that goes or is disabled hands its focus to the board.
    hint.press("Enter")
    expect(message(page)).to_have_text(f"The move is {origin}–{target}.")
    expect(piece).to_be_focused()
    page.get_by_role("button", name="Show me").press("Enter")
    expect(piece).to_be_focused()
    expect(page.get_by_role("link", name="Next puzzle")).to_be_visible()
    first = str(one.solution).replace("-", "–")
    expect(message(page)).to_have_text(re.compile(f"The solution: {first}( ×[^,]+)?, .+, .+"))
    expect(page.locator("tafl-board")).to_be_in_viewport()
    page.get_by_role("button", name="Try again").press("Enter")
    expect(message(page)).to_have_text("Move a piece to begin.")
    expect(page.locator("tafl-board [data-square]:focus")).to_have_count(1)
    page.goto("/en/puzzles")
    expect(page.locator("[data-tally]")).to_have_text(f"0 of {len(puzzles())} solved")


def test_the_daily_puzzle_begins_a_streak_and_is_marked_as_solved(visit: Visitors) -> None:
    page = visit("/en/puzzles")
    expect(page.get_by_text("Solve today’s puzzle to start a streak.")).to_be_visible()
    day = dt.date.fromisoformat(page.locator("#streak").get_attribute("data-day") or "")
    one = daily_puzzle(day)
    page.get_by_role("link", name="Solve it").click()
    wait_for_board(page)
    expect(page.get_by_text(f"{day:%A}’s puzzle")).to_be_visible()
    solve(page, one)
    expect(page.get_by_text("Streak 1")).to_be_visible()
    expect(page.get_by_role("img", name="1 of 10")).to_be_visible()
    page.goto("/en/puzzles")
    expect(page.get_by_text("Streak 1")).to_be_visible()
    unfold_all(page)
    expect(page.locator(f"[data-puzzle={one.id}]")).to_have_accessible_name(re.compile("solved$"))


def test_a_daily_puzzle_whose_solution_was_shown_does_not_count_for_the_streak(visit: Visitors) -> None:
    page = visit("/en/puzzles")
    page.get_by_role("link", name="Solve it").click()
    wait_for_board(page)
    page.get_by_role("button", name="Show me").click()
    told = page.get_by_text("You have seen today’s solution: the puzzle of tomorrow counts again.")
    expect(told).to_be_visible()
    page.reload()
    wait_for_board(page)
    solve(page, daily_puzzle(dt.date.fromisoformat(page.evaluate("JSON.parse(puzzle.textContent).day"))))
    expect(page.get_by_text("Streak 0")).to_be_visible()
    expect(told).to_be_visible()
    expect(page.locator(".week .today")).to_contain_text("solved")
    page.goto("/en/puzzles")
    expect(page.locator("[data-tally]").first).to_have_text(f"1 of {len(puzzles())} solved")


def test_a_streak_counts_days_in_a_row_and_the_next_puzzles_are_not_solved(visit: Visitors) -> None:
    page = visit("/en/puzzles")
    easy = [one for one in puzzles(theme="king_out") if one.difficulty == "easy"]
    level = page.locator(".puzzle-next").first
    expect(level).to_have_accessible_name(f"Easy 0 of {len(easy)} solved")
    today = dt.date.fromisoformat(page.locator("#streak").get_attribute("data-day") or "")
    daily = page.get_by_role("link", name="Solve it").get_attribute("href") or ""
    beginning = page.locator(".puzzle-today .main")
    is_easy = puzzle(daily.rpartition("/")[2]).difficulty == "easy"
    expect(beginning).to_have_text("Solve it" if is_easy else "Start with an easy one")
    first = daily if is_easy else f"/en/puzzles/{easy[0].id}"
    expect(beginning).to_have_attribute("href", re.compile(f"{first}$"))
    days = [(today - dt.timedelta(days=back)).isoformat() for back in (1, 2, 3, 5, 6)]
    solved = [easy[0].id, daily.rpartition("/")[2]]
    kept = {"days": days, "best": 14, "solved": solved}
    page.evaluate("kept => localStorage.setItem('hnefi.puzzles', JSON.stringify(kept))", kept)
    page.reload()
    expect(page.get_by_text("Streak 3")).to_be_visible()
    expect(page.get_by_text("Your best is 14.")).to_be_visible()
    next_one = next(one for one in easy if one.id not in solved)
    expect(level).to_have_attribute("href", re.compile(f"/en/puzzles/{next_one.id}$"))
    expect(level.locator("svg use")).to_have_count(len(next_one.setup.pieces))
    expect(level.locator(".peg.on")).to_have_count(1)
    expect(page.locator(".puzzle-today .main")).to_have_count(1)
    page.get_by_role("link", name="Next unsolved").click()
    expect(page).to_have_url(re.compile(f"/en/puzzles/{next_one.id}$"))


def test_every_puzzle_and_its_task_are_there_without_scripts(visit: Visitors) -> None:
    page = visit("/en/puzzles", java_script_enabled=False)
    expect(page.locator("details a[href^='/en/puzzles/']")).to_have_count(len(puzzles()))
    expect(page.locator(".puzzle-next svg")).to_have_count(12)
    expect(page.get_by_text("Next unsolved")).to_be_hidden()
    page.goto(f"/en/puzzles/{of_moves('king_out', 2).id}")
    expect(page.get_by_role("heading", level=1)).to_have_text("King out in 2")
    assert "Puzzles need JavaScript." in page.content()


@pytest.mark.deep
def test_the_list_shows_the_puzzles_of_one_game_and_the_only_move_is_found_in_french(visit: Visitors) -> None:
    page = visit("/fr/puzzles")
    page.get_by_label("Jeu").select_option("copenhagen-11")
    unfold_all(page)
    shown = page.locator("[data-puzzle]:visible")
    expect(shown).to_have_count(len(puzzles("copenhagen-11")))
    expect(page.locator("[data-tally]")).to_have_text(f"Résolus : 0 sur {len(puzzles('copenhagen-11'))}")
    one = of_moves("only_move", 1)
    page.goto(f"/fr/puzzles/{one.id}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Trouver le seul coup")
    play(page, str(wrong_move(one)))
    expect(message(page)).to_contain_text("répond")
    page.get_by_role("button", name="Réessayer").click()
    solve(page, one)
    expect(message(page)).to_contain_text("Tout autre coup aurait perdu.")
