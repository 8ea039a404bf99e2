"""What goes into the store and comes out of it, as values."""

from collections.abc import Sequence
from dataclasses import dataclass

from hnefi.server.events import Event

__all__ = ["Conflict", "Kept", "Link", "NewGame", "NotSaved", "Seat", "Write"]


class NotSaved(Exception):
    """The store could not take a change: a full disk, a lost connection. Whether it was kept is not known."""


class Conflict(Exception):
    """The store refused a change: the event is not the next one, or its message acted already."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a game, and the visitor who has it, by the hash of his secret."""

    game: str
    player: int
    visitor: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link that carries a seat, by the hash of its secret."""

    secret: str
    game: str
    player: int
    until_us: int


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to keep, with the tree of its rules."""

    id: str
    rules: str
    tree: str
    clock: str
    made_us: int
    invite: str | None
    seed: str | None


@dataclass(frozen=True, slots=True)
class Write:
    """What is written together or not at all.

    Attributes:
        game: The game that events are added to.
        events: The events, the next ones of that game.
        new: A game to make, before anything else.
        status: What the status of the game becomes, None if it stays.
        seats: Seats that are taken.
        closes_invite: Whether the invitation is used up and the seed told.
        link: A link that is made.
        uses_link: The hash of a link that is used up.
        heartbeat_us: When the server was alive.
        deletes: Games that are no longer kept.
        other: What else is written, for another game, with it.
    """

    game: str = ""
    events: Sequence[Event] = ()
    new: NewGame | None = None
    status: str | None = None
    seats: Sequence[Seat] = ()
    closes_invite: bool = False
    link: Link | None = None
    uses_link: str | None = None
    heartbeat_us: int | None = None
    deletes: Sequence[str] = ()
    other: "Write | None" = None

    @property
    def is_plain(self) -> bool:
        """Whether it only adds events: what nearly every write does."""
        return (
            self.new is None
            and self.status is None
            and not self.seats
            and not self.closes_invite
            and self.link is None
            and self.uses_link is None
            and self.heartbeat_us is None
            and not self.deletes
            and self.other is None
        )


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as it is kept."""

    id: str
    tree: str
    events: tuple[Event, ...]
    seats: tuple[Seat, ...]
    invite: str | None
    seed: str | None
