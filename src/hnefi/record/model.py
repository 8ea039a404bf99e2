"""The record of a game: headers, moves, calls, clocks, comments and variations."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from hnefi._core import CalledGame, Game, Move, Outcome, Square
from hnefi.pieces import Reason, Side
from hnefi.record.faults import record_error
from hnefi.record.headers import DRAW, UNFINISHED, Headers, check_headers, parse_switches

if TYPE_CHECKING:
    from hnefi.record.from_game import PlayedMove
    from hnefi.record.replay import Replay
    from hnefi.variants.model import Variant

MAX_DEPTH = 64
"""The maximum nesting depth of variations."""

GLYPHS = ("!!", "!", "!?", "?!", "?", "??")
"""Annotation glyphs. In a record, a glyph is the whole first comment of its move."""

MAX_CLOCK_MS = 1_000_000 * 3_600_000
"""The exclusive upper bound of a clock time, in milliseconds."""


class Status(Enum):
    """Whether a move counts, was a refused escape, or was taken back because of a refused escape."""

    PLAYED = "played"
    TAKEN_BACK = "taken_back"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Node:
    """A move of a line, or a forced pass, with its annotations.

    Attributes:
        move: The move, which may be given as text; None for a forced pass.
        captures: The written captures, by file, then rank. With an empty tuple, captures are unknown.
        call: The call made with it: 0 for none, 1 for one open road (raichi), 2 for two (tuichi).
        status: Whether it counts.
        clock_ms: The player's remaining time after the move, in milliseconds.
        comments: The comments after it.
        variations: Alternatives to this move.
        line: The line of the text that it was parsed from; 0 for none.
        depth: The nesting depth of its variations, 0 if it has none.

    >>> Node(Move("e5-e8"), captures=(Square("f8"), Square("e9"))).captures
    (Square('e9'), Square('f8'))
    """

    move: Move | None
    captures: tuple[Square, ...] = ()
    call: int = 0
    status: Status = Status.PLAYED
    clock_ms: int | None = None
    comments: tuple[str, ...] = ()
    variations: tuple["Variation", ...] = ()
    line: int = field(default=0, repr=False, compare=False)
    depth: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        move: object = self.move
        clock: object = self.clock_ms
        if isinstance(move, str):
            _set(self, "move", Move(move))
        captures = sorted(set(self.captures), key=lambda one: (one.file, one.rank)) if self.captures else ()
        _set(self, "captures", tuple(captures))
        _set(self, "comments", tuple(self.comments))
        _set(self, "variations", tuple(self.variations))
        _set(self, "depth", max((line.depth + 1 for line in self.variations), default=0))
        if self.depth > MAX_DEPTH:
            raise record_error("too_deep", limit=MAX_DEPTH)
        if self.call not in (0, 1, 2):
            raise record_error("bad_call", found=self.call)
        if clock is not None and not (isinstance(clock, int) and 0 <= clock < MAX_CLOCK_MS):
            raise record_error("bad_clock", found=clock)
        if self.move is None and (captures or self.call or self.clock_ms is not None or self.is_undone):
            raise record_error("bad_pass")

    @property
    def is_pass(self) -> bool:
        """Whether it is a forced pass; a pass is not a ply."""
        return self.move is None

    @property
    def glyph(self) -> str:
        """The annotation glyph; empty without one."""
        return self.comments[0] if self.comments and self.comments[0] in GLYPHS else ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """The comments besides the glyph."""
        return self.comments[1:] if self.glyph else self.comments

    @property
    def is_undone(self) -> bool:
        """Whether it does not count: a refused escape, or the move taken back for one."""
        return self.status is not Status.PLAYED


@dataclass(frozen=True, slots=True)
class Variation:
    """A variation: at least one move, and the comments before the first.

    Attributes:
        nodes: Its moves, at least one.
        comments: The comments before the first move.
        depth: The nesting depth of its own variations.
    """

    nodes: tuple[Node, ...]
    comments: tuple[str, ...] = ()
    depth: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _set(self, "nodes", tuple(self.nodes))
        _set(self, "comments", tuple(self.comments))
        if not self.nodes:
            raise record_error("empty_variation")
        _set(self, "depth", max(node.depth for node in self.nodes))


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a game: headers in order, comments before the first move, and the moves.

    Attributes:
        headers: Names and values in order; a name occurs once.
        nodes: The moves of the main line.
        comments: The comments before the first move.

    >>> record = Record((("Variant", "brandub-globe"), ("Result", "*")), (Node(Move("d2-c2")),))
    >>> print(record)
    [Variant "brandub-globe"]
    [Result "*"]
    <BLANKLINE>
    1. d2-c2 *
    """

    headers: Headers = ()
    nodes: tuple[Node, ...] = ()
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _set(self, "headers", check_headers(self.headers))
        _set(self, "nodes", tuple(self.nodes))
        _set(self, "comments", tuple(self.comments))

    def __str__(self) -> str:
        from hnefi.record.writer import format_records

        return format_records([self]).rstrip("\n")

    def header(self, name: str) -> str | None:
        """Returns the value of a header, None if there is none."""
        return next((value for known, value in self.headers if known == name), None)

    @property
    def counted(self) -> list[Node]:
        """The nodes of the main line whose moves count: no forced passes, no refused or undone moves."""
        return [node for node in self.nodes if node.move is not None and not node.is_undone]

    def every_node(self) -> list[Node]:
        """Returns the nodes of the main line and of all variations, in the order of the text."""
        found: list[Node] = []
        waiting = list(reversed(self.nodes))
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting += reversed([one for variation in node.variations for one in variation.nodes])
        return found

    def with_headers(self, changes: Mapping[str, str | None]) -> "Record":
        """Returns the record with changed headers: replaced in place, new ones at the end, None removes one.

        >>> Record((("Site", "Tara"),)).with_headers({"Round": "2", "Site": None}).headers
        (('Round', '2'),)
        """
        merged = {**dict(self.headers), **changes}
        kept = tuple((name, value) for name, value in merged.items() if value is not None)
        return replace(self, headers=kept)

    @property
    def result(self) -> str:
        """The written result: `attackers`, `defenders`, `draw`, or `*` for none."""
        return self.header("Result") or UNFINISHED

    @property
    def reason(self) -> Reason | None:
        """The reason the game ended, None if the record has none."""
        value = self.header("Reason")
        return None if value is None else Reason(value)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome that the record states; None without a result or a reason."""
        if self.result == UNFINISHED or self.reason is None:
            return None
        return Outcome(None if self.result == DRAW else Side(self.result), self.reason)

    @property
    def switches(self) -> dict[str, str]:
        """The switches of the variant, in a new dictionary."""
        header = self.header("Switches")
        return {} if header is None else parse_switches(header) or {}

    def replay(self, lookup: "Callable[[str], Variant] | None" = None) -> "Replay":
        """Plays the record by its rules and lists every contradiction.

        Args:
            lookup: Finds a variant by its id; `hnefi.variant` if None.
        """
        from hnefi.record.replay import replay

        return replay(self, lookup)

    @classmethod
    def from_game(
        cls,
        game: Game,
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        clocks_ms: Sequence[int | None] = (),
    ) -> "Record":
        """Creates the record of a game: moves with captures, forced passes, outcome.

        Args:
            game: Its rules, start and outcome go into the headers `Rules`, `Start`, `Result`, `Reason`.
            headers: Further headers, as a dict or in pairs; `variant_headers` returns those of a variant, by
                which the record can be replayed.
            clocks_ms: The mover's remaining time, ply by ply, at most one for each.

        Raises:
            RecordError: `bad_clock`, or `reason_contradicts_result` for a game that players ended so.
            ValueError: If there are more clocks than plies.
        """
        from hnefi.record.from_game import record_game

        return record_game(game, headers, clocks_ms)

    @classmethod
    def from_calls(
        cls,
        start: CalledGame,
        played: "Iterable[PlayedMove]",
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        outcome: Outcome | None = None,
    ) -> "Record":
        """Creates the record of a game with calls by replaying it, with its refused escapes.

        Args:
            start: The game before the first of the moves.
            played: Every move in the order of play, with its call.
            headers: As for `from_game`.
            outcome: The outcome agreed by the players, if the rules produced none.

        Raises:
            IllegalMove: If one of the moves cannot be played.
            RecordError: As for `from_game`.
        """
        from hnefi.record.from_game import record_calls

        return record_calls(start, played, headers, outcome)


def number_after(number: int, status: Status) -> int:
    """Returns the number of the next ply; forced passes have no number.

    After a refused escape the count goes back to the move that is taken back.
    """
    return max(number - 1, 1) if status is Status.REFUSED else number + 1


def _set(value: object, name: str, content: object) -> None:
    """Sets a field of a frozen instance during its creation."""
    object.__setattr__(value, name, content)
