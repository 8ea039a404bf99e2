"""Runs the checks of the project in order, prints the duration of each, and stops when one fails.

`quick` looks at the sources only, `test` checks everything, `deep` does what takes too long for every day.
What a step prints is shown if it fails; it is kept in `target/checks` in any case. A few tests that fail
beside others are run again alone: if they pass now, their names are printed, and the step counts as passed.
"""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import node
import toolchain

ROOT = Path(__file__).parents[1]
BIN = ROOT / ".venv" / "bin"
LOGS = ROOT / "target" / "checks"
LAST_FAILED = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
WORKERS = min((os.cpu_count() or 1) + 1, 8)
"""One more than there are processors, since tests of servers wait for long."""

MOST_AGAIN = 10
"""So many failed tests are run again; more are not an accident."""


@dataclass(frozen=True, slots=True)
class Step:
    """One check.

    Attributes:
        name: Its name.
        command: Its command.
        subcommand: The cargo subcommand without which it cannot be run.
        again: The command that runs the tests again that failed.
        limit_s: After this time it is ended and has failed.
    """

    name: str
    command: str
    subcommand: str | None = None
    again: str | None = None
    limit_s: float | None = None


QUICK = (
    Step("ruff check", "ruff check ."),
    Step("ruff format", "ruff format --check ."),
    Step("words", "python tools/check_words.py"),
    Step("mypy", "mypy"),
    Step("import-linter", "lint-imports --no-cache"),
    Step("tsc", "node web/node_modules/typescript/bin/tsc --project web"),
    Step("web layers", "python tools/web_layers.py"),
    Step("rustfmt", "cargo fmt --all --check", subcommand="fmt"),
    Step("clippy", "cargo clippy -q --workspace --all-targets --locked -- -D warnings", subcommand="clippy"),
)
TEST = (
    *QUICK,
    Step(
        "stubtest",
        "python -m mypy.stubtest hnefi._core --mypy-config-file pyproject.toml"
        " --allowlist tests/stubtest-allowlist.txt",
    ),
    # The bindings hold no rule and no test; linked as a test they would need Python's own library.
    Step("cargo test", "cargo test -q --workspace --exclude hnefi-python --locked"),
    # Whole files at a time, in their order, so that browsers and servers are started once in each process.
    Step(
        "pytest",
        f"pytest -n {WORKERS} --dist loadfile --no-loadscope-reorder --durations 40",
        again="pytest --last-failed --last-failed-no-failures none",
        limit_s=50 * 60,
    ),
)
# They write what they found into docs/measurements/deep-checks.md.
DEEP = (
    Step("pytest deep", "pytest -m deep"),
    Step("perft", "python -m tests.deep.perft"),
    Step("bad input", "python -m tests.deep.fuzz"),
    Step("lock-step", "python -m tests.deep.lockstep"),
    Step("mutations", "python -m tests.deep.mutate"),
)
SETS = {"quick": QUICK, "test": TEST, "deep": DEEP}


def main(arguments: list[str]) -> None:
    """Runs the set of checks that is named; the exit code is 1 if one fails."""
    if len(arguments) != 1 or arguments[0] not in SETS:
        sys.exit(f"usage: check.py {'|'.join(SETS)}")
    environment = toolchain.rust_environment()
    environment["PATH"] = os.pathsep.join([str(BIN), environment["PATH"]])
    environment = node.node_environment(environment, may_install=False)
    # PyO3 is configured for the Python it is compiled against.
    environment["PYO3_PYTHON"] = str(BIN / "python")
    LOGS.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    for step in SETS[arguments[0]]:
        run(step, environment)
    print(f"all checks passed ({time.monotonic() - begin:.0f} s)")


def run(step: Step, environment: dict[str, str]) -> None:
    """Runs one check and prints its result; ends the program if it fails."""
    print(f"{step.name} … ", end="", flush=True)
    if step.subcommand is not None and not toolchain.has_subcommand(step.subcommand, environment):
        print(f"SKIPPED, for want of `cargo {step.subcommand}`: install it to run this check", flush=True)
        return
    begin = time.monotonic()
    log = LOGS / f"{step.name.replace(' ', '-')}.log"
    status = execute(step.command, log, environment, step.limit_s)
    failed = failed_tests() if status == 1 and step.again is not None else []
    unsteady = ""
    if step.again is not None and 0 < len(failed) <= MOST_AGAIN:
        log_again = log.with_suffix(".again.log")
        status = execute(step.again, log_again, environment, step.limit_s)
        if status == 0:
            unsteady = "".join(f"\n  passed only when run again: {name}" for name in failed)
        else:
            log = log_again
    seconds = time.monotonic() - begin
    if status != 0:
        print(f"FAILED ({seconds:.1f} s)\n\n{log.read_text(encoding='utf-8', errors='replace')}")
        sys.exit(f"{step.name} failed: {step.command}")
    print(f"ok ({seconds:.1f} s){unsteady}", flush=True)


def execute(command: str, log: Path, environment: dict[str, str], limit_s: float | None) -> int | None:
    """Runs a command, and ends it after the limit; returns its exit code, None if it was ended."""
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            shlex.split(command),
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            process_group=0,
        )
        try:
            return process.wait(limit_s)
        except subprocess.TimeoutExpired:
            # pytest then prints what has failed so far.
            os.killpg(process.pid, signal.SIGINT)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                output.write(f"\nended after {limit_s} s\n")
            return None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def failed_tests() -> list[str]:
    """Returns the names of the tests that failed in the last run of pytest."""
    try:
        return sorted(json.loads(LAST_FAILED.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return []


if __name__ == "__main__":
    main(sys.argv[1:])
