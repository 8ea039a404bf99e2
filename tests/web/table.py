"""How tests play on the board of a page."""

from playwright.sync_api import Locator, Page, expect

__all__ = ["board_is_ready", "moves", "play", "saying"]


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


def saying(page: Page) -> Locator:
    """Gives what is called out."""
    return page.locator(".call")
