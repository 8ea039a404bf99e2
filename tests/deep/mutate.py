"""Plants known faults into a copy of the Rust rules, one at a time, and sees whether the tests notice.

    python -m tests.deep.mutate

The copy is built and tested in a folder of its own; nothing of the project is touched but the list of
results, docs/measurements/mutations.md. The exit code is 1 if a fault survives, or if its place is not
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
# Checks of the Rust compiler are off in the wheel as well: a fault must not be caught by them.
BUILD = (
    "cargo build --quiet --locked -p hnefi-python"
    " --config profile.dev.opt-level=1 --config profile.dev.debug=false"
    " --config profile.dev.overflow-checks=false --config profile.dev.debug-assertions=false"
)
# The quickest first. Random tests draw the same every time, so that a fault is not caught by luck.
STAGES = (
    ("worked positions", "tests/test_worked_core.py"),
    ("perft", "tests/test_perft.py"),
    ("calls", "tests/test_laws_calls.py"),
    ("lock-step", "tests/test_lockstep.py"),
    ("laws", "tests/test_laws.py tests/test_laws_values.py tests/test_laws_rules.py"),
)
PYTEST = "-m pytest -q -x -m not:deep -p no:cacheprovider --hypothesis-seed=0"


class Mutation(NamedTuple):
    """One fault: a file of the rules, the text that is there once, and what stands there instead."""

    file: str
    meaning: str
    old: str
    new: str


def read_mutations(text: str) -> list[Mutation]:
    """Reads the list; its form is described in its head."""
    mutations = []
    for block in text.split("\n@ ")[1:]:
        head, *lines = block.rstrip().split("\n")
        file, _, meaning = head.partition(": ")
        old, new = ("\n".join(line[2:] for line in lines if line[:1] == mark) for mark in "-+")
        mutations.append(Mutation(file, meaning, old, new))
    return mutations


MUTATIONS = read_mutations((Path(__file__).parent / "mutations.txt").read_text("utf-8"))


class Verdict(NamedTuple):
    """What became of one fault: the stage that caught it and its first failing test, or why it was not."""

    mutation: Mutation
    caught: str
    test: str
    seconds: float


class Workplace:
    """A copy of the project to plant faults in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignored = shutil.ignore_patterns("__pycache__", "*.so", "deep")
        for name in ("benchmarks", "crates", "src", "tests", "docs"):
            shutil.copytree(ROOT / name, folder / name, ignore=ignored, dirs_exist_ok=True)
        for name in ("Cargo.toml", "Cargo.lock", "pyproject.toml", "README.md"):
            shutil.copy2(ROOT / name, folder / name)
        python = os.pathsep.join([str(folder / "src"), str(folder)])
        self.environment = {**os.environ, "PYTHONPATH": python, "PYO3_PYTHON": sys.executable}
        self.environment |= {"CARGO_TARGET_DIR": str(folder / "target"), "PYTHONDONTWRITEBYTECODE": "1"}

    def build(self) -> str:
        """Builds the core; gives what the compiler says if it refuses."""
        run = self._run(BUILD.split(), 600)
        if run.returncode == 0:
            shutil.copy2(self.folder / "target" / "debug" / "lib_core.so", self.folder / CORE)
        return run.stderr if run.returncode else ""

    def failing(self) -> tuple[str, str]:
        """Returns the first stage that fails, and its test; two empty texts if none does."""
        for stage, files in STAGES:
            words = [word.replace("not:deep", "not deep") for word in PYTEST.split()]
            try:
                run = self._run([sys.executable, *words, *files.split()], 300)
            except subprocess.TimeoutExpired:
                return stage, "(takes too long)"
            if run.returncode:
                failed = re.search(
                    r"^(?:FAILED|ERROR) \S*?(\w+(?:\[.*?\])?)(?: - .*)?$", run.stdout, re.MULTILINE
                )
                return stage, failed.group(1) if failed else "(ends without a word)"
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
    """Plants every fault, or those whose number is given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("numbers", type=int, nargs="*", help="which faults, counted from 1; all if absent")
    parser.add_argument("--folder", type=Path, help="where to work, and to stay; a new folder if absent")
    options = parser.parse_args()
    lost = [one for one in MUTATIONS if (ROOT / RULES / one.file).read_text("utf-8").count(one.old) != 1]
    for one in lost:
        print(f"{one.file}: not found exactly once: {one.old!r}")
    if lost:
        sys.exit(1)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        place = Workplace(options.folder or Path(folder))
        if judge(place, 0).caught:
            sys.exit("The tests fail without a fault: nothing is shown by them.")
        verdicts = [judge(place, number) for number in options.numbers or range(1, len(MUTATIONS) + 1)]
    survived = [verdict for verdict in verdicts if not verdict.caught]
    print(f"{len(verdicts)} faults, {len(survived)} survived, {time.monotonic() - begin:.0f} s")
    if not options.numbers:
        write_report(verdicts)
        result = f"{len(survived)} survived" if survived else "all caught"
        note("mutations", f"{len(verdicts)} planted faults", result, None, time.monotonic() - begin)
    sys.exit(bool(survived))


def judge(place: Workplace, number: int) -> Verdict:
    """Plants one fault, builds, tests, and takes it out again; number 0 plants none."""
    mutation = MUTATIONS[number - 1] if number else Mutation("lib.rs", "nothing", "", "")
    begin = time.monotonic()
    file = place.folder / RULES / mutation.file
    sound = file.read_text("utf-8")
    file.write_text(sound.replace(mutation.old, mutation.new) if number else sound, "utf-8")
    try:
        refused = place.build()
        if refused:
            sys.exit(f"{number}: {mutation.meaning}: does not compile\n{refused}")
        caught, test = place.failing()
    finally:
        file.write_text(sound, "utf-8")
    verdict = Verdict(mutation, caught, test, time.monotonic() - begin)
    told = f"caught by {caught} ({test})" if caught else "SURVIVED" if number else "all tests pass"
    print(f"{number:2} {mutation.file} {mutation.meaning}: {told}, {verdict.seconds:.0f} s", flush=True)
    return verdict


def write_report(verdicts: list[Verdict]) -> None:
    """Writes the table of results."""
    lines = [
        "# Planted faults",
        "",
        "`python -m tests.deep.mutate` plants these faults into a copy of the rules, one at a time, and runs",
        "the tests. Each has to be caught; the first test that fails is named. The faults themselves are in",
        f"`tests/deep/mutations.txt`. Last run at commit {commit()}.",
        "",
        "| No | File | What is broken | Caught by | Test |",
        "|---|---|---|---|---|",
    ]
    for number, one in enumerate(verdicts, start=1):
        test = f"`{one.test}`" if one.test else "-"
        cells = (str(number), one.mutation.file, one.mutation.meaning, one.caught or "NOTHING", test)
        lines.append(f"| {' | '.join(cells)} |")
    REPORT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
