"""Runs the checks of the project in order, prints the duration of each, and stops when one fails.

`quick` looks at the sources only, `test` checks everything, `deep` does what takes too long for every day.
What a step prints is shown if it fails; it is kept in `target/checks` in any case.
"""

import os
import shlex
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


@dataclass(frozen=True, slots=True)
class Step:
    """One check: its name, its command, and the cargo subcommand without which it cannot be run."""

    name: str
    command: str
    subcommand: str | None = None


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
    Step("pytest", "pytest -n auto --maxprocesses 8 --dist loadfile --no-loadscope-reorder"),
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
    with log.open("w", encoding="utf-8") as output:
        status = subprocess.run(
            shlex.split(step.command),
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        ).returncode
    seconds = time.monotonic() - begin
    if status != 0:
        print(f"FAILED ({seconds:.1f} s)\n\n{log.read_text(encoding='utf-8', errors='replace')}")
        sys.exit(f"{step.name} failed: {step.command}")
    print(f"ok ({seconds:.1f} s)", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
