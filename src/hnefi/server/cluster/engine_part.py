"""The engine worker of a process, and its end of the bus."""

from hnefi.server.cluster.ends import Ends, new_address
from hnefi.server.cluster.engine_worker import EngineWorker
from hnefi.server.cluster.messages import AnyMessage
from hnefi.server.cluster.redis_stream import RedisStream

__all__ = ["EnginePart"]


class EnginePart:
    """Carries out searches for all processes of the site."""

    def __init__(self, ends: Ends, stream: RedisStream, places: int, memory_mib: int) -> None:
        """Creates it; `start` begins.

        Args:
            ends: The ends of the bus in this process.
            stream: The streams of jobs.
            places: How many searches it carries out at the same time.
            memory_mib: The memory limit of each.
        """
        self._ends, self._stream = ends, stream
        self._end = ends.create(new_address("e"))
        self.worker = EngineWorker(stream, self._end.send, self._end.address, places, memory_mib)

    async def start(self) -> None:
        """Connects, announces itself, and takes jobs.

        Raises:
            BusError: `bus_unreachable`.
        """
        await self._ends.start(self._end, self)
        await self.worker.start()

    async def stop(self) -> None:
        """Hands its jobs back, and disconnects."""
        await self.worker.stop()
        await self._ends.close(self._end)
        await self._stream.close()

    def on_message(self, sender: str, message: AnyMessage, _text: str | None) -> None:
        """Handles a message."""
        self.worker.receive(sender, message)

    def on_gap(self, _: str | None) -> None:
        """Does nothing: what was lost is announced again."""

    def on_absent(self, _: str) -> None:
        """Does nothing: there are no peers."""
