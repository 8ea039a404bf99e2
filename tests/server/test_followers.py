"""Followers over HTTP: their limits, and how their streams end."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import pytest
from httpx2 import Client, Response
from uvicorn.config import Config
from uvicorn.server import ServerState

from hnefi.server.games.room import Room
from hnefi.server.http.protocol import ConnectionCounts, HttpProtocol
from hnefi.server.sockets.followers import Followers
from hnefi.server.sockets.places import Places
from hnefi.server.sockets.socket import MAX_QUEUE
from tests.server.clients import Program, two_at_a_game
from tests.server.harness import RoomsHarness, friends
from tests.server.scopes import until
from tests.server.serving import RunningServer
from tests.server.test_connections import can_connect, connection
from tests.timeouts import timeout_s, wait_until


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
