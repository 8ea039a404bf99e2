"""A bus inside the process, which can drop, delay and repeat messages, fall silent and restart."""

import asyncio
from collections.abc import Callable, Sequence

from hnefi.server.cluster.bus import Bus, BusError

__all__ = ["MemoryBusServer", "MemoryTransport", "settle_bus"]

_IDLE_ITERATIONS = 20


class MemoryBusServer:
    """Carries messages between the ends that it made.

    Attributes:
        drops: Decides by channel and bytes whether a message is lost.
        repeats: Decides whether it arrives twice.
        is_holding: Whether messages wait; `release` delivers them, in another order if asked to.
        published: Every message that was published, also a lost one.
    """

    def __init__(self) -> None:
        self.drops: Callable[[str, bytes], bool] = lambda _channel, _data: False
        self.repeats: Callable[[str, bytes], bool] = lambda _channel, _data: False
        self.is_holding = False
        self.is_running = True
        self.published: list[tuple[str, bytes]] = []
        self._held: list[tuple[str, bytes]] = []
        self._transports: list[MemoryTransport] = []
        self._transport_of: dict[str, MemoryTransport] = {}

    def bus(self, address: str) -> Bus:
        """Creates an end at an address. Tests call its `tick`."""
        transport = self.transport()
        self._transport_of[address] = transport
        return Bus(transport, address, is_ticking=False)

    def cut(self, address: str, *, is_cut: bool = True) -> None:
        """Cuts one end off: what it sends or should receive is lost."""
        self._transport_of[address].is_cut = is_cut

    def transport(self) -> "MemoryTransport":
        """Creates an end without numbers and beats."""
        transport = MemoryTransport(self)
        self._transports.append(transport)
        return transport

    def lose_every(self, count: int) -> None:
        """Loses one in a number of messages from now on."""
        number = 0

        def drops(_channel: str, _data: bytes) -> bool:
            nonlocal number
            number += 1
            return number % count == 0

        self.drops = drops

    def publish(self, channel: str, data: bytes) -> None:
        self.published.append((channel, data))
        if self.drops(channel, data):
            return
        for _ in range(2 if self.repeats(channel, data) else 1):
            if self.is_holding:
                self._held.append((channel, data))
            else:
                self._deliver(channel, data)

    def release(self, *, is_reversed: bool = False) -> None:
        """Delivers what waits."""
        held, self._held, self.is_holding = self._held, [], False
        for channel, data in reversed(held) if is_reversed else held:
            self._deliver(channel, data)

    def kill(self) -> None:
        """Ends it: all connections are lost, and what waits."""
        self.is_running = False
        self._held.clear()

    def restart(self) -> None:
        """Starts it again; all ends connect at once."""
        self.is_running = True
        for transport in self._transports:
            transport.connect_again()

    def _deliver(self, channel: str, data: bytes) -> None:
        loop = asyncio.get_running_loop()
        for transport in self._transports:
            loop.call_soon(transport.receive, channel, data)


class MemoryTransport:
    """One end, which can be cut off. `reconnections` counts how often it was asked to connect again."""

    def __init__(self, server: MemoryBusServer) -> None:
        self._server = server
        self._channels: Sequence[str] = ()
        self._on_data: Callable[[str, bytes], None] = lambda _channel, _data: None
        self._on_reconnected: Callable[[], None] = lambda: None
        self.is_cut = False
        self.reconnections = 0

    async def start(
        self,
        channels: Sequence[str],
        on_data: Callable[[str, bytes], None],
        on_reconnected: Callable[[], None],
    ) -> None:
        if not self._server.is_running:
            raise BusError("bus_unreachable", "bus_unreachable: memory", {"url": "memory", "why": "killed"})
        self._channels, self._on_data, self._on_reconnected = channels, on_data, on_reconnected

    def publish(self, batch: Sequence[tuple[str, bytes]]) -> bool:
        if not self._server.is_running:
            return False
        if not self.is_cut:
            for channel, data in batch:
                self._server.publish(channel, data)
        return True

    def reconnect(self) -> None:
        self.reconnections += 1

    async def stop(self) -> None:
        self._channels = ()

    def receive(self, channel: str, data: bytes) -> None:
        if channel in self._channels and not self.is_cut and self._server.is_running:
            self._on_data(channel, data)

    def connect_again(self) -> None:
        if self._channels:
            self._on_reconnected()


async def settle_bus() -> None:
    """Runs the event loop until all messages have arrived."""
    for _ in range(_IDLE_ITERATIONS):
        await asyncio.sleep(0)
