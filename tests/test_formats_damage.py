"""Formats and bad input: long lines, damaged files, bounded memory, invalid JSON lines."""

import gzip
import io
import json
import random
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hnefi import variant
from hnefi.errors import RecordError
from hnefi.formats import (
    FORMATS,
    Format,
    RawGame,
    ReadOptions,
    find_format,
    read_games,
    recognise,
)
from hnefi.formats.game_types import number_of
from hnefi.formats.lines import LARGEST_GAME, LONGEST_LINE, lines_of
from hnefi.i18n import explain
from hnefi.record import variant_headers
from tests.test_formats import BRANDUB, Endless, faults, played, read


def memory_of(games: Iterator[RawGame | RecordError]) -> tuple[int, list[RecordError], int]:
    """Counts what is read; returns the faults in it and the most memory besides."""
    count, faults = 0, list[RecordError]()
    tracemalloc.start()
    try:
        for one in games:
            count += 1
            faults += [one] if isinstance(one, RecordError) else []
        return count, faults, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["csv", "moves", "tafl"])
def test_many_games_take_no_more_memory_than_one(name: str) -> None:
    record = played(3, 8)
    one = find_format(name).write(RawGame.of(record)).text.encode()
    stream = io.BufferedReader(Endless(one, len(one) * 600))
    count, _, most = memory_of(find_format(name).read(stream, ReadOptions()))
    assert count == 600
    assert most < 3_000_000


@pytest.mark.parametrize("name", ["csv", "moves", "tafl"])
def test_a_line_of_100_megabytes_is_one_fault_in_bounded_memory(name: str) -> None:
    stream = io.BufferedReader(Endless(b"d2-e2 ", 100_000_000))
    _, found, most = memory_of(find_format(name).read(stream, ReadOptions()))
    assert [(one.code, one.line) for one in found] == [("line_too_long", 1)]
    assert most < 5 * LONGEST_LINE


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_a_truncated_archive_is_one_fault_after_the_whole_games(form: Format, lenient: bool) -> None:
    texts = [form.write(RawGame.of(played(seed, 9))).text for seed in range(40)]
    packed = gzip.compress("".join(texts).encode())
    for size in range(len(packed) // 3, len(packed), 97):
        *whole, last = read_games(io.BytesIO(packed[:size]), ReadOptions(BRANDUB, lenient), form)
        assert not [one for one in whole if isinstance(one, RecordError) or one.faults]
        (fault,) = (last,) if isinstance(last, RecordError) else last.faults
        assert (fault.code, fault.parameters["game"]) == ("archive_cut", str(len(whole) + 1))
        assert isinstance(last, RecordError) or (lenient and last.is_cut and last.is_truncated)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_what_follows_an_archive_is_told_from_damage(form: Format) -> None:
    packed = gzip.compress(form.write(RawGame.of(played(1, 9))).text.encode())
    found = [*read_games(io.BytesIO(packed + b"rubbish"), ReadOptions(BRANDUB), form)]
    (fault,) = (one for one in found if isinstance(one, RecordError))
    assert len(found) == 2
    assert (fault.code, fault.parameters["part"]) == ("archive_cut", "rest")
    assert "Something else follows" in explain(fault, "en")


def test_a_game_without_an_end_is_one_fault() -> None:
    text = '[Site "x"]\n' + "{a comment without an end\n" * (LARGEST_GAME // 20)
    assert faults(text, "tafl") == [("game_too_long", 1, 1)]


def test_invalid_encoding_is_reported() -> None:
    assert faults(b"d2-e2 \xff,0,0,White\n", "csv") == [("bad_encoding", 1, 7)]
    assert [line.text for line in lines_of(io.BytesIO(b"\xef\xbb\xbfa\r\n\nb"))] == ["a", "", "b"]


@pytest.mark.parametrize("name", ["csv", "jsonl", "moves"])
def test_a_line_that_is_not_utf_8_is_a_fault_of_its_game(name: str) -> None:
    found = [one for one in read(b"not \xff\n\nnot \xff\n", name) if isinstance(one, RecordError)]
    assert [(one.code, one.parameters["game"], one.line) for one in found] == [
        ("bad_encoding", "1", 1),
        ("bad_encoding", "2", 3),
    ]


@pytest.mark.parametrize("name", ["otg", "pgn", "tafl"])
@pytest.mark.parametrize("damage", [b"Caf\xe9", b"x" * LONGEST_LINE], ids=["encoding", "length"])
def test_a_damaged_header_begins_no_second_game(name: str, damage: bytes) -> None:
    text = find_format(name).write(RawGame.of(played(3, 8))).text.encode()
    head = b"[site:%s]\n" if name == "otg" else b'[Site "%s"]\n'
    found = read(head % b"Tara" + head.replace(b"ite", b"ource") % damage + text, name)
    assert [isinstance(one, RecordError) for one in found] == [True]


def test_invalid_encoding_in_the_moves_spoils_one_game_of_a_block() -> None:
    found = read(b"1. d2-c2 *\n1. d2-c2 {caf\xe9} *\n1. d2-c2 2. c4-c3 *\n", "tafl")
    assert [one.game for one in found if isinstance(one, RawGame)] == [1, 3]
    assert faults(b"1. d2c2 {caf\xe9}\n", "pgn") == [("bad_encoding", 1, 13)]


@given(st.binary(max_size=300), st.sampled_from(FORMATS))
def test_readers_survive_any_input(raw: bytes, form: Format) -> None:
    for one in form.read(io.BytesIO(raw), ReadOptions()):
        assert isinstance(one, RawGame | RecordError)


@given(st.integers(0, 10_000), st.sampled_from(FORMATS))
def test_damaged_files_give_games_or_faults(seed: int, form: Format) -> None:
    chance = random.Random(seed)
    record = played(seed % 20, 12)
    text = bytearray(form.write(RawGame.of(record)).text.encode() * 2)
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(text))
        text[at : at + chance.randrange(3)] = bytes(chance.choices(b'[]"x-19ad \n\xff', k=2))
    for one in form.read(io.BytesIO(bytes(text)), ReadOptions(variant=BRANDUB)):
        assert isinstance(one, RawGame | RecordError)
        if isinstance(one, RawGame):
            one.record()


def line(**facts: object) -> str:
    usual: dict[str, object] = {
        "id": "51-1-1",
        "type": 51,
        "variant": "Brandubh",
        "attackers": 3,
        "defenders": 2,
    }
    return json.dumps(usual | {"moves": ["d2-c2"], "winner": "Black"} | facts)


def read_lines(*lines: str) -> list[RawGame | RecordError]:
    return list(read_games(io.BytesIO("\n".join(lines).encode()), ReadOptions(), find_format("jsonl")))


def game_of(**facts: object) -> RawGame:
    (found,) = read_lines(line(**facts))
    assert isinstance(found, RawGame)
    return found


NO_NAMES = (("id", {"a": 2}), ("attackers", float("nan")), ("defenders", True), ("variant", [1]))


def test_a_line_is_a_game() -> None:
    raw = game_of(moves=["d2-c2", "d3e3", "resigned"])
    assert raw.moves == ("d2-c2", "d3e3")
    assert raw.header("Result") == "attackers"
    assert raw.header("Reason") == "resignation"
    assert raw.header("Attackers") == "3"
    assert number_of(raw) == (51, "Brandubh")
    assert recognise(f"{line()}\n".encode()).name == "jsonl"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "no_object"),
        ("[" * 100_000, "no_object"),
        ("[1]", "no_object"),
        (line(moves="d2-c2"), "bad_field"),
        (line(moves=[1]), "bad_field"),
        (line(moves=["d2-c2", "e3"]), "bad_move"),
        (line(moves=["d2-c2 d3-c3"]), "bad_move"),
        (line(moves=["d2-c2\nd3-c3"]), "bad_move"),
        (line(winner="Nobody"), "bad_outcome"),
        *((line(**{key: value}), "bad_field") for key, value in NO_NAMES),
    ],
)
def test_an_invalid_line_is_reported_and_the_next_is_read(text: str, code: str) -> None:
    first, second = read_lines(text, line())
    assert isinstance(first, RecordError)
    assert (first.code, first.line) == (code, 1)
    assert isinstance(second, RawGame)
    assert second.line == 2


@pytest.mark.parametrize("number", [0, None])
def test_the_id_of_a_variant_names_it_where_no_type_is_known(number: int | None) -> None:
    raw = game_of(type=number, variant="brandub-globe")
    named = variant_headers("brandub-globe")
    assert raw.headers[: len(named)] == named
    form = find_format("jsonl")
    written = form.write(raw)
    assert (read_lines(written.text), written.gaps) == ([raw], ())
    changed = variant_headers(variant("brandub-globe").with_switches({"quiet_limit": "40"}))
    assert '"variant": ""' in form.write(replace(raw, headers=changed)).text
    for other in ({"type": number, "variant": "Brandubh"}, {"type": 999_999, "variant": "brandub-globe"}):
        assert game_of(**other).header("Variant") is None


@pytest.mark.parametrize(("winner", "found"), [(None, "null"), (True, "true"), ([1], "[1]")])
def test_a_winner_that_is_no_text_is_shown_as_json(winner: object, found: str) -> None:
    (fault,) = read_lines(line(winner=winner))
    assert isinstance(fault, RecordError)
    assert (fault.code, fault.parameters["found"]) == ("bad_outcome", found)


def test_a_name_may_be_null() -> None:
    raw = game_of(id=None, attackers=None, variant=None)
    assert (raw.header("Id"), raw.header("Attackers"), number_of(raw)) == (None, None, (51, ""))


def test_written_games_round_trip() -> None:
    raw = game_of(moves=["d2-c2", "d3-e3", "timeout"])
    written = find_format("jsonl").write(raw)
    assert (read_lines(written.text), written.gaps) == ([raw], ())


@pytest.mark.parametrize("number", ["16", 0, -1, True, 1.5, None, 10**12])
def test_a_type_that_is_no_number_is_none(number: object) -> None:
    assert number_of(game_of(type=number)) == (0, "")
