"""How many connections an address and a visitor have: WebSockets, and followers over HTTP."""

from collections import Counter

from starlette.types import Scope

from hnefi.server.http.guard import address_of
from hnefi.server.http.visitors import visitor_of

__all__ = ["Places"]


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

    def take(self, scope: Scope) -> list[str] | None:
        """Counts a connection, and returns what `release` needs; None if it is one too many."""
        visitor = visitor_of(scope)
        keys = [f"address {address_of(scope)}"] + ([f"visitor {visitor}"] if visitor else [])
        if any(self._counts[key] >= most for key, most in zip(keys, self._limits, strict=False)):
            return None
        self._counts.update(keys)
        return keys

    def release(self, keys: list[str]) -> None:
        """Counts a connection no longer."""
        self._counts.subtract(keys)
        for key in keys:
            if self._counts[key] <= 0:
                del self._counts[key]
