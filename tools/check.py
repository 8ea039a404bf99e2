"""Runs the checks of the project, prints the duration of each, and ends when one fails.

`quick` looks at the sources only, `test` checks everything, `changed` what the difference to `main` can have
broken, `deep` does what takes too long for every day; ended and called again, it goes on after the steps that
have passed at this commit. Its output is shown if a step fails, and kept in `target/checks` in any case.
A test that fails, fails the run: nothing is run twice.
"""

import os
import shlex
import signal
import subprocess
import sys
import threading
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import areas
import node
import programs
import toolchain

ROOT = Path(__file__).parents[1]
BIN = ROOT / ".venv" / "bin"
LOGS = ROOT / "target" / "checks"
_NO_TESTS = 5
"""The exit code of pytest if all tests were left out."""

CORES = os.cpu_count() or 1
WORKERS = min(CORES + 1, 8)
"""One more than there are processors, since tests of servers wait for long; two more took longer."""


@dataclass(frozen=True, slots=True)
class Step:
    """One check.

    Attributes:
        name: Its name.
        command: Its command.
        subcommand: The cargo subcommand that it needs.
        limit_s: It has failed if it takes longer.
        may_fail: Whether the others go on if it fails.
        may_find_none: Whether a run of pytest without any test is a success.
        passes_once: Whether it is left out where it has passed at the same commit.
    """

    name: str
    command: str
    subcommand: str | None = None
    limit_s: float | None = None
    may_fail: bool = False
    may_find_none: bool = False
    passes_once: bool = False


def pytest_step(tests: str = "") -> Step:
    """Returns the step of the tests; a busy machine gets more time."""
    limit_s = 60.0 * (25 if os.getloadavg()[0] < 1.5 * CORES else 40)
    # Whole files at a time, in their order, so that browsers and servers are started once in each process.
    command = (
        f"pytest -n {WORKERS} --dist loadfile --no-loadscope-reorder --maxfail 12"
        f" --durations 40 --junitxml {LOGS / 'pytest.xml'} {tests}"
    )
    # What changed may be tests for make check-deep alone.
    return Step("pytest", command, limit_s=limit_s, may_find_none=tests != "")


# Two lanes that run side by side: the compiler of Rust, and everything else.
SOURCES = (
    Step("ruff check", "ruff check ."),
    Step("ruff format", "ruff format --check ."),
    Step("docstrings", "python tools/check_docstrings.py"),
    Step("import-linter", "lint-imports --no-cache"),
    Step("tsc", "node web/node_modules/typescript/bin/tsc --project web"),
    Step("web layers", "python tools/web_layers.py"),
    Step("mypy", "mypy"),
)
RUST = (
    Step("rustfmt", "cargo fmt --all --check", subcommand="fmt"),
    Step("clippy", "cargo clippy -q --workspace --all-targets --locked -- -D warnings", subcommand="clippy"),
)
STUBS = Step(
    "stubtest",
    "python -m mypy.stubtest hnefi._core --mypy-config-file pyproject.toml"
    " --allowlist tests/stubtest-allowlist.txt",
)
# The bindings hold no rule and no test; linked as a test they would need Python's own library.
CARGO_TEST = Step("cargo test", "cargo test -q --workspace --exclude hnefi-python --locked")
_DEEP_TESTS = "pytest -m deep --durations 40"
_SIDE_BY_SIDE = f"{_DEEP_TESTS} -n {CORES} --dist loadfile"
# They write what they found into docs/measurements/deep-checks.md. The server has the machine to itself.
DEEP = tuple(
    Step(name, command, passes_once=True)
    for name, command in {
        "deep tests": f"{_SIDE_BY_SIDE} --ignore tests/web --ignore tests/server --ignore tests/deep",
        "deep tests of pages": f"{_SIDE_BY_SIDE} tests/web",
        "deep tests of the server": f"{_DEEP_TESTS} tests/server tests/deep",
        "perft": "python -m tests.deep.perft",
        "bad input": "python -m tests.deep.fuzz",
        "lock-step": "python -m tests.deep.lockstep",
        "mutations": "python -m tests.deep.mutate",
    }.items()
)
SETS = ("quick", "test", "changed", "deep")


def main(arguments: list[str]) -> None:
    """Runs the set of checks that is named; the exit code is 1 if one fails."""
    if len(arguments) != 1 or arguments[0] not in SETS:
        sys.exit(f"usage: check.py {'|'.join(SETS)}")
    environment = toolchain.rust_environment()
    environment["PATH"] = os.pathsep.join([str(BIN), environment["PATH"]])
    environment = node.node_environment(environment, may_install=False)
    # Hundreds of processes are started: what they import is compiled once, and kept apart from the sources.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["PYTHONPYCACHEPREFIX"] = str(ROOT / "target" / "bytecode")
    # PyO3 is configured for the Python it is compiled against.
    environment["PYO3_PYTHON"] = str(BIN / "python")
    if arguments[0] == "deep":
        os.environ["HNEFI_BROWSER"] = environment["HNEFI_BROWSER"] = "chromium"
        environment["HNEFI_HYPOTHESIS"] = "deep"
        programs.install_programs()
    LOGS.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    for lanes in stages(arguments[0]):
        run_lanes(lanes, environment)
    print(f"all checks passed ({time.monotonic() - begin:.0f} s)")


def stages(name: str) -> list[list[tuple[Step, ...]]]:
    """Returns the stages of a set of checks, each with the lanes that run side by side."""
    if name == "quick":
        return [[SOURCES, RUST]]
    if name == "deep":
        return [[(step,)] for step in DEEP]
    changed = areas.changed_areas() if name == "changed" else areas.EVERYTHING
    rust = (*RUST, CARGO_TEST) if changed.rust else ()
    tests = (pytest_step(" ".join(changed.tests or ())),) if changed.tests != () else ()
    return [[(*SOURCES, STUBS), rust], [tests], [unsteady_steps()]]


def unsteady_steps() -> tuple[Step, ...]:
    """Returns the step of the tests that fail sometimes, if there are any; it fails nothing."""
    names = tomllib.loads((ROOT / "tests" / "unsteady.toml").read_text(encoding="utf-8"))
    command = f"pytest -m unsteady {shlex.join(names)}"
    return (Step("unsteady tests", command, limit_s=600.0, may_fail=True),) if names else ()


def run_lanes(lanes: list[tuple[Step, ...]], environment: dict[str, str]) -> None:
    """Runs lanes side by side, the steps of each one after the other; ends the program if one fails."""
    failed = threading.Event()

    def run_lane(lane: tuple[Step, ...]) -> list[str]:
        for step in lane:
            if failed.is_set():
                break
            if (fault := run(step, environment)) is not None:
                failed.set()
                return [fault]
        return []

    with ThreadPoolExecutor(len(lanes)) as pool:
        faults = [fault for faults in pool.map(run_lane, lanes) for fault in faults]
    if faults:
        sys.exit("\n".join(faults))


def run(step: Step, environment: dict[str, str]) -> str | None:
    """Runs one check and prints its result, with its output if it fails; returns the fault."""
    if step.subcommand is not None and not toolchain.has_subcommand(step.subcommand, environment):
        if os.environ.get("CI") == "true":
            return f"{step.name} failed: there is no `cargo {step.subcommand}`"
        print(f"{step.name}: SKIPPED, install `cargo {step.subcommand}` to run it", flush=True)
        return None
    log = LOGS / f"{step.name.replace(' ', '-')}.log"
    passed = log.with_suffix(".passed")
    commit = committed() if step.passes_once else ""
    if commit and passed.exists() and passed.read_text("ascii") == commit:
        print(f"{step.name}: has passed at this commit", flush=True)
        return None
    begin = time.monotonic()
    status = execute(step, log, environment)
    seconds = time.monotonic() - begin
    if status == 0 or (step.may_find_none and status == _NO_TESTS):
        if commit:
            passed.write_text(commit, "ascii")
        print(f"{step.name}: ok ({seconds:.1f} s)", flush=True)
        return None
    print(
        f"{log.read_text(encoding='utf-8', errors='replace')}\n{step.name}: FAILED ({seconds:.1f} s)",
        flush=True,
    )
    return None if step.may_fail else f"{step.name} failed: {step.command}"


def committed() -> str:
    """Returns the commit of the sources; empty if they differ from it, their measurements apart."""
    measured = ":!docs/measurements"
    changed = subprocess.run(["git", "diff", "--quiet", "HEAD", "--", ".", measured], cwd=ROOT, check=False)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return head.stdout.strip() if changed.returncode == 0 else ""


def execute(step: Step, log: Path, environment: dict[str, str]) -> int | None:
    """Runs the command of a step, at most until its limit; returns its exit code, None if it was ended."""
    log.unlink(missing_ok=True)
    # Appended to, since what ends a step writes there too.
    with log.open("a", encoding="utf-8") as output:
        process = subprocess.Popen(
            shlex.split(step.command),
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            process_group=0,
        )
        try:
            return process.wait(step.limit_s)
        except subprocess.TimeoutExpired:
            end(process, log)
            return None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def end(process: subprocess.Popen[bytes], log: Path) -> None:
    """Ends a step that took too long, and writes what it was doing to its log.

    That is the tree of processes, the stacks of the processes of pytest with the running tests (printed on
    SIGQUIT: `tests/conftest.py`), and from pytest what has failed and what was slow.
    """
    with log.open("a", encoding="utf-8") as output:
        print("\n=== took too long: the running processes ===", file=output, flush=True)
        subprocess.run(["ps", "-eo", "pid,ppid,etimes,time,args", "--forest"], stdout=output, check=False)
    for pid in python_processes(process.pid):
        os.kill(pid, signal.SIGQUIT)
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)


def python_processes(parent: int) -> list[int]:
    """Returns a process of pytest and its workers: those whose direct parent it is."""
    children = Path(f"/proc/{parent}/task/{parent}/children")
    return [parent, *map(int, children.read_text("ascii").split())] if children.exists() else [parent]


if __name__ == "__main__":
    main(sys.argv[1:])
