"""The server stops amid a storm of connections, with a warning and 1012 for every WebSocket, or is killed."""

import asyncio
import contextlib
import json
import random
import resource
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from hnefi import variant
from hnefi.server.service import Service
from hnefi.server.settings import Settings
from tests.samples import deep
from tests.server.harness import RoomsHarness, request
from tests.server.kills import check, new_client_game, play_until_killed
from tests.server.serving import HttpClient, RunningServer, answers, free_port
from tests.timeouts import timeout_s, wait_until

OPEN, PLAYERS, FOLLOWERS, ARRIVING = 300, 6, 12, 4
MOVES_BEFORE = 12
MANY = {
    "sockets_per_address": 100_000,
    "sockets_per_visitor": 100_000,
    "games_per_hour": 100_000,
    "requests_per_minute": 1_000_000,
}


class Storm:
    """Clients of one server."""

    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self.sockets: list[ClientConnection] = []
        self.refusals = set[int]()
        self.moves = 0
        self._client = HttpClient(server.address)

    def new_game(self) -> str:
        body = {"variant": "brandub-globe", "opponent": "same_device", "side": "attackers"}
        return str(self._client.request("POST", "/api/games", body)["game"])

    async def connect(self) -> ClientConnection:
        opened = await connect(
            f"ws://127.0.0.1:{self.server.port}/ws",
            additional_headers={"Authorization": f"Bearer {self._client.token}"},
            compression=None,
            open_timeout=timeout_s(),
            ping_interval=None,
            max_queue=None,  # the good-bye is read, though nobody reads what comes before it
        )
        self.sockets.append(opened)
        return opened

    async def watch(self, game: str) -> tuple[ClientConnection, int]:
        """Connects, and opens a game; returns the number of its last event, too."""
        opened = await self.connect()
        await opened.send(json.dumps({"type": "hello", "v": 1, "game": game, "since": None}))
        state = json.loads(await opened.recv())
        assert state["type"] == "state", state
        return opened, state["seq"]

    async def play(self, game: str) -> None:
        """Plays the moves of a game until it ends or the connection does."""
        (opened, seq), position = await self.watch(game), variant("brandub-globe").new_game()
        number = 0
        with contextlib.suppress(ConnectionClosed):
            while moves := position.legal_moves():
                move = moves[number * 7 % len(moves)]
                position, number = position.play(move), number + 1
                command = {"type": "move", "id": f"m{number}", "seq": seq, "move": str(move), "call": 0}
                await opened.send(json.dumps(command))
                while (message := json.loads(await opened.recv()))["type"] != "ack":
                    assert message["type"] != "reject", message
                seq = message["seq"]
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
                # Late ones are refused, or their connection is closed before it is read.
                try:
                    await self.connect()
                except InvalidStatus as refusal:
                    self.refusals.add(refusal.response.status_code)
                except InvalidMessage:
                    await asyncio.sleep(0)


async def storm(server: RunningServer, games: list[str], clients: Storm, signals: list[int]) -> None:
    """Sends signals to a server while everything is going on, and checks how connections end."""
    for begin in range(0, OPEN, 50):
        await asyncio.gather(*(clients.watch(games[n % len(games)]) for n in range(begin, begin + 50)))
    deaf = clients.sockets[::10]
    for one in deaf:
        one.transport.pause_reading()
    playing = asyncio.gather(*(clients.play(game) for game in games))
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
    for one in deaf:
        one.transport.resume_reading()
    async with asyncio.timeout(timeout_s()):
        await asyncio.gather(*(one.wait_closed() for one in clients.sockets), playing, others)
    assert {one.close_code for one in clients.sockets if one not in deaf} == {1012}
    assert clients.refusals <= {503}
    last: dict[str, Any] = {}
    with contextlib.suppress(ConnectionClosed):
        while True:
            last = json.loads(await clients.sockets[1].recv())
    assert last["type"] == "closing"
    assert 0 <= last["retry_after_ms"] <= 3_000


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
    assert " ERROR " not in log


def test_no_acknowledged_move_is_lost_or_doubled_by_a_kill(tmp_path: Path) -> None:
    chance = random.Random(1)
    with RunningServer(tmp_path) as server:
        games = [new_client_game(server, seed) for seed in range(6)]
        for _ in range(2):
            games += [new_client_game(server, len(games)) for game in games[-6:] if game.is_over]
            alive = [game for game in games if not game.is_over]
            asyncio.run(play_until_killed(server, alive, chance.randrange(20, 120), server.kill))
            check(tmp_path, games)
            server.start()
    assert check(tmp_path, games) > 50


@pytest.mark.skipif(sys.platform != "linux", reason="system: limits of another process are those of Linux")
def test_a_full_disk_refuses_moves_and_loses_none_until_there_is_room_again(tmp_path: Path) -> None:
    def limit(size: int) -> None:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def make_room() -> None:
        assert sum(game.refused for game in games) > 0
        assert check(tmp_path, games) > 0
        limit(resource.RLIM_INFINITY)

    with RunningServer(tmp_path) as server:
        games = [new_client_game(server, seed) for seed in range(2)]
        limit((tmp_path / "games.db-wal").stat().st_size + 40_000)
        asyncio.run(play_until_killed(server, games, 16, make_room))
        assert all(game.is_over for game in games)
    check(tmp_path, games)


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


SCRIPT = """
import json, sys, threading, time
asked = []

def sleep(seconds):
    if threading.current_thread() is threading.main_thread():
        asked.append(seconds)

time.sleep = sleep
from hnefi.cli import main
try:
    main()
finally:
    print(json.dumps(asked))
"""


def test_the_command_does_not_sleep_until_it_serves(tmp_path: Path) -> None:
    port = free_port()
    words = ["serve", "--port", str(port), "--data", str(tmp_path), "--lang", "en"]
    command = [sys.executable, "-c", SCRIPT, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            wait_until(
                lambda: process.poll() is not None or answers(f"http://127.0.0.1:{port}") == 200,
                "the server is ready",
            )
            process.send_signal(signal.SIGTERM)
            out, _ = process.communicate(timeout=timeout_s())
        finally:
            process.kill()
    assert process.returncode == 0
    assert json.loads(out.splitlines()[-1]) == []


def test_the_application_does_not_sleep_until_it_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []
    sleep = asyncio.sleep

    async def start() -> None:
        starting = asyncio.current_task()

        async def note(seconds: float, result: object = None) -> object:
            if asyncio.current_task() is starting and seconds > 0:
                asked.append(seconds)
            return await sleep(seconds, result)

        monkeypatch.setattr(asyncio, "sleep", note)
        service = Service(Settings(folder=tmp_path))
        await service.start()
        monkeypatch.setattr(asyncio, "sleep", sleep)
        await service.stop()

    asyncio.run(start())
    assert asked == []
