"""The WebSocket endpoint: opening, playing, reconnecting, and refused connections and messages."""

import contextlib
import json
import socket
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from httpx2 import Client
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.server.clients import Program, two_at_a_game


class Connection:
    """A WebSocket connection like that of a page."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def send(self, **message: object) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, *kinds: str) -> dict[str, Any]:
        """Returns the next message of one of these types, or of any."""
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(20))
            if not kinds or message["type"] in kinds:
                return message

    def open(self, game: str, since: int | None = None) -> dict[str, Any]:
        self.send(type="hello", v=1, game=game, since=since)
        return self.receive("state", "event", "reject", "presence")

    def close_code(self) -> int | None:
        """Waits until the server closes the connection; returns the close code."""
        with pytest.raises(ConnectionClosed):
            self.receive("never")
        return self.socket.close_code


@contextlib.contextmanager
def connection(
    server: Client,
    program: Program | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    host: str | None = None,
) -> Iterator[Connection]:
    base_url = server.base_url
    all_headers = {**(program.headers if program else {}), **(headers or {})}
    raw_socket = socket.create_connection((base_url.host, base_url.port or 80))
    address = f"ws://{host or base_url.netloc.decode()}/ws"
    with connect(address, sock=raw_socket, additional_headers=all_headers, compression=None) as opened:
        yield Connection(opened)


def can_connect(server: Client, program: Program) -> bool:
    """Checks whether a WebSocket of a program is accepted."""
    with contextlib.suppress(InvalidStatus), connection(server, program) as opened:
        opened.send(type="ping", t=1)
        return bool(opened.receive()["t"] == 1)
    return False


def test_two_play_on_two_connections(remote: Client) -> None:
    game, ana, bran = two_at_a_game(remote)
    with connection(remote, ana) as one, connection(remote, bran) as two:
        assert one.open(game)["you"] == [0]
        assert two.open(game)["you"] == [1]
        assert one.receive("presence")["present"] == [True, False]
        assert one.receive("presence")["present"] == [True, True]
        one.send(type="move", id="m1", seq=3, move="d2-c2")
        assert one.receive("event")["ply"]["move"] == "d2-c2"
        assert one.receive("ack") == {"type": "ack", "id": "m1", "seq": 4}
        assert two.receive("event")["after"]["turn"] == "defenders"
        one.send(type="move", id="m2", seq=4, move="c2-d2")
        assert one.receive("reject")["code"] == "not_your_turn"
        two.send(type="move", id="m1", seq=4, move="d3-d9")
        assert two.receive("reject")["code"] == "not_on_board"
        two.send(type="command", id="c1", seq=4, do="offer_draw")
        assert one.receive("event")["after"]["offers"] == {"draw": 1}


def test_reconnecting_client_receives_missed_events(remote: Client) -> None:
    game, ana, bran = two_at_a_game(remote)
    with connection(remote, ana) as one:
        one.open(game)
        ana.move(game, "d2-c2", 3)
        bran.move(game, "d3-c3", 4)
        one.receive("event")
    with connection(remote, ana) as again:
        assert again.open(game, since=3)["seq"] == 4
        assert again.receive()["seq"] == 5
        assert again.receive()["type"] == "presence"
        assert again.open(game, since=99)["type"] == "state"


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
def test_pages_of_others_cannot_connect(remote: Client, origin: str | None, host: str | None) -> None:
    headers = {} if origin is None else {"Origin": origin.format(port=remote.base_url.port)}
    with pytest.raises(InvalidStatus) as refused, connection(remote, host=host, headers=headers):
        raise AssertionError
    assert refused.value.response.status_code == 403
    with connection(remote, headers={"Origin": str(remote.base_url).rstrip("/")}) as own:
        own.send(type="ping", t=5)
        assert own.receive()["t"] == 5


def test_seats_come_from_secrets_and_never_from_messages(remote: Client) -> None:
    game, _, bran = two_at_a_game(remote)
    _, eve, _ = two_at_a_game(remote)
    moves = {"type": "move", "id": "x", "seq": 3, "move": "d2-c2"}
    for program in (bran, eve, Program(remote)):
        with connection(remote, program) as one:
            one.send(**moves)
            assert one.receive()["code"] == "no_hello"
            assert one.open("nowhere")["code"] == "unknown_game"
            one.open(game)
            one.send(**moves)
            assert one.receive("reject")["code"] in ("not_your_turn", "no_seat")
            one.send(type="command", id="y", seq=3, do="resign")
            if program is bran:
                assert one.receive("ack", "reject")["type"] == "ack"
            else:
                assert one.receive("ack", "reject")["code"] == "no_seat"
