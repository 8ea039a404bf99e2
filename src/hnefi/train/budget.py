"""The time of a training, by generation and step, counted over all runs of it."""

import json
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hnefi.files import write_atomically

# A kill loses the time since the last write, at most about so much.
_SAVE_S = 2.0


class Budget:
    """The seconds that were spent so far, in a file, and the limit.

    Attributes:
        limit: The limit, in seconds; infinite if there is none.
    """

    def __init__(self, path: Path, hours: float | None = None) -> None:
        """Reads the file if there is one; `hours` is the limit of all runs together, None for none.

        Raises:
            ValueError: If the file cannot be parsed.
        """
        self._path = path
        self.limit = math.inf if hours is None else 3600 * hours
        self._seconds: dict[str, dict[str, float]] = (
            json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        )
        self._running: tuple[str, str, float] | None = None
        self._saved = time.monotonic()

    @contextmanager
    def step(self, generation: int, name: str) -> Iterator[None]:
        """Counts the time of a block as that of a step; the file has it at the end."""
        self._running = str(generation), name, time.monotonic()
        try:
            yield
        finally:
            self._count()
            self._running = None
            self._save()

    def tick(self) -> None:
        """Writes the file from time to time; called often during a step."""
        self._count()
        if time.monotonic() - self._saved >= _SAVE_S:
            self._save()

    def spent(self, generation: int | None = None, step: str | None = None) -> float:
        """Returns the seconds of all steps, of those of a generation, or of one of its steps."""
        self._count()
        return math.fsum(
            seconds
            for number, steps in self._seconds.items()
            for name, seconds in steps.items()
            if generation in (None, int(number)) and step in (None, name)
        )

    def before(self, generation: int) -> float:
        """Returns the seconds of the generations before one."""
        return math.fsum(self.spent(number) for number in range(1, generation))

    def steps(self, generation: int) -> dict[str, int]:
        """Returns the seconds of each step of a generation, rounded."""
        return {name: round(seconds) for name, seconds in self._seconds.get(str(generation), {}).items()}

    @property
    def left(self) -> float:
        """The seconds that are left, at least 0; infinite if there is no limit."""
        return max(self.limit - self.spent(), 0.0)

    def _count(self) -> None:
        if self._running is None:
            return
        generation, name, since = self._running
        now = time.monotonic()
        steps = self._seconds.setdefault(generation, {})
        steps[name] = steps.get(name, 0.0) + now - since
        self._running = generation, name, now

    def _save(self) -> None:
        self._saved = time.monotonic()
        rounded = {
            generation: {name: round(seconds, 1) for name, seconds in steps.items()}
            for generation, steps in self._seconds.items()
        }
        write_atomically(self._path, json.dumps(rounded, indent=1) + "\n")
