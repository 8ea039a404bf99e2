"""Writes the turns of a record as OpenTafl reads them: moves, comments, side lines with their addresses.

A turn is what both sides play before the side that began moves again. It has two moves, and more where a
piece may capture several times (decision 29): each hop is a word of its own, `=` where it goes on,
`^` where it jumps. No word says that a piece stops which could go on; that the other side plays next does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from hnefi._core import Game, Move, Position
from hnefi.errors import IllegalMove
from hnefi.formats.gaps import Gap
from hnefi.formats.opentafl.move import PLACEHOLDER
from hnefi.pieces import Piece, Reason, Side
from hnefi.record import Node, Variation, stop_before
from hnefi.record.faults import record_error

__all__ = ["Notes", "Turns"]

_MOST_CAPTURES = 4
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""Which move of a turn a side line replaces; there is no letter for a twenty-seventh."""


class Notes:
    """What is said about moves, in signs that this form can hold, and what it cannot say."""

    def __init__(self, *, has_clocks: bool) -> None:
        """Begins without any gap.

        Args:
            has_clocks: Whether there is a time control: only then a comment may begin with a clock.
        """
        self._has_clocks = has_clocks
        self._gaps: dict[Gap, None] = {}

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """What was not said so far."""
        return tuple(self._gaps)

    def gap(self, code: str, **facts: str) -> None:
        """Notes something that is not said, once."""
        self._gaps[Gap(code, facts)] = None

    def comments_of(self, node: Node) -> str:
        """Returns what is said about a move, its clock first."""
        told = self.comment("\n\n".join(node.comments))
        if len(node.comments) > 1:
            self.gap("joined_comments")
        if node.clock_ms is None:
            if self._has_clocks and told[:1].isdigit():
                self.gap("comment_as_clock")
            return told
        if not self._has_clocks:
            self.gap("clocks")
            return told
        if node.clock_ms % 1000:
            self.gap("clock_fractions")
        return f"{node.clock_ms // 1000} {told}".rstrip()

    def comment(self, text: str, *, may_split: bool = False) -> str:
        """Returns a comment without the signs that end one."""
        plain = text.replace("]", ")")
        plain = plain if may_split else plain.replace("|", "/")
        if plain.strip() != text:
            self.gap("signs")
        return plain.strip()


@dataclass(slots=True)
class _Step:
    """A move that is written, and the side lines that replace it, each with the game it begins from."""

    node: Node
    word: str
    side: Side
    side_lines: list[tuple[Variation, Game | None]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where within a turn a line begins."""

    side: Side
    """Whose move it is there."""

    skipped: int = 0
    """How many moves of the turn are played before."""

    is_answered: bool = False
    """Whether the side that does not begin turns has moved among them."""


class Turns:
    """The turns of all lines, each with its comments, as blocks of text."""

    def __init__(self, notes: Notes, first: Side) -> None:
        """Begins without any turn.

        Args:
            notes: Takes what cannot be said.
            first: The side that begins the game, and every turn.
        """
        self._notes = notes
        self._first = first
        self.blocks: list[str] = []

    def write(self, nodes: Sequence[Node], game: Game | None) -> None:
        """Writes the main line and all that hangs on it; the game is None if there is none to play.

        Raises:
            RecordError: `forced_pass` if a side has to pass, `long_turns` if a line is nothing but the end of
                a turn, or such an end decides the game, or a side line leaves a turn after 26 moves.
        """
        self._line(nodes, "", _Place(self._first), game, ())
        if not self.blocks:  # so that the tags of another game behind this one are not taken for its own
            self.blocks.append("1.\n[]")

    def _line(
        self, nodes: Sequence[Node], prefix: str, place: _Place, game: Game | None, before: Sequence[str]
    ) -> None:
        line = _Line(self._notes, place.side, game)
        line.play(nodes)
        said = [*before, *line.opening]
        if prefix and not line.steps:
            raise record_error("long_turns")
        for number, (at, steps) in enumerate(self._turns(line.steps, place), 1):
            self._turn(steps, f"{prefix}{number}", bool(prefix), at, said if number == 1 else ())

    def _turns(self, steps: Sequence[_Step], place: _Place) -> Iterator[tuple[_Place, list[_Step]]]:
        """Divides a line into turns, each with where in it the line is."""
        turn: list[_Step] = []
        is_answered = place.is_answered
        for step in steps:
            is_first = step.side is self._first
            if is_first and is_answered:
                if turn:
                    yield place, turn
                    turn, place = [], _Place(self._first)
                else:  # the turn that the line leaves ends there: its moves are still those that are left out
                    place = replace(place, is_answered=False)
                is_answered = False
            is_answered = is_answered or not is_first
            turn.append(step)
        if turn:
            yield place, turn

    def _turn(
        self, steps: Sequence[_Step], address: str, is_side_line: bool, place: _Place, before: Sequence[str]
    ) -> None:
        words = [PLACEHOLDER] * place.skipped + [step.word for step in steps]
        comments = [""] * place.skipped + [self._notes.comments_of(step.node) for step in steps]
        if before:
            self._say_before("\n\n".join(before), comments, place.skipped)
        mark = "a" if is_side_line else ""
        self.blocks.append(f"{address}{mark}. {' '.join(words)}\n[{'|'.join(comments)}]")
        is_answered = place.is_answered
        for at, step in enumerate(steps, place.skipped):
            here = _Place(step.side, at, is_answered)
            for number, (variation, game) in enumerate(step.side_lines, 1):
                if at >= len(_LETTERS):
                    raise record_error("long_turns")
                nodes = tuple(node for node in variation.nodes if not node.is_undone)
                self._line(nodes, f"{address}{_LETTERS[at]}.{number}.", here, game, variation.comments)
            is_answered = is_answered or step.side is not self._first

    def _say_before(self, text: str, comments: list[str], skipped: int) -> None:
        """Puts what is said before a line where a move is left out, or in front of its first comment."""
        told = self._notes.comment(text)
        if not skipped:
            self._notes.gap("joined_comments")
            told = f"{told}\n\n{comments[0]}".rstrip()
        comments[0] = told


class _Line:
    """The moves of one line as they are written, played as far as the rules allow them."""

    def __init__(self, notes: Notes, side: Side, game: Game | None) -> None:
        self._notes = notes
        self._side = side
        self._game = game
        self._owed: list[tuple[Variation, Game | None]] = []  # what could have been played in place of a stop
        self.opening: list[str] = []
        self.steps: list[_Step] = []

    def play(self, nodes: Sequence[Node]) -> None:
        """Takes the moves one after the other."""
        for node in nodes:
            if node.move is None:
                raise record_error("forced_pass")
            if node.call:
                self._notes.gap("calls")
            if node.move.is_stop:
                self._stop(node, node.move)
            else:
                self._move(node, node.move)
        if self._owed or (nodes and nodes[-1].move and nodes[-1].move.is_stop and self._is_over):
            raise record_error("long_turns")

    @property
    def _is_over(self) -> bool:
        return self._game is not None and self._game.outcome is not None

    def _stop(self, node: Node, move: Move) -> None:
        """Ends a turn without a word; what was said of that goes to the move before."""
        self._notes.gap("stops")
        self._owed += [(line, self._game) for line in node.variations]
        if self.steps:
            last = self.steps[-1].node
            clock = last.clock_ms if node.clock_ms is None else node.clock_ms
            self.steps[-1].node = replace(last, clock_ms=clock, comments=(*last.comments, *node.comments))
        else:
            self.opening += node.comments
        self._game = self._played(move)

    def _move(self, node: Node, move: Move) -> None:
        before = self._game
        if before is not None and (stop := stop_before(before.position, move)) is not None:
            self._notes.gap("stops")
            self._game = before.play(stop)
        if self._game is not None and self._game.turn is not None:
            self._side = self._game.turn
        side_lines = [*self._owed, *((line, before) for line in node.variations)]
        position = self._game.position if self._game is not None else None
        self._owed, self._game = [], self._played(move)
        word = self._word(node, move, position)
        self.steps.append(_Step(node, word, self._side, side_lines))
        self._side = self._side.opponent

    def _played(self, move: Move) -> Game | None:
        """Returns the game after a move; None if the rules do not allow it, or there was none before."""
        if self._game is not None and self._game.outcome is None:
            try:
                after = self._game.play(move)
            except IllegalMove:
                pass
            else:
                if after.last is not None and after.last.passed:
                    raise record_error("forced_pass")
                return after
        self._notes.gap("unplayed")
        return None

    def _word(self, node: Node, move: Move, position: Position | None) -> str:
        """Writes a move; what moves, what is captured and what threatens are known from the rules."""
        origin, target = move.from_square.name, move.to_square.name
        captures = [square.name for square in node.captures]
        after = self._game
        if position is None or after is None or after.last is None:
            return f"{origin}-{target}{_taken(captures)}"
        taken = [
            f"{_letter(position.piece_at(square))}{square.name}"
            for square in node.captures or after.last.captures
        ]
        if after.outcome is not None and after.outcome.reason is Reason.KING_CAPTURED and position.king:
            taken.append(f"K{position.king.name}")
        if len(taken) > _MOST_CAPTURES:
            self._notes.gap("many_captures", ply=str(after.ply_count))
        moved = _letter(position.piece_at(move.from_square))
        return f"{moved}{origin}{_kind(position, move)}{target}{_taken(taken)}{_info(after)}"


def _letter(piece: Piece | None) -> str:
    """Returns the letter of a piece; soldiers have none, and renegades, unknown to OpenTafl, neither."""
    return piece.letter if piece is not None and piece.letter in "KcnCN" else ""


def _kind(position: Position, move: Move) -> str:
    """Returns the sign between the squares: whether the piece jumps, and whether it goes on."""
    origin, target = move.from_square, move.to_square
    files, ranks = target.file - origin.file, target.rank - origin.rank
    is_jump = {abs(files), abs(ranks)} == {0, 2} and position.piece_at(
        type(origin).at(origin.file + files // 2, origin.rank + ranks // 2)
    )
    return ("^" if is_jump else "") + ("=" if position.going is not None else "") or "-"


def _taken(names: Sequence[str]) -> str:
    return f"x{'/'.join(names)}" if names else ""


def _info(game: Game) -> str:
    """Returns what a move threatens or ends: the king captured or in danger, escaped or able to."""
    if game.outcome is not None:
        reason = game.outcome.reason
        escapes = (Reason.CORNER, Reason.EDGE)
        return "++" if reason is Reason.KING_CAPTURED else "--" if reason in escapes else ""
    if game.position.threatened_king:
        return "+"
    return "-" if game.position.open_roads else ""
