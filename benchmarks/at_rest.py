"""Benchmark of a start with many games: `python -m benchmarks.at_rest --games 100000 --live 4000`.

It writes correspondence games and live games into a new database, and measures how long the
server takes until it is ready, how long until all live games are in memory, and its memory.
"""

import argparse
import asyncio
import re
import tempfile
import time
import urllib.request
from pathlib import Path

from hnefi import random_game, variant
from hnefi.server import events as e
from hnefi.server.games.clocks import DAY_US, SECOND_US
from hnefi.server.games.state import fold
from hnefi.server.store import GameRow, Seat, Store, Write
from hnefi.server.store.database import sqlite_url
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


async def fill(folder: Path, days: int, live: int) -> None:
    """Writes games into a new database."""
    store = Store(sqlite_url(folder / "games.db"))
    now_us, writes = time.time_ns() // 1_000, []
    for number in range(days + live):
        clock = DAYS if number < days else FISCHER
        begin_us = now_us - (DAY_US if number < days else 120 * SECOND_US)
        game, events = f"game{number}", events_of(clock, number % 50, begin_us)
        state = fold(events, VARIANT.rules)
        row = GameRow(game, VARIANT.rules.hash, VARIANT.rules.to_json(), clock.kind, begin_us, None, None)
        seats = (Seat(game, 0, f"{number:064}"), Seat(game, 1, f"1{number:063}"))
        writes.append(Write(game, events, state.deadline_us, row, state.status.value, seats))
        if len(writes) == BATCH or number == days + live - 1:
            await asyncio.gather(*(store.write(write) for write in writes))
            writes = []
            print(f"\r{number + 1} games written", end="", flush=True)
    await store.write(Write(heartbeat_us=now_us - 60 * SECOND_US))
    store.close()
    print()


def memory_mib(server: RunningServer) -> float:
    """Returns the memory that the server occupies."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.at_rest", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="correspondence games at rest (100000)")
    parser.add_argument("--live", type=int, default=4_000, help="games with a running clock (4000)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "data"
        folder.mkdir()
        asyncio.run(fill(folder, arguments.games, arguments.live))
        metrics_port = free_port()
        server = RunningServer(folder, metrics_port=metrics_port)
        begin = time.perf_counter()
        with server:
            print(f"ready after {time.perf_counter() - begin:.1f} s, {memory_mib(server):.0f} MiB")
            rooms = 0.0
            while rooms < arguments.live:
                time.sleep(0.1)
                with urllib.request.urlopen(f"http://127.0.0.1:{metrics_port}/metrics") as answer:
                    rooms = float(re.findall(r"^hnefi_rooms (\S+)", answer.read().decode(), re.MULTILINE)[0])
            took_s = time.perf_counter() - begin
            print(f"live games in memory after {took_s:.1f} s, {memory_mib(server):.0f} MiB")


if __name__ == "__main__":
    main()
