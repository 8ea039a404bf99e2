"""The command line as a whole: help, languages, errors, streams that are closed or odd."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from hnefi import __version__, variant_ids
from hnefi.cli.app import COMMANDS, hnefi
from hnefi.cli.commands import Command, CommandGroup
from hnefi.cli.lab import lab
from hnefi.cli.output import print_table
from tests.cli_runs import answer, complaint, printed, refusal, run
from tests.samples import sampled
from tests.timeouts import timeout_s

LANGUAGES = ("en", "fr")


pytestmark = pytest.mark.usefixtures("plain_cli")


def command(name: str) -> Command:
    """Returns a command, also one of a group: `lab arena`."""
    group, _, member = name.rpartition(" ")
    within = command(group) if group else hnefi
    assert isinstance(within, CommandGroup)
    found = within.get_command(click.Context(within), member)
    assert isinstance(found, Command)
    return found


# One is a game, one goes on until it is stopped, two write folders, and three are about the games of whoever
# runs the tests.
OPEN_ENDED = ("play", "serve", "site", "box", "backup", "restore", "library", "lab")
EXPERIMENTS = [command(f"lab {name}") for name in lab.members if name != "train"]
EXAMPLES = [
    line
    for one in (*(command(name) for name in COMMANDS if name not in OPEN_ENDED), *EXPERIMENTS)
    for line, _ in one.examples
]


@pytest.mark.parametrize(
    "line",
    [line for line in EXAMPLES if not re.search(r"\.(tafl|jsonl|csv|epd|pdf|calibration|building)", line)],
)
def test_every_example_works(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hnefi.cli.lab.signature.signature_of", lambda _: 1)
    out = printed(*shlex.split(line), stdin="isready\n")
    assert out


def test_version_option_prints_version() -> None:
    assert run("--version") == (0, f"hnefi {__version__}\n", "")


WRONG = [
    ["nonsense"],
    ["library", "burn"],
    ["apply"],
    ["apply", "brandub-globe"],
    ["apply", "brandub-globe", "start", "--nonsense"],
    ["apply", "brandub-globe", "start", "--calls"],
    ["apply", "brandub-globe", "start", "--calls", "sometimes"],
    ["apply", "brandub-globe", "start", "--switch"],
    ["lab", "perft", "brandub-globe", "2", "3"],
    ["lab", "perft", "brandub-globe", "deep"],
    ["variants", "--lang", "tlh"],
    ["show", "brandub-globe", "--theme", "marble"],
    ["rules", "brandub-globe", "--why", "--format", "html"],
    ["replay"],
    ["diff", "brandub-globe"],
    ["play", "--calls", "x"],
    # Values of unset variables.
    ["play", "brandub-globe", "--against", ""],
    ["play", "brandub-globe", "--position", " "],
    ["variants", "--family", ""],
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("args", WRONG, ids=" ".join)
def test_wrong_usage_is_one_sentence_and_exit_code_2(args: list[str], language: str) -> None:
    err = complaint(*args, *(["--lang", language] if "--lang" not in args else []))
    assert err.count("\n") == 1
    assert err[0].isupper() or err.startswith(("--", "«", "“"))
    assert "Traceback" not in err


def test_wrong_usage_as_json() -> None:
    assert refusal("apply", "brandub-globe")["code"] == "bad_usage"
    assert "POSITION" in refusal("apply", "brandub-globe")["message"]
    for args in (("nonsense",), (), ("--version",)):
        assert refusal(*args)["code"] == "bad_usage"


@pytest.mark.parametrize(
    "line", ["show {}", "rules {}", "lab perft {} 2", "diff {} ard-ri-globe", "apply {} start"]
)
def test_an_unknown_variant_is_answered_with_suggestions(line: str) -> None:
    error = refusal(*line.format("brandu").split())
    assert (error["code"], "brandub-globe" in error["message"]) == ("unknown_variant", True)


@pytest.mark.parametrize("name", ["nonsense", "x", "tafl"])
def test_unknown_variant_without_close_match_gets_no_suggestions(name: str) -> None:
    code, _, err = run("rules", name)
    assert code == 2
    assert err == f"There is no variant “{name}”. `hnefi variants` lists them all.\n"


def test_a_command_typed_wrongly_is_answered_with_the_nearest() -> None:
    assert run("analyze")[2] == "There is no command “analyze”. Did you mean `analyse`?\n"
    assert run("library", "serach")[2] == "There is no command “serach”. Did you mean `search`?\n"
    assert run("library", "find")[2] == "There is no command “find”. Did you mean `search`?\n"
    assert run("library", "show", "-1")[2] == "-1 is read as an option; numbers here are not negative.\n"
    assert run("nonsense")[2] == "There is no command “nonsense”; --help lists them.\n"


def test_a_position_without_a_side_to_move_is_explained() -> None:
    assert "`a` for the attackers" in run("show", "brandub-globe", "junk")[2]


def test_a_file_of_a_variant_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes(b"id = '\xff'")
    assert f"{path}, line 1, column 7: not valid UTF-8" in run("rules", str(path))[2]
    path.write_text("id = 'odd'\nrevision =", encoding="utf-8")
    words = f"{path}, ligne 2, colonne 11\xa0: TOML invalide\u202f; attendu ici\xa0: une valeur"
    assert words in run("rules", str(path), "--lang", "fr")[2]


def test_languages_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HNEFI_LANG", "fr_BE.UTF-8")
    assert run("variants")[1].startswith("identifiant")
    assert run("variants", "--lang", "en")[1].startswith("id ")
    assert run("--lang=en", "variants")[1].startswith("id ")


def test_show_prints_board_and_facts() -> None:
    code, out, _ = run("show", "brandub-globe", "7/7/3T3/1K1t3/1Tt1tT1/7/3T3 d", "d1-d3")
    assert code == 0
    assert "[○]" in out
    found = answer("show", "brandub-globe", "7/7/3T3/1K1t3/1Tt1tT1/7/3T3 d", "d1-d3")
    assert found["last_move"] == "d1-d3xc3/d4/e3"
    assert found["pieces"]["b4"] == "king"
    assert (found["throne"], found["corners"]) == ("d4", ["a1", "a7", "g1", "g7"])
    assert "K" in found["board"]
    assert found["board"].isascii()


def test_a_reading_in_force_is_not_offered() -> None:
    asked, switch = ("rules", "brandub-globe", "--why", "--lang", "en"), ("--switch", "quiet_limit=40")
    offered = "To play it differently: --switch quiet_limit=40"
    assert offered in run(*asked)[1]
    assert offered not in run(*asked, *switch)[1]


def test_show_writes_svg(tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    code, out, err = run("show", "brandub-globe", "-o", str(path), "--theme", "slate")
    assert (code, out) == (0, "")
    assert str(path) in err
    drawn = run("show", "brandub-globe", "-o", "-", "--theme", "slate")[1]
    assert path.read_text("utf-8") == drawn
    assert drawn.startswith("<svg ")
    assert answer("show", "brandub-globe", "-o", "-")["svg"].startswith("<svg ")
    assert refusal("show", "brandub-globe", "-o", str(tmp_path / "no" / "x.svg"))["code"] == "cannot_write"


def test_show_writes_the_picture_that_the_extension_names(tmp_path: Path) -> None:
    path = tmp_path / "board.png"
    assert run("show", "brandub-globe", "-o", str(path))[0] == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    assert refusal("show", "brandub-globe", "-o", str(tmp_path / "board.jpg"))["code"] == "bad_usage"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("identity", sampled(variant_ids()))
@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_are_printed_in_every_format(identity: str, language: str) -> None:
    found = answer("rules", identity, "--why", "--lang", language)
    assert found["language"] == language
    assert [one["id"] for one in found["sections"] if one["is_rules"]][:2] == ["board", "aim"]
    assert found["sections"][-1]["id"] == "source"
    assert {origin["leaf"] for origin in found["origins"]} >= {"size", "goal", "quiet_limit", "match"}
    text = run("rules", identity, "--lang", language)[1]
    assert found["title"] in text
    assert "▲" in text
    assert "▲" not in run("rules", identity, "--no-pictures")[1]
    markdown = run("rules", identity, "--format", "markdown", "--lang", language)[1]
    assert markdown.startswith(f"# {found['title']}\n")
    page = run("rules", identity, "--format", "html", "--lang", language)[1]
    assert page.startswith("<!doctype html>")
    assert page.count("<svg ") == page.count("</svg>") > 0
    why = run("rules", identity, "--why", "--lang", language)[1]
    source = found["origins"][0]["sources"][0]
    assert (source["clause"] or source["where"].split()[0]) in why


def test_diff_names_what_differs() -> None:
    found = answer("diff", "tablut-geoludie", "tablut-geoludie-slow")
    assert not found["same_rules"]
    assert "range" in [one["leaf"] for one in found["differences"]]
    only = found["differences"][0]
    assert only["path"] == "rules.movement.range"
    assert [value["king"] for value in only["values"]] == [0, 1]
    assert only["words"][0] != only["words"][1]


def test_diff_covers_calls_matches_and_switches() -> None:
    leaves = [one["leaf"] for one in answer("diff", "gwezboell-globe", "tablut-geoludie")["differences"]]
    assert {"first", "calls", "match"} <= set(leaves)
    same = answer("diff", "brandub-globe", "BRANDUB-globe")
    assert (same["same_rules"], same["differences"]) == (True, [])
    switched = answer("diff", "brandub-globe", "brandub-globe", "--other-switch", "quiet_limit=40")
    assert [one["values"] for one in switched["differences"]] == [[20, 40]]
    back = answer(
        "diff", "brandub-globe", "brandub-globe", "-s", "quiet_limit=40", "--other-switch", "quiet_limit=40"
    )
    assert back["same_rules"]
    code, out, _ = run("diff", "brandub-globe", "brandub-breyer", "--lang", "fr")
    assert code == 0
    assert "Prendre le roi" in out or "king_capture" in out
    assert "  brandub-breyer\u00a0: 3,draw\n    La même position" in out
    assert "  brandub-breyer\u00a0: aucune\n" in out
    assert not re.search(r"count|sanction|legs|False|false", out)
    calls = run("diff", "gwezboell-globe", "tablut-geoludie", "--lang", "en")[1].partition("\nCalls\n")[2]
    assert " ".join(calls.split()).count("That same piece moves again") == 1
    assert run("diff", "brandub-globe", "brandub-globe")[1].count("\n") == 1


def test_a_table_folds_one_column_in_a_narrow_terminal_and_aligns_wide_characters(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [["é", "ten\nblack ravens fly", "9"], ["大鴉", "-", "10"]]
    print_table(["bird", "what it does", "n"], rows, numbers=(2,), folds=1)
    assert capsys.readouterr().out.splitlines() == [
        "bird  what it does       n",
        "─" * 26,
        "é     ten                9",
        "      black ravens fly",
        "大鴉  -                 10",
    ]
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm-256color"), ("COLUMNS", "20")):
        monkeypatch.setenv(name, value)
    print_table(["bird", "what it does", "n"], rows, numbers=(2,), folds=1)
    assert capsys.readouterr().out.splitlines() == [
        "\x1b[1mbird  what it does   n\x1b[0m",
        "─" * 22,
        "é     ten            9",
        "      black ravens",
        "      fly",
        "大鴉  -             10",
    ]


def test_a_narrow_table_wraps_wide_headings_before_it_folds_a_column(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm-256color"), ("COLUMNS", "34")):
        monkeypatch.setenv(name, value)
    print_table(["rules", "king’s side won", "plies"], [["brandub-globe", "50.0%", "26"]], numbers=(1, 2))
    assert capsys.readouterr().out.splitlines() == [
        "\x1b[1mrules           king’s side  plies\x1b[0m",
        "\x1b[1m                        won\x1b[0m",
        "─" * 34,
        "brandub-globe         50.0%     26",
    ]


def run_beside(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Runs the command with the modules of a folder before all others."""
    program = "import sys; sys.path.insert(0, sys.argv.pop(1)); from hnefi.cli import main; main()"
    command = [sys.executable, "-c", program, str(folder), *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout_s(), check=False)


def test_missing_extra_names_the_package_to_install(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise ModuleNotFoundError('no', name='click')", encoding="utf-8")
    done = run_beside(tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'hnefi[app]'" in done.stderr
    assert done.stderr.count("\n") == 1
    # The version needs no package.
    assert run_beside(tmp_path, "--version").stdout == f"hnefi {__version__}\n"


def test_an_interrupt_before_the_command_begins_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt", encoding="utf-8")
    done = run_beside(tmp_path, "variants")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_an_internal_import_error_is_not_reported_as_missing_extra(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("import hnefi.nonsense", encoding="utf-8")
    done = run_beside(tmp_path)
    assert "hnefi.nonsense" in done.stderr
    assert "pip install" not in done.stderr


def own_variants() -> dict[str, str]:
    """Files of one's own that hold little more than rules."""
    source = (Path(__file__).parents[1] / "src/hnefi/variants/data/gwezboell-globe.toml").read_text("utf-8")
    rules = source[source.index("[rules]") : source.index("[calls]")]
    head = 'id = "own"\nrevision = 1\n[about]\nnames = { en = "Own" }\n'
    calls = '[calls]\nsanction = "replay"\nreplay = "same_piece"\n'
    return {
        "little": head + rules,
        "calls": head + rules + calls,
        "match": head + rules + calls + "[match]\nlegs = 2\n[why]\nsize = []\n",
    }


@pytest.mark.parametrize("which", own_variants())
def test_minimal_custom_variant_is_accepted(which: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(own_variants()[which], encoding="utf-8")
    own = str(path)
    commands = [["rules", own], ["rules", own, "--why"], ["rules", own, "--format", "html"], ["show", own]]
    commands += [["diff", own, "brandub-globe"], ["apply", own, "start"], ["lab", "perft", own, "1"]]
    for lang in LANGUAGES:
        assert "Own" in printed("rules", own, "--why", "--lang", lang)
        assert printed("rules", own, "--lang", lang)
    for args in commands:
        assert run(*args)[0] == 0
        assert answer(*args)
    for calls in ("off", "auto", "manual"):
        args = ["play", own, "--calls", calls, "--match", "--position", "9/9/9/9/2K6/9/9/9/6t2 d"]
        assert run(*args, stdin="?\nc5-a5 raichi\nc5-a5\ng1-g2\na5-a9\n\nmoves\n")[0] == 0
