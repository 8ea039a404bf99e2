"""`hnefi replay` on files of records: faults with their places, standard input, files that are no records."""

import json
import random
from pathlib import Path

import pytest

from tests.cli_runs import answer, run

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
    assert answer("replay", str(game_file)) == {"games": 1, "ok": 1, "faults": [], "remarks": []}
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
    assert f"{path}:{line}:1: " in run("convert", "--check", "--to", "moves", str(path))[2]


def test_the_findings_about_records_are_written_to_a_file(game_file: Path, tmp_path: Path) -> None:
    game_file.write_text('[Variant "brandub-globe"]\n\n1. d2-c2 2. c4-a1 *\n', encoding="utf-8")
    out = tmp_path / "findings.jsonl"
    found = answer("replay", str(game_file), "-o", str(out), code=1)
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [one.pop("is_fault") for one in lines] == [True, False]
    assert lines == found["faults"] + found["remarks"]


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


ODD_CONTENTS = [b"\x00\xff" * 5000, b"\x80" + random.Random(1).randbytes(3000), b"[" * 99_999, b"(" * 9999]


@pytest.mark.parametrize("content", ODD_CONTENTS, ids=["nulls", "random", "brackets", "nested"])
def test_files_that_are_no_records_are_faults(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.tafl"
    path.write_bytes(content)
    found = answer("replay", str(path), code=1)
    assert found["ok"] == 0
    assert found["faults"]
