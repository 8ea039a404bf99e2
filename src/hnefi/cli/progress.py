"""Progress on standard error: a bar on a terminal, a line a minute elsewhere; results that Ctrl-C leaves."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from hnefi.cli.faults import INTERRUPTED
from hnefi.cli.output import colour_depth
from hnefi.cli.texts import grouped, translate

if TYPE_CHECKING:
    from rich.progress import Progress

_Result = TypeVar("_Result")

_LINE_S = 60
"""After how long a line follows without a terminal; short commands print none."""


class ProgressBar:
    """Shows progress: with a bar, or with a line now and then."""

    def __init__(self, text: str, total: int, progress: "Progress | None" = None) -> None:
        self._text, self._total, self._progress = text, total, progress
        self._task = progress.add_task(text, total=total) if progress else None
        self._line_s = time.monotonic() + _LINE_S

    def __call__(self, done: int, text: str | None = None, total: int | None = None) -> None:
        """Updates the amount done, the text, and the total."""
        self._text, self._total = text or self._text, self._total if total is None else total
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=done, description=text, total=total)
        elif time.monotonic() >= self._line_s:
            self._line_s = time.monotonic() + _LINE_S
            key = "cli.progress.share" if self._total else "cli.progress.count"
            facts = {"text": self._text, "done": grouped(done), "total": grouped(self._total)}
            click.echo(translate(key, **facts), err=True)


@contextmanager
def progress_bar(text: str, total: int) -> Iterator[ProgressBar]:
    """Shows progress with a text on standard error."""
    if colour_depth(sys.stderr) == "none":
        yield ProgressBar(text, total)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield ProgressBar(text, total, progress)


def collected(results: Iterable[_Result]) -> tuple[list[_Result], bool]:
    """Returns results, and whether they are all: Ctrl-C ends the work and keeps those so far."""
    found: list[_Result] = []
    try:
        found.extend(results)
    except KeyboardInterrupt:
        return found, False
    return found, True


def partial_end(key: str = "cli.lab.partial", *, is_said: bool = True, **facts: object) -> int:
    """Prints that the results are partial, unless the answer is for programs; returns the exit code."""
    if is_said:
        click.echo(translate(key, **facts), err=True)
    return INTERRUPTED


def interrupted(folder: str | Path | None, *, is_said: bool = True) -> int:
    """Prints how to resume what was interrupted, unless the answer is for programs; returns the exit code."""
    key = "cli.lab.kept" if folder else "cli.lab.interrupted"
    return partial_end(key, is_said=is_said, folder=folder)
