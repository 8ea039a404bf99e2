"""WebSockets without a network: the client of the `websockets` library against the server's `Socket`."""

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from hnefi.server.sockets.socket import CLOSE_S, EXTENSION, MAX_QUEUE, Socket
from tests.timeouts import timeout_s

LONGEST = 8_192


class Loopback(asyncio.Transport):
    """A transport that passes the server's writes to the client at once."""

    def __init__(self, client: ClientProtocol) -> None:
        super().__init__()
        self.client = client
        self.writes = 0
        self.written = b""
        self.pause_count = 0
        self.is_closed = False

    def write(self, data: Any) -> None:
        self.writes += 1
        self.written += data
        self.client.receive_data(data)

    def pause_reading(self) -> None:
        self.pause_count += 1

    def resume_reading(self) -> None:
        self.pause_count -= 1

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    abort = close


class ClientServerPair:
    """A client and the server's side of its connection, on which an application echoes every text."""

    def __init__(self, serve: Callable[[Socket], Awaitable[None]] | None = None) -> None:
        self.client = ClientProtocol(parse_uri("ws://server/ws?a=1"))
        self.transport = Loopback(self.client)
        self.read: list[str] = []
        self.serve = serve or self.echo
        self.scope: dict[str, Any] = {}

        async def application(scope: dict[str, Any], _receive: object, send: Callable[..., Any]) -> None:
            self.scope = scope
            if scope["path"] == "/ws":
                await self.serve(scope["extensions"][EXTENSION])
            else:
                await send({"type": "websocket.close"})

        config = Config(
            cast("Any", application),
            ws=Socket,
            ws_max_size=LONGEST,
            ws_per_message_deflate=False,
            ws_ping_interval=None,
            log_config=None,
        )
        config.load()
        self.socket = Socket(config, ServerState(), {})
        self.socket.connection_made(self.transport)

    async def echo(self, socket: Socket) -> None:
        await accept(socket)
        while (text := await socket.receive_text()) is not None:
            self.read.append(text)
            socket.send_text(text)

    async def shake_hands(self) -> None:
        self.client.send_request(self.client.connect())
        await self.transfer()
        self.client.events_received()

    async def transfer(self, sizes: int = 2**20) -> None:
        """Passes the client's pending bytes to the server, in chunks of a given size."""
        data = b"".join(self.client.data_to_send())
        for begin in range(0, len(data), sizes):
            self.socket.data_received(data[begin : begin + sizes])
        await run_pending()

    def received(self) -> list[str]:
        """Returns the texts that the client received since the last call."""
        events = [cast("Frame", event) for event in self.client.events_received()]
        return [bytes(event.data).decode() for event in events if event.opcode is Opcode.TEXT]

    @property
    def close_code(self) -> int | None:
        return self.client.close_rcvd.code if self.client.close_rcvd else None


async def accept(socket: Socket) -> None:
    await socket.send({"type": "websocket.accept", "subprotocol": None, "headers": []})


async def run_pending() -> None:
    for _ in range(6):
        await asyncio.sleep(0)


async def opened(serve: Callable[[Socket], Awaitable[None]] | None = None) -> ClientServerPair:
    pair = ClientServerPair(serve)
    await pair.shake_hands()
    return pair


def send_text(pair: ClientServerPair, text: str) -> None:
    pair.client.send_text(text.encode())


@pytest.mark.parametrize("sizes", [1, 2, 7, 2**20])
async def test_texts_of_any_length_come_through_in_pieces_of_any_size(sizes: int) -> None:
    pair = await opened()
    texts = ["", "é" * 60, "a" * 125, "b" * 126, "c" * 300, "d" * LONGEST]
    for text in texts:
        send_text(pair, text)
    await pair.transfer(sizes)
    assert pair.read == texts
    assert pair.received() == texts
    assert pair.scope["query_string"] == b"a=1"
    assert pair.scope["extensions"][EXTENSION] is pair.socket


async def test_messages_of_one_iteration_are_one_write() -> None:
    pair = await opened()
    before = pair.transport.writes
    for number in range(10):
        pair.socket.send_text(str(number))
    await run_pending()
    assert pair.transport.writes == before + 1
    assert pair.received() == [str(number) for number in range(10)]


async def test_fragments_and_control_frames_are_parsed() -> None:
    pair = await opened()
    send_text(pair, "first")
    pair.client.send_ping(b"hello")
    pair.client.send_text(b"in ", fin=False)
    pair.client.send_continuation(b"two ", fin=False)
    pair.client.send_continuation(b"parts", fin=True)
    send_text(pair, "last")
    await pair.transfer(3)
    assert pair.read == ["first", "in two parts", "last"]
    events = [cast("Frame", event) for event in pair.client.events_received()]
    assert [bytes(event.data) for event in events if event.opcode is Opcode.PONG] == [b"hello"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x81\x05hello", 1002),  # without a mask
        (b"\x83\x81aaaaa", 1002),  # a kind that is not
        (b"\xc1\x81aaaaa", 1002),  # compressed, which was not agreed on
        (b"\x81\xfe\x20\x01aaaa", 1009),
        (b"\x81\xff\0\0\0\0\x7f\xff\xff\xffaaaa", 1009),
        (b"\x81\x81\0\0\0\0\xff", 1007),
        (b"\x82\x81\0\0\0\0a", 1003),
        (b"\x80\x81\0\0\0\0a", 1002),  # a part of nothing
        (b"\x01\x81\0\0\0\0a\x81\x81\0\0\0\0a", 1002),  # a text within another
    ],
)
async def test_protocol_violations_close_the_connection(data: bytes, code: int) -> None:
    pair = await opened()
    send_text(pair, "well")
    pair.socket.data_received(b"".join(pair.client.data_to_send()) + data)
    await run_pending()
    assert pair.read == ["well"]
    assert pair.close_code == code
    await pair.transfer()
    pair.socket.data_received(b"\x81\x81\0\0\0\0a")
    await run_pending()
    assert pair.read == ["well"]
    async with asyncio.timeout(CLOSE_S + timeout_s()):
        while not pair.transport.is_closed:
            await asyncio.sleep(0.01)


async def test_a_good_bye_is_answered_and_what_came_before_it_is_read() -> None:
    pair = await opened()
    send_text(pair, "resign")
    pair.client.send_close(1000)
    await pair.transfer()
    assert pair.read == ["resign"]
    assert pair.close_code == 1000
    assert pair.transport.is_closed


async def test_our_good_bye_waits_for_the_answer_of_the_client() -> None:
    pair = await opened()
    pair.socket.send_text("last words")
    pair.socket.close(1012)
    pair.socket.send_text("too late")
    await run_pending()
    assert pair.received() == ["last words"]
    assert pair.close_code == 1012
    assert not pair.transport.is_closed
    await pair.transfer()
    assert pair.transport.is_closed


async def test_a_client_that_does_not_read_is_disconnected() -> None:
    pair = await opened()
    pair.socket.pause_writing()
    before = pair.transport.writes
    for number in range(MAX_QUEUE):
        pair.socket.send_text(str(number))
    await run_pending()
    assert pair.transport.writes == before
    pair.socket.resume_writing()
    assert pair.received() == [str(number) for number in range(MAX_QUEUE)]
    pair.socket.pause_writing()
    for number in range(MAX_QUEUE + 1):
        pair.socket.send_text(str(number))
    await run_pending()
    assert pair.received() == []
    assert pair.close_code == 1013
    assert await asyncio.wait_for(pair.socket.receive_text(), timeout_s()) is None


async def test_reading_pauses_while_the_queue_is_full() -> None:
    gate = asyncio.Event()

    async def slow(socket: Socket) -> None:
        await accept(socket)
        await gate.wait()
        while (text := await socket.receive_text()) is not None:
            read.append(text)

    read: list[str] = []
    pair = await opened(slow)
    for number in range(40):
        send_text(pair, str(number))
    await pair.transfer()
    assert pair.transport.pause_count == 1
    gate.set()
    await run_pending()
    assert pair.transport.pause_count == 0
    assert len(read) == 40


async def test_silence_is_asked_about_and_then_ended() -> None:
    pair = await opened()

    def pings_at(now: float) -> bool:
        """Returns whether the socket pings at a time of the event loop."""
        before = len(pair.transport.written)
        pair.socket.keep_alive(now)
        return len(pair.transport.written) > before

    now = asyncio.get_running_loop().time()
    assert not pings_at(now + 19)
    assert pings_at(now + 21)
    assert not pings_at(now + 40)
    await pair.transfer()  # the client's pong
    assert not pings_at(now + 19)
    send_text(pair, "still there")
    await pair.transfer()
    assert pair.read == ["still there"]
    later = asyncio.get_running_loop().time() + 21
    assert pings_at(later)
    pair.socket.keep_alive(later + 21)
    assert pair.transport.is_closed
    assert not pings_at(later + 50)


def test_a_connection_that_has_ended_leaves_no_cycle_to_the_collector() -> None:
    async def main() -> None:
        pair = await opened()
        send_text(pair, "hello")
        await pair.transfer()
        parser = weakref.ref(pair.socket.conn)
        pair.socket.connection_lost(None)
        await run_pending()
        assert pair.read == ["hello"]
        del pair.socket.conn
        assert parser() is None
        assert EXTENSION not in pair.scope["extensions"]

    gc.disable()
    try:
        asyncio.run(main())
    finally:
        gc.enable()


async def test_other_addresses_and_requests_that_are_none_are_refused() -> None:
    pair = ClientServerPair()
    pair.client = ClientProtocol(parse_uri("ws://server/elsewhere"))
    pair.transport.client = pair.client
    await pair.shake_hands()
    assert "403" in str(pair.client.handshake_exc)
    assert pair.transport.is_closed
    other = ClientServerPair()
    other.socket.data_received(b"GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n")
    await run_pending()
    assert other.transport.written.startswith(b"HTTP/1.1 4")
    assert other.transport.is_closed


async def test_an_application_that_fails_ends_its_connection_alone() -> None:
    async def fails(socket: Socket) -> None:
        await accept(socket)
        raise ValueError

    pair = await opened(fails)
    assert pair.close_code == 1011

    async def fails_before(_: Socket) -> None:
        raise ValueError

    assert "500" in str((await opened(fails_before)).client.handshake_exc)
