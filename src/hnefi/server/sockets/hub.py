"""The hub: one WebSocket address, on which players and spectators follow a game and players play it."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable

from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.types import Scope

from hnefi.errors import HnefiError
from hnefi.server.games.actions import Action
from hnefi.server.games.commands import Do, Play
from hnefi.server.games.room import Room
from hnefi.server.games.rooms import Rooms
from hnefi.server.games.time import Time
from hnefi.server.http.guard import Origins, address_of
from hnefi.server.http.rate_limits import Bucket
from hnefi.server.http.visitors import has_token, visitor_of
from hnefi.server.messages.socket import (
    Ack,
    Closing,
    Command,
    Hello,
    Message,
    MoveMessage,
    Ping,
    Pong,
    Reject,
    made,
    read_message,
)
from hnefi.server.messages.views import game_view
from hnefi.server.refusals import refused
from hnefi.server.sockets.socket import Socket
from hnefi.server.store import NotSaved

__all__ = ["Hub"]

LONGEST_FRAME = 8_192
_PER_S, _BURST = 5.0, 100.0
_MOST_FAULTS = 5
_FIRST_WORD_S = 20.0
_RESTART, _POLICY = 1012, 1008
_HERD_MS = 3_000
_ASK_EVERY_S, _ASK_AT_ONCE = 0.25, 200


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
        self._connections: dict[_Connection, Socket] = {}
        self._is_closing = False

    def __len__(self) -> int:
        return len(self._connections)

    async def serve(self, socket: Socket, scope: Scope) -> None:
        """Serves one connection."""
        visitor = visitor_of(scope)
        keys = [f"address {address_of(scope)}"] + ([f"visitor {visitor}"] if visitor else [])
        if not self._accepts(scope, keys):
            socket.refuse()
            return
        socket.accept()
        connection = _Connection(self, visitor, socket)
        self._connections[connection] = socket
        self._counts.update(keys)
        try:
            await connection.run()
        finally:
            del self._connections[connection]
            self._counts.subtract(keys)
            for key in keys:
                if self._counts[key] <= 0:
                    del self._counts[key]

    async def keep_alive(self) -> None:
        """Asks those who are silent, again and again, whether they are there; a few at a time."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_ASK_EVERY_S)
            now, asked = loop.time(), 0
            for socket in list(self._connections.values()):
                asked += socket.keep_alive(now)
                if asked >= _ASK_AT_ONCE:
                    break

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

    def __init__(self, hub: Hub, visitor: str | None, socket: Socket) -> None:
        self.players: frozenset[int] = frozenset()
        self.send = socket.send
        self._hub = hub
        self._visitor = visitor
        self._socket = socket
        self._room: Room | None = None
        self._credits = Bucket(_PER_S, _BURST)
        self._faults = 0
        self._is_closing = False

    def say(self, message: Message) -> None:
        """Sends a message to this connection alone."""
        self.send(message.model_dump_json())

    def close(self, code: int) -> None:
        """Closes the connection once everything has been sent."""
        self._is_closing = True
        self._socket.close(code)

    async def run(self) -> None:
        """Takes in one message after the other, until it is closed by either side."""
        hub, socket = self._hub, self._socket
        patience = asyncio.get_running_loop().call_later(_FIRST_WORD_S, self._give_up)
        try:
            while (text := await socket.receive()) is not None and not self._is_closing:
                received_us = hub.time.now_us()
                if not self._credits.take():
                    self.close(_POLICY)
                    return
                await self._take(text, received_us)
        finally:
            patience.cancel()
            self._leave()

    def _give_up(self) -> None:
        """Ends it if no game has been opened on it."""
        if self._room is None:
            self.close(_POLICY)

    async def _take(self, text: str, received_us: int) -> None:
        """Carries out a message; whatever is wrong with it is said."""
        message_id: str | None = None
        try:
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
            case MoveMessage():
                await self._act(Play(message.move, message.call), message.id, message.seq, received_us)
            case Ping():
                self.say(Pong(t=message.t, now_ms=self._hub.time.now_us() // 1000))
            case Hello():
                await self._hello(message)
            case Command():
                await self._act(Do(Action(message.do)), message.id, message.seq, received_us)

    async def _hello(self, message: Hello) -> None:
        """Opens a game, and tells what happened in it meanwhile."""
        room = await self._hub.rooms.room(message.game)
        self._leave()
        self.players = room.players_of(self._visitor)
        self._room = room
        missed = room.messages_since(message.since)
        if missed is None:
            self.say(game_view(room, self.players))
        else:
            for text in missed:
                self.send(text)
        room.add_listener(self)

    async def _act(self, command: Play | Do, message_id: str, seq: int, received_us: int) -> None:
        room = self._room
        if room is None:
            raise refused("no_hello")
        # A seat may have been taken since the game was opened on this connection.
        players = room.players_of(self._visitor)
        done = await room.act(players, command, message_id, seq, received_us)
        self.say(made(Ack, type="ack", id=message_id, seq=done))
        if self._hub.observe is not None and isinstance(command, Play):
            self._hub.observe((self._hub.time.now_us() - received_us) / 1_000_000)

    def _leave(self) -> None:
        if self._room is not None:
            self._room.remove_listener(self)
            self._room = None
