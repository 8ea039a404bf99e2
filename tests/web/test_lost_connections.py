"""Games at the server in browsers whose connection is lost, silent or refused, and across restarts."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.pages import Contexts
from tests.server.serving import RunningServer
from tests.web.conftest import Visitors, visiting
from tests.web.game_page import announcement, moves, play, wait_for_board
from tests.web.online import invited, make


def test_a_move_without_a_connection_waits_for_it_and_outlasts_the_page(visit: Visitors) -> None:
    maker, friend = invited(visit)
    maker.context.set_offline(True)
    expect(maker.locator(".notice")).to_contain_text("Connection lost")
    play(maker, "d6-c6")
    expect(maker.locator("tafl-board .piece.waiting")).to_have_count(1)
    expect(moves(friend)).to_have_count(0)
    maker.context.set_offline(False)
    for page in (maker, friend):
        expect(moves(page)).to_have_count(1)
    expect(maker.locator("tafl-board .piece.waiting")).to_have_count(0)
    expect(maker.locator(".notice")).to_have_count(0)
    friend.context.set_offline(True)
    friend.context.set_offline(False)
    play(friend, "d5-c5")
    expect(moves(maker)).to_have_count(2)
    maker.context.set_offline(True)
    expect(maker.locator(".notice")).to_contain_text("Connection lost")
    play(maker, "c6-d6")
    unsent = maker.evaluate(
        "Object.keys(localStorage).filter((key) => key.startsWith('hnefi.unsent.')).length"
    )
    assert unsent == 1
    address, context = maker.url, maker.context
    maker.close()
    context.set_offline(False)
    again = context.new_page()
    again.goto(address)
    for page in (again, friend):
        expect(moves(page)).to_have_count(3)


def test_a_connection_that_has_died_silently_is_replaced(visit: Visitors) -> None:
    """Silences a connection without closing it, as in a tunnel."""
    # The page may just begin another one when it is left.
    visit.expected += ("WebSocket is closed before the connection is established",)
    page = visit("/en/")
    silent, opened = list[bool](), list[str]()

    def between(route: WebSocketRoute) -> None:
        opened.append(route.url)
        server = route.connect_to_server()
        mine = len(opened)
        route.on_message(lambda message: None if silent and mine == 1 else server.send(message))
        server.on_message(lambda message: None if silent and mine == 1 else route.send(message))

    page.route_web_socket(re.compile(r"/ws\?game="), between)
    page.clock.install()
    make(page, variant="brandub-globe", opponent="computer", level="1", side="attackers")
    wait_for_board(page)
    silent.append(True)
    play(page, "d6-c6")
    # The page believes that nothing has come for ten seconds.
    page.clock.fast_forward(10_000)
    expect(moves(page)).to_have_count(2)
    # The proxy brings it to any process: the one of before may hang.
    assert [url.endswith("&again") for url in opened] == [False, True]


def test_a_move_that_cannot_be_saved_says_so_and_is_sent_again(visit: Visitors) -> None:
    page = visit("/en/")
    full = [True]

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            sent = json.loads(message)
            if full and sent["type"] == "move":
                refusal = {"type": "reject", "id": sent["id"], "code": "not_saved", "message": ""}
                route.send(json.dumps({**refusal, "facts": {}}))
            else:
                server.send(message)

        route.on_message(pass_on)
        server.on_message(route.send)

    page.route_web_socket(re.compile(r"/ws\?game="), between)
    make(page, variant="brandub-globe", opponent="computer", level="1", side="attackers")
    wait_for_board(page)
    play(page, "d6-c6")
    expect(page.locator(".notice")).to_contain_text("The server can’t save anything at the moment.")
    full.clear()
    expect(moves(page)).to_have_count(2)
    expect(page.locator(".notice")).to_have_count(0)


@pytest.mark.deep
def test_an_absent_player_loses_and_sees_it_after_reconnecting(browser: Browser, tmp_path: Path) -> None:
    running = RunningServer(tmp_path, away_s=3)
    with running as server, visiting(Contexts(browser), server.address) as visitors:
        maker, friend = invited(visitors, clock="5_3")
        play(maker, "d6-c6")
        play(friend, "d5-c5")
        play(maker, "c6-d6")
        expect(moves(friend)).to_have_count(3)
        address, device = friend.url, friend.context
        expect(maker.get_by_role("button", name="Claim the win")).to_have_count(0)
        friend.close()
        expect(maker.locator(".top-player")).to_contain_text("not at the board")
        maker.get_by_role("button", name="Claim the win").click()
        maker.get_by_role("button", name="Yes").click()
        expect(announcement(maker)).to_contain_text("attackers win", ignore_case=True)
        back = device.new_page()
        back.goto(address)
        expect(announcement(back)).to_contain_text("attackers win", ignore_case=True)
        expect(back.locator("tafl-board")).to_have_attribute("movable", "none")


@pytest.mark.deep
def test_the_server_restarts_in_the_middle(browser: Browser, tmp_path: Path) -> None:
    with RunningServer(tmp_path) as server:
        visitors = Visitors(Contexts(browser), server.address)
        maker, friend = invited(visitors)
        play(maker, "d6-c6")
        expect(moves(friend)).to_have_count(1)
        server.kill()
        expect(friend.locator(".notice")).to_contain_text("Connection lost")
        play(friend, "d5-c5")
        server.start()
        for page in (maker, friend):
            expect(moves(page)).to_have_count(2)
        play(maker, "c6-d6")
        expect(moves(friend)).to_have_count(3)
        visitors.leave()
