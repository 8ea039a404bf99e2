"""What the messages of the server cost: commands, replies and events over `hnefi.server.cluster.bus`."""

import asyncio
import multiprocessing
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

import uvloop

from benchmarks.bus.nodes import quantile
from hnefi.server.cluster import messages as m
from hnefi.server.cluster.bus import Bus
from hnefi.server.cluster.redis_bus import RedisTransport

__all__ = ["measure_messages"]

_SITE, _GATEWAY, _WORKER = "benchmark", "g:one", "w:1"
_TEXT = f'{{"type":"event","game":"abcdefghijkm","seq":8,"after":"{"." * 440}"}}'
_REST_S = 0.3


async def _serve(url: str, pipe: Connection) -> None:
    """Replies to each command with a reply and an event of 500 bytes; reports its processor time."""
    bus = Bus(RedisTransport(url, _SITE), _WORKER)

    def answer(sender: str, command: m.AnyMessage, _text: str | None) -> None:
        if isinstance(command, m.Command):
            slot, epoch, seq = command.slot, command.epoch, command.seq + 1
            bus.send(sender, m.Reply(id=command.id, slot=slot, epoch=epoch, seq=seq, parameters={}))
            bus.send(sender, m.Event(game=command.game, slot=slot, epoch=epoch, seq=seq), _TEXT)

    await bus.start([m.ALL], answer)
    pipe.send(None)
    while await asyncio.to_thread(pipe.recv):
        pipe.send(time.process_time())
    await bus.stop()


def _run_worker(url: str, pipe: Connection) -> None:
    uvloop.run(_serve(url, pipe))


async def _command(url: str, pipe: Connection, bus_cpu_s: Callable[[], float], per_s: int, count: int) -> str:
    """Sends commands at a steady rate, and returns the figures as text."""
    bus, begun, took_ms = Bus(RedisTransport(url, _SITE), _GATEWAY), dict[int, float](), list[float]()

    def receive(_sender: str, reply: m.AnyMessage, _text: str | None) -> None:
        if isinstance(reply, m.Reply):
            took_ms.append((time.monotonic() - begun.pop(reply.id)) * 1000)

    async def cpu_s() -> tuple[float, float, float]:
        pipe.send(True)
        return time.process_time(), await asyncio.to_thread(pipe.recv), bus_cpu_s()

    await bus.start([m.ALL], receive)
    before, begin = await cpu_s(), time.monotonic()
    for number in range(count):
        if (wait_s := begin + number / per_s - time.monotonic()) > 0:
            await asyncio.sleep(wait_s)
        begun[number] = time.monotonic()
        command = m.Command(
            id=number,
            game="abcdefghijkm",
            slot=5,
            epoch=3,
            visitor="a" * 64,
            address="127.0.0.1",
            seq=7,
            message=f"m{number}",
            received_us=1_700_000_000_000_000,
            body=m.Play(move="e5-e8"),
        )
        bus.send(_WORKER, command)
    await asyncio.sleep(_REST_S)
    after = await cpu_s()
    pipe.send(False)
    await bus.stop()
    spent = [(then - now) / count * 1e6 for now, then in zip(before, after, strict=True)]
    return (
        f"p50 {quantile(took_ms, 0.5):.2f} ms, p99 {quantile(took_ms, 0.99):.2f} ms, {len(begun)} lost;"
        f" CPU a command: gateway {spent[0]:.0f}, worker {spent[1]:.0f}, bus {spent[2]:.0f};"
        f" sum {sum(spent):.0f} µs"
    )


def measure_messages(url: str, bus_cpu_s: Callable[[], float], seconds: float) -> None:
    """Prints the figures at three rates."""
    context = multiprocessing.get_context("spawn")
    for per_s in (250, 1_000, 4_000):
        pipe, theirs = context.Pipe()
        worker = context.Process(target=_run_worker, args=(url, theirs), daemon=True)
        worker.start()
        pipe.recv()
        print(
            f"  {per_s} commands/s: {uvloop.run(_command(url, pipe, bus_cpu_s, per_s, int(per_s * seconds)))}"
        )
        worker.join()
