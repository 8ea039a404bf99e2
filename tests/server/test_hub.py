"""The WebSocket address: opening, playing, coming back, and everything that is refused there."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from hnefi.server.hub import LONGEST_FRAME
from tests.server.clients import Browser, Program, two_at_a_game
from tests.server.conftest import OWN, settings_in

ADDRESS = OWN.replace("http:", "ws:") + "/ws"


class Line:
    """A connection, as a page uses it."""

    def __init__(self, session: WebSocketTestSession) -> None:
        self.session = session

    def say(self, **message: object) -> None:
        self.session.send_text(json.dumps(message))

    def hear(self, *kinds: str) -> dict[str, Any]:
        """Gives the next message of one of these types, or of any."""
        while True:
            message: dict[str, Any] = json.loads(self.session.receive_text())
            if not kinds or message["type"] in kinds:
                return message

    def open(self, game: str, since: int | None = None) -> dict[str, Any]:
        self.say(type="hello", v=1, game=game, since=since)
        return self.hear("state", "event", "reject", "presence")


@contextlib.contextmanager
def line(server: TestClient, program: Program | None = None, **headers: str) -> Iterator[Line]:
    told = {**(program.headers if program else {}), **headers}
    with server.websocket_connect(ADDRESS, headers=told) as session:
        yield Line(session)


def test_two_play_on_two_connections(server: TestClient) -> None:
    game, ana, bran = two_at_a_game(server)
    with line(server, ana) as one, line(server, bran) as two:
        assert one.open(game)["you"] == [0]
        assert two.open(game)["you"] == [1]
        assert one.hear("presence")["present"] == [True, False]
        assert one.hear("presence")["present"] == [True, True]
        one.say(type="move", id="m1", seq=3, move="d2-c2")
        assert one.hear("event")["ply"]["move"] == "d2-c2"
        assert one.hear("ack") == {"type": "ack", "id": "m1", "seq": 4}
        assert two.hear("event")["after"]["turn"] == "defenders"
        one.say(type="move", id="m2", seq=4, move="c2-d2")
        assert one.hear("reject")["code"] == "not_your_turn"
        two.say(type="move", id="m1", seq=4, move="d3-d9")
        assert two.hear("reject")["code"] == "not_on_board"
        two.say(type="command", id="c1", seq=4, do="offer_draw")
        assert one.hear("event")["after"]["offers"] == {"draw": 1}


def test_who_comes_back_is_told_what_he_missed(server: TestClient) -> None:
    game, ana, bran = two_at_a_game(server)
    with line(server, ana) as one:
        one.open(game)
        ana.move(game, "d2-c2", 3)
        bran.move(game, "d3-c3", 4)
        one.hear("event")
    with line(server, ana) as again:
        assert again.open(game, since=4)["seq"] == 5
        assert again.hear()["type"] == "presence"
        assert again.open(game, since=99)["type"] == "state"


def test_a_clock_of_the_browser_is_not_even_a_message(server: TestClient) -> None:
    game, ana, _ = two_at_a_game(server, clock={"kind": "fischer", "initial_s": 60, "increment_s": 0})
    with line(server, ana) as one:
        one.open(game)
        one.say(type="move", id="m", seq=3, move="d2-c2", clock_ms=10**9)
        assert one.hear("reject")["code"] == "bad_message"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:8730"},
        {"Origin": "http://127.0.0.1:8731"},
        {"Origin": "http://sub.127.0.0.1:8730"},
        {"Origin": OWN, "Host": "evil.example"},
        {"Origin": "http://evil.example", "Host": "evil.example"},
    ],
)
def test_pages_of_others_cannot_connect(server: TestClient, headers: dict[str, str]) -> None:
    with pytest.raises(WebSocketDisconnect), server.websocket_connect(ADDRESS, headers=headers):
        raise AssertionError
    with line(server, Origin=OWN) as own:
        own.say(type="ping", t=5)
        assert own.hear()["t"] == 5


def test_a_browser_plays_with_its_cookie(server: TestClient) -> None:
    browser = Browser(server)
    made = browser.post("/api/games", {"variant": "brandub-globe", "opponent": "same_device"}).json()
    cookie = "; ".join(f"{name}={value}" for name, value in browser.client.cookies.items())
    with line(server, Origin=OWN, Cookie=cookie) as own:
        assert own.open(made["game"])["you"] == [0, 1]
        own.say(type="move", id="m", seq=3, move="d2-c2")
        assert own.hear("ack")["seq"] == 4


def test_seats_come_from_secrets_and_never_from_messages(server: TestClient) -> None:
    game, _, bran = two_at_a_game(server)
    _, eve, _ = two_at_a_game(server)
    moves = {"type": "move", "id": "x", "seq": 3, "move": "d2-c2"}
    for program in (bran, eve, Program(server)):
        with line(server, program) as one:
            one.open(game)
            one.say(**moves)
            assert one.hear("reject")["code"] in ("not_your_turn", "no_seat")
            one.say(type="command", id="y", seq=3, do="resign")
            if program is bran:
                assert one.hear("ack", "reject")["type"] == "ack"
            else:
                assert one.hear("ack", "reject")["code"] == "no_seat"


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"type":"move"}', '{"type":"hello","v":2,"game":"a"}', "x" * 9_000, "[" * 5_000],
)
def test_what_is_no_message_is_refused_and_after_some_of_them_the_connection_is_closed(
    server: TestClient, text: str
) -> None:
    with line(server, Program(server)) as one:
        for _ in range(5):
            one.session.send_text(text)
            assert one.hear()["code"] in ("bad_message", "message_too_long")
        if len(text) < LONGEST_FRAME:
            with pytest.raises(WebSocketDisconnect) as closed:
                one.hear()
            assert closed.value.code == 1008


def test_bytes_are_refused(server: TestClient) -> None:
    with line(server, Program(server)) as one:
        one.session.send_bytes(b"{}")
        with pytest.raises(WebSocketDisconnect) as closed:
            one.hear()
        assert closed.value.code == 1003


def test_a_flood_of_messages_closes_the_connection(server: TestClient) -> None:
    with line(server, Program(server)) as one:
        for number in range(150):
            one.say(type="ping", t=number)
        with pytest.raises(WebSocketDisconnect) as closed:
            one.hear("never")
        assert closed.value.code in (1008, 1013)


def test_connections_are_counted(tmp_path: Any) -> None:
    from hnefi.server.app import create_app

    few = settings_in(tmp_path, sockets_per_address=2, sockets_per_visitor=1)
    with TestClient(create_app(few), base_url=OWN) as server:
        ana, bran = Program(server), Program(server)
        with line(server, ana):
            with pytest.raises(WebSocketDisconnect), line(server, ana):
                raise AssertionError
            with line(server, bran), pytest.raises(WebSocketDisconnect), line(server, Program(server)):
                raise AssertionError
        with line(server, ana) as again:
            again.say(type="ping", t=1)
            assert again.hear()["t"] == 1


def test_messages_before_hello_and_for_games_that_are_not_are_refused(server: TestClient) -> None:
    with line(server, Program(server)) as one:
        one.say(type="move", id="m", seq=0, move="a1-a2")
        assert one.hear()["code"] == "no_hello"
        assert one.open("nowhere")["code"] == "unknown_game"
