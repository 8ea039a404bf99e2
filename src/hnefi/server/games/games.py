"""The interface between games and those who follow, play and read them.

Connections and the HTTP API know only `Games`. `LocalGames` is the one of a process that has all games in
memory.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol

from hnefi.server.events import Result
from hnefi.server.games.audience import Listener
from hnefi.server.games.commands import ActionCommand, MoveCommand
from hnefi.server.games.new_game import Guest, NewGame
from hnefi.server.games.set_aside import SetAsideGame
from hnefi.server.games.state import State
from hnefi.server.games.time import Leads, Time
from hnefi.server.store import ClassroomRow, StoreReader

__all__ = ["CreatedGame", "Games", "GamesBackend", "OwnList", "ReadGame", "Subscription"]


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


class ReadGame(Protocol):
    """A game as it is read, at one moment."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def state(self) -> State:
        """Its state."""

    @property
    def leads(self) -> Leads:
        """How far its times are ahead of the clock of the machine."""

    def players_of(self, visitor: str | None) -> frozenset[int]:
        """Returns the seats of a visitor, by the hash of the visitor's secret."""


class OwnList(NamedTuple):
    """The games of a visitor, the newest first.

    Attributes:
        games: Those that can be opened.
        set_aside: Those that are damaged.
    """

    games: Sequence[ReadGame]
    set_aside: Sequence[SetAsideGame]


class Subscription(Protocol):
    """One visitor's access to a game on one connection: the visitor follows it from `begin` to `end`."""

    @property
    def players(self) -> frozenset[int]:
        """The seats of the visitor now; none for a spectator."""

    @property
    def seq(self) -> int:
        """The number of the last event."""

    @property
    def cost_ms(self) -> float:
        """The processor time that opening it took in another process."""

    def first(self) -> list[str]:
        """Returns the messages to send first: the events that the visitor missed, or the whole state."""

    def begin(self, listener: Listener) -> None:
        """Sends all later messages to a listener, from the same iteration of the event loop as `first`."""

    def end(self) -> None:
        """Ends it, whether or not it has begun."""

    def act(
        self,
        command: MoveCommand | ActionCommand,
        message: str,
        seq: int,
        received_us: int,
        charge_game: Callable[[], None],
    ) -> Awaitable[int]:
        """Carries out a command of the visitor, as `Room.act` does."""


class Games(Protocol):
    """All games of the site, in memory or not."""

    def note_address(self, visitor: str | None, address: str) -> None:
        """Notes from which address a visitor plays, who is charged for the computer's searches."""

    async def subscribe(self, game: str, visitor: str | None, since: int | None) -> Subscription:
        """Opens a game for a connection, which has to call `end` in any case.

        Args:
            game: The id of the game.
            visitor: The hash of the visitor's secret, None if there is none.
            since: The last event that the visitor knows, None for none.

        Raises:
            Refused: As `Rooms.room`.
        """

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
        """Carries out a command of a visitor without a connection, as `Room.act` does."""

    async def read(self, game: str) -> ReadGame:
        """Returns a game to read.

        Raises:
            Refused: As `Rooms.room`.
        """

    async def read_own(self, visitor: str) -> OwnList:
        """Returns the games of a visitor to read, and those that are set aside."""

    async def state(self, game: str, visitor: str | None) -> str:
        """Returns the message of the whole state of a game.

        Raises:
            Refused: As `Rooms.room`.
        """

    async def create(self, new: NewGame, visitor: str, guest: Guest | None = None) -> CreatedGame:
        """Creates a game, as `Rooms.create` does; with a guest it begins at once."""

    async def join(self, game: str, visitor: str, invite: str | None, name: str) -> str:
        """Assigns the free seat of a game, as `Rooms.join` does; returns the message of the whole state."""

    async def create_link(self, game: str, visitor: str) -> tuple[str, int]:
        """Creates a link that carries a seat to another device, as `Rooms.create_link` does."""

    async def use_link(self, secret: str, visitor: str) -> str:
        """Assigns the seat of a link, as `Rooms.use_link` does; returns the message of the whole state."""

    async def adjudicate(self, game: str, result: Result) -> None:
        """Sets the result of a game, as `Room.adjudicate` does."""

    async def write_classroom(self, row: ClassroomRow) -> None:
        """Writes the next revision of a class.

        Raises:
            Conflict: If it is not the next one, or if its code is taken.
            NotSaved: If it could not be stored; whether it was is unknown.
        """


class GamesBackend(Protocol):
    """The processes that serve the games: this one alone, or several."""

    @property
    def games(self) -> Games:
        """All games."""

    @property
    def store(self) -> StoreReader:
        """The games and classes as they are stored."""

    @property
    def time(self) -> Time:
        """The source of time."""
