"""How far something is that takes long, on the terminal; nothing where there is none."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hnefi.cli.output import colour_depth

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["Show", "showing"]


class Show:
    """Shows how much is done."""

    def __init__(self, progress: "Progress | None" = None, text: str = "", total: int = 0) -> None:
        self._progress = progress
        self._task = progress.add_task(text, total=total) if progress else None

    def __call__(self, done: int, text: str | None = None) -> None:
        """Says how much is done now, and about what."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=done, description=text)


@contextmanager
def showing(text: str, total: int) -> Iterator[Show]:
    """Shows a bar with a text on standard error as long as it lasts."""
    if colour_depth(sys.stderr) == "none":
        yield Show()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield Show(progress, text, total)
