"""Questions about rules, answered in a process of its own, one at a time."""

import asyncio
import json
from typing import Any, Literal

from hnefi.errors import Fault, HnefiError, VariantError
from hnefi.server.refusals import refused
from hnefi.workers.process import LineProcess

__all__ = ["Clerk"]

_MEMORY_MIB = 512
_START_S = 60.0
_LONGEST_S = 20.0


class Clerk:
    """Answers questions about rules; the process is started with the first, and again if it ends."""

    def __init__(self) -> None:
        """Begins without a process."""
        self._turn = asyncio.Lock()
        self._process = LineProcess("hnefi.server.rules_editor.worker_main", _MEMORY_MIB)

    async def ask(
        self, about: Literal["rules", "read", "example", "answers"], body: dict[str, Any], lang: str
    ) -> bytes:
        """Gives the answer to a question as JSON.

        Raises:
            Refused: `engine_busy`, if it takes too long.
            HnefiError: What is wrong with what was asked.
        """
        async with self._turn:
            told = await self._exchange({"about": about, "body": body, "lang": lang})
        if told[:1] == b"+":
            return told[1:]
        raise _error(json.loads(told[1:]))

    async def prepare(self) -> None:
        """Starts the process, if it does not run: there will be a question soon."""
        async with self._turn:
            try:
                await self._begin()
            except (OSError, TimeoutError):
                await self.stop()

    async def stop(self) -> None:
        """Ends the process."""
        await self._process.end()

    async def _exchange(self, question: dict[str, Any]) -> bytes:
        try:
            try:
                return await self._answer(question)
            except ConnectionError:
                # It had ended, for whatever reason: the next one may answer.
                await self.stop()
                return await self._answer(question)
        except (OSError, TimeoutError, ValueError):
            await self.stop()
            raise refused("engine_busy") from None
        except asyncio.CancelledError:
            # Its answer would be taken for that of the next.
            await self.stop()
            raise

    async def _answer(self, question: dict[str, Any]) -> bytes:
        await self._begin()
        async with asyncio.timeout(_LONGEST_S):
            await self._process.send(question)
            return await self._process.line()

    async def _begin(self) -> None:
        if await self._process.begin():
            async with asyncio.timeout(_START_S):
                await self._process.line()


def _error(told: dict[str, Any]) -> HnefiError:
    """Gives what the process says is wrong, with all faults of a variant."""
    if told["faults"]:
        faults = [Fault(*fault) for fault in told["faults"]]
        return VariantError(told["code"], told["message"], told["facts"], faults)
    return HnefiError(told["code"], told["message"], told["facts"])
