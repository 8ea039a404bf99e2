"""Messages between the processes of a server, checked when they arrive (decision 40).

A message of the bus is a head and lines. A line is one of the models below as JSON; some are followed by a
tab and a text for browsers, which is passed on unread. Models ignore fields they do not know, so that a newer
process can add one while older ones still run.
"""

import json
from collections.abc import Iterable
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError

from hnefi.server.cluster.bus_model import (
    ADDRESS,
    BIGGEST,
    SLOTS,
    Address,
    BusModel,
    Code,
    Count,
    Facts,
    Hash,
    Players,
    Slot,
)
from hnefi.server.cluster.job_messages import Engine, JobDone, JobReport, Pause
from hnefi.server.events import Result
from hnefi.server.messages.http import NewGameRequest
from hnefi.server.messages.socket import ActionName, GameId, MessageId, Name, Seq

__all__ = [
    "ADDRESS",
    "ALL",
    "MAX_LINES",
    "MAX_LINE_BYTES",
    "MAX_MESSAGE_BYTES",
    "SLOTS",
    "Adjudicate",
    "AnyMessage",
    "Beat",
    "BusModel",
    "Command",
    "CommandBody",
    "Create",
    "CreateLink",
    "Created",
    "Delivery",
    "Do",
    "Engine",
    "Event",
    "Here",
    "JobDone",
    "JobReport",
    "Join",
    "Leaving",
    "Missed",
    "Open",
    "Owners",
    "Pause",
    "Play",
    "Presence",
    "Present",
    "Reply",
    "SaveClassroom",
    "Unfollow",
    "UseLink",
    "decode",
    "encode",
    "encode_line",
    "site_prefix",
]

VERSION = 1
MAX_MESSAGE_BYTES = 256 * 1024
"""The most bytes of several lines together. A single longer line travels alone."""

MAX_LINE_BYTES = 1024 * 1024
"""The longest line. The whole state of two legs of 2,000 moves each has half of it."""

MAX_LINES = 10_000
"""The most lines of one message of the bus."""

ALL = "all"
"""The channel that every process reads."""

_HEAD_BYTES = 200


# Bodies of commands


class Play(BusModel):
    """Plays a move."""

    kind: Literal["play"] = "play"
    move: Annotated[str, Field(min_length=2, max_length=40)]
    call: Annotated[int, Field(ge=0, le=2)] = 0


class Do(BusModel):
    """Performs any other action of a player."""

    kind: Literal["do"] = "do"
    action: ActionName


class Open(BusModel):
    """Opens a game for a visitor, or again for all connections of a gateway after messages were lost.

    The reply carries the events since, or the whole state.
    """

    kind: Literal["open"] = "open"
    since: Seq | None = None
    """The last event that is known, None for none."""

    follows: bool = True
    """Whether the gateway is to get all later messages, too."""

    connections: tuple[Count, Count, Count] = (0, 0, 0)
    """The connections of the gateway in this game: those of each player, and of spectators."""


class Create(BusModel):
    """Creates the game under the id that the gateway chose."""

    kind: Literal["create"] = "create"
    new: NewGameRequest
    invite: Hash | None = None
    """The hash of the secret with which a friend joins."""

    guest: Hash | None = None
    """The visitor who has the second seat from the beginning."""

    guest_name: Name = ""


class Join(BusModel):
    """Takes the free seat of a game."""

    kind: Literal["join"] = "join"
    invite: Hash | None = None
    """The hash of the secret of the invitation; None for an open challenge."""

    name: Name = ""


class CreateLink(BusModel):
    """Creates a link that carries the visitor's seat to another device."""

    kind: Literal["create_link"] = "create_link"
    secret: Hash


class UseLink(BusModel):
    """Assigns the seat of a link to the visitor."""

    kind: Literal["use_link"] = "use_link"
    secret: Hash


class Adjudicate(BusModel):
    """Sets the result of a game for the host of a class."""

    kind: Literal["adjudicate"] = "adjudicate"
    result: Result


class SaveClassroom(BusModel):
    """Writes the next revision of a class, whose code is the `game` of the command."""

    kind: Literal["save_classroom"] = "save_classroom"
    revision: Count
    changed_us: Count
    body: Annotated[str, Field(max_length=MAX_LINE_BYTES // 4)]
    """The class as JSON; empty to delete it."""


CommandBody = Play | Do | Open | Create | Join | CreateLink | UseLink | Adjudicate | SaveClassroom


# Messages to a game worker


class Command(BusModel):
    """A command of a visitor. It is repeated until there is a reply, and acts once."""

    type: Literal["command"] = "command"
    id: Count
    """A counter of the gateway, which the reply repeats."""

    game: GameId
    slot: Slot
    epoch: Count
    """The epoch of the slot that the gateway knows."""

    visitor: Hash | None
    address: Annotated[str, Field(max_length=64)] = ""
    """The network address of the visitor, who is charged for searches of the computer."""

    seq: Seq = 0
    """The last event that the visitor had seen."""

    message: MessageId | None = None
    """The id of the client's message."""

    received_us: Count
    attempt: Annotated[int, Field(ge=1, le=1_000)] = 1
    request: Annotated[str, Field(max_length=80)] = ""
    """The id of the request, for logs."""

    is_charged: bool = False
    """Whether the visitor was charged for the new game that a rematch is."""

    body: Annotated[CommandBody, Field(discriminator="kind")]


class Unfollow(BusModel):
    """Ends following games."""

    type: Literal["unfollow"] = "unfollow"
    games: Annotated[list[GameId], Field(max_length=500)]


class Present(BusModel):
    """The connections of a gateway that follow a game, after a change."""

    type: Literal["present"] = "present"
    game: GameId
    connections: tuple[Count, Count, Count]
    """Those of each player, and of spectators."""


class Created(BusModel):
    """A rematch was created by another worker, and is to be loaded by the owner of its slot."""

    type: Literal["created"] = "created"
    game: GameId
    slot: Slot


# Messages to a gateway


class Reply(BusModel):
    """The answer to a command: the event it made, its refusal, or that another worker owns the game."""

    type: Literal["reply"] = "reply"
    id: Count
    slot: Slot
    epoch: Count
    seq: Seq | None = None
    error: Code | None = None
    parameters: Facts
    is_refusal: bool = False
    """Whether the command could be carried out at another time, which HTTP answers with another status."""

    is_charge: bool = False
    """Whether nothing was done, since the visitor is to be charged for a new game first."""

    is_state: bool = False
    """Whether the text is the whole state."""

    players: Players = ()
    """The seats of the visitor."""

    until_us: Count | None = None
    """Until when a new link can be used."""

    cost_us: Count = 0
    """The processor time for opening a game, with which the gateway charges the visitor."""

    not_owner: bool = False
    worker: Count | None = None
    """The owner, if `not_owner` and the sender knows it; `epoch` is that of this owner."""


class Event(BusModel):
    """An event of a game; the text is the message for browsers."""

    type: Literal["event"] = "event"
    game: GameId
    slot: Slot
    epoch: Count
    seq: Seq


class Missed(BusModel):
    """The sender missed messages of the receiver, who is to open its games again."""

    type: Literal["missed"] = "missed"


class Presence(BusModel):
    """A player or spectator came or left; the text is the message for browsers."""

    type: Literal["presence"] = "presence"
    game: GameId
    slot: Slot
    epoch: Count


# Messages to an engine worker, to all, and beats


class Owners(BusModel):
    """Slots that changed, with the owner (None for none) and the epoch of each."""

    type: Literal["owners"] = "owners"
    slots: Annotated[list[tuple[Slot, Count | None, Count]], Field(max_length=SLOTS)]


class Here(BusModel):
    """Who is connected to the sender, a gateway: how many people, and which members of each class."""

    type: Literal["here"] = "here"
    people: Count
    members: Annotated[dict[str, list[Count]], Field(default_factory=dict)]
    """The members by the codes of their classes."""

    posters: Annotated[list[str], Field(default_factory=list)]
    """The visitors who wait for somebody to take their challenges with a clock."""


class Leaving(BusModel):
    """The sender stops."""

    type: Literal["leaving"] = "leaving"


class Beat(BusModel):
    """A sign of life: shows the receiver whether a message before it was lost."""

    type: Literal["beat"] = "beat"


AnyMessage = (
    Command
    | Reply
    | Event
    | Missed
    | Presence
    | Present
    | Unfollow
    | Created
    | JobDone
    | JobReport
    | Pause
    | Owners
    | Here
    | Leaving
    | Engine
    | Beat
)
_ANY: TypeAdapter[Any] = TypeAdapter(Annotated[AnyMessage, Field(discriminator="type")])


# Encoding


class _Head(BusModel):
    v: Literal[1]
    sender: Annotated[Address, Field(alias="from")]
    n: Annotated[int, Field(ge=1, le=BIGGEST)]


class Delivery(NamedTuple):
    """A message of the bus as it arrived.

    Attributes:
        sender: The address of the sender.
        number: Counts the messages of this sender to this channel, from 1.
        lines: The messages, each with its text for browsers or None.
        faults: Why other lines were left out.
    """

    sender: str
    number: int
    lines: list[tuple[AnyMessage, str | None]]
    faults: list[str]


def site_prefix(site: str) -> str:
    """Returns the prefix of all channels and streams of a site.

    >>> site_prefix("k3v") + "all"
    'hnefi:k3v:all'
    """
    return f"hnefi:{site}:"


def encode_line(message: BusModel, text: str | None = None) -> bytes:
    """Encodes a message and its text for browsers as one line.

    Raises:
        ValueError: If the text has a line break, or the line is too long.
    """
    line = message.model_dump_json(by_alias=True)
    if text is not None:
        if "\n" in text:
            raise ValueError("a text for browsers has a line break")
        line = f"{line}\t{text}"
    encoded = line.encode()
    if len(encoded) > MAX_LINE_BYTES:
        raise ValueError(f"a line has {len(encoded)} bytes")
    return encoded


def encode(sender: str, number: int, lines: Iterable[bytes]) -> bytes:
    """Encodes a message of the bus.

    >>> encode("g:k3", 7, [b"{}"])
    b'{"v":1,"from":"g:k3","n":7}\\n{}'
    """
    head = json.dumps({"v": VERSION, "from": sender, "n": number}, separators=(",", ":")).encode()
    return b"\n".join((head, *lines))


def decode(data: bytes) -> Delivery:
    """Decodes a message of the bus, without the lines that are malformed.

    Raises:
        ValueError: If its head is malformed, or it is too long.
    """
    if len(data) > MAX_LINE_BYTES + _HEAD_BYTES:
        raise ValueError(f"a message has {len(data)} bytes")
    first, *rest = data.split(b"\n", MAX_LINES + 1)
    head = _Head.model_validate_json(first)
    lines, faults = list[tuple[AnyMessage, str | None]](), list[str]()
    if len(rest) > MAX_LINES:
        rest.pop()
        faults.append("too many lines")
    for line in rest:
        encoded, tab, text = line.partition(b"\t")
        try:
            lines.append((_ANY.validate_json(encoded), text.decode() if tab else None))
        except ValidationError as error:
            faults.append(_fault_of(error))
        except UnicodeDecodeError:
            faults.append("not UTF-8")
    return Delivery(head.sender, head.n, lines, faults)


def _fault_of(error: ValidationError) -> str:
    """Returns the place and the kind of a fault, without the input, which may be a name or a move."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['type']}"
