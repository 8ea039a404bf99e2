"""Games at the server in browsers: with the computer and by link."""

import json
import re
import time

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.web.accessibility import violations
from tests.web.conftest import Visitors
from tests.web.game_page import announcement, moves, overflows, play, resign, wait_for_board
from tests.web.online import invited, make, play_again, play_to_the_end, take_back


@pytest.mark.deep
def test_a_newcomer_plays_to_the_end(visit: Visitors) -> None:
    page = visit("/en/")
    page.get_by_role("link", name="Play the computer").click()
    page.locator(".levels .hole").first.click()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/computer?*")
    wait_for_board(page)
    assert play_to_the_end(page, "defenders") > 2
    expect(announcement(page)).to_have_text(re.compile(r"(win|drawn|draw)"))
    expect(page.get_by_role("button", name="Rematch")).to_be_enabled()


@pytest.mark.deep
def test_a_seat_is_carried_to_another_device(visit: Visitors) -> None:
    maker, friend = invited(visit)
    maker.get_by_role("button", name="Share and save").click()
    maker.get_by_role("button", name="Create link").click()
    expect(maker.locator(".sharing .qr path")).to_have_attribute("d", re.compile("^M"))
    link = maker.get_by_label("Private link to your seat", exact=True).input_value()
    other = visit(link)
    other.get_by_role("button", name="Play on here").click()
    other.wait_for_url("**/game/*")
    play(other, "d6-c6")
    expect(moves(maker)).to_have_count(1)
    late = visit(link)
    late.get_by_role("button", name="Play on here").click()
    expect(late.get_by_role("alert")).to_contain_text("expired")
    found = violations(late)
    late.goto(maker.url.replace("/game/", "/embed/"))
    expect(late.locator("tafl-board")).to_be_visible()
    assert [*found, *violations(late)] == []
    # The browser notes that the server refused it.
    visit.faults = [fault for fault in visit.faults if "403" not in fault]
    # A game that is over is continued nowhere.
    play(friend, "d5-c5")
    resign(other)
    other.get_by_role("button", name="Review").click()
    other.get_by_role("button", name="Share and save").click()
    expect(other.get_by_role("dialog")).to_contain_text("Link to this move")
    expect(other.get_by_role("button", name="Create link")).to_have_count(0)


def test_two_play_by_link_a_third_looks_on_and_offers_are_taken_and_declined(visit: Visitors) -> None:
    maker, friend = invited(visit, clock="5_3")
    expect(maker.locator(".clock")).to_have_count(2)
    watcher = visit(maker.url.split("#")[0])
    expect(watcher.locator(".notice")).to_contain_text("ask your friend to invite you to a new game")
    play(maker, "d6-c6")
    play(friend, "d5-c5")
    expect(watcher.locator(".who b")).to_have_text(["Guest", "Guest"])
    for page in (maker, friend, watcher):
        expect(moves(page)).to_have_count(2)
        # The secret of an invitation has left the address.
        assert "#" not in page.url
    expect(maker.locator(".near-player .clock.running")).to_have_text(re.compile("^[45]:[0-5][0-9]"))
    expect(maker.locator(".watching")).to_have_text("1 watching")
    expect(watcher.locator("tafl-board")).to_have_attribute("movable", "none")
    expect(watcher.locator(".actions button")).to_have_count(0)
    take_back(maker, friend, "d6–c6, d5–c5")
    for page in (maker, friend):
        expect(moves(page)).to_have_count(0)
    # A move is planned while the other thinks.
    assert friend.locator("tafl-board").evaluate("(b) => b.play('d5-c5')")
    expect(friend.locator("tafl-board .arrow.planned")).to_have_count(1)
    play(maker, "d6-c6")
    for page in (maker, friend):
        expect(moves(page)).to_have_count(2)
    friend.get_by_role("button", name="Draw").click()
    friend.get_by_role("group", name="Offer a draw?").get_by_role("button", name="Yes").click()
    maker.get_by_role("button", name="Play on").click()
    expect(friend.locator(".notice")).to_have_text("Draw declined.")
    maker.get_by_role("button", name="Draw", exact=True).click()
    maker.get_by_role("button", name="Yes").click()
    friend.get_by_role("button", name="Accept draw").click()
    expect(friend.locator(".notice")).to_have_count(0)
    expect(announcement(maker)).to_contain_text("agree")
    # The rematch has the sides swapped.
    play_again(maker, friend)
    for page, side in ((maker, "defenders"), (friend, "attackers")):
        expect(page.locator("tafl-board")).to_have_attribute("movable", side)
    # A spectator may follow.
    expect(watcher.get_by_role("button", name="New game")).to_be_enabled()
    watcher.get_by_role("button", name="Go to the rematch").click()
    watcher.wait_for_url(maker.url)


@pytest.mark.deep
def test_a_win_can_be_claimed_after_the_opponent_has_left(visit: Visitors) -> None:
    maker = visit("/en/")
    # When the friend went away, by the clock of this test.
    away_since = time.monotonic() - 59.0

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def change(message: str | bytes) -> None:
            view = json.loads(message)
            if view["type"] == "presence":
                away_ms = round((time.monotonic() - away_since) * 1000)
                view |= {"present": [True, False], "away_ms": [0, away_ms]}
            route.send(json.dumps(view))

        server.on_message(change)

    maker.route_web_socket(re.compile(r"/ws\?game="), between)
    make(maker, variant="brandub-globe", opponent="friend", side="attackers", clock="5_3")
    friend = visit(maker.get_by_label("Link for your friend", exact=True).input_value())
    friend.get_by_role("button", name="Accept and play").click()
    play(maker, "d6-c6")
    play(friend, "d5-c5")
    play(maker, "c6-d6")
    expect(maker.locator(".top-player")).to_contain_text("not at the board")
    # The minute is over soon, if not already; but the server knows that the friend is there.
    maker.get_by_role("button", name="Claim the win").click()
    maker.get_by_role("button", name="Yes").click()
    expect(maker.locator(".notice")).to_contain_text("has not been away long enough")


def test_clocks_of_days_run_and_moves_are_confirmed(visit: Visitors) -> None:
    slow, other = invited(visit, clock="days_1")
    expect(slow.locator(".clock").first).to_contain_text("1 day")
    play(slow, "d6-c6")
    expect(moves(slow)).to_have_count(0)
    for page, move in ((slow, None), (other, "d5-c5")):
        # Nobody's clock runs before the first move of the side.
        expect(page.locator(".clock.running")).to_have_count(0)
        if move is not None:
            play(page, move)
        page.get_by_role("button", name="Play this move").click()
    expect(moves(slow)).to_have_count(2)
    running = slow.locator(".near-player .clock.running")
    expect(running).to_have_attribute("title", re.compile(r"^Time runs out on [A-Z]\w+day"))


@pytest.mark.deep
def test_an_escape_that_was_not_announced_is_refused(visit: Visitors) -> None:
    start = "9/9/9/9/4t4/9/9/ttt6/4K4 d"
    rules = {"variant": "gwezboell-globe", "calls": "manual", "position": start}
    maker, friend = invited(visit, side="defenders", **rules)
    play(maker, "e1-e2")
    play(friend, "c2-c3")
    play(maker, "e2-i2")
    play(friend, "a2-a3")
    play(maker, "i2-i1")
    for page in (maker, friend):
        expect(announcement(page)).to_contain_text("wasn’t called")
    # The attackers play the same piece again; a call that is made lets the king out.
    play(friend, "a2-a4")
    maker.get_by_label("raichi").check()
    play(maker, "i2-i1")
    expect(announcement(maker)).to_contain_text("You won")


@pytest.mark.deep
def test_a_match_of_two_legs_always_shows_the_score(visit: Visitors) -> None:
    maker, friend = invited(visit, legs="2")
    for page in (maker, friend):
        expect(page.locator(".score")).to_contain_text("Game 1 of 2")
    play(maker, "d6-c6")
    play(friend, "d5-c5")
    resign(friend)
    expect(announcement(maker)).to_contain_text("1")
    maker.get_by_role("button", name="Next game").click()
    for page in (maker, friend):
        expect(page.locator(".score")).to_contain_text("Game 2 of 2")
    play(friend, "d6-c6")
    play(maker, "d5-c5")
    resign(friend)
    expect(announcement(maker)).to_contain_text("wins the match")
    maker.get_by_text("Game 1", exact=True).click()
    expect(announcement(maker)).to_contain_text("The attackers win")


@pytest.mark.deep
@pytest.mark.parametrize("size", [(360, 640), (768, 1024), (1440, 900)])
def test_a_game_fits_every_window_and_axe_finds_nothing(visit: Visitors, size: tuple[int, int]) -> None:
    width, height = size
    window = {"viewport": {"width": width, "height": height}, "locale": "fr-FR"}
    asked = "variant=gwezboell-globe&opponent=friend&side=attackers&legs=2&clock=5_3&calls=manual"
    maker = visit(f"/fr/new?{asked}", **window)
    maker.locator("form.new button.main").click()
    maker.wait_for_url("**/game/*")
    friend = visit(maker.locator(".invitation .copy-field input").input_value(), **window)
    expect(friend.locator(".invitation-card button.main")).to_be_in_viewport(ratio=1)
    if width > height:
        # Beside the board the words of the card lie on paper, not on the cloth.
        expect(friend.locator(".invitation-card")).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    assert overflows(maker) == overflows(friend) == {}
    found = [*violations(maker, ".invitation"), *violations(friend)]
    friend.locator(".invitation-card button.main").click()
    # A move that is planned says so, until a tap takes it back.
    wait_for_board(friend)
    for square, count in {"e4": 0, "f4": 1, "a1": 0}.items():
        friend.locator(f"tafl-board [data-square={square}]").click()
        expect(friend.locator(".fault", has_text="e4 à f4")).to_have_count(count)
    if width < 400:
        for square in ("e4", "f4"):
            friend.locator(f"tafl-board [data-square={square}]").click()
    play(maker, "e2-f2")
    if width < 400:
        # Squares are small here: moves wait to be confirmed, planned ones too.
        expect(maker.locator("tafl-board")).to_have_attribute("confirm", "")
        maker.locator("tafl-board").evaluate("(board) => board.confirm()")
    expect(moves(friend)).to_have_count(1)
    if width < 400:
        friend.get_by_role("button", name="Jouer ce coup").wait_for()
        friend.locator("tafl-board").evaluate("(board) => board.cancel()")
    assert overflows(maker) == overflows(friend) == {}
    if width > height:
        # On a desk everything is there without scrolling.
        assert friend.evaluate("document.documentElement.scrollHeight <= innerHeight")
    found += violations(maker)
    maker.get_by_role("button", name="Partager").click()
    found += violations(maker, "dialog")
    maker.keyboard.press("Escape")
    maker.locator(".actions button").last.click()
    maker.locator(".confirming").get_by_role("button", name="Annuler la partie").click()
    expect(maker.locator(".actions")).to_contain_text("Nouvelle partie")
    assert overflows(maker) == {}
    assert found == []


@pytest.mark.deep
def test_a_cancelled_game_says_so_and_offers_a_new_one(visit: Visitors) -> None:
    maker, friend = invited(visit, clock="5+3")
    maker.get_by_role("button", name="Cancel game").click()
    maker.get_by_role("group", name="Cancel this game?").get_by_role("button", name="Cancel game").click()
    for page in (maker, friend):
        expect(page.locator(".call")).to_contain_text("Game cancelled. Nobody wins or loses.")
        expect(page.get_by_text("Your move.").or_(page.get_by_role("timer"))).to_have_count(0)
        expect(page.get_by_role("button", name="Rematch")).to_have_count(0)
        expect(page.get_by_role("button", name="New game")).to_be_enabled()


@pytest.mark.deep
def test_an_invitation_lists_changed_rules_and_says_that_it_is_cancelled(visit: Visitors) -> None:
    maker = visit("/en/")
    make(maker, variant="brandub-globe", opponent="friend", side="lot", **{"rule.quiet_limit": "40"})
    expect(maker.locator(".invitation")).to_contain_text("Sides are drawn at random when your friend joins.")
    expect(maker.locator(".goal")).to_have_count(0)
    friend = visit(maker.get_by_label("Link for your friend", exact=True).input_value())
    expect(friend.locator(".invitation-card")).to_contain_text("Changed rulesForty moves")
    expect(friend.locator("tafl-board [data-square=d4]")).to_have_accessible_name("d4, king, throne")
    accept = friend.get_by_role("button", name="Accept and play")
    # Whoever only watches can still take the seat.
    friend.get_by_role("button", name="Just watch").click()
    expect(friend.locator(".near-player")).to_be_visible()
    assert maker.locator(".invitation").is_visible()
    listing = maker.context.new_page()
    for path in ("/en/games", "/en/people"):
        listing.goto(path)
        expect(listing.get_by_text("Brandub (Le Globe Joueur), changed rules")).to_be_visible()
    expect(friend.locator(".notice")).to_contain_text("The game hasn’t begun yet: one seat is free.")
    friend.get_by_role("button", name="Take the seat").click()
    expect(accept).to_be_visible()
    maker.get_by_role("button", name="Cancel game").click()
    maker.get_by_role("group", name="Cancel this game?").get_by_role("button", name="Cancel game").click()
    expect(maker.locator(".call")).to_contain_text("Game cancelled. It never began.")
    expect(maker.locator(".game-side")).to_contain_text("No second player")
    # A friend who was still reading the invitation sees the same.
    accept.click()
    expect(friend.locator(".call")).to_contain_text("Game cancelled. It never began.")
    expect(friend.get_by_role("button", name="New game")).to_be_enabled()
    expect(accept).to_have_count(0)
    visit.faults = [fault for fault in visit.faults if "409" not in fault]
