"""What is asked and answered by HTTP, besides the messages of `messages`."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from hnefi.record.model import MAX_CLOCK_MS
from hnefi.server.events import Choice, Clock, NoClock, Opponent
from hnefi.server.games.new_game import NewGame
from hnefi.server.messages.socket import (
    ActionName,
    GameView,
    Message,
    MessageId,
    Name,
    OutcomeView,
    Secret,
    Seq,
    StatusName,
)

__all__ = [
    "ANSWERS",
    "MOST_PLIES",
    "REQUESTS",
    "Acted",
    "AnalysisLineView",
    "AnalysisRequest",
    "AnalysisView",
    "CommandRequest",
    "Failure",
    "GameMade",
    "HeaderView",
    "Health",
    "JoinRequest",
    "LibraryGameView",
    "LinkMade",
    "LinkRequest",
    "MoveRequest",
    "NewGameRequest",
    "OpeningMoveView",
    "OpeningsRequest",
    "OpeningsView",
    "OwnGame",
    "OwnGames",
    "QrRequest",
    "QrView",
    "QueueView",
    "RecordFault",
    "RecordRequest",
    "RecordTextRequest",
    "RecordView",
    "RecordsView",
    "TreePlyView",
    "VariantDetails",
    "VariantList",
    "VariantView",
    "VisitorMade",
]


MOST_PLIES = 5_000
"""As many moves may a text of records have that is read at once."""

VariantId = Annotated[str, Field(min_length=1, max_length=60)]
Switch = Annotated[str, Field(max_length=400)]
Switches = Annotated[dict[str, Switch], Field(default_factory=dict, max_length=60)]
MoveText = Annotated[str, Field(min_length=2, max_length=40)]


class NewGameRequest(Message):
    """What a new game is to be."""

    variant: VariantId
    switches: Switches
    start: Annotated[str, Field(max_length=600)] | None = None
    opponent: Opponent
    level: Annotated[int, Field(ge=1, le=10)] | None = None
    side: Choice = "lot"
    form: Literal["single", "two_legs"] = "single"
    clock: Annotated[Clock, Field(discriminator="kind")] = NoClock()
    calls: Literal["off", "auto", "manual"] = "auto"
    name: Name = ""

    def new_game(self) -> NewGame:
        """Returns it as a value of the games."""
        return NewGame(**dict(self))


class GameMade(Message):
    """The answer to a new game."""

    game: str
    invite: str | None
    """The secret with which a friend takes the other seat, once; told only here."""

    state: GameView


class JoinRequest(Message):
    """Takes the free seat of a game."""

    invite: Secret
    name: Name = ""


class MoveRequest(Message):
    """Plays a move by HTTP; see `MoveMessage`."""

    id: MessageId
    seq: Seq
    move: MoveText
    call: Annotated[int, Field(ge=0, le=2)] = 0


class CommandRequest(Message):
    """Does anything else by HTTP; see `Command`."""

    id: MessageId
    seq: Seq
    do: ActionName


class Acted(Message):
    """A move or command was carried out and is kept."""

    seq: int
    """Its event."""


class LinkMade(Message):
    """A secret that carries a seat to another device, once."""

    secret: str
    until_ms: int


class LinkRequest(Message):
    """Takes a seat that a link carries."""

    secret: Secret


class QrRequest(Message):
    """Asks for an address as a picture that a telephone can read."""

    text: Annotated[str, Field(min_length=1, max_length=300)]


class QrView(Message):
    """A picture of squares: its path, on a ground of so many units each way."""

    size: int
    path: str


class VisitorMade(Message):
    """The secret of a new visitor, for programs: it goes into the header `Authorization: Bearer …`."""

    token: str


class OwnGame(Message):
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


class OwnGames(Message):
    """The games of a visitor, the newest first."""

    games: list[OwnGame]


class VariantView(Message):
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


class VariantList(Message):
    """All variants."""

    variants: list[VariantView]


class VariantDetails(Message):
    """A variant with its rules."""

    variant: VariantView
    rules: dict[str, object]
    """The tree of the rules, as `Rules` of the core reads it."""

    switches: dict[str, str]


class AnalysisRequest(Message):
    """Asks the engine about a position."""

    variant: VariantId
    switches: Switches
    start: Annotated[str, Field(max_length=600)] | None = None
    moves: Annotated[
        list[Annotated[str, Field(min_length=2, max_length=40)]], Field(default_factory=list, max_length=2000)
    ]
    lines: Annotated[int, Field(ge=1, le=5)] = 3
    time_ms: Annotated[int, Field(ge=50, le=60_000)] = 5_000


class AnalysisLineView(Message):
    """One line of an analysis. Scores are from the attackers' side."""

    score: int
    """In hundredths of a soldier."""

    chances: float
    """What the attackers may expect, from 0 to 1."""

    win_in: int | None
    """If it is proven: in how many plies the attackers win, or, negative, the defenders."""

    moves: list[str]


class AnalysisView(Message):
    """What the engine knows so far; better ones follow until one is final."""

    type: Literal["analysis"] = "analysis"
    lines: list[AnalysisLineView]
    depth: int
    deepest: int
    nodes: int
    time_ms: int
    final: bool


class QueueView(Message):
    """The analysis has to wait: so many are before it."""

    type: Literal["queue"] = "queue"
    position: int


class OpeningsRequest(Message):
    """Asks what the games of the library played at a position, in whatever image of it."""

    variant: VariantId
    switches: Switches
    position: Annotated[str, Field(max_length=600)]
    variant_only: bool = False
    """Whether only games of this variant count, with whatever switches; else those of all rules."""


class OpeningMoveView(Message):
    """A move that was played at a position, and how the games with it ended."""

    move: str
    attackers: int
    """In how many games they won."""

    draws: int
    defenders: int
    unknown: int
    """How many games have no result that is known."""

    share: float | None
    """What the attackers got of each point, from 0 to 1; draws count half."""

    interval: Annotated[list[float], Field(min_length=2, max_length=2)]
    """Between which bounds their true share lies with a probability of 95 %, if all games were alike."""


class LibraryGameView(Message):
    """A game of the library, for a list."""

    id: int
    variant: str
    attackers: str
    """Who had them, empty if nobody says."""

    defenders: str
    date: str
    result: Literal["attackers", "defenders", "draw", "*"]
    reason: str
    plies: int


class OpeningsView(Message):
    """What the games of the library played at a position."""

    games: int
    """How many came to it."""

    moves: list[OpeningMoveView]
    """The most frequent first; of moves that come to the same by symmetry one."""

    latest: list[LibraryGameView]
    """The games that were added last."""


class RecordRequest(Message):
    """Asks what a text of records holds."""

    text: Annotated[str, Field(max_length=300_000)]
    variant: Annotated[str, Field(max_length=60)] | None = None
    """The variant of games that name none."""

    switches: Switches


class HeaderView(Message):
    """A header of a record."""

    name: Annotated[str, Field(max_length=60)]
    value: Annotated[str, Field(max_length=600)]


Comments = Annotated[
    list[Annotated[str, Field(max_length=20_000)]], Field(default_factory=list, max_length=60)
]


class TreePlyView(Message):
    """A move of a record or of one of its side lines; see `hnefi.record.TreePly`."""

    parent: Annotated[int, Field(ge=-1, lt=MOST_PLIES)]
    """The place in the list of the move before it, -1 for none. Moves after the same one are alternatives."""

    move: MoveText
    glyph: Literal["", "!!", "!", "!?", "?!", "?", "??"] = ""
    comments: Comments
    before: Comments
    """What is said before it where it begins a side line."""

    call: Annotated[int, Field(ge=0, le=2)] = 0
    clock_ms: Annotated[int, Field(ge=0, lt=MAX_CLOCK_MS)] | None = None


class RecordTextRequest(Message):
    """Asks for the text of a record."""

    form: Literal["tafl", "otg", "pgn", "moves"] = "tafl"
    """The form it is to have: ours, OpenTafl's, numbered moves, or moves and nothing else."""

    variant: VariantId
    switches: Switches
    start: Annotated[str, Field(max_length=600)] | None = None
    headers: Annotated[list[HeaderView], Field(default_factory=list, max_length=100)]
    comments: Comments
    plies: Annotated[list[TreePlyView], Field(default_factory=list, max_length=MOST_PLIES)]


class RecordFault(Message):
    """What is wrong with a record, in words, and where."""

    code: str
    message: str
    game: int
    """Which game of the text it is in, counted from 1."""

    line: int
    """Line and column, from 1; 0 for what only the rules tell."""

    column: int
    ply: int
    """For what only the rules tell, the ply; 0 for the headers."""


class RecordView(Message):
    """A game of a text, as far as it can be played."""

    game: int
    variant: str
    switches: dict[str, str]
    start: str | None
    """The position it begins from, if it is not that of the rules."""

    headers: list[HeaderView]
    comments: list[str]
    """What is said before the first move."""

    plies: list[TreePlyView]


class RecordsView(Message):
    """What a text of records holds, and everything that is wrong with it."""

    games: list[RecordView]
    faults: list[RecordFault]


class Failure(Message):
    """An answer that says what is wrong."""

    code: str
    message: str
    facts: dict[str, str]


class Health(Message):
    """Whether the server is well."""

    status: Literal["ok", "failing"]


REQUESTS: tuple[type[BaseModel], ...] = (
    NewGameRequest,
    JoinRequest,
    MoveRequest,
    CommandRequest,
    LinkRequest,
    QrRequest,
    AnalysisRequest,
    OpeningsRequest,
    RecordRequest,
    RecordTextRequest,
    TreePlyView,
    HeaderView,
)
ANSWERS: tuple[type[BaseModel], ...] = (
    GameMade,
    Acted,
    LinkMade,
    QrView,
    VisitorMade,
    OwnGames,
    VariantList,
    VariantDetails,
    AnalysisView,
    QueueView,
    OpeningsView,
    RecordsView,
    Failure,
    Health,
)
