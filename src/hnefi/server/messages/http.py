"""HTTP request and response models."""

from typing import Annotated, Literal

from pydantic import Field

from hnefi.engine.levels import LEVEL_COUNT
from hnefi.server.events import Message, Opponent
from hnefi.server.games.commands import MoveText, Name, VariantRequest
from hnefi.server.messages.rules import ShapeView
from hnefi.server.messages.socket import GameView, OutcomeView, Secret, StatusName


class GameCreated(Message):
    """The response to a new game."""

    game: str
    invite: str | None
    """The secret with which a friend takes the other seat, once; sent only here."""

    state: GameView


class JoinRequest(Message):
    """Takes the free seat of a game."""

    invite: Secret | None = None
    """The secret of the invitation; none for an open challenge."""

    name: Name = ""


class RenameRequest(Message):
    """Sets the name of the creator of a game that waits."""

    name: Name


class Acted(Message):
    """A move or command was carried out and is on disk."""

    seq: int
    """The number of its event."""


class LinkCreated(Message):
    """A secret that carries a seat to another device, or makes it a host of a class, once."""

    secret: str
    until_ms: int


class LinkRequest(Message):
    """Takes the seat of a link, or becomes a host of a class with it."""

    secret: Secret


class QrRequest(Message):
    """Requests a text as a QR code."""

    text: Annotated[str, Field(min_length=1, max_length=300)]


class QrView(Message):
    """A QR code: the path of its dark modules, on a square of `size` units."""

    size: int
    path: str


class VisitorCreated(Message):
    """The secret of a new visitor for programs, for the header `Authorization: Bearer …`."""

    token: str


class ListedGame(Message):
    """A game in a list."""

    game: str
    variant: str
    switches: dict[str, str]
    title: str | None
    """The name of changed rules, if they were given one."""


class OwnGame(ListedGame):
    """A game in the list of a visitor's games."""

    status: StatusName
    you: list[int]
    names: list[str | None]
    level: int | None
    opponent: Opponent
    mover: int | None
    """The player to move."""

    attackers: int | None
    """The player with the attackers in the current leg."""

    position: str
    """That from which it will begin, while it waits for a player."""

    shape: ShapeView
    outcome: OutcomeView | None
    changed_ms: int
    """The time of the last event."""

    expires_ms: int
    """When it is deleted unless something happens."""


class SetAsideGame(Message):
    """A damaged game in the list of a visitor's games, with what can still be read of it."""

    game: str
    variant: str | None
    """None if the event is damaged that has the variant, the level and the kind of opponent."""

    you: list[int]
    names: list[str | None]
    """Empty for a name that is damaged."""

    level: int | None
    opponent: Opponent | None
    changed_ms: int
    """The time of the last event that can be read."""


class OwnGames(Message):
    """The games of a visitor, the newest first."""

    games: list[OwnGame]
    set_aside: list[SetAsideGame]
    """Those that are damaged. They cannot be opened (`damaged_game`), and do not expire."""


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
    """The rule tree, as the class `Rules` parses it."""

    switches: dict[str, str]


class PositionRequest(VariantRequest):
    """Names a position by the moves of a game."""

    start: Annotated[str, Field(max_length=600)] | None = None
    moves: Annotated[list[MoveText], Field(default_factory=list, max_length=2000)]


class AnalysisRequest(PositionRequest):
    """Requests the analysis of a position."""

    lines: Annotated[int, Field(ge=1, le=5)] = 3
    time_ms: Annotated[int, Field(ge=50, le=60_000)] = 5_000


class AnalysisLineView(Message):
    """One line of an analysis. Scores are from the attackers' side."""

    score: int
    """In hundredths of a soldier."""

    chances: float
    """The expected score of the attackers, from 0 to 1."""

    spread: float | None
    """How far the chances were from the results of games; null if they are only an estimate."""

    win_in: int | None
    """If proven, the number of plies until the attackers win, negative for the defenders."""

    moves: list[str]


class AnalysisView(Message):
    """A report of an analysis; better reports follow until one is final."""

    type: Literal["analysis"] = "analysis"
    lines: list[AnalysisLineView]
    depth: int
    deepest: int
    nodes: int
    time_ms: int
    final: bool


class ChooseMoveRequest(PositionRequest):
    """Requests the move that a level of the computer plays in a position."""

    level: Annotated[int, Field(ge=1, le=LEVEL_COUNT)]


class ChosenMove(Message):
    """The move that a level of the computer plays."""

    move: str


class QueueView(Message):
    """The analysis waits at this place of the queue."""

    type: Literal["queue"] = "queue"
    position: int


class OpeningsRequest(VariantRequest):
    """Requests the moves that games of the library played at a position or an image of it."""

    position: Annotated[str, Field(max_length=600)]
    variant_only: bool = False
    """Whether only games of this variant count, with any switches; otherwise those of all rules."""


class OpeningMoveView(Message):
    """A move that was played at a position, and the results of its games."""

    move: str
    attackers: int
    """How many games they won."""

    draws: int
    defenders: int
    unknown: int
    """How many games have no known result."""

    share: float | None
    """The score of the attackers, from 0 to 1; draws count half."""

    interval: Annotated[list[float], Field(min_length=2, max_length=2)]
    """The 95 % confidence interval of the score."""


class LibraryGameView(Message):
    """A game of the library in a list."""

    id: int
    variant: str
    attackers: str
    """The name of the player, empty if unknown."""

    defenders: str
    date: str
    result: Literal["attackers", "defenders", "draw", "*"]
    reason: str
    plies: int


class OpeningsView(Message):
    """The moves that games of the library played at a position."""

    games: int
    """The number of games with the position."""

    moves: list[OpeningMoveView]
    """The most frequent first; one of several moves that are equal by symmetry."""

    latest: list[LibraryGameView]
    """The games added last."""


class Failure(Message):
    """The response to an error."""

    code: str
    message: str
    facts: dict[str, str]


class Health(Message):
    """The health of the server."""

    status: Literal["ok", "failing"]
