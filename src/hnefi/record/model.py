"""Records as values: a game with its headers, its calls and clocks, its comments and its side lines."""

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
"""How deep side lines may stand inside side lines."""

MAX_CLOCK_MS = 1_000_000 * 3_600_000
"""The first clock time that is too long to be written."""


class Status(Enum):
    """What became of a move: it counts, it was an escape that was refused, or it was taken back for that."""

    PLAYED = "played"
    TAKEN_BACK = "taken_back"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Node:
    """One move of a line as it is written down, or a forced pass, with what is said about it.

    >>> Node(Move("e5-e8"), captures=(Square("f8"), Square("e9"))).captures
    (Square('e9'), Square('f8'))
    """

    move: Move | None
    """The move; None for a forced pass."""

    captures: tuple[Square, ...] = ()
    """The captures written with it, by file, then rank. None written says nothing about what it captures."""

    call: int = 0
    """What was called with it: 0 nothing, 1 one exit (raichi), 2 two exits (tuichi)."""

    status: Status = Status.PLAYED
    clock_ms: int | None = None
    """The time its player had left after it, in milliseconds."""

    comments: tuple[str, ...] = ()
    variations: tuple["Variation", ...] = ()
    """Side lines: what could have been played instead of it."""

    depth: int = field(init=False, repr=False, compare=False)
    """How deep side lines are nested from here on, 0 if it has none."""

    def __post_init__(self) -> None:
        captures = sorted(set(self.captures), key=_by_file_and_rank) if self.captures else ()
        _set(self, "captures", tuple(captures))
        _set(self, "comments", tuple(self.comments))
        _set(self, "variations", tuple(self.variations))
        _set(self, "depth", max((line.depth + 1 for line in self.variations), default=0))
        if self.depth > MAX_DEPTH:
            raise record_error("too_deep", limit=MAX_DEPTH)
        if self.call not in (0, 1, 2):
            raise record_error("bad_call", found=self.call)
        if self.clock_ms is not None and not 0 <= self.clock_ms < MAX_CLOCK_MS:
            raise record_error("bad_clock", found=self.clock_ms)
        if self.move is None and (captures or self.call or self.clock_ms is not None or self.is_undone):
            raise record_error("bad_pass")

    @property
    def is_pass(self) -> bool:
        """Whether it is a forced pass, which is no ply."""
        return self.move is None

    @property
    def is_undone(self) -> bool:
        """Whether it does not count: a refused escape, or the move taken back for it."""
        return self.status is not Status.PLAYED


@dataclass(frozen=True, slots=True)
class Variation:
    """A side line: its moves, at least one, and what is said before the first."""

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
    """A game as it is written down: headers in their order, comments before the first move, the moves.

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
        """Gives the value of a header, None if the record does not have it."""
        return next((value for known, value in self.headers if known == name), None)

    def with_headers(self, changes: Mapping[str, str | None]) -> "Record":
        """Gives the record with headers replaced in their place, new ones at the end, those set to None gone.

        >>> Record((("Site", "Tara"),)).with_headers({"Round": "2", "Site": None}).headers
        (('Round', '2'),)
        """
        merged = {**dict(self.headers), **changes}
        kept = tuple((name, value) for name, value in merged.items() if value is not None)
        return replace(self, headers=kept)

    @property
    def result(self) -> str:
        """The result as it is written: `attackers`, `defenders`, `draw`, or `*` for none yet."""
        return self.header("Result") or UNFINISHED

    @property
    def reason(self) -> Reason | None:
        """Why the game ended, where the record says so."""
        value = self.header("Reason")
        return None if value is None else Reason(value)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome as the record states it; None without a result or without a reason."""
        if self.result == UNFINISHED or self.reason is None:
            return None
        return Outcome(None if self.result == DRAW else Side(self.result), self.reason)

    @property
    def switches(self) -> dict[str, str]:
        """The switches the variant was played with. A new dictionary each time."""
        header = self.header("Switches")
        return {} if header is None else parse_switches(header) or {}

    def replay(self, lookup: "Callable[[str], Variant] | None" = None) -> "Replay":
        """Plays the record by its rules and lists everything in which it contradicts them.

        Args:
            lookup: Finds a variant by its id; `hnefi.variant` if None.
        """
        from hnefi.record.replay import replay

        return replay(self, lookup)

    @classmethod
    def from_game(
        cls, game: Game, headers: Iterable[tuple[str, str]] = (), clocks_ms: Sequence[int | None] = ()
    ) -> "Record":
        """Writes down a game: its moves with their captures, its forced passes, how it ended.

        Args:
            game: Its rules, start and outcome go into the headers `Rules`, `Start`, `Result`, `Reason`.
            headers: What else the record says; `variant_headers` gives those that name the game.
            clocks_ms: The time the mover had left, ply by ply.
        """
        from hnefi.record.from_game import record_game

        return record_game(game, headers, clocks_ms)

    @classmethod
    def from_calls(
        cls,
        start: CalledGame,
        played: "Iterable[PlayedMove]",
        headers: Iterable[tuple[str, str]] = (),
        outcome: Outcome | None = None,
    ) -> "Record":
        """Writes down a game with announcements by playing it once more, refused escapes included.

        Args:
            start: The game before the first of the moves.
            played: Every move in the order in which it was played, with what was called.
            headers: As for `from_game`.
            outcome: How the players ended the game, if the rules did not.

        Raises:
            IllegalMove: If one of the moves cannot be played.
        """
        from hnefi.record.from_game import record_calls

        return record_calls(start, played, headers, outcome)


def number_after(number: int, status: Status) -> int:
    """Gives the number of the ply that follows a ply with a number; forced passes have none.

    A refused escape sends the count back to the move that is taken back for it.
    """
    return max(number - 1, 1) if status is Status.REFUSED else number + 1


def _by_file_and_rank(square: Square) -> tuple[int, int]:
    return square.file, square.rank


def _set(value: object, name: str, content: object) -> None:
    """Sets a field of a frozen value that is being made."""
    object.__setattr__(value, name, content)
