"""Examples of rules, found in a process of its own, one at a time."""

import asyncio
import contextlib
import json
import sys
from typing import Any

from hnefi.errors import HnefiError
from hnefi.server.games.faults import refused

__all__ = ["Illustrations"]

_MEMORY_MIB = 512
_LONGEST_QUEUE = 8
_LONGEST_S = 20.0


class Illustrations:
    """Finds examples; the process is started with the first, and again if it ends."""

    def __init__(self) -> None:
        """Begins without a process."""
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._process: asyncio.subprocess.Process | None = None

    async def find(self, job: dict[str, Any]) -> dict[str, Any]:
        """Gives what `illustrator` answers to a job.

        Raises:
            Refused: `too_many_examples`, if too many wait already; `engine_busy`, if it takes too long.
            HnefiError: If the rules cannot be, or there is no such rule or value.
        """
        if self._waiting >= _LONGEST_QUEUE:
            raise refused("too_many_examples")
        self._waiting += 1
        try:
            async with self._turn:
                answer = await self._ask(job)
        finally:
            self._waiting -= 1
        if "code" in answer:
            raise HnefiError(answer["code"], answer["message"], answer["facts"])
        return answer

    async def _ask(self, job: dict[str, Any]) -> dict[str, Any]:
        try:
            async with asyncio.timeout(_LONGEST_S):
                process = self._process or await self._begin()
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(json.dumps(job).encode() + b"\n")
                await process.stdin.drain()
                found: dict[str, Any] = json.loads(await process.stdout.readline())
                return found
        except (OSError, TimeoutError, ValueError):
            await self.stop()
            raise refused("engine_busy", limit=_LONGEST_QUEUE) from None
        except asyncio.CancelledError:
            # Its answer would be taken for that of the next.
            await self.stop()
            raise

    async def _begin(self) -> asyncio.subprocess.Process:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "hnefi.server.illustrator", str(_MEMORY_MIB)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=2**20,
        )
        return self._process

    async def stop(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            # To the end of its output: its pipes are closed only then.
            await process.communicate()
