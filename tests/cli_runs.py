"""Helpers that run `hnefi`: in this process, or as the installed command."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from hnefi.cli.app import hnefi
from tests.timeouts import timeout_s

COMMAND = str(Path(sys.executable).parent / "hnefi")


def run(*args: str, stdin: str | None = None) -> tuple[int, str, str]:
    """Runs a command in this process; returns exit code, stdout and stderr. Exceptions fail the test."""
    result = CliRunner().invoke(hnefi, args, input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result.exit_code, result.stdout, result.stderr


def printed(*args: str, stdin: str | None = None) -> str:
    """Runs a command that must succeed without a word on stderr, and returns its output."""
    code, out, err = run(*args, stdin=stdin)
    assert (code, err) == (0, ""), out
    return out


def complaint(*args: str, stdin: str | None = None) -> str:
    """Runs a command that must be refused before it prints anything, and returns what it says on stderr."""
    code, out, err = run(*args, stdin=stdin)
    assert (code, out) == (2, ""), err
    return err


def answer(*args: str, code: int = 0) -> dict[str, Any]:
    """Runs a command with `--json` and returns its output."""
    exit_code, out, err = run(*args, "--json")
    assert (exit_code, err) == (code, ""), out
    assert out.count("\n") == 1
    found: dict[str, Any] = json.loads(out)
    return found


def refusal(*args: str) -> dict[str, str]:
    """Runs a command that must fail, with `--json`, and returns the error."""
    found = answer(*args, code=2)
    assert list(found) == ["error"]
    assert list(found["error"]) == ["code", "message"]
    assert found["error"]["message"]
    error: dict[str, str] = found["error"]
    return error


def play(*args: str, lines: str = "") -> str:
    """Runs `hnefi play` with input lines separated by `;`, and returns the output."""
    out = printed("play", *args, stdin="".join(f"{line.strip()}\n" for line in lines.split(";")))
    return out.replace("\u202f", " ").replace("\u00a0", " ")


@contextmanager
def started(*args: str, **settings: Any) -> Iterator["subprocess.Popen[bytes]"]:
    """Starts the installed command, and kills the process on exit."""
    with subprocess.Popen([COMMAND, *args], **settings) as process:
        try:
            yield process
        finally:
            process.kill()


def run_installed(*args: str | bytes, **settings: Any) -> subprocess.CompletedProcess[bytes]:
    """Runs the installed command."""
    return subprocess.run([COMMAND, *args], capture_output=True, timeout=timeout_s(), check=False, **settings)
