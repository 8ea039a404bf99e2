"""Report of the long checks: docs/measurements/deep-checks.md, one row a check."""

import datetime as dt
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "docs" / "measurements" / "deep-checks.md"
HEAD = """# What the long checks found

`make check-deep` runs these checks and writes their last result here. With the same seed a check does the
same again. The seconds were taken on a machine with two cores, busy with other work.

| Check | What was done | Result | Seed | Seconds | Day | Commit |
|---|---|---|---|---|---|---|
"""


def note(check: str, done: str, result: str, seed: int | None, seconds: float) -> None:
    """Replaces the row of a check in the report."""
    today = dt.datetime.now(dt.UTC).date().isoformat()
    shown = "-" if seed is None else str(seed)
    row = f"| {check} | {done} | {result} | {shown} | {seconds:.0f} | {today} | {commit()} |"
    rows = {line.split("|")[1].strip(): line for line in old_rows()}
    rows[check] = row
    REPORT.write_text(HEAD + "\n".join(rows[name] for name in sorted(rows)) + "\n", encoding="utf-8")


def old_rows() -> list[str]:
    """Returns the rows of the existing report."""
    if not REPORT.exists():
        return []
    lines = REPORT.read_text(encoding="utf-8").splitlines()
    table = [line for line in lines if line.startswith("| ")]
    return table[1:]


def commit() -> str:
    """Returns the commit that is checked, with a `+` if files differ from it."""
    name = git("rev-parse", "--short", "HEAD")
    return name + ("+" if name and git("status", "--porcelain", "--", "crates", "src", "tests") else "")


def git(*arguments: str) -> str:
    """Runs git and returns its output; empty without git."""
    try:
        run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return run.stdout.strip()
