"""How many connections an address and a visitor have: WebSockets, and followers over HTTP."""

from collections import Counter
from collections.abc import Collection, Iterable
from zlib import crc32

from starlette.datastructures import Headers
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
        """Who has a connection, as `person_of` names them."""
        return self._people.keys()

    def take(self, scope: Scope) -> list[str] | None:
        """Counts a connection, and returns what `release` needs; None if it is one too many."""
        visitor = visitor_of(scope)
        keys = [f"address {address_of(scope)}"] + ([f"visitor {visitor}"] if visitor else [])
        if any(self._counts[key] >= most for key, most in zip(keys, self._limits, strict=False)):
            return None
        person = person_of(scope)
        self._counts.update(keys)
        self._people[person] += 1
        return [*keys, person]

    def release(self, keys: list[str]) -> None:
        """Counts a connection no longer."""
        _subtract(self._counts, keys[:-1])
        _subtract(self._people, keys[-1:])


def person_of(scope: Scope) -> str:
    """Returns who a client counts as: its visitor; without one its address and kind of browser.

    A browser is given a visitor when it first acts. Until then two of the same kind at one address, such as
    new tablets of a class, are one.
    """
    visitor = visitor_of(scope)
    browser = crc32(Headers(scope=scope).get("user-agent", "").encode())
    return f"visitor {visitor}" if visitor else f"address {address_of(scope)} {browser:x}"


def _subtract(counts: Counter[str], keys: Iterable[str]) -> None:
    for key in keys:
        counts[key] -= 1
        if counts[key] <= 0:
            del counts[key]
