"""Access keys: behind one address, each device of a school or club is charged by itself.

A browser has the key in a cookie, which the page `/key` sets; a program sends it in a header. Rate limits
then count the visitor in place of the address, for as many visitors at a time as the key serves.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable

from starlette.datastructures import Headers
from starlette.types import Scope

from hnefi.server.http.visitors import cookie_of, visitor_of
from hnefi.server.secrets import hash_of
from hnefi.server.settings import SECRET, AccessKey

HEADER = "hnefi-key"
COOKIE = "hnefi-key"

_DEVICE, _WRONG = "hnefi.device", "hnefi.wrong_key"
_IDLE_S = 3600.0
"""After how long without a request the place of a device is free for another."""


class AccessKeys:
    """The keys of this server, and the devices that use them."""

    def __init__(self, keys: Iterable[AccessKey], now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._keys = {key.secret_hash: key for key in keys}
        self._seen: dict[str, OrderedDict[str, float]] = {hashed: OrderedDict() for hashed in self._keys}

    def find(self, secret: str) -> AccessKey | None:
        """Returns the key with a secret, None if there is none."""
        return self._keys.get(hash_of(secret)) if SECRET.fullmatch(secret) else None

    def device(self, key: AccessKey, visitor: str) -> str | None:
        """Returns what is charged for a visitor with a key; None if all places of the key are taken."""
        now, seen = self._now(), self._seen[key.secret_hash]
        if visitor not in seen and len(seen) >= key.devices:
            oldest = next(iter(seen))
            if now - seen[oldest] < _IDLE_S:
                return None
            del seen[oldest]
        seen[visitor] = now
        seen.move_to_end(visitor)
        return f"key {key.name} {visitor}"

    def note(self, scope: Scope) -> None:
        """Notes the device of a request or connection with a key."""
        sent = Headers(scope=scope).get(HEADER)
        if sent is None and not self._keys:
            return
        # A cookie may be older than its key: then it counts as none.
        key = self.find(cookie_of(scope, COOKIE) if sent is None else sent)
        if key is None:
            scope[_WRONG] = sent is not None
        elif (visitor := visitor_of(scope)) is not None:
            scope[_DEVICE] = self.device(key, visitor)


def device_of(scope: Scope) -> str | None:
    """Returns the device that is charged for a request instead of its address; None for its address."""
    device: str | None = scope.get(_DEVICE)
    return device


def has_wrong_key(scope: Scope) -> bool:
    """Checks whether a request has a key in a header that is none of this server."""
    return bool(scope.get(_WRONG, False))
