"""Processor time of a durable move on sites of one and two processes: `python -m benchmarks.processes`.

Each layout has a new PostgreSQL. The processor time is that of all processes and of the database for each
move; client and servers share the processors, so compare layouts of one run.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg

from benchmarks.server import Load
from tests.server.serving import RunningServer

sys.path.append(str(Path(__file__).parents[1] / "tools"))  # where PostgreSQL is looked for
from tests.server.postgres import running_postgres

MANY = {"sockets_per_address": 10**6, "requests_per_minute": 10**8, "games_per_hour": 10**8}
LAYOUTS = {"one process": 1, "two, players at the same one": 2, "two, players at different ones": 2}


@dataclass
class Row:
    """The figures of a layout: microseconds a move, milliseconds of latency."""

    layout: str
    moves: int
    servers_us: int
    database_us: int
    p50_ms: float
    p99_ms: float


def cpu_s(pid: int) -> float:
    """Returns the processor time of a process without its children, 0 if it has ended."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def used_s(url: str, servers: list[RunningServer]) -> tuple[float, float]:
    """Returns the processor time of the servers, and of their connections to the database."""
    pids = [server.process.pid for server in servers if server.process is not None]
    with psycopg.connect(url) as connection:
        backends = connection.execute("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        return sum(map(cpu_s, pids)), sum(cpu_s(pid) for (pid,) in backends)


async def measure(layout: str, url: str, servers: list[RunningServer], words: argparse.Namespace) -> Row:
    """Plays at a steady rate, and returns the figures of the second part."""
    if "different" in layout:
        loads = [Load(servers[0], 0, servers[1]), Load(servers[1], 0, servers[0])]
    else:
        loads = [Load(server, 0) for server in servers]
    for load in loads:
        tokens = await asyncio.to_thread(load.create_games, words.games // len(loads))
        await load.connect(tokens)
    rate = words.per_s / len(loads)
    await asyncio.gather(*(load.play(rate, words.seconds / 2) for load in loads))
    before = used_s(url, servers)
    await asyncio.gather(*(load.play(rate, words.seconds) for load in loads))
    after = used_s(url, servers)
    latencies = sorted(latency for load in loads for latency in load.latencies_ms)
    moves = len(latencies)
    servers_us, database_us = (
        round((now - then) / moves * 1e6) for now, then in zip(after, before, strict=True)
    )
    p50, p99 = (round(latencies[int(moves * share)], 1) for share in (0.5, 0.99))
    return Row(layout, moves, servers_us, database_us, p50, p99)


def run(layout: str, count: int, words: argparse.Namespace) -> Row:
    """Starts a layout, and measures it."""
    with tempfile.TemporaryDirectory() as folder, running_postgres() as url:
        servers = [RunningServer(Path(folder) / str(n), database=url, **MANY) for n in range(count)]
        try:
            for server in servers:
                server.start()
            return asyncio.run(measure(layout, url, servers, words))
        finally:
            for server in servers:
                server.kill()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.processes", description=__doc__)
    parser.add_argument("--games", type=int, default=300, help="how many games are played (300)")
    parser.add_argument("--per-s", type=float, default=250.0, help="how many moves a second are played (250)")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each layout is measured (10)")
    parser.add_argument("--turns", type=int, default=2, help="how often all layouts are measured (2)")
    parser.add_argument("--json", action="store_true", help="print each layout as a line of JSON")
    words = parser.parse_args()
    for _ in range(words.turns):
        for layout, count in LAYOUTS.items():
            row = run(layout, count, words)
            if words.json:
                print(json.dumps(asdict(row)), flush=True)
                continue
            total = row.servers_us + row.database_us
            print(
                f"{layout}: {total} µs a move (servers {row.servers_us}, database {row.database_us});"
                f" p50 {row.p50_ms} ms, p99 {row.p99_ms} ms",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
