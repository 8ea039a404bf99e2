"""The engine pool: worker processes that play for computer opponents and analyse."""

import asyncio
import logging
from typing import Any

from hnefi.workers.engine_process import EngineProcess
from hnefi.workers.scheduler import SearchScheduler
from hnefi.workers.searches import Search

_log = logging.getLogger(__name__)

_RESTART_S = 1.0


class EnginePool(SearchScheduler):
    """Engines in worker processes. A crash of a worker does not affect games."""

    def __init__(self, workers: int, memory_mib: int) -> None:
        """Creates a pool; `start` starts it, and each process starts with its first search."""
        super().__init__()
        self._processes = [EngineProcess(memory_mib) for _ in range(workers)]
        self._free: list[EngineProcess] = []
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def places(self) -> int:
        """How many processes there are."""
        return len(self._processes)

    @property
    def _has_place(self) -> bool:
        return bool(self._free)

    @property
    def _most_long(self) -> int:
        """How many long searches run at once: the last of several workers is kept free for short ones."""
        return max(self.places - 1, 1)

    async def start(self) -> None:
        """Starts to take searches; a process is started with its first one."""
        self._free = self._processes[::-1]
        self._dispatch()

    async def stop(self) -> None:
        """Ends all processes."""
        self._free.clear()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(process.end() for process in self._processes))

    def _begin(self, search: Search) -> None:
        stop = asyncio.Event()
        search.interrupt = stop.set
        task = asyncio.get_running_loop().create_task(self._run(search, self._free.pop(), stop))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, search: Search, process: EngineProcess, stop: asyncio.Event) -> None:
        """Carries out a search."""
        time = asyncio.get_running_loop().time
        begun_s, rest_s = time(), 0.0

        def report(answer: dict[str, Any]) -> None:
            search.report(answer, (time() - begun_s) * 1000)

        try:
            await process.start()
            begun_s = time()
            await process.search(search.request(begun_s), search.timeout_s, stop, report)
        except EngineProcess.ERRORS as error:
            _log.warning("an engine worker was ended: %s: %s", type(error).__name__, error)
            await process.end()
            search.is_paused = False
            if not search.is_abandoned:
                search.fail("engine_died")
                rest_s = _RESTART_S
        if not rest_s:
            self._free.append(process)
        self._finish(search, (time() - begun_s) * 1000)
        if rest_s:
            await asyncio.sleep(rest_s)
            self._free.append(process)
            self._dispatch()
