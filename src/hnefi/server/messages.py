"""Every message between server and clients; `tools/write_messages.py` writes them in TypeScript."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from hnefi.server.games.clocks import Clock, NoClock
from hnefi.server.games.commands import Action
from hnefi.server.games.events import Body, Choice, Created, Opponent

__all__ = [
    "ANSWERS",
    "REQUESTS",
    "VERSION",
    "Ack",
    "Acted",
    "ActionName",
    "After",
    "AnalysisLineView",
    "AnalysisRequest",
    "AnalysisView",
    "ClientMessage",
    "ClocksView",
    "Closing",
    "Command",
    "CommandRequest",
    "EventMessage",
    "Failure",
    "GameId",
    "GameMade",
    "GameView",
    "Health",
    "Hello",
    "JoinRequest",
    "LegView",
    "LinkMade",
    "LinkRequest",
    "MoveMessage",
    "MoveRequest",
    "NewGameRequest",
    "OutcomeView",
    "OwnGame",
    "OwnGames",
    "Ping",
    "PlayerView",
    "PlyView",
    "Pong",
    "Presence",
    "QueueView",
    "Reject",
    "ServerMessage",
    "SideName",
    "VariantDetails",
    "VariantList",
    "VariantView",
    "VerdictView",
    "VisitorMade",
    "read_message",
]

VERSION = 1
MessageId = Annotated[str, Field(min_length=1, max_length=36, pattern=r"^[A-Za-z0-9_-]+$")]
GameId = Annotated[str, Field(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9]+$")]
Secret = Annotated[str, Field(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Name = Annotated[str, Field(max_length=30)]
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


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


class Hello(_Message):
    """Opens a game on a connection, and again after the connection was lost."""

    type: Literal["hello"]
    v: Literal[1]
    game: GameId
    since: Seq | None = None
    """The last event that is known already: only later ones are sent, if there are not too many."""


class MoveMessage(_Message):
    """Plays a move. Sent again with the same id until it is answered, it acts once."""

    type: Literal["move"]
    id: MessageId
    seq: Seq
    """The last event its sender had seen."""

    move: Annotated[str, Field(min_length=2, max_length=40)]
    call: Annotated[int, Field(ge=0, le=2)] = 0
    """What is called with it: 0 nothing, 1 one exit, 2 two exits."""


class Command(_Message):
    """Does anything else; like a move, it acts once."""

    type: Literal["command"]
    id: MessageId
    seq: Seq
    do: ActionName


class Ping(_Message):
    """Asks whether the connection is alive, and what time it is."""

    type: Literal["ping"]
    t: Annotated[int, Field(ge=0, le=2**53)]


ClientMessage = Hello | MoveMessage | Command | Ping
_CLIENT: TypeAdapter[ClientMessage] = TypeAdapter(Annotated[ClientMessage, Field(discriminator="type")])


def read_message(text: str | bytes) -> ClientMessage:
    """Reads a message of a client.

    Raises:
        ValueError: If it is none.
    """
    return _CLIENT.validate_json(text)


class OutcomeView(_Message):
    """How a leg ended."""

    winner: SideName | None
    reason: str


class ClocksView(_Message):
    """The clocks at a moment of the server's time. Whose runs goes on running."""

    attackers_ms: int
    defenders_ms: int
    running: SideName | None
    free_ms: int
    """How much longer the running clock is not charged."""

    at_ms: int


class PlyView(_Message):
    """A move that was played, and what came of it."""

    side: SideName
    move: str
    """As it is written, captures included: `e5-e8xe9/f8`."""

    captures: list[str]
    call: int
    """What was called with it, by the player or by the program."""

    passed: bool
    """Whether the other side could not move and passed after it."""

    refused: bool
    """Whether it was an escape that was refused: the move before it has been taken back, too."""

    t_ms: int
    left_ms: int
    """What its player had left after it."""


class LegView(_Message):
    """A leg: who has the attackers, what was played, how it stands."""

    number: int
    attackers: int
    start: str
    plies: list[PlyView]
    position: str
    turn: SideName | None
    owed: list[str]
    """The goals that are open to the king, where the program announces them."""

    required: int
    must_replay: str | None
    """The square of the piece that has to be played again."""

    outcome: OutcomeView | None


class PlayerView(_Message):
    """A player as everybody may see him."""

    name: str
    level: int | None
    """The level of a computer, None for people."""

    present: bool
    away_ms: int


class VerdictView(_Message):
    """Who won the match, None for nobody, and what decided it."""

    winner: int | None
    decision: Literal["points", "captures", "drawn"]


class GameView(_Message):
    """A whole game as it stands: the answer to `hello` where the events since are not enough."""

    type: Literal["state"] = "state"
    game: str
    seq: int
    created: Created
    status: StatusName
    players: list[PlayerView | None]
    you: list[int]
    """The seats of the one it is sent to; none for a spectator, both on a shared device."""

    legs: list[LegView]
    clocks: ClocksView | None
    offers: dict[str, int]
    """Who offers what: `draw`, `takeback`, `rematch`."""

    score: list[float]
    verdict: VerdictView | None
    seed: str | None
    rematch: str | None
    claim_after_ms: int
    watching: int
    legal: list[str]
    """The legal moves of the side to move."""

    now_ms: int


class After(_Message):
    """What is true after an event, as far as it may have changed."""

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


class EventMessage(_Message):
    """Something happened."""

    type: Literal["event"] = "event"
    game: str
    seq: int
    t_ms: int
    actor: int | None
    body: Annotated[Body, Field(discriminator="kind")]
    ply: PlyView | None = None
    """The move, where it was one."""

    after: After


class Ack(_Message):
    """A move or command was carried out and is kept: nothing can lose it any more."""

    type: Literal["ack"] = "ack"
    id: str
    seq: int


class Reject(_Message):
    """A message was refused. Nothing happened."""

    type: Literal["reject"] = "reject"
    id: str | None
    code: str
    facts: dict[str, str]
    seq: int | None
    """The last event of the game."""


class Presence(_Message):
    """Somebody came or went."""

    type: Literal["presence"] = "presence"
    game: str
    present: list[bool]
    away_ms: list[int]
    watching: int


class Pong(_Message):
    """The answer to `ping`."""

    type: Literal["pong"] = "pong"
    t: int
    now_ms: int


class Closing(_Message):
    """The server goes away for a moment: connect again after so long."""

    type: Literal["closing"] = "closing"
    retry_after_ms: int


ServerMessage = GameView | EventMessage | Ack | Reject | Presence | Pong | Closing


class NewGameRequest(_Message):
    """What a new game is to be."""

    variant: Annotated[str, Field(min_length=1, max_length=60)]
    switches: Annotated[dict[str, Annotated[str, Field(max_length=400)]], Field(max_length=60)] = {}
    start: Annotated[str, Field(max_length=600)] | None = None
    opponent: Opponent
    level: Annotated[int, Field(ge=1, le=10)] | None = None
    side: Choice = "lot"
    form: Literal["single", "two_legs"] = "single"
    clock: Annotated[Clock, Field(discriminator="kind")] = NoClock()
    calls: Literal["off", "auto", "manual"] = "auto"
    name: Name = ""


class GameMade(_Message):
    """The answer to a new game."""

    game: str
    invite: str | None
    """The secret with which a friend takes the other seat, once; told only here."""

    state: GameView


class JoinRequest(_Message):
    """Takes the free seat of a game."""

    invite: Secret
    name: Name = ""


class MoveRequest(_Message):
    """Plays a move by HTTP; see `MoveMessage`."""

    id: MessageId
    seq: Seq
    move: Annotated[str, Field(min_length=2, max_length=40)]
    call: Annotated[int, Field(ge=0, le=2)] = 0


class CommandRequest(_Message):
    """Does anything else by HTTP; see `Command`."""

    id: MessageId
    seq: Seq
    do: ActionName


class Acted(_Message):
    """A move or command was carried out and is kept."""

    seq: int
    """Its event."""


class LinkMade(_Message):
    """A secret that carries a seat to another device, once."""

    secret: str
    until_ms: int


class LinkRequest(_Message):
    """Takes a seat that a link carries."""

    secret: Secret


class VisitorMade(_Message):
    """The secret of a new visitor, for programs: it goes into the header `Authorization: Bearer …`."""

    token: str


class OwnGame(_Message):
    """A game of a visitor, for the list of his games."""

    game: str
    variant: str
    status: StatusName
    you: list[int]
    names: list[str | None]
    level: int | None
    opponent: Opponent
    mover: int | None
    """The player to move."""

    attackers: int | None
    """Who has the attackers in the leg that is played."""

    position: str | None
    outcome: OutcomeView | None
    changed_ms: int
    """When something happened last: since then it is the turn of the player to move."""

    expires_ms: int
    """When it will no longer be kept, if nothing happens."""


class OwnGames(_Message):
    """The games of a visitor, the newest first."""

    games: list[OwnGame]


class VariantView(_Message):
    """A variant that can be played."""

    id: str
    names: dict[str, str]
    revision: int
    rules: str
    """The hash of its rules."""

    size: int
    start: str
    calls: bool
    legs: int
    lot: bool


class VariantList(_Message):
    """All variants."""

    variants: list[VariantView]


class VariantDetails(_Message):
    """A variant with its rules."""

    variant: VariantView
    rules: dict[str, object]
    """The tree of the rules, as `Rules` of the core reads it."""

    switches: dict[str, str]


class AnalysisRequest(_Message):
    """Asks the engine about a position."""

    variant: Annotated[str, Field(min_length=1, max_length=60)]
    switches: Annotated[dict[str, Annotated[str, Field(max_length=400)]], Field(max_length=60)] = {}
    start: Annotated[str, Field(max_length=600)] | None = None
    moves: Annotated[list[Annotated[str, Field(min_length=2, max_length=40)]], Field(max_length=2000)] = []
    lines: Annotated[int, Field(ge=1, le=5)] = 3
    time_ms: Annotated[int, Field(ge=50, le=20_000)] = 5_000


class AnalysisLineView(_Message):
    """One line of an analysis. Scores are from the attackers' side."""

    score: int
    """In hundredths of a soldier."""

    chances: float
    """What the attackers may expect, from 0 to 1."""

    win_in: int | None
    """If it is proven: in how many plies the attackers win, or, negative, the defenders."""

    moves: list[str]


class AnalysisView(_Message):
    """What the engine knows so far; better ones follow until one is final."""

    type: Literal["analysis"] = "analysis"
    lines: list[AnalysisLineView]
    depth: int
    deepest: int
    nodes: int
    time_ms: int
    final: bool


class QueueView(_Message):
    """The analysis has to wait: so many are before it."""

    type: Literal["queue"] = "queue"
    position: int


class Failure(_Message):
    """An answer that says what is wrong."""

    code: str
    message: str
    facts: dict[str, str]


class Health(_Message):
    """Whether the server is well."""

    status: Literal["ok", "failing"]


REQUESTS: tuple[type[BaseModel], ...] = (
    NewGameRequest,
    JoinRequest,
    MoveRequest,
    CommandRequest,
    LinkRequest,
    AnalysisRequest,
)
ANSWERS: tuple[type[BaseModel], ...] = (
    GameMade,
    Acted,
    LinkMade,
    VisitorMade,
    OwnGames,
    VariantList,
    VariantDetails,
    AnalysisView,
    QueueView,
    Failure,
    Health,
)
