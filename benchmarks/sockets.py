"""A minimal WebSocket client, so that thousands of them run beside the server they measure."""

import asyncio
import base64
import json
import os
import struct
from collections.abc import Callable
from typing import Any

_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_SHORT, _LONG = 126, 127
_MASK = b"\x00\x00\x00\x00"


class Socket(asyncio.Protocol):
    """One connection, which passes on every text message at once."""

    def __init__(
        self, host: str, port: int, token: str, on_message: Callable[["Socket", bytes], None]
    ) -> None:
        self.is_reading = True
        self.closed = asyncio.get_running_loop().create_future()
        self.opened = asyncio.get_running_loop().create_future()
        self._on_message = on_message
        self._buffer = b""
        self._transport: asyncio.Transport
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            "GET /ws HTTP/1.1",
            f"Host: {host}:{port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
            f"Authorization: Bearer {token}",
        )
        self._handshake = ("\r\n".join(lines) + "\r\n\r\n").encode()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(self._handshake)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        if not self.closed.done():
            self.closed.set_result(None)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.opened.done():
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                self.opened.set_exception(ConnectionError(head.split(b"\r\n")[0].decode()))
                return
            self._buffer = rest
            self.opened.set_result(None)
        while self._read_frame():
            pass

    def _read_frame(self) -> bool:
        """Reads one frame from the buffer; returns whether there was one."""
        buffer = self._buffer
        if len(buffer) < 2:
            return False
        length, begin = buffer[1] & 127, 2
        if length == _SHORT:
            if len(buffer) < 4:
                return False
            length, begin = struct.unpack_from(">H", buffer, 2)[0], 4
        elif length == _LONG:
            if len(buffer) < 10:
                return False
            length, begin = struct.unpack_from(">Q", buffer, 2)[0], 10
        if len(buffer) < begin + length:
            return False
        kind, payload = buffer[0] & 15, buffer[begin : begin + length]
        self._buffer = buffer[begin + length :]
        if kind == _TEXT:
            self._on_message(self, payload)
        elif kind == _PING:
            self._send(_PONG, payload)
        elif kind == _CLOSE:
            self._transport.close()
        return True

    def send(self, **message: object) -> None:
        """Sends a message."""
        self._send(_TEXT, json.dumps(message).encode())

    def _send(self, kind: int, payload: bytes) -> None:
        length = len(payload)
        head = (
            bytes([128 | kind, 128 | length])
            if length < _SHORT
            else struct.pack(">BBH", 128 | kind, 254, length)
        )
        self._transport.write(head + _MASK + payload)

    def stop_reading(self) -> None:
        """Stops reading, like a device in sleep mode."""
        self._transport.pause_reading()

    def close(self) -> None:
        """Closes the connection without a closing handshake."""
        self._transport.abort()


async def open_socket(
    host: str, port: int, token: str, on_message: Callable[[Socket, bytes], None]
) -> Socket:
    """Opens a connection."""
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: Socket(host, port, token, on_message), host, port)
    await socket.opened
    return socket
