"""A process with an engine, which carries out one search at a time."""

import asyncio
import contextlib
import json
import logging
import sys
from collections.abc import Callable, Mapping
from typing import Any

from hnefi.errors import EngineError
from hnefi.workers.searches import is_last

_log = logging.getLogger(__name__)
_MAX_LINE = 2**20
# Ctrl+C goes to the process group of the terminal. These processes end with their parent instead.
# A session of their own: uvloop, on which the server runs, refuses `process_group`.
_OWN_SESSION: dict[str, Any] = {} if sys.platform == "win32" else {"start_new_session": True}
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
        arguments = "hnefi.workers.engine_main", str(_TABLE_MIB), str(memory_mib)
        self._command = sys.executable, "-m", *arguments
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int | None:
        """The id of the process, None if it does not run."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Starts the process unless it runs; one that has ended meanwhile is replaced.

        Raises:
            EngineProcess.ERRORS: If it does not start.
        """
        if self._process is not None:
            if self._process.returncode is None:
                return
            _log.warning(
                "an engine worker has ended with status %s; another starts", self._process.returncode
            )
            await self.end()
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=pipe, limit=_MAX_LINE, **_OWN_SESSION
        )
        # `wait_for` of Python 3.11 can lose a cancellation.
        async with asyncio.timeout(_START_S):
            ready = await self._line()
        if not _parse(ready).get("ready"):
            raise EngineError("engine_not_started", "the engine did not start")

    async def end(self) -> None:
        """Kills the process, even in the middle of a search."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            # Its pipes are closed only at the end of its output.
            await process.communicate()

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
        async with asyncio.timeout(timeout_s) as deadline:
            await self._send(request)
            stopping = asyncio.create_task(self._stop(request, stop, deadline))
            try:
                while True:
                    answer = _parse(await self._line())
                    if answer.get("id") == request["id"]:
                        on_answer(answer)
                        if is_last(answer):
                            return
            finally:
                stopping.cancel()

    async def _stop(self, request: Mapping[str, Any], stop: asyncio.Event, deadline: asyncio.Timeout) -> None:
        """Ends a search early, in little time."""
        await stop.wait()
        deadline.reschedule(asyncio.get_running_loop().time() + _STOP_S)
        # A stop that arrives before the search begins is lost.
        while True:
            with contextlib.suppress(ConnectionError):
                await self._send({"stop": request["id"]})
            await asyncio.sleep(_STOP_EVERY_S)

    async def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
        except RuntimeError as error:
            # So uvloop says that the pipe is closed.
            raise ConnectionError(str(error)) from error
        await self._process.stdin.drain()

    async def _line(self) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise ConnectionError("the process has ended")
        return line


def _parse(line: bytes) -> dict[str, Any]:
    message = json.loads(line)
    return message if isinstance(message, dict) else {}
