"""The HTTP protocol of a connection: uvicorn's, with limits on request heads, on time and on connections.

Without these limits a client could send headers without end, which are all kept in memory, or hold
connections for ever by sending a byte now and then.
"""

import asyncio
import json
import socket
from collections import Counter
from collections.abc import Callable
from enum import Enum, auto
from http import HTTPStatus
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from hnefi.server.http.rate_limits import network_of
from hnefi.server.http.refusal import refusal_body
from hnefi.server.refusals import refused

ABORT = "hnefi.abort"
"""The key of a function that aborts the connection, in the state of a request."""

MAX_CONNECTIONS = 300
"""How many HTTP connections an address may have, besides its WebSockets: six for each of fifty browsers."""

_MAX_HEAD = 32 * 1024
_MAX_HEADERS = 100
_MAX_PIPELINED = 4
_HEAD_S, _BODY_S = 10.0, 30.0
# A client has to take some of the response within this time.
_STALL_S = 60.0
# A refused client has a moment to read why: a connection that is closed with unread data may be reset before.
_LINGER_S = 1.0
_MOST_DRAINED = 64 * 1024
# Data is parsed in slices, so that a head is never much larger than allowed before it is measured.
_SLICE = 8 * 1024


class ConnectionCounts:
    """Counts the HTTP connections of each address, except those of proxies that it `trusts`."""

    def __init__(self, per_address: int, trusts: Callable[[str], bool] = lambda _: False) -> None:
        self._most = per_address
        self._trusts = trusts
        self._counts: Counter[str] = Counter()

    def take(self, host: str) -> bool:
        """Counts a connection; returns whether its address may have it."""
        key = network_of(host)
        if self._counts[key] >= self._most and not self._trusts(host):
            return False
        self._counts[key] += 1
        return True

    def release(self, host: str) -> None:
        """Counts a connection no longer."""
        key = network_of(host)
        self._counts[key] -= 1
        if self._counts[key] <= 0:
            del self._counts[key]


class _Phase(Enum):
    """The part of a request that is being received."""

    IDLE = auto()
    HEAD = auto()
    BODY = auto()


class _LimitExceeded(Exception):
    """A request above a limit; raised in the parser, which stops there."""


class _OpenTransport:
    """A transport that drops what is written after the connection was closed, instead of raising."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self.close = transport.close
        self.is_closing = transport.is_closing

    def write(self, data: bytes) -> None:
        if not self.is_closing():
            self._transport.write(data)


class HttpProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with limits. Requests have a function that aborts them in their state."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        counts: ConnectionCounts,
        count_refusal: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Creates the protocol of one connection; uvicorn passes all arguments but the last two."""
        super().__init__(config, server_state, app_state, _loop)
        self._counts = counts
        self._count_refusal = count_refusal
        self._counted: str | None = None
        self._phase = _Phase.IDLE
        self._size = self._raw_size = self._header_count = 0
        self._fault = (HTTPStatus.BAD_REQUEST, "bad_request")
        self._is_deaf = False
        self._drained = 0
        self._cycles: list[RequestResponseCycle] = []
        """The requests that are being answered or wait for that."""

        self._deadline: asyncio.TimerHandle | None = None

    # The connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Registers the connection, or closes it if its address has too many."""
        super().connection_made(transport)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # The system aborts the connection of a client that takes nothing of the response for so long.
            own: socket.socket = transport.get_extra_info("socket")
            own.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(_STALL_S * 1000))
        self.app_state = {**self.app_state, ABORT: transport.abort}
        host = self.client[0] if self.client else "-"
        if not self._counts.take(host):
            self._is_deaf = True
            self._count_refusal("too_many_connections")
            transport.close()
            return
        self._counted = host
        self._set_deadline(_HEAD_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregisters the connection."""
        self._release()
        super().connection_lost(exc)
        for cycle in self._cycles:
            cycle.disconnected = True
            cycle.message_event.set()
        self._forget()

    def handle_websocket_upgrade(self) -> None:
        """Hands the connection over to a WebSocket, which has limits of its own."""
        self._release()
        super().handle_websocket_upgrade()
        self._forget()

    def _forget(self) -> None:
        """Breaks the cycles of references: the collector hardly ever examines old objects."""
        self.parser = None  # type: ignore[assignment]
        self.app_state = {}
        self._cycles = []

    def _release(self) -> None:
        self._cancel_deadline()
        if self._counted is not None:
            self._counts.release(self._counted)
            self._counted = None

    # Receiving

    def data_received(self, data: bytes) -> None:
        """Parses received data in slices; drops it once the client was refused."""
        if self._is_deaf:
            self._drained += len(data)
            if self._drained > _MOST_DRAINED:
                self.transport.abort()
            return
        # Empty lines before a request mean nothing (RFC 9112), and must not prolong an idle connection.
        if self._phase is _Phase.IDLE and not data.strip(b"\r\n"):
            return
        for begin in range(0, len(data), _SLICE):
            piece, headers = data[begin : begin + _SLICE], self.headers
            super().data_received(piece)
            if self._has_ended():
                return
            if self._phase is _Phase.HEAD and self.headers is headers:
                self._raw_size += len(piece)
                if self._raw_size > _MAX_HEAD:
                    self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "head_too_large")
                    return

    def _has_ended(self) -> bool:
        """Checks whether nothing more is to be parsed: refused, closing, or a WebSocket by now."""
        return self._is_deaf or self._counted is None or self.transport.is_closing()

    def on_message_begin(self) -> None:
        """Begins a request: its head has to be complete in time."""
        super().on_message_begin()
        self._phase = _Phase.HEAD
        self._size = self._raw_size = self._header_count = 0
        self._set_deadline(_HEAD_S)

    def on_url(self, url: bytes) -> None:
        """Takes a part of the URL."""
        self._measure(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Takes a header; those after a body (trailers) are ignored, since headers were checked before."""
        self._header_count += 1
        self._measure(len(name) + len(value) + len(b": \r\n"))
        if self._phase is _Phase.HEAD:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Starts the application: the body has to be complete in time."""
        super().on_headers_complete()
        new: RequestResponseCycle | None = self.cycle  # none if this is a request for a WebSocket
        if new is not None and new not in self._cycles:
            new.transport = cast("asyncio.Transport", _OpenTransport(self.transport))
            self._cycles = [*(cycle for cycle in self._cycles if not cycle.response_complete), new]
        self._phase = _Phase.BODY
        self._set_deadline(_BODY_S)
        if len(self.pipeline) > _MAX_PIPELINED:
            raise _LimitExceeded

    def on_message_complete(self) -> None:
        """Ends a request."""
        self._phase = _Phase.IDLE
        self._cancel_deadline()
        super().on_message_complete()

    def _measure(self, count: int) -> None:
        self._size += count
        if self._size > _MAX_HEAD or self._header_count > _MAX_HEADERS:
            self._fault = (HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "head_too_large")
            raise _LimitExceeded

    # Time

    def _set_deadline(self, seconds: float) -> None:
        self._cancel_deadline()
        self._deadline = self.loop.call_later(seconds, self._on_deadline)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _on_deadline(self) -> None:
        """Refuses a request that is not complete; closes a connection without any."""
        if self.flow.read_paused:
            # The client may not send at the moment, since the server is busy with what it sent before.
            self._set_deadline(_HEAD_S)
        elif self._phase is _Phase.IDLE:
            self.transport.close()
        else:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "request_too_slow")

    # Refusing

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        """Refuses a request that was not parsed to its end; called by uvicorn."""
        self._refuse(*self._fault)

    def _refuse(self, status: HTTPStatus, code: str) -> None:
        """Answers with an error, unless another answer has begun or is due, and hangs up a moment later.

        Whoever is refused keeps the connection until then, and so cannot connect again and again.
        """
        if self._is_deaf:
            return
        self._is_deaf = True
        self._count_refusal(code)
        self._cancel_deadline()
        cycle = self.cycle
        may_answer = cycle is None or cycle.response_complete  # type: ignore[redundant-expr]
        if self._phase is _Phase.BODY:
            may_answer = not (cycle.response_started or self.pipeline)
            # The application is reading the body: it learns that the client is gone.
            cycle.disconnected = True
            cycle.message_event.set()
        if not may_answer:
            self.transport.pause_reading()
            self.loop.call_later(_LINGER_S, self.transport.abort)
            return
        refusal = refused(code, part="http") if code == "bad_request" else refused(code)
        body = json.dumps(refusal_body(refusal), ensure_ascii=False).encode()
        head = f"content-type: application/json\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        self.transport.write(STATUS_LINE[status] + head.encode() + body)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(_LINGER_S, self.transport.abort)
