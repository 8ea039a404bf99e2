"""HTTP request and response models of game records."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from hnefi.record.escapes import encodable
from hnefi.record.model import MAX_CLOCK_MS
from hnefi.server.events import Message
from hnefi.server.games.commands import MoveText, Switches, VariantRequest

MOST_PLIES = 5_000
"""The most moves of a text of records."""


def _encodable_text(text: str) -> str:
    """Returns a text, and refuses lone surrogates, which no response can carry."""
    if encodable(text) != text:
        raise ValueError("a text has half a surrogate pair")
    return text


# Pydantic checks a text for lone surrogates only if it has a limit.
Text = Annotated[str, AfterValidator(_encodable_text)]


class RecordRequest(Message):
    """Requests the records of a text."""

    text: Annotated[str, Field(max_length=300_000)]
    variant: Annotated[str, Field(max_length=60)] | None = None
    """The variant of games that name none."""

    switches: Switches


class HeaderView(Message):
    """A header of a record. Only the size of the request limits headers and comments: records may be long."""

    name: Text
    value: Text


Comments = Annotated[list[Text], Field(default_factory=list)]


class TreePlyView(Message):
    """A move of a record or of one of its variations; see `hnefi.record.TreePly`."""

    parent: Annotated[int, Field(ge=-1, lt=MOST_PLIES)]
    """The index of the move before it, -1 for none. Moves with the same parent are alternatives."""

    move: MoveText
    glyph: Literal["", "!!", "!", "!?", "?!", "?", "??"] = ""
    comments: Comments
    before: Comments
    """The comments before it, where it begins a variation."""

    call: Annotated[int, Field(ge=0, le=2)] = 0
    clock_ms: Annotated[int, Field(ge=0, lt=MAX_CLOCK_MS)] | None = None
    status: Literal["played", "taken_back", "refused"] = "played"
    """Whether it counts. A refused escape follows the move that was taken back for it."""


class RecordTextRequest(VariantRequest):
    """Requests the text of a record."""

    form: Literal["tafl", "otg", "pgn", "moves"] = "tafl"
    """The format: native, OpenTafl, numbered moves, or only moves."""

    start: Annotated[str, Field(max_length=600)] | None = None
    headers: Annotated[list[HeaderView], Field(default_factory=list)]
    comments: Comments
    plies: Annotated[list[TreePlyView], Field(default_factory=list, max_length=MOST_PLIES)]


class RecordGap(Message):
    """Something that a format cannot express, or that reading lost; `hnefi convert` reports the same."""

    code: str
    message: str


class RecordTextView(Message):
    """The text of a record, and what its format cannot express."""

    text: str
    gaps: list[RecordGap]


class RecordFault(Message):
    """A fault of a record and its place."""

    code: str
    message: str
    game: int
    """The number of the game in the text, from 1."""

    line: int
    """Line and column, from 1; 0 for a fault that only the rules show."""

    column: int
    ply: int
    """The ply of a fault that only the rules show; 0 for the headers."""


class RecordView(Message):
    """A game of a text, as far as it can be played."""

    game: int
    variant: str
    switches: dict[str, str]
    start: str | None
    """The start position, if it is not that of the rules."""

    headers: list[HeaderView]
    comments: list[str]
    """The comments before the first move."""

    plies: list[TreePlyView]


class RecordsView(Message):
    """The records of a text, and all faults."""

    games: list[RecordView]
    faults: list[RecordFault]
    remarks: list[RecordFault]
    """What records only lack, such as the hash of their rules."""

    gaps: list[RecordGap]
    """What the texts of the games had that was not kept, such as unknown tags."""
