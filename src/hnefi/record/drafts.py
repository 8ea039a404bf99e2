"""Moves and lines of moves that are being parsed."""

from dataclasses import dataclass, field

from hnefi._core import Move, Square
from hnefi.record.model import Node, Status, Variation


@dataclass(slots=True)
class Draft:
    """A node that is being parsed; see `Node`."""

    move: Move | None
    line: int
    captures: tuple[Square, ...] = ()
    call: int = 0
    status: Status = Status.PLAYED
    clock_ms: int | None = None
    comments: list[str] = field(default_factory=list)
    variations: list["DraftLine"] = field(default_factory=list)

    def node(self) -> Node:
        """Returns the node, with those of its variations that have moves."""
        lines = (line for line in self.variations if line.drafts)
        return Node(
            self.move,
            self.captures,
            self.call,
            self.status,
            self.clock_ms,
            tuple(self.comments),
            tuple(Variation(line.nodes(), tuple(line.comments)) for line in lines),
            self.line,
        )


@dataclass(slots=True)
class DraftLine:
    """A line that is being parsed, with the comments before its first move."""

    comments: list[str] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)

    def nodes(self) -> tuple[Node, ...]:
        """Returns the nodes of the line, with all variations."""
        return tuple(draft.node() for draft in self.drafts)
