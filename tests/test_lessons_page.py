"""The page of the lessons in Chromium: done by mouse and by keyboard, kept, and read by a screen reader."""

import re
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from hnefi.lessons import lessons
from hnefi.server.app import create_app
from hnefi.server.pages.lessons_page import lessons_page
from hnefi.server.settings import Settings
from hnefi.variant import variant_ids
from tests.pages import chromium

COURSES = [
    pytest.param(name, marks=() if name == "gwezboell-globe" else pytest.mark.deep) for name in variant_ids()
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    settings = Settings(folder=tmp_path_factory.mktemp("data"), port=0)
    server = uvicorn.Server(uvicorn.Config(create_app(settings), port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    (listening,) = server.servers
    yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def cell(page: Page, square: str) -> Locator:
    return page.locator(f"tafl-board [data-square={square}]")


def says(page: Page) -> Locator:
    return page.locator(".lesson-says")


def open_lesson(page: Page, address: str, lesson: str, lang: str = "en") -> None:
    course, _, name = lesson.partition("#")
    page.goto(f"{address}/{lang}/lessons/{course}#{name}")
    expect(page.locator("tafl-board .cell.mine").first).to_be_attached()


def test_a_lesson_by_mouse(page: Page, address: str) -> None:
    open_lesson(page, address, "brandub-globe#capture")
    cell(page, "d1").click()
    cell(page, "d2").click()
    expect(says(page)).to_have_text("That takes nothing: no enemy is closed in from both sides.")
    expect(cell(page, "d1")).to_have_accessible_name(re.compile("attacker"))
    cell(page, "b3").click()
    cell(page, "c3").click()
    expect(says(page)).to_have_text("c3 is taken: a defender stands there.")
    cell(page, "d1").click()
    cell(page, "d3").click()
    expect(says(page)).to_contain_text("Learned")
    page.get_by_role("button", name="Next lesson").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Lesson 4 of 21. A safe way in")


def test_a_lesson_of_two_moves_by_keyboard(page: Page, address: str) -> None:
    open_lesson(page, address, "brandub-globe#call")
    skip = page.locator(".skip")
    page.keyboard.press("Tab")
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    walk(page, "c3", "a3")
    expect(says(page)).to_contain_text("nothing was said")
    reach(page, page.get_by_role("radio", name="nothing"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+Tab")
    walk(page, "c3", "a3")
    expect(page.locator(".lesson-task")).to_have_text("It was said. Now bring the king out.")
    walk(page, "a3", "a7")
    expect(page.get_by_role("button", name="Next lesson")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("A call forgotten")
    # The next lesson begins at the board.
    expect(page.locator("tafl-board [data-square]:focus")).to_have_count(1)


def reach(page: Page, wanted: Locator) -> None:
    for _ in range(10):
        page.keyboard.press("Tab")
        if wanted.evaluate("e => e === document.activeElement"):
            return
    raise AssertionError("the keyboard does not reach it")


def walk(page: Page, start: str, end: str) -> None:
    """Goes to a square by the arrow keys, takes up the piece, goes on, and puts it down."""
    for square in (start, end):
        at = page.locator("tafl-board [data-square]:focus").get_attribute("data-square")
        assert at is not None, "the board has no focus"
        files, ranks = ord(square[0]) - ord(at[0]), int(square[1:]) - int(at[1:])
        for _ in range(abs(files)):
            page.keyboard.press("ArrowRight" if files > 0 else "ArrowLeft")
        for _ in range(abs(ranks)):
            page.keyboard.press("ArrowUp" if ranks > 0 else "ArrowDown")
        page.keyboard.press("Enter")


def test_what_was_done_is_kept(page: Page, address: str) -> None:
    open_lesson(page, address, "brandub-globe#move")
    cell(page, "b5").click()
    cell(page, "e5").click()
    tally = page.get_by_role("img", name="1 of 21 lessons done")
    expect(tally).to_be_visible()
    page.goto(f"{address}/en/lessons")
    expect(page.locator("[data-course=brandub-globe]")).to_have_text("1 of 21 lessons done")
    page.goto(f"{address}/en/lessons/brandub-globe")
    # Whoever comes back goes on where something is left to do.
    expect(page.get_by_role("heading", level=1)).to_have_text("Lesson 2 of 21. Across the throne")
    expect(tally).to_be_visible()


def test_the_move_is_shown_to_those_who_ask(page: Page, address: str) -> None:
    open_lesson(page, address, "brandub-globe#capture", "fr")
    page.get_by_role("button", name="Montrer le coup").click()
    expect(says(page)).to_have_text("Le coup est d1–d3. Jouez-le sur le plateau.")


def test_an_escape_that_was_not_called_is_played_again(page: Page, address: str) -> None:
    open_lesson(page, address, "gwezboell-globe#sanction")
    cell(page, "c8").click()
    cell(page, "a8").click()
    expect(says(page)).to_contain_text("g7")
    cell(page, "g7").click()
    cell(page, "a7").click()
    expect(says(page)).to_contain_text("Learned")


@pytest.mark.parametrize("name", COURSES)
def test_a_whole_course_can_be_done(page: Page, address: str, name: str) -> None:
    written = lessons_page(name, "en").lessons
    for lesson in written:
        open_lesson(page, address, f"{name}#{lesson['id']}")
        expect(page.get_by_role("heading", level=1)).to_contain_text(lesson["title"])
        node = lesson["answers"]
        for step in lesson["steps"]:
            if step["call"] is not None:
                page.get_by_role("radio").nth(step["call"]).check(force=True)
            expect(page.locator(".lesson-task")).to_have_text(step["task"])
            expect(page.locator("tafl-board .cell.mine").first).to_be_attached()
            move, node = next(iter(node["right"].items()))
            start, end = move.split("-")
            cell(page, start).click()
            cell(page, end).click()
        expect(says(page)).to_contain_text(lesson["learned"])
    expect(page.get_by_role("link", name="Play this game")).to_be_visible()
    count = len(lessons(name))
    expect(page.get_by_role("img", name=f"{count} of {count} lessons done")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_axe_finds_nothing(browser: Browser, address: str, width: int, scheme: str) -> None:
    size = {"width": width, "height": 640 if width == 360 else 900}
    context = browser.new_context(viewport=size, color_scheme=scheme, bypass_csp=True)  # type: ignore[arg-type]
    page = context.new_page()
    for lesson in ("gwezboell-globe#call", "brandub-globe#capture"):
        open_lesson(page, address, lesson)
        page.locator("summary").click()
        found = Axe().run(page)
        assert found.response["violations"] == [], found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    cell(page, "d1").click()
    cell(page, "d3").click()
    expect(says(page)).to_contain_text("Learned")
    page.goto(f"{address}/en/lessons")
    found = Axe().run(page)
    assert found.response["violations"] == [], found.generate_report()
    context.close()


def test_the_first_task_is_there_without_scripts(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/fr/lessons/brandub-globe")
    expect(page.get_by_role("heading", level=1)).to_have_text("Se déplacer")
    expect(page.get_by_text("Amenez un défenseur en e5.")).to_be_visible()
    assert "Les leçons ont besoin de JavaScript" in page.content()
    context.close()
