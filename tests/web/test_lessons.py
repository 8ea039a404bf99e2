"""The lessons page: by mouse and keyboard, with progress that is stored, and for screen readers."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from hnefi.lessons import lessons
from hnefi.server.pages.lessons.content import lesson_counts, lesson_facts
from hnefi.variants.finding import variant
from tests.web.conftest import Visitors
from tests.web.game_page import box_of, call_and_play, opened, reach, wait_for_board, walk
from tests.web.test_voice import expect_voice, hear, told

pytestmark = pytest.mark.usefixtures("quick")


def cell(page: Page, square: str) -> Locator:
    return page.locator(f"tafl-board [data-square={square}]")


def feedback(page: Page) -> Locator:
    return page.locator(".lesson-message")


def open_lesson(visit: Visitors, lesson: str, lang: str = "en") -> Page:
    return opened(visit, f"/{lang}/lessons/{lesson}")


def test_a_lesson_by_mouse(visit: Visitors) -> None:
    page = open_lesson(visit, "brandub-globe#capture")
    cell(page, "g7").click()
    expect(feedback(page)).to_contain_text("Choose one of your pieces first,")
    cell(page, "c3").click()
    expect(feedback(page)).to_have_text("That isn’t your piece. You play the attackers.")
    cell(page, "d1").click()
    cell(page, "d2").click()
    expect(feedback(page)).to_have_text("Nothing is captured: there is still a free side at c3.")
    expect(cell(page, "d1")).to_have_accessible_name(re.compile("attacker"))
    cell(page, "b3").click()
    cell(page, "c3").click()
    expect(feedback(page)).to_have_text("c3 is occupied by a defender.")
    cell(page, "d1").click()
    cell(page, "d3").click()
    expect(feedback(page)).to_contain_text("Remember")
    page.get_by_role("button", name="Next lesson").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Lesson 4 of 21. Safe between two enemies")
    rules = page.get_by_role("link", name="Rules: Brandub (Le Globe Joueur)")
    expect(rules).to_have_attribute("href", "/en/rules/brandub-globe")
    page.get_by_role("link", name="Play this game").click()
    page.wait_for_url("**/en/new?variant=brandub-globe")


def test_a_lesson_of_two_moves_by_keyboard(visit: Visitors) -> None:
    page = open_lesson(visit, "brandub-globe#call")
    skip = page.locator(".skip")
    page.keyboard.press("Tab")
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    walk(page, "c3", "a3")
    expect(feedback(page)).to_contain_text("you forgot the call")
    reach(page, page.get_by_role("radio", name="nothing"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+Tab")
    walk(page, "c3", "a3")
    expect(page.locator(".lesson-task")).to_have_text("You made the call. Now move the king to the corner.")
    walk(page, "a3", "a7")
    expect(page.get_by_role("button", name="Next lesson")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("A forgotten call")
    # The next lesson begins at the board.
    expect(page.locator("tafl-board [data-square]:focus")).to_have_count(1)


def test_each_thing_is_told_once_and_praise_after_the_move(visit: Visitors) -> None:
    page = open_lesson(visit, "brandub-globe#capture")
    task = page.locator(".lesson-task").inner_text()
    hear(page)
    cell(page, "d1").focus()
    taken_up = "Attacker d1 picked up. Squares to move to: 6."
    free = f"Nothing is captured: there is still a free side at c3. {task}"
    for _ in range(2):
        walk(page, "d1", "d2")
        expect_voice(page, free)
        assert told(page) == [taken_up, free]
    walk(page, "d1", "a1")
    corner = "a1 is a corner: the attackers may not stop there. Piece put back."
    expect_voice(page, corner)
    walk(page, "d1", "d3")
    learned = "Well done! One of yours on each side: the piece is captured and leaves the board. "
    learned += "You never have to capture."
    expect_voice(page, learned)
    moved = "Attacker, d1 to d3, captures c3."
    assert told(page) == [taken_up, corner, taken_up, moved, learned]
    page.get_by_role("button", name="Next lesson").press("Enter")
    expect_voice(page, re.compile("^Safe between two enemies. "))
    expect(page.get_by_role("status")).to_have_count(1)


def test_the_path_goes_on_at_the_first_step_that_is_left(visit: Visitors) -> None:
    page = visit("/en/lessons")
    steps = page.locator(".path li")
    expect(steps).to_have_count(7)
    expect(page.get_by_role("heading", level=1)).to_have_text("Moving")
    page.evaluate(
        "localStorage.setItem('hnefi.lessons', JSON.stringify({'brandub-globe': ['move', 'corner_capture']}))"
    )
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Capture")
    expect(page.locator(".path .peg.on")).to_have_count(2)
    expect(page.locator(".path [aria-current=step]")).to_contain_text("2. Capture")
    expect(steps.nth(2).get_by_role("link")).to_have_accessible_name(re.compile("done$"))
    page.get_by_role("link", name="Continue").click()
    wait_for_board(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Step 2 of 7. Capture")
    cell(page, "d1").click()
    cell(page, "d3").click()
    page.get_by_role("button", name="Next step").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Step 3 of 7. Against the corner")
    page.evaluate("location.hash = '#path-king_beside_three'")
    expect(page.get_by_role("heading", level=1)).to_have_text("Step 6 of 7. Beside the throne")
    cell(page, "a6").click()
    cell(page, "d6").click()
    lamb = page.get_by_role("link", name="Play against Lamb")
    expect(lamb).to_have_attribute("href", "/en/computer?variant=brandub-globe&level=1")
    page.get_by_text("All lessons").click()
    page.get_by_role("link", name="2 Across the throne").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Lesson 2 of 21. Across the throne")


def test_the_path_begins_without_scripts_and_so_does_its_first_task(visit: Visitors) -> None:
    page = visit("/fr/lessons", java_script_enabled=False)
    expect(page.get_by_role("heading", level=1)).to_have_text("Se déplacer")
    expect(page.locator(".path-hero:visible .board svg")).to_have_count(1)
    start = page.get_by_role("link", name="Commencer")
    expect(start).to_have_attribute("href", "/fr/lessons/brandub-globe#path-move")
    start.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Se déplacer")
    expect(page.get_by_text("Amenez le défenseur éclairé de b5 en e5.")).to_be_visible()
    assert "Les leçons ont besoin de JavaScript" in page.content()
    page.set_viewport_size({"width": 820, "height": 1180})
    lesson = box_of(page.locator("main"))
    assert lesson["x"] == pytest.approx(820 - lesson["x"] - lesson["width"], abs=1)


def test_progress_is_stored(visit: Visitors) -> None:
    page = open_lesson(visit, "brandub-globe#move")
    cell(page, "b5").click()
    cell(page, "e5").click()
    tally = page.get_by_role("img", name="1 of 21 lessons done")
    expect(tally).to_be_visible()
    page.goto("/en/lessons")
    expect(page.locator("[data-course=brandub-globe]")).to_have_text("1 of 21 lessons done")
    page.goto("/en/lessons/brandub-globe")
    # Whoever comes back goes on where something is left to do.
    expect(page.get_by_role("heading", level=1)).to_have_text("Lesson 2 of 21. Across the throne")
    expect(tally).to_be_visible()


@pytest.mark.deep
def test_the_call_is_shown_with_the_move_and_counts_for_one_that_follows_at_once(visit: Visitors) -> None:
    page = open_lesson(visit, "brandub-globe#call")
    page.get_by_role("button", name="Show the move").click()
    expect(feedback(page)).to_contain_text("The call is “one exit”, and the move is c3–a3.")
    expect(page.get_by_role("radio", name="one exit")).to_be_checked()
    cell(page, "c3").click()
    cell(page, "a3").click()
    task = page.locator(".lesson-task")
    expect(task).to_have_text("You made the call. Now move the king to the corner.")
    page.get_by_role("button", name="Again").click()
    expect(task).not_to_contain_text("You made the call.")
    call_and_play(page, "one exit", "c3-a3")
    expect(task).to_have_text("You made the call. Now move the king to the corner.")


@pytest.mark.deep
def test_named_squares_are_marked_until_the_lesson_is_done_and_the_move_is_shown(visit: Visitors) -> None:
    page = open_lesson(visit, "copenhagen-11#shieldwall", "fr")
    marks = page.locator("tafl-board .glow")
    expect(marks).to_have_count(2)
    page.get_by_role("button", name="Montrer le coup").click()
    expect(feedback(page)).to_have_text("Le coup est e4–a4. Jouez-le sur le plateau.")
    cell(page, "e4").click()
    cell(page, "a4").click()
    expect(page.locator(".praise")).to_be_visible()
    expect(marks).to_have_count(0)


@pytest.mark.deep
def test_an_escape_that_was_not_called_is_played_again(visit: Visitors) -> None:
    page = open_lesson(visit, "gwezboell-globe#sanction")
    cell(page, "c8").click()
    cell(page, "a8").click()
    expect(feedback(page)).to_contain_text("g7")
    cell(page, "g7").click()
    cell(page, "a7").click()
    expect(feedback(page)).to_contain_text("Remember")


@pytest.mark.deep
@pytest.mark.parametrize("name", lesson_counts())
def test_a_whole_course_can_be_done(visit: Visitors, name: str) -> None:
    course = [lesson_facts(variant(name), one, "en") for one in lessons(name)]
    page = open_lesson(visit, name)
    for place, lesson in enumerate(course, 1):
        heading = f"Lesson {place} of {len(course)}. {lesson['title']}"
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        node = lesson["answers"]
        for step in lesson["steps"]:
            expect(page.locator(".lesson-task")).to_have_text(step["task"])
            if step["call"] is not None:
                page.get_by_role("radio").nth(step["call"]).check(force=True)
            move, node = next(iter(node["right"].items()))
            for square in move.split("-"):
                cell(page, square).click()
        expect(feedback(page)).to_contain_text(lesson["learned"])
        if place < len(course):
            page.get_by_role("button", name="Next lesson").click()
    expect(feedback(page)).to_contain_text("You know the rules of")
    lamb = page.get_by_role("link", name="Play against Lamb")
    expect(lamb).to_be_focused()
    expect(lamb).to_have_attribute("href", f"/en/computer?variant={name}&level=1")
    expect(page.locator(".main")).to_have_count(1)
    tally = f"{len(course)} of {len(course)} lessons done"
    expect(page.get_by_role("img", name=tally)).to_be_visible()
