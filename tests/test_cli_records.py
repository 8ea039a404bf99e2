"""`hnefi replay` on files of records: faults with their places, standard input, files that are no records."""

import bz2
import gzip
import json
import lzma
import random
from itertools import product
from pathlib import Path

import pytest

from tests.cli_runs import answer, complaint, refusal, run

GAME = """[Variant "brandub-globe"]
[Rules "{hash}"]
[Result "*"]

1. d2-c2 2. c4-c6 *
"""


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    from hnefi import variant

    path = tmp_path / "games.tafl"
    path.write_text(GAME.format(hash=variant("brandub-globe").rules.hash), encoding="utf-8")
    return path


def test_replay_finds_no_fault_in_a_good_game(game_file: Path) -> None:
    assert answer("replay", str(game_file)) == {
        "games": 1,
        "ok": 1,
        "complete": True,
        "faults": [],
        "remarks": [],
    }
    assert run("replay", str(game_file)) == (0, "1 game, 1 without errors.\n", "")


def test_replay_prints_every_fault_with_its_place(game_file: Path) -> None:
    good = game_file.read_text("utf-8")
    bad_move = good.replace("c4-c6", "c4-a1")
    unreadable = good.replace("2. c4-c6", "2. zz")
    game_file.write_text(f"{good}\n{bad_move}\n{unreadable}", encoding="utf-8")
    found = answer("replay", str(game_file), code=1)
    assert (found["games"], found["ok"]) == (3, 1)
    first, second = found["faults"]
    assert first == {
        "file": str(game_file),
        "game": 2,
        "ply": 2,
        "code": "not_in_line",
        "message": first["message"],
        "line": 11,
    }
    assert (second["game"], second["code"], second["ply"]) == (3, "bad_move", 0)
    assert (second["line"], second["column"]) == (17, 13)
    code, out, err = run("replay", str(game_file), "--lang", "fr")
    assert (code, err) == (1, "")
    assert f"{game_file}, ligne 11, partie 2, coup 2" in out
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
def test_the_fault_of_a_move_has_the_line_of_the_move(
    name: str, text: str, line: int, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    found = [one for one in answer("replay", str(path), code=1)["faults"] if one["code"] == "not_in_line"]
    assert [one["line"] for one in found] == [line]
    assert f"{path}:{line}: " in run("convert", "--check", "--to", "moves", str(path))[2]


def test_the_findings_about_records_are_written_to_a_file(game_file: Path, tmp_path: Path) -> None:
    game_file.write_text('[Variant "brandub-globe"]\n\n1. d2-c2 2. c4-a1 *\n', encoding="utf-8")
    out = tmp_path / "findings.jsonl"
    found = answer("replay", str(game_file), "-o", str(out), code=1)
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [one.pop("is_fault") for one in lines] == [False, True]
    assert lines == found["remarks"] + found["faults"]


def test_replay_takes_several_files_and_standard_input(game_file: Path) -> None:
    game = game_file.read_text("utf-8")
    code, out, _ = run("replay", str(game_file), "-", "--json", stdin=game)
    assert (code, json.loads(out)["games"]) == (0, 2)


def test_replay_finds_custom_variants(game_file: Path, tmp_path: Path) -> None:
    source = Path(__file__).parents[1] / "src/hnefi/variants/data/brandub-globe.toml"
    own = tmp_path / "own.toml"
    own.write_text(source.read_text("utf-8").replace('id = "brandub-globe"', 'id = "ours"'), encoding="utf-8")
    game_file.write_text(game_file.read_text("utf-8").replace('"brandub-globe"', '"ours"'), encoding="utf-8")
    assert answer("replay", str(game_file), code=1)["faults"][0]["code"] == "unknown_variant"
    assert answer("replay", str(game_file), "--variant", str(own))["ok"] == 1


@pytest.mark.parametrize("content", [b"[" * 99_999, b"(" * 9999], ids=["brackets", "nested"])
def test_files_that_are_no_records_are_faults(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.tafl"
    path.write_bytes(content)
    found = answer("replay", str(path), code=1)
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
]


EMPTY = ["empty", "empty.tafl", "empty.pgn.gz", "blank.csv", "-"]


@pytest.mark.parametrize(
    ("command", "name"), [*product(READING, ["empty.txt"]), *product(READING[:1], EMPTY)]
)
def test_an_empty_file_is_named_by_every_command(
    command: str, name: str, game_file: Path, tmp_path: Path
) -> None:
    path = tmp_path / name
    content = b"\xef\xbb\xbf\n \n" if name == "blank.csv" else b""
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    read = "-" if name == "-" else str(path)
    new = tmp_path / "new"
    err = complaint(*command.format(read, new, game_file).split(), stdin="")
    assert err == f"{'Standard input' if name == '-' else path} is empty.\n"
    assert list(tmp_path.glob("new*")) == []


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
    [*product([*READING, "lab suite {0}"], ["nulls.tafl"]), *product(READING[:1], BINARY)],
)
def test_a_binary_file_is_told_from_one_of_an_unknown_format(
    command: str, name: str, game_file: Path, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(BINARY[name])
    err = complaint(*command.format(path, tmp_path / "new", game_file).split())
    assert err == f"{path} is not UTF-8 text: it is a binary file, or packed in another form than gzip.\n"
    assert list(tmp_path.glob("new*")) == []


def test_a_packed_suite_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "one.epd.gz"
    path.write_bytes(gzip.compress(b"brandub-globe 7/7/7/K6/7/7/t5t d bm a4-a7;\n"))
    assert len(answer("lab", "suite", str(path), "--depth", "1")["positions"]) == 1


def test_a_file_that_is_missing_leaves_no_library(game_file: Path, tmp_path: Path) -> None:
    library = tmp_path / "new.db"
    error = refusal("library", "add", str(game_file), "missing.tafl", "--library", str(library))
    assert (error["code"], library.exists()) == ("cannot_read", False)
    for words in (("-",), (str(game_file), "--types", str(game_file))):
        code, _, err = run("library", "add", *words, "--library", str(library), stdin="")
        assert (code, library.exists()) == (2, False), err
    error = refusal("library", "add", str(game_file), "--library", str(tmp_path / "a" / "b" / "new.db"))
    assert (error["code"], (tmp_path / "a").exists()) == ("cannot_write", False)


def test_games_are_added_from_standard_input(game_file: Path, tmp_path: Path) -> None:
    added = ("library", "add", "-", "--library", str(tmp_path / "new.db"))
    assert "1 game added." in run(*added, stdin=game_file.read_text("utf-8"))[1]


def test_an_empty_name_is_no_folder() -> None:
    assert run("replay", "")[2] == "FILE … is missing; see --help.\n"
    assert "no variant “”" in run("analyse", "")[2]
