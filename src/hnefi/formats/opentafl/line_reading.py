"""The turns and variations of an OpenTafl record, by their addresses.

`3a.2.1a.` is turn 1 of the second variation that replaces the first move of turn 3; `.....` before its first
move means that it replaces the second. The parser is not recursive, so depth cannot exhaust the stack.
"""

import re
from dataclasses import dataclass, field

from hnefi._core import Move
from hnefi.record import MAX_DEPTH, Node
from hnefi.record.drafts import Draft, DraftLine
from hnefi.record.faults import record_error

_ADDRESS = re.compile(r"([0-9]{1,6}[a-z]?(?:\.[0-9]{1,6}\.[0-9]{1,6}[a-z]?)*)\.")
_TURN = re.compile(r"([0-9]+)([a-z]?)")


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a turn: the line as the address spells it, and the number of the turn in it."""

    line: str
    turn: int

    @property
    def depth(self) -> int:
        """The nesting depth of the line."""
        return (self.line.count(".") + 1) // 2

    def branch(self) -> tuple[str, int, int]:
        """Returns where a variation branches off: line, turn, and index of the move in the turn."""
        before, _, _ = self.line.rpartition(".")
        line, _, turn = before.rpartition(".")
        match = _TURN.fullmatch(turn)
        assert match is not None
        return line, int(match[1]), ord(match[2] or "a") - ord("a")


def parse_address(word: str) -> tuple[Address, str] | None:
    """Parses the address at the beginning of a word; returns it and the rest, None if there is none.

    >>> parse_address("3a.2.1a.")
    (Address(line='3a.2', turn=1), '')
    """
    match = _ADDRESS.match(word)
    if match is None:
        return None
    line, _, turn = match[1].rpartition(".")
    return Address(line, int(turn.rstrip("abcdefghijklmnopqrstuvwxyz"))), word[match.end() :]


@dataclass(slots=True)
class _ParsedLine(DraftLine):
    """A line that is being parsed."""

    skipped: int = 0
    """The number of moves of its first turn that precede it."""

    turns: list[int] = field(default_factory=list)
    """The index at which each turn begins; negative for the first if moves were skipped."""

    is_cut: bool = False


class Lines:
    """All lines of one game."""

    def __init__(self) -> None:
        self._lines = {"": _ParsedLine()}
        self._open: tuple[_ParsedLine, int] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether no turn has been read."""
        return not self._lines[""].turns

    @property
    def is_cut(self) -> bool:
        """Whether later moves of the main line are ignored."""
        return self._lines[""].is_cut

    def begin_turn(self, address: Address, skipped: int) -> None:
        """Begins a turn after so many placeholders.

        Raises:
            RecordError: `too_deep`; `unknown_address` if there is no such move to replace; `wrong_number` if
                a turn is missing or repeated.
        """
        self._open = None
        if address.depth > MAX_DEPTH:
            raise record_error("too_deep", limit=MAX_DEPTH)
        line = self._lines.get(address.line)
        if line is None:
            line = self._branch(address, skipped)
        if line.is_cut:
            return
        if address.turn != len(line.turns) + 1:
            line.is_cut = True
            raise record_error("wrong_number", found=address.turn, expected=len(line.turns) + 1)
        line.turns.append(len(line.drafts) - (line.skipped if not line.turns else 0))
        self._open = line, len(line.drafts)

    def _branch(self, address: Address, skipped: int) -> _ParsedLine:
        parent_name, turn, letter = address.branch()
        parent = self._lines.get(parent_name)
        if parent is None or not 1 <= turn <= len(parent.turns):
            raise record_error("unknown_address", found=f"{address.line}.{address.turn}")
        at = parent.turns[turn - 1] + max(letter, skipped)
        if not 0 <= at < len(parent.drafts):
            raise record_error("unknown_address", found=f"{address.line}.{address.turn}")
        line = _ParsedLine(skipped=at - parent.turns[turn - 1])
        self._lines[address.line] = line
        parent.drafts[at].variations.append(line)
        return line

    def add(self, draft: Draft) -> None:
        """Adds a move to the open turn."""
        if self._open is not None:
            self._open[0].drafts.append(draft)

    def cut(self) -> None:
        """Closes the line of the open turn: later moves of it are ignored."""
        if self._open is not None:
            self._open[0].is_cut = True
            self._open = None

    def open_turn(self) -> tuple[list[Draft], list[str], int]:
        """Returns the moves of the open turn, the comments before its line, and how many moves it skips.

        It is empty if no turn is open, also after `cut`. The list of comments may be extended; only the first
        turn of a variation skips moves.
        """
        if self._open is None:
            return [], [], 0
        line, start = self._open
        skipped = line.skipped if len(line.turns) == 1 else 0
        return line.drafts[start:], line.comments, skipped

    def nodes(self) -> tuple[Node, ...]:
        """Returns the nodes of the main line, with all variations."""
        return self._lines[""].nodes()

    def main(self) -> list[Move]:
        """Returns the moves of the main line."""
        return [draft.move for draft in self._lines[""].drafts if draft.move]
