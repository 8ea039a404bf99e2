"""The measurements that are kept agree with the files they are about, and name commits that exist."""

import re
import subprocess
from pathlib import Path

import pytest

from hnefi.variants import booklet_ids
from hnefi.variants.built_in import built_in_ids
from tests.deep.mutate import MUTATIONS
from tests.test_perft import COUNTS

ROOT = Path(__file__).parents[1]
MEASUREMENTS = ROOT / "docs" / "measurements"
CHECKS = {
    cells[0]: cells
    for line in (MEASUREMENTS / "deep-checks.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and len(cells := [cell.strip() for cell in line.strip("|").split(" | ")]) > 1
}


def git(*arguments: str) -> str:
    """Returns what git says; empty if it refuses."""
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout.strip()


def test_every_commit_that_is_named_is_in_the_history() -> None:
    """A commit that was never landed, or was rebased, cannot be looked at by anybody."""
    if git("rev-parse", "--show-toplevel", "--is-shallow-repository").split("\n") != [str(ROOT), "false"]:
        pytest.skip("system: the history of the project is not here")
    history = git("rev-list", "HEAD").split()
    missing = [
        f"{page.relative_to(ROOT)}: {name}"
        for page in (ROOT / "docs").rglob("*.md")
        for name in re.findall(r"\b[0-9a-f]{7,8}\b|\b[0-9a-f]{40}\b", page.read_text(encoding="utf-8"))
        if not name.isdigit() and not any(commit.startswith(name) for commit in history)
    ]
    assert not missing


def test_the_mutations_that_were_tried_are_those_of_the_list() -> None:
    text = (MEASUREMENTS / "mutations.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (\S+) \| (.*?) \| (.*?) \|", text, re.MULTILINE)
    assert [(file, meaning) for _, file, meaning, _ in rows] == [(one.file, one.meaning) for one in MUTATIONS]
    assert [number for number, *_ in rows] == [str(number) for number in range(1, len(rows) + 1)]
    assert "NOTHING" not in {killed_by for *_, killed_by in rows}
    assert CHECKS["mutations"][1].startswith(f"{len(MUTATIONS)} mutations")


def test_the_counts_of_the_long_checks_are_those_of_the_files() -> None:
    assert f" of {len(built_in_ids())} variants" in CHECKS["examples"][1]
    counts = sum(count.variant in booklet_ids() for count in COUNTS)
    assert CHECKS["perft"][1].startswith(f"{counts} counts ")
