"""The restarts of the server: those of the whole site, and those of single slots of games."""

from collections.abc import Collection, Iterable, Sequence

from hnefi.server.events import Restart
from hnefi.server.store import slot_of

__all__ = ["Restarts"]


class Restarts:
    """The restarts by slot. With one process there are only those of the whole site.

    >>> restarts = Restarts([Restart(10, 20), Restart(30, 40, slot_of("a"))])
    >>> [restart.back_us for restart in restarts.of("a")], [restart.back_us for restart in restarts.of("b")]
    ([20, 40], [20])
    """

    def __init__(self, restarts: Iterable[Restart] = ()) -> None:
        """Creates it with the restarts that are stored, in order."""
        self.site: list[Restart] = []
        self._by_slot: dict[int, list[Restart]] = {}
        for restart in restarts:
            self.add(restart)

    def add(self, restart: Restart) -> None:
        """Adds the last restart of the site or of a slot."""
        if restart.slot is None:
            self.site.append(restart)
        else:
            self._by_slot.setdefault(restart.slot, []).append(restart)

    def replace(self, slots: Collection[int], restarts: Iterable[Restart]) -> None:
        """Replaces the restarts of slots, and those of the site, by what is stored now."""
        self.site.clear()
        for slot in slots:
            self._by_slot.pop(slot, None)
        for restart in restarts:
            self.add(restart)

    def of(self, game: str) -> Sequence[Restart]:
        """Returns the restarts that concern a game, in order."""
        own = self._by_slot.get(slot_of(game)) if self._by_slot else None
        if not own:
            return self.site
        return sorted((*self.site, *own), key=lambda restart: (restart.back_us, restart.away_since_us))
