"""Finds the tests that a change can break, from the table tests/areas.toml, for `make test-changed`."""

import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "tests" / "areas.toml"
# What pytest collects besides files of tests: the examples in docstrings and documents.
EXAMPLES = ("src/hnefi", "README.md", "docs")


@dataclass(frozen=True, slots=True)
class Changed:
    """What a change can break.

    Attributes:
        rust: Whether that includes the sources in Rust.
        tests: The files and folders of tests; None for all.
    """

    rust: bool
    tests: tuple[str, ...] | None


EVERYTHING = Changed(rust=True, tests=None)


@dataclass(frozen=True, slots=True)
class Area:
    """A row of the table.

    Attributes:
        paths: Patterns of its files; `*` matches folders too.
        tests: Patterns of its tests.
        but: Patterns of the tests among them that it cannot break.
        rust: Whether its files are compiled by Cargo.
    """

    paths: Sequence[str]
    tests: Sequence[str]
    but: Sequence[str] = ()
    rust: bool = False

    def has(self, path: str) -> bool:
        """Checks whether a file belongs to the area."""
        return any(fnmatchcase(path, pattern) for pattern in self.paths)


def read_areas() -> list[Area]:
    """Returns the rows of the table."""
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))["area"]
    return [Area(**row) for row in rows]


def changed_files() -> list[str] | None:
    """Returns the files that differ from the commit where this branch left `main`, new files included.

    None if that commit is not known, as in a clone without `main`.
    """
    base = _git("merge-base", "main", "HEAD")
    if not base:
        return None
    return sorted(
        {*_git("diff", "--name-only", base[0]), *_git("ls-files", "--others", "--exclude-standard")}
    )


def affected(files: Iterable[str], areas: list[Area]) -> Changed:
    """Returns what a change of these files can break: everything, if one of them is in no area.

    A file of tests is its own area; a file may be in several.
    """
    tests, rust = set[str](), False
    for file in files:
        name = Path(file).name
        if file.startswith("tests/") and name.startswith("test_"):
            tests.update([file] if (ROOT / file).exists() else [])
            continue
        found = [area for area in areas if area.has(file)]
        if not found:
            return EVERYTHING
        for area in found:
            tests |= expand(area.tests) - expand(area.but)
            rust |= area.rust
    return Changed(rust, tuple(sorted(tests)))


def expand(patterns: Iterable[str]) -> set[str]:
    """Returns the files of tests, and the places of examples, that match patterns.

    >>> expand(["tests/test_wor*.py", "README.md"])
    {'tests/test_words.py', ...}
    """
    found = set[str]()
    for pattern in patterns:
        if pattern in EXAMPLES:
            found.add(pattern)
        paths = [path for path in ROOT.glob(pattern) if path.name.startswith("test_") or path.suffix == ".md"]
        found.update(path.relative_to(ROOT).as_posix() for path in paths)
    return found


def changed_areas() -> Changed:
    """Prints and returns what the change to `main` can break."""
    files = changed_files()
    if files is None:
        print("there is no branch main to compare with: every test", flush=True)
        return EVERYTHING
    changed = affected(files, read_areas())
    what = "every test" if changed.tests is None else f"{len(changed.tests)} files of tests"
    print(f"{len(files)} files differ from main: {what}", flush=True)
    return changed


def _git(*arguments: str) -> list[str]:
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        print(run.stderr, file=sys.stderr, end="")
    return run.stdout.split()
