"""How many connections an address and a visitor have: WebSockets, and followers over HTTP."""

from collections import Counter
from collections.abc import Collection
from zlib import crc32

from starlette.datastructures import Headers
from starlette.types import Scope

from hnefi.server.http.rate_limits import address_of
from hnefi.server.http.visitors import visitor_of
from hnefi.server.presence import person_of_visitor


class Places:
    """Counts the open connections of each address and of each visitor."""

    def __init__(self, per_address: int = 200, per_visitor: int = 10) -> None:
        self._per_address, self._per_visitor = per_address, per_visitor
        self._addresses: Counter[str] = Counter()
        self._people: Counter[str] = Counter()

    @property
    def people(self) -> Collection[str]:
        """Who has a connection, as `person_of` names them."""
        return self._people.keys()

    def take(self, scope: Scope) -> tuple[str, str] | None:
        """Counts a connection, and returns what `release` needs; None if it is one too many."""
        address, person = address_of(scope), person_of(scope)
        # Clients without a visitor are limited by their address alone: several may count as one person.
        is_over = visitor_of(scope) is not None and self._people[person] >= self._per_visitor
        if is_over or self._addresses[address] >= self._per_address:
            return None
        self._addresses[address] += 1
        self._people[person] += 1
        return address, person

    def release(self, taken: tuple[str, str]) -> None:
        """Counts a connection no longer."""
        for counts, key in zip((self._addresses, self._people), taken, strict=True):
            counts[key] -= 1
            if counts[key] <= 0:
                del counts[key]


def person_of(scope: Scope) -> str:
    """Returns who a client counts as: its visitor; without one its address and kind of browser.

    A browser is given a visitor when it first acts. Until then two of the same kind at one address, such as
    new tablets of a class, are one.
    """
    visitor = visitor_of(scope)
    if visitor is not None:
        return person_of_visitor(visitor)
    browser = crc32(Headers(scope=scope).get("user-agent", "").encode())
    return f"address {address_of(scope)} {browser:x}"
