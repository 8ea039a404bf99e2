"""Benchmark of a start with many games: `python -m benchmarks.at_rest --games 100000 --live 4000`.

It writes correspondence games and live games into a new database, and measures how long the server takes
until it is ready, how long until all live games are in memory, and its memory. With `--sockets`, both players
of every live game try to come back as their pages do, from the moment the process starts.
"""

import argparse
import asyncio
import hashlib
import random
import re
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.sockets import Socket, open_socket
from hnefi import random_game, variant
from hnefi.server import events as e
from hnefi.server.games.clocks import DAY_US, SECOND_US
from hnefi.server.games.state import fold
from hnefi.server.secrets import hash_of
from hnefi.server.store import changes, processes
from hnefi.server.store.database import sqlite_url
from hnefi.server.store.rows import GameRow, Seat
from hnefi.server.store.store import Store
from tests.server.serving import RunningServer, free_port

VARIANT = variant("brandub-globe")
PLIES = 12
BATCH = 2_000
DAYS = e.Days(days=3)
FISCHER = e.Fischer(initial_s=3_600, increment_s=5)


def events_of(clock: e.Clock, number: int, begin_us: int) -> list[e.Event]:
    """Returns the events of a game in its middle."""
    created = e.Created(
        variant=VARIANT.id,
        revision=VARIANT.revision,
        rules=VARIANT.rules.hash,
        switches={},
        start=None,
        calls="off",
        sanction="none",
        replay="any_piece",
        form="single",
        clock=clock,
        opponent="friend",
        level=None,
        side="attackers",
        name="Ana",
        lot=None,
    )
    moves = [str(ply.move) for ply in random_game(VARIANT.rules, number, PLIES).plies]
    bodies: list[e.Body] = [
        created,
        e.Joined(name="Bran"),
        e.Began(attackers=0),
        *(e.Moved(move=move) for move in moves),
    ]
    return [
        e.Event(seq, begin_us + seq * SECOND_US, None, None, body) for seq, body in enumerate(bodies, start=1)
    ]


def token(number: int, player: int) -> str:
    """Returns the token of a player, as long as those of visitors."""
    return hashlib.sha256(f"{number} {player}".encode()).hexdigest()[:43]


async def fill(folder: Path, days: int, live: int) -> None:
    """Writes games into a new database."""
    store = Store(sqlite_url(folder / "games.db")).open()
    now_us, writes = time.time_ns() // 1_000, []
    for number in range(days + live):
        clock = DAYS if number < days else FISCHER
        begin_us = now_us - (DAY_US if number < days else 120 * SECOND_US)
        game, events = f"game{number}", events_of(clock, number % 50, begin_us)
        state = fold(events, VARIANT.rules)
        row = GameRow(
            game,
            VARIANT.rules.hash,
            VARIANT.rules.to_json(),
            clock.kind,
            events,
            [Seat(game, player, hash_of(token(number, player))) for player in (0, 1)],
            status=state.status.value,
            due_us=state.deadline_us,
        )
        writes.append(store.change(changes.add_game, new=row))
        if len(writes) == BATCH or number == days + live - 1:
            await asyncio.gather(*writes)
            writes = []
            print(f"\r{number + 1} games written", end="", flush=True)
    await store.change(processes.begin, now_us=now_us - 60 * SECOND_US, grace_us=0)
    store.close()
    print()


def memory_mib(server: RunningServer) -> float:
    """Returns the memory that the server occupies."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


@dataclass
class Returning:
    """All players of the live games, who come back at once after a restart."""

    port: int
    tries: int = 0
    served: int = 0
    longest_s: float = 0.0

    async def come_back(self, numbers: range) -> None:
        """Connects both players of the games, until each has the state of the game."""
        begin = time.perf_counter()
        await asyncio.gather(
            *(self._connect(number, player, begin) for number in numbers for player in (0, 1))
        )

    async def _connect(self, number: int, player: int, begin: float) -> None:
        """Tries until the state arrives, with the delays of the page (web/src/game/socket.ts)."""
        failures = 0
        while True:
            has_answer = asyncio.Event()

            def on_message(_: Socket, __: bytes, has_answer: asyncio.Event = has_answer) -> None:
                has_answer.set()

            self.tries += 1
            try:
                async with asyncio.timeout(9):
                    socket = await open_socket("127.0.0.1", self.port, token(number, player), on_message)
                    socket.send(type="hello", v=1, game=f"game{number}", since=15)
                    await has_answer.wait()
                break
            except (OSError, TimeoutError):
                await asyncio.sleep(min(8.0, 0.3 * 2**failures) * (0.5 + random.random()))
                failures += 1
        self.served += 1
        self.longest_s = max(self.longest_s, time.perf_counter() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.at_rest", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="correspondence games at rest (100000)")
    parser.add_argument("--live", type=int, default=4_000, help="games with a running clock (4000)")
    parser.add_argument(
        "--sockets", action="store_true", help="both players of the live games return at once"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "data"
        folder.mkdir()
        asyncio.run(fill(folder, arguments.games, arguments.live))
        metrics_port = free_port()
        server = RunningServer(folder, metrics_port=metrics_port, sockets_per_address=10**6)
        returning = Returning(server.port)
        begin = time.perf_counter()
        server.begin()
        with ThreadPoolExecutor(1) as executor:
            numbers = (
                range(arguments.games, arguments.games + arguments.live) if arguments.sockets else range(0)
            )
            back = executor.submit(asyncio.run, returning.come_back(numbers))
            server.wait()
            ready_s = time.perf_counter() - begin
            print(f"ready after {ready_s:.1f} s, {memory_mib(server):.0f} MiB")
            rooms = 0.0
            while rooms < arguments.live:
                time.sleep(0.1)
                with urllib.request.urlopen(f"http://127.0.0.1:{metrics_port}/metrics") as answer:
                    rooms = float(re.findall(r"^hnefi_rooms (\S+)", answer.read().decode(), re.MULTILINE)[0])
            loaded_s = time.perf_counter() - begin
            print(f"live games in memory after {loaded_s:.1f} s, {memory_mib(server):.0f} MiB")
            back.result()
        if arguments.sockets:
            print(
                f"{returning.served} sockets served after {returning.longest_s:.1f} s, that is"
                f" {returning.longest_s - ready_s:.1f} s after it was ready; {returning.tries} tries,"
                f" {memory_mib(server):.0f} MiB"
            )
        server.kill()


if __name__ == "__main__":
    main()
