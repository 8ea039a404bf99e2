"""The moves of a record as a tree: a list of plies, each with its place among them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hnefi._core import Game, Move
from hnefi.errors import IllegalMove
from hnefi.record.faults import record_error
from hnefi.record.headers import DRAW, UNFINISHED
from hnefi.record.model import MAX_DEPTH, Node, Record, Status, Variation
from hnefi.record.replay import FROM_OUTSIDE

GLYPHS = ("!!", "!", "!?", "?!", "?", "??")
"""What can be thought of a move. In a record it is the first comment of its move, and that whole."""

_CALLS: Mapping[str, str | None] = {"Calls": None, "Sanction": None, "Replay": None}


@dataclass(frozen=True, slots=True)
class TreePly:
    """One move of a tree. Moves with the same parent are alternatives, the first of them the main line."""

    parent: int
    """The place of the move it follows in the list, before its own; -1 if it follows none."""

    move: Move
    glyph: str = ""
    comments: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    """What is said before it where it begins a side line."""

    call: int = 0
    clock_ms: int | None = None


@dataclass(frozen=True, slots=True)
class MoveTree:
    """The moves of a record and of all its side lines, forced passes left out: the rules imply them."""

    headers: tuple[tuple[str, str], ...]
    comments: tuple[str, ...]
    """What is said before the first move."""

    plies: tuple[TreePly, ...]

    @classmethod
    def of(cls, record: Record, start: Game) -> "MoveTree":
        """Gives the tree of a record as far as the rules allow its moves.

        Refused escapes become side lines. A record that has some is no longer one with announcements then.

        Args:
            record: The record.
            start: The game before its first move.
        """
        growing = _Growing(record.comments)
        growing.line(record.nodes, -1, start, ())
        kept = record.with_headers(_CALLS) if growing.has_undone else record
        plies = growing.plies
        if growing.has_undone:
            plies = [replace(ply, call=0) for ply in plies]
        return cls(kept.headers, tuple(growing.comments), tuple(plies))

    def record(self, start: Game, changes: Mapping[str, str | None]) -> Record:
        """Writes it down: captures and forced passes by the rules, and the result where they give one.

        Args:
            start: The game before the first move.
            changes: Headers that are to be there, or not; see `Record.with_headers`.

        Raises:
            IllegalMove: If one of the moves is not legal.
            RecordError: If it cannot be written: `too_deep`, or what is wrong with a header.
        """
        writing = _Writing(self.plies)
        nodes = writing.line(0, start, 0) if self.plies else []
        if start.passed:
            nodes.insert(0, Node(None))
        record = Record(self.headers, tuple(nodes), self.comments).with_headers(changes)
        return _with_result(record, writing.main_end(start))


class _Growing:
    """A tree that is made from the lines of a record."""

    def __init__(self, comments: Iterable[str]) -> None:
        self.plies: list[TreePly] = []
        self.comments = list(comments)
        self.has_undone = False

    def line(self, nodes: Sequence[Node], parent: int, game: Game, before: tuple[str, ...]) -> None:
        """Adds a line and its side lines."""
        beside: list[Variation] = []
        for node in nodes:
            if node.move is None:
                self._say(parent, node.comments)
                beside += node.variations
                continue
            if node.is_undone:
                self.has_undone = True
                beside = self._undone(beside, node)
                continue
            try:
                after = game.play(node.move)
            except IllegalMove:
                self._side_lines([*node.variations, *beside], parent, game)
                return
            self.plies.append(_ply(node, parent, before))
            at, before = len(self.plies) - 1, ()
            self._side_lines([*node.variations, *beside], parent, game)
            beside = []
            parent, game = at, after
        self._side_lines(beside, parent, game)

    def _side_lines(self, lines: Iterable[Variation], parent: int, game: Game) -> None:
        for line in lines:
            self.line(line.nodes, parent, game, line.comments)

    def _undone(self, beside: list[Variation], node: Node) -> list[Variation]:
        """Puts a move that does not count beside the one that is played instead."""
        counted = replace(node, status=Status.PLAYED, call=0)
        if node.status is Status.REFUSED and beside and len(beside[-1].nodes) == 1:
            return [*beside[:-1], Variation((*beside[-1].nodes, counted))]
        return [*beside, *node.variations, Variation((replace(counted, variations=()),))]

    def _say(self, at: int, comments: tuple[str, ...]) -> None:
        if at < 0:
            self.comments += comments
        elif comments:
            self.plies[at] = replace(self.plies[at], comments=(*self.plies[at].comments, *comments))


def _ply(node: Node, parent: int, before: tuple[str, ...]) -> TreePly:
    assert node.move is not None
    comments = node.comments
    glyph = comments[0] if comments and comments[0] in GLYPHS else ""
    told = comments[1:] if glyph else comments
    return TreePly(parent, node.move, glyph, told, before, node.call, node.clock_ms)


class _Writing:
    """The lines of a tree."""

    def __init__(self, plies: Sequence[TreePly]) -> None:
        self._plies = plies
        self._following: dict[int, list[int]] = {}
        for at, ply in enumerate(plies):
            if not -1 <= ply.parent < at:
                raise record_error("bad_parent", found=ply.parent, ply=at)
            self._following.setdefault(ply.parent, []).append(at)

    def line(self, at: int, game: Game, depth: int) -> list[Node]:
        """Gives the line that begins with a ply, played from the game before it."""
        if depth > MAX_DEPTH:
            raise record_error("too_deep", limit=MAX_DEPTH)
        nodes: list[Node] = []
        while True:
            ply = self._plies[at]
            first, *others = self._following[ply.parent]
            variations = [self._variation(other, game, depth) for other in others] if at == first else []
            game = game.play(ply.move)
            assert game.last is not None
            comments = (ply.glyph, *ply.comments) if ply.glyph else ply.comments
            nodes.append(
                Node(
                    ply.move,
                    game.last.captures,
                    ply.call,
                    clock_ms=ply.clock_ms,
                    comments=comments,
                    variations=tuple(variations),
                )
            )
            if game.last.passed:
                nodes.append(Node(None))
            if at not in self._following:
                return nodes
            at = self._following[at][0]

    def _variation(self, at: int, game: Game, depth: int) -> Variation:
        return Variation(tuple(self.line(at, game, depth + 1)), self._plies[at].before)

    def main_end(self, game: Game) -> Game:
        """Gives the game at the end of the main line."""
        at = -1
        while at in self._following:
            at = self._following[at][0]
            game = game.play(self._plies[at].move)
        return game


def _with_result(record: Record, end: Game) -> Record:
    """Adds the result by the rules; without one, keeps only what players can have agreed upon."""
    if end.outcome is not None:
        winner = end.outcome.winner.value if end.outcome.winner else DRAW
        return record.with_headers({"Result": winner, "Reason": end.outcome.reason.value})
    if record.reason in FROM_OUTSIDE and record.outcome is not None:
        return record
    return record.with_headers({"Result": UNFINISHED, "Reason": None})
