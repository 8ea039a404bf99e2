"""`hnefi convert`: recognised, streamed, faults by place, strict and lenient, reports."""

import gzip
import os
from pathlib import Path

import pytest

from hnefi import variant
from hnefi._core import random_game
from hnefi.formats import FORMATS
from hnefi.record import Record, format_records, parse_records, variant_headers
from tests.cli_runs import answer, refusal, run, run_installed

BRANDUB = variant("brandub-globe")
TABLE = "d2-e2 c4-c5 f4-f5,0,0,Ongoing\nd2-c2 d5-e5,0,0,White\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HNEFI_LANG", "en")
    games = [random_game(BRANDUB.rules, seed, 12) for seed in range(6)]
    records = [Record.from_game(game, variant_headers(BRANDUB)) for game in games]
    Path("games.tafl").write_text(format_records(records), encoding="utf-8")
    Path("table.csv").write_text(TABLE, encoding="utf-8")


def test_the_forms_are_listed() -> None:
    _, out, _ = run("convert", "--list")
    assert all(form.name in out for form in FORMATS)
    assert [one["name"] for one in answer("convert", "--list")["formats"]] == [form.name for form in FORMATS]


@pytest.mark.parametrize("command", [("convert", "--to", "tafl"), ("analyse", "--nodes", "1")])
def test_games_on_standard_output_are_utf_8_in_every_locale(command: tuple[str, ...]) -> None:
    Path("own.tafl").write_text('[Variant "brandub-globe"]\n[Site "Łódź"]\n\n1. d2-c2 *\n', encoding="utf-8")
    name, *options = command
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    assert '"Łódź"' in run_installed(name, "own.tafl", *options, env=environment).stdout.decode("utf-8")


def test_games_go_from_form_to_form_and_back() -> None:
    for form in ("otg", "csv", "pgn", "moves", "tafl"):
        code, out, err = run("convert", "games.tafl", "--to", form, "-o", f"out.{form}")
        assert (code, out) == (0, "")
        assert "6 games written, 0 left out." in err
        again = answer("convert", f"out.{form}", "--variant", "brandub-globe", "-o", f"{form}.tafl")
        assert (again["games"], again["written"], again["format"]) == (6, 6, "tafl")
        before = parse_records(Path("games.tafl").read_text(encoding="utf-8"))
        after = parse_records(Path(f"{form}.tafl").read_text(encoding="utf-8"))
        assert [one.nodes for one in after] == [one.nodes for one in before]


def test_turns_of_several_captures_go_to_every_form_and_back() -> None:
    berserk = variant("berserk-11")
    games = [random_game(berserk.rules, seed, 300) for seed in range(4)]
    records = [Record.from_game(game, variant_headers(berserk)) for game in games]
    assert any(node.move and node.move.is_stop for one in records for node in one.nodes)
    Path("berserk.tafl").write_text(format_records(records), encoding="utf-8")
    for form in ("otg", "csv", "pgn", "moves"):
        assert answer("convert", "berserk.tafl", "--to", form, "-o", f"berserk.{form}")["written"] == 4
        back = answer("convert", f"berserk.{form}", "--variant", "berserk-11", "-o", "back.tafl")
        assert (back["games"], back["written"]) == (4, 4)
        for before, after in zip(records, parse_records(Path("back.tafl").read_text("utf-8")), strict=True):
            reached, again = before.replay().game, after.replay().game
            assert reached is not None
            assert again is not None
            # Only the last end of a turn, which no move follows, may be lost.
            is_stop = reached.plies[-1].move.is_stop
            assert again.plies in (reached.plies, reached.plies[:-1] if is_stop else reached.plies)


def test_standard_streams_and_packed_files() -> None:
    code, out, _ = run("convert", "-", "--to", "moves", stdin=TABLE)
    assert (code, out) == (0, "d2-e2 c4-c5 f4-f5\nd2-c2 d5-e5\n")
    Path("more.csv.gz").write_bytes(gzip.compress(TABLE.encode()))
    assert run("convert", "more.csv.gz", "table.csv", "--to", "moves")[1] == out * 2


def test_the_installed_command_reads_a_pipe() -> None:
    done = run_installed("convert", "-", "--to", "moves", input=TABLE.encode())
    assert done.stdout.decode().splitlines()[0] == "d2-e2 c4-c5 f4-f5"


def test_the_variant_is_an_option_if_the_file_names_none() -> None:
    assert run("convert", "table.csv", "--variant", "brandub-globe", "-o", "out.tafl")[0] == 0
    records = parse_records(Path("out.tafl").read_text(encoding="utf-8"))
    assert {one.header("Rules") for one in records} == {BRANDUB.rules.hash}
    found = answer("replay", "out.tafl")
    assert (found["ok"], [remark["code"] for remark in found["remarks"]]) == (2, ["missing_reason"])
    code, _, err = run("convert", "table.csv", "--to", "otg")
    assert code == 1
    assert "table.csv:1: " in err


def test_what_cannot_be_expressed_is_one_line_for_each_kind_with_its_first_place() -> None:
    head = '[Variant "brandub-globe"]\n'
    games = [f'[Club "A"]\n{head}\n1. d2-c2 *', f'[Town "B"]\n[Club "C"]\n{head}\n1. d2-c2 {{why}} *']
    Path("two.tafl").write_text("\n\n".join(games) + "\n", encoding="utf-8")
    code, _, err = run("convert", "two.tafl", "--to", "moves")
    assert (code, err.splitlines()[:-1]) == (
        0,
        [
            "headers left out: Club, Variant, Town (1) (2 games, the first at two.tafl:1)",
            "comments left out (1 game, at two.tafl:6)",
        ],
    )
    assert "Variant" not in run("convert", "games.tafl", "--to", "jsonl")[2]
    for name in ("csv", "moves"):
        err = run("convert", "games.tafl", "--to", name)[2]
        assert err.startswith("headers left out: Variant, Revision, Rules (6 games, ")
        # The user has named them.
        assert "headers" not in run("convert", "games.tafl", "--to", name, "--variant", "brandub-globe")[2]
    Path("odd.pgn").write_text("1. d2-c2 $140 c4-c6 $141\n", encoding="utf-8")
    err = run("convert", "odd.pgn", "--to", "moves")[2]
    assert err.splitlines()[0].endswith(", and 1 more of this kind (1 game, at odd.pgn:1)")


def test_faults_are_reported_by_place_and_other_games_are_written() -> None:
    Path("bad.csv").write_text(f"{TABLE}d2-e2 z9,0,0,White\n{TABLE}", encoding="utf-8")
    code, out, err = run("convert", "bad.csv", "--to", "moves")
    assert (code, out.count("\n")) == (1, 4)
    assert "bad.csv:3:7: “z9” is not a move" in err
    assert "4 games written, 1 left out." in err
    found = answer("convert", "bad.csv", "--to", "moves", "-o", "out.txt", code=1)
    assert (found["games"], found["written"], found["faulty"]) == (5, 4, 1)
    assert {key: found["faults"][0][key] for key in ("file", "game", "line", "column", "code")} == {
        "file": "bad.csv",
        "game": 3,
        "line": 3,
        "column": 7,
        "code": "bad_move",
    }
    assert run("convert", "bad.csv", "--to", "moves", "--lenient")[1].count("\n") == 5


_CUT_GAMES = {
    "csv": "d2-c2 d5-e5 zz,0,0,Black\n",
    "jsonl": '{"type": 0, "moves": ["d2-c2", "d5-e5", "zz", "c2-c1"], "winner": "Black"}\n',
    "moves": "d2-c2 d5-e5 zz c2-c1 timeout\n",
    "otg": "[result:1]\n[rules:dim:7 surf:n ks:w cenh: cenhe: start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/ ]\n\n"
    "1. d2-c2 d5-e5\n[|]\n2. zz c2-c1\n[|]\n",
    "pgn": '[Result "Black"]\n\n1. d2c2 d5e5 2. zz c2c1 Black\n',
    "tafl": '[Result "attackers"]\n[Reason "resignation"]\n\n1. d2-c2 2. d5-e5 3. zz 4. c2-c1 attackers\n',
}


@pytest.mark.parametrize("name", sorted(_CUT_GAMES))
def test_lenient_keeps_the_moves_before_a_fault_and_names_the_cut(name: str) -> None:
    Path(f"cut.{name}").write_text(_CUT_GAMES[name], encoding="utf-8")
    args = ("convert", f"cut.{name}", "--from", name, "--variant", "brandub-globe", "--to", "tafl")
    code, out, err = run(*args, "--lenient")
    (kept,) = parse_records(out)
    assert [str(node.move) for node in kept.nodes] == ["d2-c2", "d5-e5"]
    assert (code, kept.result, kept.header("Reason")) == (0, "*", None)
    assert f"cut.{name}:" in err
    assert "“zz” is not a move" in err
    assert "The game ends before it: 2 moves kept, without a result." in err
    assert "1 of the games written ends before its first error." in err
    found = answer(*args, "--lenient", "-o", "out.tafl")
    assert (found["written"], found["faulty"], found["cut"], len(found["faults"])) == (1, 0, 1, 1)
    assert run(*args)[0] == 1


def test_lenient_reading_of_a_faulty_header_keeps_all_moves_and_the_result() -> None:
    text = '[Revision "x"]\n[Result "attackers"]\n\n1. d2-c2 2. d5-e5 attackers\n'
    Path("head.tafl").write_text(text, encoding="utf-8")
    code, out, err = run("convert", "head.tafl", "--to", "tafl", "--lenient")
    assert (code, parse_records(out)[0].result) == (0, "attackers")
    assert "head.tafl:1:1: " in err
    assert "ends before" not in err


def test_strict_leaves_the_file_as_it_was() -> None:
    Path("bad.csv").write_text(f"{TABLE}d2-e2 z9,0,0,White\n", encoding="utf-8")
    Path("out.txt").write_text("before", encoding="utf-8")
    code, _, err = run("convert", "bad.csv", "--to", "csv", "-o", "out.txt", "--strict")
    assert code == 1
    assert "bad.csv:3:7" in err
    assert "Nothing was written" in err
    assert Path("out.txt").read_text(encoding="utf-8") == "before"
    assert run("convert", "table.csv", "--to", "moves", "-o", "out.txt", "--strict")[0] == 1
    assert Path("out.txt").read_text(encoding="utf-8") == "before"
    assert run("convert", "games.tafl", "-o", "out.tafl", "--strict")[0] == 0
    assert sorted(path.name for path in Path().iterdir()) == [
        "bad.csv",
        "games.tafl",
        "out.tafl",
        "out.txt",
        "table.csv",
    ]


def test_gaps_are_reported_once_with_their_count() -> None:
    text = Path("games.tafl").read_text(encoding="utf-8").replace("[Variant", '[Club "x"]\n[Variant')
    Path("club.tafl").write_text(text, encoding="utf-8")
    _, _, err = run("convert", "club.tafl", "--to", "otg", "-o", "out.otg", "--lang", "fr")
    assert "en-tête omis\u00a0: Club (6 parties, la première dans club.tafl:1)\n" in err
    gaps = answer("convert", "club.tafl", "--to", "moves", "-o", "out.txt")["gaps"]
    assert ("header", 6) in [(gap["code"], gap["games"]) for gap in gaps]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["convert"], "bad_usage"),
        (["convert", "table.csv", "--to", "moves"], "bad_usage"),
        (["convert", "table.csv", "-o", "out.xyz"], "bad_usage"),
        (["convert", "table.csv", "-o", "a.csv", "--strict", "--lenient"], "bad_usage"),
        (["convert", "table.csv", "--to", "pdf", "-o", "a"], "bad_usage"),
        (["convert", "binary", "-o", "a.csv"], "unrecognised"),
        (["convert", "missing.csv", "-o", "a.csv"], "cannot_read"),
        (["convert", "table.csv", "-o", "no/folder/a.csv"], "cannot_write"),
        (["convert", "table.csv", "--variant", "nonsense", "-o", "a.csv"], "unknown_variant"),
    ],
)
def test_wrong_usage(args: list[str], code: str) -> None:
    Path("binary").write_bytes(b"\x00\x01\x02 hello")
    assert refusal(*args)["code"] == code


def test_strict_writes_nothing_to_standard_output_and_says_so() -> None:
    Path("bad.csv").write_text(f"{TABLE}d2-e2 z9,0,0,White\n", encoding="utf-8")
    code, out, err = run("convert", "bad.csv", "--to", "csv", "--variant", "brandub-globe", "--strict")
    assert (code, out) == (1, "")
    assert err.splitlines()[-1] == "Nothing was written: `--strict` stopped the conversion here."
    assert "0 games written" not in err


def test_a_variant_that_the_user_names_is_not_left_out() -> None:
    Path("fair.csv").write_text("d2-e2 c4-c5,0,0,Ongoing\n", encoding="utf-8")
    args = ("convert", "fair.csv", "--to", "csv", "--variant", "brandub-globe", "--strict")
    assert run(*args)[:2] == (0, "d2-e2 c4-c5,0,0,Ongoing\n")
    assert "header left out: Variant" in run("convert", "games.tafl", "--to", "moves")[2].replace(
        "headers", "header"
    )


@pytest.mark.parametrize(
    ("lang", "no_object", "bad_field"),
    [
        ("en", "This line is not a JSON object", "The field “moves” is missing or wrong"),
        ("fr", "Cette ligne n’est pas un objet JSON", "Le champ «\u00a0moves\u00a0» manque"),
    ],
)
def test_faults_of_json_lines_are_sentences(lang: str, no_object: str, bad_field: str) -> None:
    Path("br.jsonl").write_text('{"type": 0, "moves": 7}\n[]\n', encoding="utf-8")
    lines = run("convert", "br.jsonl", "--to", "csv", "--lang", lang)[2].splitlines()
    assert lines[0].startswith(f"br.jsonl:1:1: {bad_field}")
    assert lines[1].startswith(f"br.jsonl:2:1: {no_object}")


def test_rules_that_stand_in_the_file_again_are_not_left_out() -> None:
    start = "start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
    Path("odd.otg").write_text(f"[rules:dim:7 cen:b2, {start}]\n\n1. d2-c2 d5-e5\n[|]\n", encoding="utf-8")
    assert answer("convert", "odd.otg", "-o", "again.otg")["gaps"] == []
    assert "cen:b2," in Path("again.otg").read_text(encoding="utf-8")
    assert "cen:b2" in run("convert", "odd.otg", "-o", "again.tafl")[2]


def test_a_game_without_a_variant_is_named_with_its_remedy() -> None:
    Path("x.moves").write_text("d2-c2 d5-e5\n", encoding="utf-8")
    code, _, err = run("convert", "x.moves", "-o", "y.tafl")
    assert code == 0
    assert "1 game names no variant, so it cannot be replayed: name it with `--variant`." in err
    assert (
        "names no variant" not in run("convert", "x.moves", "-o", "z.tafl", "--variant", "brandub-globe")[2]
    )
    hint = "A game that names no known variant needs `--variant`."
    for name in ("y.tafl", "x.moves"):
        assert hint in run("replay", name)[1]
        assert hint not in run("replay", name, "--variant", "brandub-globe")[1]
        assert hint in run("print", "game", name, "-o", "x.pdf")[2]
    for args in (("analyse", "x.moves"), ("play", "--resume", "x.moves")):
        assert "`hnefi convert x.moves --variant ID -o x.tafl`" in run(*args)[2]
    assert "-o y-named.tafl`" in run("analyse", "y.tafl")[2]


def test_changed_rules_and_another_start_go_to_pgn_and_back() -> None:
    switched = BRANDUB.with_switches({"quiet_limit": 40})
    headers = (*variant_headers(switched), ("Start", "7/7/7/3K3/7/7/t6 d"))
    text = "".join(f'[{name} "{value}"]\n' for name, value in headers) + "\n1. d4-d3 2. a1-a2 *\n"
    Path("changed.tafl").write_text(text, encoding="utf-8")
    assert run("convert", "changed.tafl", "-o", "changed.pgn")[0] == 0
    assert run("convert", "changed.pgn", "-o", "back.tafl")[0] == 0
    (back,) = parse_records(Path("back.tafl").read_text(encoding="utf-8"))
    assert (back.header("Switches"), back.header("Start")) == ("quiet_limit=40", "7/7/7/3K3/7/7/t6 d")
    Path("wrong.pgn").write_text('[Switches "x"]\n\n1. d2c2 d5e5\n', encoding="utf-8")
    code, out, _ = run("convert", "wrong.pgn", "--to", "tafl")
    assert (code, "Switches" in out) == (0, False)


def test_a_dozen_errors_are_shown_and_the_others_counted() -> None:
    Path("README.md").write_text("These words are no moves\n" * 300, encoding="utf-8")
    err = run("convert", "README.md", "--from", "csv", "--to", "tafl")[2].splitlines()
    assert (len(err), err[12]) == (14, "and 288 more errors")
    err = run("lab", "suite", "README.md", "--nodes", "10")[2].splitlines()
    assert (len(err), err[12]) == (13, "and 288 more errors")
    Path("few.csv").write_text("zz\n" * 12, encoding="utf-8")
    assert "more error" not in run("convert", "few.csv", "--from", "csv", "--to", "tafl")[2]


def test_a_name_without_the_extension_of_a_format_is_named() -> None:
    Path("adir").mkdir()
    assert "“.xyz” at the end of foo.xyz" in run("convert", "games.tafl", "-o", "foo.xyz")[2]
    assert "adir is a folder" in run("convert", "games.tafl", "-o", "adir")[2]
    assert "--to (" in run("convert", "games.tafl", "-o", "foo")[2]
    assert "--to (" in run("convert", "games.tafl", "-o", "foo.gz")[2]
