"""Benchmark of the server under load: `make bench-server`, or `python -m benchmarks.server`.

The client shares the processors with the server. The figure that counts is the processor time of the server
for each move; the latencies and the lateness of the event loop are upper bounds. The share of the lateness
that its own work explains, and the time it waited for a processor, are printed beside it. Games are stored
with full synchronisation.
"""

import argparse
import asyncio
import http.client
import json
import os
import random
import re
import secrets
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.sockets import Socket, open_socket
from hnefi import random_game, variant
from tests.server.serving import RunningServer, free_port

HOST, VARIANT = "127.0.0.1", "tablut-kouvia"
NEW_GAME = {"variant": VARIANT, "opponent": "friend", "side": "attackers"}
CONCURRENT_JOINS = 200


@dataclass
class ScriptedGame:
    """A game with scripted moves, and the time its last move was sent."""

    moves: list[str]
    id: str = ""
    seq: int = 0
    played: int = 0
    sent_at: float = 0.0
    sockets: list[Socket] = field(default_factory=list)


@dataclass
class Load:
    """A server, its games, and the latencies of their moves."""

    server: RunningServer
    metrics_port: int
    other: RunningServer | None = None
    """Another process, to which the second players are connected."""
    games: list[ScriptedGame] = field(default_factory=list)
    latencies_ms: list[float] = field(default_factory=list)
    busy: int = 0

    def create_games(self, count: int) -> list[tuple[str, str]]:
        """Creates games with both seats taken; returns the tokens of their players.

        Call it in a thread, since it takes long: existing connections have to answer the pings of the server.
        """
        rules, tokens = variant(VARIANT).rules, []
        connection = http.client.HTTPConnection(HOST, self.server.port, timeout=60)
        for number in range(count):
            ana, bran = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
            made = _post(connection, "/api/games", ana, NEW_GAME)
            _post(connection, f"/api/games/{made['game']}/join", bran, {"invite": made["invite"]})
            moves = [str(ply.move) for ply in random_game(rules, number, 120).plies]
            self.games.append(ScriptedGame(moves, made["game"], 3))
            tokens.append((ana, bran))
        connection.close()
        return tokens

    async def connect(self, tokens: list[tuple[str, str]]) -> None:
        """Connects both players of each new game."""
        gate = asyncio.Semaphore(CONCURRENT_JOINS)

        async def join(game: ScriptedGame, token: str) -> None:
            async with gate:
                has_answer = asyncio.Event()
                player = len(game.sockets)

                def on_message(_: Socket, text: bytes) -> None:
                    if text.startswith(b'{"type":"ack"') and game.sent_at:
                        self.latencies_ms.append((time.perf_counter() - game.sent_at) * 1000)
                        game.seq = json.loads(text)["seq"]
                        game.sent_at = 0.0
                    elif text.startswith(b'{"type":"reject"'):
                        raise AssertionError(text)
                    has_answer.set()

                port = (self.other if player and self.other else self.server).port
                game.sockets.append(await open_socket(HOST, port, token, on_message))
                game.sockets[player].send(type="hello", v=1, game=game.id)
                await has_answer.wait()

        for seat in (0, 1):
            pairs = zip(self.games[-len(tokens) :], tokens, strict=True)
            await asyncio.gather(*(join(game, pair[seat]) for game, pair in pairs))

    async def play(self, per_s: float, seconds: float) -> "LoadFigures":
        """Plays moves at a steady rate, distributed over all games at random."""
        self.latencies_ms, self.busy = [], 0
        rng, loop = random.Random(5), asyncio.get_running_loop()
        cpu_s, waited_s, begin, sent = self.cpu_s(), self.waited_s(), loop.time(), 0
        while (now := loop.time()) < begin + seconds:
            while sent < (now - begin) * per_s:
                sent += self._send(rng)
            await asyncio.sleep(0.001)
        await asyncio.sleep(1.0)
        lost = sum(socket.closed.done() for game in self.games for socket in game.sockets)
        if lost or not self.latencies_ms:
            raise ConnectionError(f"{lost} connections lost, {len(self.latencies_ms)} moves answered")
        cpu_s, waited_s = self.cpu_s() - cpu_s, self.waited_s() - waited_s
        return LoadFigures(cpu_s, waited_s, sorted(self.latencies_ms), loop.time() - begin, self.busy)

    def _send(self, rng: random.Random) -> int:
        """Sends the next move of a random game whose last move was acknowledged."""
        for _ in range(20):
            game = rng.choice(self.games)
            if not game.sent_at and game.played < len(game.moves):
                break
        else:
            self.busy += 1
            return 1
        mover = game.played % 2
        game.sent_at = time.perf_counter()
        move = game.moves[game.played]
        game.sockets[mover].send(type="move", id=f"m{game.seq}", seq=game.seq, move=move)
        game.played += 1
        return 1

    def cpu_s(self) -> float:
        """Returns the processor time of the server, without its workers, in seconds."""
        assert self.server.process is not None
        words = Path(f"/proc/{self.server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def waited_s(self) -> float:
        """Returns how long the main thread of the server waited for a processor, in seconds."""
        assert self.server.process is not None
        return int(Path(f"/proc/{self.server.process.pid}/schedstat").read_text().split()[1]) / 1e9

    def memory_mib(self) -> float:
        assert self.server.process is not None
        status = Path(f"/proc/{self.server.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else 0.0

    def counts(self) -> "Counts":
        """Reads the histograms of the server."""
        with urllib.request.urlopen(f"http://{HOST}:{self.metrics_port}/metrics", timeout=10) as answer:
            text = answer.read().decode()
        rows = re.findall(r'^(\w+)_bucket{le="([^"]+)"} (\S+)', text, re.MULTILINE)
        return {(name, bound): float(count) for name, bound, count in rows}

    def lateness(self, since: "Counts") -> str:
        """Formats the lateness of the event loop since the given histograms."""
        now = self.counts()
        loop, work, collector = (
            _longest_ms(now, since, f"hnefi_{name}_seconds")
            for name in ("loop_stall", "loop_work", "collection")
        )
        return (
            f"loop never later than {loop} ms, by its own work never more than {work} ms,"
            f" collector never longer than {collector} ms"
        )


Counts = dict[tuple[str, str], float]
"""The number of values below each bound, by histogram and bound."""


def _longest_ms(now: Counts, since: Counts, metric: str) -> str:
    """Returns the bound below which all new values of a histogram lie."""
    found = {bound: now[name, bound] - since.get((name, bound), 0.0) for name, bound in now if name == metric}
    bound = next(bound for bound, count in found.items() if count == found["+Inf"])
    return "more" if bound == "+Inf" else f"{float(bound) * 1000:.0f}"


@dataclass
class LoadFigures:
    """The figures of a load."""

    cpu_s: float
    waited_s: float
    latencies_ms: list[float]
    seconds: float
    busy: int

    def at(self, share: float) -> float:
        """Returns the latency that a share of the moves did not exceed (a quantile)."""
        return self.latencies_ms[min(int(len(self.latencies_ms) * share), len(self.latencies_ms) - 1)]

    def __str__(self) -> str:
        count = len(self.latencies_ms)
        return (
            f"{count} moves, {count / self.seconds:.0f}/s, {self.cpu_s / count * 1e6:.0f} µs CPU a move,"
            f" {self.cpu_s / self.seconds:.0%} of a core; p50 {self.at(0.5):.1f} ms,"
            f" p99 {self.at(0.99):.1f} ms, p99.9 {self.at(0.999):.1f} ms;"
            f" waited {self.waited_s / self.seconds:.0%} of the time for a processor"
        )


def _post(connection: http.client.HTTPConnection, path: str, token: str, body: object) -> Any:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    connection.request("POST", path, json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read()
    if answer.status >= 400:
        raise ConnectionError(f"{path}: {answer.status} {text.decode()}")
    return json.loads(text)


def start_server(folder: Path) -> Load:
    """Starts a server without limits for each address, since all clients have the same."""
    port = free_port()
    many = {"sockets_per_address": 10**6, "requests_per_minute": 10**8, "games_per_hour": 10**8}
    return Load(RunningServer(folder, metrics_port=port, **many).start(), port)


async def steady(load: Load, games: int, per_s: float, seconds: float) -> None:
    tokens = await asyncio.to_thread(load.create_games, games - len(load.games))
    before = load.counts()
    await load.connect(tokens)
    print(f"{games} games, {2 * games} connections, {load.memory_mib():.0f} MiB")
    print(f"  while they joined, {CONCURRENT_JOINS} at a time: {load.lateness(before)}")
    await playing(load, per_s, seconds)


async def playing(load: Load, per_s: float, seconds: float) -> None:
    before = load.counts()
    print(" ", await load.play(per_s, seconds))
    print(f"  {load.lateness(before)}")


async def watched(load: Load, spectators: int) -> None:
    """Connects many spectators to one game, one of them without reading, and plays it."""
    game = load.games[0]

    def ignore(_: Socket, __: bytes) -> None:
        return None

    watching = []
    for _ in range(spectators):
        watching.append(await open_socket(HOST, load.server.port, secrets.token_urlsafe(32), ignore))
        watching[-1].send(type="hello", v=1, game=game.id)
    watching[0].stop_reading()
    await asyncio.sleep(1)
    others, load.games = load.games, [game]
    print(f"one game, {spectators} spectators, one of them not reading")
    await playing(load, 4, 10)
    load.games = others
    for socket in watching:
        socket.close()


async def analysed(load: Load, analyses: int, per_s: float, seconds: float) -> None:
    """Requests many analyses at once, and plays meanwhile."""
    body = json.dumps({"variant": VARIANT, "time_ms": 5_000}).encode()

    async def ask() -> None:
        reader, writer = await asyncio.open_connection(HOST, load.server.port)
        token = secrets.token_urlsafe(32)
        head = (
            f"POST /api/analysis HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        await reader.read(1)
        await asyncio.sleep(seconds + 2)
        writer.close()

    print("before the analyses")
    await playing(load, per_s, seconds)
    asking = [asyncio.create_task(ask()) for _ in range(analyses)]
    print(f"{analyses} analyses requested at once")
    await playing(load, per_s, seconds)
    for task in asking:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)


async def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    parser.add_argument("--games", type=int, default=4_000, help="how many games at most (4000)")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each load lasts (20)")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        load = start_server(Path(folder))
        try:
            first = min(1_000, words.games)
            await steady(load, first, 400, words.seconds)
            await analysed(load, 100, 400, words.seconds / 2)
            await watched(load, 1_000)
            if words.games > first:
                await steady(load, words.games, 1_000, words.seconds)
        finally:
            load.server.kill()
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
