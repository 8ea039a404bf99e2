"""The tree of moves of a record, as a list of plies that name their parents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hnefi._core import Game, Move
from hnefi.errors import IllegalMove
from hnefi.record.faults import record_error
from hnefi.record.headers import UNFINISHED, result_word
from hnefi.record.model import MAX_DEPTH, Node, Record, Status, Variation
from hnefi.record.replay import REASONS_BY_PLAYERS

_CALLS: Mapping[str, str | None] = {"Calls": None, "Sanction": None, "Replay": None, "WrongNumber": None}


@dataclass(frozen=True, slots=True)
class TreePly:
    """One move of a tree. Moves with the same parent are alternatives; the first is the main line.

    Attributes:
        parent: The index of the previous move in the list, smaller than its own; -1 for a first move.
        move: The move.
        glyph: Its judgement, such as `!` or `??`; empty without one.
        comments: The comments after it.
        before: The comments before it, if it begins a variation.
        call: The call made with it, 0 for none.
        clock_ms: The player's remaining time after it, in milliseconds.
    """

    parent: int
    move: Move
    glyph: str = ""
    comments: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    call: int = 0
    clock_ms: int | None = None


@dataclass(frozen=True, slots=True)
class MoveTree:
    """The moves of a record and all its variations, without forced passes, which the rules imply.

    Attributes:
        headers: The headers of the record.
        comments: The comments before the first move.
        plies: All moves, each after its parent.
    """

    headers: tuple[tuple[str, str], ...]
    comments: tuple[str, ...]
    plies: tuple[TreePly, ...]

    @classmethod
    def of(cls, record: Record, start: Game) -> "MoveTree":
        """Returns the tree of a record, as far as its moves are legal.

        Refused escapes become variations. The tree of a record that has some is without calls.

        Args:
            start: The game before the first move.
        """
        builder = _Builder(record.comments)
        builder.line(record.nodes, -1, start, ())
        kept = record.with_headers(_CALLS) if builder.has_undone else record
        plies = builder.plies
        if builder.has_undone:
            plies = [replace(ply, call=0) for ply in plies]
        return cls(kept.headers, tuple(builder.comments), tuple(plies))

    def record(self, start: Game, changes: Mapping[str, str | None]) -> Record:
        """Returns the record: captures, forced passes and, if the game ends, the result by the rules.

        Args:
            start: The game before the first move.
            changes: Changes of headers; see `Record.with_headers`.

        Raises:
            IllegalMove: If one of the moves is not legal.
            RecordError: `too_deep`, or the fault of a header.
        """
        writer = _Writer(self.plies)
        nodes, end = writer.line(0, start, 0) if self.plies else ([], start)
        if start.passed:
            nodes.insert(0, Node(None))
        record = Record(self.headers, tuple(nodes), self.comments).with_headers(changes)
        return _with_result(record, end)


class _Builder:
    """Builds a tree from the lines of a record."""

    def __init__(self, comments: Iterable[str]) -> None:
        self.plies: list[TreePly] = []
        self.comments = list(comments)
        self.has_undone = False

    def line(self, nodes: Sequence[Node], parent: int, game: Game, before: tuple[str, ...]) -> None:
        """Adds a line and its variations."""
        beside: list[Variation] = []
        for node in nodes:
            if node.move is None:
                self._comment(parent, node.comments)
                beside += node.variations
                continue
            if node.is_undone:
                self.has_undone = True
                beside = self._undone(beside, node)
                continue
            try:
                after = game.play(node.move)
            except IllegalMove:
                self._variations([*node.variations, *beside], parent, game)
                return
            self.plies.append(_ply(node, parent, before))
            at, before = len(self.plies) - 1, ()
            self._variations([*node.variations, *beside], parent, game)
            beside = []
            parent, game = at, after
        self._variations(beside, parent, game)

    def _variations(self, lines: Iterable[Variation], parent: int, game: Game) -> None:
        for line in lines:
            self.line(line.nodes, parent, game, line.comments)

    def _undone(self, beside: list[Variation], node: Node) -> list[Variation]:
        """Returns the variations with a move added that does not count."""
        counted = replace(node, status=Status.PLAYED, call=0)
        if node.status is Status.REFUSED and beside and len(beside[-1].nodes) == 1:
            return [*beside[:-1], Variation((*beside[-1].nodes, counted))]
        return [*beside, *node.variations, Variation((replace(counted, variations=()),))]

    def _comment(self, at: int, comments: tuple[str, ...]) -> None:
        if at < 0:
            self.comments += comments
        elif comments:
            self.plies[at] = replace(self.plies[at], comments=(*self.plies[at].comments, *comments))


def _ply(node: Node, parent: int, before: tuple[str, ...]) -> TreePly:
    assert node.move is not None
    return TreePly(parent, node.move, node.glyph, node.remarks, before, node.call, node.clock_ms)


class _Writer:
    """Writes the lines of a tree as nodes."""

    def __init__(self, plies: Sequence[TreePly]) -> None:
        self._plies = plies
        self._following: dict[int, list[int]] = {}
        for at, ply in enumerate(plies):
            if not -1 <= ply.parent < at:
                raise record_error("bad_parent", found=ply.parent, ply=at)
            self._following.setdefault(ply.parent, []).append(at)

    def line(self, at: int, game: Game, depth: int) -> tuple[list[Node], Game]:
        """Returns the nodes of the line that begins with a ply, and the game at its end."""
        if depth > MAX_DEPTH:
            raise record_error("too_deep", limit=MAX_DEPTH)
        nodes: list[Node] = []
        while True:
            ply = self._plies[at]
            first, *others = self._following[ply.parent]
            beside = others if at == first else []
            variations = tuple(self._variation(other, game, depth) for other in beside)
            game = game.play(ply.move)
            assert game.last is not None
            comments = (ply.glyph, *ply.comments) if ply.glyph else ply.comments
            node = Node(
                ply.move, game.last.captures, ply.call, Status.PLAYED, ply.clock_ms, comments, variations
            )
            nodes.append(node)
            if game.last.passed:
                nodes.append(Node(None))
            if at not in self._following:
                return nodes, game
            at = self._following[at][0]

    def _variation(self, at: int, game: Game, depth: int) -> Variation:
        return Variation(tuple(self.line(at, game, depth + 1)[0]), self._plies[at].before)


def _with_result(record: Record, end: Game) -> Record:
    """Adds the result by the rules; otherwise keeps only a result that players may agree on."""
    if end.outcome is not None:
        winner = result_word(end.outcome.winner)
        return record.with_headers({"Result": winner, "Reason": end.outcome.reason.value})
    if record.reason in REASONS_BY_PLAYERS and record.outcome is not None:
        return record
    return record.with_headers({"Result": UNFINISHED, "Reason": None})
