"""The hub: one WebSocket address, on which players and spectators follow a game and players play it."""

import asyncio
import random
from collections import Counter, deque
from collections.abc import Callable

from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from hnefi.errors import HnefiError
from hnefi.server.games.commands import Action, Do, Play
from hnefi.server.games.faults import refused
from hnefi.server.games.room import Room
from hnefi.server.games.rooms import Rooms
from hnefi.server.games.time import Time
from hnefi.server.guard import Origins, address_of
from hnefi.server.limits import Bucket
from hnefi.server.messages import (
    Ack,
    Closing,
    Command,
    Hello,
    Message,
    MoveMessage,
    Ping,
    Pong,
    Reject,
    read_message,
)
from hnefi.server.store import NotSaved
from hnefi.server.visitors import has_token, visitor_of

__all__ = ["Hub"]

LONGEST_QUEUE = 64
LONGEST_FRAME = 8_192
_PER_S, _BURST = 5.0, 100.0
_MOST_FAULTS = 5
_FIRST_WORD_S = 20.0
_RESTART, _TRY_LATER, _POLICY, _TEXT_ONLY = 1012, 1013, 1008, 1003
_HERD_MS = 3_000


class Hub:
    """Answers the WebSocket address."""

    def __init__(
        self,
        rooms: Rooms,
        time: Time,
        origins: Origins,
        *,
        per_address: int = 50,
        per_visitor: int = 10,
        observe: Callable[[float], None] | None = None,
    ) -> None:
        """Begins without a connection.

        Args:
            rooms: The games.
            time: What tells the time.
            origins: Whose pages may connect.
            per_address: The most connections from one address.
            per_visitor: The most connections of one visitor.
            observe: Told how long each move took from its coming in until it was kept, in seconds.
        """
        self.rooms = rooms
        self.time = time
        self.observe = observe
        self._origins = origins
        self._limits = (per_address, per_visitor)
        self._counts: Counter[str] = Counter()
        self._connections: set[_Connection] = set()
        self._is_closing = False

    def __len__(self) -> int:
        return len(self._connections)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        visitor = visitor_of(scope)
        keys = [f"address {address_of(scope)}"] + ([f"visitor {visitor}"] if visitor else [])
        await receive()
        if not self._accepts(scope, keys):
            # Closed before it is accepted, it is answered with 403.
            await send({"type": "websocket.close"})
            return
        await send({"type": "websocket.accept"})
        connection = _Connection(self, visitor, receive, send)
        self._connections.add(connection)
        self._counts.update(keys)
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
            self._counts.subtract(keys)
            for key in keys:
                if self._counts[key] <= 0:
                    del self._counts[key]

    def _accepts(self, scope: Scope, keys: list[str]) -> bool:
        """Whether a connection is one of our pages' or of a program, and not one too many."""
        if self._is_closing or not self._origins.knows_host(scope):
            return False
        origin = Headers(scope=scope).get("origin")
        if origin is None and not has_token(scope):
            return False
        if origin is not None and not self._origins.allows(scope, origin):
            return False
        return all(self._counts[key] < most for key, most in zip(keys, self._limits, strict=False))

    async def close(self) -> None:
        """Tells everybody that the server goes away for a moment, and closes all connections."""
        self._is_closing = True
        for connection in list(self._connections):
            connection.say(Closing(retry_after_ms=random.randrange(_HERD_MS)))
            connection.close(_RESTART)
        for _ in range(100):
            if not self._connections:
                break
            await asyncio.sleep(0.01)


class _Connection:
    """One connection: it follows at most one game."""

    def __init__(self, hub: Hub, visitor: str | None, receive: Receive, send: Send) -> None:
        self.players: frozenset[int] = frozenset()
        self._hub = hub
        self._visitor = visitor
        self._receive = receive
        self._send = send
        self._room: Room | None = None
        self._queue: deque[str] = deque()
        self._wake = asyncio.Event()
        self._close_code: int | None = None
        self._credits = Bucket(_PER_S, _BURST)
        self._faults = 0
        self._is_acting = False
        self._reading: asyncio.Task[None] | None = None

    def send(self, text: str) -> None:
        """Puts a message into the queue; whoever lets it grow too long has to come again."""
        if len(self._queue) >= LONGEST_QUEUE:
            self._queue.clear()
            self.close(_TRY_LATER)
            if self._reading is not None and not self._is_acting:
                # The writer waits for a client that does not read: there is nothing to be said any more.
                self._reading.cancel()
            return
        self._queue.append(text)
        self._wake.set()

    def say(self, message: Message) -> None:
        """Sends a message to this connection alone."""
        self.send(message.model_dump_json())

    def close(self, code: int) -> None:
        """Closes the connection once everything has been sent."""
        self._close_code = self._close_code or code
        self._wake.set()

    async def run(self) -> None:
        """Serves it until it is closed by either side."""
        loop = asyncio.get_running_loop()
        reading = self._reading = loop.create_task(self._read())
        writing = loop.create_task(self._write())
        try:
            await asyncio.wait((reading, writing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._leave()
            for task in (reading, writing):
                task.cancel()
            await asyncio.wait((reading, writing))
            for task in (reading, writing):
                # What is wrong with a connection that is over is of no interest to anybody.
                if not task.cancelled():
                    task.exception()

    async def _write(self) -> None:
        """Sends what is in the queue."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                await self._send({"type": "websocket.send", "text": self._queue.popleft()})
            if self._close_code is not None:
                await self._send({"type": "websocket.close", "code": self._close_code})
                return

    async def _read(self) -> None:
        """Takes in one message after the other."""
        async with asyncio.timeout(_FIRST_WORD_S) as patience:
            while True:
                frame = await self._receive()
                if frame["type"] != "websocket.receive":
                    return None
                received_us = self._hub.time.now_us()
                if not self._credits.take():
                    self.close(_POLICY)
                    return await asyncio.sleep(1)
                text = frame.get("text")
                if text is None:
                    self.close(_TEXT_ONLY)
                    return await asyncio.sleep(1)
                await self._take(text, received_us)
                if self._room is not None:
                    patience.reschedule(None)

    async def _take(self, text: str, received_us: int) -> None:
        """Carries out a message; whatever is wrong with it is said."""
        message_id: str | None = None
        try:
            if len(text) > LONGEST_FRAME:
                raise refused("message_too_long")
            message = read_message(text)
            message_id = getattr(message, "id", None)
            await self._carry_out(message, received_us)
        except ValidationError:
            self._reject(None, "bad_message", {})
            self._faults += 1
            if self._faults >= _MOST_FAULTS:
                self.close(_POLICY)
        except HnefiError as error:
            self._reject(message_id, error.code, error.parameters)
        except NotSaved:
            self._reject(message_id, "not_saved", {})

    def _reject(self, message_id: str | None, code: str, facts: dict[str, str]) -> None:
        seq = self._room.state.seq if self._room else None
        self.say(Reject(id=message_id, code=code, facts=facts, seq=seq))

    async def _carry_out(self, message: Hello | MoveMessage | Command | Ping, received_us: int) -> None:
        match message:
            case Ping():
                self.say(Pong(t=message.t, now_ms=self._hub.time.now_us() // 1000))
            case Hello():
                await self._hello(message)
            case MoveMessage():
                await self._act(Play(message.move, message.call), message.id, message.seq, received_us)
            case Command():
                await self._act(Do(Action(message.do)), message.id, message.seq, received_us)

    async def _hello(self, message: Hello) -> None:
        """Opens a game, and tells what happened in it meanwhile."""
        room = await self._hub.rooms.room(message.game)
        self._leave()
        self.players = room.players_of(self._visitor)
        self._room = room
        missed = room.missed(message.since)
        if missed is None:
            self.say(room.view(self.players))
        else:
            for text in missed:
                self.send(text)
        room.enter(self)

    async def _act(self, command: Play | Do, message_id: str, seq: int, received_us: int) -> None:
        room = self._room
        if room is None:
            raise refused("no_hello")
        # A seat may have been taken since the game was opened on this connection.
        players = room.players_of(self._visitor)
        self._is_acting = True
        try:
            done = await room.act(players, command, message_id, seq, received_us)
        finally:
            self._is_acting = False
        self.say(Ack.model_construct(type="ack", id=message_id, seq=done))
        if self._hub.observe is not None and isinstance(command, Play):
            self._hub.observe((self._hub.time.now_us() - received_us) / 1_000_000)

    def _leave(self) -> None:
        if self._room is not None:
            self._room.leave(self)
            self._room = None
