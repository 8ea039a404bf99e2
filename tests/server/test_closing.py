"""The server stops amid a storm of connections: without an error, and with 1012 for every WebSocket."""

import asyncio
import contextlib
import itertools
import json
import signal
import socket
from pathlib import Path
from typing import Any

import pytest
from websockets.client import ClientProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

from hnefi import variant
from tests.samples import deep
from tests.server.harness import RoomsHarness, request
from tests.server.serving import HttpClient, RunningServer
from tests.timeouts import timeout_s, wait_until

OPEN, PLAYERS, FOLLOWERS, ARRIVING = 300, 6, 12, 4
MOVES_BEFORE = 12
MANY = {
    "sockets_per_address": 100_000,
    "sockets_per_visitor": 100_000,
    "games_per_hour": 100_000,
    "requests_per_minute": 1_000_000,
}


class RawSocket(asyncio.Protocol):
    """A WebSocket that notes the status of its handshake and the code with which it was closed."""

    def __init__(self, address: str, token: str) -> None:
        self.client = ClientProtocol(parse_uri(address))
        self.token = token
        self.status: int | None = None
        self.messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.seq = 0
        self.closed = asyncio.get_running_loop().create_future()
        self.transport: asyncio.Transport

    @property
    def code(self) -> int | None:
        return self.client.close_rcvd.code if self.client.close_rcvd else None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        request = self.client.connect()
        request.headers["Authorization"] = f"Bearer {self.token}"
        self.client.send_request(request)
        self.flush()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.closed.set_result(None)

    def data_received(self, data: bytes) -> None:
        self.client.receive_data(data)
        self.flush()
        for event in self.client.events_received():
            if isinstance(event, Response):
                self.status = event.status_code
            elif isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                self.messages.put_nowait(json.loads(bytes(event.data)))

    def send(self, **message: object) -> None:
        with contextlib.suppress(InvalidState):  # the server has said good-bye
            self.client.send_text(json.dumps(message).encode())
        self.flush()

    def flush(self) -> None:
        self.transport.write(b"".join(self.client.data_to_send()))


class Storm:
    """Clients of one server."""

    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self.sockets: list[RawSocket] = []
        self.moves = 0
        self._client = HttpClient(server.address)

    def new_game(self) -> str:
        body = {"variant": "brandub-globe", "opponent": "same_device", "side": "attackers"}
        return str(self._client.request("POST", "/api/games", body)["game"])

    async def connect(self) -> RawSocket:
        raw = RawSocket(f"ws://127.0.0.1:{self.server.port}/ws", self._client.token)
        await asyncio.get_running_loop().create_connection(lambda: raw, "127.0.0.1", self.server.port)
        self.sockets.append(raw)
        return raw

    async def watch(self, game: str) -> RawSocket:
        """Connects, and opens a game."""
        raw = await self.connect()
        async with asyncio.timeout(timeout_s()):
            while raw.status is None:
                await asyncio.sleep(0)
            raw.send(type="hello", v=1, game=game, since=None)
            state = await raw.messages.get()
        assert state["type"] == "state", state
        raw.seq = state["seq"]
        return raw

    async def play(self, game: str) -> None:
        """Plays the moves of a game until it ends or the connection does."""
        raw, position = await self.watch(game), variant("brandub-globe").new_game()
        for number in itertools.count():
            moves = position.legal_moves()
            if not moves:
                return
            move = moves[number * 7 % len(moves)]
            position = position.play(move)
            raw.send(type="move", id=f"m{number}", seq=raw.seq, move=str(move), call=0)
            while (message := await raw.messages.get())["type"] != "ack":
                assert message["type"] != "reject", message
            raw.seq = message["seq"]
            self.moves += 1

    async def follow(self, game: str) -> None:
        """Follows a game over HTTP until the server closes the connection."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        writer.write(f"GET /api/games/{game}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        with contextlib.suppress(ConnectionError):
            while await reader.read(4_096):
                pass
        writer.close()

    async def arrive(self) -> None:
        """Opens one connection after the other until the server is gone."""
        with contextlib.suppress(OSError):
            while True:
                await self.connect()
                await asyncio.sleep(0)


async def storm(server: RunningServer, games: list[str], clients: Storm, signals: list[int]) -> None:
    """Sends signals to a server while everything is going on, and checks how connections end."""
    for begin in range(0, OPEN, 50):
        await asyncio.gather(*(clients.watch(games[n % len(games)]) for n in range(begin, begin + 50)))
    deaf = clients.sockets[::10]
    for raw in deaf:
        raw.transport.pause_reading()
    playing = [asyncio.ensure_future(clients.play(game)) for game in games]
    following = [clients.follow(games[n % len(games)]) for n in range(FOLLOWERS)]
    arriving = [clients.arrive() for _ in range(ARRIVING)]
    others = asyncio.gather(*following, *arriving)
    async with asyncio.timeout(timeout_s()):
        while clients.moves < MOVES_BEFORE:
            await asyncio.sleep(0)
    for number in signals:
        server.signal(number)
    # It ends although some clients do not read.
    assert await asyncio.to_thread(server.end) == 0
    for raw in deaf:
        raw.transport.resume_reading()
    async with asyncio.timeout(timeout_s()):
        await asyncio.gather(*(raw.closed for raw in clients.sockets))
        await others
    for task in playing:
        task.cancel()
    failures = [error for error in await asyncio.gather(*playing, return_exceptions=True) if error]
    assert all(isinstance(error, asyncio.CancelledError) for error in failures), failures
    ends = {(raw.status, raw.code) for raw in clients.sockets if raw not in deaf}
    assert (101, 1012) in ends
    # Late ones were refused, or their connection was closed before it was read.
    assert ends <= {(101, 1012), (503, None), (None, None)}
    assert {raw.status for raw in clients.sockets[:OPEN]} == {101}


@pytest.mark.parametrize(
    "signals",
    [[signal.SIGINT, signal.SIGTERM, signal.SIGINT], *deep([signal.SIGTERM])],
    ids=["repeated", "term"],
)
def test_a_storm_of_connections_ends_without_errors(tmp_path: Path, signals: list[int]) -> None:
    with RunningServer(tmp_path / "data", **MANY) as server:
        clients = Storm(server)
        games = [clients.new_game() for _ in range(PLAYERS)]
        asyncio.run(storm(server, games, clients, signals))
        log = server.log.read_text()
    assert "Traceback" not in log
    assert '"level": "error"' not in log


@pytest.mark.parametrize("number", [signal.SIGTERM, *deep(signal.SIGINT)])
def test_a_signal_while_the_server_starts_ends_it(tmp_path: Path, number: int) -> None:
    server = RunningServer(tmp_path / "data")
    server.begin()
    try:
        # The port is open before the database is, and long before anything is answered.
        wait_until(lambda: accepts_connections(server.port), "the port is open")
        server.signal(number)
        assert server.end() == 0
        assert "Traceback" not in server.log.read_text()
    finally:
        server.kill()


async def test_stopped_rooms_leave_nothing_to_do_for_the_store(tmp_path: Path) -> None:
    harness = RoomsHarness(tmp_path)
    await harness.rooms.start()
    room, _ = await harness.games.create(request(opponent="computer", level=1, side="defenders"), "ana")
    # The computer begins: its move is chosen, and being written.
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await harness.rooms.stop()
    assert not room.audience.tasks._tasks
    assert not room._is_behind
    harness.store.close()


def accepts_connections(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout_s()):
        return True
    return False
