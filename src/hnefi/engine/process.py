"""A program that is talked to line by line; what it says is read in a thread, so that nothing ever blocks."""

import contextlib
import os
import shlex
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

from hnefi.errors import EngineError, shown

__all__ = ["EngineProcess"]

_STEP_S = 0.1
_LONGEST_LINE = 1_000_000
_LEAVE_S = 2.0


class EngineProcess:
    """A running program with its input and its output.

    Attributes:
        label: What it is called in messages.
    """

    def __init__(self, command: Sequence[str] | str) -> None:
        """Starts a program.

        Raises:
            EngineError: `engine_not_started`.
        """
        self.label = shown(command if isinstance(command, str) else " ".join(command), 80)
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._writing = threading.Lock()
        try:
            words = _words(command)
            self.label = shown(words[0], 80)
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except (OSError, ValueError, IndexError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise self.error("engine_not_started", why=why) from error
        threading.Thread(target=self._read, name="hnefi-engine-output", daemon=True).start()

    def error(self, code: str, **facts: object) -> EngineError:
        """Makes an error about this program."""
        parameters = {"engine": self.label, **{name: shown(value, 200) for name, value in facts.items()}}
        line = ", ".join(f"{name}={value}" for name, value in parameters.items())
        return EngineError(code, f"{code}: {line}", parameters)

    def send(self, line: str) -> None:
        """Sends a line.

        Raises:
            EngineError: `engine_died`.
        """
        assert self._process.stdin is not None
        try:
            with self._writing:
                self._process.stdin.write(f"{line}\n".encode())
                self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._died() from error

    def expect(self, take: Callable[[str], bool], seconds: float | None, waits_for: str) -> None:
        """Reads lines until one of them is the one that is waited for.

        Args:
            take: Told each line; tells whether it is the one.
            seconds: How long to wait at most; as long as it takes if None.
            waits_for: What is waited for, for messages.

        Raises:
            EngineError: `engine_died` or `engine_silent`.
        """
        deadline = Deadline(seconds)
        while not take(self.next_line(deadline, waits_for)):
            pass

    def next_line(self, deadline: "Deadline", waits_for: str) -> str:
        """Gives the next line it says, in time.

        Raises:
            EngineError: `engine_died` or `engine_silent`; it is ended then.
        """
        while True:
            if deadline.is_over:  # also for one that never stops talking
                self.kill()
                raise self.error("engine_silent", expected=waits_for)
            try:
                line = self._lines.get(timeout=_STEP_S)
            except Empty:
                continue
            if line is None:
                self._lines.put(None)
                raise self._died()
            return line

    def leave(self, word: str) -> None:
        """Asks it to end, and ends it if it does not."""
        with contextlib.suppress(EngineError):
            self.send(word)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVE_S)
        self.kill()

    def kill(self) -> None:
        """Ends it."""
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.close()

    def _died(self) -> EngineError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVE_S)
        return self.error("engine_died", status=self._process.poll())

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as output, contextlib.suppress(OSError, ValueError):
            while raw := output.readline(_LONGEST_LINE):
                self._lines.put(raw.decode("utf-8", "replace").strip())
        self._lines.put(None)


def _words(command: Sequence[str] | str) -> list[str]:
    """Gives a program and its arguments; `~` is the home of the user.

    Raises:
        ValueError: If there is no program, or a quotation mark is left open.
    """
    words = shlex.split(command) if isinstance(command, str) else list(command)
    if not words:
        raise ValueError("no command")
    return [os.path.expanduser(words[0]), *words[1:]]  # noqa: PTH111 - a command found on the path stays so


class Deadline:
    """A moment that can be put forward."""

    def __init__(self, seconds: float | None) -> None:
        self._at = None if seconds is None else time.monotonic() + seconds

    def hurry(self, seconds: float) -> None:
        """Leaves at most so much time from now on; only the first time counts."""
        at = time.monotonic() + seconds
        self._at = at if self._at is None else min(self._at, at)

    @property
    def is_over(self) -> bool:
        """Whether it has passed."""
        return self._at is not None and time.monotonic() > self._at
