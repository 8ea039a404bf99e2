"""Mutation testing of the Rust rules: applies one mutation at a time to a copy, and runs the tests.

    python -m tests.deep.mutate

The copy is built and tested in a separate folder; of the project only the report changes,
docs/measurements/mutations.md. The exit code is 1 if a mutation survives, or if the text it replaces is not
found exactly once.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.deep.report import ROOT, commit, note

REPORT = ROOT / "docs" / "measurements" / "mutations.md"
RULES = Path("crates/rules/src")
CORE = Path("src/hnefi/_core.abi3.so")
# As in the wheel: overflow checks and debug assertions must not kill a mutation.
BUILD = (
    "cargo build --quiet --locked -p hnefi-python"
    " --config profile.dev.opt-level=1 --config profile.dev.debug=false"
    " --config profile.dev.overflow-checks=false --config profile.dev.debug-assertions=false"
)
# The quickest first. Random tests have a fixed seed, so that a mutation is not killed by chance.
STAGES = (
    ("worked positions", "tests/test_worked_core.py"),
    ("perft", "tests/test_perft.py"),
    ("calls", "tests/test_laws_calls.py"),
    ("lock-step", "tests/test_lockstep.py"),
    ("laws", "tests/test_laws.py tests/test_laws_values.py tests/test_laws_rules.py"),
)
PYTEST = "-m pytest -q -x -m not:deep -p no:cacheprovider --hypothesis-seed=0"


class Mutation(NamedTuple):
    """A mutation: a file of the rules, a text that it contains exactly once, and the replacement."""

    file: str
    meaning: str
    old: str
    new: str


def read_mutations(text: str) -> list[Mutation]:
    """Parses the list of mutations; its format is described in its header."""
    mutations = []
    for block in text.split("\n@ ")[1:]:
        head, *lines = block.rstrip().split("\n")
        file, _, meaning = head.partition(": ")
        old, new = ("\n".join(line[2:] for line in lines if line[:1] == mark) for mark in "-+")
        mutations.append(Mutation(file, meaning, old, new))
    return mutations


MUTATIONS = read_mutations((Path(__file__).parent / "mutations.txt").read_text("utf-8"))


class MutationResult(NamedTuple):
    """The stage that killed a mutation and its first failing test; both are empty if it survived."""

    mutation: Mutation
    killed_by: str
    test: str
    seconds: float


class Checkout:
    """A copy of the project to which mutations are applied."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignored = shutil.ignore_patterns("__pycache__", "*.so", "deep")
        for name in ("benchmarks", "crates", "src", "tests", "tools", "docs"):
            shutil.copytree(ROOT / name, folder / name, ignore=ignored, dirs_exist_ok=True)
        for name in ("Cargo.toml", "Cargo.lock", "pyproject.toml", "README.md"):
            shutil.copy2(ROOT / name, folder / name)
        python = os.pathsep.join([str(folder / "src"), str(folder)])
        self.environment = {**os.environ, "PYTHONPATH": python, "PYO3_PYTHON": sys.executable}
        self.environment |= {"CARGO_TARGET_DIR": str(folder / "target"), "PYTHONDONTWRITEBYTECODE": "1"}

    def build(self) -> str:
        """Builds the core; returns the compiler's error messages, empty if there are none."""
        run = self._run(BUILD.split(), 600)
        if run.returncode == 0:
            shutil.copy2(self.folder / "target" / "debug" / "lib_core.so", self.folder / CORE)
        return run.stderr if run.returncode else ""

    def first_failure(self) -> tuple[str, str]:
        """Returns the first stage that fails and its first failing test; two empty texts if none fails."""
        for stage, files in STAGES:
            words = [word.replace("not:deep", "not deep") for word in PYTEST.split()]
            try:
                run = self._run([sys.executable, *words, *files.split()], 300)
            except subprocess.TimeoutExpired:
                return stage, "(timed out)"
            if run.returncode:
                failed = re.search(
                    r"^(?:FAILED|ERROR) \S*?(\w+(?:\[.*?\])?)(?: - .*)?$", run.stdout, re.MULTILINE
                )
                return stage, failed.group(1) if failed else "(no output)"
        return "", ""

    def _run(self, command: list[str], seconds: int) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )


def main() -> None:
    """Tests every mutation, or those with the given numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("numbers", type=int, nargs="*", help="numbers of mutations, from 1; all if absent")
    parser.add_argument("--folder", type=Path, help="the folder of the copy, kept; temporary if absent")
    options = parser.parse_args()
    lost = [one for one in MUTATIONS if (ROOT / RULES / one.file).read_text("utf-8").count(one.old) != 1]
    for one in lost:
        print(f"{one.file}: not found exactly once: {one.old!r}")
    if lost:
        sys.exit(1)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        checkout = Checkout(options.folder or Path(folder))
        if run_mutation(checkout, 0).killed_by:
            sys.exit("The tests fail without a mutation.")
        results = [
            run_mutation(checkout, number) for number in options.numbers or range(1, len(MUTATIONS) + 1)
        ]
    survived = [result for result in results if not result.killed_by]
    print(f"{len(results)} mutations, {len(survived)} survived, {time.monotonic() - begin:.0f} s")
    if not options.numbers:
        write_report(results)
        result = f"{len(survived)} survived" if survived else "all killed"
        note("mutations", f"{len(results)} mutations", result, None, time.monotonic() - begin)
    sys.exit(bool(survived))


def run_mutation(checkout: Checkout, number: int) -> MutationResult:
    """Applies a mutation, builds, tests, and reverts it; number 0 is no mutation."""
    mutation = MUTATIONS[number - 1] if number else Mutation("lib.rs", "nothing", "", "")
    begin = time.monotonic()
    file = checkout.folder / RULES / mutation.file
    sound = file.read_text("utf-8")
    file.write_text(sound.replace(mutation.old, mutation.new) if number else sound, "utf-8")
    try:
        refused = checkout.build()
        if refused:
            sys.exit(f"{number}: {mutation.meaning}: does not compile\n{refused}")
        killed_by, test = checkout.first_failure()
    finally:
        file.write_text(sound, "utf-8")
    result = MutationResult(mutation, killed_by, test, time.monotonic() - begin)
    fate = f"killed by {killed_by} ({test})" if killed_by else "SURVIVED" if number else "all tests pass"
    print(f"{number:2} {mutation.file} {mutation.meaning}: {fate}, {result.seconds:.0f} s", flush=True)
    return result


def write_report(results: list[MutationResult]) -> None:
    """Writes the report."""
    lines = [
        "# Mutation tests",
        "",
        "`python -m tests.deep.mutate` applies these mutations to a copy of the rules, one at a time, and",
        "runs the tests. Every mutation must be killed; the first failing test is named. The list is in",
        f"`tests/deep/mutations.txt`. Last run at commit {commit()}.",
        "",
        "| No | File | Mutation | Killed by | Test |",
        "|---|---|---|---|---|",
    ]
    for number, one in enumerate(results, start=1):
        test = f"`{one.test}`" if one.test else "-"
        cells = (str(number), one.mutation.file, one.mutation.meaning, one.killed_by or "NOTHING", test)
        lines.append(f"| {' | '.join(cells)} |")
    REPORT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
