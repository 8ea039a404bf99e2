"""`hnefi replay` on collections: table by type, file of findings, ignored kinds, custom types."""

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hnefi.checking import Checker
from hnefi.formats import RawGame
from tests.cli_runs import answer, printed, refusal, run

BRANDUB = "brandub-globe"
TYPES = """
[[type]]
number = 900
name = "Ours"
status = "games"
variant = "brandub-globe"
switches = ["quiet_limit=0"]
"""
GAMES: list[dict[str, object]] = [
    {
        "id": "900-1",
        "type": 900,
        "variant": "Ours",
        "moves": ["d2-c2", "d3-e3", "resigned"],
        "winner": "Black",
    },
    {"id": "900-2", "type": 900, "variant": "Ours", "moves": ["d2-c2", "b3-b2"], "winner": "White"},
    {
        "id": "900-3",
        "type": 900,
        "variant": "Ours",
        "moves": ["d2-c2", "d3-e3", "d2-c2", "d3-e3", "f4-f3"],
        "winner": "Draw",
    },
    {"id": "162-1", "type": 162, "variant": "Dice", "moves": ["nox"], "winner": "White"},
]


REPLAY = ("replay", "games.jsonl.gz", "--types", "types.toml")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, GAMES)).encode()))
    Path("types.toml").write_text(TYPES, encoding="utf-8")


def test_a_collection_is_summarised_by_type() -> None:
    found = answer(*REPLAY, code=1)
    assert (found["games"], found["ok"], found["faults"]) == (4, 2, [])
    ours, dice = found["types"]
    assert {
        name: ours[name] for name in ("type", "name", "variant", "games", "replayed", "clean", "broken")
    } == {
        "type": 900,
        "name": "Ours",
        "variant": "brandub-globe",
        "games": 3,
        "replayed": 2,
        "clean": 1,
        "broken": 1,
    }
    assert ours["share"] == 1.0
    assert ours["kinds"]["twice"]["count"] == 1
    example = ours["kinds"]["no_piece"]["example"]
    assert (example["file"], example["line"], example["ply"], example["move"]) == (
        "games.jsonl.gz",
        2,
        2,
        "b3-b2",
    )
    assert dice["share"] is None
    assert set(dice["kinds"]) == {"other_game"}


@pytest.mark.parametrize(("lang", "word"), [("en", "no piece to move"), ("fr", "pas de pièce à jouer")])
def test_a_collection_is_summarised_as_a_table(lang: str, word: str) -> None:
    code, out, err = run(*REPLAY, "--lang", lang)
    assert (code, err) == (1, "")
    assert "900  Ours" in out
    assert word in out
    assert ("against the rules" if lang == "en" else "contraires aux règles") in out
    assert "{" not in out
    assert out.endswith(("4 games, 2 without errors.\n", "4 parties, 2 sans erreur.\n"))


def test_findings_are_written_to_a_file() -> None:
    assert run(*REPLAY, "-o", "faults.jsonl")[0] == 1
    lines = [json.loads(line) for line in Path("faults.jsonl").read_text("utf-8").splitlines()]
    assert [(line["id"], line["kind"], line["is_fault"]) for line in lines] == [
        ("900-2", "no_piece", True),
        ("900-3", "twice", False),
        ("162-1", "other_game", True),
    ]
    assert refusal("replay", "games.jsonl.gz", "-o", "no/file")["code"] == "cannot_write"


def test_ignored_kinds_are_not_reported() -> None:
    ignored = ("--ignore", "no_piece", "--ignore", "other_game")
    found = answer(*REPLAY, *ignored)
    assert (found["games"], found["ok"]) == (3, 3)
    assert refusal("replay", "games.jsonl.gz", "--ignore", "everything")["code"] == "bad_usage"


def test_a_table_is_played_by_the_variant_that_is_given() -> None:
    Path("games.csv").write_text("d2-c2 d3-e3 f4-f3,0,0,Ongoing\nd2-c2 d3-e3,1,0,White\n", encoding="utf-8")
    found = answer("replay", "games.csv", "--variant", BRANDUB, code=1)
    (row,) = found["types"]
    assert (row["name"], row["games"], row["replayed"]) == ("brandub-globe", 2, 1)
    assert (row["contradicting"], row["broken"], row["share"]) == (1, 0, 0.5)
    assert set(row["kinds"]) == {"capture_count"}
    unknown = answer("replay", "games.csv", code=1)["types"][0]
    assert set(unknown["kinds"]) == {"unknown_rules"}


def test_a_collection_and_a_record_are_reported_together() -> None:
    Path("one.tafl").write_text('[Variant "brandub-globe"]\n\n1. d2-a1 *\n', encoding="utf-8")
    found = answer(*REPLAY, "one.tafl", code=1)
    assert (found["games"], found["ok"]) == (5, 2)
    assert {fault["game"] for fault in found["faults"]} == {1}


def test_the_example_of_a_game_that_cannot_be_parsed_has_its_fault() -> None:
    line = '{{"type": 51, "variant": "x", "moves": ["{}"], "winner": "{}"}}\n'
    Path("games.jsonl").write_text(
        line.format("d2-c2", "Nobody") + line.format("d2ddc2", "Draw"), encoding="utf-8"
    )
    out = run("replay", "games.jsonl")[1]
    assert "unreadable game, such as " in out
    assert "games.jsonl, line 1: “Nobody” is not an outcome; expected: Black | White | Draw | Ongoing." in out
    assert "games.jsonl, line 2: “d2ddc2” is not a move; expected a move such as d1-c1." in out


def test_a_table_of_types_with_faults_is_refused() -> None:
    for text in (
        TYPES.replace("900", "-1"),
        f"a = {'9' * 10_000}",
        f"a = 0x{'f' * 10_000}",
        "a = " + "[" * 9_000,
    ):
        Path("faulty.toml").write_text(text, encoding="utf-8")
        assert refusal("replay", "games.jsonl.gz", "--types", "faulty.toml")["code"] == "bad_game_types"
    Path("faulty.toml").write_text("")
    told = run("replay", "games.jsonl.gz", "--types", "faulty.toml")[2]
    assert told == "faulty.toml cannot be used as a table of game types:\n[[type]]: this key is missing\n"


RECORD = """[Variant "brandub-globe"]

1. d2-c2 2. d3-e3 3. c2-c3 *

[Variant "brandub-globe"]

1. d2-c2 2. d2-d3 *
"""


def test_the_board_is_shown_after_each_ply() -> None:
    Path("two.tafl").write_text(RECORD, encoding="utf-8")
    after = [answer("show", "brandub-globe", "start", *RECORD.split()[3:8:2][:plies]) for plies in range(4)]
    found = answer("replay", "two.tafl", "--board", code=1)
    assert (found["games"], found["ok"]) == (2, 1)
    first = [one for one in found["boards"] if one["game"] == 1]
    assert [(one["ply"], one["position"], one["board"]) for one in first] == [
        (ply, one["position"], one["board"]) for ply, one in enumerate(after)
    ]
    # The second game is shown as far as it can be played.
    assert [one["move"] for one in found["boards"]] == [None, "d2-c2", "d3-e3", "c2-c3", None, "d2-c2"]
    code, out, _ = run("replay", "two.tafl", "--board")
    assert (code, out.count("Position after ply ")) == (1, 6)
    assert (
        f"two.tafl, game 1:\n\n{run('show', 'brandub-globe')[1]}Position after ply 0 of 3.\n1. d2-c2\n" in out
    )
    assert out.endswith("2 games, 1 without errors.\n")


def test_the_board_is_shown_after_one_ply() -> None:
    Path("one.tafl").write_text(RECORD.partition("\n\n[")[0], encoding="utf-8")
    (only,) = answer("replay", "one.tafl", "--ply", "2")["boards"]
    assert (only["ply"], only["move"]) == (2, "d3-e3")
    assert [one["ply"] for one in answer("replay", "one.tafl", "--board", "--ply", "1")["boards"]] == [0, 1]
    assert run("replay", "one.tafl", "--ply", "0")[1].count("Position after ply 0 of 3.") == 1
    assert "from 0 to 3" in refusal("replay", "one.tafl", "--ply", "4")["message"]
    assert "boards" not in answer("replay", "one.tafl")


def test_annotations_are_shown_with_the_board() -> None:
    text = RECORD.partition("\n\n[")[0].replace(
        "1. d2-c2 2. d3-e3", "{At night} 1. d2-c2 {?!} {Too slow} 2. d3-e3"
    )
    Path("annotated.tafl").write_text(text.replace("Too", "\x1b[31mToo"), encoding="utf-8")
    code, out, _ = run("replay", "annotated.tafl", "--board")
    assert code == 0
    assert "ply 0 of 3.\nAt night\n1. d2-c2 ?!\n" in out
    assert "ply 1 of 3.\n\ufffd[31mToo slow\n2. d3-e3\n" in out
    boards = answer("replay", "annotated.tafl", "--board")["boards"]
    assert [one["glyph"] for one in boards] == ["", "?!", "", ""]
    assert [len(one["comments"]) for one in boards] == [1, 1, 0, 0]


def test_variations_are_shown_with_the_board() -> None:
    record = str(Path(__file__).parent / "records" / "brandub-globe.tafl")
    comment = "{The man beside the king was near enough:\\\nhe stands in the way.}"
    (text,) = answer("replay", record, "--ply", "11")["boards"][0]["variations"]
    assert text == f"(11. b6-a6 {comment} 12. a5-e5 (12. c4-c6 13. a2-a4))"
    assert f"Variation instead of this move: {text}\n" in printed("replay", record, "--ply", "11")
    assert answer("replay", record, "--ply", "10")["boards"][0]["variations"] == []


def test_a_game_of_a_collection_is_shown() -> None:
    Path("games.csv").write_text("d2-c2 d3-e3,0,0,Ongoing\n", encoding="utf-8")
    found = answer("replay", "games.csv", "--variant", BRANDUB, "--board")
    assert [one["move"] for one in found["boards"]] == [None, "d2-c2", "d3-e3"]


def test_ctrl_c_leaves_the_counts_so_far() -> None:
    Path("games.moves").write_text("d2-c2 d3-e3\nd6-e6 d5-c5\nd2-b2 d3-c3\n", encoding="utf-8")
    run("convert", "games.moves", "--variant", BRANDUB, "-o", "games.tafl")
    library = ("library", "add", "games.moves", "--library", "games.db")
    cut: list[tuple[type, str, str]] = [
        (Checker, "check_game", "games.moves"),
        (RawGame, "replay", "games.tafl"),
    ]
    for owner, name, file in cut:
        with _third_interrupted(owner, name):
            found = answer("replay", file, "--variant", BRANDUB, code=130)
        assert (found["games"], found["complete"]) == (2, False)
    with _third_interrupted(Checker, "check_game"):
        code, out, err = run(*library, "--variant", BRANDUB)
    assert code == 130
    assert "2 games added." in out
    assert "the same command adds the rest" in err
    assert answer(*library, "--variant", BRANDUB)["added"] == 1


@contextmanager
def _third_interrupted(owner: type, name: str) -> Iterator[None]:
    """Lets the third call of a method raise what Ctrl-C raises."""
    original, calls = getattr(owner, name), []

    def interrupted(*args: object) -> object:
        calls.append(args)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return original(*args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, interrupted)
        yield
