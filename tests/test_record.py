"""Records as text: what is written is read again, what cannot be read is told with its place."""

import pickle
import time
import tracemalloc
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hnefi._core import Move, Outcome, Square
from hnefi.errors import RecordError
from hnefi.pieces import Reason, Side
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
from hnefi.record.reading import MAX_FAULTS
from hnefi.record.writing import WIDTH
from tests import record_values

WELL_WRITTEN = """\
[Event "Fair of \\"Tara\\""]
[Variant "gwezboell-globe"]
[Round "3"]
[Calls "manual"]
[Result "defenders"]
[Reason "corner"]

{A game with everything in it.} 1. c5-a5!2 @0:59:58 2. g1-g2xd4/e5 taken_back
@0:59:58.250 {Too late.} {One breaks a long comment between two words, so that
no line is longer than it has to be; a paragraph\\
begins after a backslash.} (2. g1-g3 {Or so.} (2. g1-g4 3. a5-a6) 3. a5-a9)
({Another one.} 2. g1-h1) 3. a5-a9 refused 2. g1-b1 -- 3. a5-a9 defenders
"""


def codes(reading: Reading) -> list[str]:
    return [fault.code for fault in reading.faults]


def only_record(text: str) -> Record:
    (record,) = parse_records(text)
    return record


def places(text: str) -> list[tuple[str, int, int]]:
    return [(fault.code, fault.line, fault.column) for fault in read_records(text).faults]


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


def test_numbers_may_be_left_out_or_stand_close() -> None:
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
def test_a_value_that_could_not_be_written_is_refused(code: str, make: object) -> None:
    assert callable(make)
    with pytest.raises(RecordError) as caught:
        make()
    assert caught.value.code == code
    assert str(caught.value).startswith(code)


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
    with pytest.raises(RecordError, match="too_deep"):
        nested(MAX_DEPTH + 1)


# ---- what cannot be read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. d2-c2", [("missing_result", 1, 9)]),
        ('[Site "x"]', [("missing_result", 1, 11)]),
        ('[Site "x"]\n\n[Site "y"]\n*', [("missing_result", 3, 1)]),
        ("1. d2-c2 3. c4-c6 *", [("wrong_number", 1, 10)]),
        ("1. d2-c2 02. c4-c6 *", [("wrong_number", 1, 10)]),
        ("1. d2-c2 2. *", [("unexpected_token", 1, 10)]),
        ("1. 1. d2-c2 *", [("unexpected_token", 1, 1)]),
        ("1. d2-c2 2. -- *", [("unexpected_token", 1, 10)]),
        ("1. d2-c2\n(1. d2-b2 2. ) *", [("unexpected_token", 2, 11)]),
        ("1. d2-z2 2. c4-c6 *", [("bad_move", 1, 4)]),
        ("1. d2-c2! 2. c4-c6!3 *", [("bad_call", 1, 9), ("bad_call", 1, 19)]),
        ("1. d2-c2 @1:60:00 @2:00 *", [("bad_clock", 1, 10), ("bad_clock", 1, 19)]),
        ("1. d2-c2 @1:00:00 @1:00:00 *", [("unexpected_token", 1, 19)]),
        ("@1:00:00 refused *", [("unexpected_token", 1, 1), ("unexpected_token", 1, 10)]),
        ("-- @1:00:00 refused *", [("unexpected_token", 1, 4), ("unexpected_token", 1, 13)]),
        ("1. d2-c2 refused taken_back *", [("unexpected_token", 1, 18)]),
        ("1. d2-c2 } *", [("unexpected_token", 1, 10)]),
        ("1. d2-c2 {a comment\nwithout end *", [("unclosed_comment", 1, 10)]),
        ("{\\", [("unclosed_comment", 1, 1)]),
        ("{\\}", [("unclosed_comment", 1, 1)]),
        ("1. d2-c2 {an \\odd one}\n*", [("bad_escape", 1, 14)]),
        ("1. d2-c2 {two\n  lines \\u20zz}\n*", [("bad_escape", 2, 9)]),
        ("1. d2-c2 {hard\\\n  \\q}\n*", [("bad_escape", 2, 3)]),
        ("1. d2-c2 (1. d2-b2 *", [("unclosed_variation", 1, 10)]),
        ("1. d2-c2 (1. d2-b2 (1. d2-a2 *", [("unclosed_variation", 1, 20)]),
        ("1. d2-c2 (1. d2-b2)) *", [("unopened_variation", 1, 20)]),
        ("1. d2-c2 () *", [("empty_variation", 1, 10)]),
        ("1. d2-c2 ({nothing}) *", [("empty_variation", 1, 10)]),
        ("(1. d2-c2) *", [("variation_without_move", 1, 1)]),
        ("1. d2-c2 ((1. d2-b2) 1. d2-a2) *", [("variation_without_move", 1, 11)]),
        ('[Site "Tara"\n\n*', [("bad_header", 1, 1)]),
        ('[Site "Tara]\n\n*', [("bad_header", 1, 1)]),
        ('[Site "Tara"] 1. d2-c2\n*', [("bad_header", 1, 1)]),
        ("[Site Tara]\n\n*", [("bad_header", 1, 1)]),
        ('[2nd "x"]\n\n*', [("bad_header", 1, 1)]),
        ('[Site "a \\q"]\n\n*', [("bad_escape", 1, 10)]),
        ('[Site "a"]\n[Site "b"]\n\n*', [("duplicate_header", 2, 1)]),
        ('[Result "white"]\n\nattackers', [("bad_header_value", 1, 1)]),
        ('[Reason "boredom"]\n\n*', [("bad_header_value", 1, 1)]),
        ('[Result "draw"]\n\n1. d2-c2\n*', [("result_mismatch", 4, 1)]),
        ("1. d2-c2 attackers", [("result_mismatch", 1, 10)]),
        ("1. d2-c2 {\udcff} *", [("bad_encoding", 1, 11)]),
    ],
)
def test_a_fault_is_told_with_its_place(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert places(text) == expected
    assert len(read_records(text).records) == (1 if text.startswith('[Site "x"]\n\n[') else 0)
    with pytest.raises(RecordError) as caught:
        parse_records(text)
    error = caught.value
    assert (error.code, error.line, error.column) == expected[0]
    assert error.parameters["line"] == str(error.line)


def test_one_bad_game_leaves_the_others() -> None:
    good = '[Round "{}"]\n\n1. d2-c2 *\n\n'
    bad = '[Round "2"]\n[Result "nobody"]\n\n1. d2-c2 {{never closed 2. x9 )\n\n'
    reading = read_records(good.format(1) + bad.format() + good.format(3))
    assert [record.header("Round") for record in reading.records] == ["1", "3"]
    assert reading.numbers == (1, 3)
    assert codes(reading) == ["bad_header_value", "unclosed_comment"]
    assert {fault.parameters["game"] for fault in reading.faults} == {"2"}


def test_games_without_headers_end_with_their_result() -> None:
    reading = read_records("1. d2-c2 * 1. d2-x2 * {third} * ")
    assert [record.comments for record in reading.records] == [(), ("third",)]
    assert reading.numbers == (1, 3)


def test_what_is_no_utf_8_spoils_its_game_only() -> None:
    reading = read_records('[Site "Émain"]\n\n*\n\n[Site "Tara"]\n\n*\n'.encode("latin-1"))
    assert [record.header("Site") for record in reading.records] == ["Tara"]
    assert [(fault.code, fault.line, fault.column) for fault in reading.faults] == [("bad_encoding", 1, 8)]


def test_too_many_faults_end_the_reading_and_say_so() -> None:
    reading = read_records("\n".join(["x *"] * (MAX_FAULTS + 5)) + "\n*")
    assert codes(reading) == ["bad_move"] * MAX_FAULTS + ["too_many_faults"]
    assert reading.faults[-1].line == MAX_FAULTS + 1
    assert read_records("\n".join(["x *"] * MAX_FAULTS) + "\n*").numbers == (MAX_FAULTS + 1,)


def test_an_empty_text_has_no_game() -> None:
    assert read_records("") == read_records(b" \r\n\t") == Reading((), (), ())


# ---- nothing crashes, hangs or swells


def check_reading(text: str | bytes) -> None:
    reading = read_records(text)
    assert all(fault.line >= 1 and fault.column >= 1 for fault in reading.faults)
    assert len(reading.records) == len(reading.numbers)
    assert bool(reading.faults) or parse_records(text) == list(reading.records)
    starts = [(fault.line, fault.column) for fault in reading.faults]
    assert len(starts) <= MAX_FAULTS + 1


@settings(max_examples=3000)
@given(record_values.texts_like_records)
def test_any_text_is_read_or_told_of(text: str) -> None:
    check_reading(text)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_told_of(data: bytes) -> None:
    check_reading(data)


@settings(max_examples=1500)
@given(record_values.records, st.integers(0, 10_000), st.sampled_from(record_values.AWKWARD), st.booleans())
def test_a_record_with_one_character_changed_is_read_or_told_of(
    record: Record, at: int, character: str, keep: bool
) -> None:
    text = str(record)
    at %= len(text)
    check_reading(text[:at] + character + text[at + (not keep) :])


LONG = 300_000


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(" * LONG, "variation_without_move"),
        ("1. a1-a2 " + "(1. a1-a3 " * (LONG // 10), "too_deep"),
        ("1. a1-a2 " + ")" * LONG, "unopened_variation"),
        ("{" * LONG, "unclosed_comment"),
        ("{" + "\\" * LONG, "unclosed_comment"),
        ("{" + " " * LONG + "\n}", "missing_result"),
        ("{" + " \n" * LONG + "}", "missing_result"),
        ("{" + "\\\n" * (LONG // 2) + "}", "missing_result"),
        ('[A "' + "\\" * LONG, "bad_header"),
        ("[" + "A" * LONG, "bad_header"),
        ("[A" + " " * LONG, "bad_header"),
        ('[A "\n' * (LONG // 5), "bad_header"),
        ("[A " * (LONG // 3), "bad_header"),
        ("9" * LONG + ". a1-a2 *", "wrong_number"),
        ("1. " * (LONG // 3), "unexpected_token"),
        ("a" * LONG, "bad_move"),
        ("a1-a2" + "xa3" * (LONG // 3) + "!", "bad_call"),
        ("@" + "9" * LONG, "bad_clock"),
        ("!" * LONG, "bad_call"),
        ("} " * (LONG // 2), "unexpected_token"),
        ("x * " * (LONG // 4), "bad_move"),
        ('[Switches "' + "a=" * (LONG // 2) + '"]\n[Switches "' + "=" * LONG + '"]', "bad_header_value"),
        ("\r" * LONG + "(", "variation_without_move"),
    ],
)
def test_a_long_text_takes_little_time_and_memory(text: str, code: str) -> None:
    tracemalloc.start()
    begun = time.perf_counter()
    reading = read_records(text)
    seconds = time.perf_counter() - begun
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert code in codes(reading)
    assert seconds < 10
    assert peak < 50_000_000


def test_a_long_text_of_games_is_read_in_the_time_it_takes() -> None:
    text = format_records(parse_records(WELL_WRITTEN) * 300)
    times = []
    for copies in (1, 4):
        begun = time.perf_counter()
        assert len(parse_records(text * copies)) == 300 * copies
        times.append(time.perf_counter() - begun)
    assert times[1] < 16 * max(times[0], 0.01)
