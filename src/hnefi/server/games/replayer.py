"""Stored games, replayed without a room: to read them, and to find damaged ones."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hnefi._core import Rules
from hnefi.errors import VariantError
from hnefi.server import events as e
from hnefi.server.games.state import State, fold
from hnefi.server.store import StoredGame, StoreReader

_MOST_RULES = 200
_LOADED_TOGETHER = 20


def rules_of(stored: StoredGame, compiled: dict[str, Rules]) -> Rules:
    """Returns the rules of a stored game.

    Args:
        stored: The game.
        compiled: Rules that were compiled before, by their hash; those of the game are added.

    Raises:
        ValueError: If its first event is not that it was created, or its rules are not those of that event.
        VariantError: If its rules cannot be read.
    """
    created = stored.events[0].body if stored.events else None
    if not isinstance(created, e.Created):
        raise ValueError("event 1 is not that it was created")
    rules = compiled.get(created.rules)
    if rules is None:
        rules = Rules(stored.tree)
        if rules.hash != created.rules:
            raise ValueError(f"its rules have the hash {rules.hash} instead of {created.rules}")
        compiled[created.rules] = rules
    return rules


@dataclass(frozen=True, slots=True)
class Replayed:
    """Games that were replayed.

    Attributes:
        found: The stored games and their states, by id.
        damaged: Why others cannot be read, by id. Those that are in neither do not exist.
    """

    found: dict[str, tuple[StoredGame, State]] = field(default_factory=dict)
    damaged: dict[str, Exception] = field(default_factory=dict)


class Replayer:
    """Replays games of a store. Nothing but compiled rules stays in memory."""

    def __init__(self, store: StoreReader) -> None:
        """Creates it for a store."""
        self._store = store
        self._compiled: dict[str, Rules] = {}

    async def replay(self, games: Sequence[str]) -> Replayed:
        """Replays games."""
        restarts = await self._store.restarts()
        done = Replayed()
        for part in _parts(games):
            await self._replay_part(part, restarts, done)
        return done

    async def damaged(self, games: Sequence[str]) -> dict[str, Exception]:
        """Finds the damaged ones among games, with the reason; it keeps only a few in memory at a time."""
        restarts = await self._store.restarts()
        damaged: dict[str, Exception] = {}
        for part in _parts(games):
            done = Replayed()
            await self._replay_part(part, restarts, done)
            damaged |= done.damaged
        return damaged

    async def _replay_part(self, part: Sequence[str], restarts: Sequence[e.Restart], done: Replayed) -> None:
        try:
            stored = await self._store.load_many(part)
        except ValueError as error:
            if len(part) == 1:
                done.damaged[part[0]] = error
                return
            # One by one, since a damaged game must not hide the others.
            for game in part:
                await self._replay_part((game,), restarts, done)
            return
        for one in stored:
            try:
                done.found[one.id] = one, self._state(one, restarts)
            except (ValueError, VariantError) as error:
                done.damaged[one.id] = error
            await asyncio.sleep(0)

    def _state(self, stored: StoredGame, restarts: Sequence[e.Restart]) -> State:
        if len(self._compiled) >= _MOST_RULES:
            self._compiled.clear()
        return fold(stored.events, rules_of(stored, self._compiled), restarts)


def _parts(games: Sequence[str]) -> Iterator[Sequence[str]]:
    for first in range(0, len(games), _LOADED_TOGETHER):
        yield games[first : first + _LOADED_TOGETHER]
