"""Formats the turns of a record in OpenTafl's notation: moves, comments, variations with their addresses.

A turn is what both sides play before the first side moves again. It has two moves, and more where a piece
may capture several times (decision 29): each hop is a word, with `=` where the turn goes on and `^` for a
jump. There is no sign for ending a turn early; the other side's next move implies it.
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

_MOST_CAPTURES = 4
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""Letters for the move of a turn that a variation replaces; a 27th move has none."""


class Annotations:
    """Formats comments and clocks, and collects what the notation cannot express."""

    def __init__(self, *, has_clocks: bool) -> None:
        """Creates a formatter without gaps; if the game has clocks, a comment may begin with one."""
        self._has_clocks = has_clocks
        self.gaps: dict[Gap, None] = {}

    def gap(self, code: str, **facts: str) -> None:
        """Adds a gap, once."""
        self.gaps[Gap(code, facts)] = None

    def comments_of(self, node: Node) -> str:
        """Returns the comment of a move, with its clock first."""
        comment = self.joined(node.comments, glyphs=bool(node.glyph))
        if node.clock_ms is None:
            if self._has_clocks and comment[:1].isdigit():
                self.gap("comment_as_clock")
            return comment
        if not self._has_clocks:
            self.gap("clocks")
            return comment
        if node.clock_ms % 1000:
            self.gap("clock_fractions")
        return f"{node.clock_ms // 1000} {comment}".rstrip()

    def joined(self, comments: Sequence[str], *, glyphs: int = 0, may_split: bool = False) -> str:
        """Returns several comments as one, without the characters that would end it.

        Glyphs in front come back as they are.
        """
        if len(comments) - glyphs > 1:
            self.gap("joined_comments")
        text = "\n\n".join(comments)
        plain = text.replace("]", ")")
        plain = plain if may_split else plain.replace("|", "/")
        if plain.strip() != text:
            self.gap("signs")
        return plain.strip()


@dataclass(slots=True)
class _WrittenMove:
    """A written move, and the variations that replace it, each with the game before it."""

    node: Node
    text: str
    side: Side
    variations: list[tuple[Variation, Game | None]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Place:
    """A place within a turn."""

    side: Side
    """The side to move."""

    skipped: int = 0
    """The number of moves of the turn before it."""

    is_answered: bool = False
    """Whether the second side has moved among them."""


class Turns:
    """Formats the turns of all lines, with their comments, as blocks of text."""

    def __init__(self, annotations: Annotations, first: Side) -> None:
        """Creates an empty list of turns, each of which the side `first` begins."""
        self._annotations = annotations
        self._first = first
        self.blocks: list[str] = []

    def write(self, nodes: Sequence[Node], game: Game | None) -> None:
        """Formats the main line with all variations; `game` is None if the game cannot be played.

        Raises:
            RecordError: `forced_pass` if a side has to pass; `long_turns` if a line consists of the end of a
                turn, if such an end decides the game, or if a variation begins after 26 moves of a turn.
        """
        self._line(nodes, "", _Place(self._first), game, ())
        if not self.blocks:  # otherwise the tags of the next game would belong to this one
            self.blocks.append("1.\n[]")

    def _line(
        self, nodes: Sequence[Node], prefix: str, place: _Place, game: Game | None, before: Sequence[str]
    ) -> None:
        line = _WrittenLine(self._annotations, place.side, game)
        line.play(nodes)
        opening = [*before, *line.opening]
        if prefix and not line.moves:
            raise record_error("long_turns")
        for number, (at, moves) in enumerate(self._turns(line.moves, place), 1):
            self._turn(moves, f"{prefix}{number}", bool(prefix), at, opening if number == 1 else ())

    def _turns(
        self, moves: Sequence[_WrittenMove], place: _Place
    ) -> Iterator[tuple[_Place, list[_WrittenMove]]]:
        """Splits a line into turns, each with its place."""
        turn: list[_WrittenMove] = []
        is_answered = place.is_answered
        for written in moves:
            is_first = written.side is self._first
            if is_first and is_answered:
                if turn:
                    yield place, turn
                    turn, place = [], _Place(self._first)
                else:  # the parent turn ends here: its moves are still placeholders
                    place = replace(place, is_answered=False)
                is_answered = False
            is_answered = is_answered or not is_first
            turn.append(written)
        if turn:
            yield place, turn

    def _turn(
        self,
        moves: Sequence[_WrittenMove],
        address: str,
        is_variation: bool,
        place: _Place,
        before: Sequence[str],
    ) -> None:
        words = [PLACEHOLDER] * place.skipped + [written.text for written in moves]
        if before and not place.skipped:
            self._move_behind(moves[0], before)
        comments = [""] * place.skipped + [self._annotations.comments_of(written.node) for written in moves]
        if before and place.skipped:
            comments[0] = self._annotations.joined(before)
        mark = "a" if is_variation else ""
        self.blocks.append(f"{address}{mark}. {' '.join(words)}\n[{'|'.join(comments)}]")
        is_answered = place.is_answered
        for at, written in enumerate(moves, place.skipped):
            here = _Place(written.side, at, is_answered)
            for number, (variation, game) in enumerate(written.variations, 1):
                if at >= len(_LETTERS):
                    raise record_error("long_turns")
                nodes = tuple(node for node in variation.nodes if not node.is_undone)
                self._line(nodes, f"{address}{_LETTERS[at]}.{number}.", here, game, variation.comments)
            is_answered = is_answered or written.side is not self._first

    def _move_behind(self, written: _WrittenMove, before: Sequence[str]) -> None:
        """Moves the comments before a line behind its first move and the glyph of that."""
        self._annotations.gap("moved_comments")
        node = written.node
        written.node = replace(node, comments=(*filter(None, [node.glyph]), *before, *node.remarks))


class _WrittenLine:
    """The written moves of one line, played as long as they are legal."""

    def __init__(self, annotations: Annotations, side: Side, game: Game | None) -> None:
        self._annotations = annotations
        self._side = side
        self._game = game
        self._waiting: list[tuple[Variation, Game | None]] = []  # alternatives to the end of a turn
        self.opening: list[str] = []
        self.moves: list[_WrittenMove] = []

    def play(self, nodes: Sequence[Node]) -> None:
        """Plays the moves in order."""
        for node in nodes:
            if node.move is None:
                raise record_error("forced_pass")
            if node.call:
                self._annotations.gap("calls")
            if node.move.is_stop:
                self._stop(node, node.move)
            else:
                self._move(node, node.move)
        is_over = self._game is not None and self._game.outcome is not None
        if self._waiting or (nodes and nodes[-1].move and nodes[-1].move.is_stop and is_over):
            raise record_error("long_turns")

    def _stop(self, node: Node, move: Move) -> None:
        """Ends a turn, for which there is no sign; comments move to the move before it."""
        self._annotations.gap("stops")
        self._waiting += [(line, self._game) for line in node.variations]
        if self.moves:
            last = self.moves[-1].node
            clock = last.clock_ms if node.clock_ms is None else node.clock_ms
            self.moves[-1].node = replace(last, clock_ms=clock, comments=(*last.comments, *node.comments))
        else:
            self.opening += node.comments
        self._game = self._played(move)

    def _move(self, node: Node, move: Move) -> None:
        before = self._game
        if before is not None and (stop := stop_before(before.position, move)) is not None:
            self._annotations.gap("stops")
            self._game = before.play(stop)
        if self._game is not None and self._game.turn is not None:
            self._side = self._game.turn
        variations = [*self._waiting, *((line, before) for line in node.variations)]
        position = self._game.position if self._game is not None else None
        self._waiting, self._game = [], self._played(move)
        text = self._text(node, move, position)
        self.moves.append(_WrittenMove(node, text, self._side, variations))
        self._side = self._side.opponent

    def _played(self, move: Move) -> Game | None:
        """Returns the game after a move; None if it is illegal, or there is no game."""
        if self._game is not None and self._game.outcome is None:
            try:
                after = self._game.play(move)
            except IllegalMove:
                pass
            else:
                if after.last is not None and after.last.passed:
                    raise record_error("forced_pass")
                return after
        self._annotations.gap("unplayed")
        return None

    def _text(self, node: Node, move: Move, position: Position | None) -> str:
        """Formats a move; its piece, captures and threats come from the rules."""
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
            self._annotations.gap("many_captures", ply=str(after.ply_count))
        moved = _letter(position.piece_at(move.from_square))
        return f"{moved}{origin}{_kind(position, move)}{target}{_taken(taken)}{_info(after)}"


def _letter(piece: Piece | None) -> str:
    """Returns the letter of a piece; soldiers and renegades have none."""
    return piece.letter if piece is not None and piece.letter in "KcnCN" else ""


def _kind(position: Position, move: Move) -> str:
    """Returns the sign between the squares: a jump or not, and whether the turn goes on."""
    origin, target = move.from_square, move.to_square
    files, ranks = target.file - origin.file, target.rank - origin.rank
    is_jump = {abs(files), abs(ranks)} == {0, 2} and position.piece_at(
        type(origin).at(origin.file + files // 2, origin.rank + ranks // 2)
    )
    return ("^" if is_jump else "") + ("=" if position.going is not None else "") or "-"


def _taken(names: Sequence[str]) -> str:
    return f"x{'/'.join(names)}" if names else ""


def _info(game: Game) -> str:
    """Returns the sign for the king: captured or threatened, escaped or able to escape."""
    if game.outcome is not None:
        reason = game.outcome.reason
        escapes = (Reason.CORNER, Reason.EDGE)
        return "++" if reason is Reason.KING_CAPTURED else "--" if reason in escapes else ""
    if game.position.threatened_king:
        return "+"
    return "-" if game.position.open_roads else ""
