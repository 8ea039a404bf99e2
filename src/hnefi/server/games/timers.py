"""Timers: the deadlines of loaded games and of the next hour."""

import asyncio
from collections.abc import Callable

from hnefi.server.games.time import Time


class Timers:
    """Reports games whose deadline has passed."""

    def __init__(self, time: Time, on_deadline: Callable[[str], None]) -> None:
        """Creates an empty set of timers; `on_deadline` is called with a game whose deadline has passed."""
        self._time = time
        self._on_deadline = on_deadline
        self._timers: dict[str, asyncio.Handle] = {}

    def __len__(self) -> int:
        return len(self._timers)

    def has_deadline(self, game: str) -> bool:
        """Checks whether a game has a deadline."""
        return game in self._timers

    def set(self, game: str, deadline_us: int | None) -> None:
        """Sets or removes the deadline of a game."""
        if (former := self._timers.pop(game, None)) is not None:
            former.cancel()
        if deadline_us is not None:
            self._timers[game] = self._time.call_at(deadline_us, self._fall, game)

    def _fall(self, game: str) -> None:
        del self._timers[game]
        self._on_deadline(game)
