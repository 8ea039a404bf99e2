"""Games as they are in the database, for processes that only read them."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from hnefi._core import Rules
from hnefi.errors import VariantError
from hnefi.server.games.restarts import Restarts
from hnefi.server.games.state import State, fold
from hnefi.server.games.time import Leads
from hnefi.server.refusals import Refused, refused
from hnefi.server.store import Link, Seat, StoredGame, StoreReader

__all__ = ["StoredGames", "StoredReading"]

_MOST_RULES = 200
_LOADED_TOGETHER = 20


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
    """Reads games from the database. Nothing but compiled rules stays in memory."""

    def __init__(self, store: StoreReader, leads: Leads) -> None:
        """Creates it for a store, with the leads of the time of the site."""
        self._store = store
        self._leads = leads
        self._rules: dict[str, Rules] = {}

    async def read(self, game: str) -> StoredReading:
        """Reads a game.

        Raises:
            Refused: `unknown_game`, `damaged_game`.
        """
        found = await self._read((game,))
        if not found:
            raise refused("unknown_game", game=game)
        return found[0]

    async def read_own(self, visitor: str) -> list[StoredReading]:
        """Reads the games of a visitor, the newest first, without those that are damaged."""
        games = list(dict.fromkeys(seat.game for seat in await self._store.games_of(visitor)))
        found: dict[str, StoredReading] = {}
        for begin in range(0, len(games), _LOADED_TOGETHER):
            part = games[begin : begin + _LOADED_TOGETHER]
            try:
                found |= {one.id: one for one in await self._read(part)}
            except Refused:
                for game in part:
                    try:
                        found[game] = await self.read(game)
                    except Refused:
                        continue
        return [found[game] for game in games if game in found]

    async def find_link(self, secret: str) -> Link | None:
        """Returns a link by the hash of its secret; None if there is none."""
        return await self._store.find_link(secret)

    async def _read(self, games: Iterable[str]) -> list[StoredReading]:
        try:
            stored = await self._store.load_many(tuple(games))
            restarts = Restarts(await self._store.restarts())
            found = []
            for one in stored:
                found.append(self._reading(one, restarts))
                await asyncio.sleep(0)
        except (ValueError, VariantError) as error:
            raise refused("damaged_game", game=" ".join(games)) from error
        return found

    def _reading(self, stored: StoredGame, restarts: Restarts) -> StoredReading:
        state = fold(stored.events, self._compiled(stored.tree), restarts.of(stored.id))
        return StoredReading(stored.id, state, self._leads, stored.seats)

    def _compiled(self, tree: str) -> Rules:
        rules = self._rules.get(tree)
        if rules is None:
            if len(self._rules) >= _MOST_RULES:
                self._rules.clear()
            rules = self._rules[tree] = Rules(tree)
        return rules
