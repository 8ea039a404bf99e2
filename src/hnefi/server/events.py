"""Events: the log of a game, from which its whole state follows."""

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Opponent = Literal["friend", "computer", "same_device"]
Choice = Literal["attackers", "defenders", "lot"]
OfferKind = Literal["draw", "takeback", "rematch"]
Result = Literal["attackers", "defenders", "draw", "void"]
"""A result that the host of a class sets; `void` does not count."""


class Message(BaseModel):
    """The base of events and messages: no unknown fields, no conversions, immutable."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)


class NoClock(Message):
    """A game without a clock."""

    kind: Literal["none"] = "none"


class Fischer(Message):
    """A time for the whole leg, and more for every move."""

    kind: Literal["fischer"] = "fischer"

    initial_s: int = Field(ge=5, le=6 * 3600)
    """The time for the leg, in seconds."""

    increment_s: int = Field(ge=0, le=600)
    """The seconds that each move adds."""


class Days(Message):
    """A number of days for each move."""

    kind: Literal["days"] = "days"

    days: int = Field(ge=1, le=30)
    """The days for each move."""


Clock = NoClock | Fischer | Days


class Created(Message):
    """A game was created; its creator is player 0."""

    kind: Literal["created"] = "created"

    variant: str
    """The id of the variant."""

    revision: int
    """The revision of its file."""

    rules: str
    """The hash of the rules; their tree is stored beside the games."""

    switches: dict[str, str]
    """The switches that differ from the variant."""

    start: str | None
    """The start position, None for that of the rules."""

    calls: Literal["off", "auto", "manual"]
    """Who announces open roads: nobody, the server, or the players."""

    sanction: Literal["none", "replay", "until_called"]
    """The sanction for a road that was not announced."""

    replay: Literal["same_piece", "any_piece"]
    """The piece that the attackers play again after it."""

    form: Literal["single", "two_legs"]
    """A single game, or two legs with the sides swapped."""

    clock: Annotated[Clock, Field(discriminator="kind")]
    """The clock."""

    opponent: Opponent
    """The opponent."""

    level: int | None
    """The level of a computer opponent."""

    side: Choice
    """The creator's side in the first leg."""

    name: str
    """The name of player 0."""

    lot: str | None
    """If sides are drawn, the SHA-256 of the seed; the seed is published when they are drawn."""

    after: str | None = None
    """The game it is the rematch of."""

    tie_break: Literal["none", "captures"] = "captures"
    """What decides two legs that are level. Games stored without it were decided by captures."""

    wrong_number: Literal["call", "forgotten"] = "call"
    """What a call of the wrong number is worth. In games stored without it, it was a call."""

    open: bool = False
    """Whether anybody may take the free seat and watch: the game is listed as an open challenge."""

    title: str | None = None
    """The name that changed rules were given."""


class Named(Message):
    """The creator gave the name that the invitation names, while the game waited."""

    kind: Literal["named"] = "named"
    name: str
    """The name of player 0."""


class Joined(Message):
    """Player 1 took the other seat."""

    kind: Literal["joined"] = "joined"
    name: str
    """The name of player 1."""


class Began(Message):
    """The first leg began."""

    kind: Literal["began"] = "began"
    attackers: int
    """The player with the attackers in the first leg."""

    seed: str | None = None
    """The seed, if sides were drawn; anyone can check the draw with it."""


class Moved(Message):
    """A move was played, with or without a call."""

    kind: Literal["moved"] = "moved"
    move: str
    """The move as it was sent; `ply` has it with its captures."""

    call: int = 0
    """The call that was sent with it."""


class Offered(Message):
    """A player offered something to the other."""

    kind: Literal["offered"] = "offered"
    what: OfferKind
    """The offer."""


class Declined(Message):
    """A player declined an offer of the other, or withdrew one."""

    kind: Literal["declined"] = "declined"
    what: OfferKind
    """The offer."""


class TakenBack(Message):
    """The last moves of the leg were taken back."""

    kind: Literal["taken_back"] = "taken_back"
    count: int
    """How many moves were taken back."""


class Ended(Message):
    """Something else than the rules ended the leg. Ends by the rules follow from the moves."""

    kind: Literal["ended"] = "ended"
    winner: Literal["attackers", "defenders"] | None
    """The winning side, None for a draw."""

    reason: Literal["agreement", "resignation", "time", "abandoned"]
    """What ended it."""


class LegBegan(Message):
    """The next leg began, with the sides swapped."""

    kind: Literal["leg_began"] = "leg_began"


class Aborted(Message):
    """The game was aborted."""

    kind: Literal["aborted"] = "aborted"


class Adjudicated(Message):
    """The host of a class set the result; `void` does not count. A later one replaces it."""

    kind: Literal["adjudicated"] = "adjudicated"
    result: Result
    """The result."""


class Resumed(Message):
    """A process or the database failed while a clock ran; that time is not charged. Restarts have none."""

    kind: Literal["resumed"] = "resumed"
    away_since_us: int
    """The last time at which the server was certainly alive, in microseconds of its own time."""


class Rematched(Message):
    """Both players agreed on a rematch, with the sides swapped."""

    kind: Literal["rematched"] = "rematched"
    game: str
    """The id of the new game."""


Body = (
    Created
    | Named
    | Joined
    | Began
    | Moved
    | Offered
    | Declined
    | TakenBack
    | Ended
    | LegBegan
    | Aborted
    | Adjudicated
    | Resumed
    | Rematched
)

_BODY: TypeAdapter[Body] = TypeAdapter(Annotated[Body, Field(discriminator="kind")])


def read_body(text: str) -> Body:
    """Parses the stored body of an event.

    Raises:
        ValueError: If it is not the body of an event.
    """
    return _BODY.validate_json(text)


class Event(NamedTuple):
    """One event of a game.

    Attributes:
        seq: Its number in the game, from 1, without gaps.
        t_us: When it happened, in microseconds since 1970.
        actor: The player who acted, None for the server.
        message: The id of the message it follows from, None if there was none. No message acts twice.
    """

    seq: int
    t_us: int
    actor: int | None
    message: str | None
    body: Body


@dataclass(frozen=True, slots=True)
class Restart:
    """A restart of the server: the time it was away is charged to no clock.

    Attributes:
        away_since_us: The last time at which the server was certainly alive.
        back_us: When it was back.
    """

    away_since_us: int
    back_us: int


@dataclass(frozen=True, slots=True)
class ClockReading:
    """What the clock of the machine showed at a time of the server."""

    at_us: int
    machine_us: int

    @property
    def lead_us(self) -> int:
        """How far the time of the server is ahead."""
        return self.at_us - self.machine_us
