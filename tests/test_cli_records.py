"""`hnefi replay` on files of records: faults with their places, standard input, files that are no records."""

import bz2
import gzip
import json
import lzma
import random
from itertools import product
from pathlib import Path

import pytest

from hnefi import variant
from tests.cli_runs import answer, complaint, refusal, run
from tests.variant_files import renamed

GAME = f"""[Variant "brandub-globe"]
[Rules "{variant("brandub-globe").rules.hash}"]
[Result "*"]

1. d2-c2 2. c4-c6 *
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.tafl").write_text(GAME, encoding="utf-8")


def test_replay_finds_no_fault_in_a_good_game() -> None:
    assert answer("replay", "games.tafl") == {
        "games": 1,
        "ok": 1,
        "complete": True,
        "faults": [],
        "remarks": [],
    }
    assert run("replay", "games.tafl") == (0, "1 game, 1 without errors.\n", "")


def test_replay_prints_every_fault_with_its_place() -> None:
    bad_move = GAME.replace("c4-c6", "c4-a1")
    unreadable = GAME.replace("2. c4-c6", "2. zz")
    Path("games.tafl").write_text(f"{GAME}\n{bad_move}\n{unreadable}", encoding="utf-8")
    found = answer("replay", "games.tafl", code=1)
    assert (found["games"], found["ok"]) == (3, 1)
    first, second = found["faults"]
    assert first == {
        "file": "games.tafl",
        "game": 2,
        "ply": 2,
        "code": "not_in_line",
        "message": first["message"],
        "line": 11,
    }
    assert (second["game"], second["code"], second["ply"]) == (3, "bad_move", 0)
    assert (second["line"], second["column"]) == (17, 13)
    code, out, err = run("replay", "games.tafl", "--lang", "fr")
    assert (code, err) == (1, "")
    assert "games.tafl, ligne 11, partie 2, coup 2" in out
    assert out.endswith("3 parties, 1 sans erreur.\n")


HEADERS = '[Variant "brandub-globe"]\n'
OTG_TAGS = "[rules:dim:7 name:Brandub surf:n atkf:y tfr:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]\n"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.tafl", f"{HEADERS}1. d2-c2 *\n\n{HEADERS}1. d2-c2\n2. d5-e5 {{a\nb}} 3. d1-e1\n4. c4-a1 *\n", 8),
        ("a.pgn", f"{HEADERS}1. d2-c2 d5-e5\n\n{HEADERS}1. d2-c2 d5-e5\n2. d1-e1\n{{a}} c4-a1\n", 7),
        ("b.pgn", f"{HEADERS}1. d2-c2 d5-e5\n2. d1-e1\n\nc4-a1\n", 5),
        ("a.otg", f"{OTG_TAGS}1. Td2-c2 Td5-e5\n\n2. Td1-e1\nTc4-a1\n", 5),
    ],
)
def test_the_fault_of_a_move_has_the_line_of_the_move(name: str, text: str, line: int) -> None:
    Path(name).write_text(text, encoding="utf-8")
    found = [one for one in answer("replay", name, code=1)["faults"] if one["code"] == "not_in_line"]
    assert [one["line"] for one in found] == [line]
    assert f"{name}:{line}: " in run("convert", "--check", "--to", "moves", name)[2]


def test_the_findings_about_records_are_written_to_a_file() -> None:
    Path("games.tafl").write_text('[Variant "brandub-globe"]\n\n1. d2-c2 2. c4-a1 *\n', encoding="utf-8")
    found = answer("replay", "games.tafl", "-o", "findings.jsonl", code=1)
    lines = [json.loads(line) for line in Path("findings.jsonl").read_text("utf-8").splitlines()]
    assert [one.pop("is_fault") for one in lines] == [False, True]
    assert lines == found["remarks"] + found["faults"]


def test_replay_takes_several_files_and_standard_input() -> None:
    code, out, _ = run("replay", "games.tafl", "-", "--json", stdin=GAME)
    assert (code, json.loads(out)["games"]) == (0, 2)


def test_replay_finds_custom_variants() -> None:
    Path("own.toml").write_text(renamed("brandub-globe", "ours"), encoding="utf-8")
    Path("games.tafl").write_text(GAME.replace('"brandub-globe"', '"ours"'), encoding="utf-8")
    assert answer("replay", "games.tafl", code=1)["faults"][0]["code"] == "unknown_variant"
    assert answer("replay", "games.tafl", "--variant", "own.toml")["ok"] == 1


@pytest.mark.parametrize("content", [b"[" * 99_999, b"(" * 9999], ids=["brackets", "nested"])
def test_files_that_are_no_records_are_faults(content: bytes) -> None:
    Path("odd.tafl").write_bytes(content)
    found = answer("replay", "odd.tafl", code=1)
    assert found["ok"] == 0
    assert found["faults"]


READING = [
    "replay {0}",
    "convert {0} --to csv",
    "convert {0} --from csv -o {1}.csv",
    "analyse {0} -o {1}.tafl",
    "library add {0} --library {1}.db",
    "library add {2} {0} --library {1}.db",
    "print game {0} -o {1}.pdf",
    "lab suite {0}",
]
EMPTY = ["empty", "empty.tafl", "empty.pgn.gz", "blank.csv", "-"]


@pytest.mark.parametrize(
    ("command", "name"), [*product(READING, ["empty.txt"]), *product(READING[:1], EMPTY)]
)
def test_an_empty_file_is_named_by_every_command(command: str, name: str) -> None:
    content = b"\xef\xbb\xbf\n \n" if name == "blank.csv" else b""
    Path(name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    err = complaint(*command.format(name, "new", "games.tafl").split(), stdin="")
    assert err == f"{'Standard input' if name == '-' else name} is empty.\n"
    assert list(Path().glob("new*")) == []


PACKED = b"[" * 900
BINARY = {
    "nulls.tafl": b"\x00\xff" * 5000,
    "random.pgn": b"\x80" + random.Random(1).randbytes(3000),
    "games.zip": b"PK\x03\x04" + PACKED,
    "games.csv.bz2": bz2.compress(PACKED),
    "games.csv.xz": lzma.compress(PACKED),
    "packed.gz": gzip.compress(lzma.compress(PACKED)),
}


@pytest.mark.parametrize(
    ("command", "name"),
    [*product(READING, ["nulls.tafl"]), *product(READING[:1], BINARY)],
)
def test_a_binary_file_is_told_from_one_of_an_unknown_format(command: str, name: str) -> None:
    Path(name).write_bytes(BINARY[name])
    err = complaint(*command.format(name, "new", "games.tafl").split())
    assert err == f"{name} is not UTF-8 text: it is a binary file, or packed in another form than gzip.\n"
    assert list(Path().glob("new*")) == []


def test_a_packed_suite_is_unpacked() -> None:
    Path("one.epd.gz").write_bytes(gzip.compress(b"brandub-globe 7/7/7/K6/7/7/t5t d bm a4-a7;\n"))
    assert len(answer("lab", "suite", "one.epd.gz", "--depth", "1")["positions"]) == 1


def test_a_file_that_is_missing_leaves_no_library() -> None:
    error = refusal("library", "add", "games.tafl", "missing.tafl", "--library", "new.db")
    assert (error["code"], Path("new.db").exists()) == ("cannot_read", False)
    for words in (("-",), ("games.tafl", "--types", "games.tafl")):
        code, _, err = run("library", "add", *words, "--library", "new.db", stdin="")
        assert (code, Path("new.db").exists()) == (2, False), err
    error = refusal("library", "add", "games.tafl", "--library", "a/b/new.db")
    assert (error["code"], Path("a").exists()) == ("cannot_write", False)


def test_games_are_added_from_standard_input() -> None:
    assert "1 game added." in run("library", "add", "-", "--library", "new.db", stdin=GAME)[1]


def test_an_empty_name_is_no_folder() -> None:
    assert run("replay", "")[2] == "FILE … is missing; see --help.\n"
    assert "no variant “”" in run("analyse", "")[2]
