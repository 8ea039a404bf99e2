"""Messages of the WebSocket; `tools/write_messages.py` writes them as TypeScript.

What is sent with every move is a dataclass: to check what the server itself has made takes most of the time.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, with_config

from hnefi.server.events import Body, Created, Message, Result
from hnefi.server.games.actions import Action
from hnefi.server.games.commands import CommandRequest, MoveRequest, Seq

GameId = Annotated[str, Field(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9]+$")]
Secret = Annotated[str, Field(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
SideName = Literal["attackers", "defenders"]
StatusName = Literal["waiting", "playing", "between_legs", "over", "aborted"]


class Hello(Message):
    """Opens a game on a connection, and reopens it after a reconnection."""

    type: Literal["hello"]
    v: Literal[1]
    """The version of the messages."""

    game: GameId
    """The id of the game."""

    since: Seq | None = None
    """The last known event: only later ones are sent, if they are not too many."""


class MoveMessage(MoveRequest):
    """Plays a move."""

    type: Literal["move"]


class Command(CommandRequest):
    """Performs any other action."""

    type: Literal["command"]


class Ping(Message):
    """Requests the time of the server, and keeps the connection alive."""

    type: Literal["ping"]
    t: Annotated[int, Field(ge=0, le=2**53)]
    """Any number, which the answer repeats."""


ClientMessage = Hello | MoveMessage | Command | Ping
CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(
    Annotated[ClientMessage, Field(discriminator="type")]
)
"""Parses a message of a client."""


class OutcomeView(Message):
    """The outcome of a leg."""

    winner: SideName | None
    """The winning side, None for a draw."""

    reason: str
    """The reason for the end, such as `corner` or `resignation`."""


@with_config(use_attribute_docstrings=True)
@dataclass(kw_only=True, slots=True)
class ClocksView:
    """The clocks at a moment of the server's time; one of them may run on."""

    attackers_ms: int
    """The time that the attackers have left."""

    defenders_ms: int
    """The time that the defenders have left."""

    running: SideName | None
    """The side whose clock runs, None if none does."""

    free_ms: int
    """The time until the running clock starts."""

    at_ms: int
    """The moment, in milliseconds of Unix time."""


@with_config(use_attribute_docstrings=True)
@dataclass(kw_only=True, slots=True)
class PlyView:
    """A move that was played, and what it did."""

    side: SideName
    """The side that moved."""

    move: str
    """Its notation with captures: `e5-e8xe9/f8`."""

    captures: list[str]
    """The squares of the captured soldiers."""

    call: int
    """Its call, by the player or by the server."""

    passed: bool
    """Whether the other side could not move after it, and passed."""

    refused: bool
    """Whether it was a refused escape: the move before it is taken back, too."""

    t_ms: int
    """When it was played, in milliseconds of Unix time."""

    left_ms: int
    """The time its player had left after it."""


class LegView(Message):
    """A leg: sides, plies and position."""

    number: int
    """1 or 2."""

    attackers: int
    """The player, 0 or 1, who has the attackers."""

    start: str
    """The start position, with the side to move."""

    plies: list[PlyView]
    """The moves in order, refused escapes included."""

    position: str
    """The position, with the side to move and the quiet counter."""

    turn: SideName | None
    """The side to move, None when the leg is over."""

    owed: list[str]
    """The goals that are open to the king, if the server announces them."""

    required: int
    """The call that the open roads require, if the server announces them: 0, 1 road, 2 roads or more."""

    must_replay: str | None
    """The square of the piece that has to move again."""

    outcome: OutcomeView | None
    """The outcome, None while the leg is played."""


class PlayerView(Message):
    """A player."""

    name: str
    """The name."""

    level: int | None
    """The level of a computer, None for a person."""

    present: bool
    """Whether the player is connected."""

    away_ms: int
    """For how long the player has been away, 0 if present."""


class VerdictView(Message):
    """The winner of the match, None for a draw, and what decided it."""

    winner: int | None
    """The player, 0 or 1, who won; None for a draw."""

    decision: Literal["points", "captures", "drawn"]
    """The criterion that decided it."""


class GameView(Message):
    """The whole state of a game: the answer to `hello` if the events since are not sent."""

    type: Literal["state"] = "state"

    game: str
    """The id of the game."""

    seq: int
    """The number of the last event: a move or a command states it."""

    created: Created
    """The settings of the game, as it was created."""

    status: StatusName
    """Whether the game waits for a player, is played, is between two legs, is over, or was aborted."""

    players: list[PlayerView | None]
    """Players 0 and 1, None for a free seat."""

    you: list[int]
    """The seats of the recipient: none for a spectator, both on a shared device."""

    legs: list[LegView]
    """The legs that have begun; the last one is the one played."""

    clocks: ClocksView | None
    """The clocks, None in a game without one."""

    offers: dict[str, int]
    """Open offers and the player of each: `draw`, `takeback`, `rematch`."""

    score: list[float]
    """The points of players 0 and 1 in the match."""

    verdict: VerdictView | None
    """The result of the match, None until it is decided."""

    seed: str | None
    """The seed that drew the sides, once they are drawn."""

    rematch: str | None
    """The id of the rematch."""

    adjudicated: Result | None = None
    """The result that the host of a class has set."""

    claim_after_ms: int
    """How long the other player has to be away before `claim`."""

    watching: int
    """How many spectators there are."""

    legal: list[str]
    """The legal moves of the side to move."""

    actions: tuple[tuple[Action, ...], ...]
    """The actions of each player besides moving; `claim` once the other was away for `claim_after_ms`."""

    now_ms: int
    """The time of the server, in milliseconds of Unix time."""


@with_config(use_attribute_docstrings=True)
@dataclass(kw_only=True, slots=True)
class After:
    """The part of the state that an event may have changed."""

    status: StatusName
    """As in `GameView`."""

    leg: int
    """The number of the leg, 0 before the first."""

    attackers: int | None
    """The player who has the attackers, None before the first leg."""

    position: str | None
    """The position, as in `LegView`; None before the first leg."""

    turn: SideName | None
    """The side to move, None if no leg is played."""

    owed: list[str]
    """As in `LegView`."""

    required: int
    """As in `LegView`."""

    must_replay: str | None
    """As in `LegView`."""

    outcome: OutcomeView | None
    """The outcome of the leg, by the rules or by the event; None while it is played."""

    clocks: ClocksView | None
    """As in `GameView`."""

    offers: dict[str, int]
    """As in `GameView`."""

    score: list[float]
    """As in `GameView`."""

    verdict: VerdictView | None
    """As in `GameView`."""

    actions: tuple[tuple[Action, ...], ...]
    """The actions of each player, as in `GameView`."""


@with_config(use_attribute_docstrings=True)
@dataclass(kw_only=True, slots=True)
class EventMessage:
    """An event of the game."""

    type: Literal["event"] = "event"
    game: str
    """The id of the game."""

    seq: int
    """The number of the event in the game, from 1, without gaps."""

    t_ms: int
    """When it happened, in milliseconds of Unix time."""

    actor: int | None
    """The player who acted, None for the server."""

    body: Annotated[Body, Field(discriminator="kind")]
    """What happened."""

    ply: PlyView | None = None
    """The ply, if the event is a move."""

    after: After
    """What is true after it."""


class Ack(Message):
    """A move or command was carried out and is on disk."""

    type: Literal["ack"] = "ack"
    id: str
    """The id of the move or command."""

    seq: int
    """The number of its event."""


class Reject(Message):
    """A message was refused, and changed nothing."""

    type: Literal["reject"] = "reject"
    id: str | None
    """The id of the move or command, None for another message."""

    code: str
    """The stable code of the reason."""

    facts: dict[str, str]
    """The facts of the reason, such as a square."""

    seq: int | None
    """The last event of the game."""


class Presence(Message):
    """A player or spectator came or left."""

    type: Literal["presence"] = "presence"
    game: str
    """The id of the game."""

    present: list[bool]
    """Whether players 0 and 1 are connected."""

    away_ms: list[int]
    """For how long each of them has been away, 0 if present."""

    watching: int
    """How many spectators there are."""


class Pong(Message):
    """The answer to `ping`."""

    type: Literal["pong"] = "pong"
    t: int
    """The number of the `ping`."""

    now_ms: int
    """The time of the server, in milliseconds of Unix time."""


class ServerClosing(Message):
    """The server restarts: connect again after this time."""

    type: Literal["closing"] = "closing"
    retry_after_ms: int
    """After how long to connect again, in milliseconds."""


ServerMessage = GameView | EventMessage | Ack | Reject | Presence | Pong | ServerClosing
