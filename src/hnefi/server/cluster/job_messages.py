"""Messages between those who need searches and engine workers, and the jobs in the stream."""

from typing import Annotated, Any, Literal

from pydantic import Field

from hnefi.server.cluster.bus_model import Address, BusModel, Code, Count, Milliseconds

__all__ = [
    "Engine",
    "Job",
    "JobDone",
    "JobKind",
    "JobPosition",
    "JobReport",
    "LongSearch",
    "Pause",
    "SearchReport",
]

JobKind = Literal["play", "analyse"]
_Move = Annotated[str, Field(max_length=40)]
_Moves = Annotated[list[_Move], Field(max_length=10_000)]


class JobPosition(BusModel):
    """The position of a search. It has the rules themselves: an engine worker reads no database."""

    rules: Annotated[str, Field(max_length=100_000)]
    start: Annotated[str, Field(max_length=600)]
    moves: _Moves
    allowed: _Moves
    """The only moves that are considered; empty for all."""


class Job(BusModel):
    """A job of an engine worker. It is as old as its entry in the stream."""

    id: Count
    """A counter of the sender."""

    reply: Address
    """Who needs the search; together with the id that is its key."""

    kind: JobKind
    position: JobPosition
    level: Annotated[int, Field(ge=1, le=100)] | None = None
    seed: Annotated[str, Field(max_length=200)] | None = None
    lines: Annotated[int, Field(ge=1, le=50)] | None = None
    left_ms: Count | None = None
    """The time on the clock of the computer, None without a clock."""

    time_ms: Count | None = None
    """The time of the search, None if something else limits it. Only with a time it can be paused."""

    cost_ms: Milliseconds
    """How long it takes, estimated."""


class SearchReport(BusModel):
    """A report of an analysis."""

    lines: Annotated[list[dict[str, Any]], Field(max_length=50)]
    depth: Count
    deepest: Count
    nodes: Count
    time_ms: Count


class JobReport(BusModel):
    """A report of an analysis that goes on."""

    type: Literal["job_report"] = "job_report"
    id: Count
    report: SearchReport


class JobDone(BusModel):
    """The end of a job: a move, the last report of an analysis, or an error; or the job was given back."""

    type: Literal["job_done"] = "job_done"
    id: Count
    move: _Move | None = None
    report: SearchReport | None = None
    error: Code | None = None
    spent_ms: Milliseconds = 0.0
    """How long the search took, for the accounts of the fair queue."""

    paused: bool = False
    """Whether the search was ended early by a `pause`."""

    returned: bool = False
    """Whether the engine worker stops: the search is to begin anew elsewhere."""


class Pause(BusModel):
    """Ends a search early, in favour of others or because nobody waits for it any more."""

    type: Literal["pause"] = "pause"
    id: Count
    reply: Address


class LongSearch(BusModel):
    """A search that occupies an engine worker for more than a moment, or can be paused."""

    id: Count
    reply: Address
    kind: JobKind
    cost_ms: Milliseconds
    can_pause: bool


class Engine(BusModel):
    """An engine worker: how many searches it carries out at the same time, and its long ones.

    Short ones have ended before this message arrives.
    """

    type: Literal["engine"] = "engine"
    places: Count
    searches: Annotated[list[LongSearch], Field(max_length=10_000)]
