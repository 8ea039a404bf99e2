"""Values that are written to the store and read from it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

from hnefi.server.events import Event

Change = Callable[[Connection], object]
"""A change of rows in the transaction of a commit."""

UNCHANGED = -1
"""A deadline that stays as it is."""


class NotSaved(Exception):
    """The database failed, as with a full disk or a lost connection. Whether a write is stored is unknown."""


class Conflict(Exception):
    """A write was refused: its event is not the next one, or its message acted before. It stored nothing."""


class Counts(NamedTuple):
    """How many connections follow a game: of player 0, of player 1, and of nobody with a seat."""

    first: int = 0
    second: int = 0
    spectators: int = 0


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a game, and the visitor who has it, by the hash of the visitor's secret."""

    game: str
    player: int
    visitor: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link that carries a seat to another device, by the hash of its secret."""

    secret: str
    game: str
    player: int
    until_us: int


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as it is stored first.

    Attributes:
        rules: The hash of its rules.
        tree: The tree of its rules, as JSON.
        clock: The kind of its clock.
        due_us: When its running clock reaches zero, None if none runs.
        computer_us: Until when this process chooses the computer's move, None if the computer is not to move.
        invite: The hash of the secret of its invitation.
        seed: The seed of the lot, while it is secret.
        open_until_us: Until when it is listed as an open challenge; None if it never is.
    """

    id: str
    rules: str
    tree: str
    clock: str
    events: Sequence[Event]
    seats: Sequence[Seat]
    status: str = "waiting"
    due_us: int | None = None
    computer_us: int | None = None
    invite: str | None = None
    seed: str | None = None
    open_until_us: int | None = None


@dataclass(frozen=True, slots=True)
class Challenge:
    """A game with a free seat that anybody may take.

    Attributes:
        until_us: Until when it is listed.
        created: Its first event, as JSON.
        makers: The visitors who have the other seat.
    """

    game: str
    posted_us: int
    until_us: int
    created: str
    makers: frozenset[str]


@dataclass(frozen=True, slots=True)
class ClassroomRow:
    """A class as it is stored.

    Attributes:
        revision: How many times it was written. A write is refused unless it is the next one.
        changed_us: When it was written.
        body: A `Classroom` as JSON; empty to delete it.
    """

    code: str
    revision: int
    changed_us: int
    body: str


def event_row(game: str, event: Event) -> tuple[str, int, int, int | None, str | None, str]:
    """Returns the row of an event: game, number, time, actor, message, body."""
    return game, event.seq, event.t_us, event.actor, event.message, event.body.model_dump_json()


class Write(NamedTuple):
    """Events of a game and what belongs to them, committed together or not at all.

    Attributes:
        due_us: When its running clock reaches zero, None if none runs.
        computer_us: Until when this process chooses the computer's move, None if the computer is not to move;
            the time of the last event if it leaves the move to others.
        work: Called within the transaction before the events are added; it may be called again if another
            write of the batch fails.
        followers: The processes where somebody follows the game: they are told of its events.
        present: Connections of this process to games, which other processes are told of.
    """

    game: str = ""
    events: Sequence[Event] = ()
    due_us: int | None = UNCHANGED
    computer_us: int | None = UNCHANGED
    work: Change | None = None
    followers: Collection[int] = ()
    present: "Mapping[str, Counts] | None" = None

    @property
    def is_left(self) -> bool:
        """Whether it leaves a move of the computer to other processes."""
        is_due = self.computer_us is not None and self.computer_us != UNCHANGED
        return is_due and bool(self.events) and (self.computer_us or 0) <= self.events[-1].t_us

    @property
    def is_one_event(self) -> bool:
        """Whether it adds one event and does nothing else, as most moves do."""
        is_alone = len(self.events) == 1 and self.due_us == UNCHANGED and self.computer_us == UNCHANGED
        return is_alone and self.work is None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is stored."""

    id: str
    tree: str
    events: tuple[Event, ...]
    seats: tuple[Seat, ...]
    invite: str | None
    seed: str | None
    changed_us: int
    """When its status changed last."""

    is_marked: bool
    """Whether it has expired."""
