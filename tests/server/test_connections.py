"""The WebSocket address: opening, playing, coming back, and everything that is refused there."""

import contextlib
import json
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Client
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.server.clients import Program, two_at_a_game
from tests.server.serving import RunningServer
from tests.timeouts import TIMEOUT_S, wait_until

MANY = {"games_per_hour": 100_000, "requests_per_minute": 1_000_000}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with RunningServer(tmp_path_factory.mktemp("connections"), **MANY) as server:
        yield server


@pytest.fixture(scope="module")
def server(running: RunningServer) -> Iterator[Client]:
    """A program's client without a secret."""
    with Client(base_url=running.address, timeout=TIMEOUT_S) as client:
        yield client


class Line:
    """A connection, as a page uses it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def say(self, **message: object) -> None:
        self.socket.send(json.dumps(message))

    def hear(self, *kinds: str) -> dict[str, Any]:
        """Returns the next message of one of these types, or of any."""
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(20))
            if not kinds or message["type"] in kinds:
                return message

    def open(self, game: str, since: int | None = None) -> dict[str, Any]:
        self.say(type="hello", v=1, game=game, since=since)
        return self.hear("state", "event", "reject", "presence")

    def end(self) -> int | None:
        """Returns the code with which the server closes it."""
        with pytest.raises(ConnectionClosed):
            self.hear("never")
        return self.socket.close_code


@contextlib.contextmanager
def line(
    server: Client,
    program: Program | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    host: str | None = None,
) -> Iterator[Line]:
    own = server.base_url
    told = {**(program.headers if program else {}), **(headers or {})}
    wire = socket.create_connection((own.host, own.port or 80))
    address = f"ws://{host or own.netloc.decode()}/ws"
    with connect(address, sock=wire, additional_headers=told, compression=None) as opened:
        yield Line(opened)


def pages_of(server: Client) -> str:
    """Returns the origin of the server's pages."""
    return str(server.base_url).rstrip("/")


def test_two_play_on_two_connections(server: Client) -> None:
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


def test_who_comes_back_is_told_what_he_missed(server: Client) -> None:
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


def test_a_clock_of_the_browser_is_not_even_a_message(server: Client) -> None:
    game, ana, _ = two_at_a_game(server, clock={"kind": "fischer", "initial_s": 60, "increment_s": 0})
    with line(server, ana) as one:
        one.open(game)
        one.say(type="move", id="m", seq=3, move="d2-c2", clock_ms=10**9)
        assert one.hear("reject")["code"] == "bad_message"


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (None, None),
        ("https://evil.example", None),
        ("null", None),
        ("https://127.0.0.1:{port}", None),
        ("http://127.0.0.1:1{port}", None),
        ("http://sub.127.0.0.1:{port}", None),
        ("http://127.0.0.1:{port}", "evil.example"),
        ("http://evil.example", "evil.example"),
    ],
)
def test_pages_of_others_cannot_connect(server: Client, origin: str | None, host: str | None) -> None:
    headers = {} if origin is None else {"Origin": origin.format(port=server.base_url.port)}
    with pytest.raises(InvalidStatus) as refused, line(server, host=host, headers=headers):
        raise AssertionError
    assert refused.value.response.status_code == 403
    with line(server, headers={"Origin": pages_of(server)}) as own:
        own.say(type="ping", t=5)
        assert own.hear()["t"] == 5


def test_a_browser_plays_with_its_cookie(server: Client) -> None:
    own_origin = {"Origin": pages_of(server)}
    with Client(base_url=server.base_url) as browser:
        wish = {"variant": "brandub-globe", "opponent": "same_device"}
        made = browser.post("/api/games", json=wish, headers=own_origin).json()
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    with line(server, headers={**own_origin, "Cookie": cookie}) as own:
        assert own.open(made["game"])["you"] == [0, 1]
        own.say(type="move", id="m", seq=3, move="d2-c2")
        assert own.hear("ack")["seq"] == 4


def test_seats_come_from_secrets_and_never_from_messages(server: Client) -> None:
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
    "text", ["", "[]", "{", '{"type":"move"}', '{"type":"hello","v":2,"game":"a"}', "[" * 5_000]
)
def test_what_is_no_message_is_refused_and_after_some_of_them_the_connection_is_closed(
    server: Client, text: str
) -> None:
    with line(server, Program(server)) as one:
        for _ in range(5):
            one.socket.send(text)
            assert one.hear()["code"] == "bad_message"
        assert one.end() == 1008


def test_bytes_are_refused(server: Client) -> None:
    with line(server, Program(server)) as one:
        one.socket.send(b"{}")
        assert one.end() == 1003


def test_a_flood_of_messages_closes_the_connection(server: Client) -> None:
    with line(server, Program(server)) as one:
        # The server may close the connection while messages are still being sent.
        with contextlib.suppress(ConnectionClosed):
            for number in range(150):
                one.say(type="ping", t=number)
        assert one.end() == 1008


def test_connections_are_counted(tmp_path: Path) -> None:
    few = {**MANY, "sockets_per_address": 2, "sockets_per_visitor": 1}
    with RunningServer(tmp_path, **few) as running, Client(base_url=running.address) as server:
        ana, bran = Program(server), Program(server)
        with line(server, ana):
            with pytest.raises(InvalidStatus), line(server, ana):
                raise AssertionError
            with line(server, bran), pytest.raises(InvalidStatus), line(server, Program(server)):
                raise AssertionError

        def comes_in() -> bool:
            try:
                with line(server, ana) as again:
                    again.say(type="ping", t=1)
                    return bool(again.hear()["t"] == 1)
            except InvalidStatus:
                return False

        wait_until(comes_in, "the place of one who has left is free")


def test_messages_before_hello_and_for_games_that_are_not_are_refused(server: Client) -> None:
    with line(server, Program(server)) as one:
        one.say(type="move", id="m", seq=0, move="a1-a2")
        assert one.hear()["code"] == "no_hello"
        assert one.open("nowhere")["code"] == "unknown_game"
