"""Data model of puzzles."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Optional

from hnefi._core import Game, Move, Setup
from hnefi.i18n import plural, text
from hnefi.pieces import Side
from hnefi.variants.finding import variant

if TYPE_CHECKING:
    from hnefi.formats import SuiteEntry

THEMES = ("king_out", "trap", "ring", "only_move")
"""The king escapes; the king is captured; the king's side is surrounded; all other moves lose."""

DIFFICULTIES = ("easy", "medium", "hard")

# Least scores of the difficulties above the first. A move more counts 1, a tempting wrong move 1/6.
_MEDIUM, _HARD = 1.3, 2.4
_MOST_TEMPTING = 9
_TEMPTING_SHARE = 6


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of the other side to a right move.

    Attributes:
        moves: The solver's moves that are left.
        node: The answers to them; None where any move that wins at once is right.
    """

    move: Move
    moves: int
    node: Optional["Node"]


@dataclass(frozen=True, slots=True)
class Node:
    """The answers to every move of the solver in one position.

    Attributes:
        right: The reply to each right move; None where it ends the puzzle.
        wrong: Replies that refute wrong moves, each with those moves; the last refutes all others.
    """

    right: Mapping[Move, Reply | None]
    wrong: tuple[tuple[Move, frozenset[Move]], ...]

    def refutation(self, move: Move | str) -> Move | None:
        """Returns the reply that refutes a wrong move; None if there is none to show."""
        move = Move(move)
        for reply, moves in self.wrong:
            if move in moves or not moves:
                return reply
        return None


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with a task.

    Attributes:
        id: The id: that of the variant, and a number.
        variant: The id of the variant.
        theme: One of `THEMES`.
        moves: The solver's moves until the win; for the theme `only_move`, those of the other side until it
            wins after a wrong move.
        setup: The position; the solver is to move.
        tempting: The number of wrong moves that capture or threaten to win.
    """

    id: str
    variant: str
    theme: str
    moves: int
    setup: Setup
    tempting: int
    node: Node = field(hash=False)

    @property
    def side(self) -> Side:
        """The solver's side."""
        return self.setup.turn

    @property
    def solution(self) -> Move:
        """The first move of the solution, the only one."""
        return next(iter(self.node.right))

    @property
    def suite_entry(self) -> "SuiteEntry":
        """The puzzle as a line of a test suite: `bm`, `id`, and `dm` where the solver wins.

        >>> from hnefi.puzzles import puzzle
        >>> print(puzzle("brandub-globe-1").suite_entry)
        brandub-globe 3t3/4tt1/1t5/t1T3t/3TK2/5t1/3t3 a 0 bm e6-e4; id "brandub-globe-1"; dm 3;
        """
        from hnefi.formats import SuiteEntry

        operations = {"bm": tuple(map(str, self.node.right)), "id": (self.id,)}
        if self.theme != "only_move":
            operations["dm"] = (str(2 * self.moves - 1),)
        return SuiteEntry(self.variant, self.setup, operations)

    @property
    def difficulty(self) -> Literal["easy", "medium", "hard"]:
        """How hard it is, by the number of moves and of tempting wrong moves."""
        score = self.moves - 1 + min(self.tempting, _MOST_TEMPTING) / _TEMPTING_SHARE
        if score >= _HARD:
            return "hard"
        return "medium" if score >= _MEDIUM else "easy"

    def new_game(self) -> Game:
        """Returns a game that begins with the position."""
        return Game(variant(self.variant).rules, self.setup)

    def title(self, lang: str | None = None) -> str:
        """Returns the task as a heading.

        >>> from hnefi.puzzles import puzzles
        >>> next(one for one in puzzles(theme="king_out") if one.moves == 2).title("en")
        'King out in 2'
        """
        if self.theme == "only_move":
            return text("puzzle.title.only_move", lang)
        return plural(f"puzzle.title.{self.theme}", self.moves, lang)

    def task(self, lang: str | None = None) -> str:
        """Returns the task as a sentence."""
        theme = "only_move." if self.theme == "only_move" else ""
        return plural(f"puzzle.task.{theme}{self.side.value}", self.moves, lang)
