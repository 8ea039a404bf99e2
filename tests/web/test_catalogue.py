"""The catalogue: a wall of boards, searched and filtered with and without scripts."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.samples import deep
from tests.web.accessibility import violations
from tests.web.conftest import Visitors

EXAMPLES = json.loads((Path(__file__).parents[1] / "variant_searches.json").read_text("utf-8"))
SHOWN = "(cards) => cards.filter((card) => !card.hidden).map((card) => card.dataset.id)"

RECORD = """(status) => {
    window.told = [];
    new MutationObserver(() => told.push(status.textContent)).observe(status, { childList: true });
}"""
TYPE = """(field, letters) => {
    for (const letter of letters) {
        field.value += letter;
        field.dispatchEvent(new Event("input", { bubbles: true }));
    }
}"""


def shown(page: Page) -> list[str]:
    found: list[str] = page.locator(".wall li").evaluate_all(SHOWN)
    return found


@pytest.mark.deep
def test_the_script_finds_the_same_games_as_the_server(visit: Visitors) -> None:
    page = visit("/en/rules")
    for example in EXAMPLES:
        page.get_by_role("searchbox").fill(example["query"])
        found = shown(page)
        assert (len(found), next(iter(found), None)) == (example["count"], example["first"]), example
        if example["why"]:
            expect(page.get_by_role("status")).to_contain_text(example["why"])
    page.get_by_role("searchbox").fill("tawl")
    expect(page.locator("[data-id=hist-hnefatafl-11] [data-why]")).to_contain_text("Welsh Tawlbwrdd")
    plain = visit("/en/rules", java_script_enabled=False)
    for example in EXAMPLES:
        plain.get_by_role("searchbox").fill(example["query"])
        plain.get_by_role("button", name="Search").click()
        cards = plain.locator(".wall li:not([hidden])")
        expect(cards).to_have_count(example["count"])
        if example["first"]:
            assert cards.first.get_attribute("data-id") == example["first"]
    # The search works without the server, and the example in its field finds some games.
    page.context.set_offline(True)
    field = page.get_by_role("searchbox")
    field.fill(field.get_attribute("placeholder") or "")
    assert 0 < len(shown(page)) < 59
    field.fill("vikng chess")
    expect(page.get_by_role("status")).to_contain_text("20 games")
    assert violations(page) == []


@pytest.mark.deep
def test_a_search_is_in_the_address_back_leads_to_all_games_and_nothing_is_told(visit: Visitors) -> None:
    page = visit("/en/rules")
    expect(page.locator("[data-featured]")).to_be_visible()
    page.get_by_role("searchbox").fill("tablut")
    page.get_by_role("radio", name="to a corner").check()
    expect(page).to_have_url(re.compile(r"/en/rules\?q=tablut&goal=corner$"))
    expect(page.locator("[data-featured]")).to_be_hidden()
    found = shown(page)
    page.reload()
    assert shown(page) == found
    page.locator(".wall li:not([hidden]) h2 a").first.click()
    page.wait_for_url("**/en/rules/*")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_text("To print", exact=True).click()
    expect(page.get_by_role("link", name="Poster")).to_be_in_viewport(ratio=1)
    # It opens upwards; on a low window the page is scrolled up to its beginning.
    page.get_by_text("To print", exact=True).click()
    page.set_viewport_size({"width": 900, "height": 360})
    page.get_by_text("To print", exact=True).click()
    for name in ("Booklet (PDF)", "Poster"):
        expect(page.get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
    page.go_back()
    assert shown(page) == found
    page.go_back()
    expect(page).to_have_url(re.compile("/en/rules$"))
    expect(page.get_by_role("searchbox")).to_have_value("")
    assert len(shown(page)) == 59
    page.get_by_role("searchbox").fill("parcheesi")
    nothing = page.get_by_role("heading", name="No game by that name")
    expect(nothing).to_be_visible()
    expect(page.get_by_text("Try a country, a size or “Viking chess”.")).to_be_visible()
    # axe takes seconds for the wall, which it sees on the page as it is without a search.
    page.locator(".wall").evaluate("(wall) => { window.cards = [...wall.children]; wall.replaceChildren(); }")
    assert violations(page) == []
    page.locator(".wall").evaluate("(wall) => wall.append(...window.cards)")
    page.get_by_role("link", name="Show all games").click()
    expect(page.locator(".wall li:not([hidden])")).to_have_count(59)


@pytest.mark.parametrize("script", [*deep(True), False])
def test_unknown_words_are_named_and_left_out(visit: Visitors, script: bool) -> None:
    page = visit("/en/rules?q=copenhagen+xyzzy", java_script_enabled=script)
    expect(page.get_by_role("status")).to_contain_text("No game goes by “xyzzy”. 3 games")
    assert len(page.locator(".wall li:not([hidden])").all()) == 3


def test_filters_restrict_the_wall_and_a_board_leads_to_its_game(visit: Visitors) -> None:
    page = visit("/fr/rules")
    field = page.get_by_role("searchbox")
    field.fill(field.get_attribute("placeholder") or "")
    assert 0 < len(shown(page)) < 59
    field.fill("")
    page.get_by_role("radio", name="9 × 9").check()
    page.get_by_role("radio", name="par un coin").check()
    assert "tablut-geoludie" in shown(page)
    assert "hist-tablut-9" not in shown(page)
    # A voice is told the number of games once, when typing has paused; first that of before.
    expect(page.get_by_role("status")).to_have_text("6 jeux")
    page.get_by_role("status").evaluate(RECORD)
    field.evaluate(TYPE, "kouviadenn")
    assert shown(page) == ["tablut-kouvia"]
    expect(page.get_by_role("status")).to_have_text("1 jeu")
    assert page.evaluate("told") == ["1 jeu"]
    page.get_by_role("link", name="Jouer : Tablut (Kouviadenn)").click()
    page.wait_for_url("**/fr/new?variant=tablut-kouvia")
