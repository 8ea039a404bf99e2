"""Progress bars on the terminal; nothing without one."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hnefi.cli.output import colour_depth

if TYPE_CHECKING:
    from rich.progress import Progress


class ProgressBar:
    """Shows progress; does nothing without a terminal."""

    def __init__(self, progress: "Progress | None" = None, text: str = "", total: int = 0) -> None:
        self._progress = progress
        self._task = progress.add_task(text, total=total) if progress else None

    def __call__(self, done: int, text: str | None = None, total: int | None = None) -> None:
        """Updates the amount done, the text, and the total."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=done, description=text, total=total)


@contextmanager
def progress_bar(text: str, total: int) -> Iterator[ProgressBar]:
    """Shows a progress bar with a text on standard error."""
    if colour_depth(sys.stderr) == "none":
        yield ProgressBar()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield ProgressBar(progress, text, total)
