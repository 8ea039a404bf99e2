"""Benchmark of message buses: `python -m benchmarks.bus --bus redis`, or `redis://…`, `valkey`, `nats`, `nats://…`.

Real processes talk over the bus: gateways, game workers and engine workers. Measured are requests and
replies, events for followers, the messages of the server, a queue of jobs, answers of the computer, leases,
and what happens while the bus is stopped or killed. A kind of bus without address is started in a temporary
folder, if its program is installed. Needed are the Python packages `redis[hiredis]` and `nats-py`; leases in
PostgreSQL are measured if that is installed.
"""

import argparse
import asyncio
import importlib.util
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from benchmarks.bus import leases
from benchmarks.bus.clients import QUEUES
from benchmarks.bus.messages import measure_messages
from benchmarks.bus.nodes import Node, quantile
from benchmarks.bus.searches import measure_searches
from benchmarks.bus.servers import KINDS, MeasuredServer, find_program
from tests.server.postgres import running_postgres

PARTS = ("requests", "events", "messages", "jobs", "searches", "leases", "outages")
GAMES, SUBSCRIPTIONS = 1_000, 8_000


@contextmanager
def nodes(url: str, *names: str, gap_s: float = 0.0) -> Iterator[list[Node]]:
    """Runs processes within a `with` block."""
    started: list[Node] = []
    try:
        started.extend(Node(name, url, gap_s) for name in names)
        yield started
    finally:
        for node in started:
            node.kill()


class Cpu:
    """The processor time that each process spends from now on."""

    def __init__(self, server: MeasuredServer | None, *watched: Node) -> None:
        self._server, self._watched = server, watched
        self._begin = self._now()

    def _now(self) -> list[float]:
        bus_s = self._server.cpu_s() if self._server else 0.0
        return [*(node.call("cpu_s") for node in self._watched), bus_s]

    def each(self, count: int) -> str:
        """Formats the time of each process and of the bus, in microseconds for each of `count`."""
        spent = [(now - then) / count * 1e6 for then, now in zip(self._begin, self._now(), strict=True)]
        names = [node.name for node in self._watched] + ["bus"]
        parts = [f"{name} {value:.0f}" for name, value in zip(names, spent, strict=True)]
        return f"{', '.join(parts)}; sum {sum(spent):.0f} µs"


def requests(url: str, server: MeasuredServer | None, seconds: float) -> None:
    """Measures commands from a gateway to two workers and their replies, sent at once and in groups."""
    for gap_s in (0.0, 0.002):
        with nodes(url, "gateway", "worker-1", "worker-2", gap_s=gap_s) as (gateway, *workers):
            gateway.call("listen")
            for worker in workers:
                worker.call("answer")
            gateway.call("command", ["worker-1", "worker-2"], 200, 1)
            for per_s in (250, 1_000):
                cpu = Cpu(server, gateway, *workers)
                replies, lost = gateway.call("command", ["worker-1", "worker-2"], per_s, seconds)
                took_ms = [(end - begin) * 1000 for begin, end, _ in replies]
                print(
                    f"  {per_s} commands/s, gap {gap_s * 1000:.0f} ms: p50 {quantile(took_ms, 0.5):.2f} ms,"
                    f" p99 {quantile(took_ms, 0.99):.2f} ms, {lost} lost;"
                    f" CPU a command: {cpu.each(len(replies))}"
                )


def events(url: str, server: MeasuredServer | None, seconds: float) -> None:
    """Measures events of 1,000 games for two gateways, with a subject per game and one per gateway."""
    games = [f"game.{number}" for number in range(GAMES)]
    for pattern in ("a subject for each game", "a subject for each gateway"):
        with nodes(url, "worker", "gateway-1", "gateway-2") as (worker, *gateways):
            per_game = "game" in pattern
            for gateway in gateways:
                gateway.call("follow", games if per_game else [gateway.name])
            targets = [[game] for game in games] if per_game else [["gateway-1", "gateway-2"]]
            cpu = Cpu(server, worker, *gateways)
            count = worker.call("publish_events", targets, 500, seconds)
            used = cpu.each(count)
            delays = [delay for gateway in gateways for delay in gateway.call("delays")]
            print(
                f"  {pattern}: {len(delays)} of {2 * count} received, p50 {quantile(delays, 0.5):.2f} ms,"
                f" p99 {quantile(delays, 0.99):.2f} ms; CPU an event: {used}"
            )
    with nodes(url, "gateway") as (gateway,):
        many = [f"game.{number}" for number in range(SUBSCRIPTIONS)]
        for name in ("follow", "unfollow"):
            cpu = Cpu(server, gateway)
            took_s, _ = gateway.call(name, many)
            print(f"  {name} {SUBSCRIPTIONS} subjects: {took_s:.2f} s; CPU each: {cpu.each(SUBSCRIPTIONS)}")


def jobs(kind: str, url: str, server: MeasuredServer | None, seconds: float) -> None:
    """Measures queues of jobs: cost, a slow job beside quick ones, and the death of a worker."""
    for queue in QUEUES[kind]:
        with nodes(url, "worker", "engine-1", "engine-2") as (worker, *engines):
            worker.call("listen")
            worker.call("prepare_jobs", queue)
            for engine in engines:
                engine.call("work", queue)
            time.sleep(0.3)
            worker.call("ask", queue, [0.0] * 50, 50)
            cpu = Cpu(server, worker, *engines)
            replies, lost = worker.call("ask", queue, [0.0] * int(100 * seconds), 100)
            took_ms = [(end - begin) * 1000 for begin, end, _ in replies]
            print(
                f"  {queue}, 100 jobs/s: p50 {quantile(took_ms, 0.5):.2f} ms,"
                f" p99 {quantile(took_ms, 0.99):.2f} ms, {lost} lost; CPU a job: {cpu.each(len(replies))}"
            )
            replies, _ = worker.call("ask", queue, [1.0] + [0.01] * 20, 40)
            waits = sorted(end - begin for begin, end, _ in replies)[:-1]
            print(f"  {queue}, one job of 1 s beside 20 of 10 ms: these took at most {waits[-1]:.2f} s")
            repeat_s = 2.0 if queue == "queue group" else None
            worker.begin("ask", queue, [0.3] * 10, 10, repeat_s)
            time.sleep(0.5)
            engines[0].kill()
            killed_at = time.monotonic()
            replies, lost = worker.result()
            last_s = max((end - killed_at for _, end, _ in replies), default=0.0)
            print(
                f"  {queue}, 10 jobs of 0.3 s, one of two workers killed: {len(replies)} answered,"
                f" {lost} lost, the last {last_s:.1f} s after the kill,"
                f" {sum(sends > 1 for *_, sends in replies)} added again"
            )


def outages(url: str, server: MeasuredServer, seconds: float) -> None:
    """Stops the bus for 5 s, then kills and restarts it, while commands are sent and repeated."""

    def pause() -> None:
        server.server.pause(5)

    def kill() -> None:
        server.server.kill()
        time.sleep(1)
        server.server.start()

    with nodes(url, "gateway", "worker-1") as (gateway, worker):
        gateway.call("listen")
        worker.call("answer")
        gateway.call("command", ["worker-1"], 200, 1)
        for name, disturb in (("stopped for 5 s", pause), ("killed, back after 1 s", kill)):
            worker.call("count_repeated")
            back: list[float] = []

            def disturbing(disturb=disturb, back=back) -> None:  # type: ignore[no-untyped-def]
                time.sleep(1)
                disturb()
                back.append(time.monotonic())

            thread = threading.Thread(target=disturbing)
            thread.start()
            replies, lost = gateway.call("command", ["worker-1"], 250, 8 + seconds)
            thread.join()
            first = min((end for _, end, _ in replies if end > back[0]), default=float("inf")) - back[0]
            ends = sorted(end for _, end, _ in replies)
            gap = max(after - before for before, after in pairwise(ends))
            late = [end - back[0] for begin, end, _ in replies if begin < back[0] < end]
            print(
                f"  {name}: {len(replies)} commands answered, {lost} never;"
                f" first answer {first:.2f} s after it was back, longest silence {gap:.2f} s,"
                f" last command of the outage {max(late, default=0):.2f} s after;"
                f" {sum(sends > 1 for *_, sends in replies)} repeated,"
                f" {worker.call('count_repeated')} of them came twice"
            )


def show_leases(figures: leases.LeaseFigures) -> None:
    print(
        f"  {figures.kind}: acquire p50 {figures.acquire_ms:.2f} ms, p99 {figures.acquire_p99_ms:.2f} ms,"
        f" client CPU {figures.acquire_cpu_us:.0f} µs; renew all {figures.renew_ms:.2f} ms; {figures.note}"
    )


def measure(bus: str, parts: Sequence[str], seconds: float, folder: Path) -> None:
    """Measures one bus, and prints its figures."""
    kind = bus.partition(":")[0]
    server = MeasuredServer(kind, folder) if kind == bus else None
    url = bus if server is None else server.url
    print(f"{server.version if server else url}")
    try:
        if "requests" in parts:
            requests(url, server, seconds)
        if "events" in parts:
            events(url, server, seconds)
        if "messages" in parts and kind != "nats":
            measure_messages(url, server.cpu_s if server else lambda: 0.0, seconds)
        if "jobs" in parts:
            jobs(kind, url, server, seconds)
        if "searches" in parts and kind != "nats":
            measure_searches(url)
        if "leases" in parts:
            show_leases(asyncio.run((leases.measure_nats if kind == "nats" else leases.measure_redis)(url)))
        if "outages" in parts and server is not None:
            outages(url, server, seconds)
        if server is not None:
            print(f"  memory of the bus at the end: {server.memory_mib():.0f} MiB")
    finally:
        if server is not None:
            server.server.kill()


def missing(bus: str) -> str | None:
    """Returns why a bus cannot be measured, None if it can be."""
    kind = bus.partition(":")[0]
    if kind not in KINDS:
        return f"a bus is one of {', '.join(KINDS)}, or an address that begins with it"
    module = "nats" if kind == "nats" else "redis"
    if importlib.util.find_spec(module) is None:
        return f"the Python package {'nats-py' if kind == 'nats' else 'redis[hiredis]'} is not installed"
    if kind == bus and find_program(kind) is None:
        return f"{KINDS[kind]} is not installed"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bus", description=__doc__)
    parser.add_argument("--bus", action="append", help="redis, valkey, nats or an address (all)")
    parser.add_argument("--only", action="append", choices=PARTS, help="measure this part only")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each load lasts (10)")
    words = parser.parse_args()
    parts = words.only or PARTS
    with tempfile.TemporaryDirectory(prefix="hnefi-bus-") as folder:
        for bus in words.bus or list(KINDS):
            if (reason := missing(bus)) is not None:
                print(f"{bus}: skipped, {reason}")
                continue
            measure(bus, parts, words.seconds, Path(folder))
    if "leases" in parts:
        with running_postgres() as url:
            show_leases(asyncio.run(leases.measure_postgres(url)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
