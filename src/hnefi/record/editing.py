"""Edits records and walks through them, by paths.

A path is the index of a node, the number of a variation on it, the index of a node in that, and so on: `(4,)`
is the fifth node of the main line, `(4, 0)` the first variation on it, `(4, 0, 2)` the third node of that.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hnefi._core import Game, Move
from hnefi.record.model import Node, Record, Status, Variation
from hnefi.record.turn_ends import stop_before

NodePath = tuple[int, ...]
"""Where a node is (odd length) or a variation (even length); all numbers count from 0."""

_Edit = Callable[[tuple[Node, ...], int], tuple[Node, ...]]


@dataclass(frozen=True, slots=True)
class WalkedNode:
    """A node of a record, its path, and the game before its move.

    Attributes:
        path: Where it stands in the record.
        game: The game before its move.
        node: The node.
    """

    path: NodePath
    game: Game
    node: Node

    @property
    def depth(self) -> int:
        """How many variations it is in; 0 in the main line."""
        return len(self.path) // 2


def walk(record: Record) -> Iterator[WalkedNode]:
    """Iterates over all nodes in the order of the text: each node, its variations, then the next one.

    >>> from hnefi import parse_records
    >>> record = parse_records('[Variant "brandub-globe"]\\n\\n1. d2-c2 (1. d2-e2) 2. c4-c3 *')[0]
    >>> [(found.path, found.depth, str(found.node.move)) for found in walk(record)]
    [((0,), 0, 'd2-c2'), ((0, 0, 0), 1, 'd2-e2'), ((1,), 0, 'c4-c3')]

    Raises:
        HnefiError: If the headers define no game, or when a move is reached that is not legal.
    """
    replay = record.replay()
    if replay.start is None:
        raise replay.faults[0].error
    yield from _walk(record.nodes, replay.start.game, ())


def _walk(nodes: Sequence[Node], game: Game, path: NodePath) -> Iterator[WalkedNode]:
    taken_back = game
    for index, node in enumerate(nodes):
        here = taken_back if node.status is Status.REFUSED else game
        stop = None if node.move is None else stop_before(here.position, node.move)
        here = here if stop is None else here.play(stop)
        yield WalkedNode((*path, index), here, node)
        for number, line in enumerate(node.variations):
            yield from _walk(line.nodes, here, (*path, index, number))
        if node.status is Status.TAKEN_BACK and node.move is not None:
            taken_back = here.play(node.move)
        elif node.status is Status.PLAYED and node.move is not None:
            game = here.play(node.move)


def change_node(record: Record, path: NodePath, change: Callable[[Node], Node]) -> Record:
    """Returns the record with the node at a path changed by a function.

    Raises:
        IndexError: If there is no node at the path; the functions for variations likewise.
    """
    _check(record, path, is_variation=False)
    return _edited(record, path, lambda nodes, at: (*nodes[:at], change(nodes[at]), *nodes[at + 1 :]))


def set_comments(record: Record, path: NodePath, *comments: str) -> Record:
    """Returns the record with these comments behind a node, instead of those it has."""
    return change_node(record, path, lambda node: replace(node, comments=comments))


def add_variation(
    record: Record, path: NodePath, moves: Iterable[Move | str], comments: Sequence[str] = ()
) -> Record:
    """Returns the record with a variation on a node, behind those it has. The moves are not played.

    >>> record = add_variation(Record((), (Node(Move("d2-c2")),)), (0,), ["d2-e2", "c4-c3"])
    >>> print(set_comments(record, (0, 0, 1), "safe"))
    1. d2-c2 (1. d2-e2 2. c4-c3 {safe}) *
    """
    line = Variation(tuple(Node(Move(move)) for move in moves), tuple(comments))
    return change_node(record, path, lambda node: replace(node, variations=(*node.variations, line)))


def remove_variation(record: Record, path: NodePath) -> Record:
    """Returns the record without the variation at a path, such as `(4, 0)`."""
    return _with_variations(record, path, lambda lines, at: [*lines[:at], *lines[at + 1 :]])


def demote(record: Record, path: NodePath) -> Record:
    """Returns the record with a variation behind the next one; the last one stays where it is."""
    return _with_variations(
        record, path, lambda lines, at: [*lines[:at], *lines[at + 1 : at + 2], lines[at], *lines[at + 2 :]]
    )


def promote(record: Record, path: NodePath) -> Record:
    """Returns the record with a variation before the one in front of it.

    The first one changes places with the line that it is a variation of. The headers stay: where the main
    line changes, its result may have to be changed with `Record.with_headers`.

    >>> from hnefi import parse_records
    >>> print(promote(parse_records("1. d2-c2 (1. d2-e2) (1. d2-f2) 2. c4-c3 *")[0], (0, 0)))
    1. d2-e2 (1. d2-c2 2. c4-c3) (1. d2-f2) *
    """
    _check(record, path, is_variation=True)
    if path[-1] > 0:
        return _with_variations(
            record, path, lambda lines, at: [*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]]
        )
    return _edited(record, path[:-1], _promoted)


def _promoted(nodes: tuple[Node, ...], at: int) -> tuple[Node, ...]:
    line, *others = nodes[at].variations
    old = Variation((replace(nodes[at], variations=()), *nodes[at + 1 :]))
    first, *later = line.nodes
    comments = (*line.comments, *first.comments)
    first = replace(first, comments=comments, variations=(old, *others, *first.variations))
    return (*nodes[:at], first, *later)


def _with_variations(
    record: Record, path: NodePath, change: Callable[[tuple[Variation, ...], int], list[Variation]]
) -> Record:
    _check(record, path, is_variation=True)
    *rest, number = path
    return change_node(
        record, tuple(rest), lambda node: replace(node, variations=tuple(change(node.variations, number)))
    )


def _check(record: Record, path: NodePath, *, is_variation: bool) -> None:
    """Raises IndexError unless the record has a node, or a variation, at a path."""
    here: Sequence[Node] | Sequence[Variation] = record.nodes
    is_there = bool(path) and len(path) % 2 != is_variation
    for at in path:
        is_there = is_there and 0 <= at < len(here)
        if not is_there:
            break
        found = here[at]
        here = found.variations if isinstance(found, Node) else found.nodes
    if not is_there:
        expected = "a variation of the record, such as (4, 0)" if is_variation else "a node, such as (4,)"
        raise IndexError(f"path: {path}, expected that of {expected}")


def _edited(record: Record, path: NodePath, edit: _Edit) -> Record:
    return replace(record, nodes=_edited_line(record.nodes, path, edit))


def _edited_line(nodes: tuple[Node, ...], path: NodePath, edit: _Edit) -> tuple[Node, ...]:
    """Returns a line, in which the line that has the node at the path is edited."""
    at, *rest = path
    if not rest:
        return edit(nodes, at)
    number = rest[0]
    lines = list(nodes[at].variations)
    lines[number] = replace(lines[number], nodes=_edited_line(lines[number].nodes, tuple(rest[1:]), edit))
    return (*nodes[:at], replace(nodes[at], variations=tuple(lines)), *nodes[at + 1 :])
