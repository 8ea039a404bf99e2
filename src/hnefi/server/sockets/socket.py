"""WebSockets as thousands of games need them: little work for each message, and no task for each.

A whole text of a client, which is what nearly every frame is, is read here. Whatever else comes is left to
the library, from that frame on. What is sent within one turn of the event loop goes out in one piece.
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

__all__ = ["EXTENSION", "LONGEST_QUEUE", "Socket"]

EXTENSION = "hnefi.socket"
"""The name under which the scope of a connection has its socket."""

LONGEST_QUEUE = 64
"""As many messages wait for a client that does not read; with one more he has to come again."""

_SILENCE_S = 20.0
_GOODBYE_S = 10.0
_MOST_UNREAD = 16
_TEXT_FRAME, _PONG_FRAME, _PING = 0x81, 0x8A, b"\x89\x00"
_MASKED, _TWO_BYTES = 0x80, 126
_TEXT_ONLY, _NOT_UTF8, _FAILED, _RESTART, _TRY_LATER = 1003, 1007, 1011, 1012, 1013
_log = logging.getLogger("uvicorn.error")


class Socket(asyncio.Protocol):
    """One connection. uvicorn makes it when somebody asks for a WebSocket, and gives it the request."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Prepares; the arguments are those that uvicorn gives."""
        self._config, self._server, self._app_state = config, server_state, app_state
        self._loop = _loop or asyncio.get_running_loop()
        self._longest = config.ws_max_size
        self._library = ServerProtocol(max_size=self._longest, logger=_log)
        self._transport: asyncio.Transport
        self._response: Response | None = None
        # What comes in
        self._is_plain = False
        self._unread = b""
        self._parts: list[bytes] = []
        self._inbox: deque[str] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._is_held = False
        self._heard = self._loop.time()
        self._asked: float | None = None
        # What goes out
        self._outbox: list[bytes] = []
        self._is_due = False
        self._is_full = False
        self._is_over = False
        self._goodbye: asyncio.TimerHandle | None = None

    # What uvicorn and the event loop call

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begins."""
        self._transport = cast("asyncio.Transport", transport)
        self._server.connections.add(self)  # type: ignore[arg-type]

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Ends."""
        self._server.connections.discard(self)
        if self._goodbye is not None:
            self._goodbye.cancel()
        self._end()

    def shutdown(self) -> None:
        """Ends it, since the server goes away."""
        self.close(_RESTART)
        self._transport.close()

    def pause_writing(self) -> None:
        """Takes note that what was sent piles up."""
        self._is_full = True

    def resume_writing(self) -> None:
        """Sends what has waited."""
        self._is_full = False
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Takes in what has come."""
        self._heard, self._asked = self._loop.time(), None
        if self._unread:
            data, self._unread = self._unread + data, b""
        if self._is_plain:
            data = self._read_plain(data)
        if data:
            self._read_odd(data)

    # Reading

    def _read_plain(self, data: bytes) -> bytes:
        """Reads whole texts; gives what the library has to read from here on, nothing if all is well."""
        begin, end = 0, len(data)
        while end - begin >= 2 and self._is_plain:
            kind, length, head = data[begin], data[begin + 1] - _MASKED, 6
            if length == _TWO_BYTES:
                length, head = int.from_bytes(data[begin + 2 : begin + 4], "big"), 8
            elif not 0 <= length < _TWO_BYTES:
                self._is_plain = False
                break
            if kind not in (_TEXT_FRAME, _PONG_FRAME) or length > self._longest:
                self._is_plain = False
                break
            text = begin + head
            if text + length > end:
                break
            begin = text + length
            if kind == _TEXT_FRAME:
                self._take(_unmasked(data[text - 4 : text], data[text:begin]))
        if self._is_plain:
            self._unread = data[begin:]
            return b""
        return data[begin:]

    def _read_odd(self, data: bytes) -> None:
        """Has the library read: the request, frames in parts, pings, a good-bye, and what is no frame."""
        library = self._library
        library.receive_data(data)
        for event in library.events_received():
            if isinstance(event, Request):
                self._ask(event)
            elif isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.CONT):
                self._parts.append(bytes(event.data))
                if event.fin:
                    text, self._parts = b"".join(self._parts), []
                    self._take(text)
            elif isinstance(event, Frame) and event.opcode is Opcode.BINARY:
                self.close(_TEXT_ONLY)
        self._write_of_library()
        if library.close_rcvd is not None or library.parser_exc is not None:
            self._end()
            self._transport.close()

    def _take(self, data: bytes) -> None:
        """Puts a text where it waits to be read."""
        if self._is_over:
            return
        try:
            self._inbox.append(data.decode())
        except UnicodeDecodeError:
            self.close(_NOT_UTF8)
            return
        self._wake()
        if len(self._inbox) > _MOST_UNREAD and not self._is_held:
            self._is_held = True
            self._transport.pause_reading()

    async def receive(self) -> str | None:
        """Gives the next text; None if there is none to come."""
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

    def _ask(self, request: Request) -> None:
        """Has the application decide about a request, if it is one for a WebSocket."""
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
        """Runs the application for this connection, and ends that with it."""
        try:
            await self._config.loaded_app(scope, self._nothing, self._answer)
        except Exception:
            _log.exception("a connection failed")
        finally:
            if self._library.state is State.CONNECTING and not self._is_over:
                self.refuse()
            self.close(_FAILED)

    async def _nothing(self) -> Message:
        return {"type": "websocket.connect"}

    async def _answer(self, message: Message) -> None:
        """Takes what an application says that knows nothing of this class: only that it refuses."""
        if message["type"] == "websocket.close":
            self.refuse()

    def accept(self) -> None:
        """Opens the connection."""
        assert self._response is not None
        self._respond(self._response)
        self._is_plain = True

    def refuse(self) -> None:
        """Answers that it is not for whoever asks."""
        self._respond(self._library.reject(HTTPStatus.FORBIDDEN, ""))

    def _respond(self, response: Response) -> None:
        self._library.send_response(response)
        self._write_of_library()
        if self._library.state is not State.OPEN:
            self._end()
            self._transport.close()

    # Sending

    def send(self, text: str) -> None:
        """Sends a text, together with whatever else is sent before the event loop goes on."""
        if self._is_over:
            return
        if len(self._outbox) >= LONGEST_QUEUE and self._is_full:
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

    def _write_of_library(self) -> None:
        """Sends what the library wants to say."""
        if data := b"".join(self._library.data_to_send()):
            self._transport.write(data)

    def keep_alive(self, now: float) -> bool:
        """Asks whether anybody is there, where nothing was heard for long; drops him if he does not answer.

        Args:
            now: The time of the event loop.

        Returns:
            Whether there was anything to be done.
        """
        if now - self._heard < _SILENCE_S or self._is_over:
            return False
        if self._asked is None:
            self._asked = now
            self._transport.write(_PING)
            return True
        if now - self._asked < _SILENCE_S:
            return False
        self._end()
        self._transport.abort()
        return True

    # Ending

    def close(self, code: int) -> None:
        """Closes the connection once everything has been sent; to a client that does not read, at once."""
        if self._library.state is State.OPEN:
            self._flush()
            self._library.send_close(code)
            self._write_of_library()
            self._goodbye = self._loop.call_later(_GOODBYE_S, self._transport.abort)
        self._is_plain = False
        self._end()

    def _end(self) -> None:
        """Tells whoever reads that nothing is to come."""
        self._is_over = True
        self._outbox = []
        if self._is_held:
            self._is_held = False
            if not self._transport.is_closing():
                self._transport.resume_reading()
        self._wake()


def _head(length: int) -> bytes:
    """Gives what stands before a text of so many bytes."""
    if length < _TWO_BYTES:
        return bytes((_TEXT_FRAME, length))
    if length < 0x10000:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")


def _unmasked(mask: bytes, data: bytes) -> bytes:
    """Takes away the mask that every frame of a client has."""
    count = len(data)
    masks = (mask * (count // 4 + 1))[:count]
    return (int.from_bytes(data, "big") ^ int.from_bytes(masks, "big")).to_bytes(count, "big")


def _address(name: object) -> tuple[str, int] | None:
    """Gives an address as applications expect it; None for what is none, such as a local socket."""
    return (str(name[0]), int(name[1])) if isinstance(name, tuple) else None
