"""Messages about classes: who is there, who plays whom, and the results."""

from typing import Annotated, Literal

from pydantic import Field

from hnefi.server.events import Clock, Message, NoClock, Result
from hnefi.server.games.classroom import ClassGame
from hnefi.server.games.commands import Name, VariantId
from hnefi.server.messages.rules import ShapeView
from hnefi.server.messages.socket import SideName

_MOST_VARIANTS = 12
Number = Annotated[int, Field(ge=1, le=100_000)]


class NewClassRequest(Message):
    """Creates a class."""

    name: Name = ""
    variants: Annotated[list[VariantId], Field(min_length=1, max_length=_MOST_VARIANTS)]
    clock: Annotated[Clock, Field(discriminator="kind")] = NoClock()


class ClassMemberRequest(Message):
    """Joins a class under a name, or corrects the name."""

    name: Name
    kind: Literal["join", "join_as_other", "rename"] = "join"
    """A device that plays for a member joins as somebody else only with `join_as_other`: that member keeps
    name and results."""


class ClassGameRequest(Message):
    """Pairs two members by hand."""

    attackers: Number
    defenders: Number
    variant: VariantId


class ClassRoundRequest(Message):
    """Pairs everybody who is there and has no game."""

    variant: VariantId
    kind: Literal["next", "swapped"] = "next"
    """`swapped` repeats the last round with the sides swapped."""

    members: Annotated[list[Number], Field(max_length=1_000)] | None = None
    """Only these; all who are there if it is left out."""


class ClassResultRequest(Message):
    """Enters the result of a game by hand; `void` does not count."""

    result: Result


class ClassChangeRequest(Message):
    """Changes a class; what is left out stays."""

    name: Name | None = None
    is_locked: bool | None = None
    """Whether nobody else may join."""

    is_closed: bool | None = None
    """Whether it is over."""


class ClassCreated(Message):
    """A new class."""

    code: str


class ClassMemberView(Message):
    """A member, with the results so far."""

    number: int
    name: str
    here: bool
    """Whether the device has a page of the class or a game open."""

    playing: bool
    sits_out: bool
    """Whether the last round, with an odd number, left this member over."""

    has_device: bool
    """Whether a device plays for this member; none does after it was handed over."""

    open_ms: int | None
    """Until when any device that joins under this name takes the place; None if none may."""

    played: int
    won: int
    drawn: int
    points: float
    """One for a win, a half for a draw."""


class ClassGameView(ClassGame, Message):
    """A game of two members."""

    names: list[str]
    """Who attacks and who defends; empty for those who were removed."""

    turn: SideName | None
    position: str | None
    """The board now; None for games that somebody has played another one after."""

    shape: ShapeView | None


class ClassView(Message):
    """A class as its reader may see it: the host everything, a member what is its own, others the name."""

    code: str
    name: str
    variants: list[str]
    clock: Clock
    is_host: bool
    is_locked: bool
    is_closed: bool
    you: int | None
    """The reader's number; None for those who have not joined."""

    rounds: int
    members: list[ClassMemberView]
    games: list[ClassGameView]
    most_members: int
    deleted_ms: int
    """When it will be deleted if nothing changes."""
