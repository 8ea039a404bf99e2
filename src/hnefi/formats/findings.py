"""The findings about a recorded game: faults, and remarks on how it had to be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from hnefi._core import Game, Outcome
from hnefi.record.replay import REPAIRS
from hnefi.variants.model import Variant


class FindingKind(Enum):
    """The kinds of findings. A game with remarks alone is complete; with faults, its result is uncertain."""

    NOT_A_MOVE = "not_a_move"
    """The text does not have the syntax of a move."""

    OFF_BOARD = "off_board"
    """A square is not on the board."""

    NO_PIECE = "no_piece"
    """The origin is empty."""

    WRONG_SIDE = "wrong_side"
    """The piece belongs to the side not to move."""

    BLOCKED = "blocked"
    """Another piece is in the way."""

    AGAINST_RULES = "against_rules"
    """The rules refuse the move for another reason."""

    CAPTURE_NOT_MADE = "capture_not_made"
    """A written capture is made neither by this move nor by another one that could have been tried."""

    CAPTURE_NOT_WRITTEN = "capture_not_written"
    """A capture by the rules is not written."""

    CAPTURE_COUNT = "capture_count"
    """The stated numbers of captures differ from the rules."""

    AFTER_END = "after_end"
    """Moves follow an end that needs no claim."""

    WINNER = "winner"
    """The game ends on the board with another result than the written one."""

    CONTRADICTION = "contradiction"
    """A header, a mark or a variation of a record contradicts the rules."""

    UNREADABLE = "unreadable"
    """The game cannot be parsed."""

    UNKNOWN_RULES = "unknown_rules"
    """The rules are unknown, or Hnefi does not support them."""

    OTHER_GAME = "other_game"
    """It is not a tafl game."""

    TRIED = "tried"
    """Written captures belong to moves that were tried and taken back before this one."""

    TWICE = "twice"
    """Moves are written twice; the repetition was dropped."""

    CAPTURED_TWICE = "captured_twice"
    """A move names a captured piece twice, where it is captured in two ways at once."""

    HOPS = "hops"
    """Further captures of a turn are not written; they were inferred from the later moves."""

    OTHER_SIDE = "other_side"
    """The other side began."""

    WENT_ON = "went_on"
    """The players went on, or resigned, after an end that had to be claimed."""


BROKEN = frozenset(
    {
        FindingKind.NOT_A_MOVE,
        FindingKind.OFF_BOARD,
        FindingKind.NO_PIECE,
        FindingKind.WRONG_SIDE,
        FindingKind.UNREADABLE,
    }
)
"""Faults of the text itself: no rules could explain them."""

REMARKS = frozenset(kind for kind in FindingKind if kind.value in REPAIRS)

FAULTS = frozenset(FindingKind) - REMARKS


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding about a game.

    Attributes:
        kind: Its kind.
        ply: The number of the written move, from 1; 0 for the whole game.
        move: The written move.
        facts: What its sentence names.
        line: The line of the file that a record's move is on; 0 where only that of the game is known.
    """

    kind: FindingKind
    ply: int = 0
    move: str = ""
    facts: Mapping[str, str] = field(default_factory=dict, hash=False)
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of checking one game.

    Attributes:
        plies: The number of moves played.
        findings: Faults and remarks, in the order of the moves.
        variant: The rules that fit best, None if there are none.
        outcome: The outcome on the board, None if the game did not end there.
        agrees: Whether the written result agrees with the outcome, None if one of them is missing.
        game: The game as far as it was played, None if its rules are unknown.
        is_refused: Whether it ends before a move that is illegal.
    """

    plies: int
    findings: tuple[Finding, ...] = ()
    variant: Variant | None = None
    outcome: Outcome | None = None
    agrees: bool | None = None
    game: Game | None = None
    is_refused: bool = False

    @property
    def fault(self) -> Finding | None:
        """The first fault, None if the game was played to its end with every capture."""
        return next((finding for finding in self.findings if finding.kind in FAULTS), None)

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """The remarks on how the game had to be read."""
        return tuple(finding for finding in self.findings if finding.kind in REMARKS)
