"""Helpers for game pages: play on the board, read moves and announcements."""

from collections.abc import Callable
from functools import partial

from playwright.sync_api import Download, FloatRect, Locator, Page, expect

from tests.timeouts import wait_until
from tests.web.conftest import Visitors

_KEEP = """async () => {
    const { active } = await navigator.serviceWorker.ready;
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
    active.postMessage("keep", [port2]);
    return (await answer).missing;
}"""
TWICE = "(button) => { button.click(); button.click(); }"
_CAN_MOVE = "(board, origin) => Boolean(board.state?.legal?.[origin])"


def keep_all(page: Page) -> None:
    """Waits until the browser keeps everything for use offline, without the pause that pages make before."""
    assert page.evaluate(_KEEP) == 0


def wait_for_board(page: Page) -> None:
    """Waits until a piece can be moved."""
    expect(page.locator("tafl-board .cell.mine").first).to_be_attached()


def opened(visit: Visitors, address: str, **settings: object) -> Page:
    """Opens a page with a board, and waits until a piece can be moved."""
    page = visit(address, **settings)
    wait_for_board(page)
    return page


def resign(page: Page) -> None:
    """Resigns, and answers the question."""
    for _ in range(2):
        page.get_by_role("button", name="Resign").click()


def unfold_all(page: Page) -> None:
    """Opens all that can be folded out."""
    page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")


def play(page: Page, *texts: str) -> None:
    """Plays moves, each as soon as it is the turn of its side: before, a piece is moved in advance."""
    board = page.locator("tafl-board")
    for text in texts:
        origin = text.split("-", maxsplit=1)[0]
        expect(board.locator(f"[data-square={origin}].mine")).to_be_attached()
        until(page, partial(board.evaluate, _CAN_MOVE, origin), f"{origin} can move")
        assert board.evaluate("(board, text) => board.play(text)", text), text


def reach(page: Page, target: Locator) -> None:
    """Goes to a part of a page, or to one of several, with the Tab key."""
    focused = target.and_(page.locator(":focus"))
    for _ in range(60):
        if focused.count() > 0:
            return
        page.keyboard.press("Tab")
    raise AssertionError("the keyboard does not reach it")


def walk(page: Page, start: str, end: str) -> None:
    """Moves a piece by the keyboard alone."""
    for square in (start, end):
        at = page.locator("tafl-board [data-square]:focus").get_attribute("data-square")
        assert at is not None, "the board has no focus"
        files, ranks = ord(square[0]) - ord(at[0]), int(square[1:]) - int(at[1:])
        for _ in range(abs(files)):
            page.keyboard.press("ArrowRight" if files > 0 else "ArrowLeft")
        for _ in range(abs(ranks)):
            page.keyboard.press("ArrowUp" if ranks > 0 else "ArrowDown")
        page.keyboard.press("Enter")


def moves(page: Page) -> Locator:
    """Returns the moves in the list, each a button."""
    return page.locator(".moves button")


def call_and_play(page: Page, call: str, text: str) -> None:
    """Chooses a call and plays a move before the next frame is painted."""
    choice = page.get_by_label(call)
    expect(choice).to_be_enabled()
    assert choice.evaluate(
        """async (choice, text) => {
            choice.click();
            for (let turn = 0; turn < 10; turn++) await null;
            return document.querySelector("tafl-board").play(text);
        }""",
        text,
    ), text


def downloaded(page: Page, name: str) -> Download:
    """Presses a button that saves a file."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return download.value


def box_of(part: Locator) -> FloatRect:
    """Returns where a visible part of a page is."""
    box = part.bounding_box()
    assert box is not None
    return box


def overflows(page: Page, *windows: int | tuple[int, int]) -> dict[int | tuple[int, int], int]:
    """Returns by how many pixels a page is wider than its window, for each window or width in which it is.

    Without any, the window stays as it is.
    """
    by = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    found = {}
    for window in windows or (0,):
        width, height = window if isinstance(window, tuple) else (window, 740)
        if width:
            page.set_viewport_size({"width": width, "height": height})
        if (over := page.evaluate(by)) > 0:
            found[window] = over
    return found


def announcement(page: Page) -> Locator:
    """Returns the announcement above the moves."""
    return page.locator(".call:visible, .ending")


def until(page: Page, happens: Callable[[], bool], what: str) -> None:
    """Waits for an event of the browser. Every evaluation lets pending events arrive."""
    wait_until(lambda: bool(page.evaluate("true")) and happens(), what)
