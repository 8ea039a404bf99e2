"""Games that the browser keeps: against the computer, and for two at one device."""

import re

import pytest
from playwright.sync_api import Page, expect

from hnefi.record import parse_records
from hnefi.server.pages.board_tiles import board_tile
from tests.timeouts import wait_until
from tests.web.conftest import Visitors
from tests.web.game_page import (
    announcement,
    box_of,
    downloaded,
    moves,
    opened,
    overflows,
    play,
    resign,
    until,
    wait_for_board,
)
from tests.web.online import on_board

AGAINST = "/en/computer?variant=brandub-globe&level=1"
# The attackers' soldier on g1 can capture nothing, and the king is far from every corner.
LONG_GAME = "7/7/3t3/2tKt2/7/7/t5t a 0"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def saved(page: Page) -> int:
    """Returns how many games the browser keeps."""
    return int(page.evaluate("JSON.parse(localStorage.getItem('hnefi.tables') ?? '[]').length"))


def in_storage(page: Page, count: int) -> None:
    wait_until(lambda: saved(page) == count, "the browser keeps the games")


def test_the_language_of_a_game_is_changed_on_a_small_phone(visit: Visitors) -> None:
    page = opened(visit, f"{AGAINST}&side=attackers", viewport={"width": 360, "height": 640})
    play(page, "d6-c6")
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").get_by_role("link", name="Français").click()
    page.wait_for_url("**/fr/computer*")
    expect(moves(page)).to_have_count(2)
    # At 200 % zoom the French words stay within their buttons.
    page.set_viewport_size({"width": 640, "height": 400})
    rooms = page.locator(".actions button").evaluate_all(
        """(buttons) => buttons.map((button) => {
            const text = document.createRange();
            text.selectNodeContents(button);
            return button.getBoundingClientRect().right - text.getBoundingClientRect().right;
        })"""
    )
    assert min(rooms) >= 4


def test_the_computer_answers_and_the_game_stays_in_this_browser(visit: Visitors) -> None:
    page = opened(visit, f"{AGAINST}&side=attackers")
    assert saved(page) == 0
    play(page, "d6-c6")
    expect(moves(page)).to_have_count(2)
    expect(page).to_have_title(re.compile("^● Your turn · Brandub"))
    expect(page.locator(".game-side .beside-name")).to_have_text("Brandub (Le Globe Joueur)")
    page.reload()
    expect(moves(page)).to_have_count(2)
    page.goto("/en/games")
    link = page.get_by_role("link", name="Brandub (Le Globe Joueur)")
    expect(link).to_contain_text("Lamb, level 1")
    # The small board shows the game as it stands: a piece on c6, which is empty at the start.
    expect(link.locator("use[x='200'][y='100']")).to_have_count(1)
    link.click()
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(moves(page)).to_have_count(0)
    assert "/api/games/" not in page.url


@pytest.mark.deep
def test_a_game_that_was_only_looked_at_is_not_kept_and_a_rematch_swaps_the_sides(visit: Visitors) -> None:
    page = visit(f"{AGAINST}&side=defenders")
    # The attackers begin: the computer has moved, the user has not.
    expect(moves(page)).to_have_count(1)
    expect(page.locator(".near-player")).to_contain_text("You")
    expect(page.locator("tafl-board[flip]")).to_be_attached()
    page.goto("/en/table?variant=gwezboell-globe")
    wait_for_board(page)
    page.goto("/en/games")
    expect(page.get_by_text("No games yet.")).to_be_visible()
    # A rematch swaps the sides.
    page.goto(f"{AGAINST}&side=attackers")
    play(page, "d6-c6")
    expect(moves(page)).to_have_count(2)
    first = page.url
    resign(page)
    expect(page).to_have_title(re.compile("^Brandub"))
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".near-player")).to_contain_text("King’s side")
    expect(moves(page)).to_have_count(1)
    assert page.url != first
    # The game that is over is found again, and the one that has begun.
    page.go_back()
    expect(page.get_by_role("heading", name="You resigned")).to_be_visible()
    assert page.url == first
    page.go_forward()
    expect(page.locator(".near-player")).to_contain_text("King’s side")
    expect(moves(page)).to_have_count(1)


# Counts the answers of the engine's worker.
COUNT_ANSWERS = """
    window.answers = 0;
    window.Worker = class extends Worker {
        constructor(...given) {
            super(...given);
            this.addEventListener("message", ({ data }) => { if ("answer" in data) window.answers += 1; });
        }
    };
"""
# A worker that starts, and never answers.
NEVER_ANSWERS = "window.Worker = class extends EventTarget { postMessage() {} terminate() {} };"

# A worker that cannot be started.
FAILS = """
    window.RealWorker = Worker;
    window.Worker = class extends EventTarget {
        postMessage() { queueMicrotask(() => this.dispatchEvent(new Event("error"))); }
        terminate() {}
    };
"""


def with_clock(visit: Visitors, script: str) -> Page:
    """Opens a game against the computer whose clock the test sets, with a script before all others."""
    page = visit("/en/games")
    page.add_init_script(script)
    page.clock.install()
    page.goto(f"{AGAINST}&side=attackers")
    wait_for_board(page)
    # The clock goes on until it is paused: the time ahead covers a slow machine.
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 5)
    return page


@pytest.mark.deep
def test_the_computer_takes_its_time(visit: Visitors) -> None:
    page = with_clock(visit, COUNT_ANSWERS)
    play(page, "d6-c6")
    until(page, lambda: page.evaluate("window.answers") == 1, "the engine has found its move")
    page.clock.run_for(550)
    expect(moves(page)).to_have_count(1)
    page.clock.run_for(300)
    expect(moves(page)).to_have_count(2)


@pytest.mark.deep
def test_a_slow_device_is_helped_by_the_server(visit: Visitors) -> None:
    page = with_clock(visit, NEVER_ANSWERS)
    play(page, "d6-c6")
    page.clock.run_for(10_500)
    expect(page.get_by_text("This device is slow to find a move.")).to_be_visible()
    page.clock.resume()
    page.get_by_role("button", name="Ask the server").click()
    expect(moves(page)).to_have_count(2)
    expect(page.locator("tafl-board .mine").first).to_be_attached()
    # Which moves are legal depends on the answer.
    origin, targets = next(iter(on_board(page)["legal"].items()))
    play(page, f"{origin}-{targets[0]['to']}")
    expect(moves(page)).to_have_count(4)


@pytest.mark.deep
def test_a_hint_is_proposed_to_beginners_after_a_long_silence(visit: Visitors) -> None:
    page = with_clock(visit, "")
    page.clock.run_for(31_000)
    expect(page.get_by_role("status").filter(has_text="Press Hint")).to_be_visible()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("tafl-board .arrow, tafl-board [class*=arrow]").first).to_be_attached()
    page.clock.run_for(1_000)
    expect(page.get_by_role("status").filter(has_text=re.compile("Hint: .\\d–.\\d")).first).to_be_visible()


@pytest.mark.deep
def test_setups_and_own_rules_are_played(visit: Visitors) -> None:
    page = opened(visit, f"{AGAINST}&side=attackers&rule.quiet_limit=4&position={LONG_GAME}")
    play(page, "a1-b1")
    expect(moves(page)).to_have_count(2)
    page.reload()
    expect(moves(page)).to_have_count(2)
    # From half of the limit on.
    expect(page.get_by_text("Moves without a capture: 2 (draw at 4)")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("Moves without a capture")).to_have_count(0)


def test_a_game_survives_a_browser_without_the_engine(visit: Visitors) -> None:
    visit.script = FAILS
    page = visit(f"{AGAINST}&side=attackers")
    play(page, "d6-c6")
    expect(page.get_by_text("Your game is safe.")).to_be_visible()
    page.evaluate("() => { window.Worker = window.RealWorker; }")
    page.get_by_role("button", name="Try again").click()
    expect(moves(page)).to_have_count(2)


@pytest.mark.deep
def test_without_an_opponent_one_plays_both_sides(visit: Visitors) -> None:
    visit.script = FAILS
    page = visit(f"{AGAINST}&side=attackers")
    play(page, "d6-c6")
    page.get_by_role("button", name="Play both sides").click()
    page.wait_for_url("**/en/table#*")
    wait_for_board(page)
    expect(moves(page)).to_have_count(1)
    play(page, "d5-c5", "d2-c2")
    expect(moves(page)).to_have_count(3)


@pytest.mark.deep
def test_two_at_one_device_have_names(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=brandub-globe")
    field = page.get_by_role("textbox", name="Attackers")
    assert box_of(field)["height"] >= 44
    field.fill("Ana")
    page.get_by_role("textbox", name="King’s side").fill("Bran")
    expect(page.locator(".near-player")).to_contain_text("Ana")
    play(page, "d2-c2")
    expect(page.locator("fieldset.names")).to_have_count(0)
    resign(page)
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".near-player")).to_contain_text("Bran")
    play(page, "d2-c2")
    in_storage(page, 2)
    page.goto("/en/games")
    expect(page.get_by_text("Ana – Bran")).to_have_count(2)
    page.goto("/en/table")
    expect(moves(page)).to_have_count(1)
    resign(page)
    page.goto("/en/games")
    # Both are over: who comes without asking for one of them begins another.
    page.goto("/en/table")
    wait_for_board(page)
    expect(moves(page)).to_have_count(0)
    page.goto("/en/table?variant=brandub-globe&names=Mia&names=Noé")
    expect(page.locator(".near-player")).to_contain_text("Mia")


def test_a_game_at_one_device_is_saved_as_a_record_and_carried_by_a_link(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=brandub-globe&names=Ana&names=Bran%20%22B%22")
    play(page, "d2-c2", "d5-c5", "d6-c6")
    expect(moves(page)).to_have_count(3)
    page.get_by_role("button", name="Share and save").click()
    (record,) = parse_records(downloaded(page, "Game record").path().read_text("utf-8"))
    assert dict(record.headers)["Defenders"] == 'Bran "B"'
    replayed = record.replay()
    assert replayed.ok
    assert replayed.game is not None
    assert [str(ply.move) for ply in replayed.game.plies] == ["d2-c2", "d5-c5", "d6-c6"]
    link = page.get_by_label("Link to this game", exact=True).input_value()
    # Whoever gets it reads it in a language of their own.
    assert "/en/" not in link
    other = visit(link)
    expect(other.get_by_role("heading", name='Ana – Bran "B"')).to_be_visible()
    expect(other.locator(".move-tree")).to_contain_text("d5–c5")
    expect(other.get_by_role("button", name="Start engine")).to_have_count(0)
    expect(other.get_by_role("button", name="Delete from here")).to_have_count(0)
    other.get_by_role("button", name="Analyse").click()
    expect(other.get_by_role("button", name="Start engine")).to_be_visible()
    # A side without a player's name has none in the link, and a game that was given up says so.
    page.get_by_role("button", name="Close").click()
    page.goto("/en/table?variant=brandub-globe&names=&names=")
    play(page, "d2-c2")
    resign(page)
    page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Share and save").click()
    other.goto(page.get_by_label("Link to this game", exact=True).input_value())
    expect(other.locator(".state")).to_have_text("The king’s side resigns. The attackers win.")
    expect(other.locator(".replay h2")).to_have_count(0)


def test_moves_are_confirmed_where_squares_are_small(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=brandub-globe", **PHONE)
    board, zoom = page.locator("tafl-board"), page.get_by_role("button", name="Zoom in on the board")
    expect(zoom).to_have_count(0)
    expect(board).not_to_have_attribute("confirm", "")
    page.goto("/en/table?variant=copenhagen-11")
    expect(board).to_have_attribute("confirm", "")
    before = box_of(board)
    zoom.tap()
    after = box_of(board)
    assert after["width"] > before["width"] * 1.4
    expect(board).not_to_have_attribute("confirm", "")
    assert overflows(page) == {}
    expect(announcement(page)).to_have_count(0)


@pytest.mark.deep
@pytest.mark.parametrize("variant", ["foteviken-tablut-9", "alea-evangelii-19", "brandub-globe"])
def test_a_game_in_the_list_has_the_marks_of_its_board(visit: Visitors, variant: str) -> None:
    page = opened(visit, f"/en/table?variant={variant}")
    origin, targets = next(iter(on_board(page)["legal"].items()))
    play(page, f"{origin}-{targets[0]['to']}")
    in_storage(page, 1)
    page.goto("/en/games")
    drawn = page.locator(".game-tiles .tile-marks").get_attribute("d") or ""
    (told,) = re.findall('tile-marks" d="([^"]+)"', board_tile(variant))
    assert sorted(drawn.split("M")) == sorted(told.split("M"))
