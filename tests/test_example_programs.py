"""The programs of `examples/`: each runs as it is, prints what it promises and writes sound files."""

import csv
import os
import re
import shutil
import subprocess
import sys
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hnefi import load_records, load_variant

ROOT = Path(__file__).parents[1]
PROGRAMS = {path.stem: path for path in sorted((ROOT / "examples").glob("*.py"))}

PRINTS = {
    "analyse_position": "depth 1, ...d3-f3: ... for the attackers d3-f3...",
    "annotate_game": '[Event "Examples"]...[Annotator "Hnefi"]...1. d2-c2 {... for the player} ... defenders',
    "async_analysis": "depth ...: ...\ndepth ...: ...-...",
    "collect_errors": """2 sound games
        Game 2, line 10: Move 4: h1 is not on this board.
        Line 22, column 26: “a” is not a move; expected a move such as d1-c1.""",
    "convert_pgn": """
        left out: Line 22, column 26: “a” is not a move; expected a move such as d1-c1.
        3 games written""",
    "count_openings": "d2-c2  games: 5, 20% for the attackers\n  d3-a3  games: 1, 100% for ...",
    "draw_marks": "written: marks.svg, played.svg",
    "export_csv": "6 games; 0 could not be read",
    "external_engine": "Hnefi ... knows the options Hash, ...\nbest: ..., ...% for the attackers\n...",
    "legal_moves": """The attacker on a6 may go to a2, a3, a4, a5, b6, c6, d6, e6, f6, g6
        a6-d6 captures the king on d4 (linnaean)
        a6-d6 captures the defender on d5 (linnaean)
        a6-d6 ends the game: king_captured
        a6-d6 is legal: True
        a6-a1 is not (corner_no_stop): a1 is a corner: the attackers may not stop there.""",
    "levels_play": '[Attackers "Level 3"]\n[Defenders "Level 1"]...[Result ...1. ...',
    "make_booklet": """Brandub (Le Globe Joueur): brandub-globe-en.pdf
        Brandub (Le Globe Joueur): brandub-globe-fr.pdf""",
    "measure_balance": "20 games of ... plies\nThe defenders scored ...% (...% to ...%).\n| ... |",
    "opentafl_rules": """dim:7 name:Brandub_(Breyer) ...
        cannot be written: calls cannot be expressed
        ...
        read back: fetlar-11; nearest fetlar-11, distance 0""",
    "own_variant": """differs: king_armed
        refused: ...
        without corners follows: {...'goal': 'edge'...}
        ... plies played; ...""",
    "own_player": "Random played ...-... ...",
    "perft": "brandub-globe perft(1) = 40\n...\nbrandub-globe perft(4) = 1,019,880\nd2-b2 1003\n...",
    "positions_as_numbers": "316 positions of 196 numbers, 11721 of them 1",
    "prove_win": "the defenders win in 3 plies: a4-a5...",
    "replay_and_draw": "0. start\n...24. d7-a7\n...\nLevel 4 against Level 2 - Outcome(Side.DEFENDERS, ...)",
    "search_library": """6 added, 0 known, 0 faulty
        Level 5 against Level 5: 22 plies, corner
        Level 2 against Level 4: 26 plies, corner
        ...""",
    "solve_puzzle": "...You play the king’s side. ...\na4-a5 right\nthe other side plays ...\na5-a7 solved",
    "square_sets": """the attackers could capture on: b1 d5
        the soldier on d2 can go to: d1 a2 b2 c2 e2 f2 g2 d3
        but could be captured on: a2 g2 d3
        safe are 5 squares; the defenders stand on b1 d2 d5
        ...""",
    "variants_by_rule": "tablut-geoludie: Tablut (Géoludie) (9×9)\n15 variants on small boards ...",
}


@pytest.mark.parametrize("name", PRINTS)
def test_an_example_prints_what_it_promises_and_writes_sound_files(name: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    given = {path.name for path in tmp_path.iterdir()}
    command = [sys.executable, "-W", "error", f"{name}.py"]
    settings = {**os.environ, "HNEFI_LANG": "en", "HNEFI_VARIANTS": str(tmp_path / "variants")}
    done = subprocess.run(
        command, cwd=tmp_path, env=settings, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    checker = OutputChecker()
    assert checker.check_output(PRINTS[name], done.stdout, ELLIPSIS | NORMALIZE_WHITESPACE), done.stdout

    written = {path for path in tmp_path.iterdir() if path.is_file() and path.name not in given}
    promised = re.findall(r'"([\w-]+\.(?:svg|tafl|csv|toml|db))"', PROGRAMS[name].read_text("utf-8"))
    assert {path.name for path in written} >= {*promised} - given
    for path in written:
        check_file(path)


def check_file(path: Path) -> None:
    """Reads a file that an example wrote, as a program of its kind does."""
    match path.suffix:
        case ".svg":
            assert ET.parse(path).getroot().tag.endswith("svg")
        case ".pdf":
            assert path.read_bytes().startswith(b"%PDF")
        case ".toml":
            assert load_variant(path).id == path.stem
        case ".csv":
            rows = [*csv.DictReader(path.read_text("utf-8").splitlines())]
            assert [(row["Result"], row["Plies"]) for row in rows][:2] == [
                ("defenders", "24"),
                ("defenders", "14"),
            ]
        case ".tafl":
            reading = load_records(path)
            assert reading.records
            assert not reading.faults
            # That of the conversion has a game with an illegal move, which only a replay finds.
            faults = [fault.code for one in reading.records for fault in one.replay().faults]
            contradictions = [code for code in faults if code != "missing_reason"]
            assert contradictions == (["not_on_board"] if path.name == "club.tafl" else [])
        case ".bin":
            planes = path.read_bytes()
            assert len(planes) % 196 == 0
            assert sum(planes[-196:-49]) == 13
        case suffix:
            assert suffix == ".db"


def test_every_example_is_tested_short_and_listed_with_its_question() -> None:
    # The bot plays against a real server in tests/server/test_api.py.
    assert {*PRINTS, "bot"} == {*PROGRAMS}
    questions = {
        name: path.read_text("utf-8").partition('"""')[2].split("\n")[0] for name, path in PROGRAMS.items()
    }
    page = (ROOT / "docs" / "guide" / "examples.md").read_text("utf-8")
    rows = re.findall(r"^\| (How do I .*\?) \| \[`(\w+)\.py`\]", page, re.MULTILINE)
    assert {name: question.strip('"') for name, question in questions.items()} == {
        name: question for question, name in rows
    }
    lengths = {name: len(path.read_text("utf-8").splitlines()) for name, path in PROGRAMS.items()}
    assert {name for name, length in lengths.items() if length > 45} == {"bot"}
