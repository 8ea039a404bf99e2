"""Help of the command line: texts, examples, manual page, completion."""

import os
import re

import click
import pytest

from hnefi.cli.app import COMMANDS, hnefi
from hnefi.cli.commands import CommandGroup
from hnefi.cli.values import FilePath
from hnefi.i18n import text
from tests.cli_runs import refusal, run, run_installed
from tests.test_cli import LANGUAGES, command
from tests.test_i18n import messages

pytestmark = pytest.mark.usefixtures("plain_cli")


GROUPS = {name: one for name in COMMANDS if isinstance(one := command(name), CommandGroup)}


MEMBERS = [f"{group} {name}" for group, one in GROUPS.items() for name in one.members]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [*COMMANDS, *MEMBERS])
def test_help_teaches(name: str, language: str) -> None:
    code, out, err = run(*name.split(), "--help", "--lang", language)
    assert (code, err) == (0, "")
    assert f"hnefi {name}" in out
    assert {"en": "Examples:", "fr": "Exemples\u00a0:"}[language] in out
    assert "cli." not in out.replace("hnefi.cli.", "")
    assert not [line for line in out.splitlines() if "  hnefi" not in line and len(line) > 96]
    for option in command(name).params:
        if isinstance(option, click.Option) and not option.hidden:
            assert option.opts[0] in out
    for member in GROUPS[name].members if name in GROUPS else ():
        assert f"  {member} " in out


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_arguments_prints_help(language: str) -> None:
    code, out, err = run("--lang", language)
    assert (code, err) == (0, "")
    assert run("--help", "--lang", language) == (code, out, err)
    for name in COMMANDS:
        assert f"  {name} " in out


@pytest.mark.parametrize("names", [(), ("play",), ("lab", "arena"), ("variants",)], ids=" ".join)
def test_help_prints_the_same_as_its_option(names: tuple[str, ...]) -> None:
    assert run("help", *names) == run(*names, "--help")


def test_help_refuses_an_unknown_command() -> None:
    for names in (["nonsense"], ["lab", "nonsense"], ["play", "arena"]):
        assert refusal("help", *names)["code"] == "bad_usage"


def test_the_manual_page_has_every_command_and_no_line_that_roff_misreads() -> None:
    code, out, err = run("help", "--man", "--lang", "fr")
    assert (code, err) == (0, "")
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
    code, out, err = run("completion", shell)
    assert (code, err) == (0, "")
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
