"""Rate limits: token buckets of addresses and visitors."""

import ipaddress
import math
import time
from collections.abc import Callable, Iterator
from functools import lru_cache

from starlette.types import Scope

from hnefi.server.http.access_keys import device_of
from hnefi.server.http.visitors import visitor_of
from hnefi.server.refusals import TooManyRequests
from hnefi.workers.fair_queue import Owner

VISITORS_PER_ADDRESS = 5
"""How many times as much as a visitor an address may use."""

_MOST_KEYS = 20_000


class Bucket:
    """A token bucket."""

    __slots__ = ("_burst", "_left", "_now", "_per_s", "_since")

    def __init__(self, per_s: float, burst: float, now: Callable[[], float] = time.monotonic) -> None:
        """Creates a full bucket: it holds `burst` tokens, and `per_s` are added per second."""
        self._per_s, self._burst, self._now = per_s, burst, now
        self._left, self._since = burst, now()

    def take(self, tokens: float = 1.0) -> bool:
        """Returns whether there were enough tokens, and takes them."""
        now = self._now()
        left = self._left + (now - self._since) * self._per_s
        if left > self._burst:
            left = self._burst
        self._since = now
        is_enough = left >= tokens
        self._left = left - tokens if is_enough else left
        return is_enough

    def charge(self, tokens: float) -> None:
        """Takes tokens for what is done already; if there are too few, the bucket is in debt."""
        self.take(0.0)
        self._left -= tokens

    def wait_s(self, tokens: float = 0.0) -> float:
        """Returns in how many seconds the bucket will have some tokens: without any, be out of debt."""
        self.take(0.0)
        missing = tokens - self._left
        if missing <= 0:
            return 0.0
        return missing / self._per_s if self._per_s else math.inf


def buckets(per_s: float, burst: float, now: Callable[[], float] = time.monotonic) -> Callable[[str], Bucket]:
    """Returns what finds the bucket of a key; of too many, the least recently used are dropped."""
    return lru_cache(_MOST_KEYS)(lambda _: Bucket(per_s, burst, now))


class RateLimit:
    """What a visitor may use, and what all visitors of an address may use together, in requests or ms.

    The devices of a class room or behind one router share an address: one of them cannot use up what is for
    all. A client can invent visitors; then only the bucket of its address limits it.
    """

    def __init__(
        self,
        code: str,
        per_s: float,
        burst: float,
        *,
        for_address: float = VISITORS_PER_ADDRESS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Creates it: a visitor may use `burst` at once, and `per_s` per second in the long run.

        An address may use `for_address` times as much. The code is that of the refusal.
        """
        self._code = code
        self._visitors = buckets(per_s, burst, now)
        self._addresses = buckets(for_address * per_s, for_address * burst, now)

    def wait_s(self, scope: Scope, tokens: float = 0.0, of: str | None = None) -> float:
        """Returns in how many seconds a client may use so much: without tokens, is out of debt."""
        return max(bucket.wait_s(tokens) for bucket in self._buckets(scope, of))

    def admit(self, scope: Scope, tokens: float = 0.0, of: str | None = None) -> None:
        """Checks that a client may use so much: without tokens, that it is not in debt.

        Raises:
            TooManyRequests: With the code, and when the request may be repeated.
        """
        if (wait_s := self.wait_s(scope, tokens, of)) > 0:
            raise TooManyRequests(self._code, wait_s)

    def take(self, scope: Scope, tokens: float = 1.0, of: str | None = None) -> None:
        """Counts a request, or a message on the connection of this scope, unless `admit` refuses it.

        It counts as `tokens`, and is charged to its address and to `of`, or to its visitor if that is None.
        """
        self.admit(scope, tokens, of)
        self.charge(scope, tokens, of)

    def charge(self, scope: Scope, tokens: float, of: str | None = None) -> None:
        """Charges what a request has cost, which is known afterwards: the client may be in debt then."""
        for bucket in self._buckets(scope, of):
            bucket.charge(tokens)

    def _buckets(self, scope: Scope, of: str | None) -> Iterator[Bucket]:
        yield self._addresses(address_of(scope))
        if (visitor := visitor_of(scope) if of is None else of) is not None:
            yield self._visitors(visitor)


def address_of(scope: Scope) -> str:
    """Returns what rate limits count as one address: the client's network, or its device if it has a key."""
    if (device := device_of(scope)) is not None:
        return device
    client = scope.get("client")
    return network_of(client[0]) if client else "-"


def owner_of(scope: Scope) -> Owner:
    """Returns who is charged for a job; a client without a visitor has its address alone."""
    address = address_of(scope)
    return Owner(address, visitor_of(scope) or address)


def network_of(address: str) -> str:
    """Returns what counts as one address: for IPv6, the /64 network that one customer usually has.

    >>> network_of("2001:db8::17"), network_of("192.0.2.7")
    ('2001:db8::/64', '192.0.2.7')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
