"""Edits of records: variations added, moved and removed, and the walk through all nodes."""

import re

import pytest

from hnefi import Record, parse_records
from hnefi.record import Node, add_variation, demote, promote, remove_variation, set_comments, walk

HEADER = '[Variant "brandub-globe"]\n[Result "*"]\n\n'


def record_of(moves: str) -> Record:
    return parse_records(f"{HEADER}{moves} *")[0]


def moves_of(record: Record) -> str:
    return " ".join(str(record).partition("\n\n")[2].split())


LINES = "1. d2-c2 (1. d2-e2 2. c4-c3 (2. c4-c2)) (1. d2-f2) 2. c4-c3"


def test_each_edit_changes_one_place() -> None:
    record = record_of(LINES)
    for edited, expected in (
        (remove_variation(record, (0, 0)), "1. d2-c2 (1. d2-f2) 2. c4-c3"),
        (remove_variation(record, (0, 0, 1, 0)), "1. d2-c2 (1. d2-e2 2. c4-c3) (1. d2-f2) 2. c4-c3"),
        (demote(record, (0, 0)), "1. d2-c2 (1. d2-f2) (1. d2-e2 2. c4-c3 (2. c4-c2)) 2. c4-c3"),
        (demote(record, (0, 1)), LINES),
        (promote(demote(record, (0, 0)), (0, 1)), LINES),
        (promote(promote(record, (0, 0)), (0, 0)), LINES),
        (promote(record, (0, 0, 1, 0)), "1. d2-c2 (1. d2-e2 2. c4-c2 (2. c4-c3)) (1. d2-f2) 2. c4-c3"),
        (add_variation(record, (1,), ["d3-c3"]), f"{LINES} (2. d3-c3)"),
        (set_comments(record, (1,), "!", "good"), f"{LINES} {{!}} {{good}}"),
    ):
        assert edited == record_of(expected)
        assert moves_of(edited) == moves_of(record_of(expected))
    assert record == record_of(LINES)


@pytest.mark.parametrize(
    "path", [(), (2,), (-1,), (9,), (0, 2), (0, -1), (0, 0, 7, 0), (1, 0), (1, 0, 9), (0, 0)]
)
def test_a_path_to_nothing_is_named_with_the_expected_one(path: tuple[int, ...]) -> None:
    given = re.escape(f"path: {path}, expected that of a ")
    if path != (0, 0):
        for edit in (promote, demote, remove_variation):
            with pytest.raises(IndexError, match=rf"^{given}variation of the record, such as \(4, 0\)$"):
                edit(record_of(LINES), path)
    with pytest.raises(IndexError, match=rf"^{given}node, such as \(4,\)$"):
        set_comments(record_of(LINES), path)


def test_a_walk_meets_every_node_with_the_game_before_it() -> None:
    record = record_of(LINES)
    found = list(walk(record))
    assert [(str(one.node.move), one.depth) for one in found] == [
        ("d2-c2", 0),
        ("d2-e2", 1),
        ("c4-c3", 1),
        ("c4-c2", 2),
        ("d2-f2", 1),
        ("c4-c3", 0),
    ]
    for one in found:
        assert one.node.move is not None
        assert one.game.is_legal(one.node.move)
        assert set_comments(record, one.path, *one.node.comments) == record
    assert [len(one.game.plies) for one in found] == [0, 0, 1, 1, 0, 1]
    assert list(walk(Record(record.headers, (Node(None), *record.nodes))))[1].path == (1,)
