"""Stored games, replayed without a room: to read them, and to find damaged ones."""

from collections.abc import Sequence

from hnefi._core import Rules
from hnefi.errors import VariantError
from hnefi.server import events as e
from hnefi.server.games.state import fold
from hnefi.server.store import StoredGame, StoreReader


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
