"""The tutorial and the guides: their commands and examples work in the order in which a reader types them."""

import doctest
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hnefi.cli.app import COMMANDS
from tests.cli_runs import run

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [page for folder in ("tutorial", "guide") for page in sorted((DOCS / folder).glob("*.md"))]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """The blocks that are run: Python examples, and commands with what they print."""
    yield from re.findall(
        r"^```(console|python)\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a block, each with what it prints."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed


@pytest.mark.parametrize("page", [page for page in PAGES if any(blocks(page))], ids=lambda page: page.stem)
def test_a_page_can_be_followed(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(ROOT / "tests" / "records" / "brandub-globe.tafl", tmp_path / "games.tafl")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HNEFI_VARIANTS", str(tmp_path / "variants"))
    monkeypatch.setenv("HNEFI_LANG", "en")
    names: dict[str, object] = {}
    for kind, block in blocks(page):
        if kind == "python":
            test = doctest.DocTestParser().get_doctest(block, names, page.stem, str(page), 0)
            report = list[str]()
            results = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append, clear_globs=False)
            assert results.failed == 0, "".join(report)
            names = test.globs
            continue
        for command, printed in commands(block):
            # On standard error stand reports of what was done.
            code, out, err = run(*shlex.split(command)[1:])
            assert (command.split()[0], code) == ("hnefi", 0), f"{command}\n{err}"
            if printed:
                assert doctest.OutputChecker().check_output(printed, out, FLAGS), f"{command}\n{out}"


def test_every_block_of_commands_begins_with_a_prompt() -> None:
    unprompted = [
        page.name for page in PAGES for kind, block in blocks(page) if kind == "console" and block[0] != "$"
    ]
    assert unprompted == []


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.stem)
def test_every_command_that_is_shown_exists(page: Path) -> None:
    """Those that are not run: they talk on standard input, open a browser or take long."""
    shown = re.findall(r"^(?:\$ )?hnefi ([a-z]+)\b", page.read_text("utf-8"), re.MULTILINE)
    assert [command for command in shown if command not in COMMANDS] == []
