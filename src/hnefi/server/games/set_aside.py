"""Damaged games, found by replaying them and set aside: only the lists of their players have them."""

import logging
from collections.abc import Sequence

from hnefi._core import Rules
from hnefi.errors import VariantError
from hnefi.server import events as e
from hnefi.server.games.state import fold
from hnefi.server.store import reading
from hnefi.server.store.rows import StoredGame
from hnefi.server.store.store import Store

_log = logging.getLogger(__name__)


class SetAside(set[str]):
    """The games that were found damaged since the start."""

    def note(self, game: str, why: Exception) -> None:
        """Sets a game aside, and names it in the log once."""
        if game not in self:
            self.add(game)
            _log.error("game %s is damaged and set aside: %s", game, why)


def rules_of(stored: StoredGame, compiled: dict[str, Rules]) -> Rules:
    """Returns the rules of a stored game.

    `compiled` has rules that were compiled before, by their hash; those of the game are added.

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


async def find_damaged(store: Store, games: Sequence[str]) -> dict[str, Exception]:
    """Replays games one by one, and returns why some of them cannot be."""
    restarts = await store.read(reading.restarts)
    compiled, damaged = dict[str, Rules](), dict[str, Exception]()
    for game in games:
        try:
            if (stored := await store.read(reading.load, game)) is not None:
                fold(stored.events, rules_of(stored, compiled), restarts)
        except (ValueError, VariantError) as error:
            damaged[game] = error
    return damaged
