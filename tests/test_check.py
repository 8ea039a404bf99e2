"""How checks and tests are run: lanes, limits, what has passed, skips and unsteady tests."""

import datetime as dt
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import check
import pytest

from tests.conftest import UNSTEADY
from tests.timeouts import timeout_s

ROOT = Path(__file__).parents[1]


@pytest.fixture
def checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sets a folder for what checks print."""
    monkeypatch.setattr(check, "LOGS", tmp_path)
    monkeypatch.setattr(check, "ROOT", tmp_path)
    return tmp_path


def step(name: str, program: str, limit_s: float | None = None) -> check.Step:
    return check.Step(name, shlex.join([sys.executable, "-c", program]), limit_s=limit_s)


def test_lanes_run_side_by_side_and_what_fails_is_shown_and_ends_both(
    checks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    meet = "import pathlib, time\n{}.touch()\nwhile not {}.exists(): time.sleep(.01)"
    a, b = "pathlib.Path('a')", "pathlib.Path('b')"
    lanes = [
        (step("one", meet.format(a, b)), step("bad", "print('why'); raise SystemExit(1)"), step("never", "")),
        (step("two", meet.format(b, a)),),
    ]
    with pytest.raises(SystemExit, match=r"^bad failed: "):
        check.run_lanes(lanes, dict(os.environ))
    printed = {line.split(" (")[0] for line in capsys.readouterr().out.splitlines()}
    assert printed >= {"one: ok", "two: ok", "why", "bad: FAILED"}
    assert not (checks / "never.log").exists()


@pytest.mark.usefixtures("checks")
def test_a_check_that_takes_too_long_is_ended_and_says_where_it_was(
    capsys: pytest.CaptureFixture[str],
) -> None:
    program = (
        "import faulthandler, signal, time; faulthandler.register(signal.SIGQUIT)\n"
        "def waiting(): time.sleep(600)\nprint('so far', flush=True); waiting()"
    )
    fault = check.run(step("tests", program, limit_s=timeout_s() / 60), dict(os.environ))
    assert fault is not None
    printed = capsys.readouterr().out
    for part in ("so far", "took too long", "in waiting", "KeyboardInterrupt", "tests: FAILED"):
        assert part in printed


def test_a_long_check_that_has_passed_is_run_again_only_after_a_change(checks: Path) -> None:
    (checks / "docs" / "measurements").mkdir(parents=True)
    files = {name: checks / name for name in ("source", "docs/measurements/perft.md", "runs")}
    for file in files.values():
        file.touch()
    for command in ("init -q", "add source docs", "-c user.name=t -c user.email=t@t commit -q -m t"):
        subprocess.run(["git", *command.split()], cwd=checks, check=True)
    long = replace(step("long", "open('runs', 'a').write('.')"), passes_once=True)
    for changed, runs in ((None, 1), (None, 1), ("docs/measurements/perft.md", 1), ("source", 2), (None, 3)):
        if changed:
            files[changed].write_text("other")
        assert check.run(long, dict(os.environ)) is None
        assert files["runs"].stat().st_size == runs


# --- How tests are run ------------------------------------------------------------------------------------


def test_a_test_may_be_skipped_in_ci_for_the_system_alone(tmp_path: Path) -> None:
    for name in ("conftest.py", "unsteady.toml"):
        shutil.copy(ROOT / "tests" / name, tmp_path)
    (tmp_path / "test_skips.py").write_text(
        "import pytest\n"
        "def test_lazy(): pytest.skip('no nginx')\n"
        "def test_system(): pytest.skip('system: no second address')\n"
        "@pytest.mark.skip(reason='later')\ndef test_later(): pass"
    )
    options = ("-p", "no:cacheprovider", "-o", "markers=deep\ntimeout")
    for ci, result in (("true", "1 failed, 1 skipped, 1 error"), ("", "3 skipped")):
        run = subprocess.run(
            [sys.executable, "-m", "pytest", *options, str(tmp_path)],
            env={**os.environ, "CI": ci},
            capture_output=True,
            text=True,
            check=False,
        )
        assert result in run.stdout


def test_unsteady_tests_are_mended_within_two_weeks() -> None:
    today = dt.datetime.now(dt.UTC).date()
    for name, entry in UNSTEADY.items():
        assert (ROOT / name.partition("::")[0]).exists(), name
        assert entry["reason"]
        assert today - entry["since"] <= dt.timedelta(days=14), (
            f"{name} has been unsteady since {entry['since']}"
        )
