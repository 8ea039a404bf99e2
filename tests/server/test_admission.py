"""Admission: a burst of requests is admitted a few at a time, in order; a single one does not wait."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any

import pytest

from hnefi.server.http.admission import Admission
from tests.server.scopes import QUIET, iterations, scope_of

MANY = 100
MOVE = "POST /api/games/x/moves"


class RecordingApp:
    """Records the event-loop iteration at which each request starts."""

    def __init__(self) -> None:
        self.iteration = 0
        self.started: list[int] = []
        self.iterations: list[int] = []
        self._admission = Admission()

    async def request(self, number: int, request: str = "GET /api/games") -> None:
        await self._admission.admit(scope_of(QUIET, request=request))
        self.iterations.append(self.iteration)
        self.started.append(number)

    async def serve(self, requests: Iterable[Coroutine[Any, Any, None]]) -> None:
        """Serves requests that come at the same moment, and counts the iterations."""

        async def count() -> None:
            while True:
                self.iteration += 1
                await asyncio.sleep(0)

        counting = asyncio.create_task(count())
        await asyncio.gather(*requests)
        counting.cancel()


async def test_a_burst_of_requests_is_admitted_in_small_batches_in_order() -> None:
    app = RecordingApp()
    await app.serve(app.request(number) for number in range(MANY))
    assert app.started == list(range(MANY))
    # Two batches may start in one iteration.
    assert 4 <= max(app.iterations.count(one) for one in app.iterations) <= 8


async def test_moves_go_before_other_requests_and_let_them_through() -> None:
    app = RecordingApp()
    pages = [app.request(number) for number in range(MANY)]
    await app.serve([*pages, *(app.request(MANY + number, request=MOVE) for number in range(30))])
    last_move = app.started.index(MANY + 29)
    assert sorted(app.started) == list(range(MANY + 30))
    assert last_move < 50, "the moves wait for few of the pages that came before them"
    assert sum(number < MANY for number in app.started[:last_move]) >= 10, "some pages are served meanwhile"


async def test_a_single_request_does_not_wait() -> None:
    app = RecordingApp()
    for number in range(3):
        with pytest.raises(StopIteration):
            app.request(number).send(None)
        await iterations(2)
    assert app.started == [0, 1, 2]


async def test_cancelled_waiters_delay_no_other_request() -> None:
    app = RecordingApp()
    tasks = [asyncio.create_task(app.request(number)) for number in range(MANY)]
    await asyncio.sleep(0)
    for task in tasks[10:90]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert app.started == [*range(10), *range(90, MANY)]
