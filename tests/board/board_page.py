"""Helpers for pages with one board: positions, clicks, drags."""

from typing import Any

from playwright.sync_api import Locator, Page

CAPTURE = "src=/rules/brandub-globe.json&position=4t2/7/2tT3/3K3/7/7/7 a"
ROAD = "src=/rules/gwezboell-globe.json&position=9/9/9/9/9/9/9/ttt6/4K4 a"
START = "src=/rules/brandub-globe.json"


def cell(page: Page, square: str) -> Locator:
    return page.locator(f"tafl-board [data-square={square}]")


def on_board(page: Page, expression: str, *arguments: object) -> Any:
    """Evaluates an expression with the board (`b`) and the arguments (`a`)."""
    element = page.locator("tafl-board")
    return element.evaluate(f"(b, a) => {expression}", list(arguments))


def position(page: Page) -> str:
    return str(on_board(page, "b.state.position"))


def announcer(page: Page) -> Locator:
    return page.locator("tafl-board [role=status]")


def centre(page: Page, square: str) -> tuple[float, float]:
    box = cell(page, square).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, origin: str, target: str, button: Any = "left") -> None:
    page.mouse.move(*centre(page, origin))
    page.mouse.down(button=button)
    page.mouse.move(*centre(page, target), steps=5)
    page.mouse.up(button=button)
