"""The bus between processes: addresses, numbers that show lost messages, beats, and a bounded outbox.

A message may be lost, and the sender does not learn it. Receivers notice it by a gap in the numbers, at the
latest with the next beat. Decision 40 says what then happens.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from hnefi.errors import HnefiError
from hnefi.server.cluster.messages import (
    ALL,
    MAX_LINES,
    MAX_MESSAGE_BYTES,
    AnyMessage,
    Beat,
    BusModel,
    decode,
    encode,
    encode_line,
)

__all__ = [
    "ABSENT_S",
    "BEAT_S",
    "SILENT_S",
    "TICK_S",
    "Bus",
    "BusCounts",
    "BusError",
    "OnMessage",
    "Transport",
]

_log = logging.getLogger(__name__)

TICK_S = 0.25
BEAT_S = 1.0
SILENT_S = 1.5
"""The bus is silent if the own beat is late by this time."""

ABSENT_S = 5.0
"""A peer is absent if nothing came from it for this time."""

_RECONNECT_S = 3.0
_MAX_OUTBOX_BYTES = 32 * 1024 * 1024
_MOST_SENDERS = 4_096
_MOST_FAULTS_LOGGED = 100

OnMessage = Callable[[str, AnyMessage, str | None], None]
"""Called with the address of the sender, a message, and its text for browsers."""


class BusError(HnefiError):
    """A bus that cannot be used."""


class Transport(Protocol):
    """Carries bytes to all subscribers of a channel; any of them may be lost."""

    async def start(
        self,
        channels: Sequence[str],
        on_data: Callable[[str, bytes], None],
        on_reconnected: Callable[[], None],
    ) -> None:
        """Connects and subscribes; from then on it connects again by itself.

        Args:
            channels: The channels to read.
            on_data: Called with the channel and the bytes of each message.
            on_reconnected: Called after each further connection.

        Raises:
            BusError: `bus_unreachable`, `bus_refused`, `bus_forbidden`.
        """

    def publish(self, batch: Sequence[tuple[str, bytes]]) -> bool:
        """Publishes to channels in order, without waiting; returns False if that is not possible now."""

    def reconnect(self) -> None:
        """Drops the connection, which is silent."""

    async def stop(self) -> None:
        """Disconnects."""


@dataclass
class BusCounts:
    """Counts for metrics.

    Attributes:
        sent: Messages that were passed to the bus.
        received: Messages that arrived, without the own beats.
        dropped: Messages that were not passed to the bus: too long, a full outbox, or no connection.
        malformed: What arrived and could not be read.
        repeated: What arrived a second time or too late.
        gaps: How often a message of another process was missing.
        outages: How often the bus fell silent.
    """

    sent: int = 0
    received: int = 0
    dropped: int = 0
    malformed: int = 0
    repeated: int = 0
    gaps: int = 0
    outages: int = 0


def _ignore(*_: object) -> None:
    """Does nothing: the callback of those who need none."""


class Bus:
    """The end of the bus at one address. A process that is gateway and game worker has two.

    Attributes:
        address: The own address, also the channel on which it is reached.
        counts: Counts for metrics.
        on_gap: Called with the address of a sender of whom a message was lost, with None after a
            new connection: then messages of everybody may have been lost.
        on_absent: Called with the address of a peer from whom nothing came for `ABSENT_S`, though the bus
            works. It is a peer no more.
        on_silence: Called with True when the bus falls silent, and with False when it is back.
    """

    def __init__(self, transport: Transport, address: str, *, is_ticking: bool = True) -> None:
        """Creates the end of a bus.

        Args:
            transport: What carries the messages.
            address: The own address, new at every start: its messages are counted from 1.
            is_ticking: Whether `tick` is called by a task; tests call it themselves.
        """
        self.address = address
        self.counts = BusCounts()
        self.on_gap: Callable[[str | None], None] = _ignore
        self.on_absent: Callable[[str], None] = _ignore
        self.on_silence: Callable[[bool], None] = _ignore
        self._transport = transport
        self._is_ticking = is_ticking
        self._on_message: OnMessage = _ignore
        self._outbox: dict[str, list[bytes]] = {}
        self._outbox_lines = self._outbox_bytes = 0
        self._sent: dict[str, int] = {}
        self._received: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._quiet_ticks: dict[str, int] = {}
        self._ticks = 0
        self._unanswered_tick: int | None = None
        self._is_silent = False
        self._logged: set[str] = set()
        self._is_flushing = False
        self._task: asyncio.Task[None] | None = None

    async def start(self, channels: Sequence[str], on_message: OnMessage) -> None:
        """Connects, and passes on what arrives on the own channel and on others, such as `ALL`.

        Raises:
            BusError: `bus_unreachable`.
        """
        self._on_message = on_message
        own = dict.fromkeys((self.address, *channels))
        await self._transport.start(tuple(own), self._on_data, self._on_reconnected)
        self._send_beats()
        if self._is_ticking:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Publishes what waits in the outbox, and disconnects."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self._flush()
        await self._transport.stop()

    # Sending

    def send(self, channel: str, message: BusModel, text: str | None = None) -> None:
        """Sends a message without waiting. All of one iteration of the event loop travel together.

        Args:
            channel: The address of the receiver, or `ALL`.
            message: The message.
            text: The message for browsers, which the receiver passes on.
        """
        try:
            line = encode_line(message, text)
        except ValueError as error:
            self._log_once(f"a message cannot be sent: {type(message).__name__}: {error}")
            self._drop(channel)
            return
        if self._outbox_lines >= MAX_LINES or self._outbox_bytes > _MAX_OUTBOX_BYTES:
            self._log_once("the outbox is full")
            self._drop(channel)
            return
        self._outbox.setdefault(channel, []).append(line)
        self._outbox_lines += 1
        self._outbox_bytes += len(line)
        if not self._is_flushing:
            self._is_flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _drop(self, channel: str) -> None:
        """Counts a message that is not sent; its number shows the receiver that it is missing."""
        self._sent[channel] = self._sent.get(channel, 0) + 1
        self.counts.dropped += 1

    def _flush(self) -> None:
        """Publishes what waits in the outbox."""
        waiting, lines = self._outbox, self._outbox_lines
        self._outbox, self._outbox_lines, self._outbox_bytes = {}, 0, 0
        self._is_flushing = False
        batch = [(channel, data) for channel in waiting for data in self._pack(channel, waiting[channel])]
        if batch and self._transport.publish(batch):
            self.counts.sent += lines
        else:
            self.counts.dropped += lines

    def _pack(self, channel: str, lines: Sequence[bytes]) -> Iterator[bytes]:
        """Yields as few numbered messages of the bus as the limits allow."""
        begin, size = 0, 0
        for index, line in enumerate(lines):
            if index > begin and size + len(line) > MAX_MESSAGE_BYTES:
                yield self._encode(channel, lines[begin:index])
                begin, size = index, 0
            size += len(line) + 1
        yield self._encode(channel, lines[begin:])

    def _encode(self, channel: str, lines: Sequence[bytes]) -> bytes:
        number = self._sent[channel] = self._sent.get(channel, 0) + 1
        return encode(self.address, number, lines)

    # Receiving

    def _on_data(self, channel: str, data: bytes) -> None:
        """Passes the messages on; whatever they are, it raises nothing."""
        try:
            delivery = decode(data)
        except ValueError as error:
            self.counts.malformed += 1
            self._log_once(f"a message of the bus is malformed: {type(error).__name__}")
            return
        if delivery.sender == self.address:
            if channel == self.address:
                self._unanswered_tick = None
            return
        self.counts.malformed += len(delivery.faults)
        for fault in delivery.faults:
            self._log_once(f"a line of the bus is malformed: {fault}")
        if not self._is_next(channel, delivery.sender, delivery.number):
            self.counts.repeated += len(delivery.lines)
            return
        if delivery.sender in self._quiet_ticks:
            self._quiet_ticks[delivery.sender] = 0
        self.counts.received += len(delivery.lines)
        for message, text in delivery.lines:
            if not isinstance(message, Beat):
                self._guard(self._on_message, delivery.sender, message, text)

    def _is_next(self, channel: str, sender: str, number: int) -> bool:
        """Checks whether a message is newer than the last of its sender; reports those that were left out."""
        known = self._received.get((channel, sender))
        # A process that came later has not missed what was sent to all before.
        last = known if known is not None else (number - 1 if channel == ALL else 0)
        if number <= last:
            return False
        self._received[channel, sender] = number
        self._received.move_to_end((channel, sender))
        if len(self._received) > _MOST_SENDERS:
            self._received.popitem(last=False)
        if number > last + 1:
            self.counts.gaps += 1
            self._guard(self.on_gap, sender)
        return True

    def _on_reconnected(self) -> None:
        self._guard(self.on_gap, None)

    def _guard(self, callback: Callable[..., None], *arguments: object) -> None:
        """Calls a function whose errors must not end the reading of messages."""
        try:
            callback(*arguments)
        except Exception:
            _log.exception("a message of the bus could not be handled")

    def _log_once(self, text: str) -> None:
        """Logs a fault the first time; afterwards it is only counted."""
        if text not in self._logged and len(self._logged) < _MOST_FAULTS_LOGGED:
            self._logged.add(text)
            _log.warning("%s; further ones are only counted", text)

    # Beats: whether the bus works, and whether the others are there

    def add_peer(self, address: str) -> None:
        """Sends beats to a process, and expects messages from it."""
        self._quiet_ticks.setdefault(address, 0)

    def remove_peer(self, address: str) -> None:
        """Sends no more beats to a process."""
        self._quiet_ticks.pop(address, None)

    def forget(self, address: str) -> None:
        """Forgets a process that has ended. Its address is never used again."""
        self.remove_peer(address)
        self._sent.pop(address, None)
        for channel in (self.address, ALL):
            self._received.pop((channel, address), None)

    @property
    def late_s(self) -> float:
        """How late the own beat is: 0 while the bus works.

        It is counted in ticks of this process, so that a process that was stopped does not blame the bus.
        """
        unanswered = self._unanswered_tick
        return 0.0 if unanswered is None else (self._ticks - unanswered) * TICK_S

    @property
    def is_silent(self) -> bool:
        """Whether nothing can be sent or received: the own beat is late by `SILENT_S`."""
        return self.late_s >= SILENT_S

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            self.tick()

    def tick(self) -> None:
        """Sends beats every second, and notices silence and absent peers; called every `TICK_S`."""
        self._ticks += 1
        self._note_silence()
        if self.late_s >= _RECONNECT_S and self.late_s % _RECONNECT_S < TICK_S:
            self._transport.reconnect()
        for peer, quiet in list(self._quiet_ticks.items()):
            # While the bus is late, others are not absent: they cannot be heard.
            self._quiet_ticks[peer] = 0 if self.late_s >= BEAT_S else quiet + 1
            if self._quiet_ticks[peer] * TICK_S >= ABSENT_S:
                del self._quiet_ticks[peer]
                self._guard(self.on_absent, peer)
        if self._ticks % round(BEAT_S / TICK_S) == 0:
            self._send_beats()

    def _note_silence(self) -> None:
        if self.is_silent == self._is_silent:
            return
        self._is_silent = self.is_silent
        self.counts.outages += self._is_silent
        _log.log(
            *(
                (logging.WARNING, "the bus is silent")
                if self._is_silent
                else (logging.INFO, "the bus is back")
            )
        )
        self._guard(self.on_silence, self._is_silent)

    def _send_beats(self) -> None:
        if self._unanswered_tick is None:
            self._unanswered_tick = self._ticks
        for address in (self.address, *self._quiet_ticks):
            self.send(address, Beat())
