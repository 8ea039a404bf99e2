"""Monitoring of requests: their ids, their latency, refusals by code, and logs of failures."""

import logging
import re
import secrets
import time
from http import HTTPStatus
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from hnefi.errors import shorten
from hnefi.server.http.rate_limits import Bucket
from hnefi.server.http.refusal import CODE, refusal_response
from hnefi.server.logs import REQUEST
from hnefi.server.metrics import Metrics
from hnefi.server.refusals import refused

HEADER = b"x-request-id"
"""The header with the id of a request: of a trusted proxy's request, and of every response."""

_WELL_FORMED = re.compile(rb"[A-Za-z0-9_.:-]{8,64}")
_ID = "request_id"
_ID_BYTES = 12
_GAME = re.compile(r"/(?:api|embed|[a-z]{2}/(?:game|embed))/(?:games/)?([A-Za-z0-9]{12})(?:/|$)")
_GAME_ROUTES = {"moves": "play", "commands": "play", "events": "follow"}
_API_ROUTES = {
    "analysis": "analysis",
    "games": "games",
    "health": "health",
    "library": "library",
    "links": "games",
    "moves": "analysis",
    "openings": "library",
    "qr": "picture",
    "ready": "health",
    "records": "records",
    "rules": "rules",
    "variants": "rules",
    "visitors": "games",
}
_LOGS_PER_S, _LOGS_BURST = 1.0, 100.0
_log = logging.getLogger("hnefi.server.requests")


def request_id_of(scope: Scope) -> str:
    """Returns the id of a request, generating one if it has none yet."""
    state = scope.setdefault("state", {})
    if _ID not in state:
        state[_ID] = secrets.token_hex(_ID_BYTES)
    return str(state[_ID])


def route_of(path: str) -> str:
    """Returns the class of a request by its path: a label of metrics.

    >>> route_of("/api/games/aB3/moves"), route_of("/api/games/aB3/picture.gif"), route_of("/en/rules/ard-ri")
    ('play', 'picture', 'page')
    """
    parts = path.split("/", 5)
    match parts[1:]:
        case ["api", "games", _, last, *_]:
            return "picture" if last.startswith("picture.") else _GAME_ROUTES.get(last, "games")
        case ["api", name, *_]:
            return _API_ROUTES.get(name, "other")
        case ["static" | "docs" as name, *_]:
            return name
        case _:
            return "page"


class TrustedProxies(ProxyHeadersMiddleware):
    """Middleware that takes the address, scheme and well-formed id of a request from a trusted proxy.

    Proxies are given by addresses and networks separated by commas, and by `*` for all. Any other text stands
    for itself, such as the name of a Unix socket.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Passes a request on."""
        client = scope.get("client")
        if client and client[0] in self.trusted_hosts:
            found = next((value for name, value in scope["headers"] if name == HEADER), b"")
            if _WELL_FORMED.fullmatch(found):
                scope.setdefault("state", {})[_ID] = found.decode()
        await super().__call__(scope, receive, send)


class Monitoring:
    """Middleware that measures requests, adds their id to responses and logs, and logs failures.

    A request that fails with an exception gets an answer with the code `internal_error` and its id.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics
        self._logs = Bucket(_LOGS_PER_S, _LOGS_BURST)
        self._omitted = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, and watches its response."""
        request_id = request_id_of(scope)
        found = _GAME.match(scope["path"]) if scope["type"] == "http" else None
        REQUEST.set({"request_id": request_id} | ({"game": found[1]} if found else {}))
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        begun_s, has_begun = time.perf_counter(), False

        async def watched(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                message["headers"] = [*message.get("headers", ()), (HEADER, request_id.encode())]
                self._note_response(scope, message["status"], time.perf_counter() - begun_s)
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            self._log_failure(scope, HTTPStatus.INTERNAL_SERVER_ERROR, "internal_error", error)
            if has_begun:
                raise
            response = refusal_response(scope, refused("internal_error", request=request_id))
            await response(scope, receive, watched)

    def _note_response(self, scope: Scope, status: int, seconds: float) -> None:
        """Measures a response, counts the refusal that it may be, and logs failures."""
        code = scope["state"].get(CODE)
        self._metrics.responded(route_of(scope["path"]), status, seconds)
        if code is not None:
            self._metrics.refused(code)
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR and code != "internal_error":
            self._log_failure(scope, status, code)
        if _log.isEnabledFor(logging.DEBUG):
            facts = {CODE: code, "status": status, "ms": round(seconds * 1000, 1)}
            _log.debug("%s %s", scope["method"], shorten(scope["path"], 200), extra=facts)

    def _log_failure(
        self, scope: Scope, status: int, code: str | None, error: Exception | None = None
    ) -> None:
        """Logs a response with a status of 5xx; of many within a short time, one a second."""
        if not self._logs.take():
            self._omitted += 1
            return
        facts = {CODE: code, "status": int(status), "omitted": self._omitted or None}
        self._omitted = 0
        level = logging.ERROR if error is not None else logging.WARNING
        path = shorten(scope["path"], 200)
        _log.log(level, "%s %s failed", scope["method"], path, extra=facts, exc_info=error)
