"""The ends of the bus in one process, which send to each other without the bus."""

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Protocol, cast

from hnefi.server.cluster.bus import Bus, BusError, OnMessage, Transport
from hnefi.server.cluster.bus_model import BusModel
from hnefi.server.cluster.messages import ALL, AnyMessage

__all__ = ["End", "Ends", "Receiver", "new_address"]

_log = logging.getLogger(__name__)
_TOKEN_BYTES = 8
_ATTEMPTS, _RETRY_S = 10, 0.5
_LASTING = ("bus_refused", "bus_forbidden")
"""What the bus answers to the same user and password again."""


class End:
    """The end of the bus at one address; see `Bus`."""

    def __init__(self, bus: Bus, neighbours: dict[str, OnMessage]) -> None:
        """Creates it; `Ends.start` starts it.

        Args:
            bus: The end.
            neighbours: The addresses in this process, with what handles their messages.
        """
        self.bus = bus
        self._neighbours = neighbours

    @property
    def address(self) -> str:
        """The own address."""
        return self.bus.address

    def send(self, channel: str, message: BusModel, text: str | None = None) -> None:
        """Sends a message without waiting, within the process if the receiver is there."""
        if (on_message := self._neighbours.get(channel)) is not None:
            asyncio.get_running_loop().call_soon(on_message, self.address, cast("AnyMessage", message), text)
        else:
            self.bus.send(channel, message, text)

    def add_peer(self, address: str) -> None:
        """Sends beats to another process, and expects messages from it."""
        if address not in self._neighbours:
            self.bus.add_peer(address)

    def forget(self, address: str) -> None:
        """Forgets a process that has ended."""
        self.bus.forget(address)

    async def stop(self) -> None:
        """Sends what waits, and disconnects."""
        self._neighbours.pop(self.address, None)
        await self.bus.stop()


class Receiver(Protocol):
    """A gateway or a game worker."""

    def on_message(self, sender: str, message: AnyMessage, text: str | None) -> None:
        """Handles a message."""

    def on_gap(self, sender: str | None) -> None:
        """Notices that messages of a sender were lost, or of everybody if None."""

    def on_absent(self, sender: str) -> None:
        """Notices that nothing came from another process for some time."""


class Ends:
    """All ends of the bus in this process."""

    def __init__(self, connect: Callable[[], Transport]) -> None:
        """Creates it without ends.

        Args:
            connect: Creates what carries the messages of an end.
        """
        self._connect = connect
        self._neighbours: dict[str, OnMessage] = {}
        self.buses: list[Bus] = []

    @property
    def late_s(self) -> float:
        """How late the own beats are: 0 while the bus works."""
        return max((bus.late_s for bus in self.buses), default=0.0)

    @property
    def is_silent(self) -> bool:
        """Whether nothing can be sent or received."""
        return any(bus.is_silent for bus in self.buses)

    def create(self, address: str) -> End:
        """Creates the end at an address, which was never used before. It sends nothing before `start`.

        Raises:
            BusError: `missing_extra`, `bad_bus_url`.
        """
        return End(Bus(self._connect(), address), self._neighbours)

    async def start(self, end: End, receiver: Receiver, on_message: OnMessage | None = None) -> None:
        """Starts an end. A bus that restarts at that moment is waited for.

        Args:
            end: The end.
            receiver: Who is told what arrives, and what is missing.
            on_message: Called in place of `receiver.on_message`.

        Raises:
            BusError: `bus_refused`, `bus_forbidden` at once; `bus_unreachable` if it is after some seconds.
        """
        bus, handle = end.bus, on_message or receiver.on_message
        bus.on_gap, bus.on_absent = receiver.on_gap, receiver.on_absent
        await _start_patiently(bus, handle)
        self._neighbours[end.address] = handle
        self.buses.append(bus)

    async def close(self, end: End) -> None:
        """Closes an end."""
        if end.bus in self.buses:
            self.buses.remove(end.bus)
        await end.stop()


async def _start_patiently(bus: Bus, handle: OnMessage) -> None:
    for _ in range(_ATTEMPTS):
        try:
            await bus.start([ALL], handle)
            return
        except BusError as error:
            if error.code in _LASTING:
                raise
            _log.warning("%s", error)
            await asyncio.sleep(_RETRY_S)
    await bus.start([ALL], handle)


def new_address(kind: str) -> str:
    """Returns a new address of a gateway (`g`) or an engine worker (`e`)."""
    return f"{kind}:{secrets.token_hex(_TOKEN_BYTES)}"
