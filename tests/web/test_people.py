"""Find someone to play: two browsers meet by a challenge; empty lists, words, keyboard, accessibility."""

import re

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.samples import deep
from tests.timeouts import wait_until
from tests.web.accessibility import violations
from tests.web.conftest import Visitors
from tests.web.game_page import box_of, moves, overflows, play, until, wait_for_board
from tests.web.test_sounds import SPY

pytestmark = pytest.mark.usefixtures("quick")


def post(page: Page) -> None:
    page.get_by_role("button", name="Post a challenge").click()
    expect(page.get_by_role("status").filter(has_text="Your challenge is posted.")).to_be_visible()


def cancel(page: Page) -> None:
    page.get_by_role("button", name="Cancel your challenge: Brandub").click()
    expect(page.get_by_role("status").filter(has_text="Challenge cancelled.")).to_be_visible()


@pytest.mark.parametrize("place", ["/en/new", *deep("/en/", "/en/rules/new")])
def test_two_browsers_meet_through_a_challenge_and_its_maker_is_called(visit: Visitors, place: str) -> None:
    ana, bran = visit("/en/people"), visit("/en/people")
    ana.get_by_text("Another game, clock or side").click()
    ana.get_by_label("Your name").fill("Ana")
    post(ana)
    expect(bran.locator(".challenges .tile-marks")).to_have_count(1)
    ana.add_init_script(SPY)
    ana.goto(place)
    # Browsers are silent until somebody has touched the page.
    ana.mouse.click(5, 300)
    bran.get_by_role("button", name="Accept Ana’s challenge: Brandub").click()
    bran.wait_for_url("**/en/game/*")
    expect(ana.locator(".knock")).to_contain_text("is waiting to play with you.")
    assert ana.title().startswith("(1) ")
    until(ana, lambda: 240 in ana.evaluate("window.sounds"), "the knock is heard")
    assert violations(ana) == []
    ana.get_by_role("link", name="Go to the game").click()
    wait_for_board(ana)
    assert ana.url == bran.url
    ana.reload()
    wait_for_board(ana)
    assert ana.evaluate("localStorage.getItem('hnefi.waiting')") == "[]"
    # A challenge that was deleted is forgotten without an error.
    ana.evaluate("localStorage.setItem('hnefi.waiting', '[\"aaaaaaaaaaaa\"]')")
    ana.goto("/en/key")
    until(ana, lambda: ana.evaluate("localStorage.getItem('hnefi.waiting')") == "[]", "it is forgotten")


@pytest.mark.deep
def test_every_page_says_that_a_challenge_was_accepted_and_whose_turn_it_is(visit: Visitors) -> None:
    ana, bran = visit("/en/people"), visit("/en/people")
    ana.get_by_text("Another game, clock or side").click()
    ana.locator("select[name=clock]").select_option("1d")
    ana.locator("select[name=side]").select_option("attackers")
    post(ana)
    ana.goto("about:blank")
    bran.get_by_role("button", name=re.compile("^Accept ")).click()
    bran.wait_for_url("**/en/game/*")
    wait_for_board(bran)
    ana.goto("/en/")
    resume = ana.locator("[data-resume]")
    expect(resume.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(resume).to_contain_text("Your opponent")
    assert ana.title().startswith("(1) ")
    ana.set_viewport_size({"width": 390, "height": 844})
    place, badge = ana.locator(".own-places a").first, ana.locator("[data-turns]")
    expect(place.locator(badge)).to_have_text("1")
    # The number does not push the words onto a second line.
    assert place.locator("span").first.evaluate("words => words.getClientRects().length") == 1
    words, number = box_of(place.locator("span").first), box_of(badge)
    assert number["x"] > words["x"] + words["width"] - 3
    ana.goto("/en/people")
    own = ana.locator(".own-games")
    link = own.get_by_role("link")
    expect(link).to_have_attribute("href", f"/en/game/{bran.url.rpartition('/')[2]}")
    expect(own).to_contain_text("Your turn")
    link.click()
    play(ana, "d6-c6")
    # With days for a move it is confirmed.
    ana.get_by_role("button", name="Play this move").click()
    expect(moves(bran)).to_have_count(1)
    ana.goto("/en/people")
    expect(own).to_contain_text("Their turn.")
    expect(badge).to_be_hidden()
    bran.goto("/fr/key")
    expect(bran.locator("[data-turns]")).to_have_accessible_name("à vous de jouer dans 1 partie")
    # A game with a move can be watched as long as it goes on.
    link.click()
    for _ in ("asked", "confirmed"):
        ana.get_by_role("button", name="Cancel game").click()
    expect(ana.get_by_role("button", name="Find another opponent")).to_be_visible()


def test_two_browsers_find_each_other_and_others_may_watch(visit: Visitors) -> None:
    ana, bran = visit("/en/people"), visit("/fr/people")
    ana.get_by_role("radio", name=re.compile(r"Tablut 10.min \+ 5.s")).check()
    # While the challenge waits, the page is connected: timers of hidden pages are slow.
    with ana.expect_websocket():
        ana.get_by_role("button", name="Find an opponent").click()
    expect(ana.get_by_role("button", name="Cancel your challenge: Tablut")).to_be_visible()
    bran.get_by_role("radio", name=re.compile(r"Tablut 10.min \+ 5.s")).check()
    bran.get_by_role("button", name="Trouver un adversaire").click()
    bran.wait_for_url("**/fr/game/*")
    expect(ana.locator(".knock")).to_be_visible()
    ana.get_by_role("link", name="Go to the game").click()
    for page in (ana, bran):
        expect(page.locator("tafl-board")).to_be_visible()
    # While ana goes to the game, it may have been left out of the list, which is read once a second at most.
    wait_until(lambda: len(bran.request.get("/api/people").json()["games"]) == 1, "the game is listed")
    # The home page leads others to it.
    home = visit("/fr/")
    link = home.locator("[data-watch]")
    expect(link).to_have_text("Parties à regarder en ce moment : 1")
    link.click()
    expect(home.locator(".to-watch li")).to_have_count(1)
    home.locator(f".to-watch a[href='/fr/game/{bran.url.rpartition('/')[2]}']").click()
    expect(home.locator(".notice")).to_have_text("Vous regardez.")
    visit(home.url)
    home.set_viewport_size({"width": 360, "height": 740})
    watching = home.locator(".watching")
    expect(watching).to_be_visible()
    assert watching.evaluate("line => parseFloat(getComputedStyle(line).paddingLeft)") >= 12


@pytest.mark.deep
def test_whoever_has_closed_the_page_is_not_met_and_whoever_meets_nobody_is_led_back(visit: Visitors) -> None:
    ana, bran = visit("/en/people"), visit("/en/people")
    again = ana.context.new_page()
    with ana.expect_websocket():
        ana.get_by_role("button", name="Find an opponent").click()
    expect(ana.get_by_role("button", name="Cancel your challenge: Brandub")).to_be_visible()
    (waiting,) = bran.request.get("/api/people").json()["challenges"]
    ana.close()

    def is_here() -> bool:
        game = bran.request.get(f"/api/games/{waiting['game']}").json()
        return bool(game["players"][0]["present"])

    wait_until(lambda: not is_here(), "the server has seen the page go")
    bran.get_by_role("button", name="Find an opponent").click()
    expect(bran.locator(".challenges li")).to_have_count(0)
    cancel(bran)
    # A program without a connection counts as waiting for ten seconds.
    again.route_web_socket("**/ws*", lambda _: None)
    again.goto("/en/people")
    again.locator("[name=quick]").nth(1).check()
    again.get_by_role("button", name="Find an opponent").click()
    expect(again.get_by_role("button", name="Cancel your challenge: Brandub")).to_be_visible()
    again.close()
    bran.locator("[name=quick]").nth(1).check()
    bran.get_by_role("button", name="Find an opponent").click()
    bran.wait_for_url("**/en/game/*")
    expect(bran.locator(".notice")).to_contain_text("If nobody comes, cancel the game")
    for _ in ("asked", "confirmed"):
        bran.get_by_role("button", name="Cancel game").click()
    bran.get_by_role("button", name="Find another opponent").click()
    bran.wait_for_url("**/en/people")


@pytest.mark.deep
def test_whoever_waits_sees_it_in_the_place_of_the_button_and_can_cancel(visit: Visitors) -> None:
    page = visit("/fr/people")
    find = page.locator("[type=submit]")
    before = box_of(find)
    find.press("Enter")
    waits = page.locator(".waits")
    words = "Vous attendez un adversaireBrandub.*5.min \\+ 3.s · camps au hasard · à l’instant"
    expect(waits).to_have_text(re.compile(words))
    after = box_of(waits)
    assert abs(before["y"] - after["y"]) < 3
    expect(find).to_be_hidden()
    # The focus is where the keyboard goes on.
    cancel = waits.get_by_role("button")
    expect(cancel).to_be_focused()
    # Another game can be looked for meanwhile.
    page.locator("[name=quick]").nth(1).check()
    expect(find).to_be_visible()
    page.locator("[name=quick]").first.check()
    expect(find).to_be_hidden()
    page.reload()
    expect(find).to_be_hidden()
    ana = visit("/en/people")
    post(ana)
    expect(page.locator(".challenges li")).to_have_count(1)
    page.locator("summary").click()
    assert violations(page) == []
    assert overflows(page, 320, 360, 640) == {}
    cancel.press("Enter")
    expect(find).to_be_focused()
    expect(waits).to_have_count(0)
    ana.get_by_role("button", name="Cancel your challenge").click()
    expect(page.locator(".challenges li")).to_have_count(0)


def test_a_challenge_is_cancelled_although_the_answer_to_posting_is_late(visit: Visitors) -> None:
    page = visit("/en/people")
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/api/games", lambda route: held.append((route, route.fetch())))
    page.get_by_role("button", name="Post a challenge").click()
    until(page, lambda: bool(held), "it is posted")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.get_by_role("button", name="Cancel your challenge: Brandub").click()
    for route, answer in held:
        route.fulfill(response=answer)
    expect(page.get_by_role("status").filter(has_text="Challenge cancelled.")).to_be_visible()


def test_the_page_offers_the_computer_a_challenge_that_waits_and_tiles(visit: Visitors) -> None:
    page = visit("/en/people")
    empty = page.locator(".empty")
    expect(empty).to_contain_text(
        "Nobody’s waiting. Post a challenge and carry on: we’ll let you know when someone accepts."
    )
    expect(empty.get_by_role("link")).to_have_attribute("href", "/en/new?opponent=computer")
    post(page)
    expect(empty).to_contain_text("Nobody else is waiting.")
    cancel(page)
    expect(empty).to_contain_text("Nobody’s waiting.")
    # A tile sets the choices, and they set the tile.
    words = page.locator("[data-clock]")
    expect(words).to_have_text("5 minutes each, and 3 seconds more for every move.")
    page.get_by_role("radio", name="Hnefatafl 1 day per move").check()
    expect(words).to_have_text("Up to 1 day for every move, from a player’s second move on.")
    page.get_by_text("Another game, clock or side").click()
    expect(page.locator("select[name=variant]")).to_have_value("copenhagen-11")
    page.locator("select[name=clock]").select_option("15+10")
    expect(page.get_by_role("radio", name="Hnefatafl 15 min + 10 s")).to_be_checked()
    page.locator("select[name=clock]").select_option("none")
    expect(page.locator("[name=quick]:checked")).to_have_count(0)


@pytest.mark.deep
def test_a_challenge_that_is_refused_says_why(visit: Visitors) -> None:
    page = visit("/en/people")
    page.get_by_text("Another game, clock or side").click()
    post(page)
    expect(page.get_by_role("button", name="Post a challenge")).to_be_hidden()
    page.locator("select[name=clock]").select_option("none")
    refusal = {"code": "too_many_challenges", "message": "Cancel one first."}
    page.route("**/api/games", lambda route: route.fulfill(status=409, json=refusal))
    page.get_by_role("button", name="Post a challenge").click()
    expect(page.get_by_role("alert")).to_have_text("Cancel one first.")
    visit.faults = [fault for fault in visit.faults if "409" not in fault]
    page.get_by_role("button", name="Cancel your challenge").click()
    expect(page.locator(".waits")).to_have_count(0)
