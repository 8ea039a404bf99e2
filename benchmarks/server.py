"""Measures the server under load: `make bench-server`, or `python -m benchmarks.server`.

The client shares the processors with the server: what counts is the server's own processor time for each
move; the latencies are upper bounds. So is how late the event loop was: what its own work can account for
is told beside it, and so is how long it waited for a processor. Games are stored with full synchronisation.
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
WISH = {"variant": VARIANT, "opponent": "friend", "side": "attackers"}
AT_ONCE = 200


@dataclass
class Table:
    """A game that is played by a script, and when its last move was sent."""

    moves: list[str]
    game: str = ""
    seq: int = 0
    played: int = 0
    sent_at: float = 0.0
    sockets: list[Socket] = field(default_factory=list)


@dataclass
class Load:
    """A server, the games on it, and what was measured."""

    server: RunningServer
    metrics_port: int
    tables: list[Table] = field(default_factory=list)
    latencies_ms: list[float] = field(default_factory=list)
    busy: int = 0

    def make_tables(self, count: int) -> list[tuple[str, str]]:
        """Makes games with both seats taken, and gives the secrets of their players.

        It takes long: called in a thread, so that connections there are already answer the server's pings.
        """
        rules, tokens = variant(VARIANT).rules, []
        connection = http.client.HTTPConnection(HOST, self.server.port, timeout=60)
        for number in range(count):
            ana, bran = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
            made = _ask(connection, "/api/games", ana, WISH)
            _ask(connection, f"/api/games/{made['game']}/join", bran, {"invite": made["invite"]})
            moves = [str(ply.move) for ply in random_game(rules, number, 120).plies]
            self.tables.append(Table(moves, made["game"], 3))
            tokens.append((ana, bran))
        connection.close()
        return tokens

    async def connect(self, tokens: list[tuple[str, str]]) -> None:
        """Connects both players of every game."""
        gate = asyncio.Semaphore(AT_ONCE)

        async def join(table: Table, token: str) -> None:
            async with gate:
                heard = asyncio.Event()
                player = len(table.sockets)

                def take(_: Socket, text: bytes) -> None:
                    if text.startswith(b'{"type":"ack"') and table.sent_at:
                        self.latencies_ms.append((time.perf_counter() - table.sent_at) * 1000)
                        table.seq = json.loads(text)["seq"]
                        table.sent_at = 0.0
                    elif text.startswith(b'{"type":"reject"'):
                        raise AssertionError(text)
                    heard.set()

                table.sockets.append(await open_socket(HOST, self.server.port, token, take))
                table.sockets[player].say(type="hello", v=1, game=table.game)
                await heard.wait()

        for seat in (0, 1):
            pairs = zip(self.tables[-len(tokens) :], tokens, strict=True)
            await asyncio.gather(*(join(table, pair[seat]) for table, pair in pairs))

    async def play(self, per_s: float, seconds: float) -> "Measured":
        """Plays moves at a steady rate, spread over all games by chance."""
        self.latencies_ms, self.busy = [], 0
        chance, loop = random.Random(5), asyncio.get_running_loop()
        cpu_s, waited_s, begin, sent = self.cpu_s(), self.waited_s(), loop.time(), 0
        while (now := loop.time()) < begin + seconds:
            while sent < (now - begin) * per_s:
                sent += self._send(chance)
            await asyncio.sleep(0.001)
        await asyncio.sleep(1.0)
        lost = sum(socket.closed.done() for table in self.tables for socket in table.sockets)
        if lost or not self.latencies_ms:
            raise ConnectionError(f"{lost} connections lost, {len(self.latencies_ms)} moves answered")
        cpu_s, waited_s = self.cpu_s() - cpu_s, self.waited_s() - waited_s
        return Measured(cpu_s, waited_s, sorted(self.latencies_ms), loop.time() - begin, self.busy)

    def _send(self, chance: random.Random) -> int:
        """Sends the next move of some game; those whose last move is not answered are left alone."""
        for _ in range(20):
            table = chance.choice(self.tables)
            if not table.sent_at and table.played < len(table.moves):
                break
        else:
            self.busy += 1
            return 1
        mover = table.played % 2
        table.sent_at = time.perf_counter()
        move = table.moves[table.played]
        table.sockets[mover].say(type="move", id=f"m{table.seq}", seq=table.seq, move=move)
        table.played += 1
        return 1

    def cpu_s(self) -> float:
        """Gives the processor time that the server has used, without its engines."""
        assert self.server.process is not None
        words = Path(f"/proc/{self.server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def waited_s(self) -> float:
        """Gives how long the server's loop could have gone on, but had no processor."""
        assert self.server.process is not None
        return int(Path(f"/proc/{self.server.process.pid}/schedstat").read_text().split()[1]) / 1e9

    def memory_mib(self) -> float:
        assert self.server.process is not None
        status = Path(f"/proc/{self.server.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else 0.0

    def counts(self) -> "Counts":
        """Gives the histograms of the server as they stand."""
        with urllib.request.urlopen(f"http://{HOST}:{self.metrics_port}/metrics", timeout=10) as answer:
            text = answer.read().decode()
        rows = re.findall(r'^(\w+)_bucket{le="([^"]+)"} (\S+)', text, re.MULTILINE)
        return {(name, bound): float(count) for name, bound, count in rows}

    def lateness(self, since: "Counts") -> str:
        """Says how late the loop was since its histograms were last read."""
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
"""How many values of each histogram lie below each bound."""


def _longest_ms(now: Counts, since: Counts, metric: str) -> str:
    """Gives the bound below which all values of a histogram lie that came since."""
    found = {bound: now[name, bound] - since.get((name, bound), 0.0) for name, bound in now if name == metric}
    bound = next(bound for bound, count in found.items() if count == found["+Inf"])
    return "more" if bound == "+Inf" else f"{float(bound) * 1000:.0f}"


@dataclass
class Measured:
    """What a load came to."""

    cpu_s: float
    waited_s: float
    latencies_ms: list[float]
    seconds: float
    busy: int

    def at(self, share: float) -> float:
        """Gives the latency that a share of the moves did not exceed."""
        return self.latencies_ms[min(int(len(self.latencies_ms) * share), len(self.latencies_ms) - 1)]

    def __str__(self) -> str:
        count = len(self.latencies_ms)
        return (
            f"{count} moves, {count / self.seconds:.0f}/s, {self.cpu_s / count * 1e6:.0f} µs CPU a move,"
            f" {self.cpu_s / self.seconds:.0%} of a core; p50 {self.at(0.5):.1f} ms,"
            f" p99 {self.at(0.99):.1f} ms, p99.9 {self.at(0.999):.1f} ms;"
            f" waited {self.waited_s / self.seconds:.0%} of the time for a processor"
        )


def _ask(connection: http.client.HTTPConnection, path: str, token: str, body: object) -> Any:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    connection.request("POST", path, json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read()
    if answer.status >= 400:
        raise ConnectionError(f"{path}: {answer.status} {text.decode()}")
    return json.loads(text)


def started(folder: Path) -> Load:
    """Starts a server without limits on addresses: all clients have the same."""
    port = free_port()
    many = {"sockets_per_address": 10**6, "requests_per_minute": 10**8, "games_per_hour": 10**8}
    return Load(RunningServer(folder, metrics_port=port, **many).start(), port)


async def steady(load: Load, games: int, per_s: float, seconds: float) -> None:
    tokens = await asyncio.to_thread(load.make_tables, games - len(load.tables))
    before = load.counts()
    await load.connect(tokens)
    print(f"{games} games, {2 * games} connections, {load.memory_mib():.0f} MiB")
    print(f"  while they came, {AT_ONCE} at a time: {load.lateness(before)}")
    await playing(load, per_s, seconds)


async def playing(load: Load, per_s: float, seconds: float) -> None:
    before = load.counts()
    print(" ", await load.play(per_s, seconds))
    print(f"  {load.lateness(before)}")


async def watched(load: Load, spectators: int) -> None:
    """Has many people watch one game, one of whom has fallen asleep, and plays it."""
    table = load.tables[0]

    def ignore(_: Socket, __: bytes) -> None:
        return None

    watching = []
    for _ in range(spectators):
        watching.append(await open_socket(HOST, load.server.port, secrets.token_urlsafe(32), ignore))
        watching[-1].say(type="hello", v=1, game=table.game)
    watching[0].stop_reading()
    await asyncio.sleep(1)
    others, load.tables = load.tables, [table]
    print(f"one game, {spectators} spectators, one of them asleep")
    await playing(load, 4, 10)
    load.tables = others
    for socket in watching:
        socket.close()


async def analysed(load: Load, analyses: int, per_s: float, seconds: float) -> None:
    """Asks for many analyses at once, and plays on meanwhile."""
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
    print(f"{analyses} analyses asked for at once")
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
        load = started(Path(folder))
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
