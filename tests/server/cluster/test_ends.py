"""The ends of the bus in one process: they send to each other directly, and wait for a bus that restarts."""

import asyncio

import pytest

from hnefi.server.cluster import ends as ends_module
from hnefi.server.cluster.bus import BusError
from hnefi.server.cluster.ends import End, Ends
from hnefi.server.cluster.messages import AnyMessage, Missed
from tests.server.cluster.memory_bus import MemoryBusServer, settle_bus


class Receiver:
    """Records the calls it gets."""

    def __init__(self) -> None:
        self.received: list[tuple[str, AnyMessage]] = []

    def on_message(self, sender: str, message: AnyMessage, _text: str | None) -> None:
        self.received.append((sender, message))

    def on_gap(self, _: str | None) -> None: ...

    def on_absent(self, _: str) -> None: ...


async def started(ends: Ends, address: str) -> tuple[End, Receiver]:
    end, receiver = ends.create(address), Receiver()
    await ends.start(end, receiver)
    return end, receiver


def test_the_ends_of_a_process_send_without_the_bus() -> None:
    async def main() -> None:
        server = MemoryBusServer()
        here, there = Ends(server.transport), Ends(server.transport)
        (gateway, _), (worker, received) = await started(here, "g:a"), await started(here, "w:1")
        _, received_there = await started(there, "w:2")
        await settle_bus()
        server.published.clear()
        gateway.send("w:1", Missed())
        await settle_bus()
        assert received.received == [("g:a", Missed())]
        assert [channel for channel, _ in server.published if channel == "w:1"] == []
        gateway.send("w:2", Missed())
        await settle_bus()
        assert received_there.received == [("g:a", Missed())]
        # Once it is closed, it is reached no more.
        await here.close(worker)
        gateway.send("w:1", Missed())
        await settle_bus()
        assert len(received.received) == 1
        assert len(here.buses) == 1

    asyncio.run(main())


@pytest.mark.parametrize("comes_back", [True, False])
def test_a_process_waits_for_a_bus_that_restarts(monkeypatch: pytest.MonkeyPatch, comes_back: bool) -> None:
    monkeypatch.setattr(ends_module, "_RETRY_S", 0.0)

    async def main() -> None:
        server = MemoryBusServer()
        server.kill()
        ends = Ends(server.transport)
        starting = asyncio.ensure_future(started(ends, "g:a"))
        await asyncio.sleep(0)
        if comes_back:
            server.restart()
            await starting
        else:
            with pytest.raises(BusError):
                await starting
        assert len(ends.buses) == comes_back

    asyncio.run(main())
