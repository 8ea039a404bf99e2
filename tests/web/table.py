"""How tests play on the board of a page."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.patience import wait_until

__all__ = ["board_is_ready", "moves", "play", "say_and_play", "saying", "until"]


def board_is_ready(page: Page) -> None:
    """Waits until pieces can be taken up."""
    expect(page.locator("tafl-board .cell.mine").first).to_be_attached()


def play(page: Page, *texts: str) -> None:
    """Plays moves, each as soon as it is possible."""
    for text in texts:
        origin = text.split("-", maxsplit=1)[0]
        expect(page.locator(f"tafl-board [data-square={origin}].mine")).to_be_attached()
        assert page.locator("tafl-board").evaluate("(board, text) => board.play(text)", text), text


def moves(page: Page) -> Locator:
    """Gives the moves in the list, each a button."""
    return page.locator(".moves button")


def say_and_play(page: Page, call: str, text: str) -> None:
    """Ticks a call and plays a move before the next frame is drawn: rendered, but seen by nobody."""
    said = page.get_by_label(call)
    expect(said).to_be_enabled()
    assert said.evaluate(
        """async (said, text) => {
            said.click();
            for (let turn = 0; turn < 10; turn++) await null;
            return document.querySelector("tafl-board").play(text);
        }""",
        text,
    ), text


def saying(page: Page) -> Locator:
    """Gives what is called out."""
    return page.locator(".call")


def until(page: Page, happens: Callable[[], bool], what: str) -> None:
    """Waits until something happens of which the browser tells; asking it anything lets that come in."""
    wait_until(lambda: bool(page.evaluate("true")) and happens(), what)
