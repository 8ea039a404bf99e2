"""Refuses requests to unknown hosts and from foreign pages, large bodies, and too many changes."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hnefi.server.http.access_keys import has_wrong_key
from hnefi.server.http.rate_limits import RateLimit
from hnefi.server.http.refusal import refusal_response
from hnefi.server.http.visitors import has_bad_token, has_token
from hnefi.server.refusals import Refused, refused

_MAX_BODY = 64 * 1024
_MAX_RECORD = 1024 * 1024
_RECORD_PATHS = ("/api/records", "/api/records/text")
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")
_OWN_NAMES = ("localhost", "127.0.0.1", "::1")


class Origins:
    """The host names of this server, and the pages that may send requests to it."""

    def __init__(self, hosts: Iterable[str], origins: Iterable[str]) -> None:
        """Accepts `hosts` besides the names of the machine itself, `*` for any.

        `origins` are those of the pages behind a proxy.
        """
        self._origins = {origin.rstrip("/").lower() for origin in origins}
        names = {urlsplit(origin).hostname or "" for origin in self._origins}
        self._hosts = {*_OWN_NAMES, *(host.lower() for host in hosts), *names}

    def accepts_host(self, scope: Scope) -> bool:
        """Checks whether the `Host` header names this server; any other name may belong to a foreign page."""
        if _repeats_host(scope):
            return False
        found = _HOST.fullmatch(Headers(scope=scope).get("host", ""))
        return found is not None and ("*" in self._hosts or found["name"].strip("[]").lower() in self._hosts)

    def allows(self, scope: Scope, origin: str) -> bool:
        """Checks whether an origin is that of our pages, as this request reaches them."""
        if origin.lower() in self._origins:
            return True
        scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
        return origin.lower() == f"{scheme}://{Headers(scope=scope).get('host', '').lower()}"

    def is_own_page(self, scope: Scope) -> bool:
        """Checks whether a request comes from one of our pages, or from no page at all."""
        headers = Headers(scope=scope)
        if (origin := headers.get("origin")) is not None:
            return self.allows(scope, origin)
        return headers.get("sec-fetch-site", "none") in ("same-origin", "none")


class Guard:
    """Middleware that rejects requests by origin, host, size of the body, and rate."""

    def __init__(self, app: ASGIApp, origins: Origins, requests_per_minute: int) -> None:
        self._app = app
        self._origins = origins
        self._limit = RateLimit(
            "too_many_requests", requests_per_minute / 60, max(requests_per_minute / 4, 1.0)
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it."""
        try:
            self._check(scope)
        except Refused as error:
            await refusal_response(scope, error)(scope, receive, send)
        else:
            await self._app(scope, _limited(receive, _max_body(scope)), send)

    def _check(self, scope: Scope) -> None:
        if _repeats_host(scope):
            raise refused("repeated_host")
        if not self._origins.accepts_host(scope):
            raise refused("unknown_host")
        if has_wrong_key(scope):
            raise refused("unknown_access_key")
        if has_bad_token(scope):
            raise refused("bad_token")
        if scope["method"] in _SAFE_METHODS:
            return
        headers = Headers(scope=scope)
        if not has_token(scope) and not self._origins.is_own_page(scope):
            raise refused("foreign_origin")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length[:20]) > _max_body(scope):
            raise refused("body_too_large", kilobytes=_max_body(scope) // 1024)
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if (length != "0" or "transfer-encoding" in headers) and kind != "application/json":
            raise refused("not_json")
        self._limit.take(scope)


def _repeats_host(scope: Scope) -> bool:
    """Checks whether a request has several `Host` headers: a proxy may have followed another one."""
    return len(Headers(scope=scope).getlist("host")) > 1


def _max_body(scope: Scope) -> int:
    return _MAX_RECORD if scope["path"] in _RECORD_PATHS else _MAX_BODY


def _limited(receive: Receive, max_body: int) -> Receive:
    """Cuts off a body that is larger than allowed, even if its header states a smaller size."""
    left = max_body

    async def limited() -> Message:
        nonlocal left
        message = await receive()
        if message["type"] == "http.request":
            left -= len(message.get("body", b""))
            if left < 0:
                return {"type": "http.disconnect"}
        return message

    return limited
