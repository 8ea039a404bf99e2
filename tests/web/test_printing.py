"""Printed pages: black on white whatever the theme, without controls, with whole boards."""

import pypdfium2
import pytest
from playwright.sync_api import Page, expect

from tests.samples import deep
from tests.web.conftest import Visitors
from tests.web.game_page import box_of, opened, overflows, play, wait_for_board

WIDTH = 688
"""The width of a sheet of A4 within its margins, in pixels."""

BLACK, WHITE = "rgb(0, 0, 0)", "rgb(255, 255, 255)"
CONTROLS = (
    ".top, .foot, .skip, .contents, .buttons, .actions, .steps, summary, form, select, textarea, .tabs, "
    "button:not(.moves button, .move-tree button)"
)
PAGES = (
    "/fr/rules/tablut-kouvia",
    *deep("/en/rules/alea-evangelii-19"),
    "/en/table?variant=gwezboell-globe",
    "/fr/analysis?variant=brandub-globe#d2-c2.d5-c5",
)


def printed(visit: Visitors, address: str) -> Page:
    """Opens a page as it is printed, from a window with dark colours."""
    page = visit(address, color_scheme="dark", viewport={"width": WIDTH, "height": 972})
    if "rules" not in address:
        wait_for_board(page)
    page.emulate_media(media="print", color_scheme="dark", reduced_motion="reduce")
    return page


@pytest.mark.parametrize("address", PAGES)
def test_a_sheet_is_black_on_white_without_controls_and_has_whole_boards(
    visit: Visitors, address: str
) -> None:
    page = printed(visit, address)
    colours = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert colours == [BLACK, WHITE]
    seen = "(all) => all.filter((one) => one.checkVisibility()).length"
    assert page.locator(CONTROLS).evaluate_all(seen) == 0
    decorated = "(all) => all.filter((one) => getComputedStyle(one).textDecorationLine !== 'none').length"
    assert page.locator("main a").evaluate_all(decorated) == 0
    expect(page.locator("h1").first).to_be_visible()
    assert overflows(page) == {}
    # No board is cut by the end of a sheet.
    boards = page.locator("figure, .intro .board, tafl-board")
    assert boards.count() >= 1
    whole = "(all) => all.every((one) => getComputedStyle(one).breakInside === 'avoid')"
    assert boards.evaluate_all(whole)
    assert len(pypdfium2.PdfDocument(page.pdf(format="A4"))) >= 1


def test_only_open_fold_outs_are_printed(visit: Visitors) -> None:
    page = printed(visit, "/fr/rules/tablut-kouvia")
    page.emulate_media(media="screen")
    page.locator("details.why").first.evaluate("(one) => { one.open = true; }")
    page.emulate_media(media="print")
    visible = page.locator("details.why dl").evaluate_all("(all) => all.map((one) => one.checkVisibility())")
    assert visible[0]
    assert not any(visible[1:])
    assert len(visible) > 1


def test_all_moves_of_a_game_are_printed(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=brandub-globe", viewport={"width": WIDTH, "height": 600})
    play(page, "d1-c1", "d3-c3", "c1-d1", "c3-d3", "d1-c1", "d3-c3")
    page.emulate_media(media="print")
    moves = page.locator(".moves")
    inside = moves.evaluate(
        "(one) => [one.scrollWidth <= one.clientWidth, one.scrollHeight <= one.clientHeight]"
    )
    assert inside == [True, True]
    assert moves.locator("button").evaluate_all("(all) => all.every((one) => one.checkVisibility())")


def test_all_that_can_be_printed_of_a_game_is_in_one_menu(visit: Visitors) -> None:
    page = visit("/en/rules/brandub-globe", viewport={"width": 1366, "height": 768})
    filled = page.locator(".intro :is(.button, button)").evaluate_all(
        "(all) => all.filter((one) => getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)')"
        ".map((one) => one.textContent)"
    )
    assert filled == ["Play this game"]
    board = box_of(page.locator(".intro .board"))
    assert board["y"] + board["height"] <= 768
    sheet = page.get_by_role("link", name="Score sheet")
    expect(sheet).to_be_hidden()
    page.get_by_text("To print").click()
    expect(sheet).to_be_visible()
    # The home page leads to the open menu.
    home = visit("/en/")
    home.locator("a[href$='#print']").click()
    expect(home.get_by_role("link", name="Score sheet")).to_be_visible()
