"""Malformed records: errors with a place, bounded time and memory."""

import random
import re
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hnefi.record
from hnefi import RecordError
from hnefi.i18n import has_text
from hnefi.record import (
    Node,
    Reading,
    Record,
    explain_fault,
    format_records,
    parse_records,
    read_records,
    variant_headers,
)
from hnefi.record.headers import CLOSED
from hnefi.record.parser import MAX_FAULTS
from tests import record_values
from tests.codes import places_of
from tests.record_texts import SAMPLES, WELL_WRITTEN
from tests.samples import examples


def codes(reading: Reading) -> list[str]:
    return [fault.code for fault in reading.faults]


# ---- what cannot be read


FAULTY: list[tuple[str, list[tuple[str, int, int]]]] = [
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
    ("1. d2xc2 d2 c2 *", [("bad_move", 1, 4), ("bad_move", 1, 10), ("bad_move", 1, 13)]),
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
    ("1. d2-c2 (1. d2-b2 {x}\n", [("unclosed_variation", 1, 10), ("missing_result", 2, 1)]),
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
    ('[Result "*"]\n\n1. d2-c2 attackers', [("result_mismatch", 3, 10)]),
    ("1. d2-c2 {\udcff} *", [("bad_encoding", 1, 11)]),
    ('[Site "\udcff"]\n\n1. d2-c2 {\udcff} *', [("bad_encoding", 1, 8), ("bad_encoding", 3, 11)]),
    ("1. d2-c\udcff *", [("bad_move", 1, 4), ("bad_encoding", 1, 8)]),
]


@pytest.mark.parametrize(("text", "expected"), FAULTY)
def test_a_fault_has_a_place(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert places_of(read_records(text).faults) == expected
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


def test_invalid_utf_8_affects_only_its_game() -> None:
    reading = read_records('[Site "Émain"]\n\n*\n\n[Site "Tara"]\n\n*\n'.encode("latin-1"))
    assert [record.header("Site") for record in reading.records] == ["Tara"]
    assert places_of(reading.faults) == [("bad_encoding", 1, 8)]


def test_lenient_reading_ends_before_a_byte_that_is_not_utf_8() -> None:
    (game,) = read_records(b'[Site "\xe9"]\n\n1. d2-c2 2. c4-c3 *', lenient=True).records
    assert (game.headers, len(game.nodes)) == ((), 2)
    (game,) = read_records(b"1. d2-c2 2. c4-c3 {\xe9} 3. d3-e3 *", lenient=True).records
    assert [(str(node.move), node.comments) for node in game.nodes] == [("d2-c2", ()), ("c4-c3", ())]


def test_too_many_faults_end_the_reading_with_a_fault() -> None:
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


@examples(50)
@given(record_values.texts_like_records)
def test_any_text_gives_records_or_faults(text: str) -> None:
    check_reading(text)


@given(st.binary(max_size=300))
def test_any_bytes_give_records_or_faults(data: bytes) -> None:
    check_reading(data)


@examples(20)
@given(record_values.records, st.integers(0, 10_000), st.sampled_from(record_values.AWKWARD), st.booleans())
def test_a_record_with_one_changed_character_gives_records_or_faults(
    record: Record, at: int, character: str, keep: bool
) -> None:
    text = str(record)
    at %= len(text)
    check_reading(text[:at] + character + text[at + (not keep) :])


def spoilt_texts(seed: int, count: int) -> Iterator[str]:
    """Texts of records with some characters changed, taken out, put in, doubled or moved."""
    chooser = random.Random(seed)
    models = [path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob("*.tafl"))] + [WELL_WRITTEN]
    for _ in range(count):
        text = chooser.choice(models)
        for _ in range(chooser.randint(1, 6)):
            at, end = sorted((chooser.randrange(len(text) + 1), chooser.randrange(len(text) + 1)))
            end = min(end, at + chooser.choice((0, 1, 3, 40)))
            middle = chooser.choice(("", text[at:end] * 2, chooser.choice(record_values.AWKWARD), "(" * 70))
            text = text[:at] + middle + text[end:]
        yield text


def test_thousands_of_mutated_records_give_records_or_faults() -> None:
    """They may cause only reported faults, in parsing and in replaying."""
    seed = 20261127
    print("seed", seed)
    fault_count = contradictions = 0
    for text in spoilt_texts(seed, 2_500):
        reading = read_records(text)
        fault_count += len(reading.faults)
        contradictions += sum(len(record.replay().faults) for record in reading.records)
    assert fault_count > 1_250
    assert contradictions > 250


@pytest.mark.deep
def test_half_a_million_mutated_records_give_records_or_faults() -> None:
    seed = random.SystemRandom().randrange(2**32)
    print("seed", seed)
    for text in spoilt_texts(seed, 500_000):
        reading = read_records(text)
        assert parse_records(format_records(reading.records)) == list(reading.records)
        for record in reading.records:
            record.replay()


LONG = 40_000


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
    begun = time.process_time()
    reading = read_records(text)
    seconds = time.process_time() - begun
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert code in codes(reading)
    # Processor time: the longest takes 0.4 s with `tracemalloc`; read again from each place, minutes.
    assert seconds < 20
    assert peak < 170 * LONG


def test_a_long_text_of_games_is_read_in_the_time_it_takes() -> None:
    text = format_records(parse_records(WELL_WRITTEN) * 100)
    times = []
    for copies in (1, 16):
        begun = time.process_time()
        assert len(parse_records(text * copies)) == 100 * copies
        times.append(time.process_time() - begun)
    # 16 to 20 times if in proportion, 256 times if rescanned. The least time is for quick machines.
    assert times[1] < 100 * max(times[0], 0.05)


# ---- every fault has a text

SOURCES = Path(hnefi.record.__file__).parent
RAISED = re.compile(r'(?:record_error|_report|_fault|_add)\(\s*"([a-z_]+)"')


def test_every_code_has_a_text_and_is_in_the_decision() -> None:
    decision = Path(__file__).parents[1] / "docs" / "explanation" / "decisions" / "0014-records.md"
    documented = decision.read_text(encoding="utf-8")
    sources = [path.read_text(encoding="utf-8") for path in SOURCES.glob("*.py")]
    codes = {code for source in sources for code in RAISED.findall(source)}
    assert len(codes) > 40
    assert {code for code in codes if f"`{code}`" not in documented} == set()
    assert {code for code in codes if not has_text(f"error.{code}", "fr")} == set()


def test_the_text_of_an_error_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RecordError, match=r"^Line 2, column 11: This comment is not closed"):
        parse_records("1. d2-c2\n(1. d2-b2 {x *")
    monkeypatch.setenv("HNEFI_LANG", "fr")
    assert str(read_records("1. d2-c2 }").faults[0]).startswith("Ligne 1, colonne 10\N{NO-BREAK SPACE}: ")


def test_the_reference_lists_the_headers_with_their_values() -> None:
    page = (Path(__file__).parents[1] / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
    section = page.partition("## `tafl`")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.MULTILINE))
    for name, values in CLOSED.items():
        listed = re.findall(r"`([a-z0-9_*]+)`", rows[name].partition("; without")[0])
        assert tuple(listed) == values, name
    assert {*dict(variant_headers("tablut-geoludie")), "Switches", "Start"} <= {*rows}
    (record,) = parse_records(section.split("```\n")[1])
    assert record.replay().ok


def test_what_is_expected_of_a_header_begins_with_what_resembles_it() -> None:
    (fault,) = read_records('[Reason "resigned"]\n\n*').faults
    assert fault.parameters["expected"].startswith("resignation | ")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_fault_of_a_text_has_a_message(language: str) -> None:
    faults = [fault for text, _ in FAULTY for fault in read_records(text).faults]
    assert {fault.code for fault in faults} >= {
        "wrong_number",
        "bad_move",
        "bad_header_value",
        "bad_encoding",
    }
    for fault in faults:
        words = explain_fault(fault, language)
        assert re.match(r"(Line|Ligne) \d+, (column|colonne) \d+\u00a0?: ", words)
        assert fault.code not in words


def test_a_refused_value_has_no_place() -> None:
    with pytest.raises(RecordError) as caught:
        Node(None, call=1)
    assert explain_fault(caught.value, "fr").startswith("Un tour passé")


def test_the_word_behind_the_moves_is_the_result_where_no_header_says_it() -> None:
    text = '[Variant "brandub-globe"]\n\n1. d2-c2 {}\n'
    ended, open_game = (read_records(text.format(word)).records[0] for word in ("attackers", "*"))
    assert (ended.result, open_game.header("Result")) == ("attackers", None)
    assert [fault.code for fault in ended.replay().faults] == ["missing_rules", "missing_reason"]
