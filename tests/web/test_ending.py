"""The end of a game: what it says, what is lit on the board, and how to go on."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.accessibility import violations
from tests.web.conftest import Visitors
from tests.web.game_page import box_of, downloaded, moves, opened, overflows, play, resign, wait_for_board
from tests.web.online import invited

ESCAPE = "/table?variant=brandub-globe&position=7/t6/7/K5t/7/7/4T2 a"
TRAP = "/table?variant=brandub-globe&position=7/7/t6/2tKt2/3t3/7/5T1 d"
MISSED = "2Ttt1T2/4t4/3T2T1t/ttT2t3/1t6t/2t2t2t/1T7/K7t/3tt2t1 a"
PHONE = {"viewport": {"width": 360, "height": 740}}


def ending(page: Page) -> Locator:
    return page.locator(".ending")


def test_an_escape_lights_the_road_and_names_what_decided_it(visit: Visitors) -> None:
    page = opened(visit, f"/en{ESCAPE}")
    play(page, "g4-g3", "a4-a1")
    expect(ending(page).get_by_role("heading")).to_have_text("The king’s side won on move 2")
    expect(ending(page)).to_contain_text("The king has escaped. The king’s side wins.")
    expect(ending(page)).to_contain_text("Nothing could block the king’s path any more.")
    expect(ending(page).locator(".curve")).to_contain_text("No single move turned the game.")
    expect(ending(page).locator(".curve .note")).to_have_text("High: good for the attackers.")
    roads = page.locator("tafl-board").evaluate("board => board.state.roads")
    assert roads == [{"from": "a4", "to": "a1"}]
    expect(page.locator(".main:visible")).to_have_count(1)
    expect(moves(page).first).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(ending(page)).to_have_count(0)
    expect(moves(page)).to_have_count(2)
    page.keyboard.press("ArrowRight")
    expect(ending(page)).to_be_visible()


@pytest.mark.deep
def test_a_hint_is_gone_when_the_game_is_over(visit: Visitors) -> None:
    page = opened(visit, "/en/computer?variant=brandub-globe&side=attackers&level=1")
    play(page, "d2-c2")
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("tafl-board .arrow")).to_have_count(1)
    resign(page)
    expect(ending(page)).to_be_visible()
    expect(ending(page)).not_to_contain_text("Hint")
    expect(page.locator("tafl-board .arrow")).to_have_count(0)


def test_the_first_win_against_the_computer_is_the_last_peg_of_the_path(visit: Visitors) -> None:
    won = "/en/computer?variant=brandub-globe&level=1&side=defenders&position=7/7/t6/K6/7/7/4T1t d"
    page = opened(visit, won)
    play(page, "a4-a1")
    expect(ending(page)).to_contain_text("Your first win against the computer!")
    assert violations(page, ".ending") == []
    page.get_by_role("link", name="See your path").click()
    expect(page.locator(".path li").last.locator(".peg.on")).to_be_visible()
    page.goto(won)
    play(page, "a4-a1")
    expect(ending(page)).to_contain_text("You won")
    expect(ending(page)).not_to_contain_text("first win")


@pytest.mark.deep
def test_the_end_speaks_to_its_reader_whose_side_is_near(visit: Visitors) -> None:
    start = "7/7/t6/2tKt2/3t3/7/5T1 a"
    page = opened(visit, f"/en/computer?variant=brandub-globe&side=attackers&level=1&position={start}")
    expect(page.locator("tafl-board[flip]")).to_have_count(0)
    play(page, "a5-d5")
    expect(ending(page)).to_contain_text("You captured the king.")
    page.goto(
        f"/en/computer?variant=brandub-globe&side=defenders&level=1&position={ESCAPE.partition('position=')[2]}"
    )
    wait_for_board(page)
    expect(page.locator("tafl-board[flip]")).to_be_attached()
    play(page, "a4-a1")
    expect(ending(page)).to_contain_text("Your king has escaped.")
    # For two at one device it speaks of both sides, and names the move that could have shut the road.
    page.goto("/en/table?variant=brandub-globe&position=7/t6/7/K6/3T3/6t/6t a")
    play(page, "g1-f1", "a4-a1")
    expect(ending(page)).to_contain_text("The attackers could still have shut the road with g2–a2.")


def test_a_trap_is_marked_and_the_way_out_is_shown(visit: Visitors) -> None:
    page = opened(visit, f"/en{TRAP}")
    play(page, "f1-f2", "a5-d5")
    expect(ending(page).get_by_role("heading")).to_have_text("The attackers won on move 2")
    # Other moves would have done too; the one that is named is that of the review.
    reason = "The king’s side could have kept the king out of the trap with d4–d7."
    expect(ending(page)).to_contain_text(reason)
    marks = page.locator("tafl-board").evaluate("board => board.marks")
    assert {"square": "d4", "kind": "capture"} in marks
    assert {one["square"] for one in marks if one["kind"] == "highlight"} == {"c4", "d3", "d5", "e4"}
    expect(ending(page).locator(".curve")).to_contain_text("Turning point: 1. f1–f2")
    ending(page).get_by_role("button", name="Show it on the board").click()
    expect(page.locator("tafl-board [data-square=d4]")).to_have_accessible_name("d4, king, throne")
    assert page.locator("tafl-board").evaluate("board => board.arrows") == [
        {"from": "d4", "to": "d7", "kind": "move"}
    ]
    expect(page.locator(".turning-points")).to_contain_text("d4–d7")


def test_a_win_that_was_missed_is_named_before_a_road_that_could_be_shut(visit: Visitors) -> None:
    # The king beside the corner a1 can be captured, or leaves.
    page = opened(visit, f"/en/table?variant=tablut-kouvia&position={MISSED}")
    play(page, "i2-e2", "a2-a1")
    expect(ending(page)).to_contain_text("The attackers could have won with a6–a3.")


@pytest.mark.deep
def test_a_move_is_not_blamed_for_a_resignation_after_it(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=brandub-globe")
    play(page, "d6-c6", "d5-c5", "a4-a3", "d4-d5")
    resign(page)
    expect(ending(page)).to_contain_text("The attackers resign. The king’s side wins.")
    curve = ending(page).locator(".curve")
    expect(curve).to_contain_text(re.compile(r"Turning point|No single move"))
    expect(curve).not_to_contain_text("to 0%")


@pytest.mark.deep
def test_the_end_is_reported_from_the_side_of_the_user_also_after_a_rematch_has_begun(
    visit: Visitors,
) -> None:
    maker, friend = invited(visit)
    play(maker, "d6-c6")
    play(friend, "d5-c5")
    resign(maker)
    expect(ending(maker).get_by_role("heading")).to_have_text("You resigned")
    expect(ending(friend).get_by_role("heading")).to_have_text("You won")
    expect(ending(maker)).to_contain_text("The attackers are the harder side here.")
    expect(ending(friend)).not_to_contain_text("harder")
    expect(ending(friend)).to_contain_text("You’ll play the attackers.")
    expect(ending(friend).get_by_role("button", name="Rematch, sides swapped")).to_be_enabled()
    # Whoever goes back from the rematch stays on the first game.
    first = friend.url
    maker.get_by_role("button", name="Rematch").click()
    friend.get_by_role("button", name="Accept rematch").click()
    friend.wait_for_url(lambda url: url != first)
    friend.go_back()
    expect(ending(friend)).to_contain_text("The attackers resign.")
    expect(friend.get_by_role("button", name="Go to the rematch")).to_be_visible()
    assert friend.url == first


@pytest.mark.deep
def test_the_end_fits_a_phone_in_french_and_its_picture_is_saved(visit: Visitors) -> None:
    page = opened(visit, f"/fr{TRAP}", **PHONE)
    play(page, "f1-f2", "a5-d5")
    expect(ending(page).get_by_role("heading")).to_have_text("Les attaquants gagnent au coup 2")
    expect(ending(page)).to_contain_text("Avec d4–d5, le camp du roi évitait le piège.")
    assert overflows(page) == {}
    for button in ending(page).get_by_role("button").all():
        assert button.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), button.inner_text()
    curve = ending(page).locator(".curve svg")
    expect(curve).to_be_visible()
    drawn = box_of(curve)
    assert drawn["y"] + drawn["height"] < 740
    assert box_of(ending(page).locator(".ways"))["y"] < drawn["y"]
    assert len(downloaded(page, "Partager l’image").path().read_bytes()) > 10_000
    assert violations(page) == []


@pytest.mark.deep
def test_the_winner_at_one_device_is_called_by_name_and_axe_finds_nothing_at_the_end(visit: Visitors) -> None:
    page = opened(visit, f"/en{ESCAPE}")
    page.locator(".names").get_by_label("King’s side").fill("Ana")
    play(page, "g4-g3", "a4-a1")
    expect(ending(page).get_by_role("heading")).to_have_text("Ana won on move 2")
    expect(ending(page).locator(".why")).to_be_visible()
    for width, height in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert violations(page) == []
