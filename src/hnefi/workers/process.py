"""A child process of an event loop that reads and writes JSON, one object a line."""

import asyncio
import contextlib
import json
import sys
from collections.abc import Mapping
from typing import Any

_MAX_LINE = 2**20
# Ctrl+C goes to the process group of the terminal. These processes end with their parent instead.
# A session of their own: uvloop, on which the server runs, refuses `process_group`.
_OWN_SESSION: dict[str, Any] = {} if sys.platform == "win32" else {"start_new_session": True}


class JsonProcess:
    """A process that can be started and ended again and again; one caller at a time uses it."""

    def __init__(self, module: str, *arguments: int) -> None:
        """Creates the object; `start` starts the process."""
        self._command = (sys.executable, "-m", module, *map(str, arguments))
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int | None:
        """The id of the process, None if it does not run."""
        return None if self._process is None else self._process.pid

    async def start(self) -> bool:
        """Starts it unless it runs, and returns whether it was started.

        Raises:
            OSError: If it cannot be started.
        """
        if self._process is not None:
            return False
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_MAX_LINE,
            **_OWN_SESSION,
        )
        return True

    async def send(self, message: Mapping[str, object]) -> None:
        """Sends a message as JSON.

        Raises:
            OSError: If it has ended.
        """
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        await self._process.stdin.drain()

    async def line(self) -> bytes:
        """Waits for the next line.

        Raises:
            OSError: If it has ended.
            ValueError: If the line is too long.
        """
        assert self._process is not None
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise ConnectionError("the process has ended")
        return line

    async def end(self) -> None:
        """Kills the process, even in the middle of a job; it can be started again."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            # Its pipes are closed only at the end of its output.
            await process.communicate()
