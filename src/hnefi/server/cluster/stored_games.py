"""Games as they are in the database, for processes that only read them."""

from collections.abc import Sequence
from dataclasses import dataclass

from hnefi.server.games.games import OwnList
from hnefi.server.games.replayer import Replayed, Replayer
from hnefi.server.games.set_aside import SetAside, read_set_aside
from hnefi.server.games.state import State
from hnefi.server.games.time import Leads
from hnefi.server.refusals import refused
from hnefi.server.store import Link, Seat, StoredGame, StoreReader

__all__ = ["StoredGames", "StoredReading"]


@dataclass(frozen=True, slots=True)
class StoredReading:
    """A game as it was stored when it was read; see `hnefi.server.games.games.ReadGame`."""

    id: str
    state: State
    leads: Leads
    seats: tuple[Seat, ...]

    def players_of(self, visitor: str | None) -> frozenset[int]:
        """Returns the seats of a visitor, by the hash of the visitor's secret."""
        return frozenset(seat.player for seat in self.seats if seat.visitor == visitor)


class StoredGames:
    """Reads games from the database."""

    def __init__(self, store: StoreReader, leads: Leads) -> None:
        """Creates it for a store, with the leads of the time of the site."""
        self._store = store
        self._leads = leads
        self._replayer = Replayer(store)
        self._set_aside = SetAside()

    async def read(self, game: str) -> StoredReading:
        """Reads a game.

        Raises:
            Refused: `unknown_game`, `damaged_game`.
        """
        replayed = await self._replay((game,))
        if game in replayed.damaged:
            raise refused("damaged_game", game=game) from replayed.damaged[game]
        if game not in replayed.found:
            raise refused("unknown_game", game=game)
        return self._reading(*replayed.found[game])

    async def read_own(self, visitor: str) -> OwnList:
        """Reads the games of a visitor, and what is left of those that are damaged."""
        games = list(dict.fromkeys(seat.game for seat in await self._store.games_of(visitor)))
        replayed = await self._replay(games)
        damaged = [game for game in games if game in replayed.damaged]
        return OwnList(
            [self._reading(*replayed.found[game]) for game in games if game in replayed.found],
            await read_set_aside(self._store, damaged, visitor, self._leads),
        )

    async def find_link(self, secret: str) -> Link | None:
        """Returns a link by the hash of its secret; None if there is none."""
        return await self._store.find_link(secret)

    async def _replay(self, games: Sequence[str]) -> Replayed:
        """Replays games, and names those that are damaged in the log, each once."""
        replayed = await self._replayer.replay(games)
        for game, error in replayed.damaged.items():
            self._set_aside.add(game, error)
        return replayed

    def _reading(self, stored: StoredGame, state: State) -> StoredReading:
        return StoredReading(stored.id, state, self._leads, stored.seats)
