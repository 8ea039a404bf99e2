"""Records as text and as values: round trips."""

import pickle
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hnefi import Move, Outcome, Reason, RecordError, Side, Square
from hnefi.record import (
    MAX_DEPTH,
    Node,
    Reading,
    Record,
    Status,
    Variation,
    format_records,
    load_records,
    parse_records,
    read_records,
    save_records,
)
from hnefi.record.writer import WIDTH
from tests import record_values
from tests.codes import has_code
from tests.record_texts import WELL_WRITTEN


def only_record(text: str) -> Record:
    (record,) = parse_records(text)
    return record


# ---- what is written is read again


@given(st.lists(record_values.records, max_size=3))
def test_every_record_is_read_as_it_was_written(records: list[Record]) -> None:
    text = format_records(records)
    assert parse_records(text) == records
    assert parse_records(text.encode()) == records


@given(record_values.texts_like_records)
def test_a_text_is_written_the_same_way_twice(text: str) -> None:
    once = format_records(read_records(text).records)
    assert format_records(parse_records(once)) == once


def test_a_record_is_written_in_one_form() -> None:
    assert str(only_record(WELL_WRITTEN)) + "\n" == WELL_WRITTEN


def test_line_ends_of_all_systems_are_read() -> None:
    expected = parse_records(WELL_WRITTEN)
    for end in ("\r\n", "\r"):
        assert parse_records(WELL_WRITTEN.replace("\n", end)) == expected
    assert parse_records("\ufeff" + WELL_WRITTEN) == expected


def test_a_record_is_read_into_values() -> None:
    record = only_record(WELL_WRITTEN)
    assert record.header("Event") == 'Fair of "Tara"'
    assert record.header("Site") is None
    assert record.outcome == Outcome(Side.DEFENDERS, Reason.CORNER)
    assert record.comments == ("A game with everything in it.",)
    first, second, third, again, forced, last = record.nodes
    assert (first.move, first.call, first.clock_ms) == (Move("c5-a5"), 2, 3_598_000)
    assert second.captures == (Square("d4"), Square("e5"))
    assert [node.status.value for node in record.nodes[1:4]] == ["taken_back", "refused", "played"]
    assert second.comments[1].endswith("a paragraph\nbegins after a backslash.")
    assert [line.nodes[0].move for line in second.variations] == [Move("g1-g3"), Move("g1-h1")]
    assert second.variations[0].nodes[0].variations[0].nodes[1].move == Move("a5-a6")
    assert second.variations[1].comments == ("Another one.",)
    assert (second.depth, third.depth) == (2, 0)
    assert forced.is_pass
    assert (again.move, last.move) == (Move("g1-b1"), Move("a5-a9"))


@pytest.mark.parametrize(
    "written", ["e5-e8xe9/f8", "e5e8xe9xf8", "E5-E8XE9/F8", "e5-e8×e9/f8", "e5-e8xf8/e9"]
)
def test_moves_are_read_in_all_usual_forms_and_written_in_one(written: str) -> None:
    assert str(only_record(f"1. {written}!1 *")) == "1. e5-e8xe9/f8!1 *"


def test_move_numbers_may_be_omitted_or_unspaced() -> None:
    expected = only_record("1. d2-c2 2. c4-c6 *")
    assert only_record("d2-c2 c4-c6 *") == expected
    assert only_record("1.d2-c2 2.c4-c6*".replace("*", " *")) == expected
    assert only_record("1. {why} d2-c2 2. c4-c6 *").comments == ("why",)


def test_unknown_headers_keep_their_place() -> None:
    text = '[Weather "rain"]\n[Variant "brandub-globe"]\n[Mood "good"]\n\n*\n'
    assert format_records(parse_records(text)) == text


def test_lines_are_no_longer_than_they_have_to_be() -> None:
    comment = "word " * 200
    record = Record((), (Node(Move("d2-c2"), comments=(comment,)),) * 40)
    lines = format_records([record]).splitlines()
    assert max(len(line) for line in lines) <= WIDTH
    assert parse_records("\n".join(lines)) == [record]


def test_no_line_of_a_comment_looks_like_a_header() -> None:
    comment = "x" * (WIDTH - 5) + ' [Event "no"]\n[Event "no"]\n\n[ [ ['
    record = Record((), (), (comment,))
    text = format_records([record])
    assert not [line for line in text.splitlines() if line.startswith("[")]
    assert parse_records(text) == [record]


def test_numbers_go_back_after_a_refused_escape() -> None:
    played, back, refused = (
        Node(Move("d2-c2"), status=status) for status in (Status.PLAYED, Status.TAKEN_BACK, Status.REFUSED)
    )
    text = str(Record((), (played, back, refused, played, refused, back, played, back, back, refused)))
    numbers = [word.rstrip(".") for word in text.split() if word.endswith(".")]
    assert numbers == ["1", "2", "3", "2", "3", "2", "3", "4", "5", "6"]


def test_records_are_saved_and_loaded(tmp_path: Path) -> None:
    records = parse_records(WELL_WRITTEN + "\n" + '[Site "Émain"]\n\n*\n')
    path = tmp_path / "two.tafl"
    save_records(path, records)
    assert path.read_bytes().decode() == format_records(records)
    assert load_records(path) == Reading(tuple(records), (1, 2), ())


# ---- records as values


def test_headers_are_changed_in_their_place() -> None:
    record = Record((("Event", "Fair"), ("Result", "*"), ("Reason", "time")))
    changed = record.with_headers({"Result": "draw", "Reason": None, "Site": "Tara"})
    assert changed.headers == (("Event", "Fair"), ("Result", "draw"), ("Site", "Tara"))
    assert record.result == "*"


def test_an_outcome_needs_result_and_reason() -> None:
    assert Record((("Result", "draw"),)).outcome is None
    assert Record((("Reason", "time"),)).outcome is None
    assert Record((("Result", "draw"), ("Reason", "agreement"))).outcome == Outcome(None, Reason.AGREEMENT)
    assert Record().result == "*"


def test_switches_are_read_by_name() -> None:
    record = Record((("Switches", "quiet_limit=40; repetition=3,draw"),))
    assert record.switches == {"quiet_limit": "40", "repetition": "3,draw"}
    assert Record().switches == {}


def test_captures_are_sorted_by_file_and_rank() -> None:
    node = Node(Move("a1-a2"), (Square("f8"), Square("e10"), Square("e9"), Square("f8")))
    assert node.captures == (Square("e9"), Square("e10"), Square("f8"))


@pytest.mark.parametrize(
    ("code", "make"),
    [
        ("bad_header", lambda: Record((("two words", ""),))),
        ("bad_header", lambda: Record((("", ""),))),
        ("duplicate_header", lambda: Record((("Site", "a"), ("Site", "a")))),
        ("bad_header_value", lambda: Record((("Result", "white"),))),
        ("bad_header_value", lambda: Record((("Rules", "A" * 64),))),
        ("bad_header_value", lambda: Record((("Revision", "0"),))),
        ("bad_header_value", lambda: Record((("Switches", "quiet_limit"),))),
        ("bad_header_value", lambda: Record((("Switches", "a=1; a=2"),))),
        ("bad_call", lambda: Node(Move("a1-a2"), call=3)),
        ("bad_clock", lambda: Node(Move("a1-a2"), clock_ms=-1)),
        ("bad_clock", lambda: Node(Move("a1-a2"), clock_ms=3_600_000_000_000)),
        ("bad_pass", lambda: Node(None, call=1)),
        ("bad_pass", lambda: Node(None, clock_ms=1)),
        ("bad_pass", lambda: Node(None, (Square("a1"),))),
        ("bad_pass", lambda: Node(None, status=Status.REFUSED)),
        ("empty_variation", lambda: Variation(())),
    ],
)
def test_a_value_that_could_not_be_written_is_refused(code: str, make: Callable[[], object]) -> None:
    with pytest.raises(RecordError) as caught:
        make()
    assert caught.value.code == code
    assert caught.value.detail.startswith(code)


def nested(depth: int) -> Node:
    node = Node(Move("a1-a2"))
    for _ in range(depth):
        node = Node(Move("a1-a2"), variations=(Variation((node,)),))
    return node


def test_side_lines_are_nested_as_deep_as_every_tool_can_bear() -> None:
    record = Record((), (nested(MAX_DEPTH),))
    assert parse_records(str(record)) == [record]
    assert deepcopy(record) == record
    assert pickle.loads(pickle.dumps(record)) == record
    assert len({record, deepcopy(record)}) == 1
    assert repr(record).count("Variation(") == MAX_DEPTH
    with pytest.raises(RecordError, check=has_code("too_deep")):
        nested(MAX_DEPTH + 1)
