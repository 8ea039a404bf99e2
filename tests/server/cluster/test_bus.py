"""The bus: numbers, gaps, beats, limits, and messages that are not what they should be."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

import pytest

from hnefi.server.cluster import bus as bus_module
from hnefi.server.cluster import messages as m
from hnefi.server.cluster.bus import ABSENT_S, BEAT_S, SILENT_S, TICK_S, Bus, BusError
from hnefi.server.cluster.job_messages import LongSearch, SearchReport
from tests.codes import has_code
from tests.server.cluster.memory_bus import MemoryBusServer, settle_bus

GATEWAY, WORKER = "g:one", "w:1"


class End:
    """An end of the bus that keeps what it received."""

    def __init__(self, server: MemoryBusServer, address: str) -> None:
        self.bus = server.bus(address)
        self.received: list[tuple[str, m.AnyMessage, str | None]] = []
        self.gaps: list[str | None] = []
        self.absent: list[str] = []
        self.silences: list[bool] = []
        self.bus.on_gap = self.gaps.append
        self.bus.on_absent = self.absent.append
        self.bus.on_silence = self.silences.append

    async def start(self) -> "End":
        await self.bus.start(
            [m.ALL], lambda sender, message, text: self.received.append((sender, message, text))
        )
        await settle_bus()
        return self

    async def tick(self, seconds: float) -> None:
        """Lets time pass."""
        for _ in range(round(seconds / TICK_S)):
            self.bus.tick()
            await settle_bus()

    @property
    def ids(self) -> list[int]:
        return [message.id for _, message, _ in self.received if isinstance(message, m.Reply)]


async def two(server: MemoryBusServer) -> tuple[End, End]:
    return await End(server, GATEWAY).start(), await End(server, WORKER).start()


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def reply(number: int) -> m.Reply:
    return m.Reply(id=number, slot=1, epoch=1, parameters={})


def test_messages_of_one_iteration_travel_together_and_in_order() -> None:
    async def main() -> None:
        server = MemoryBusServer()
        gateway, worker = await two(server)
        server.published.clear()
        for number in range(100):
            worker.bus.send(GATEWAY, reply(number))
        event = m.Event(game="abc", slot=1, epoch=2, seq=3)
        worker.bus.send(GATEWAY, event, '{"type":"event","name":"Þór\\n\\t"}')
        await settle_bus()
        assert len(server.published) == 1
        assert gateway.ids == list(range(100))
        assert gateway.received[-1] == (WORKER, event, '{"type":"event","name":"Þór\\n\\t"}')
        assert gateway.gaps == []

    run(main())


def test_messages_to_all_reach_everybody_else() -> None:
    async def main() -> None:
        server = MemoryBusServer()
        gateway, worker = await two(server)
        worker.bus.send(m.ALL, m.Owners(slots=[(0, 1, 5), (1023, None, 6)]))
        await settle_bus()
        assert gateway.received == [(WORKER, m.Owners(slots=[(0, 1, 5), (1023, None, 6)]), None)]
        assert worker.received == []
        late = await End(server, "g:two").start()
        worker.bus.send(m.ALL, m.Leaving())
        await settle_bus()
        assert [type(message) for _, message, _ in late.received] == [m.Leaving]
        assert late.gaps == gateway.gaps == []

    run(main())


def test_a_lost_message_shows_with_the_next_one() -> None:
    async def main() -> None:
        server = MemoryBusServer()
        gateway, worker = await two(server)
        worker.bus.send(GATEWAY, reply(1))
        await settle_bus()
        server.drops = lambda _channel, _data: True
        worker.bus.send(GATEWAY, reply(2))
        await settle_bus()
        server.drops = lambda _channel, _data: False
        assert gateway.gaps == []
        worker.bus.send(GATEWAY, reply(3))
        await settle_bus()
        assert gateway.gaps == [WORKER]
        assert gateway.ids == [1, 3]
        assert gateway.bus.counts.gaps == 1

    run(main())


def test_the_loss_of_the_first_and_of_the_last_message_shows_with_the_next_beat() -> None:
    async def main() -> None:
        server = MemoryBusServer()
        gateway, worker = await two(server)
        worker.bus.add_peer(GATEWAY)
        server.drops = lambda channel, _data: channel == GATEWAY
        worker.bus.send(GATEWAY, reply(1))
        await settle_bus()
        server.drops = lambda _channel, _data: False
        await worker.tick(BEAT_S)
        assert gateway.gaps == [WORKER]
        await worker.tick(3 * BEAT_S)
        assert gateway.gaps == [WORKER]
        assert gateway.received == []

    run(main())


def test_repeated_and_late_messages_are_left_out() -> None:
    async def main() -> None:
        server = MemoryBusServer()
        gateway, worker = await two(server)
        server.repeats = lambda _channel, _data: True
        worker.bus.send(GATEWAY, reply(1))
        await settle_bus()
        assert gateway.ids == [1]
        server.repeats = lambda _channel, _data: False
        server.is_holding = True
        for number in (2, 3):
            worker.bus.send(GATEWAY, reply(number))
            await settle_bus()
        server.release(is_reversed=True)
        await settle_bus()
        assert gateway.ids == [1, 3]
        assert gateway.gaps == [WORKER]
        assert gateway.bus.counts.repeated == 2

    run(main())


def test_a_stopped_bus_is_silent_and_others_are_not_absent() -> None:
    async def main() -> None:
        server = MemoryBusServer()
        gateway, worker = await two(server)
        gateway.bus.add_peer(WORKER)
        worker.bus.add_peer(GATEWAY)
        server.is_holding = True
        await gateway.tick(BEAT_S + SILENT_S - TICK_S)
        assert gateway.silences == []
        await gateway.tick(TICK_S)
        assert gateway.silences == [True]
        assert gateway.bus.is_silent
        await gateway.tick(2 * ABSENT_S)
        assert gateway.absent == []
        server.release()
        await settle_bus()
        await gateway.tick(TICK_S)
        assert gateway.silences == [True, False]
        assert gateway.bus.late_s == 0
        assert gateway.bus.counts.outages == 1

    run(main())


def test_a_silent_connection_is_dropped_every_three_seconds() -> None:
    async def main() -> None:
        server = MemoryBusServer()
        transport = server.transport()
        bus = Bus(transport, GATEWAY, is_ticking=False)
        await bus.start([], lambda *_: None)
        await settle_bus()
        transport.is_cut = True
        for _ in range(round((BEAT_S + 7) / TICK_S)):
            bus.tick()
            await settle_bus()
        assert transport.reconnections == 2
        assert bus.late_s == 7

    run(main())


def test_a_peer_without_beats_is_absent_once() -> None:
    async def main() -> None:
        server = MemoryBusServer()
        gateway, worker = await two(server)
        worker.bus.add_peer(GATEWAY)
        gateway.bus.add_peer(WORKER)
        for _ in range(10):
            await gateway.tick(BEAT_S)
            await worker.tick(BEAT_S)
        assert worker.absent == []
        await worker.tick(ABSENT_S - 2 * BEAT_S)
        assert worker.absent == []
        await worker.tick(2 * ABSENT_S)
        assert worker.absent == [GATEWAY]

    run(main())


def test_a_restart_of_the_bus_is_a_gap_of_everybody() -> None:
    async def main() -> None:
        server = MemoryBusServer()
        gateway, worker = await two(server)
        server.kill()
        worker.bus.send(GATEWAY, reply(1))
        await settle_bus()
        assert worker.bus.counts.dropped == 1
        server.restart()
        assert gateway.gaps == [None]
        worker.bus.send(GATEWAY, reply(2))
        await settle_bus()
        assert gateway.ids == [2]
        assert gateway.gaps == [None, WORKER]
        server.kill()
        late = End(server, "g:two")
        with pytest.raises(BusError, check=has_code("bus_unreachable")):
            await late.start()

    run(main())


def test_a_full_outbox_drops_and_the_receiver_notices() -> None:
    async def main() -> None:
        server = MemoryBusServer()
        gateway, worker = await two(server)
        for number in range(m.MAX_LINES + 5):
            worker.bus.send(GATEWAY, reply(number))
        await settle_bus()
        assert gateway.ids == list(range(m.MAX_LINES))
        assert worker.bus.counts.dropped == 5
        worker.bus.send(GATEWAY, reply(0))
        await settle_bus()
        assert gateway.gaps == [WORKER]

    run(main())


def test_large_messages_are_split_and_too_long_ones_dropped(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        server = MemoryBusServer()
        gateway, worker = await two(server)
        server.published.clear()
        event = m.Event(game="abc", slot=1, epoch=2, seq=3)
        text = f'"{"x" * 60_000}"'
        for _ in range(10):
            worker.bus.send(GATEWAY, event, text)
        worker.bus.send(GATEWAY, event, f'"{"x" * 600_000}"')
        await settle_bus()
        assert len(gateway.received) == 11
        assert [len(data) > m.MAX_MESSAGE_BYTES + 200 for _, data in server.published] == [False] * 3 + [True]
        for bad in ("x" * m.MAX_LINE_BYTES, "two\nlines"):
            worker.bus.send(GATEWAY, event, bad)
            worker.bus.send(GATEWAY, event, bad)
        await settle_bus()
        assert len(gateway.received) == 11
        assert worker.bus.counts.dropped == 4

    with caplog.at_level(logging.WARNING):
        run(main())
    assert len(caplog.records) == 2


HEAD = b'{"v":1,"from":"w:1","n":%d}\n'
MALFORMED = (
    b"",
    b"\n",
    b"\xff\xfe",
    b"null",
    b"[]",
    b'{"v":2,"from":"w:1","n":1}',
    b'{"v":1,"from":"w:1"}',
    b'{"v":1,"from":"w:1","n":0}',
    b'{"v":1,"from":"w:1","n":1e30}',
    b'{"v":1,"from":"w:1\\n","n":1}',
    b'{"v":1,"from":"x:1","n":1}',
    b"[" * 100_000,
    b"x" * (m.MAX_LINE_BYTES + 300),
)
MALFORMED_LINES = (
    b"",
    b"{",
    b"\xff",
    b"[" * 10_000,
    b'{"type":"unknown"}',
    b'{"type":"reply","id":"1","slot":1,"epoch":1}',
    b'{"type":"reply","id":1,"slot":1024,"epoch":1}',
    b'{"type":"reply","id":1,"slot":-1,"epoch":99999999999999999999}',
    b'{"type":"event","game":"../..","slot":1,"epoch":1,"seq":1}\ttext',
    b'{"type":"event","game":"abc","slot":1,"epoch":1,"seq":1}\t\xff',
    b'{"type":"owners","slots":[[0,1]]}',
    b'{"type":"follow","games":[["abc",1,[0,1,0]]]}',
)


def test_malformed_messages_are_counted_and_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        server = MemoryBusServer()
        gateway = await End(server, GATEWAY).start()
        for _ in range(3):
            for data in MALFORMED:
                server.publish(GATEWAY, data)
        await settle_bus()
        assert gateway.received == []
        assert gateway.bus.counts.malformed == 3 * len(MALFORMED)
        for number in range(1, 4):
            good = m.encode_line(reply(number))
            server.publish(GATEWAY, HEAD % number + b"\n".join((*MALFORMED_LINES, good)))
        await settle_bus()
        assert gateway.ids == [1, 2, 3]
        assert gateway.bus.counts.malformed == 3 * (len(MALFORMED) + len(MALFORMED_LINES))
        assert gateway.gaps == []

    with caplog.at_level(logging.WARNING):
        run(main())
    assert len(caplog.messages) == len(set(caplog.messages))
    assert not any("abc" in text or "../" in text for text in caplog.messages)


def test_unknown_fields_of_a_newer_process_are_ignored() -> None:
    line = b'{"type":"leaving","why":"upgrade"}'
    assert m.decode(HEAD % 1 + line).lines == [(m.Leaving(), None)]


def test_lines_beyond_the_limit_are_left_out() -> None:
    lines = b"\n".join([m.encode_line(m.Beat())] * (m.MAX_LINES + 3))
    delivery = m.decode(HEAD % 1 + lines)
    assert len(delivery.lines) == m.MAX_LINES
    assert delivery.faults == ["too many lines"]


def test_an_error_of_the_receiver_does_not_stop_the_bus(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        server = MemoryBusServer()
        gateway, worker = server.bus(GATEWAY), await End(server, WORKER).start()
        received = []

        def fail(_sender: str, message: m.AnyMessage, _text: str | None) -> None:
            received.append(message)
            raise RuntimeError("broken")

        await gateway.start([], fail)
        for number in range(2):
            worker.bus.send(GATEWAY, reply(number))
            await settle_bus()
        assert len(received) == 2

    with caplog.at_level(logging.ERROR):
        run(main())
    assert "could not be handled" in caplog.text


def test_many_senders_take_a_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus_module, "_MOST_SENDERS", 10)

    async def main() -> None:
        server = MemoryBusServer()
        gateway = await End(server, GATEWAY).start()
        for number in range(50):
            server.publish(GATEWAY, m.encode(f"w:{number}", 1, [m.encode_line(reply(number))]))
        await settle_bus()
        assert gateway.ids == list(range(50))
        assert len(gateway.bus._received) == 10

    run(main())


REPORT = SearchReport(lines=[{"score": 12, "moves": ["d1-c1"]}], depth=3, deepest=5, nodes=70, time_ms=8)
SEARCH = LongSearch(id=1, reply="w:1", kind="play", cost_ms=3_000.0, can_pause=True)


@pytest.mark.parametrize(
    "message",
    [
        m.Command(
            id=1,
            game="abc",
            slot=3,
            epoch=4,
            visitor="a" * 64,
            seq=5,
            message="m1",
            received_us=6,
            body=m.Play(move="d1-c1", call=2),
        ),
        m.Command(
            id=1, game="abc", slot=3, epoch=4, visitor=None, received_us=6, body=m.Do(action="offer_draw")
        ),
        m.Reply(id=1, slot=0, epoch=0, error="not_your_turn", parameters={"side": "attackers"}),
        m.Reply(id=1, slot=0, epoch=9, not_owner=True, worker=7, parameters={}),
        m.Command(id=1, game="abc", slot=3, epoch=4, visitor=None, received_us=6, body=m.Open(since=4)),
        m.Unfollow(games=["abc"]),
        m.Present(game="abc", connections=(1, 0, 12)),
        m.Missed(),
        m.Presence(game="abc", slot=1, epoch=1),
        m.Created(game="abc", slot=1),
        m.JobReport(id=1, report=REPORT),
        m.JobDone(id=1, move="d1-c1", spent_ms=12.5),
        m.JobDone(id=1, report=REPORT, paused=True),
        m.Pause(id=1, reply="w:1"),
        m.Engine(places=2, searches=[SEARCH]),
        m.Beat(),
    ],
    ids=lambda message: message.type,
)
def test_messages_arrive_as_they_were_sent(message: m.AnyMessage) -> None:
    assert m.decode(HEAD % 1 + m.encode_line(message)).lines == [(message, None)]
