"""A process of ours that is talked to line by line; the server waits for it without being held up."""

import asyncio
import contextlib
import json
import sys
from collections.abc import Mapping

__all__ = ["LineProcess"]

_LONGEST_LINE = 2**20


class LineProcess:
    """A process that may run, or not yet, or no more; one caller at a time begins it and talks to it."""

    def __init__(self, module: str, *arguments: int) -> None:
        """Prepares; nothing runs before `begin`.

        Args:
            module: What it runs.
            arguments: What it is told at its start.
        """
        self._command = (sys.executable, "-m", module, *map(str, arguments))
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int | None:
        """Its number, if it was begun and not ended."""
        return None if self._process is None else self._process.pid

    async def begin(self) -> bool:
        """Begins it, unless that was done; tells whether it is fresh.

        Raises:
            OSError: If it cannot be begun.
        """
        if self._process is not None:
            return False
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LONGEST_LINE,
        )
        return True

    async def send(self, message: Mapping[str, object]) -> None:
        """Sends it a message, as JSON.

        Raises:
            OSError: If it has ended.
        """
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        await self._process.stdin.drain()

    async def line(self) -> bytes:
        """Waits for what it says next.

        Raises:
            OSError: If it has ended.
            ValueError: If the line is too long.
        """
        assert self._process is not None
        assert self._process.stdout is not None
        said = await self._process.stdout.readline()
        if not said.endswith(b"\n"):
            raise ConnectionError("it ended")
        return said

    async def end(self) -> None:
        """Ends it, whatever it does; it can be begun again."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            # To the end of its output: its pipes are closed only then.
            await process.communicate()
