"""WebSockets for thousands of games: uvicorn's, with limits, and with few tasks and writes.

uvicorn and the `websockets` library do the handshake, frames and the protocol. Added here: a price for every
frame, a bound for everything that waits, and one write for all that is sent in an iteration of the event
loop.
"""

import asyncio
import contextlib
import logging
from collections import deque
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from uvicorn._types import ASGISendEvent
from uvicorn.config import Config
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import InvalidState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.typing import BytesLike

from hnefi.server.http.rate_limits import Bucket

try:
    from websockets.speedups import apply_mask
except ImportError:  # the library was built without a compiler
    from websockets.utils import apply_mask

EXTENSION = "hnefi.socket"
"""The key of the socket in the extensions of a scope."""

MAX_QUEUE = 64
"""How many messages wait for a client that does not read; with one more it is disconnected."""

CLOSE_S = 1.0
"""How long a closed connection may last, for its last messages and the answer of the client."""

_SILENCE_S = 20.0
_MAX_UNREAD = 16
# Parsing a frame costs some 15 µs, and the smallest has six bytes: at most 85 are parsed before their price
# is taken.
_SLICE = 512
_WHOLE_TEXT, _MASKED, _SHORT_HEAD, _LONGEST_SHORT = 0x81, 0x80, 6, 131
_FRAMES_PER_S, _FRAMES_BURST = 20.0, 200.0
_MAX_FRAGMENTS = 16
_MOST_DRAINED = 65_536
_TEXT_ONLY, _NOT_UTF8, _POLICY, _FAILED, _RESTART, _TRY_LATER = 1003, 1007, 1008, 1011, 1012, 1013
_log = logging.getLogger("uvicorn.error")


class Socket(WebSocketsSansIOProtocol):
    """One WebSocket. uvicorn creates it for an upgrade request, and passes it the request.

    The application accepts or refuses it with the messages of ASGI, and afterwards reads and writes with
    `receive_text` and `send_text`.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Creates the protocol of one WebSocket; uvicorn passes the arguments."""
        super().__init__(config, server_state, app_state, _loop)
        self._price = Bucket(_FRAMES_PER_S, _FRAMES_BURST, self.loop.time)
        # Input
        self._inbox: deque[str] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._received = self.loop.time()
        self._pinged: float | None = None
        self._is_deaf = False
        self._drained = 0
        self._unparsed = 0
        # Output
        self._outbox: list[bytes] = []
        self._is_due = False
        self._is_full = False
        self._is_over = False

    @property
    def own_close_code(self) -> int | None:
        """The code with which this side closed the connection; None if it did not, or after the client."""
        sent = self.conn.close_sent
        return None if sent is None or self.conn.close_rcvd_then_sent else int(sent.code)

    # Called by uvicorn and the event loop

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregisters the connection."""
        super().connection_lost(exc)
        self._end()
        # The collector hardly ever examines old objects, so cycles of references are broken: the parser is
        # a generator that refers to what it belongs to.
        self.conn.parser.close()

    async def run_asgi(self) -> None:
        """Runs the application until it has ended."""
        try:
            await super().run_asgi()
        finally:
            self.scope["extensions"].pop(EXTENSION, None)

    def shutdown(self) -> None:
        """Closes it, since the server stops; a handshake that is not answered yet is refused."""
        if self.close_sent or self.disconnected:
            return
        if self.handshake_complete:
            self.close(_RESTART)
            return
        self.conn.send_response(self.conn.reject(HTTPStatus.SERVICE_UNAVAILABLE, ""))
        self.handshake_complete = True
        self._hang_up()

    def pause_writing(self) -> None:
        """Stops reading too while the write buffer is full, since what is read may need an answer."""
        super().pause_writing()
        self._is_full = True
        self._pause_or_resume_reading()

    def resume_writing(self) -> None:
        """Sends what is queued, and reads again."""
        super().resume_writing()
        self._is_full = False
        self._flush()
        self._pause_or_resume_reading()

    def data_received(self, data: bytes) -> None:
        """Parses received data, in slices; drops it once the connection was refused."""
        self._received, self._pinged = self.loop.time(), None
        if (text := self._short_text(data)) is not None:
            if self._price.take():
                self._take(text)
            else:
                self.refuse(_POLICY)
            return
        for begin in range(0, len(data), _SLICE):
            if self._is_deaf:
                self._drain(len(data) - begin)
                return
            part = data[begin : begin + _SLICE]
            self._unparsed += len(part)
            self.conn.receive_data(part)
            self.handle_events()
            if self.conn.parser_exc is not None or self.conn.handshake_exc is not None:
                self._hang_up()
                return
        if self.conn.writes:
            self._write_output()

    def _short_text(self, data: bytes) -> bytes | None:
        """Returns the text if the data is nothing but one whole short text frame; None for all other data.

        Every move is such a frame. The parser of the library takes ten times as long for it, and returns
        the same.
        """
        if self._unparsed or self.frames or self._is_deaf or self.conn.state is not State.OPEN:
            return None
        if not _SHORT_HEAD < len(data) <= _LONGEST_SHORT or data[0] != _WHOLE_TEXT:
            return None
        if data[1] - _MASKED != len(data) - _SHORT_HEAD:
            return None
        return apply_mask(data[_SHORT_HEAD:], data[2:_SHORT_HEAD])

    def _drain(self, count: int) -> None:
        """Drops data of a refused client, and stops reading when there is much.

        A transport that is closed with unread data may reset the connection before the client has read why.
        """
        self._drained += count
        if self._drained > _MOST_DRAINED and not self.read_paused and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    # Reading

    def handle_events(self) -> None:
        """Handles the parsed frames, each of which has its price."""
        for event in self.conn.events_received():
            if self._is_deaf:
                return
            if isinstance(event, Request):
                self.handle_connect(event)
                continue
            assert isinstance(event, Frame)
            self._unparsed -= _size_of(event)
            if not self._price.take():
                self.refuse(_POLICY)
            elif event.opcode is Opcode.TEXT and event.fin:
                self._take(event.data)
            elif event.opcode in (Opcode.TEXT, Opcode.CONT):
                self._take_fragment(event)
            elif event.opcode is Opcode.BINARY:
                self.refuse(_TEXT_ONLY)
            elif event.opcode is Opcode.CLOSE:
                self._hang_up()

    def handle_connect(self, event: Request) -> None:
        """Passes an upgrade request to the application, which accepts or refuses it."""
        super().handle_connect(event)
        self._unparsed = 0
        if self.close_sent:
            self._hang_up()
        else:
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]

    def _take_fragment(self, frame: Frame) -> None:
        """Adds a part of a text, and queues the text with its last part."""
        self.frames.append(bytes(frame.data))
        if len(self.frames) > _MAX_FRAGMENTS:
            self.refuse(_POLICY)
        elif frame.fin:
            data, self.frames = b"".join(self.frames), []
            self._take(data)

    def _take(self, data: BytesLike) -> None:
        """Queues a received text."""
        if self._is_over:
            return
        try:
            self._inbox.append(str(data, "utf-8"))
        except UnicodeDecodeError:
            self.refuse(_NOT_UTF8)
            return
        self._wake()
        if len(self._inbox) > _MAX_UNREAD or self.read_paused:
            self._pause_or_resume_reading()

    def _pause_or_resume_reading(self) -> None:
        """Reads only while neither the inbox nor the write buffer is full."""
        if self._is_deaf:
            return
        is_held = self._is_full or len(self._inbox) > (0 if self.read_paused else _MAX_UNREAD)
        if is_held != self.read_paused and not self.transport.is_closing():
            self.read_paused = is_held
            if is_held:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()

    async def receive_text(self) -> str | None:
        """Waits for the next text; None once the connection is closed."""
        while not self._inbox:
            if self._is_over:
                return None
            self._waiting = self.loop.create_future()
            await self._waiting
        text = self._inbox.popleft()
        if self.read_paused:
            self._pause_or_resume_reading()
        return text

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    # Sending

    async def send(self, message: ASGISendEvent) -> None:
        """Accepts or refuses the connection.

        Raises:
            ClientDisconnected: If it has ended in the meantime.
        """
        if self.close_sent or self.transport.is_closing():
            raise ClientDisconnected
        await super().send(message)

    def send_text(self, text: str) -> None:
        """Sends a text, in one write with everything else of this iteration of the event loop."""
        if self._is_over:
            return
        if len(self._outbox) >= MAX_QUEUE and self._is_full:
            self.refuse(_TRY_LATER)
            return
        self._outbox.append(_frame_of(text))
        if not self._is_due:
            self._is_due = True
            self.loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._is_due = False
        if self._outbox and not self._is_full:
            data, self._outbox = b"".join(self._outbox), []
            self.transport.write(data)

    def _write_output(self) -> None:
        """Writes what the library has to send: the response, pings and their answers, the end."""
        if data := b"".join(self.conn.data_to_send()):
            self.transport.write(data)

    def keep_alive(self, now: float) -> None:
        """Pings a silent client, and disconnects it if it does not answer; `now` is the loop's time."""
        if now - self._received < _SILENCE_S or self._is_over:
            return
        if self._pinged is None:
            self._pinged = now
            self.conn.send_ping(b"")
            self._write_output()
        elif now - self._pinged >= _SILENCE_S:
            self._end()
            self.transport.abort()

    # Ending

    def send_500_response(self) -> None:
        """Ends the connection of an application that failed."""
        if self.handshake_complete:
            self.close(_FAILED)
        else:
            super().send_500_response()

    def refuse(self, code: int) -> None:
        """Closes the connection of a client that breaks a rule; nothing of it is parsed from now on."""
        self._is_deaf = True
        self.close(code)

    def close(self, code: int) -> None:
        """Closes the connection after everything is sent; after a second whether or not the client reads."""
        if self.close_sent or self.disconnected:
            return
        self._flush()
        if self.conn.state is State.OPEN:
            with contextlib.suppress(InvalidState):
                self.conn.send_close(code)
            self._write_output()
        self.close_sent = True
        self.close_timer = self.loop.call_later(CLOSE_S, self.transport.abort)
        self._end()

    def _hang_up(self) -> None:
        """Closes the transport once its last bytes are written, at the latest after a second."""
        self._is_deaf = self.close_sent = True
        self._write_output()
        self._end()
        self.transport.close()
        if self.close_timer is None and not self.disconnected:
            self.close_timer = self.loop.call_later(CLOSE_S, self.transport.abort)

    def _end(self) -> None:
        """Ends `receive_text`, and drops queued output."""
        self._is_over = True
        self._outbox = []
        self._wake()


def _size_of(frame: Frame) -> int:
    """Returns the number of bytes of a client's frame, at least: it may write its length in more."""
    length = len(frame.data)
    return length + _SHORT_HEAD + (0 if length < 126 else 2 if length < 65_536 else 8)


@lru_cache(maxsize=16)
def _frame_of(text: str) -> bytes:
    """Returns the frame of a text. Cached, since the same text goes to all who follow a game."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
