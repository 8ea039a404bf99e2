"""Concurrency in pages: double clicks, keys that are held down, two choices at once, two tabs."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Visitors
from tests.web.game_page import TWICE, announcement, box_of, moves, opened, play, until, wait_for_board
from tests.web.online import invited, make, on_board


def table(visit: Visitors) -> Page:
    return opened(visit, "/en/table?variant=brandub-globe")


def games_made(page: Page) -> Callable[[], int]:
    """Returns a function that counts the games that a page has created since."""
    addresses: list[str] = []
    page.on("request", lambda one: addresses.append(one.url) if one.method == "POST" else None)
    return lambda: sum(url.endswith("/api/games") for url in addresses)


def hold_back(page: Page, addresses: str | re.Pattern[str]) -> list[Route]:
    """Holds back the requests of a page until a test lets them go on."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(addresses, keep)
    return held


def test_a_double_click_makes_one_game_and_start_after_going_back_another(visit: Visitors) -> None:
    page = visit("/en/new?variant=brandub-globe&opponent=computer&side=attackers&engine=server")
    count = games_made(page)
    page.get_by_role("button", name="Start").evaluate(TWICE)
    page.wait_for_url("**/game/*")
    wait_for_board(page)
    assert count() == 1
    first = page.url
    page.go_back()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/game/*")
    assert page.url != first


@pytest.mark.deep
def test_a_game_chosen_before_the_script_is_there_is_kept(visit: Visitors) -> None:
    page = visit("/en/")
    held = hold_back(page, re.compile(r"/new\b[^/]*\.js"))
    page.goto("/en/new", wait_until="commit")
    page.locator("label.game", has_text="Gwezboell").click()
    until(page, lambda: bool(held), "the script is asked for")
    held[0].continue_()
    expect(page.locator(".chosen b")).to_contain_text("Gwezboell")
    expect(page.get_by_role("radio", name="Gwezboell")).to_be_checked()


def test_the_second_half_of_a_double_click_and_a_key_that_is_held_answer_nothing(visit: Visitors) -> None:
    page = table(visit)
    play(page, "d2-c2")
    draw = box_of(page.get_by_role("button", name="Draw"))
    row = box_of(page.locator(".actions"))
    page.mouse.dblclick(row["x"] + 0.58 * row["width"], draw["y"] + draw["height"] / 2)
    expect(page.get_by_role("button", name="No", exact=True)).to_be_visible()
    expect(page.locator("tafl-board .cell.mine").first).to_be_attached()
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.get_by_role("button", name="Draw")).to_be_focused()
    page.get_by_role("button", name="Resign").focus()
    for _ in range(5):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    question = page.get_by_role("group", name="King’s side resigns?")
    expect(question.get_by_role("button", name="Resign")).to_be_focused()
    expect(page.locator("tafl-board .cell.mine").first).to_be_attached()
    page.keyboard.press("Enter")
    expect(announcement(page)).to_contain_text("win")


@pytest.mark.deep
def test_a_question_ends_with_its_cause_and_the_keyboard_stays_where_it_was_used(visit: Visitors) -> None:
    maker, friend = invited(visit)
    maker.get_by_role("button", name="Cancel game").click()
    question = maker.get_by_role("group", name="Cancel this game?")
    expect(question).to_be_visible()
    play(maker, "d6-c6")
    play(friend, "d5-c5")
    expect(maker.get_by_role("button", name="Resign")).to_be_visible()
    expect(question).to_have_count(0)
    take_back = maker.get_by_role("button", name="Undo")
    # A key is pressed whether the button can be pressed or not.
    expect(take_back).to_be_enabled()
    take_back.press("Enter")
    friend.get_by_role("button", name="Accept").press("Enter")
    expect(friend.get_by_role("button", name="Draw")).to_be_visible()
    assert friend.evaluate("document.activeElement.className") == "actions"
    friend.keyboard.press("Tab")
    expect(friend.locator(".actions button:focus")).to_have_count(1)


@pytest.mark.deep
def test_a_move_is_taken_back_once_and_a_hint_goes_with_the_next_move(visit: Visitors) -> None:
    page = visit("/en/")
    make(page, variant="brandub-globe", opponent="computer", level="1", side="attackers")
    wait_for_board(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("tafl-board .arrow")).to_have_count(1)
    wait_for_board(page)
    for count, text in ((2, "d6-c6"), (4, "d2-c2")):
        until(page, lambda: on_board(page)["turn"] == "attackers", "the computer has played")
        play(page, text)
        expect(moves(page)).to_have_count(count)
    page.get_by_role("button", name="Undo").evaluate(TWICE)
    expect(moves(page)).to_have_count(2)
    expect(page.locator("tafl-board .arrow")).to_have_count(0)
    expect(page.locator(".notice")).to_have_count(0)


@pytest.mark.deep
def test_the_last_choice_of_a_game_counts(visit: Visitors) -> None:
    # What a service worker answers cannot be held back.
    page = visit("/en/new")
    held = hold_back(page, re.compile(r"/new\?(?!variant=ard-ri-globe$).*variant=ard-ri-globe"))
    page.get_by_role("radio", name="Ard-ri Le Globe Joueur").check()
    until(page, lambda: len(held) == 1, "the first choice is requested")
    page.get_by_role("radio", name="Gwezboell").check()
    expect(page.locator(".new-board")).to_contain_text("Gwezboell")
    held[0].continue_()
    page.evaluate("fetch('/en/new?variant=ard-ri-globe').then((answer) => answer.text())")
    expect(page.get_by_role("radio", name="Gwezboell")).to_be_checked()
    expect(page.locator(".new-board")).to_contain_text("Gwezboell")


def test_a_game_at_one_device_and_its_settings_are_the_same_in_two_tabs(visit: Visitors) -> None:
    page = table(visit)
    other = page.context.new_page()
    other.goto(page.url)
    wait_for_board(other)
    play(page, "d2-c2")
    expect(moves(other)).to_have_text(["d2–c2"])
    play(other, "d5-c5")
    expect(moves(page)).to_have_text(["d2–c2", "d5–c5"])
    page.get_by_role("button", name="Undo").click()
    expect(moves(other)).to_have_text(["d2–c2"])
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Carved").first.check()
    other.get_by_role("button", name="Sounds").click()
    page.reload()
    expect(page.locator("tafl-board")).to_have_attribute("board", "runic")
    expect(page.get_by_role("button", name="Sounds")).to_have_attribute("aria-pressed", "false")
