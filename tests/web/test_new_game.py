"""The page for a new game: ways, pictures of games, folded options, and a button that is always in sight."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Visitors
from tests.web.game_page import box_of, unfold_all, wait_for_board

# With the columns of the choices of clocks.
WINDOWS = {(1366, 650): 4, (1440, 900): 4, (1024, 768): 4, (768, 1024): 4, (360, 640): 2, (320, 568): 2}


def in_window(page: Page, selector: str) -> bool:
    """Checks whether an element is whole in the window, and on top."""
    return bool(
        page.locator(selector).evaluate(
            """(one) => {
                const box = one.getBoundingClientRect();
                const seen = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
                return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth
                    && one.contains(seen);
            }"""
        )
    )


@pytest.mark.deep
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_start_button_is_in_sight_at_every_place_of_the_page(visit: Visitors, lang: str) -> None:
    page = visit(f"/{lang}/new?variant=brandub-globe", viewport={"width": 360, "height": 740})
    # The bar of phones has one line.
    chosen = page.locator(".chosen b")
    height, line = chosen.evaluate(
        "(one) => [one.offsetHeight, parseFloat(getComputedStyle(one).lineHeight)]"
    )
    assert height < 2 * line
    expect(page.locator(".chosen .note")).to_be_hidden()
    # The end of the page is not under the bar.
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert in_window(page, "[type=submit]")
    foot = page.locator(".foot").evaluate("(one) => one.getBoundingClientRect().bottom")
    bar = page.locator(".new-board").evaluate("(one) => one.getBoundingClientRect().top")
    assert foot <= bar
    page.goto(f"/{lang}/new?variant=gwezboell-globe")
    unfold_all(page)
    for (width, height), columns in WINDOWS.items():
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        assert in_window(page, "[type=submit]")
        page.locator(".more").scroll_into_view_if_needed()
        assert in_window(page, "[type=submit]")
        boxes = [box_of(label) for label in page.locator("[data-question=clock] label:visible").all()]
        assert len({round(box["x"]) for box in boxes}) == columns
        assert len({round(box["height"]) for box in boxes}) == 1


def test_a_game_chosen_elsewhere_is_chosen_and_folded(visit: Visitors) -> None:
    page = visit("/en/new?variant=sea-battle-204577-11")
    fold = page.locator(".games")
    expect(fold.locator("summary")).to_contain_text("Ring, 11 × 11")
    expect(fold.get_by_role("radio")).to_have_count(0)
    fold.locator("summary").click()
    expect(fold.get_by_role("radio")).to_have_count(7)
    expect(fold.get_by_role("radio", name="Sea battle")).to_be_checked()
    fold.get_by_role("radio", name="Tablut").check()
    expect(page.locator(".chosen")).to_contain_text("Tablut")
    expect(fold.get_by_role("radio", name="Tablut")).to_be_focused()
    expect(fold.get_by_role("radio", name="Tablut")).to_be_visible()


def test_the_names_of_two_at_this_device_are_those_of_the_game(visit: Visitors) -> None:
    page = visit("/en/new?variant=copenhagen-11&opponent=here")
    names = page.get_by_role("group", name="Who’s playing?")
    names.get_by_label("Attackers").fill("Ana")
    names.get_by_label("King’s side").fill("Bran")
    page.get_by_role("button", name="Start").click()
    wait_for_board(page)
    for name in ("Ana", "Bran"):
        expect(page.locator(".who", has_text=name)).to_be_visible()
    page.goto("/en/new?variant=ard-ri-globe&opponent=here")
    expect(names.get_by_label("King’s side")).to_have_value("Bran")


@pytest.mark.deep
def test_the_last_level_is_kept_for_a_game_of_the_catalogue(visit: Visitors) -> None:
    page = visit("/en/new?variant=brandub-globe")
    page.get_by_role("radio", name="Fox Level 4").check()
    page.get_by_role("button", name="Start").click()
    wait_for_board(page)
    page.goto("/en/rules")
    page.get_by_role("link", name="Play Tablut (Kouviadenn)").click()
    expect(page.get_by_role("radio", name="Fox Level 4")).to_be_checked()
    expect(page.locator(".chosen")).to_contain_text("Tablut · Fox, level 4")


def test_the_level_is_a_peg_with_a_name_and_a_sentence(visit: Visitors) -> None:
    page = visit("/en/new?variant=brandub-globe&level=1", viewport={"width": 320, "height": 700})
    levels = page.locator(".levels")
    expect(levels.get_by_role("radio")).to_have_count(10)
    lamb = levels.get_by_role("radio", name="Lamb Level 1. Plays gently. For a very first game.")
    lamb.focus()
    page.keyboard.press("ArrowRight")
    expect(levels.get_by_role("radio", name="Hare Level 2.")).to_be_checked()
    sizes = "all => all.map((one) => one.clientWidth > 1)"
    assert levels.locator(".about").evaluate_all(sizes) == [False, True, *[False] * 8]
    levels.locator(".hole").nth(9).click()
    expect(page.locator(".chosen")).to_contain_text("Eagle, level 10")
    widths = levels.locator(".peg").evaluate_all("all => all.map((one) => one.clientWidth)")
    assert max(widths[:9]) < widths[9]


def test_the_summary_follows_the_choices(visit: Visitors) -> None:
    page = visit("/en/new?variant=gwezboell-globe&opponent=friend&clock=days_3")
    values, chosen = page.locator("[data-values]"), page.locator(".chosen")
    expect(values).to_contain_text("3 days")
    expect(chosen).to_contain_text("Gwezboell with a friend")
    page.get_by_role("radio", name="The computer").check()
    expect(values).to_contain_text("No clock")
    page.get_by_role("radio", name="Bear Level 9").check()
    expect(chosen).to_contain_text("Gwezboell · Bear, level 9")
    # No line begins with the dot.
    assert all("\u00a0· " in (part.text_content() or "") for part in (values, chosen))
    page.get_by_role("radio", name="Attackers").check()
    expect(chosen).to_contain_text("You play the attackers.")
    page.locator(".more > summary").click()
    expect(page.locator("[value=days_3]")).to_be_hidden()
    page.get_by_role("radio", name="Made by you").check()
    expect(values).to_contain_text("Calls: made by you")
    expect(page.locator(".more")).to_contain_text("raichi")
    page.get_by_role("radio", name="Someone next to you").check()
    expect(page.locator(".levels")).to_be_hidden()
    expect(values).not_to_contain_text("clock")


def test_the_page_works_without_scripts(visit: Visitors) -> None:
    page = visit("/fr/new?variant=copenhagen-11&opponent=here", java_script_enabled=False)
    expect(page.locator(".levels")).to_be_hidden()
    page.get_by_role("radio", name="L’ordinateur").check()
    expect(page.locator(".levels")).to_be_visible()
    page.get_by_role("radio", name="À deux sur cet écran").check()
    page.get_by_role("button", name="Commencer").click()
    page.wait_for_url("**/fr/table?*variant=copenhagen-11*")


def test_games_that_the_user_has_invented_are_offered_below_the_others(visit: Visitors) -> None:
    page = visit("/en/new?variant=brandub-globe")
    expect(page.locator("[data-own]")).to_be_hidden()
    own = "variant=ard-ri-globe&name=Quick+king&rule.king_armed=none"
    page.evaluate("own => localStorage.setItem('hnefi.rules', JSON.stringify([own]))", own)
    page.goto("/en/new?opponent=here")
    # It is below those of another variant as well, and keeps the other answers.
    page.get_by_role("radio", name="Tablut").check()
    expect(page.locator(".chosen")).to_contain_text("Tablut")
    page.get_by_role("link", name="Quick king").click()
    page.wait_for_url("**/new?opponent=here&*")
    expect(page.locator(".chosen b")).to_have_text("Quick king for two")
    page.get_by_role("button", name="Start").click()
    wait_for_board(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Quick king")
