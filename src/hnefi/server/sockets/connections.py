"""WebSocket connections: players and spectators follow a game on them, and players play it."""

import asyncio
import random
from collections.abc import Callable
from functools import partial

from prometheus_client import Histogram
from pydantic import ValidationError
from pydantic_core import from_json
from starlette.datastructures import Headers
from starlette.types import Scope

from hnefi.errors import HnefiError
from hnefi.server.events import Message
from hnefi.server.games.games import Games
from hnefi.server.games.room import Room
from hnefi.server.games.time import Time
from hnefi.server.http.access_keys import has_wrong_key
from hnefi.server.http.costs import ChargedTurns
from hnefi.server.http.guard import Origins
from hnefi.server.http.monitoring import HEADER, request_id_of
from hnefi.server.http.rate_limits import Bucket, RateLimit, address_of
from hnefi.server.http.refusal import fault_of
from hnefi.server.http.visitors import has_bad_token, has_token, visitor_of
from hnefi.server.messages.socket import (
    CLIENT_MESSAGE,
    Ack,
    Command,
    Hello,
    MoveMessage,
    Ping,
    Pong,
    Reject,
    ServerClosing,
)
from hnefi.server.metrics import Metrics
from hnefi.server.refusals import TooManyRequests, refused
from hnefi.server.sockets.places import Places
from hnefi.server.sockets.socket import Socket
from hnefi.server.store.rows import NotSaved

MAX_FRAME = 8_192
_PER_S, _BURST = 5.0, 100.0
_MAX_FAULTS = 5
_HELLO_S = 20.0
_RESTART, _POLICY, _TRY_LATER = 1012, 1008, 1013
_HELLO_CREDITS = 4.0
"""How many messages a `hello` counts for, besides itself."""

_MOST_WAITING = 10_000
_RECONNECT_MS = 3_000
_CHECK_S, _CHECK_PARTS = 2.0, 40


class Connections:
    """All WebSocket connections of the server."""

    def __init__(
        self,
        games: Games,
        source: Time,
        origins: Origins,
        places: Places,
        *,
        costs: RateLimit,
        charge_game: Callable[[Scope], None],
        metrics: Metrics,
    ) -> None:
        """Charges clients at `costs` for opening games.

        `charge_game` counts a rematch as a new game of the address; it raises `Refused` above the limit.
        """
        self.games = games
        self.time = source
        self.hello_turns = ChargedTurns(costs, most_waiting=_MOST_WAITING)
        self.charge_game = charge_game
        self.metrics = metrics
        self._origins = origins
        self._places = places
        self._connections: dict[_Connection, Socket] = {}
        self._is_closing = False

    def __len__(self) -> int:
        return len(self._connections)

    async def serve(self, socket: Socket, scope: Scope) -> None:
        """Serves one connection."""
        if self._is_closing:
            socket.shutdown()
            return
        is_accepted = self._accepts(scope)
        keys = self._places.take(scope) if is_accepted else None
        if keys is None:
            self.metrics.refused("too_many_sockets" if is_accepted else "foreign_origin")
            await socket.send({"type": "websocket.close", "code": _POLICY, "reason": ""})
            return
        self.games.note_address(visitor_of(scope), address_of(scope))
        connection = _Connection(self, scope, socket)
        try:
            headers = [(HEADER, request_id_of(scope).encode())]
            await socket.send({"type": "websocket.accept", "subprotocol": None, "headers": headers})
            self._connections[connection] = socket
            # In a task of its own: within the request every message would pass through all layers of the
            # application.
            await asyncio.get_running_loop().create_task(connection.run())
        finally:
            self._connections.pop(connection, None)
            if (code := socket.own_close_code) is not None:
                self.metrics.closed(code)
            self._places.release(keys)

    async def keep_alive(self) -> None:
        """Pings silent connections forever. All are checked in `_CHECK_S`, in short parts."""
        loop = asyncio.get_running_loop()
        while True:
            sockets = list(self._connections.values())
            for part in range(_CHECK_PARTS):
                await asyncio.sleep(_CHECK_S / _CHECK_PARTS)
                now = loop.time()
                for socket in sockets[part::_CHECK_PARTS]:
                    socket.keep_alive(now)

    def _accepts(self, scope: Scope) -> bool:
        if not self._origins.accepts_host(scope) or has_wrong_key(scope) or has_bad_token(scope):
            return False
        origin = Headers(scope=scope).get("origin")
        return has_token(scope) if origin is None else self._origins.allows(scope, origin)

    async def close(self) -> None:
        """Announces a restart on all connections, and closes them."""
        self._is_closing = True
        for connection in list(self._connections):
            connection.send_message(ServerClosing(retry_after_ms=random.randrange(_RECONNECT_MS)))
            connection.close(_RESTART)
        for _ in range(100):
            if not self._connections:
                break
            await asyncio.sleep(0.01)


class _Connection:
    """One connection: it follows at most one game."""

    def __init__(self, connections: Connections, scope: Scope, socket: Socket) -> None:
        self.players: frozenset[int] = frozenset()
        self.send = socket.send_text
        self._connections = connections
        self._scope = scope
        self._visitor = visitor_of(scope)
        self._charge_game = partial(connections.charge_game, scope)
        self._socket = socket
        self._room: Room | None = None
        self._credits = Bucket(_PER_S, _BURST)
        self._faults = 0
        self._is_closing = False

    def send_message(self, message: Message) -> None:
        """Sends a message to this connection alone."""
        self.send(message.model_dump_json())

    def close(self, code: int) -> None:
        """Closes the connection once everything has been sent."""
        self._is_closing = True
        self._socket.close(code)

    async def run(self) -> None:
        """Handles one message after the other until either side closes the connection."""
        connections, socket = self._connections, self._socket
        hello_timer = asyncio.get_running_loop().call_later(_HELLO_S, self._close_without_game)
        try:
            while (text := await socket.receive_text()) is not None and not self._is_closing:
                received_us = connections.time.now_us()
                if not self._credits.take():
                    self.close(_POLICY)
                    return
                await self._handle(text, received_us)
        finally:
            hello_timer.cancel()
            self._leave_game()

    def _close_without_game(self) -> None:
        if self._room is None:
            self.close(_POLICY)

    async def _handle(self, text: str, received_us: int) -> None:
        message_id: str | None = None
        try:
            message = CLIENT_MESSAGE.validate_json(text)
            message_id = getattr(message, "id", None)
            match message:
                case MoveMessage() | Command():
                    await self._act(message, received_us)
                case Ping():
                    source = self._connections.time
                    self.send_message(
                        Pong(t=message.t, now_ms=source.leads.shown_us(source.now_us()) // 1000)
                    )
                case Hello():
                    await self._hello(message, received_us)
        except ValidationError as error:
            self._reject(_id_in(text), "bad_message", fault_of(error.errors(include_input=False)))
            self._faults += 1
            if self._faults >= _MAX_FAULTS:
                self.close(_POLICY)
        except HnefiError as error:
            self._reject(message_id, error.code, error.parameters)
        except NotSaved:
            self._reject(message_id, "not_saved", {})

    def _reject(self, message_id: str | None, code: str, facts: dict[str, str]) -> None:
        self._connections.metrics.refused(code)
        seq = self._room.state.seq if self._room else None
        self.send_message(Reject(id=message_id, code=code, facts=facts, seq=seq))

    async def _hello(self, message: Hello, received_us: int) -> None:
        """Opens a game in the client's turn, and charges the client for it.

        The whole state of a long game takes milliseconds, for which the moves of others would have to wait.
        """
        if not self._credits.take(_HELLO_CREDITS):
            self.close(_POLICY)
            return
        connections = self._connections
        room = await connections.games.follow(message.game)
        try:
            async with connections.hello_turns.turn(self._scope) as cost:
                cost.measure(partial(self._open, room, message.since))
                # The next one follows in another iteration of the event loop.
                await asyncio.sleep(0)
        except TooManyRequests as error:
            connections.metrics.refused(error.code)
            self.close(_TRY_LATER)
            return
        self._observe(connections.metrics.hello, received_us)

    def _open(self, room: Room, since: int | None) -> None:
        """Opens a game, and sends the events since the last one that is known."""
        self._leave_game()
        self.players, self._room = room.players_of(self._visitor), room
        for text in room.first_messages(self._visitor, since):
            self.send(text)
        room.audience.add(self)

    async def _act(self, command: MoveMessage | Command, received_us: int) -> None:
        if self._room is None:
            raise refused("no_hello")
        # The visitor may have taken a seat since the game was opened here.
        players = self._room.players_of(self._visitor)
        done = await self._room.act(players, command, received_us, self._charge_game)
        self.send_message(Ack(id=command.id, seq=done))
        metrics = self._connections.metrics
        self._observe(metrics.move if isinstance(command, MoveMessage) else metrics.action, received_us)

    def _observe(self, histogram: Histogram, received_us: int) -> None:
        histogram.observe((self._connections.time.now_us() - received_us) / 1_000_000)

    def _leave_game(self) -> None:
        if self._room is not None:
            self._room.audience.remove(self)
            self._room = None


def _id_in(text: str) -> str | None:
    """Returns the id of a message that cannot be read as a whole, if it can be found."""
    try:
        found = from_json(text)
    except ValueError:
        return None
    message_id = found.get("id") if isinstance(found, dict) else None
    return message_id if isinstance(message_id, str) else None
