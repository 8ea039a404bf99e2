"""The games of a process that has all of them in memory."""

from collections.abc import Awaitable, Callable

from hnefi.server.events import Result
from hnefi.server.games.audience import Listener
from hnefi.server.games.commands import ActionCommand, MoveCommand
from hnefi.server.games.games import CreatedGame, OwnList
from hnefi.server.games.new_game import Guest, NewGame
from hnefi.server.games.room import Room
from hnefi.server.games.rooms import Rooms
from hnefi.server.store import ClassroomRow, Store, Write

__all__ = ["LocalGames"]


class LocalGames:
    """The games of rooms in this process; see `Games`."""

    def __init__(self, rooms: Rooms, store: Store) -> None:
        """Creates it for the rooms of this process and their store."""
        self._rooms, self._store = rooms, store
        self.note_address = rooms.addresses.note

    async def subscribe(self, game: str, visitor: str | None, since: int | None) -> "_Subscription":
        """Opens a game for a connection."""
        return _Subscription(await self._rooms.room(game), visitor, since)

    async def act(
        self,
        game: str,
        visitor: str | None,
        command: MoveCommand | ActionCommand,
        message: str,
        seq: int,
        received_us: int,
        charge_game: Callable[[], None],
    ) -> int:
        """Carries out a command of a visitor without a connection, who is present at that moment."""
        room = await self._rooms.room(game)
        players = room.players_of(visitor)
        room.note_seen(players)
        return await room.act(players, command, message, seq, received_us, charge_game)

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
        """Writes the next revision of a class."""
        await self._store.write(Write(row.code, classroom=row))


class _Subscription:
    """A visitor's access to a room on one connection; see `Subscription`."""

    __slots__ = ("_listener", "_room", "_since", "_visitor")
    cost_ms = 0.0

    def __init__(self, room: Room, visitor: str | None, since: int | None) -> None:
        self._room = room
        self._visitor = visitor
        self._since = since
        self._listener: Listener | None = None

    @property
    def players(self) -> frozenset[int]:
        return self._room.players_of(self._visitor)

    @property
    def seq(self) -> int:
        return self._room.state.seq

    def first(self) -> list[str]:
        missed = self._room.messages_since(self._since)
        return [self._room.state_for(self._visitor)] if missed is None else missed

    def begin(self, listener: Listener) -> None:
        self._listener = listener
        self._room.add_listener(listener)

    def end(self) -> None:
        if self._listener is not None:
            self._room.remove_listener(self._listener)

    def act(
        self,
        command: MoveCommand | ActionCommand,
        message: str,
        seq: int,
        received_us: int,
        charge_game: Callable[[], None],
    ) -> Awaitable[int]:
        # The visitor may have taken a seat since the game was opened here.
        players = self._room.players_of(self._visitor)
        return self._room.act(players, command, message, seq, received_us, charge_game)
