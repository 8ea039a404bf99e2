"""Rate limits: token buckets."""

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable

__all__ = ["VISITORS_PER_ADDRESS", "Bucket", "Buckets", "VisitorBuckets", "network_of"]

VISITORS_PER_ADDRESS = 5
"""How many times as much as a visitor an address may use."""

_MOST_KEYS = 20_000


class Bucket:
    """A token bucket."""

    __slots__ = ("_burst", "_left", "_now", "_per_s", "_since")

    def __init__(self, per_s: float, burst: float, now: Callable[[], float] = time.monotonic) -> None:
        """Creates a full bucket.

        Args:
            per_s: How many tokens are added per second.
            burst: How many it holds.
            now: Returns the time in seconds.
        """
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

    def give_back(self, tokens: float) -> None:
        """Puts back tokens that were taken."""
        self._left = min(self._burst, self._left + tokens)

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


class Buckets:
    """A token bucket per key; when there are too many, the least recently used are dropped."""

    def __init__(self, per_s: float, burst: float, now: Callable[[], float] = time.monotonic) -> None:
        """Creates an empty collection of buckets.

        Args:
            per_s: As for `Bucket`.
            burst: As for `Bucket`.
            now: As for `Bucket`.
        """
        self._per_s, self._burst, self._now = per_s, burst, now
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str, tokens: float = 1.0) -> bool:
        """Returns whether the bucket of a key had enough tokens, and takes them."""
        return self.bucket(key).take(tokens)

    def bucket(self, key: str) -> Bucket:
        """Returns the bucket of a key."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._per_s, self._burst, self._now)
            if len(self._buckets) > _MOST_KEYS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket

    def give_back(self, key: str, tokens: float) -> None:
        """Puts back tokens that were taken from the bucket of a key."""
        if (bucket := self._buckets.get(key)) is not None:
            bucket.give_back(tokens)


class VisitorBuckets:
    """A token bucket per visitor, and a larger one per address.

    The devices of a class room or behind one router share an address: one of them cannot use up what is for
    all. A client can invent visitors; then only the bucket of its address limits it.
    """

    def __init__(self, per_s: float, burst: float, now: Callable[[], float] = time.monotonic) -> None:
        """Creates an empty collection of buckets.

        Args:
            per_s: How many tokens are added per second for a visitor; five times as many for an address.
            burst: How many the bucket of a visitor holds; five times as many for an address.
            now: As for `Bucket`.
        """
        self._visitors = Buckets(per_s, burst, now)
        self._addresses = Buckets(VISITORS_PER_ADDRESS * per_s, VISITORS_PER_ADDRESS * burst, now)

    def take(self, visitor: str | None, address: str, tokens: float = 1.0) -> bool:
        """Returns whether visitor and address had enough tokens, and takes them; a refusal takes none."""
        if visitor is not None and not self._visitors.take(visitor, tokens):
            return False
        is_admitted = self._addresses.take(address, tokens)
        if visitor is not None and not is_admitted:
            self._visitors.give_back(visitor, tokens)
        return is_admitted

    def wait_s(self, visitor: str | None, address: str, tokens: float = 1.0) -> float:
        """Returns in how many seconds visitor and address will have enough tokens."""
        wait_s = self._addresses.bucket(address).wait_s(tokens)
        return wait_s if visitor is None else max(wait_s, self._visitors.bucket(visitor).wait_s(tokens))


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
