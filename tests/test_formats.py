"""File formats: the common interface, the native format, CSV tables, bare moves."""

import gzip
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hnefi import variant
from hnefi._core import Outcome, random_game
from hnefi.errors import RecordError
from hnefi.formats import (
    FORMATS,
    Format,
    FormatError,
    RawGame,
    ReadOptions,
    explain_gap,
    find_format,
    read_games,
    recognise,
)
from hnefi.i18n import explain
from hnefi.pieces import Reason, Side
from hnefi.record import Record, format_records, variant_headers
from hnefi.record.headers import Headers
from tests.cli_runs import run
from tests.codes import has_code, places_of
from tests.record_values import records
from tests.samples import examples

BRANDUB = variant("brandub-globe")
ROWS = """d2-e2 c4-c5 f4-f5 d4-c4 e2-d2xd3 c4-c3,1,0,Ongoing
d2-c2 d5-e5 timeout,0,0,White
,0,0,Draw
"""


def test_the_reference_and_the_page_of_analysis_name_every_format() -> None:
    root = Path(__file__).parents[1]
    reference = (root / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
    table = reference.partition("| name |")[2].partition("\n\n")[0]
    named = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    names = sorted(one.name for one in FORMATS)
    assert sorted(named) == names, "each format has a row in the table of docs/reference/formats.md"
    page = (root / "web" / "src" / "pages" / "analysis" / "records.tsx").read_text(encoding="utf-8")
    (accepted,) = re.findall(r'accept="([^"]+),\.gz,text/plain"', page)
    endings = sorted(ending for one in FORMATS for ending in one.extensions)
    assert sorted(accepted.split(",")) == endings, "each ending is in `accept` of pages/analysis/records.tsx"


def read(text: str | bytes, name: str = "", lenient: bool = False) -> list[RawGame | RecordError]:
    raw = text.encode() if isinstance(text, str) else text
    form = find_format(name) if name else None
    return list(read_games(io.BytesIO(raw), ReadOptions(variant=BRANDUB, lenient=lenient), form))


def raws(text: str | bytes, name: str = "", lenient: bool = False) -> list[RawGame]:
    found = read(text, name, lenient)
    assert not [one for one in found if isinstance(one, RecordError)]
    return [one for one in found if isinstance(one, RawGame)]


def faults(text: str | bytes, name: str = "") -> list[tuple[str, int, int]]:
    return places_of(read(text, name))


def played(seed: int, plies: int) -> Record:
    game = random_game(BRANDUB.rules, seed, plies)
    if game.outcome is None:
        winner = (Side.ATTACKERS, Side.DEFENDERS)[seed % 2]
        game = game.end(Outcome(winner, Reason.TIME))
    return Record.from_game(game, variant_headers(BRANDUB))


class Endless(io.RawIOBase):
    """A file that is made while it is read: after its head, a piece of text over and over."""

    def __init__(self, piece: bytes, size: int, head: bytes = b"") -> None:
        self._piece = piece
        self._left = size
        self._head = head

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        target = memoryview(buffer)  # type: ignore[arg-type]
        many = self._piece * (len(target) // len(self._piece))
        piece = self._head[: len(target)] or (many or self._piece)[: min(len(target), self._left)]
        target[: len(piece)] = piece
        self._left -= 0 if self._head else len(piece)
        self._head = self._head[len(piece) :]
        return len(piece)


def test_the_table_is_read_without_asking_the_rules() -> None:
    first, second, third = raws(ROWS)
    assert first.written == ("d2-e2", "c4-c5", "f4-f5", "d4-c4", "e2-d2xd3", "c4-c3")
    assert (first.captures, first.header("Result")) == ((1, 0), "*")
    assert (second.header("Result"), second.header("Reason")) == ("defenders", "time")
    assert second.written == ("d2-c2", "d5-e5")
    assert (third.written, third.header("Result")) == ((), "draw")
    assert [(one.game, one.line) for one in (first, second, third)] == [(1, 1), (2, 2), (3, 3)]
    wild = raws("a1-a9 b2-b3,0,0,Black", "csv")[0]
    assert wild.moves == ("a1-a9", "b2-b3")
    assert not wild.replay().ok


def test_the_table_is_written_as_it_was_read() -> None:
    form = find_format("csv")
    assert "".join(form.write(raw).text for raw in raws(ROWS)) == ROWS


def test_the_table_counts_captures_by_the_rules() -> None:
    raw = RawGame(full_record=(record := played(4, 40)), headers=record.headers)
    moves, by_attackers, by_defenders, _ = find_format("csv").write(raw).text.split(",")
    assert moves.count("x") == int(by_attackers) + int(by_defenders) > 0
    again = raws(find_format("csv").write(raw).text)[0]
    assert [node.move for node in again.record().nodes] == [
        node.move for node in record.nodes if node.move is not None
    ]


def test_a_game_without_known_rules_cannot_be_counted() -> None:
    for headers, advised in (((("Result", "*"),), True), (variant_headers(BRANDUB), False)):
        with pytest.raises(RecordError, check=has_code("unplayable")) as raised:
            find_format("csv").write(RawGame(headers, ("d2-e3",)))
        assert ("--variant" in explain(raised.value, "en")) == advised


@pytest.mark.parametrize(
    ("row", "code", "column"),
    [
        ("d2-e2,0,0", "bad_columns", 1),
        ("d2-e2,0,x,White", "bad_number", 9),
        ("d2-e2,0,0,Green", "bad_outcome", 11),
        ("d2-e2 z4-c5 d2-d1,0,0,White", "bad_move", 7),
    ],
)
def test_a_row_with_a_fault_has_a_place(row: str, code: str, column: int) -> None:
    assert faults(f"{ROWS}{row}\n{ROWS}", "csv") == [(code, 4, column)]
    assert len(read(f"{ROWS}{row}\n{ROWS}", "csv")) == 7


def test_a_column_without_a_number_is_named() -> None:
    first, second = read("d2-e2,,0,White\nd2-e2,0,x,White\n", "csv")
    assert isinstance(first, RecordError)
    assert isinstance(second, RecordError)
    assert "captures by the attackers has “”" in explain(first, "en")
    assert "prises des défenseurs contient «\u00a0x\u00a0»" in explain(second, "fr")


def test_lenient_reading_keeps_the_moves_before_a_fault() -> None:
    found = raws("d2-e2 z4-c5 d2-d1,0,0,White\n", "csv", lenient=True)
    assert found[0].written == ("d2-e2",)
    assert raws("d2-e2 z4-c5\n", "moves", lenient=True)[0].written == ("d2-e2",)


def test_bare_moves_of_both_ages() -> None:
    old, new = raws("e3h3 e2h2 resigned\nd2-e2 c4-c5 e2-d2xd3xf2\n", "moves")
    assert (old.written, new.written) == (("e3h3", "e2h2"), ("d2-e2", "c4-c5", "e2-d2xd3xf2"))
    assert [gap.code for gap in old.gaps] == ["no_winner"]
    assert find_format("moves").write(new).text == "d2-e2 c4-c5 e2-d2xd3xf2\n"
    assert faults("d2-e2 c4-c5 nonsense\n", "moves") == [("bad_move", 1, 13)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("d2–e2 c4–c5 e2–d2 ×d3×f2 c5–c4", "moves"),
        ("d2–e2\nc4–c5\ne2–d2  xd3xf2\nc5–c4\n", "moves"),
        ("1. d2–e2 c4–c5\n2. e2–d2 ×d3×f2 c5–c4\n", "pgn"),
    ],
)
def test_captures_may_stand_apart_from_their_move(text: str, name: str) -> None:
    assert recognise(text.encode()).name == name
    (found,) = raws(text, name)
    assert [move.replace("–", "-").replace("×", "x") for move in found.written] == [
        "d2-e2",
        "c4-c5",
        "e2-d2xd3xf2",
        "c5-c4",
    ]
    assert faults(text.replace("c5–c4", "xc5 c4"), name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("1. d2–e2 c4–c5\n2. K d4–e4 …", "pgn"),
        ("1. d2-e2 c4-c5 2. Kd4-e4 ...", "pgn"),
        ("1. d2–e2 c4–c5 2. R d4–e4", "pgn"),
        ("1.\nd2–e2\nc4–c5\n2.\nR d4–e4\n…", "pgn"),
        ("d2–e2 c4–c5 K d4–e4", "moves"),
        ("d2–e2\nc4–c5\nR d4–e4\n", "moves"),
    ],
)
def test_letters_of_kings_and_dots_for_a_move_to_come_are_read(text: str, name: str) -> None:
    assert recognise(text.encode()).name == name
    (found,) = raws(text, name)
    assert [move.replace("–", "-") for move in found.written] == ["d2-e2", "c4-c5", "d4-e4"]


@pytest.mark.parametrize(
    "lines",
    [
        "d2-e2\nc4-c5\ne2-d2\n",
        "1. d2-e2\n2. c4-c5\n\n3. e2-d2",
        "1 d2e2\r\n2 c4c5\r\n3 e2d2",
        "d2–e2\nR c4–c5\nKe2–d2",
        "d2-e2\nc4-c5+\ne2-d2++",
        "d2-e2 c4-c5+\te2-d2#",
    ],
)
def test_one_move_on_each_line_is_one_game(lines: str) -> None:
    assert recognise(lines.encode()).name == "moves"
    (found,) = raws(lines, "moves")
    assert [word.replace("-", "") for word in found.written] == ["d2e2", "c4c5", "e2d2"]
    assert (found.game, found.line) == (1, 1)


def test_a_word_that_is_no_move_is_a_fault_of_the_one_game() -> None:
    text = "D2-E2\nC4-C5\nwhat\nE2-D2\n"
    (fault,) = read(text, "moves")
    assert isinstance(fault, RecordError)
    assert (fault.code, fault.line, fault.parameters["game"]) == ("bad_move", 3, "1")
    (found,) = raws("d2-e2\nc4-c5\nresigned\n", "moves")
    assert [(gap.code, gap.facts["reason"]) for gap in found.gaps] == [("no_winner", "resignation")]


@pytest.mark.parametrize(("last", "result"), [("Black wins", "attackers"), ("defenders", "defenders")])
def test_words_behind_one_move_on_each_line_say_the_result(last: str, result: str) -> None:
    text = f"1. d2-e2\n2. c4-c5\n{last}\n"
    assert recognise(text.encode()).name == "moves"
    (found,) = raws(text, "moves")
    assert (len(found.moves), found.header("Result")) == (2, result)
    (fault,) = read(text.replace(last, "Ana was lucky"), "moves")
    assert isinstance(fault, RecordError)
    assert (fault.line, fault.parameters["text"]) == (3, "Ana was lucky")


def test_a_list_of_moves_refuses_a_game_without_any() -> None:
    with pytest.raises(RecordError, check=has_code("no_moves")):
        find_format("moves").write(RawGame.of(played(0, 0)))


def test_a_list_of_moves_claims_no_result() -> None:
    text = "d6-c6 d5-a5 d7-d6 d4-d5 d6-e6 d5-b5 e6-e5 b5-b7 c6-c7"
    (found,) = raws(text, "moves")
    replay = found.replay()
    assert replay.faults == ()
    assert replay.game is not None
    assert replay.game.outcome is not None


def test_one_move_beside_games_of_several_is_a_game() -> None:
    found = raws("d2-e2\nd2-f2\nd2-e2 c4-c5\nd2-c2\n", "moves")
    assert [(raw.game, raw.line, len(raw.moves)) for raw in found] == [
        (1, 1, 1),
        (2, 2, 1),
        (3, 3, 2),
        (4, 4, 1),
    ]


def test_native_format_is_lossless() -> None:
    text = Path("tests/records/refused-escape.tafl").read_text(encoding="utf-8")
    form = find_format("tafl")
    found = raws(text)
    assert "".join(form.write(raw).text for raw in found).strip() == text.strip()
    assert not any(form.write(raw).gaps for raw in found)


@examples(15)
@given(st.lists(records, max_size=4))
def test_our_form_is_read_game_by_game_as_at_once(values: list[Record]) -> None:
    text = "".join(find_format("tafl").write(RawGame.of(one)).text for one in values)
    found = list(find_format("tafl").read(io.BytesIO(text.encode()), ReadOptions()))
    assert [one.full_record for one in found if isinstance(one, RawGame)] == values
    assert [one.game for one in found if isinstance(one, RawGame)] == list(range(1, len(values) + 1))


def test_faults_of_our_form_have_their_place_in_the_whole_file() -> None:
    good = format_records([played(1, 6)])
    text = f"{good}\n[Site “bad”]\n\n1. d2-c2 *\n\n{good}"
    lines = good.count("\n") + 2
    assert faults(text, "tafl") == [("bad_header", lines, 1)]
    games = [one.game for one in read(text, "tafl") if isinstance(one, RawGame)]
    assert games == [1, 3]


def test_gaps_of_a_format_are_reported() -> None:
    text = Path("tests/records/refused-escape.tafl").read_text(encoding="utf-8")
    gaps = find_format("moves").write(raws(text)[0]).gaps
    assert {"refused_escapes", "header"} <= {gap.code for gap in gaps}
    for gap in gaps:
        assert explain_gap(gap, "fr") != explain_gap(gap, "en")


def test_gaps_of_variations_and_passes_are_reported() -> None:
    record = raws('[Variant "brandub-globe"]\n\n-- {wait} 1. d2-c2 (1. d2-e2!1 @0:00:05) *')[0]
    assert {"comments", "clocks", "calls"} <= {gap.code for gap in find_format("pgn").write(record).gaps}


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_written_files_are_recognised_as_their_format(form: Format) -> None:
    for seed in range(8):
        record = played(seed, 10 + seed)
        text = form.write(RawGame.of(record)).text
        assert recognise(text.encode()) is form
        assert recognise((text * 3).encode()[:-5], f"games{form.extensions[0]}") is form


@pytest.mark.parametrize("headers", [(), variant_headers(BRANDUB.with_switches({"quiet_limit": "40"}))])
@pytest.mark.parametrize("reason", Reason)
@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_every_header_that_does_not_come_back_is_a_gap(
    form: Format, reason: Reason, headers: Headers
) -> None:
    others = ("Club", "GameType", "Calls", "Match", "Leg", "Annotator", "Attackers", "Id")
    values = {"GameType": "4711 unknown", "Calls": "off", "Match": "two_legs", "Leg": "1", "Id": "x" * 300}
    given = (*(headers or variant_headers(BRANDUB)), *((name, values.get(name, "x")) for name in others))
    given = (*given, ("Result", "attackers"), ("Reason", reason.value))
    written = form.write(RawGame.of(replace(played(1, 6), headers=given)))
    (back,) = read_games(io.BytesIO(written.text.encode()), ReadOptions(), form)
    assert isinstance(back, RawGame)
    named = {gap.facts.get("name", gap.code.capitalize()) for gap in (*written.gaps, *back.gaps)}
    named |= {"Reason"} if any(gap.code == "no_winner" for gap in back.gaps) else set()
    assert {name for name, value in given if back.header(name) != value} <= named | {"Revision", "Rules"}


def test_a_lone_surrogate_in_a_header_is_a_question_mark(tmp_path: Path) -> None:
    texts = {
        "tafl": '[Variant "brandub-globe"]\n[Attackers "\\ud800"]\n[Result "*"]\n\n1. d2-c2 {\\ud800} *\n',
        "jsonl": '{"type": 51, "variant": "", "attackers": "\\ud800", "moves": ["d2-c2"], "winner": ""}',
    }
    for form, content in texts.items():
        path = tmp_path / f"in.{form}"
        path.write_text(content)
        (raw,) = read_games(path, errors="raise")
        assert raw.header("Attackers") == raw.record().header("Attackers") == "?"
        assert run("library", "add", str(path), "--library", str(tmp_path / form))[0] == 0
        for written in ("jsonl", "otg", "tafl"):
            assert run("convert", str(path), "-o", str(tmp_path / f"out.{written}"))[0] == 0


def test_unknown_formats_are_refused() -> None:
    for text in (b"", b"hello world\n", b"\x00\xff\x00", b"<html>", b"{}"):
        with pytest.raises(FormatError) as refused:
            recognise(text, "a.dat")
        assert "a.dat" in explain(refused.value, "fr")
    with pytest.raises(FormatError, match="csv"):
        find_format("pdf")


def test_errors_come_among_the_games_or_are_raised_or_skipped() -> None:
    lines = ("1. d2-c2 *", "1. hello *", "1. d2-b2 *")
    text = "\n".join(f'[Variant "brandub-globe"]\n\n{line}\n' for line in lines).encode()

    def read(how: Literal["raise", "skip"]) -> Iterator[RawGame]:
        return read_games(io.BytesIO(text), ReadOptions(variant=BRANDUB), errors=how)

    assert [raw.moves for raw in read("skip")] == [("d2-c2",), ("d2-b2",)]
    games = read("raise")
    assert next(games).moves == ("d2-c2",)
    with pytest.raises(RecordError, match="hello"):
        next(games)
    kinds = [type(one) for one in read_games(io.BytesIO(text), ReadOptions(variant=BRANDUB))]
    assert kinds == [RawGame, RecordError, RawGame]
    with pytest.raises(ValueError, match=r"^errors: drop, expected collect"):
        list(read("drop"))  # type: ignore[arg-type]


def test_packed_files_are_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "games.csv.gz"
    path.write_bytes(gzip.compress(ROWS.encode()))
    assert len(list(read_games(path))) == 3
    path.write_bytes(gzip.compress(ROWS.encode())[:12])
    with pytest.raises(FormatError, match=r"games\.csv\.gz"):
        list(read_games(path))


def test_lines_may_end_with_cr_alone_and_utf_16_is_named() -> None:
    old = b'[Event "A"]\r\r1. d2e2 c4c5\r2. f4f5 x\r'
    (fault,) = read(old)
    assert isinstance(fault, RecordError)
    assert (fault.code, fault.line, fault.column) == ("bad_move", 4, 9)
    for encoding in ("UTF-16", "UTF-32"):
        with pytest.raises(FormatError) as refused:
            read(old.decode().encode(encoding))
        assert (refused.value.code, refused.value.parameters["encoding"]) == ("utf_16", encoding)
