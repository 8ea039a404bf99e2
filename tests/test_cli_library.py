"""The commands of `hnefi library`."""

import gzip
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.cli_runs import answer, printed, refusal, run
from tests.opentafl_games import RULES

ROOT = Path(__file__).parent
GAMES = str(ROOT / "records" / "brandub-globe.tafl")


@pytest.fixture(autouse=True)
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HNEFI_LANG", "en")
    path = tmp_path / "games.db"
    monkeypatch.setenv("HNEFI_LIBRARY", str(path))
    return path


@pytest.fixture
def moves(tmp_path: Path) -> str:
    path = tmp_path / "some.moves"
    path.write_text("d2-c2 d3-e3\nd6-e6 d5-c5\nd2-b2 d3-c3\na1-a2\nd2-c2 d3-e3\n")
    return str(path)


@pytest.fixture
def three(moves: str) -> None:
    """Adds three games of two plies."""
    run("library", "add", moves, "--variant", "brandub-globe")


def test_games_are_added_once_and_faulty_ones_stay_out(moves: str) -> None:
    found = answer("library", "add", moves, "--variant", "brandub-globe", code=1)
    assert [found[key] for key in ("added", "known", "faulty", "games")] == [3, 1, 1, 3]
    again = answer("library", "add", moves, "--variant", "brandub-globe", code=1)
    assert [again[key] for key in ("added", "known", "faulty", "games")] == [0, 4, 1, 3]
    assert found["types"][0]["kinds"]["no_piece"]["count"] == 1


@pytest.mark.usefixtures("three")
def test_positions_are_found_in_all_images() -> None:
    asked = ("--variant", "brandub-globe", "--after", "b4-b3")
    assert answer("library", "search", *asked)["found"] == 2
    assert answer("library", "search", "--variant", "brandub-globe", "--position", "start")["found"] == 3
    assert answer("library", "search", *asked, "--limit", "1")["games"][0]["plies"] == 2
    assert answer("library", "search", "--variant", "brandub-globe", "--after", "a4-a2", code=1)["found"] == 0
    for without_rules in ("--after d2-c2", "--position start"):
        assert refusal("library", "search", *without_rules.split(" ", 1))["code"] == "bad_usage"
    assert refusal("library", "search", "--variant", "brandub-globe", "--after", "d2-d9")["code"]


@pytest.mark.usefixtures("three")
def test_a_position_without_a_variant_is_found_by_all_rules_on_its_board(moves: str) -> None:
    run("library", "add", moves, "--variant", "brandub-walker-7")
    position = answer("library", "show", "1", "--ply", "1")["position"]
    assert answer("library", "search", "--position", position)["found"] == 4
    assert answer("library", "search", "--position", position, "--variant", "brandub-walker-7")["found"] == 2
    # No game is on these boards; no rules have the second one.
    assert answer("library", "search", "--position", "9/9/9/9/4K4/9/9/9/4t4 a", code=1)["found"] == 0
    assert refusal("library", "search", "--position", "5/5/2K2/5/2t2 a")["code"] == "bad_usage"
    assert refusal("library", "search", "--position", f"{position}x")["code"] == "bad_position"


@pytest.mark.usefixtures("three")
def test_games_by_own_rules_are_found_by_the_name_that_the_list_prints() -> None:
    for surf in ("n", "y"):
        Path("own.otg").write_text(f"{RULES.replace('surf:n', f'surf:{surf}')}\n\n1. d2-e2 c4-c5\n")
        answer("library", "add", "own.otg")
    name = answer("library", "search")["games"][0]["variant"]
    assert name == "opentafl-our-game"
    asked = ("library", "search", "--variant", name.upper())
    assert answer(*asked)["found"] == answer(*asked, "--after", "d2-e2")["found"] == 2
    assert answer("library", "stats", "--variant", name)["games"] == 2
    assert answer("library", "openings", name)["moves"][0]["games"] == 2
    hashes = refusal("library", "search", "--rules", name)["message"].removesuffix(".").split(": ")[1]
    for one in hashes.split(", "):
        assert answer("library", "search", "--rules", one)["found"] == 1
    answer("library", "remove", "--rules", hashes.split(", ")[0], "--yes")
    assert answer("library", "search", "--rules", name)["found"] == 1
    assert refusal("library", "search", "--variant", f"{name}s")["code"] == "unknown_variant"


@pytest.mark.usefixtures("three")
def test_a_game_is_shown_at_any_ply(library: Path) -> None:
    code, out, err = run("library", "show", "1")
    assert (code, err) == (0, "")
    assert '[Variant "brandub-globe"]' in out
    assert "1. d2-c2" in out
    assert out.endswith("Position after ply 2 of 2.\n")
    first, last = answer("library", "show", "1", "--ply", "1"), answer("library", "show", "1")
    assert (first["ply"], last["ply"], first["moves"]) == (1, 2, ["d2-c2", "d3-e3"])
    after = answer("show", "brandub-globe", "start", "d2-c2")
    assert (first["position"], first["board"]) == (after["position"], after["board"])
    assert last["position"] != first["position"]
    boards = answer("library", "show", "1", "--board")["boards"]
    assert [(one["ply"], one["move"]) for one in boards] == [(0, None), (1, "d2-c2"), (2, "d3-e3")]
    assert boards[1]["board"] == first["board"]
    assert run("library", "show", "1", "--board")[1].count("Position after ply ") == 3
    assert "from 0 to 2" in refusal("library", "show", "1", "--ply", "3")["message"]
    assert run("library", "show", "1", "--ply", "3")[1] == ""
    missing = refusal("library", "show", "9")
    assert (missing["code"], str(library) in missing["message"]) == ("not_in_library", True)


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("name", "begin"), [("s.otg", "[rules:dim:7"), ("s.csv", "id,variant"), ("s", "[Variant")]
)
def test_a_search_writes_the_format_that_the_extension_names(name: str, begin: str, tmp_path: Path) -> None:
    out = tmp_path / name
    assert run("library", "search", "--id", "1", "-o", str(out))[0] == 0
    assert begin in out.read_text("utf-8")
    found = out.read_text("utf-8")
    assert answer("library", "search", "--id", "99", "-o", str(out), code=1)["found"] == 0
    assert out.read_text("utf-8") == found


@pytest.mark.usefixtures("three")
def test_openings_show_moves_with_games() -> None:
    code, out, err = run("library", "openings", "brandub-globe", "--min-games", "1", "--depth", "2")
    assert (code, err) == (0, "")
    assert out.endswith("3 games reached this position.\n")
    assert answer("library", "openings", "brandub-globe", "--max-plies", "1", code=1)["games"] == 0
    assert answer("library", "openings", "brandub-globe", "--id", "1", "--min-games", "1")["games"] == 1
    tree = answer("library", "openings", "brandub-globe", "--min-games", "1", "--depth", "2")
    assert tree["games"] == 3
    assert [one["games"] for one in tree["moves"]] == [2, 1]
    assert sum(one["games"] for one in tree["moves"][0]["moves"]) == 2


@pytest.mark.usefixtures("three")
def test_openings_count_the_moves_that_they_hide() -> None:
    asked = ("library", "openings", "brandub-globe", "--depth", "2")
    out = run(*asked, "--min-games", "3")[1]
    assert out.endswith("\n2 moves played in fewer than 3 games are hidden; `--min-games 1` shows them.\n")
    tree = answer(*asked)
    assert tree["hidden"] == {"min_games": 1, "widest": 0}
    assert [one["hidden"] for one in tree["moves"]] == [{"min_games": 0, "widest": 0}]
    out = run(*asked, "--min-games", "1", "--widest", "1")[1]
    assert out.endswith("1 move is hidden beyond the 1 most frequent at a position; `--widest` shows more.\n")


def test_replies_that_add_up_to_more_games_are_explained() -> None:
    # The third move of each game leads to the same position.
    line = "d2-c2 d3-e3 d6-e6"
    Path("some.moves").write_text(f"{line}\nd6-e6 d3-e3 d2-c2\n{line} e3-e2\n{line} d5-c5\n")
    run("library", "add", "some.moves", "--variant", "brandub-globe")
    asked = ("--after", "d2-c2 d3-e3", "--min-games", "1", "--depth", "2")
    tree = answer("library", "openings", "brandub-globe", *asked)
    (child,) = tree["moves"]
    replies = sum(one["games"] for one in child["moves"])
    assert (child["move"], child["games"], child["reached"]) == ("d6-e6", 3, 4)
    assert tree["reached"] == tree["games"] == 3
    assert replies == 2
    assert "transpositions" in tree["note"]


@pytest.mark.usefixtures("three")
def test_statistics_in_words_and_as_json() -> None:
    assert answer("library", "stats")["variants"][0]["games"] == 3
    assert answer("library", "stats", "--players")["players"] == []
    assert "players shown; needs `--players`" in " ".join(printed("library", "stats", "--help").split())
    assert refusal("library", "stats", "--limit", "1")["message"] == "--limit needs --players."
    out = printed("library", "stats", "--lang", "fr")
    assert "3 parties" in out.replace("\u00a0", " ")
    # The number shown may be one where the number found is not.
    assert "3 parties, 1 ci-dessus." in run("library", "search", "--limit", "1", "--lang", "fr")[1]


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("form", ["tafl", "otg", "csv", "moves"])
def test_exported_records_can_be_added_again(form: str, tmp_path: Path) -> None:
    out = tmp_path / f"out.{form}"
    code, _, err = run("library", "export", "--to", form, "--output", str(out))
    assert code == 0, err
    assert err.startswith("3 games")
    # `--to` names the format, also with the extension of a table.
    written = out.read_text("utf-8")
    assert (
        written == run("library", "export", "--to", form)[1] != run("library", "export", "--format", "csv")[1]
    )
    settings = ("--from", form, "--variant", "brandub-globe", "--library", "other.db")
    assert answer("library", "add", str(out), *settings)["added"] == 3


@pytest.mark.usefixtures("three")
def test_an_export_is_printed_as_json_too_and_says_so_if_it_finds_no_games() -> None:
    code, printed, _ = run("library", "export", "--to", "otg", "--output", "games.otg", "--json")
    found = json.loads(printed)
    assert (code, found["file"], found["written"], found["refused"]) == (0, "games.otg", 3, 0)
    assert all({*gap} == {"code", "message", "games"} for gap in found["gaps"])
    assert run("library", "export", "--json")[0] == 2
    assert run("library", "export", "--variant", "fetlar-11") == (1, "", "0 games written.\n")


@pytest.mark.parametrize(
    "text",
    ["1. d2-c2 d5-e5 2. f4-f1 e4-e1", "1. d2-c2 {!} d5-e5 2. f4-f1 e4-e1", "1. d2c2 d5e5 2. f4f1 e4e1"],
)
def test_a_game_without_written_captures_is_added_as_replay_accepts_it(text: str) -> None:
    Path("games.pgn").write_text(f'[Variant "brandub-globe"]\n\n{text}\n', "utf-8")
    assert run("replay", "games.pgn")[0] == 0
    assert answer("library", "add", "games.pgn")["added"] == 1
    assert "x" in run("library", "export", "--to", "moves")[1]
    Path("games.pgn").write_text(f'[Variant "brandub-globe"]\n\n{text}xe3\n', "utf-8")
    assert run("replay", "games.pgn")[0] == 1
    assert answer("library", "add", "games.pgn", code=1)["added"] == 0


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("extension", ["otg", "pgn", "moves", "TAFL", "csv", "csv.gz", "otg.GZ"])
def test_the_extension_of_an_export_names_its_format(extension: str, tmp_path: Path) -> None:
    name = extension.lower().removesuffix(".gz")
    named = ("--format" if name == "csv" else "--to", name)
    out = tmp_path / f"x.{extension}"
    assert run("library", "export", "-o", str(out))[0] == 0
    written = out.read_bytes()
    plain = written if name == extension.lower() else gzip.decompress(written)
    assert plain.decode() == run("library", "export", *named)[1]


def test_moves_and_captures_are_counted_by_square() -> None:
    run("library", "add", GAMES)
    asked = ("--variant", "brandub-globe", "--id", "1")
    found = answer("library", "squares", *asked, "-o", "squares.svg")
    moves = answer("library", "show", "1")["moves"]
    captures = [square for move in moves if "x" in move for square in move.partition("x")[2].split("/")]
    assert captures
    assert (found["games"], found["size"], found["file"]) == (1, 7, "squares.svg")
    for name, number in found["squares"].items():
        assert number["entered"] == sum(move.partition("x")[0].endswith(f"-{name}") for move in moves)
        assert number["captured"] == captures.count(name)
    assert sum(one["entered"] for one in found["squares"].values()) == len(moves)
    assert sum(one["captured"] for one in found["squares"].values()) == len(captures)
    picture = ET.fromstring(Path("squares.svg").read_text("utf-8"))
    assert len(picture.findall("{*}rect")) == 1 + 2 * 49
    out = printed("library", "squares", *asked)
    lines = out.splitlines()
    assert lines[0] == "Moves to each square"
    top = [found["squares"].get(f"{file}7", {"entered": 0})["entered"] for file in "abcdefg"]
    assert [int(number) for number in lines[1].split()] == [7, *top]
    assert lines[8].split() == list("abcdefg")


@pytest.mark.usefixtures("three")
def test_boards_of_different_sizes_have_no_common_squares() -> None:
    Path("other.moves").write_text("a4-a3\n")
    assert answer("library", "add", "other.moves", "--variant", "tablut-geoludie")["added"] == 1
    refused = refusal("library", "squares")
    assert (refused["code"], "7, 9" in refused["message"]) == ("several_boards", True)
    assert answer("library", "squares", "--size", "9")["squares"] == {"a3": {"entered": 1, "captured": 0}}
    assert answer("library", "squares", "--size", "13", code=1)["games"] == 0


@pytest.mark.usefixtures("three")
def test_games_are_removed_after_a_question() -> None:
    refused = refusal("library", "remove", "--yes")
    assert refused["code"] == "bad_usage"
    assert "`hnefi library search`" in refused["message"]
    code, out, err = run("library", "remove", "--id", "1", stdin="n\n")
    assert (code, out) == (1, "")
    assert "Remove 1 game?" in err
    assert err.endswith("0 games removed.\n")
    code, out, err = run("library", "remove", "--id", "1", stdin="")
    assert (code, out) == (2, "")
    assert "The input ended before an answer" in err
    assert refusal("library", "remove", "--id", "1")["code"] == "bad_usage"
    assert answer("library", "remove", "--id", "1", "--yes") == {"removed": 1}
    assert answer("library", "remove", "--source", "some", "--yes") == {"removed": 2}
    assert answer("library", "check")["games"] == 0
    assert run("library", "remove", "--id", "1") == (1, "", "0 games removed.\n")
    assert run("library", "remove", "--id", "1", "--json")[:2] == (1, '{"removed": 0}\n')


def test_an_invalid_library_is_reported_in_one_line(library: Path) -> None:
    assert refusal("library", "stats")["code"] == "no_library"
    library.write_text("nonsense\n" * 400)
    assert refusal("library", "add", GAMES)["code"] == "not_a_library"
    assert refusal("library", "check")["code"] == "not_a_library"
    assert library.read_text() == "nonsense\n" * 400


def test_unreadable_files_are_reported(tmp_path: Path) -> None:
    for folder in ("replay {}", "analyse {}", "library search --library {}", "library add --library {0} {0}"):
        message = refusal(*folder.format(tmp_path).split())["message"]
        assert message == f"{tmp_path} cannot be read: it is a folder."
    assert refusal("library", "add", str(tmp_path / "none.tafl"))["code"] == "cannot_read"
    (tmp_path / "odd.bin").write_bytes(bytes(range(256)) * 40)
    assert refusal("library", "add", str(tmp_path / "odd.bin"))["code"] == "unrecognised"
    (tmp_path / "odd.jsonl").write_text(json.dumps({"type": 51}) + "\n")
    assert answer("library", "add", str(tmp_path / "odd.jsonl"), code=1)["faulty"] == 1


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("option", ["--player", "--attackers", "--defenders", "--source", "--after"])
def test_an_empty_filter_removes_nothing(option: str) -> None:
    assert "is empty" in refusal("library", "remove", option, "", "--yes")["message"]
    assert answer("library", "check")["games"] == 3


def test_names_from_files_send_no_codes_to_the_terminal() -> None:
    Path("codes.tafl").write_text('[Attackers "\x1b[31mAna\x07"]\n[Variant "brandub-globe"]\n\n1. d2-c2 *\n')
    run("library", "add", "codes.tafl")
    listed = run("library", "search")[1]
    assert "Ana" in listed
    assert not {"\x1b", "\x07"} & {*listed}


def test_an_illegal_move_is_named_with_its_line() -> None:
    Path("bad.tafl").write_text('[Variant "brandub-globe"]\n\n1. d2-c2\nd4-a1 *\n')
    assert ", such as bad.tafl, line 4, move 2: d4-a1" in run("library", "add", "bad.tafl")[1]
    kinds = answer("library", "add", "bad.tafl", code=1)["types"][0]["kinds"]
    assert kinds["against_rules"]["example"]["line"] == 4


def test_a_game_with_several_errors_counts_once() -> None:
    Path("bad.tafl").write_text('[Variant "brandub-globe"]\n\n1. d2-c2 3. hello 5. d3-c3 *\n')
    added = answer("library", "add", "bad.tafl", code=1)
    assert added["faulty"] == 1
    assert [(one["games"], one["broken"]) for one in added["types"]] == [(1, 1)]
    assert {found["count"] for one in added["types"] for found in one["kinds"].values()} == {1}
