"""A site of several real processes, with a PostgreSQL and a bus, and clients that lose no move."""

import asyncio
import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psycopg

from tests.server.cluster.bus_servers import BusServer, any_bus_server
from tests.server.kills import ClientGame, check_game, new_client_game, play_on
from tests.server.serving import RunningServer
from tests.timeouts import TIMEOUT_S, wait_until

__all__ = ["RunningSite", "running_site"]

_PAUSE_S = 0.1
_CLOCKS = ({"kind": "none"}, {"kind": "fischer", "initial_s": 3600, "increment_s": 5})
_EVENTS = (
    "SELECT seq, message, body::json->>'kind', body::json->>'move' FROM event WHERE game = %s ORDER BY seq"
)


class RunningSite:
    """Processes of one site."""

    def __init__(self, url: str, bus: BusServer, folder: Path) -> None:
        self.url, self.bus, self.folder = url, bus, folder
        self.processes: list[RunningServer] = []
        self.is_over = False

    def start(self, *roles: str | None, **settings: object) -> list[RunningServer]:
        """Starts a process for each role, and waits until those with pages are ready."""
        begun = []
        for role in roles:
            name = f"{role or 'both'}-{len(self.processes)}"
            process = RunningServer(
                self.folder / name, database=self.url, bus=self.bus.url, role=role, **settings
            )
            process.begin()
            self.processes.append(process)
            begun.append(process)
        for process in begun:
            if process.settings["role"] in (None, "gateway"):
                process.wait()
        return begun

    @property
    def gateways(self) -> list[RunningServer]:
        """The processes with pages that run."""
        return [one for one in self.processes if one.is_alive() and one.settings["role"] in (None, "gateway")]

    def owners(self) -> dict[int | None, int]:
        """Counts the slots of each worker, by the table."""
        with psycopg.connect(self.url) as connection:
            return dict(connection.execute("SELECT worker, count(*) FROM slot GROUP BY worker").fetchall())

    def wait_for_owners(self, count: int) -> None:
        """Waits until so many workers own all slots, none more than its share."""

        def is_shared() -> bool:
            owners = self.owners()
            share = -(-1024 // count)
            return len(owners) == count and None not in owners and max(owners.values()) <= share

        wait_until(is_shared, f"{count} workers share the slots")

    def new_games(self, count: int, seed: int) -> list[ClientGame]:
        """Creates games at all gateways in turn, every second one with a clock."""
        gateways = self.gateways
        return [
            new_client_game(
                gateways[number % len(gateways)], seed * 1000 + number, _CLOCKS[(seed + number) % 2]
            )
            for number in range(count)
        ]

    async def play(self, game: ClientGame, chance: random.Random) -> None:
        """Plays a game to its end, each time at some gateway that runs, as a load balancer would choose."""
        while not game.is_over and not self.is_over:
            await self.play_once(game, chance)

    async def play_once(self, game: ClientGame, chance: random.Random) -> None:
        """Plays a game until it is over or the connection ends."""
        if gateways := self.gateways:
            with contextlib.suppress(TimeoutError):
                await play_on(chance.choice(gateways), game)
        await asyncio.sleep(_PAUSE_S)

    async def play_while(self, games: Sequence[ClientGame], work: Callable[[], None], seed: int = 0) -> None:
        """Plays all games to their end while something happens in a thread."""
        chance = random.Random(seed)
        playing = [asyncio.ensure_future(self.play(game, chance)) for game in games]
        await asyncio.to_thread(work)
        async with asyncio.timeout(TIMEOUT_S):
            await asyncio.gather(*playing)

    def check(self, games: Sequence[ClientGame]) -> int:
        """Compares the database with the acknowledged moves of games, and returns their number."""
        with psycopg.connect(self.url) as connection:
            return sum(check_game(game, connection.execute(_EVENTS, (game.id,)).fetchall()) for game in games)

    def stop(self) -> None:
        """Ends all processes."""
        for process in self.processes:
            process.__exit__()

    def logs(self) -> str:
        """Returns what all processes have logged."""
        return "\n".join(f"== {one.log.name}\n{one.log.read_text()}" for one in self.processes)


@contextlib.contextmanager
def running_site(url: str, folder: Path) -> Iterator[RunningSite]:
    """Runs a bus, and ends it and all processes of the site after the block."""
    bus = any_bus_server(folder)
    site = RunningSite(url, bus, folder)
    try:
        yield site
    except BaseException:
        print(site.logs())
        raise
    finally:
        site.stop()
        bus.thaw()
        bus.kill()
