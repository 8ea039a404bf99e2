"""The games as those who follow, play and read them know them: connections and the HTTP API."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import NamedTuple

from hnefi.server.events import Result
from hnefi.server.games.audience import Listener
from hnefi.server.games.commands import CommandRequest, MoveRequest
from hnefi.server.games.new_game import Guest, NewGame
from hnefi.server.games.room import Room
from hnefi.server.games.rooms import OwnList, Rooms
from hnefi.server.store import ClassroomRow, Store, changes


class CreatedGame(NamedTuple):
    """A game that was created.

    Attributes:
        id: Its id.
        invite: The secret of its invitation, None if nobody is to join.
        state: The message of its whole state, for its creator.
    """

    id: str
    invite: str | None
    state: str


class Games:
    """All games of the site, in memory or not."""

    def __init__(self, rooms: Rooms, store: Store) -> None:
        """Creates it for the rooms of this process and their store."""
        self._rooms, self._store = rooms, store
        self.note_address = rooms.computer.addresses.note

    async def subscribe(self, game: str, visitor: str | None, since: int | None) -> "Subscription":
        """Opens a game for a connection, which has to call `end` in any case.

        Args:
            game: The id of the game.
            visitor: The hash of the visitor's secret, None if there is none.
            since: The last event that the visitor knows, None for none.

        Raises:
            Refused: As `Rooms.room`.
        """
        room = await self._rooms.room(game)
        if self._rooms.sharing is not None and not room.is_empty:
            await self._rooms.sharing.check(room)
        return Subscription(room, visitor, since)

    async def act(
        self,
        game: str,
        visitor: str | None,
        command: MoveRequest | CommandRequest,
        received_us: int,
        charge_game: Callable[[], None],
    ) -> int:
        """Carries out a command of a visitor without a connection, who is present at that moment.

        See `Room.act`.
        """
        room = await self._rooms.room(game)
        players = await self._players(room, visitor)
        room.note_seen(players)
        return await room.act(players, command, received_us, charge_game)

    async def _players(self, room: Room, visitor: str | None) -> frozenset[int]:
        """Returns the seats of a visitor, who may have taken one at another process just now."""
        if not (players := room.players_of(visitor)) and self._rooms.sharing is not None:
            await room.catch_up()
            players = room.players_of(visitor)
        return players

    async def read(self, game: str) -> Room:
        """Returns a game to read."""
        return await self._rooms.room(game)

    async def read_own(self, visitor: str) -> OwnList:
        """Returns the games of a visitor to read, and those that are set aside."""
        return await self._rooms.own_games(visitor)

    async def state(self, game: str, visitor: str | None) -> str:
        """Returns the message of the whole state of a game."""
        return (await self._rooms.room(game)).state_for(visitor)

    async def create(self, new: NewGame, visitor: str, guest: Guest | None = None) -> CreatedGame:
        """Creates a game."""
        room, invite = await self._rooms.create(new, visitor, guest)
        return CreatedGame(room.id, invite, room.state_for(visitor))

    async def join(self, game: str, visitor: str, invite: str | None, name: str) -> str:
        """Assigns the free seat of a game, and returns the message of the whole state."""
        return (await self._rooms.join(game, visitor, invite, name)).state_for(visitor)

    async def create_link(self, game: str, visitor: str) -> tuple[str, int]:
        """Creates a link; returns its secret, and until when it can be used."""
        return await self._rooms.create_link(game, visitor)

    async def use_link(self, secret: str, visitor: str) -> str:
        """Assigns the seat of a link, and returns the message of the whole state."""
        return (await self._rooms.use_link(secret, visitor)).state_for(visitor)

    async def adjudicate(self, game: str, result: Result) -> None:
        """Sets the result of a game."""
        await (await self._rooms.room(game)).adjudicate(result)

    async def write_classroom(self, row: ClassroomRow) -> None:
        """Writes the next revision of a class.

        Raises:
            Conflict: If it is not the next one, or if its code is taken.
            NotSaved: If it could not be stored; whether it was is unknown.
        """
        await self._store.change(partial(changes.write_classroom, row=row))


class Subscription:
    """A visitor's access to a game on one connection: the visitor follows it from `begin` to `end`."""

    __slots__ = ("_listener", "_room", "_since", "_visitor")

    def __init__(self, room: Room, visitor: str | None, since: int | None) -> None:
        """Creates it; `since` is the last event that the visitor knows."""
        self._room = room
        self._visitor = visitor
        self._since = since
        self._listener: Listener | None = None

    @property
    def players(self) -> frozenset[int]:
        """The seats of the visitor now; none for a spectator."""
        return self._room.players_of(self._visitor)

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self._room.state.seq

    def first(self) -> list[str]:
        """Returns the messages to send first: the events that the visitor missed, or the whole state."""
        missed = self._room.messages_since(self._since)
        return [self._room.state_for(self._visitor)] if missed is None else missed

    def begin(self, listener: Listener) -> None:
        """Sends all later messages to a listener, from the same iteration of the event loop as `first`."""
        self._listener = listener
        self._room.add_listener(listener)

    def end(self) -> None:
        """Ends it, whether or not it has begun."""
        if self._listener is not None:
            self._room.remove_listener(self._listener)

    def act(
        self,
        command: MoveRequest | CommandRequest,
        received_us: int,
        charge_game: Callable[[], None],
    ) -> Awaitable[int]:
        """Carries out a command of the visitor, as `Room.act` does."""
        # The visitor may have taken a seat since the game was opened here.
        players = self._room.players_of(self._visitor)
        return self._room.act(players, command, received_us, charge_game)
