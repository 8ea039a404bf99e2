"""The format `jsonl`: games as JSON lines, read and written."""

import io
import json
from dataclasses import replace

import pytest

from hnefi import variant
from hnefi.errors import RecordError
from hnefi.formats import (
    RawGame,
    ReadOptions,
    find_format,
    read_games,
    recognise,
)
from hnefi.formats.game_types import number_of
from hnefi.record import variant_headers


def line(**facts: object) -> str:
    usual: dict[str, object] = {
        "id": "51-1-1",
        "type": 51,
        "variant": "Brandubh",
        "attackers": 3,
        "defenders": 2,
    }
    return json.dumps(usual | {"moves": ["d2-c2"], "winner": "Black"} | facts)


def read(*lines: str) -> list[RawGame | RecordError]:
    return list(read_games(io.BytesIO("\n".join(lines).encode()), ReadOptions(), find_format("jsonl")))


NO_NAMES = (("id", {"a": 2}), ("attackers", float("nan")), ("defenders", True), ("variant", [1]))


def test_a_line_is_a_game() -> None:
    (raw,) = read(line(moves=["d2-c2", "d3e3", "resigned"]))
    assert isinstance(raw, RawGame)
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
    first, second = read(text, line())
    assert isinstance(first, RecordError)
    assert (first.code, first.line) == (code, 1)
    assert isinstance(second, RawGame)
    assert second.line == 2


@pytest.mark.parametrize("number", [0, None])
def test_the_id_of_a_variant_names_it_where_no_type_is_known(number: int | None) -> None:
    (raw,) = read(line(type=number, variant="brandub-globe"))
    assert isinstance(raw, RawGame)
    named = variant_headers("brandub-globe")
    assert raw.headers[: len(named)] == named
    form = find_format("jsonl")
    written = form.write(raw)
    assert (read(written.text), written.gaps) == ([raw], ())
    changed = variant_headers(variant("brandub-globe").with_switches({"quiet_limit": "40"}))
    assert '"variant": ""' in form.write(replace(raw, headers=changed)).text
    for found in read(line(type=number, variant="Brandubh"), line(type=999_999, variant="brandub-globe")):
        assert isinstance(found, RawGame)
        assert found.header("Variant") is None


@pytest.mark.parametrize(("winner", "found"), [(None, "null"), (True, "true"), ([1], "[1]")])
def test_a_winner_that_is_no_text_is_shown_as_json(winner: object, found: str) -> None:
    (fault,) = read(line(winner=winner))
    assert isinstance(fault, RecordError)
    assert (fault.code, fault.parameters["found"]) == ("bad_outcome", found)


def test_a_name_may_be_null() -> None:
    (raw,) = read(line(id=None, attackers=None, variant=None))
    assert isinstance(raw, RawGame)
    assert (raw.header("Id"), raw.header("Attackers"), number_of(raw)) == (None, None, (51, ""))


def test_written_games_round_trip() -> None:
    form = find_format("jsonl")
    (raw,) = read(line(moves=["d2-c2", "d3-e3", "timeout"]))
    assert isinstance(raw, RawGame)
    written = form.write(raw)
    assert read(written.text) == [raw]
    assert written.gaps == ()


@pytest.mark.parametrize("number", ["16", 0, -1, True, 1.5, None, 10**12])
def test_a_type_that_is_no_number_is_none(number: object) -> None:
    (raw,) = read(line(type=number))
    assert isinstance(raw, RawGame)
    assert number_of(raw) == (0, "")
