"""A child process that exchanges lines; a thread reads its output, so that no read blocks."""

import contextlib
import os
import shlex
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

from hnefi.errors import EngineError, shorten

_POLL_S = 0.1
_LONGEST_LINE = 1_000_000
_QUIT_S = 2.0


class EngineProcess:
    """A running engine program with its input and output.

    All methods raise `EngineError`: `engine_died` if it has ended, `engine_silent` if it is late.

    Attributes:
        label: Its name in error messages.
    """

    def __init__(self, command: Sequence[str] | str) -> None:
        """Starts a program.

        Raises:
            EngineError: `engine_not_started`.
        """
        self.label = shorten(command if isinstance(command, str) else " ".join(command), 80).strip() or '""'
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._write_lock = threading.Lock()
        try:
            words = _split_command(command)
            self.label = shorten(words[0], 80)
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe)
        except (OSError, ValueError, IndexError) as error:
            raise self.error("engine_not_started", why=error) from error
        self._last_words = "-"
        self._listener = threading.Thread(target=self._listen, name="hnefi-engine-errors", daemon=True)
        self._listener.start()
        threading.Thread(target=self._read, name="hnefi-engine-output", daemon=True).start()

    def error(self, code: str, **facts: object) -> EngineError:
        """Returns an error about this program."""
        return EngineError.of_facts(code, engine=self.label, **facts)

    def send(self, line: str) -> None:
        """Sends a line."""
        assert self._process.stdin is not None
        try:
            with self._write_lock:
                self._process.stdin.write(f"{line}\n".encode())
                self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._died() from error

    def expect(self, accept: Callable[[str], bool], seconds: float | None, expected: str) -> None:
        """Reads lines until one is accepted.

        Args:
            seconds: How long to wait at most; no limit if None.
            expected: The expected line, for error messages.
        """
        deadline = Deadline(seconds)
        while not accept(self.next_line(deadline, expected)):
            pass

    def next_line(self, deadline: "Deadline", expected: str) -> str:
        """Returns the next line of output; kills the program after the deadline (`engine_silent`)."""
        while True:
            if deadline.is_over:  # also for a program that writes lines without end
                self.kill()
                raise self.error("engine_silent", expected=expected)
            try:
                line = self._lines.get(timeout=_POLL_S)
            except Empty:
                continue
            if line is None:
                self._lines.put(None)
                raise self._died()
            return line

    def quit(self, command: str) -> None:
        """Sends the command to quit, and kills the program if it does not end."""
        with contextlib.suppress(EngineError):
            self.send(command)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_QUIT_S)
        self.kill()

    def kill(self) -> None:
        """Kills the program."""
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.close()

    def _died(self) -> EngineError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_QUIT_S)
        self._listener.join(_QUIT_S)
        return self.error("engine_died", status=self._process.poll(), why=self._last_words)

    def _listen(self) -> None:
        """Keeps the last line that the program writes on its standard error: what it died of."""
        assert self._process.stderr is not None
        with self._process.stderr as errors, contextlib.suppress(OSError, ValueError):
            while raw := errors.readline(_LONGEST_LINE):
                self._last_words = raw.decode("utf-8", "replace").strip() or self._last_words

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as output, contextlib.suppress(OSError, ValueError):
            while raw := output.readline(_LONGEST_LINE):
                self._lines.put(raw.decode("utf-8", "replace").strip())
        self._lines.put(None)


def _split_command(command: Sequence[str] | str) -> list[str]:
    """Returns a program and its arguments; `~` is the home of the user."""
    words = shlex.split(command) if isinstance(command, str) else list(command)
    if not words:
        raise ValueError("no command")
    return [os.path.expanduser(words[0]), *words[1:]]  # noqa: PTH111 - a command found on the path stays so


class Deadline:
    """A deadline that can be brought forward."""

    def __init__(self, seconds: float | None) -> None:
        self._at = None if seconds is None else time.monotonic() + seconds

    def bring_forward(self, seconds: float) -> None:
        """Sets the deadline to at most `seconds` from now, never later than before."""
        at = time.monotonic() + seconds
        self._at = at if self._at is None else min(self._at, at)

    @property
    def is_over(self) -> bool:
        """Whether it has passed."""
        return self._at is not None and time.monotonic() > self._at
