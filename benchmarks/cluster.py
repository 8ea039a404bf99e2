"""Processor time of a durable move on sites of one, two and four processes: `python -m benchmarks.cluster`.

Each layout has a new PostgreSQL, and a bus if it has several processes. Two players of every game are
connected to one of the gateways. The processor time is that of each kind of process for each move, with the
database and the bus; client and servers share the processors, so compare layouts of one run.
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
from tests.server.cluster.running_site import RunningSite, running_site
from tests.server.postgres import running_postgres
from tests.server.serving import RunningServer

MANY = {"sockets_per_address": 10**6, "requests_per_minute": 10**8, "games_per_hour": 10**8}
LAYOUTS: dict[str, tuple[str | None, ...]] = {
    "one process": (),
    "all in one, with bus": (None,),
    "gateway, game worker": ("gateway", "games"),
    "two gateways, two game workers": ("gateway", "gateway", "games", "games"),
}
KINDS = ("gateway", "games", "both", "database", "bus")


@dataclass
class Row:
    """The figures of a layout: microseconds a move of each kind of process, milliseconds of latency."""

    layout: str
    moves: int
    us: dict[str, int]
    sum_us: int
    p50_ms: float
    p99_ms: float


def cpu_s(pid: int) -> float:
    """Returns the processor time of a process without its children, 0 if it has ended."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Site:
    """The processes of a layout."""

    def __init__(self, url: str, servers: list[RunningServer], bus: int | None) -> None:
        self._url, self._servers, self._bus = url, servers, bus

    def used_s(self) -> dict[str, float]:
        """Returns the processor time so far, by the kind of process."""
        used = dict.fromkeys(KINDS, 0.0)
        for server in self._servers:
            assert server.process is not None
            used[str(server.settings.get("role") or "both")] += cpu_s(server.process.pid)
        with psycopg.connect(self._url) as connection:
            own = connection.info.backend_pid
            backends = [
                pid for (pid,) in connection.execute("SELECT pid FROM pg_stat_activity") if pid != own
            ]
        used["database"] = sum(map(cpu_s, backends))
        if self._bus is not None:
            used["bus"] = cpu_s(self._bus)
        return used


async def measure(layout: str, site: Site, gateways: list[RunningServer], words: argparse.Namespace) -> Row:
    """Plays at a steady rate, and returns the figures of the second half."""
    loads = [Load(gateway, 0) for gateway in gateways]
    for load in loads:
        tokens = await asyncio.to_thread(load.create_games, words.games // len(loads))
        await load.connect(tokens)
    rate = words.per_s / len(loads)
    await asyncio.gather(*(load.play(rate, words.seconds / 2) for load in loads))
    before = site.used_s()
    await asyncio.gather(*(load.play(rate, words.seconds) for load in loads))
    after = site.used_s()
    latencies = sorted(latency for load in loads for latency in load.latencies_ms)
    moves = len(latencies)
    us = {kind: round((after[kind] - before[kind]) / moves * 1e6) for kind in KINDS}
    p50, p99 = (round(latencies[int(moves * share)], 1) for share in (0.5, 0.99))
    return Row(layout, moves, us, sum(us.values()), p50, p99)


def run(layout: str, roles: tuple[str | None, ...], words: argparse.Namespace) -> Row:
    """Starts a layout, and measures it."""
    with tempfile.TemporaryDirectory() as folder, running_postgres() as url:
        path = Path(folder)
        if not roles:
            with RunningServer(path / "one", database=url, **MANY) as server:
                return asyncio.run(measure(layout, Site(url, [server], None), [server], words))
        with running_site(url, path) as site:
            return asyncio.run(_measure_site(layout, site, roles, words, url))


async def _measure_site(
    layout: str, site: RunningSite, roles: tuple[str | None, ...], words: argparse.Namespace, url: str
) -> Row:
    await asyncio.to_thread(lambda: site.start(*roles, **MANY))
    await asyncio.to_thread(site.wait_for_owners, sum(role != "gateway" for role in roles))
    processes = Site(url, site.processes, site.bus.process.pid)
    return await measure(layout, processes, site.gateways, words)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__)
    parser.add_argument("--games", type=int, default=300, help="how many games are played (300)")
    parser.add_argument("--per-s", type=float, default=300.0, help="how many moves a second are played (300)")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each layout is measured (10)")
    parser.add_argument("--turns", type=int, default=2, help="how often all layouts are measured (2)")
    parser.add_argument("--json", action="store_true", help="print each layout as a line of JSON")
    words = parser.parse_args()
    for _ in range(words.turns):
        for layout, roles in LAYOUTS.items():
            row = run(layout, roles, words)
            if words.json:
                print(json.dumps(asdict(row)), flush=True)
                continue
            parts = ", ".join(f"{kind} {us}" for kind, us in row.us.items() if us)
            print(
                f"{layout}: {row.sum_us} µs a move ({parts}); p50 {row.p50_ms} ms, p99 {row.p99_ms} ms",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
