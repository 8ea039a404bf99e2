"""The openings panel of the analysis page."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from hnefi import variant
from hnefi.formats import RawGame
from hnefi.library import Adder, Library
from hnefi.record import variant_headers
from tests.server.serving import RunningServer
from tests.web.accessibility import violations
from tests.web.conftest import Visitors
from tests.web.game_page import box_of, opened, overflows, play, until, wait_for_board
from tests.web.test_analysis import HERE, tree

RESULTS = ("attackers", "attackers", "draw", "defenders", "*")


def fill(path: Path) -> None:
    """Creates a library: forty random games and two known ones, one of them by other rules."""
    rng = random.Random(11)
    with Library(path, create=True) as library, Adder(library) as adder:
        played = variant("brandub-globe")
        for number in range(40):
            game = played.new_game()
            while game.outcome is None and game.ply_count < 8:
                game = game.play(rng.choice(game.legal_moves()))
            headers_given = {"Attackers": f"Ana {number}", "Defenders": "Bran", "Result": RESULTS[number % 5]}
            headers = (*variant_headers(played), *headers_given.items())
            adder.add("chance.tafl", RawGame(headers, tuple(map(str, game.plies))))
        for rules, result in (("brandub-walker-7", "defenders"), ("brandub-globe", "attackers")):
            headers_given = {"Attackers": "Ana", "Defenders": "Bran", "Result": result, "Date": "2019.05.31"}
            headers = (*variant_headers(variant(rules)), *headers_given.items())
            adder.add("known.tafl", RawGame(headers, ("d2-c2", "d3-e3", "c2-b2")))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Starts a server with a library."""
    library = tmp_path_factory.mktemp("library") / "library.db"
    fill(library)
    folder = tmp_path_factory.mktemp("server")
    with RunningServer(folder, requests_per_minute=10_000, library=str(library)) as running:
        yield running


def unfolded(visit: Visitors, address: str = HERE, **settings: object) -> Page:
    page = opened(visit, address, **settings)
    page.locator(".played summary").click()
    expect(page.locator(".played tbody tr").first).to_be_visible()
    return page


def rows(page: Page) -> Locator:
    return page.locator(".played tbody tr")


def state(page: Page) -> Locator:
    return page.locator(".played .openings-state")


def test_moves_are_listed_with_games_results_and_bounds_and_are_played(visit: Visitors) -> None:
    page = unfolded(visit)
    expect(state(page)).to_have_text("41 games reached this position")
    first = rows(page).first
    expect(first.locator("td").first).to_have_text(re.compile(r"^\d+$"))
    expect(first.locator(".numbers")).to_have_text(re.compile(r"^\d+ · \d+ · \d+( \(\d+ \?\))?$"))
    said = re.compile(r"^won by the attackers: \d+, drawn: \d+, won by the king’s side: \d+")
    expect(first.locator(".unseen")).to_have_text(said)
    expect(first.locator("td").last).to_have_text(re.compile(r"^\d+% \(\d+–\d+\)$"))
    counts = [int(text) for text in page.locator(".played tbody td:nth-child(2)").all_text_contents()]
    assert sum(counts) == 41
    assert counts == sorted(counts, reverse=True)
    page.get_by_label("Only games of").uncheck()
    expect(state(page)).to_have_text("42 games reached this position")
    page.get_by_label("Only games of").check()
    expect(state(page)).to_have_text("41 games reached this position")
    button = rows(page).first.get_by_role("button")
    name = button.inner_text()
    button.focus()
    page.keyboard.press("Enter")
    expect(tree(page)).to_have_text([f"1. {name}"])
    expect(state(page)).not_to_have_text("41 games reached this position")
    expect(page.locator(".openings-result")).not_to_have_class(re.compile("outdated"))
    # Whoever plays by keys can go on.
    assert page.evaluate("document.activeElement.closest('.openings') !== null")
    count = int(state(page).inner_text().split()[0])
    assert 1 <= count < 41
    page.keyboard.press("Enter")
    expect(tree(page)).to_have_count(2)


def test_a_game_of_the_list_is_opened(visit: Visitors) -> None:
    page = unfolded(visit)
    games = page.locator(".openings-games button")
    expect(games).to_have_count(10)
    expect(games.first).to_contain_text("Ana (attackers) – Bran")
    expect(games.first).to_contain_text("attackers won · 3 moves · 2019.05.31")
    games.first.click()
    expect(tree(page)).to_have_text(["1. d2–c2", "2. d3–e3", "3. c2–b2"])
    page.get_by_label("Only games of").uncheck()
    expect(games.nth(1)).to_contain_text("king’s side won")
    games.nth(1).click()
    expect(page).to_have_url(re.compile("variant=brandub-walker-7"))


@pytest.mark.deep
def test_the_panel_is_folded_at_first_and_stays_as_it_was_left(visit: Visitors) -> None:
    addresses: list[str] = []
    page = visit("/en/")
    page.clock.install()
    page.on("request", lambda request: addresses.append(request.url))
    page.goto(HERE)
    play(page, "d2-c2")
    expect(page.locator(".played")).not_to_have_attribute("open", "")
    # Time enough to ask for what is folded away.
    page.clock.fast_forward(10_000)
    page.locator(".played summary").click()
    expect(rows(page).first).to_be_visible()
    assert len([url for url in addresses if url.endswith("/api/openings")]) == 1
    page.get_by_label("Only games of").uncheck()
    expect(page.locator(".openings-result")).not_to_have_class(re.compile("outdated"))
    page.goto(HERE)
    wait_for_board(page)
    expect(rows(page).first).to_be_visible()
    expect(page.get_by_label("Only games of")).not_to_be_checked()


@pytest.mark.deep
def test_an_answer_that_comes_too_late_is_dropped(visit: Visitors) -> None:
    page = unfolded(visit)
    held: list[Route] = []
    ended: list[Request] = []

    def note_end(request: Request) -> None:
        ended.append(request)

    page.on("requestfinished", note_end)
    page.on("requestfailed", note_end)

    def hold_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/api/openings", hold_first)
    play(page, "d2-c2")
    expect(page.locator(".openings-result")).to_have_class(re.compile("outdated"))
    until(page, lambda: bool(held), "a request is sent")
    play(page, "d3-e3")
    expect(page.locator(".openings-result")).not_to_have_class(re.compile("outdated"))
    texts = rows(page).all_inner_texts()
    held[0].fulfill(json={"games": 12345, "moves": [], "latest": []})
    until(page, lambda: held[0].request in ended, "the late answer is there")
    assert rows(page).all_inner_texts() == texts
    assert "12" not in state(page).inner_text()


@pytest.mark.deep
def test_an_unavailable_library_is_reported_and_the_board_still_works(visit: Visitors) -> None:
    page = opened(visit, "/fr/analysis?variant=brandub-globe", locale="fr-FR")
    page.locator(".played summary").click()
    expect(rows(page).first).to_be_visible()
    page.context.set_offline(True)
    play(page, "d2-c2")
    expect(state(page)).to_have_text("Serveur injoignable. Vous pouvez toujours essayer des coups.")
    page.context.set_offline(False)
    play(page, "d3-e3")
    expect(state(page)).to_contain_text(re.compile("partie"))


@pytest.mark.deep
def test_openings_are_accessible_on_a_phone(visit: Visitors) -> None:
    size = {"width": 360, "height": 640}
    page = unfolded(visit, "/fr/analysis?variant=brandub-globe", viewport=size)
    assert violations(page, ".played") == []
    assert overflows(page) == {}
    box = box_of(page.locator(".played table"))
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    for button in page.locator(".played th button").all():
        place = box_of(button)
        assert min(place["width"], place["height"]) >= 44
