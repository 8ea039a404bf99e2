"""Help, streams and files of the command line: closed, full, interrupted, unreadable, in any encoding."""

import gzip
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import click
import pytest

from hnefi.cli.app import COMMANDS, hnefi
from hnefi.cli.commands import CommandGroup
from hnefi.cli.progress import progress_bar
from hnefi.cli.texts import language_of_run
from hnefi.cli.values import FilePath
from hnefi.i18n import text
from tests.cli_runs import COMMAND, printed, refusal, run, run_installed, started
from tests.samples import deep
from tests.test_cli import LANGUAGES, command
from tests.test_i18n import messages
from tests.timeouts import timeout_s

pytestmark = pytest.mark.usefixtures("plain_cli")

GROUPS = {name: one for name in COMMANDS if isinstance(one := command(name), CommandGroup)}


MEMBERS = [f"{group} {name}" for group, one in GROUPS.items() for name in one.members]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [*COMMANDS, *MEMBERS])
def test_help_teaches(name: str, language: str) -> None:
    out = printed(*name.split(), "--help", "--lang", language)
    assert f"hnefi {name}" in out
    assert {"en": "Examples:", "fr": "Exemples\u00a0:"}[language] in out
    assert "cli." not in out.replace("hnefi.cli.", "")
    assert not [line for line in out.splitlines() if "  hnefi" not in line and len(line) > 96]
    for option in command(name).params:
        if isinstance(option, click.Option) and not option.hidden:
            assert option.opts[0] in out
    for member in GROUPS[name].members if name in GROUPS else ():
        assert f"  {member} " in out


def test_help_says_the_least_number_of_an_option() -> None:
    for name, said in (("calibrate", "400, at least 8)"), ("train", "500000, at least 1000)")):
        assert said in " ".join(run("lab", name, "--help")[1].split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_arguments_prints_help(language: str) -> None:
    code, out, err = run("--lang", language)
    assert (code, err) == (0, "")
    assert run("--help", "--lang", language) == (code, out, err)
    assert run("library", "--lang", language) == run("library", "--help", "--lang", language)
    for name in COMMANDS:
        assert f"  {name} " in out


@pytest.mark.parametrize("names", [(), ("play",), ("lab", "arena"), ("variants",)], ids=" ".join)
def test_help_prints_the_same_as_its_option(names: tuple[str, ...]) -> None:
    assert run("help", *names) == run(*names, "--help")


def test_help_refuses_an_unknown_command() -> None:
    for names in (["nonsense"], ["lab", "nonsense"], ["play", "arena"]):
        assert refusal("help", *names)["code"] == "bad_usage"


def test_the_manual_page_has_every_command_and_no_line_that_roff_misreads() -> None:
    out = printed("help", "--man", "--lang", "fr")
    assert [name for name in (*COMMANDS, "lab arena") if f'.SH "hnefi {name}"' not in out] == []
    assert {line.split()[0] for line in out.splitlines() if line[:1] in (".", "'")} == {
        ".TH",
        ".SH",
        ".nf",
        ".fi",
    }
    assert "-" not in out.replace("\\-", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    out = printed("completion", shell)
    assert f"_HNEFI_COMPLETE={shell}_complete" in out
    monkeypatch.setenv("_HNEFI_COMPLETE", f"{shell}_complete")
    for begun, last, whole, explained in (
        ("lab ar", "ar", "arena", text("cli.lab.arena.short", "en")),
        ("show --tur", "--tur", "--turned", text("cli.option.turned", "en")),
    ):
        monkeypatch.setenv("COMP_WORDS", f"hnefi {begun}")
        monkeypatch.setenv("COMP_CWORD", last if shell == "fish" else "2")
        completed = run()[1]
        assert whole in completed
        assert (explained in completed) == (shell != "bash")


def test_every_option_that_names_a_file_to_write_is_output() -> None:
    writes = re.compile(r"(also )?(write|save)\b", re.IGNORECASE)
    paths = [
        option
        for one in (*map(command, COMMANDS), *map(command, MEMBERS))
        for option in one.params
        if isinstance(option, click.Option) and isinstance(option.type, FilePath)
    ]
    found = {tuple(option.opts) for option in paths if writes.match(text(str(option.help), "en"))}
    assert found == {("--output", "-o")}
    assert {("--output", "-o")} == {tuple(option.opts) for option in paths if "--output" in option.opts}


def test_only_commands_with_rules_of_their_own_have_an_output_without_a_guard() -> None:
    guarded = type(next(one for one in command("convert").params if "--output" in one.opts))
    outputs = {
        name: one
        for name in (*COMMANDS, *MEMBERS)
        for one in command(name).params
        if isinstance(one, click.Option) and "--output" in one.opts
    }
    plain = {name for name, one in outputs.items() if not isinstance(one, guarded)}
    assert plain <= {"analyse", "play", "box", "site build", "lab sample"}, plain


def test_every_command_has_examples() -> None:
    for name in (*COMMANDS, *MEMBERS):
        assert len(command(name).examples) >= 2
        assert all(
            f"{line} ".startswith(f"{name.removesuffix(' list')} ") for line, _ in command(name).examples
        )


def test_every_description_of_an_example_is_used() -> None:
    commands = (hnefi, *map(command, (*COMMANDS, *MEMBERS)))
    used = {key for one in commands for _, key in one.examples}
    assert {key for key in messages("en") if re.match(r"cli\.\w+\.(\w+\.)?example\.", key)} == used


def test_shell_completion_lists_variants() -> None:
    asked = {"_HNEFI_COMPLETE": "bash_complete", "COMP_WORDS": "hnefi show tab", "COMP_CWORD": "2"}
    done = run_installed(env={**os.environ, **asked})
    assert done.returncode == 0
    assert [line.split(b",")[1] for line in done.stdout.split()] == [
        b"tablut-geoludie",
        b"tablut-geoludie-slow",
        b"tablut-kouvia",
    ]


def shell(line: str, *args: str | Path) -> "subprocess.CompletedProcess[bytes]":
    """Runs a line of `bash`."""
    words = ["bash", "-c", line, *args]
    return subprocess.run(words, capture_output=True, timeout=timeout_s(), check=False)


GAME = '[Variant "brandub-globe"]\n[Result "*"]\n\n1. d2-c2 2. d5-c5 *\n'


def test_without_a_terminal_long_work_writes_a_line_a_minute(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times_s = iter([0, 59, 60, 60, 119, 120, 120])
    monkeypatch.setattr(time, "monotonic", lambda: next(times_s))
    with language_of_run("en"), progress_bar("games", 7_000) as show:
        for done in (1_000, 1_100, 2_000):
            show(done)
        show(3, "matches", 0)
    assert capsys.readouterr() == ("", "games: 1,100 of 7,000\nmatches: 3\n")


def test_system_errors_and_words_of_python_are_translated(tmp_path: Path) -> None:
    for name, lang, said in (
        ("nothing.tafl", "en", "cannot be read: there is no such file or folder."),
        ("nothing.tafl", "fr", "ne peut pas être lu\u00a0: ce fichier ou ce dossier n’existe pas."),
        (str(tmp_path), "en", "cannot be read: it is a folder."),
        (str(tmp_path), "fr", "ne peut pas être lu\u00a0: c’est un dossier."),
        ("9" * 5_000, "en", "cannot be read: the name is too long."),
    ):
        assert said in run("replay", name, "--lang", lang)[2]
        if name == "nothing.tafl":
            assert said in run("show", "nothing.toml", "--lang", lang)[2]
    assert "un guillemet n’est pas fermé." in run("hint", "brandub-globe", "--engine", "'", "--lang", "fr")[2]


def test_files_without_end_name_or_limit_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    path.write_bytes(b"#" * 1_000_001)
    assert "1 MB" in refusal("show", str(path))["message"]
    for words in (("show", str(path)), ("show", "/dev/zero/../zero.toml"), ("replay", "a\x00b")):
        assert refusal(*words)["code"] == "cannot_read"


def test_arguments_that_are_no_text(tmp_path: Path) -> None:
    done = run_installed(*b"apply brandub-globe start \xff".split())
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") == 1
    # The system passes such bytes as lone surrogates.
    odd = "\udcff"
    for args in (["show", odd], ["apply", "brandub-globe", odd * 2], ["replay", f"{tmp_path}/{odd}.tafl"]):
        assert run(*args)[0] == 2


def test_a_reader_that_leaves_early_is_no_error() -> None:
    done = shell(f"{COMMAND} rules brandub-globe --why | head -1; exit ${{PIPESTATUS[0]}}")
    assert done.stderr == b""
    assert done.returncode in (0, 141)


@pytest.mark.parametrize("closing", [">&- 2>&- <&-", *deep(">&-", "<&-", "2>&-")])
def test_closed_streams_are_no_error(closing: str) -> None:
    done = shell(f"{COMMAND} apply brandub-globe start --json {closing}")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", *deep("latin-1")])
def test_no_encoding_is_too_small(encoding: str) -> None:
    settings = {**os.environ, "PYTHONIOENCODING": encoding, "HNEFI_LANG": "fr"}
    refused = run_installed("show", "brandu", env=settings)
    assert (refused.returncode, b"Traceback" in refused.stderr) == (2, False)
    done = run_installed("show", "brandub-globe", env=settings)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (b"K" in done.stdout) == (encoding != "utf-8")


def test_output_without_terminal_has_no_colours() -> None:
    assert b"\x1b" not in run_installed("show", "brandub-globe").stdout
    for args in (["variants"], ["rules", "brandub-globe"]):
        assert "\x1b" not in run(*args)[1]


def test_colours_can_be_asked_for_and_refused() -> None:
    forced = {**os.environ, "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    assert b"\x1b[" in run_installed("show", "brandub-globe", env=forced).stdout
    assert b"\x1b" not in run_installed("show", "brandub-globe", env={**forced, "NO_COLOR": "1"}).stdout


def test_an_interruption_is_silent() -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started("replay", "-", **pipes) as process:
        # More than a pipe holds: it has begun to read, and is where the user waits for it.
        assert process.stdin is not None
        process.stdin.write(b'[Variant "brandub-globe"]\n' + b"\n" * 100_000)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=timeout_s()) == (b"", b"")
        assert process.returncode == 130


def test_no_command_empties_a_file_of_games(tmp_path: Path) -> None:
    games, empty = tmp_path / "games.tafl", tmp_path / "empty.tafl"
    games.write_text(GAME)
    empty.write_text("\n")
    kept, library = str(games), str(tmp_path / "library.db")
    assert run("library", "add", kept, "--library", library)[0] == 0
    assert refusal("replay", str(empty), kept, "-o", kept)["code"] == "would_be_lost"
    assert refusal("convert", str(empty), "-o", kept)["code"] == "unrecognised"
    assert run("library", "export", "--library", library, "--player", "zz", "-o", kept)[0] == 1
    assert games.read_text() == GAME


@pytest.mark.parametrize(
    "line",
    [
        "print game a.tafl -o a.tafl",
        "convert a.tafl -o a.tafl",
        "convert a.tafl --to tafl -o l.db",
        "replay a.tafl -o l.db",
        "replay a.tafl -o packed.gz",
        "booklet my.toml -o my.toml",
        "booklet brandub-globe --logo=logo.pdf -o logo.pdf",
        "print board my.toml -o link.pdf",
        "book build my.toml --games a.tafl -o a.tafl",
        "lab calibrate my.toml -o my.toml",
        "lab arena nodes:1 nodes:1 brandub-globe -o suite.epd",
        "lab signature -o suite.epd",
        "library export --library l.db --to tafl -o l.db",
        "library squares --library l.db -o a.tafl",
    ],
)
def test_no_output_replaces_an_input_or_something_else(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.tafl").write_text(GAME)
    Path("packed.gz").write_bytes(gzip.compress(GAME.encode()))
    Path("suite.epd").write_text("brandub-globe 7/7/7/3K3/7/7/t6 d bm d4-d7;\n")
    Path("logo.pdf").write_text("%PDF-1.7")
    run("library", "add", "a.tafl", "--library", "l.db")
    run("variants", "export", "brandub-globe", "-o", "my.toml")
    Path("link.pdf").symlink_to("my.toml")
    before = {path: path.read_bytes() for path in Path().iterdir()}
    assert refusal(*line.split())["code"] == "would_be_lost"
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_an_output_replaces_its_like(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.tafl").write_text(GAME.replace("*", "attackers"))
    for _ in range(2):
        run("replay", "a.tafl", "-o", "faults.jsonl")
        assert "is_fault" in Path("faults.jsonl").read_text()
        for line in (
            "convert a.tafl -o out.jsonl",
            "print board brandub-globe -o board.pdf",
            "show brandub-globe -o board.svg",
            "variants export brandub-globe -o my.toml",
        ):
            assert run(*line.split())[0] == 0, line


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_an_error_of_the_output_not_of_the_input(tmp_path: Path) -> None:
    games = tmp_path / "games.tafl"
    games.write_text(GAME)
    for words in ("variants", "variants --json", "--version", "replay $0 --board"):
        done = shell(f"{COMMAND} {words} > /dev/full", games)
        assert (done.returncode, done.stderr.split()[0], done.stderr.count(b"\n")) == (2, b"stdout", 1)
    for words in ("replay $0", "analyse $0 --nodes 5"):
        assert shell(f"{COMMAND} {words} -o /dev/full", games).stderr.startswith(b"/dev/full ")
    added = run("library", "add", str(games), "--library", "/dev/full", "--lang", "fr")[2]
    assert added == "/dev/full ne peut pas être écrite\u00a0: le disque est plein.\n"
    collected = run("lab", "puzzles", "brandub-globe", "-o", "/dev/full")[2]
    assert collected == "/dev/full cannot be written: it is not a folder.\n"
    played = run("play", "brandub-globe", "-o", "/dev/full", stdin="d2-c2\n")[1]
    assert "/dev/full cannot be written: the disk is full." in played
    assert "Game saved" not in played
