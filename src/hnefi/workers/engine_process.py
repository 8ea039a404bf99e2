"""A process with an engine, which carries out one search at a time."""

import asyncio
import contextlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from hnefi.errors import EngineError
from hnefi.workers.process import JsonProcess
from hnefi.workers.searches import is_last

_TABLE_MIB = 32
_STOP_S = 2.0
_STOP_EVERY_S = 0.1
_START_S = 30.0


class EngineProcess:
    """A process with an engine. It starts with its first search, and again after it was ended."""

    ERRORS = (OSError, TimeoutError, ValueError, EngineError)
    """The errors of a process that does not answer as it should: the caller ends it."""

    def __init__(self, memory_mib: int) -> None:
        """Creates the object; `start` starts the process."""
        self._process = JsonProcess("hnefi.workers.engine_main", _TABLE_MIB, memory_mib)

    @property
    def pid(self) -> int | None:
        """The id of the process, None if it does not run."""
        return self._process.pid

    async def start(self) -> None:
        """Starts the process unless it runs.

        Raises:
            EngineProcess.ERRORS: If it does not start.
        """
        if await self._process.start():
            # `wait_for` of Python 3.11 can lose a cancellation.
            async with asyncio.timeout(_START_S):
                ready = await self._process.line()
            if not _parse(ready).get("ready"):
                raise EngineError("engine_not_started", "the engine did not start")

    async def end(self) -> None:
        """Kills the process, even in the middle of a search."""
        await self._process.end()

    async def search(
        self,
        request: Mapping[str, Any],
        timeout_s: float,
        stop: asyncio.Event,
        on_answer: Callable[[dict[str, Any]], None],
    ) -> None:
        """Carries out a search.

        Args:
            request: The request, with its `id`.
            stop: Set when the search is to end early.
            on_answer: Receives each answer; `is_last` finds the last one.

        Raises:
            EngineProcess.ERRORS: If the process fails, or does not answer in time.
        """
        loop = asyncio.get_running_loop()
        await self._process.send(request)
        deadline, is_stopping = loop.time() + timeout_s, False
        while True:
            if stop.is_set() and not is_stopping:
                is_stopping, deadline = True, loop.time() + _STOP_S
                await self._send_stop(request)
            line = await self._next(deadline, None if is_stopping else stop)
            if line is None:
                if is_stopping:
                    await self._send_stop(request)
                continue
            answer = _parse(line)
            if answer.get("id") != request["id"]:
                continue
            on_answer(answer)
            if is_last(answer):
                return

    async def _send_stop(self, request: Mapping[str, Any]) -> None:
        with contextlib.suppress(ConnectionError):
            await self._process.send({"stop": request["id"]})

    async def _next(self, deadline: float, stop: asyncio.Event | None) -> bytes | None:
        """Waits for the next line; None if there is none yet and the process has to be sent a stop."""
        left_s = deadline - asyncio.get_running_loop().time()
        # A stop that arrives before the search begins is lost.
        wait_s = min(left_s, _STOP_EVERY_S) if stop is None else left_s
        reading = asyncio.ensure_future(self._process.line())
        stopping = None if stop is None else asyncio.ensure_future(stop.wait())
        try:
            both: set[asyncio.Future[Any]] = {reading} if stopping is None else {reading, stopping}
            done, _ = await asyncio.wait(both, timeout=max(wait_s, 0), return_when=asyncio.FIRST_COMPLETED)
            if not done and wait_s >= left_s:
                raise TimeoutError("the search did not end in time")
            return reading.result() if reading.done() else None
        finally:
            reading.cancel()
            if stopping is not None:
                stopping.cancel()


def _parse(line: bytes) -> dict[str, Any]:
    message = json.loads(line)
    return message if isinstance(message, dict) else {}
