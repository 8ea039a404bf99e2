"""Measures how much one address delays another: `python -m benchmarks.fairness`.

It starts a server and attacks it from 127.0.0.1: forty page requests at a time, with and without different
queries, then data that no browser sends, then thirty games at level 10. Meanwhile a visitor from 127.0.0.2
plays.
"""

import argparse
import contextlib
import gzip
import http.client
import itertools
import json
import multiprocessing
import secrets
import socket
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, NamedTuple

from hnefi import random_game, variant, variant_ids
from tests.server.serving import RunningServer, free_port

VARIANT = "tablut-kouvia"
BUSY, QUIET = "127.0.0.1", "127.0.0.2"
CONCURRENT_REQUESTS, LONG_GAMES = 40, 30
PAGES = ("", "rules", "rules/new", "lessons", "new", "table", "analysis", "games", "game/abc", "offline")
SECONDS = 8.0
GET = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n"
SOCKET = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    b"Authorization: Bearer %s\r\n\r\n" % secrets.token_urlsafe(32).encode()
)
EMPTY = b"\x80\0\0\0\0"
"""Length and mask of a frame without content."""


class Attack(NamedTuple):
    """What connections send first, and what they repeat; each begins anew when the server hangs up."""

    first: bytes
    repeated: bytes
    connections: int = 1
    per_s: float = 1.6e6
    """How many bytes each connection sends in a second."""

    is_reading: bool = True


ATTACKS = {
    "empty fragments": Attack(SOCKET + b"\x01\x81\0\0\0\0{", (b"\0" + EMPTY) * 500),
    "empty pongs": Attack(SOCKET, (b"\x8a" + EMPTY) * 500),
    "pings whose answers are not read": Attack(SOCKET, (b"\x89" + EMPTY) * 500, is_reading=False),
    "slow heads": Attack(GET + b"X-Slow: ", b"a", 1_500, per_s=10),
    "endless heads": Attack(GET, b"X-More: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" * 20, per_s=2e7),
    "nine hundred cookies": Attack(b"", GET + b"Cookie: " + b"a=b; " * 900 + b"\r\n\r\n", per_s=2e7),
    "requests sent ahead": Attack(b"", (GET + b"\r\n") * 20, 40, per_s=5e5),
}


class Visitor:
    """A visitor with an address, a connection and a token."""

    def __init__(self, server: RunningServer, address: str) -> None:
        self._connection = http.client.HTTPConnection(
            "127.0.0.1", server.port, timeout=300, source_address=(address, 0)
        )
        self._token = secrets.token_urlsafe(32)

    def request(self, method: str, path: str, body: object = None) -> tuple[int, bytes]:
        """Sends a request; returns status and body."""
        headers = {"Authorization": f"Bearer {self._token}", "Accept-Encoding": "gzip"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self._connection.getresponse()
        answer = response.read()
        if response.headers.get("Content-Encoding") == "gzip" and path.startswith("/api/"):
            answer = gzip.decompress(answer)
        return response.status, answer

    def json(self, method: str, path: str, body: object = None) -> Any:
        """Sends a request that has to succeed; returns the answer."""
        status, answer = self.request(method, path, body)
        if status >= 300:
            raise AssertionError(f"{path}: {status}: {answer[:300]!r}")
        return json.loads(answer)


class PlayedGame:
    """A game of a visitor on one device, with scripted moves."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._new()

    def _new(self) -> None:
        made = self._visitor.json("POST", "/api/games", {"variant": VARIANT, "opponent": "same_device"})
        self._game, self._seq = made["game"], made["state"]["seq"]
        self._moves = iter([str(ply.move) for ply in random_game(variant(VARIANT).rules, 7, 120).plies])

    def move_ms(self) -> float:
        """Plays a move; returns how long the acknowledgement took."""
        move = next(self._moves, None)
        if move is None:
            self._new()
            move = next(self._moves)
        body = {"id": secrets.token_hex(4), "seq": self._seq, "move": move}
        begun = time.perf_counter()
        answer = self._visitor.json("POST", f"/api/games/{self._game}/moves", body)
        waited_ms = (time.perf_counter() - begun) * 1000
        self._seq = answer["seq"]
        return waited_ms


def paths(*, vary: bool) -> Iterator[str]:
    """Iterates over pages, each of them again and again, or each with another query."""
    names = [f"rules/{name}" for name in variant_ids()] + list(PAGES)
    names += [f"new?variant={name}" for name in variant_ids()]
    for number in itertools.count():
        lang, name = ("en", "fr")[number % 2], names[number * 7 % len(names)]
        query = f"{'&' if '?' in name else '?'}rule.quiet_limit={20 + number}" if vary else ""
        yield f"/{lang}/{name}{query}"


@contextlib.contextmanager
def flood(server: RunningServer, *, vary: bool) -> Iterator[Counter[int]]:
    """Sends forty page requests at a time within the block; yields the count of each status."""
    statuses, is_over = Counter[int](), threading.Event()
    source, lock = paths(vary=vary), threading.Lock()

    def work() -> None:
        visitor = Visitor(server, BUSY)
        while not is_over.is_set():
            with lock:
                path = next(source)
            statuses[visitor.request("GET", path)[0]] += 1

    threads = [threading.Thread(target=work) for _ in range(CONCURRENT_REQUESTS)]
    for thread in threads:
        thread.start()
    try:
        yield statuses
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def moves_ms(game: PlayedGame) -> list[float]:
    """Plays a move every 50 ms; returns how long each took."""
    found, end = [], time.monotonic() + SECONDS
    while time.monotonic() < end:
        found.append(game.move_ms())
        time.sleep(0.05)
    return sorted(found)


def loop_delays(metrics_port: int) -> str:
    """Returns how often the event loop was more than 25 ms late until now, and how often by its own work."""
    with urllib.request.urlopen(f"http://127.0.0.1:{metrics_port}/metrics") as answer:
        lines = dict(line.rsplit(" ", 1) for line in answer.read().decode().splitlines() if line[0] != "#")
    late = [
        float(lines[f"{name}_count"]) - float(lines[f'{name}_bucket{{le="0.025"}}'])
        for name in ("hnefi_loop_stall_seconds", "hnefi_loop_work_seconds")
    ]
    return f"event loop more than 25 ms late: {late[0]:.0f}, by its own work: {late[1]:.0f}"


def show(name: str, times_ms: list[float], note: object = "") -> None:
    half, most = times_ms[len(times_ms) // 2], times_ms[-1]
    print(f"{name:46} {len(times_ms):5} half {half:8.1f} ms, at most {most:8.1f} ms {note}", flush=True)


def measure_pages(server: RunningServer) -> None:
    game = PlayedGame(Visitor(server, QUIET))
    game.move_ms()
    show("moves, nobody else", moves_ms(game))
    for vary in (False, True):
        with flood(server, vary=vary) as statuses:
            found = moves_ms(game)
        name = "with different queries" if vary else "as they are"
        show(f"moves, forty pages at a time {name}", found, dict(statuses))


def measure_engines(server: RunningServer) -> None:
    visitors = [Visitor(server, BUSY) for _ in range(LONG_GAMES)]
    quiet = Visitor(server, QUIET)
    new = {"variant": VARIANT, "opponent": "computer", "side": "defenders"}
    show("level 1, nobody else", [answer_ms(quiet, {**new, "level": 1}) for _ in range(3)])
    for visitor in visitors:
        visitor.json("POST", "/api/games", {**new, "level": 10})
    time.sleep(0.5)
    found = sorted(answer_ms(quiet, {**new, "level": 1}) for _ in range(8))
    show("level 1, thirty games at level 10", found)


def attack(port: int, attack: Attack, is_over: Event) -> None:
    """Attacks a server until it is over, on all connections in turn."""
    opened = dict[int, socket.socket]()
    begun = time.monotonic()
    sent = [0] * attack.connections
    while not is_over.is_set():
        for number in range(attack.connections):
            try:
                if number not in opened:
                    opened[number] = socket.create_connection(("127.0.0.1", port), 2, (BUSY, 0))
                    opened[number].sendall(attack.first)
                    opened[number].setblocking(False)
                if sent[number] < attack.per_s * (time.monotonic() - begun):
                    sent[number] += opened[number].send(attack.repeated)
                if attack.is_reading and not opened[number].recv(1 << 20):
                    del opened[number]
            except BlockingIOError:
                continue
            except OSError:
                opened.pop(number, None)
        time.sleep(0.001)


def measure_attacks(server: RunningServer) -> None:
    game = PlayedGame(Visitor(server, QUIET))
    show("moves, nobody else", moves_ms(game))
    for name, one in ATTACKS.items():
        is_over = multiprocessing.Event()
        attacker = multiprocessing.Process(target=attack, args=(server.port, one, is_over))
        attacker.start()
        time.sleep(0.5)
        show(f"moves, {name}", moves_ms(game))
        is_over.set()
        attacker.join()


def answer_ms(visitor: Visitor, new: dict[str, object]) -> float:
    """Creates a game in which the computer begins; returns how long its first move takes."""
    begun = time.perf_counter()
    made = visitor.json("POST", "/api/games", new)
    while not visitor.json("GET", f"/api/games/{made['game']}")["legs"][0]["plies"]:
        time.sleep(0.002)
    return (time.perf_counter() - begun) * 1000


MEASURES = {"pages": measure_pages, "attacks": measure_attacks, "engines": measure_engines}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fairness", description=__doc__)
    parser.add_argument("--only", choices=MEASURES, help="measure only one of them")
    only = parser.parse_args().only
    with tempfile.TemporaryDirectory() as folder:
        for name, measure in MEASURES.items():
            if only in (None, name):
                metrics_port = free_port()
                server = RunningServer(
                    Path(folder) / name,
                    games_per_hour=4_000,
                    requests_per_minute=6_000,
                    metrics_port=metrics_port,
                )
                server.start()
                try:
                    measure(server)
                    print(loop_delays(metrics_port))
                finally:
                    server.kill()


if __name__ == "__main__":
    main()
