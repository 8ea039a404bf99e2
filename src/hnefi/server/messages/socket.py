"""Messages of the WebSocket; `tools/write_messages.py` writes them as TypeScript."""

import unicodedata
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from hnefi.server.events import Body, Created, Result
from hnefi.server.games.actions import Action

__all__ = [
    "VERSION",
    "Ack",
    "ActionName",
    "After",
    "ClientMessage",
    "ClocksView",
    "Command",
    "EventMessage",
    "GameId",
    "GameView",
    "Hello",
    "LegView",
    "Message",
    "MessageId",
    "MoveMessage",
    "Name",
    "OutcomeView",
    "Ping",
    "PlayerView",
    "PlyView",
    "Pong",
    "Presence",
    "Reject",
    "Secret",
    "Seq",
    "ServerClosing",
    "ServerMessage",
    "SideName",
    "StatusName",
    "VerdictView",
    "construct_unchecked",
    "read_message",
]

VERSION = 1


def _normalised_name(name: str) -> str:
    """Returns a name with single spaces, and refuses characters that cannot be printed."""
    normalised = " ".join(unicodedata.normalize("NFC", name).split())
    if not normalised.isprintable():
        raise ValueError("a name has letters that cannot be seen")
    return normalised


MessageId = Annotated[str, Field(min_length=1, max_length=36, pattern=r"^[A-Za-z0-9_-]+$")]
GameId = Annotated[str, Field(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9]+$")]
Secret = Annotated[str, Field(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Name = Annotated[str, Field(max_length=30), AfterValidator(_normalised_name)]
SideName = Literal["attackers", "defenders"]
StatusName = Literal["waiting", "playing", "between_legs", "over", "aborted"]
Seq = Annotated[int, Field(ge=0, le=1_000_000)]
ActionName = Literal[
    "resign",
    "abort",
    "offer_draw",
    "accept_draw",
    "decline_draw",
    "offer_takeback",
    "accept_takeback",
    "decline_takeback",
    "claim",
    "next_leg",
    "offer_rematch",
    "accept_rematch",
    "decline_rematch",
]
assert [action.value for action in Action] == list(ActionName.__args__)  # type: ignore[attr-defined]


class Message(BaseModel):
    """The base of all messages: no unknown fields, no conversions, immutable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


_Message = TypeVar("_Message", bound=Message)
_NONE: frozenset[str] = frozenset()


def construct_unchecked(kind: type[_Message], **fields: object) -> _Message:
    """Creates a message from fields that are valid and complete, without checking them.

    Every move needs it. `model_construct` takes several times as long: it looks for defaults and aliases, and
    notes which fields were given.
    """
    message = kind.__new__(kind)
    object.__setattr__(message, "__dict__", fields)
    object.__setattr__(message, "__pydantic_fields_set__", _NONE)
    object.__setattr__(message, "__pydantic_extra__", None)
    object.__setattr__(message, "__pydantic_private__", None)
    return message


class Hello(Message):
    """Opens a game on a connection, and reopens it after a reconnection."""

    type: Literal["hello"]
    v: Literal[1]
    game: GameId
    since: Seq | None = None
    """The last known event: only later ones are sent, if they are not too many."""


class MoveMessage(Message):
    """Plays a move. A client repeats it with the same id until it is answered; it acts once."""

    type: Literal["move"]
    id: MessageId
    seq: Seq
    """The last event that the sender had seen."""

    move: Annotated[str, Field(min_length=2, max_length=40)]
    call: Annotated[int, Field(ge=0, le=2)] = 0
    """Its call: 0 for none, 1 for one open road, 2 for two."""


class Command(Message):
    """Performs any other action; like a move, it acts once."""

    type: Literal["command"]
    id: MessageId
    seq: Seq
    do: ActionName


class Ping(Message):
    """Requests the time of the server, and keeps the connection alive."""

    type: Literal["ping"]
    t: Annotated[int, Field(ge=0, le=2**53)]


ClientMessage = Hello | MoveMessage | Command | Ping
_CLIENT: TypeAdapter[ClientMessage] = TypeAdapter(Annotated[ClientMessage, Field(discriminator="type")])


def read_message(text: str | bytes) -> ClientMessage:
    """Parses a message of a client.

    Raises:
        ValueError: If it is invalid.
    """
    return _CLIENT.validate_json(text)


class OutcomeView(Message):
    """The outcome of a leg."""

    winner: SideName | None
    reason: str


class ClocksView(Message):
    """The clocks at a moment of the server's time; one of them may run on."""

    attackers_ms: int
    defenders_ms: int
    running: SideName | None
    free_ms: int
    """The time until the running clock starts."""

    at_ms: int


class PlyView(Message):
    """A move that was played, and what it did."""

    side: SideName
    move: str
    """Its notation with captures: `e5-e8xe9/f8`."""

    captures: list[str]
    call: int
    """Its call, by the player or by the server."""

    passed: bool
    """Whether the other side could not move after it, and passed."""

    refused: bool
    """Whether it was a refused escape: the move before it is taken back, too."""

    t_ms: int
    left_ms: int
    """The time its player had left after it."""


class LegView(Message):
    """A leg: sides, plies and position."""

    number: int
    attackers: int
    start: str
    plies: list[PlyView]
    position: str
    turn: SideName | None
    owed: list[str]
    """The goals that are open to the king, if the server announces them."""

    required: int
    must_replay: str | None
    """The square of the piece that has to move again."""

    outcome: OutcomeView | None


class PlayerView(Message):
    """A player."""

    name: str
    level: int | None
    """The level of a computer, None for a person."""

    present: bool
    away_ms: int


class VerdictView(Message):
    """The winner of the match, None for a draw, and what decided it."""

    winner: int | None
    decision: Literal["points", "captures", "drawn"]


class GameView(Message):
    """The whole state of a game: the answer to `hello` if the events since are not sent."""

    type: Literal["state"] = "state"
    game: str
    seq: int
    created: Created
    status: StatusName
    players: list[PlayerView | None]
    you: list[int]
    """The seats of the recipient: none for a spectator, both on a shared device."""

    legs: list[LegView]
    clocks: ClocksView | None
    offers: dict[str, int]
    """Open offers and the player of each: `draw`, `takeback`, `rematch`."""

    score: list[float]
    verdict: VerdictView | None
    seed: str | None
    rematch: str | None
    adjudicated: Result | None = None
    """The result that the host of a class has set."""

    claim_after_ms: int
    watching: int
    legal: list[str]
    """The legal moves of the side to move."""

    actions: tuple[tuple[ActionName, ...], ...]
    """The actions of each player besides moving; `claim` once the other was away for `claim_after_ms`."""

    now_ms: int


class After(Message):
    """The part of the state that an event may have changed."""

    status: StatusName
    leg: int
    attackers: int | None
    position: str | None
    turn: SideName | None
    owed: list[str]
    required: int
    must_replay: str | None
    outcome: OutcomeView | None
    clocks: ClocksView | None
    offers: dict[str, int]
    score: list[float]
    verdict: VerdictView | None
    actions: tuple[tuple[ActionName, ...], ...]
    """The actions of each player, as in `GameView`."""


class EventMessage(Message):
    """An event of the game."""

    type: Literal["event"] = "event"
    game: str
    seq: int
    t_ms: int
    actor: int | None
    body: Annotated[Body, Field(discriminator="kind")]
    ply: PlyView | None = None
    """The ply, if the event is a move."""

    after: After


class Ack(Message):
    """A move or command was carried out and is on disk."""

    type: Literal["ack"] = "ack"
    id: str
    seq: int


class Reject(Message):
    """A message was refused, and changed nothing."""

    type: Literal["reject"] = "reject"
    id: str | None
    code: str
    facts: dict[str, str]
    seq: int | None
    """The last event of the game."""


class Presence(Message):
    """A player or spectator came or left."""

    type: Literal["presence"] = "presence"
    game: str
    present: list[bool]
    away_ms: list[int]
    watching: int


class Pong(Message):
    """The answer to `ping`."""

    type: Literal["pong"] = "pong"
    t: int
    now_ms: int


class ServerClosing(Message):
    """The server restarts: connect again after this time."""

    type: Literal["closing"] = "closing"
    retry_after_ms: int


ServerMessage = GameView | EventMessage | Ack | Reject | Presence | Pong | ServerClosing
