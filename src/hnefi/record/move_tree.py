"""The tree of moves of a record, as a list of plies that name their parents."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hnefi._core import Game, Move
from hnefi.errors import IllegalMove
from hnefi.record.faults import record_error
from hnefi.record.headers import UNFINISHED, result_word
from hnefi.record.model import MAX_DEPTH, Node, Record, Status, Variation
from hnefi.record.replay import REASONS_BY_PLAYERS


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
        status: Whether it counts. A refused escape follows the move taken back for it, which is an
            alternative to the one played again, and behind it in the list, before the next alternative.
    """

    parent: int
    move: Move
    glyph: str = ""
    comments: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    call: int = 0
    clock_ms: int | None = None
    status: Status = Status.PLAYED


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

        Args:
            start: The game before the first move.
        """
        builder = _Builder(record.comments)
        builder.line(record.nodes, -1, start, ())
        return cls(record.headers, tuple(builder.comments), tuple(builder.plies))

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
        nodes, end = writer.main_line(-1, start, 0)
        if start.passed:
            nodes.insert(0, Node(None))
        record = Record(self.headers, tuple(nodes), self.comments).with_headers(changes)
        return _with_result(record, end)


class _Builder:
    """Builds a tree from the lines of a record."""

    def __init__(self, comments: Iterable[str]) -> None:
        self.plies: list[TreePly] = []
        self.comments = list(comments)

    def line(self, nodes: Sequence[Node], parent: int, game: Game, before: tuple[str, ...]) -> None:
        """Adds a line and its variations."""
        beside: list[Variation] = []
        undone: list[Node] = []
        for node in nodes:
            if node.move is None:
                self._comment(parent, node.comments)
                beside += node.variations
                continue
            if node.is_undone:
                undone.append(node)
                continue
            added = self._ply(node, parent, game, before)
            replaced = self._undone(undone, parent, game)
            self._variations([*node.variations, *beside, *replaced], parent, game)
            if added is None:
                return
            (parent, game), before, beside, undone = added, (), [], []
        replaced = self._undone(undone, parent, game)
        self._variations([*beside, *replaced], parent, game)

    def _ply(
        self, node: Node, parent: int, game: Game, before: tuple[str, ...] = ()
    ) -> tuple[int, Game] | None:
        """Adds a move; returns its index and the game after it, None if it is not legal."""
        assert node.move is not None
        try:
            after = game.play(node.move)
        except IllegalMove:
            return None
        self.plies.append(
            TreePly(
                parent,
                node.move,
                node.glyph,
                node.remarks,
                before,
                node.call,
                node.clock_ms,
                node.status,
            )
        )
        return len(self.plies) - 1, after

    def _undone(self, nodes: Iterable[Node], parent: int, game: Game) -> list[Variation]:
        """Adds refused escapes after the moves taken back for them; returns the variations of these moves."""
        place = parent, game
        beside: list[Variation] = []
        for node in nodes:
            if node.status is Status.TAKEN_BACK:
                place = parent, game
            added = self._ply(node, *place)
            if place[0] == parent:
                beside += node.variations
            else:
                self._variations(node.variations, *place)
            if added is None:
                break
            place = added
        return beside

    def _variations(self, lines: Iterable[Variation], parent: int, game: Game) -> None:
        for line in lines:
            nodes = line.nodes
            if all(node.is_undone or node.move is None for node in nodes):
                # A list cannot tell a line of nothing else from what was taken back before the main line.
                nodes = tuple(replace(node, status=Status.PLAYED) for node in nodes)
            self.line(nodes, parent, game, line.comments)

    def _comment(self, at: int, comments: tuple[str, ...]) -> None:
        if at < 0:
            self.comments += comments
        elif comments:
            self.plies[at] = replace(self.plies[at], comments=(*self.plies[at].comments, *comments))


@dataclass(slots=True)
class _Alternative:
    """A move that counts, None at the end of a line, and the moves taken back before it.

    The latter are listed behind it, and before it only if they are the first of all.
    """

    counted: int | None
    undone: list[int] = field(default_factory=list)


class _Writer:
    """Writes the lines of a tree as nodes."""

    def __init__(self, plies: Sequence[TreePly]) -> None:
        self._plies = plies
        self._following: dict[int, list[int]] = {}
        for at, ply in enumerate(plies):
            if not -1 <= ply.parent < at:
                raise record_error("bad_parent", found=ply.parent, ply=at)
            self._following.setdefault(ply.parent, []).append(at)

    def main_line(self, parent: int, game: Game, depth: int) -> tuple[list[Node], Game]:
        """Returns the nodes of the main line after a ply, and the game at its end."""
        if depth > MAX_DEPTH:
            raise record_error("too_deep", limit=MAX_DEPTH)
        nodes: list[Node] = []
        while alternatives := self._alternatives(parent):
            main, *others = alternatives
            nodes += self._undone(main.undone, game, depth)
            if main.counted is None:
                break
            parent = main.counted
            added, game = self._nodes(parent, game, others, depth)
            nodes += added
        return nodes, game

    def _alternatives(self, parent: int) -> list[_Alternative]:
        found: list[_Alternative] = []
        for at in self._following.get(parent, ()):
            if not self._is_undone(at):
                if found and found[-1].counted is None:
                    found[-1].counted = at
                else:
                    found.append(_Alternative(at))
            elif found:
                found[-1].undone.append(at)
            else:
                found.append(_Alternative(None, [at]))
        return found

    def _is_undone(self, at: int) -> bool:
        """Checks whether a move was taken back for a refused escape, after which nothing follows.

        Otherwise both count: a tree may have been changed.
        """
        first = self._following.get(at, [at])[0]
        statuses = self._plies[at].status, self._plies[first].status
        return statuses == (Status.TAKEN_BACK, Status.REFUSED) and first not in self._following

    def _undone(self, taken_back: Iterable[int], game: Game, depth: int) -> Iterator[Node]:
        """Iterates over moves taken back, each with the refused escape after it."""
        for at in taken_back:
            (node, *_), after = self._nodes(at, game, (), depth)
            yield replace(node, status=Status.TAKEN_BACK)
            first, *others = self._following[at]
            (refused, *_), _ = self._nodes(first, after, [_Alternative(other) for other in others], depth)
            yield replace(refused, captures=(), status=Status.REFUSED)

    def _nodes(
        self, at: int, game: Game, others: Sequence[_Alternative], depth: int
    ) -> tuple[list[Node], Game]:
        """Returns a move with its variations, the forced pass after it if any, and the game after both."""
        ply = self._plies[at]
        after = game.play(ply.move)
        assert after.last is not None
        node = Node(
            ply.move,
            after.last.captures,
            ply.call,
            clock_ms=ply.clock_ms,
            comments=(ply.glyph, *ply.comments) if ply.glyph else ply.comments,
            variations=tuple(self._variation(other, game, depth + 1) for other in others),
        )
        return [node, Node(None)] if after.last.passed else [node], after

    def _variation(self, first: _Alternative, game: Game, depth: int) -> Variation:
        undone = self._undone(first.undone, game, depth)
        assert first.counted is not None  # only the first alternative may have none
        nodes, after = self._nodes(first.counted, game, (), depth)
        line, _ = self.main_line(first.counted, after, depth)
        return Variation((*undone, *nodes, *line), self._plies[first.counted].before)


def _with_result(record: Record, end: Game) -> Record:
    """Adds the result by the rules; otherwise keeps only a result that players may agree on."""
    if end.outcome is not None:
        winner = result_word(end.outcome.winner)
        return record.with_headers({"Result": winner, "Reason": end.outcome.reason.value})
    if record.reason in REASONS_BY_PLAYERS and record.outcome is not None:
        return record
    return record.with_headers({"Result": UNFINISHED, "Reason": None})
