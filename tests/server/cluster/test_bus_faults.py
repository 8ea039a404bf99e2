"""The bus under random faults: no message is missing without a gap, none arrives twice or out of order."""

import asyncio
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from hnefi.server.cluster import messages as m
from hnefi.server.cluster.bus import BEAT_S, TICK_S
from tests.server.cluster.memory_bus import MemoryBusServer, settle_bus

GATEWAY, WORKER = "g:one", "w:1"
Fault = Literal[
    "send", "burst", "lose", "repeat", "hold", "release", "reverse", "kill", "restart", "cut", "heal"
]
FAULTS: tuple[Fault, ...] = Fault.__args__  # type: ignore[attr-defined]


class FaultyBus:
    """A worker that sends numbers to a gateway over a bus with faults."""

    def __init__(self) -> None:
        self.server = MemoryBusServer()
        self.gateway, self.worker = self.server.bus(GATEWAY), self.server.bus(WORKER)
        self.sent = 0
        self.received: list[int] = []
        self.gaps: list[int] = []
        """For each gap that was reported, how many numbers had been sent."""

    async def start(self) -> None:
        self.gateway.on_gap = lambda _sender: self.gaps.append(self.sent)
        for end in (self.gateway, self.worker):
            await end.start([m.ALL], self._receive)
        self.worker.add_peer(GATEWAY)
        await settle_bus()

    def _receive(self, _sender: str, message: m.AnyMessage, _text: str | None) -> None:
        assert isinstance(message, m.Created)
        self.received.append(message.slot)

    def send(self) -> None:
        self.sent += 1
        self.worker.send(GATEWAY, m.Created(game="abc", slot=self.sent))

    async def carry_out(self, fault: Fault) -> None:
        server = self.server
        match fault:
            case "send":
                self.send()
            case "burst":
                for _ in range(3):
                    self.send()
            case "lose":
                server.drops = lambda _channel, _data: True
                self.send()
                await settle_bus()
                server.drops = lambda _channel, _data: False
            case "repeat":
                server.repeats = lambda _channel, _data: True
                self.send()
                await settle_bus()
                server.repeats = lambda _channel, _data: False
            case "hold":
                server.is_holding = True
            case "release" | "reverse":
                server.release(is_reversed=fault == "reverse")
            case "kill":
                server.kill()
            case "restart":
                server.restart()
            case "cut" | "heal":
                server.cut(WORKER, is_cut=fault == "cut")
        await settle_bus()

    async def beat(self) -> None:
        """Repairs everything, and lets the worker send a beat."""
        for fault in ("restart", "heal", "release"):
            # A restart is a gap by itself, which would hide that another is missing.
            if fault != "restart" or not self.server.is_running:
                await self.carry_out(fault)
        for _ in range(round(BEAT_S / TICK_S)):
            self.worker.tick()
        await settle_bus()


@settings(max_examples=150)
@given(st.lists(st.sampled_from(FAULTS), max_size=25))
def test_every_loss_shows_as_a_gap_and_nothing_arrives_twice(faults: list[Fault]) -> None:
    async def main() -> FaultyBus:
        bus = FaultyBus()
        await bus.start()
        for fault in faults:
            await bus.carry_out(fault)
        await bus.beat()
        return bus

    bus = asyncio.run(main())
    assert bus.received == sorted(set(bus.received))
    # A gap is of use only if it is reported after the loss: then the gateway reads what it missed.
    missing = set(range(1, bus.sent + 1)) - set(bus.received)
    assert max(missing, default=0) <= max(bus.gaps, default=0), (bus.received, bus.gaps)
