"""Questions about rules, answered in a process of its own, one at a time."""

import asyncio
import contextlib
import json
import sys
from typing import Any, Literal

from hnefi.errors import Fault, HnefiError, VariantError
from hnefi.server.games.faults import refused

__all__ = ["Clerk"]

_MEMORY_MIB = 512
_LONGEST_QUEUE = 16
_LONGEST_S = 20.0


class Clerk:
    """Answers questions about rules; the process is started with the first, and again if it ends."""

    def __init__(self, code: str) -> None:
        """Begins without a process.

        Args:
            code: The code of the refusal where too many wait.
        """
        self._code = code
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._process: asyncio.subprocess.Process | None = None

    async def ask(self, about: Literal["rules", "read", "example"], body: dict[str, Any], lang: str) -> bytes:
        """Gives the answer to a question as JSON.

        Raises:
            Refused: If too many wait already; `engine_busy`, if it takes too long.
            HnefiError: What is wrong with what was asked.
        """
        if self._waiting >= _LONGEST_QUEUE:
            raise refused(self._code)
        self._waiting += 1
        try:
            async with self._turn:
                told = await self._exchange({"about": about, "body": body, "lang": lang})
        finally:
            self._waiting -= 1
        if told[:1] == b"+":
            return told[1:]
        raise _error(json.loads(told[1:]))

    async def prepare(self) -> None:
        """Starts the process, if it does not run: there will be a question soon."""
        with contextlib.suppress(OSError):
            async with self._turn:
                self._process or await self._begin()

    async def _exchange(self, question: dict[str, Any]) -> bytes:
        try:
            async with asyncio.timeout(_LONGEST_S):
                process = self._process or await self._begin()
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(json.dumps(question).encode() + b"\n")
                await process.stdin.drain()
                told = await process.stdout.readline()
                if not told.endswith(b"\n"):
                    raise OSError("it ended")
                return told
        except (OSError, TimeoutError, ValueError):
            await self.stop()
            raise refused("engine_busy", limit=_LONGEST_QUEUE) from None
        except asyncio.CancelledError:
            # Its answer would be taken for that of the next.
            await self.stop()
            raise

    async def _begin(self) -> asyncio.subprocess.Process:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "hnefi.server.clerk", str(_MEMORY_MIB)),
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


def _error(told: dict[str, Any]) -> HnefiError:
    """Gives what the process says is wrong, with all faults of a variant."""
    if told["faults"]:
        faults = [Fault(*fault) for fault in told["faults"]]
        return VariantError(told["code"], told["message"], told["facts"], faults)
    return HnefiError(told["code"], told["message"], told["facts"])
