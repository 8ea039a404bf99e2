"""Helpers for games at the server: create, join and play them."""

import time
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Page, ViewportSize, expect

from tests.timeouts import timeout_s
from tests.web.conftest import Visitors
from tests.web.game_page import box_of, wait_for_board


def on_board(page: Page) -> dict[str, Any]:
    """Returns what the board shows: position, side to move, legal moves, and the move that was sent."""
    shown: dict[str, Any] = page.locator("tafl-board").evaluate(
        "({state, input}) => ({turn: state?.turn, legal: state?.legal ?? {}, sent: input.sent, "
        "position: state?.position})"
    )
    return shown


def make(page: Page, **query: str) -> str:
    """Creates a game at the server on the page for new games, and returns its id."""
    page.goto(form(query))
    return begin(page)


def form(query: dict[str, str]) -> str:
    """Returns the address of the page for new games with the answers to its questions."""
    return f"/en/new?{urlencode({'engine': 'server', **query})}"


def begin(page: Page) -> str:
    """Creates the game that is chosen on a page, and returns its id."""
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/game/*")
    return page.url.partition("#")[0].rpartition("/")[2]


def play_to_the_end(page: Page, side: str) -> int:
    """Plays the first capture, else the first move, to the end; returns the number of own moves."""
    for count in range(300):
        until = time.monotonic() + timeout_s()
        shown = on_board(page)
        while shown["turn"] is not None and (shown["turn"] != side or shown["sent"]):
            assert time.monotonic() < until, "nothing happens"
            page.wait_for_timeout(20)
            shown = on_board(page)
        if shown["turn"] is None:
            return count
        choices = [
            (bool(one["captures"]), origin, one["to"]) for origin, to in shown["legal"].items() for one in to
        ]
        _, origin, target = max(choices)
        assert page.locator("tafl-board").evaluate("(b, text) => b.play(text)", f"{origin}-{target}")
    raise AssertionError("the game does not end")


BETWEEN_FRIENDS = {"variant": "brandub-globe", "opponent": "friend", "side": "attackers"}


def invited(visit: Visitors, *, service_workers: str = "block", **query: str) -> tuple[Page, Page]:
    """Creates a game, of Brandub with the attackers if nothing else is said, and has a friend join it."""
    maker = visit(form({**BETWEEN_FRIENDS, **query}), service_workers=service_workers)
    begin(maker)
    link = maker.get_by_label("Link for your friend", exact=True).input_value()
    friend = visit(link)
    friend.get_by_role("button", name="Accept and play").click()
    wait_for_board(maker)
    expect(friend.locator("tafl-board")).to_be_visible()
    return maker, friend


PHONE: ViewportSize = {"width": 360, "height": 640}


def take_back(asker: Page, other: Page, moves: str) -> None:
    """Asks to undo moves, which the other refuses first, on a phone."""
    asker.get_by_role("button", name="Undo").click()
    expect(other.locator(".notice")).to_have_text(f"Your opponent asks to undo {moves}.")
    other.set_viewport_size(PHONE)
    answers = other.locator(".actions button")
    assert all(box_of(answer)["height"] >= 44 for answer in answers.all())
    answers.filter(has_text="Decline").click()
    expect(asker.locator(".notice")).to_contain_text("the move stands")
    asker.get_by_role("button", name="Undo").click()
    answers.filter(has_text="Accept").click()


def play_again(asker: Page, other: Page) -> None:
    """Offers a rematch, which the other refuses at the end, on a phone, and accepts in the review."""
    # The buttons move down when the curve above them comes, and when it is drawn.
    expect(asker.locator(".ending figcaption > span")).to_be_visible()
    asker.get_by_role("button", name="Rematch").click()
    expect(asker.get_by_role("button", name="Rematch offered")).to_be_disabled()
    other.set_viewport_size(PHONE)
    answers = other.locator(".ending .buttons button")
    expect(answers).to_have_text(["Accept rematch", "Decline"])
    accept, decline = (box_of(answer) for answer in answers.all())
    assert accept["y"] == decline["y"] < PHONE["height"] - accept["height"]
    expect(other.locator(".ending").get_by_text("Your opponent offers a rematch.")).to_be_in_viewport(ratio=1)
    answers.last.click()
    expect(asker.locator(".ending")).to_contain_text("No rematch for now.")
    other.get_by_role("button", name="Review").click()
    asker.get_by_role("button", name="Rematch").click()
    expect(other.locator(".notice")).to_have_text("Your opponent offers a rematch.")
    # The offer does not end the review.
    expect(other.locator(".ending")).to_have_count(0)
    other.get_by_role("button", name="Accept rematch").click()
