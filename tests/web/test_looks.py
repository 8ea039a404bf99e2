"""Every page, light and dark and at every size: nothing overflows, and axe finds nothing."""

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.samples import deep
from tests.web.accessibility import violations
from tests.web.conftest import Visitors
from tests.web.game_page import box_of, opened, overflows, unfold_all, wait_for_board

# The narrowest is, in rem, a phone of 360 by 740 with text of twice the size; the lowest is a window of
# 1280 by 1024 at a zoom of 400 %.
SIZES = ((180, 370), (320, 256), (320, 568), (360, 640), (768, 1024), (1440, 900))
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PAGES = (
    "/en/",
    "/fr/offline",
    "/fr/new",
    *deep(*(f"/en/new?variant=gwezboell-globe&opponent={name}" for name in ("computer", "friend", "here"))),
    "/fr/games",
    *deep("/fr/people", "/fr/class", "/fr/rules"),
    "/fr/rules/brandub-globe",
    *deep("/en/rules/tablut-geoludie", "/en/lessons"),
    "/fr/lessons/gwezboell-globe#call",
    *deep("/en/puzzles"),
    "/fr/puzzles/tablut-kouvia-1",
    *deep("/fr/rules/new?variant=copenhagen-11&rule.throne=none"),
    "/fr/nowhere",
    "/fr/key",
    "/fr/compare?first=tablut-kouvia&second=tablut-geoludie",
    *deep("/en/about", "/fr/help", "/fr/glossary", "/en/licence"),
    "/fr/analysis?variant=brandub-globe#d2-c2.d5-c5",
    "/fr/table?variant=gwezboell-globe&calls=manual&legs=2",
)


def unfolded(visit: Visitors, address: str, **settings: object) -> Page:
    page = visit(address, **settings)
    drawn = ("/rules/new", "/table", "/analysis", "/lessons/", "/puzzles/")
    if any(part in address for part in drawn):
        wait_for_board(page)
    unfold_all(page)
    visit.faults = [fault for fault in visit.faults if "404" not in fault or "nowhere" not in address]
    return page


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_accessible_and_fits_every_window(visit: Visitors, address: str) -> None:
    page = unfolded(visit, address)
    assert violations(page) == []
    # A page scrolls from two pixels on; one is the rest of a letter's width.
    assert {size: by for size, by in overflows(page, *SIZES).items() if by > 1} == {}
    page.set_viewport_size({"width": 360, "height": 640})
    assert page.evaluate(SMALL_TARGETS) == []


def test_axe_finds_one_faint_text_among_others_of_its_class(visit: Visitors) -> None:
    page = visit("/fr/key")
    page.evaluate("""() => {
        const [first, ...more] = document.querySelectorAll("main p");
        first.after(...[1, 2, 3].map(() => first.cloneNode(true)));
        first.nextSibling.nextSibling.style.color = "light-dark(#eee, #222)";
    }""")
    found = [one.partition(": <")[0] for one in violations(page)]
    assert found == ["light: color-contrast", "dark: color-contrast"]


# WCAG 2.2: targets have 24 by 24 pixels, except links within a sentence.
SMALL_TARGETS = """() => [...document.querySelectorAll("a[href], button, input, summary")]
    .filter((one) => one.checkVisibility() && !one.closest("p, label, .ends, .skip, .mini"))
    .map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 24 || box.height < 24)
    .map(([html, box]) => `${html} ${box.width}x${box.height}`)"""


DRAWN = """() => {
    const probe = document.body.appendChild(document.createElement("i"));
    const seen = (name) => { probe.style.color = name; return getComputedStyle(probe).color; };
    const own = new Set(["none", ...["Canvas", "CanvasText", "Highlight", "LinkText", "GrayText"].map(seen)]);
    const shapes = document.querySelectorAll("main svg :is(path, circle, ellipse, rect, text)");
    return [shapes.length, ...[...shapes].flatMap((shape) => ["fill", "stroke"]
        .map((how) => getComputedStyle(shape)[how])).filter((colour) => !own.has(colour))];
}"""


@pytest.mark.parametrize("address", ["/en/", *deep("/fr/new", "/fr/rules"), "/fr/rules/brandub-globe"])
def test_drawings_selections_and_the_main_button_follow_forced_colours(visit: Visitors, address: str) -> None:
    page = unfolded(visit, address, forced_colors="active")
    ground = "getComputedStyle(document.body).backgroundColor"
    for theme in THEMES:
        page.emulate_media(forced_colors="active", color_scheme=theme)
        count, *others = page.evaluate(DRAWN)
        assert count > 20
        assert others == []
        if address == "/en/":
            border = "(main) => getComputedStyle(main).borderTopColor"
            assert page.locator(".main:visible").first.evaluate(border) != page.evaluate(ground)
    # Browsers remove the backgrounds of selections then: notches show them.
    if "brandub" in address:
        notch = "(one) => getComputedStyle(one, '::after').backgroundColor"
        assert page.locator(".places [aria-current]").first.evaluate(notch) != page.evaluate(ground)


def test_the_light_that_is_chosen_is_kept(visit: Visitors) -> None:
    page = visit("/en/about", color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    bright = page.evaluate(ground)
    page.get_by_role("button", name="Theme").click()
    page.get_by_text("Dark", exact=True).click()
    dark = page.evaluate(ground)
    page.reload()
    assert (page.evaluate(ground), bright != dark) == (dark, True)
    page.get_by_role("button", name="Theme").click()
    page.get_by_text("Auto", exact=True).click()
    assert page.evaluate(ground) == bright


def resize(page: Page, width: int, height: int) -> None:
    """Resizes the window of a page, and waits until the page is drawn anew."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_the_column_of_a_game_reaches_the_edges(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=brandub-globe")
    for width, height in ((1366, 768), (1024, 768), (1920, 1080)):
        resize(page, width, height)
        column = box_of(page.locator(".game-side"))
        header, moves = box_of(page.locator("header.top")), box_of(page.locator(".moves"))
        assert abs(column["y"] - header["height"]) <= 1
        assert abs(column["y"] + column["height"] - height) <= 1
        # What is left at the side is the margin of every page.
        assert width - column["x"] - column["width"] == 32
        first = box_of(page.locator(".moves li").first)
        assert first["y"] - moves["y"] < 8
        assert moves["height"] > height / 5


@pytest.mark.parametrize(
    "address",
    [
        *deep("/fr/table?variant=brandub-globe", "/fr/table?variant=gwezboell-globe"),
        "/en/table?variant=tablut-kouvia&legs=2",
    ],
)
def test_a_game_is_played_without_scrolling(visit: Visitors, address: str) -> None:
    page = opened(visit, address)
    for width, height in ((320, 568), (360, 640), (390, 844), (768, 1024), (640, 360)):
        resize(page, width, height)
        all_is_seen(page, width, height)
    # A low window has the menu in its header, since the page has no tabs.
    expect(page.locator(".places a").last).to_be_visible()


def test_a_game_with_a_clock_is_played_without_scrolling(visit: Visitors) -> None:
    small = {"width": 360, "height": 640}
    address = "/fr/new?variant=brandub-globe&opponent=computer&side=attackers&clock=15_10&engine=server"
    page = visit(address, viewport=small)
    page.locator("form.new [type=submit]").click()
    page.wait_for_url("**/game/*")
    wait_for_board(page)
    all_is_seen(page, **small)
    resize(page, 1440, 900)
    assert broken_buttons(page) == []


@pytest.mark.parametrize("variant", [*deep("tablut-kouvia"), "gwezboell-globe"])
def test_players_and_buttons_are_seen_on_tablets_and_on_pages_four_times_as_large(
    visit: Visitors, variant: str
) -> None:
    page = opened(visit, f"/fr/table?variant={variant}", viewport={"width": 768, "height": 1024})
    near, buttons = box_of(page.locator(".near-player")), box_of(page.locator(".actions"))
    assert near["y"] + near["height"] <= buttons["y"]
    resize(page, 320, 256)
    hidden = page.locator(".actions button, .steps > :is(.flip, .sounds, .more)").evaluate_all(
        """(parts) => parts.filter((part) => {
            const { left, top, width, height } = part.getBoundingClientRect();
            return !part.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }).map((part) => part.outerHTML)"""
    )
    assert hidden == []
    page.locator("tafl-board [data-square=e1]").scroll_into_view_if_needed()
    page.locator("tafl-board [data-square=e3]").click()


def all_is_seen(page: Page, width: int, height: int) -> None:
    """Checks that no part of a game lies outside the window or below the bar at its bottom."""
    parts = ".player, .goal, .tray, .clock, tafl-board, .counters p, .moves, .back, .flip, .actions button"
    hidden = page.locator(parts).evaluate_all(
        """(parts, [width, height]) => parts.filter((part) => {
            const box = part.getBoundingClientRect();
            const [x, y] = [box.left + box.width / 2, box.top + box.height - 2];
            const seen = document.elementFromPoint(x, y);
            const inside = Math.min(box.left, box.top) >= 0 && box.right <= width + 1;
            return !inside || box.bottom > height + 1 || !(part.contains(seen) || seen?.contains(part));
        }).map((part) => [part.className, JSON.stringify(part.getBoundingClientRect())])""",
        [width, height],
    )
    assert hidden == []


def broken_buttons(page: Page) -> list[str]:
    """Returns the words of the buttons below a board that are not on one line."""
    buttons = page.locator(".actions button")
    expect(buttons.last).to_be_visible()
    lines = buttons.evaluate_all(
        """(buttons) => buttons.map((button) => {
            const text = document.createRange();
            text.selectNodeContents(button.lastChild);
            return [button.textContent, new Set([...text.getClientRects()].map((box) => box.top)).size];
        })"""
    )
    return [words for words, count in lines if count != 1]


@pytest.mark.deep
@pytest.mark.parametrize("opponent", ["computer", "friend"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_words_of_a_button_stay_on_one_line(visit: Visitors, opponent: str, lang: str) -> None:
    page = visit(f"/{lang}/new?variant=brandub-globe&opponent={opponent}&side=attackers&engine=server")
    page.locator("form.new [type=submit]").click()
    page.wait_for_url("**/game/*")
    if opponent == "computer":
        wait_for_board(page)
    assert broken_buttons(page) == []
