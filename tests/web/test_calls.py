"""Calls on the pages: made by the page or by the player, forgotten, wrong."""

import pytest
from playwright.sync_api import expect

from hnefi.record import format_records, parse_records
from tests.web.conftest import Visitors
from tests.web.game_page import (
    announcement,
    call_and_play,
    downloaded,
    moves,
    opened,
    play,
    resign,
    wait_for_board,
)
from tests.web.test_playing import BEFORE_RAICHI
from tests.web.test_studies import exported


def test_one_road_and_two_are_called_out(visit: Visitors) -> None:
    page = opened(visit, f"/fr/table?variant=gwezboell-globe&position={BEFORE_RAICHI}", locale="fr-FR")
    play(page, "d2-d1")
    expect(announcement(page)).to_contain_text("Raichi\u202f!")
    expect(announcement(page)).to_contain_text("Une route est ouverte\u00a0: de d1 à a1.")
    expect(page.locator(".moves em")).to_have_text("raichi")
    expect(page.locator(".king-line")).to_contain_text("1 route ouverte")
    # Two roads that win are called at the end.
    page.goto("/fr/table?variant=tablut-kouvia&position=9/9/9/9/2K6/9/9/9/6t2 d 0")
    play(page, "c5-a5")
    expect(announcement(page)).to_contain_text("Tuichi\u202f! Deux routes sont ouvertes")
    expect(announcement(page)).to_contain_text("Le camp du roi gagne.")
    expect(page.locator(".moves em")).to_have_text("tuichi")


@pytest.mark.deep
def test_a_move_and_its_call_are_announced_once(visit: Visitors) -> None:
    page = opened(visit, f"/en/table?variant=gwezboell-globe&position={BEFORE_RAICHI}")
    page.locator("tafl-board").evaluate(
        "(board) => { const status = board.shadowRoot.querySelector('[role=status]'); window.texts = [];"
        "const add = () => window.texts.push(status.textContent);"
        "new MutationObserver(add).observe(status, {childList: true}); }"
    )
    play(page, "d2-d1")
    expect(page.locator("tafl-board [role=status]")).to_contain_text("Raichi!")
    first, second = page.evaluate("window.texts")
    assert "d1" in first
    assert "Raichi!" not in first
    assert second.startswith("Raichi!")
    assert page.get_by_role("status").filter(has_text="Raichi").count() == 1
    # The call belongs to the move that opened the road.
    play(page, "a4-b4")
    expect(moves(page)).to_have_count(2)
    expect(page.locator(".moves em")).to_have_count(1)
    expect(announcement(page).filter(has_text="Raichi")).to_have_count(0)
    # The road is still there to be seen.
    expect(page.locator("tafl-board .step").first).to_be_attached()


def test_a_forgotten_call_refuses_the_escape(visit: Visitors) -> None:
    page = opened(visit, f"/en/table?variant=gwezboell-globe&calls=manual&position={BEFORE_RAICHI}")
    expect(page.locator(".call-choice")).to_contain_text(
        "the attackers replay their move with the same piece"
    )
    play(page, "d2-d1", "a4-b4", "d1-a1")
    expect(announcement(page)).to_contain_text("“Raichi” wasn’t called.")
    expect(announcement(page)).to_contain_text("So the escape d1–a1 doesn’t count.")
    expect(moves(page)).to_have_text(["K d2–d1"])
    play(page, "a4-a2")


@pytest.mark.deep
def test_a_wrong_number_refuses_the_escape_where_it_counts_as_forgotten(visit: Visitors) -> None:
    manual = "/en/table?variant=brandub-globe&calls=manual&position=7/7/2K4/7/7/7/3t3%20d"
    page = opened(visit, manual)
    expect(page.locator(".call-choice")).to_contain_text("A wrong number counts as no call.")
    page.locator(".call-choice").get_by_text("one exit").click()
    play(page, "c5-a5", "d1-d2", "a5-a7")
    expect(announcement(page)).to_contain_text("“Two exits” wasn’t called.")
    page = opened(visit, f"{manual}&rule.wrong_number=call")
    page.locator(".call-choice").get_by_text("one exit").click()
    play(page, "c5-a5", "d1-d2", "a5-a7")
    expect(announcement(page)).to_contain_text("The king’s side wins")


@pytest.mark.deep
def test_manual_calls_show_no_open_roads_before_the_move(visit: Visitors) -> None:
    page = opened(visit, f"/en/table?variant=gwezboell-globe&calls=manual&position={BEFORE_RAICHI}")
    chevrons = page.locator("tafl-board .step")
    play(page, "d2-d1")
    expect(moves(page)).to_have_count(1)
    expect(page.locator(".king-line")).not_to_contain_text("road")
    expect(page.locator("tafl-board [data-square=a4].mine")).to_be_attached()
    expect(chevrons).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(moves(page)).to_have_count(0)
    expect(page.locator("tafl-board [data-square=d2].mine")).to_be_attached()
    page.get_by_label("raichi").check()
    play(page, "d2-d1")
    expect(page.locator(".king-line")).to_contain_text("1 open road")
    expect(chevrons.first).to_be_attached()


def test_a_call_counts_for_a_move_that_follows_at_once(visit: Visitors) -> None:
    page = opened(visit, f"/en/table?variant=gwezboell-globe&calls=manual&position={BEFORE_RAICHI}")
    call_and_play(page, "raichi", "d2-d1")
    expect(announcement(page)).to_contain_text("Raichi!")
    play(page, "a4-b4", "d1-a1")
    expect(announcement(page)).to_contain_text("The king’s side wins.")


def test_calls_and_refused_escapes_are_in_the_records_of_a_game_and_of_its_analysis(visit: Visitors) -> None:
    page = opened(visit, f"/en/table?variant=gwezboell-globe&calls=manual&position={BEFORE_RAICHI}")
    play(page, "d2-d1", "a4-b4", "d1-a1", "a4-a2")
    call_and_play(page, "raichi", "d1-c1")
    expect(moves(page)).to_have_count(3)
    resign(page)
    page.get_by_role("button", name="Review").click()
    # The call with the last move is still there when the players have ended the game.
    expect(page.locator(".moves em")).to_have_text("raichi")
    page.get_by_role("button", name="Share and save").click()
    (record,) = parse_records(downloaded(page, "Game record").path().read_text("utf-8"))
    written = "1. d2-d1 2. a4-b4 taken_back 3. d1-a1 refused 2. a4-a2 3. d1-c1!1 defenders"
    assert format_records([record]).endswith(f"\n{written}\n")
    assert record.replay().ok
    page.get_by_role("button", name="Close").click()
    page.get_by_role("link", name="Analyse").click()
    wait_for_board(page)
    analysed = exported(page)
    assert (analysed.nodes, analysed.reason) == (record.nodes, record.reason)
    assert {"Calls", "Sanction", "Replay"} <= dict(analysed.headers).keys() & dict(record.headers).keys()
    assert analysed.replay().ok
    # Where the program calls, it has called with the last move as well.
    page.goto(f"/en/table?variant=gwezboell-globe&position={BEFORE_RAICHI}")
    wait_for_board(page)
    play(page, "d2-d1")
    expect(moves(page)).to_have_count(1)
    resign(page)
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".moves em")).to_have_text("raichi")
