"""Damaged games, found by replaying them and set aside: only the lists of their players have them."""

import logging
from collections.abc import Sequence
from typing import NamedTuple

from hnefi._core import Rules
from hnefi.errors import VariantError
from hnefi.server import events as e
from hnefi.server.games.state import fold
from hnefi.server.games.time import Leads
from hnefi.server.store import StoredGame, StoreReader

_log = logging.getLogger(__name__)


class SetAside(set[str]):
    """The games that were found damaged since the start."""

    def note(self, game: str, why: Exception) -> None:
        """Sets a game aside, and names it in the log once."""
        if game not in self:
            self.add(game)
            _log.error("game %s is damaged and set aside: %s", game, why)


class SetAsideGame(NamedTuple):
    """A damaged game, with what can still be read of it.

    Attributes:
        id: The id of the game.
        created: Its first event; None if that is damaged.
        names: The names of the players; None for a seat that nobody has, empty if the name is damaged.
        players: The seats of the visitor who asks.
        changed_us: The time of its last event that can be read, by the clock of the machine.
    """

    id: str
    created: e.Created | None
    names: tuple[str | None, str | None]
    players: frozenset[int]
    changed_us: int


async def read_set_aside(
    store: StoreReader, games: Sequence[str], visitor: str, leads: Leads
) -> list[SetAsideGame]:
    """Reads what is left of damaged games of a visitor, in the order of the games."""
    if not games:
        return []
    parts = await store.load_many(games, skips_unreadable=True)
    found = {part.id: _set_aside(part, visitor, leads) for part in parts}
    return [found[game] for game in games if game in found]


def _set_aside(part: StoredGame, visitor: str, leads: Leads) -> SetAsideGame:
    bodies = [event.body for event in part.events]
    created = next((body for body in bodies if isinstance(body, e.Created)), None)
    joined = next((body for body in bodies if isinstance(body, e.Joined)), None)
    is_taken = any(seat.player == 1 for seat in part.seats)
    names = (
        created.name if created else "",
        joined.name if joined else "" if is_taken else None,
    )
    players = frozenset(seat.player for seat in part.seats if seat.visitor == visitor)
    changed_us = max((event.t_us for event in part.events), default=part.changed_us)
    return SetAsideGame(part.id, created, names, players, leads.shown_us(changed_us))


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


async def find_damaged(store: StoreReader, games: Sequence[str]) -> dict[str, Exception]:
    """Replays games one by one, and returns why some of them cannot be."""
    restarts, compiled, damaged = await store.restarts(), dict[str, Rules](), dict[str, Exception]()
    for game in games:
        try:
            if (stored := await store.load(game)) is not None:
                fold(stored.events, rules_of(stored, compiled), restarts)
        except (ValueError, VariantError) as error:
            damaged[game] = error
    return damaged
