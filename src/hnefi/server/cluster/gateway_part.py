"""The gateway of a process: the table of owners, its commands, and its end of the bus."""

import asyncio
from collections.abc import Callable, Iterable

from hnefi.server.cluster.calls import Calls
from hnefi.server.cluster.ends import End, Ends, new_address
from hnefi.server.cluster.gateway import Gateway
from hnefi.server.cluster.messages import ALL, AnyMessage, Here, Leaving
from hnefi.server.cluster.owners import OwnerTable, StoredOwner
from hnefi.server.cluster.site_time import SiteTime
from hnefi.server.cluster.stored_games import StoredGames
from hnefi.server.presence import PeopleHere
from hnefi.server.store import StoreReader

__all__ = ["GatewayPart"]


class GatewayPart:
    """Finds the owners of games, and follows them for the connections of this process.

    Attributes:
        end: Its end of the bus.
        owners: Who owns which slots.
        games: The games.
    """

    def __init__(self, ends: Ends, store: StoreReader, time: SiteTime, *, notes_time: bool) -> None:
        """Creates it; `start` begins.

        Args:
            ends: The ends of the bus in this process.
            store: The games, to read.
            time: The time of the site.
            notes_time: Whether it compares the time with the clock of the database, as a game worker does.
        """
        self._ends = ends
        self._store = store
        self._time = time
        self._notes_time = notes_time
        self._reading: asyncio.Task[None] | None = None
        self._telling: asyncio.Task[None] | None = None
        self.owners = OwnerTable(self._read)
        self.end: End = ends.create(new_address("g"))
        stored = StoredGames(store, time.leads)
        self.games = Gateway(self.end, self.owners, Calls(self.end, self.owners), stored, time)
        self.owners.on_change = self.games.on_owners_changed

    async def _read(self) -> Iterable[StoredOwner]:
        if self._notes_time and self._time.note(await self._store.database_clock()):
            self._time.learn(await self._store.clock_readings())
        return await self._store.owners()

    async def start(self, on_other: Callable[[str, AnyMessage], None]) -> None:
        """Connects, and reads who owns which games.

        Args:
            on_other: Called with the sender and each message too, for others at this address.

        Raises:
            BusError: `bus_unreachable`.
            NotSaved: If the database cannot be read.
        """

        def on_message(sender: str, message: AnyMessage, text: str | None) -> None:
            self.games.on_message(sender, message, text)
            on_other(sender, message)

        await self._ends.start(self.end, self.games, on_message)
        await self.owners.read()
        self._reading = asyncio.get_running_loop().create_task(self.owners.run())

    def announce_people(self, here: Callable[[], PeopleHere]) -> None:
        """Sends other gateways now and then who is connected here."""

        work = self.games.people.announce(self.end.send, lambda: Here(**here()._asdict()))
        self._telling = asyncio.get_running_loop().create_task(work)

    async def stop(self) -> None:
        """Announces its end, and disconnects."""
        for task in (self._reading, self._telling):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        await self.games.stop()
        self.end.send(ALL, Leaving())
        await self._ends.close(self.end)
