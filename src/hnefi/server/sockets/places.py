"""How many connections an address and a visitor have: WebSockets, and followers over HTTP."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from starlette.types import Scope

from hnefi.server.http.rate_limits import address_of
from hnefi.server.http.visitors import visitor_of


class Places:
    """Counts the open connections of each address and of each visitor."""

    def __init__(self, per_address: int = 200, per_visitor: int = 10) -> None:
        """Creates the counts, all zero.

        Args:
            per_address: The most connections from one address.
            per_visitor: The most connections of one visitor.
        """
        self._limits = (per_address, per_visitor)
        self._counts: Counter[str] = Counter()
        self._people: Counter[str] = Counter()

    @property
    def people(self) -> Collection[str]:
        """Who has a connection: visitors, and the addresses of those who are none."""
        return self._people.keys()

    def take(self, scope: Scope) -> list[str] | None:
        """Counts a connection, and returns what `release` needs; None if it is one too many."""
        keys = _keys(scope)
        if any(self._counts[key] >= most for key, most in zip(keys, self._limits, strict=False)):
            return None
        self._counts.update(keys)
        self._people[_person(keys)] += 1
        return keys

    def release(self, keys: list[str]) -> None:
        """Counts a connection no longer."""
        _subtract(self._counts, keys)
        _subtract(self._people, [_person(keys)])


def person_of(scope: Scope) -> str:
    """Returns who a client counts as: its visitor, or its address if it has none."""
    return _person(_keys(scope))


def _keys(scope: Scope) -> list[str]:
    visitor = visitor_of(scope)
    return [f"address {address_of(scope)}"] + ([f"visitor {visitor}"] if visitor else [])


def _person(keys: Sequence[str]) -> str:
    return keys[-1]


def _subtract(counts: Counter[str], keys: Iterable[str]) -> None:
    for key in keys:
        counts[key] -= 1
        if counts[key] <= 0:
            del counts[key]
