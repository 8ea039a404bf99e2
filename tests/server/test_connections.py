"""Connections: WebSockets that open, play, reconnect and are refused; followers over HTTP and limits."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from httpx2 import Client, Response
from uvicorn.config import Config
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from hnefi.server.games.room import Room
from hnefi.server.http.protocol import ConnectionCounts, HttpProtocol
from hnefi.server.sockets.followers import Followers
from hnefi.server.sockets.places import Places
from hnefi.server.sockets.socket import MAX_QUEUE
from tests.server.clients import FRIENDLY, Program, refused, two_at_a_game
from tests.server.harness import RoomsHarness, friends
from tests.server.scopes import until
from tests.server.serving import RunningServer
from tests.timeouts import timeout_s, wait_until


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
    with pytest.raises(InvalidStatus) as failure, connection(remote, host=host, headers=headers):
        raise AssertionError
    assert failure.value.response.status_code == 403
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


def test_a_message_that_cannot_be_read_is_refused_with_its_id_and_the_reason(remote: Client) -> None:
    move = {"type": "move", "id": "m", "seq": 3, "move": "d2-c2"}
    with connection(remote, Program(remote)) as one:
        for message, message_id, where in (
            ({**move, "seq": "3"}, "m", "move.seq"),
            ({**move, "extra": 1}, "m", "move.extra"),
            ({"type": "hello", "v": 2, "game": "a"}, None, "hello.v"),
            ({**move, "type": "nonsense", "id": 5}, None, "body"),
        ):
            one.send(**message)
            answer = one.receive()
            found = answer["code"], answer["id"], answer["facts"]["where"]
            assert found == ("bad_message", message_id, where)
            assert answer["facts"]["why"]
        one.socket.send("[")
        assert one.receive()["id"] is None


@pytest.mark.parametrize("token", ["", "garbage", "x" * 42, "x" * 44, "+" * 43])
def test_what_cannot_be_a_token_is_refused_by_http_and_on_sockets(remote: Client, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}".strip()}
    for answer in (
        remote.get("/api/games", headers=headers),
        remote.post("/api/games", json=FRIENDLY, headers=headers),
    ):
        assert refused(answer) == (401, "bad_token")
    with pytest.raises(InvalidStatus), connection(remote, headers=headers):
        raise AssertionError


def followed(program: Program, game: str) -> Response:
    """Follows a game as a program; returns the stream of its events."""
    request = program.server.build_request("GET", f"/api/games/{game}/events", headers=program.headers)
    return program.server.send(request, stream=True)


def read(stream: Response) -> list[dict[str, Any]]:
    """Reads until the end of a stream, which has to be a proper one."""
    return [json.loads(line) for line in stream.read().splitlines() if line]


def test_followers_are_counted_together_with_sockets(tmp_path: Path) -> None:
    few = {"sockets_per_address": 3, "sockets_per_visitor": 2}
    with RunningServer(tmp_path / "data", **few) as running, Client(base_url=running.address) as server:
        game, ana, bran = two_at_a_game(server)
        first, *others = followers = [followed(ana, game) for _ in range(3)]
        assert [one.status_code for one in followers] == [200, 200, 429]
        assert [answer["code"] for answer in read(followers[2])] == ["too_many_followers"]
        assert not can_connect(server, ana)
        with connection(server, bran):
            assert not can_connect(server, Program(server))
        wait_until(
            lambda: can_connect(server, Program(server)), "the place of a socket that has left is free"
        )
        assert ana.get(f"/api/games/{game}/events?follow=false").status_code == 200
        first.close()
        wait_until(lambda: can_connect(server, ana), "the place of a follower that has left is free")
        for follower in others:
            follower.close()


def test_streams_end_when_the_server_stops(tmp_path: Path) -> None:
    with RunningServer(tmp_path / "data") as running, Client(base_url=running.address) as server:
        game, ana, bran = two_at_a_game(server)
        followers = [followed(program, game) for program in (ana, bran)]
        assert ana.move(game, "d2-c2", 3).status_code == 200
        assert running.stop() == 0
        for follower in followers:
            messages = read(follower)
            assert messages[0]["type"] == "state"
            assert [message["seq"] for message in messages if message["type"] == "event"] == [4]
            follower.close()
        log = running.log.read_text()
        assert "Traceback" not in log
        assert "aborting" not in log


@contextlib.asynccontextmanager
async def serving(followers: Followers, room: Room) -> AsyncIterator[int]:
    """Serves the streams of a room on a port, until all clients have left."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await followers.follow(room, None, scope)(scope, receive, send)

    config = Config(cast("Any", application), log_config=None)
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    counts = ConnectionCounts(10)
    server = await loop.create_server(lambda: HttpProtocol(config, state, {}, counts=counts), "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]
        await until(lambda: not state.connections)


async def follow(port: int, followers: Followers) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Comes as the only follower."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    await until(lambda: len(followers) == 1)
    return reader, writer


async def test_a_follower_that_does_not_read_is_disconnected(
    harness: RoomsHarness, caplog: pytest.LogCaptureFixture
) -> None:
    followers, room = Followers(Places(1)), await friends(harness)
    async with serving(followers, room) as port:
        reader, writer = await follow(port, followers)
        cast("Any", writer.transport).pause_reading()
        sent = 0
        async with asyncio.timeout(timeout_s()):
            while not room.audience.is_empty:
                room.audience.send("x" * 10_000)
                sent += 1
                await asyncio.sleep(0)
        assert sent > MAX_QUEUE
        assert len(followers) == 0
        cast("Any", writer.transport).resume_reading()
        with contextlib.suppress(ConnectionError):
            assert not (await reader.read()).endswith(b"0\r\n\r\n")
        writer.close()
        # Its place is free.
        _, writer = await follow(port, followers)
        writer.close()
        await until(lambda: len(followers) == 0)
    assert not caplog.records


async def test_a_burst_reaches_a_follower_that_reads(harness: RoomsHarness) -> None:
    followers, room = Followers(Places()), await friends(harness)
    async with serving(followers, room) as port, asyncio.timeout(timeout_s()):
        reader, writer = await follow(port, followers)
        texts = [f"m{number}" for number in range(10 * MAX_QUEUE)]
        for text in texts:
            room.audience.send(text)
        await followers.close()
        assert len(followers) == 0
        body = (await reader.readuntil(b"0\r\n\r\n")).decode().partition("\r\n\r\n")[2]
        state, *others = (line for line in body.splitlines() if line.startswith(("m", '{"type":"state"')))
        assert (state[0], others) == ("{", texts)
        writer.close()
