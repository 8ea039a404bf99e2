"""WebSockets for thousands of games: little work and no task per message.

Unfragmented text frames, which nearly all frames of clients are, are parsed here. From the first other frame
on, the `websockets` library parses. Everything sent in one iteration of the event loop goes out in one write.
"""

import asyncio
import logging
from collections import deque
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import unquote

from starlette.types import Message
from uvicorn.config import Config
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

__all__ = ["EXTENSION", "MAX_QUEUE", "Socket"]

EXTENSION = "hnefi.socket"
"""The key of the socket in the extensions of a scope."""

MAX_QUEUE = 64
"""How many messages wait for a client that does not read; with one more it is disconnected."""

_SILENCE_S = 20.0
_CLOSE_S = 10.0
_MAX_UNREAD = 16
_TEXT_FRAME, _PONG_FRAME, _PING = 0x81, 0x8A, b"\x89\x00"
_MASKED, _TWO_BYTES = 0x80, 126
_TEXT_ONLY, _NOT_UTF8, _FAILED, _RESTART, _TRY_LATER = 1003, 1007, 1011, 1012, 1013
_log = logging.getLogger("uvicorn.error")


class Socket(asyncio.Protocol):
    """One WebSocket. uvicorn creates it for an upgrade request, and passes it the request."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Creates the protocol of one WebSocket; uvicorn passes the arguments."""
        self._config, self._server, self._app_state = config, server_state, app_state
        self._loop = _loop or asyncio.get_running_loop()
        self._longest = config.ws_max_size
        self._library = ServerProtocol(max_size=self._longest, logger=_log)
        self._transport: asyncio.Transport
        self._response: Response | None = None
        # Input
        self._reads_text_frames = False
        self._unread = b""
        self._parts: list[bytes] = []
        self._inbox: deque[str] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._is_held = False
        self._received = self._loop.time()
        self._pinged: float | None = None
        # Output
        self._outbox: list[bytes] = []
        self._is_due = False
        self._is_full = False
        self._is_over = False
        self._close_timer: asyncio.TimerHandle | None = None

    # Called by uvicorn and the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Registers the connection."""
        self._transport = cast("asyncio.Transport", transport)
        self._server.connections.add(self)  # type: ignore[arg-type]

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Unregisters the connection."""
        self._server.connections.discard(self)
        if self._close_timer is not None:
            self._close_timer.cancel()
        self._end()

    def shutdown(self) -> None:
        """Closes it, since the server stops."""
        self.close(_RESTART)
        self._transport.close()

    def pause_writing(self) -> None:
        """Notes that the write buffer is full."""
        self._is_full = True

    def resume_writing(self) -> None:
        """Sends what is queued."""
        self._is_full = False
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Parses received data."""
        self._received, self._pinged = self._loop.time(), None
        if self._unread:
            data, self._unread = self._unread + data, b""
        if self._reads_text_frames:
            data = self._read_text_frames(data)
        if data:
            self._read_with_library(data)

    # Reading

    def _read_text_frames(self, data: bytes) -> bytes:
        """Parses text frames; returns the data that the library has to parse from here on, mostly none."""
        begin, end = 0, len(data)
        while end - begin >= 2 and self._reads_text_frames:
            kind, length, head = data[begin], data[begin + 1] - _MASKED, 6
            if length == _TWO_BYTES:
                length, head = int.from_bytes(data[begin + 2 : begin + 4], "big"), 8
            elif not 0 <= length < _TWO_BYTES:
                self._reads_text_frames = False
                break
            if kind not in (_TEXT_FRAME, _PONG_FRAME) or length > self._longest:
                self._reads_text_frames = False
                break
            text = begin + head
            if text + length > end:
                break
            begin = text + length
            if kind == _TEXT_FRAME:
                self._take(_unmasked(data[text - 4 : text], data[text:begin]))
        if self._reads_text_frames:
            self._unread = data[begin:]
            return b""
        return data[begin:]

    def _read_with_library(self, data: bytes) -> None:
        """Lets the library parse the request, fragments, control frames, and invalid data."""
        library = self._library
        library.receive_data(data)
        for event in library.events_received():
            if isinstance(event, Request):
                self._request(event)
            elif isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.CONT):
                self._parts.append(bytes(event.data))
                if event.fin:
                    text, self._parts = b"".join(self._parts), []
                    self._take(text)
            elif isinstance(event, Frame) and event.opcode is Opcode.BINARY:
                self.close(_TEXT_ONLY)
        self._write_library_output()
        if library.close_rcvd is not None or library.parser_exc is not None:
            self._end()
            self._transport.close()

    def _take(self, data: bytes) -> None:
        """Queues a received text."""
        if self._is_over:
            return
        try:
            self._inbox.append(data.decode())
        except UnicodeDecodeError:
            self.close(_NOT_UTF8)
            return
        self._wake()
        if len(self._inbox) > _MAX_UNREAD and not self._is_held:
            self._is_held = True
            self._transport.pause_reading()

    async def receive(self) -> str | None:
        """Waits for the next text; None once the connection is closed."""
        while not self._inbox:
            if self._is_over:
                return None
            self._waiting = self._loop.create_future()
            await self._waiting
        text = self._inbox.popleft()
        if self._is_held and not self._inbox:
            self._is_held = False
            self._transport.resume_reading()
        return text

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    # The request

    def _request(self, request: Request) -> None:
        """Passes an upgrade request to the application, which accepts or refuses it."""
        self._response = self._library.accept(request)
        if self._response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self._respond(self._response)
            return
        path, _, query = request.path.partition("?")
        raw = request.headers.raw_items()
        scope: dict[str, Any] = {
            "type": "websocket",
            "asgi": {"version": self._config.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if self._transport.get_extra_info("sslcontext") else "ws",
            "server": _address(self._transport.get_extra_info("sockname")),
            "client": _address(self._transport.get_extra_info("peername")),
            "root_path": self._config.root_path,
            "path": self._config.root_path + unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in raw],
            "subprotocols": [],
            "state": self._app_state.copy(),
            "extensions": {EXTENSION: self},
        }
        task = self._loop.create_task(self._serve(scope))
        self._server.tasks.add(task)
        task.add_done_callback(self._server.tasks.discard)

    async def _serve(self, scope: dict[str, Any]) -> None:
        """Runs the application for this connection, and closes the connection afterwards."""
        try:
            await self._config.loaded_app(scope, self._receive_connect, self._send_to_asgi)
        except Exception:
            _log.exception("a connection failed")
        finally:
            if self._library.state is State.CONNECTING and not self._is_over:
                self.refuse()
            self.close(_FAILED)

    async def _receive_connect(self) -> Message:
        return {"type": "websocket.connect"}

    async def _send_to_asgi(self, message: Message) -> None:
        """Handles a message of a generic ASGI application, which may only reject the connection."""
        if message["type"] == "websocket.close":
            self.refuse()

    def accept(self) -> None:
        """Accepts the connection."""
        assert self._response is not None
        self._respond(self._response)
        self._reads_text_frames = True

    def refuse(self) -> None:
        """Refuses the connection with 403."""
        self._respond(self._library.reject(HTTPStatus.FORBIDDEN, ""))

    def _respond(self, response: Response) -> None:
        self._library.send_response(response)
        self._write_library_output()
        if self._library.state is not State.OPEN:
            self._end()
            self._transport.close()

    # Sending

    def send(self, text: str) -> None:
        """Sends a text, in one write with everything else of this iteration of the event loop."""
        if self._is_over:
            return
        if len(self._outbox) >= MAX_QUEUE and self._is_full:
            self.close(_TRY_LATER)
            return
        data = text.encode()
        self._outbox.append(_head(len(data)) + data)
        if not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._is_due = False
        if self._outbox and not self._is_full:
            data, self._outbox = b"".join(self._outbox), []
            self._transport.write(data)

    def _write_library_output(self) -> None:
        """Writes the output of the library."""
        if data := b"".join(self._library.data_to_send()):
            self._transport.write(data)

    def keep_alive(self, now: float) -> bool:
        """Pings a silent client, and disconnects it if it does not answer.

        Args:
            now: The time of the event loop.

        Returns:
            Whether it pinged or disconnected.
        """
        if now - self._received < _SILENCE_S or self._is_over:
            return False
        if self._pinged is None:
            self._pinged = now
            self._transport.write(_PING)
            return True
        if now - self._pinged < _SILENCE_S:
            return False
        self._end()
        self._transport.abort()
        return True

    # Ending

    def close(self, code: int) -> None:
        """Closes the connection after everything is sent; at once if the client does not read."""
        if self._library.state is State.OPEN:
            self._flush()
            self._library.send_close(code)
            self._write_library_output()
            self._close_timer = self._loop.call_later(_CLOSE_S, self._transport.abort)
        self._reads_text_frames = False
        self._end()

    def _end(self) -> None:
        """Ends `receive`, and drops queued output."""
        self._is_over = True
        self._outbox = []
        if self._is_held:
            self._is_held = False
            if not self._transport.is_closing():
                self._transport.resume_reading()
        self._wake()


def _head(length: int) -> bytes:
    """Returns the header of a text frame of a length in bytes."""
    if length < _TWO_BYTES:
        return bytes((_TEXT_FRAME, length))
    if length < 0x10000:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")


def _unmasked(mask: bytes, data: bytes) -> bytes:
    """Removes the mask of a client frame."""
    count = len(data)
    masks = (mask * (count // 4 + 1))[:count]
    return (int.from_bytes(data, "big") ^ int.from_bytes(masks, "big")).to_bytes(count, "big")


def _address(name: object) -> tuple[str, int] | None:
    """Returns an address as ASGI expects it; None for others, such as those of Unix sockets."""
    return (str(name[0]), int(name[1])) if isinstance(name, tuple) else None
