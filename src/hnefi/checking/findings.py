"""What can be found about a game that people played: its faults, and remarks on how it had to be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from hnefi._core import Game, Outcome
from hnefi.variants.model import Variant

__all__ = ["BROKEN", "FAULTS", "REMARKS", "CheckResult", "Finding", "FindingKind"]


class FindingKind(Enum):
    """The kinds of findings. Faults leave something open; with remarks alone a game was played to its end."""

    NOT_A_MOVE = "not_a_move"
    """What stands there is written like no move."""

    OFF_BOARD = "off_board"
    """A square lies beyond the board."""

    NO_PIECE = "no_piece"
    """No piece stands where the move begins."""

    WRONG_SIDE = "wrong_side"
    """The piece belongs to the side that is not to move."""

    BLOCKED = "blocked"
    """Another piece stands in the way."""

    AGAINST_RULES = "against_rules"
    """The rules refuse the move for another reason."""

    CAPTURE_NOT_MADE = "capture_not_made"
    """A capture is written that neither this move makes nor another one that could have been tried."""

    CAPTURE_NOT_WRITTEN = "capture_not_written"
    """The rules make a capture that is not written."""

    CAPTURE_COUNT = "capture_count"
    """The numbers of captures are others than the rules give."""

    AFTER_END = "after_end"
    """Moves go on after an end that nobody could miss."""

    WINNER = "winner"
    """The game ends on the board, and another result is written."""

    UNREADABLE = "unreadable"
    """The game cannot be read at all."""

    UNKNOWN_RULES = "unknown_rules"
    """It is not known by which rules it was played, or they cannot be said."""

    OTHER_GAME = "other_game"
    """It is no game of the tafl family."""

    TRIED = "tried"
    """Captures are written of moves that were tried and taken back before this one."""

    TWICE = "twice"
    """Moves are written twice over; the second time they were left out."""

    HOPS = "hops"
    """Further captures of a turn are not written; they were found from what follows."""

    OTHER_SIDE = "other_side"
    """The other side began."""

    WENT_ON = "went_on"
    """The players went on, or gave up, after an end that had to be noticed or claimed."""


BROKEN = frozenset(
    {
        FindingKind.NOT_A_MOVE,
        FindingKind.OFF_BOARD,
        FindingKind.NO_PIECE,
        FindingKind.WRONG_SIDE,
        FindingKind.UNREADABLE,
    }
)
"""Faults of the writing: no rules could make sense of them."""

REMARKS = frozenset(
    {FindingKind.TRIED, FindingKind.TWICE, FindingKind.HOPS, FindingKind.OTHER_SIDE, FindingKind.WENT_ON}
)

FAULTS = frozenset(FindingKind) - REMARKS


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found about a game."""

    kind: FindingKind
    ply: int = 0
    """Which of the moves as they are written, counted from 1; 0 for the game as a whole."""

    move: str = ""
    """The move as it is written."""

    facts: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of playing one game."""

    plies: int
    """How many moves were played."""

    findings: tuple[Finding, ...] = ()
    variant: Variant | None = None
    """The rules that fit best, None if there are none."""

    outcome: Outcome | None = None
    """How the game ended on the board, None if it did not."""

    agrees: bool | None = None
    """Whether the result that is written agrees with that, None where one of them is missing."""

    game: Game | None = None
    """The game as far as it was played, None where nothing says by which rules."""

    @property
    def fault(self) -> Finding | None:
        """The first fault, None if the game was played from beginning to end with every capture."""
        return next((found for found in self.findings if found.kind in FAULTS), None)

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """How the game had to be read."""
        return tuple(found for found in self.findings if found.kind in REMARKS)
