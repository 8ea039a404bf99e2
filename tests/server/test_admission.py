"""Admission: a burst of requests is admitted a few at a time, in order; a single one does not wait."""

import asyncio

import pytest
from starlette.types import Receive, Scope, Send

from hnefi.server.http.admission import Admission

MANY = 100


class RecordingApp:
    """Records the event-loop iteration at which each request starts."""

    def __init__(self) -> None:
        self.iteration = 0
        self.started: list[tuple[int, int]] = []

    async def __call__(self, scope: Scope, _receive: Receive, _send: Send) -> None:
        self.started.append((self.iteration, scope["number"]))

    async def count_iterations(self) -> None:
        while True:
            self.iteration += 1
            await asyncio.sleep(0)


async def _receive() -> dict[str, str]:
    return {}


async def _send(_: object) -> None:
    return None


async def _request(
    admission: Admission, number: int, kind: str = "http", request: str = "GET /api/games"
) -> None:
    method, path = request.split()
    scope = {"type": kind, "number": number, "method": method, "path": path}
    await admission(scope, _receive, _send)


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_burst_is_admitted_in_small_batches_in_order(kind: str) -> None:
    app = RecordingApp()

    async def all_at_once() -> None:
        counting = asyncio.create_task(app.count_iterations())
        admission = Admission(app)
        await asyncio.gather(*(_request(admission, number, kind) for number in range(MANY)))
        counting.cancel()

    asyncio.run(all_at_once())
    assert [number for _, number in app.started] == list(range(MANY))
    iterations = [iteration for iteration, _ in app.started]
    assert max(iterations.count(one) for one in iterations) <= 8, "two batches may start in one iteration"
    assert iterations[-1] - iterations[0] >= MANY // 8


def test_moves_go_before_other_requests_and_let_them_through() -> None:
    app = RecordingApp()

    async def all_at_once() -> None:
        admission = Admission(app)
        pages = [_request(admission, number) for number in range(MANY)]
        moves = [
            _request(admission, MANY + number, "http", "POST /api/games/x/moves") for number in range(30)
        ]
        await asyncio.gather(*pages, *moves)

    asyncio.run(all_at_once())
    order = [number for _, number in app.started]
    last_move = order.index(MANY + 29)
    assert sorted(order) == list(range(MANY + 30))
    assert last_move < 50, "the moves wait for few of the pages that came before them"
    assert sum(number < MANY for number in order[:last_move]) >= 10, "some pages are served meanwhile"


def test_a_single_request_does_not_wait() -> None:
    app = RecordingApp()

    async def one_after_the_other() -> None:
        admission = Admission(app)
        for number in range(3):
            request = _request(admission, number)
            with pytest.raises(StopIteration):
                request.send(None)
            await asyncio.sleep(0)
            await asyncio.sleep(0)

    asyncio.run(one_after_the_other())
    assert [number for _, number in app.started] == [0, 1, 2]


def test_cancelled_waiters_delay_no_other_request() -> None:
    app = RecordingApp()

    async def cancel_some() -> None:
        admission = Admission(app)
        tasks = [asyncio.create_task(_request(admission, number)) for number in range(MANY)]
        await asyncio.sleep(0)
        for task in tasks[10:90]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(cancel_some())
    assert [number for _, number in app.started] == [*range(10), *range(90, MANY)]


def test_non_http_scopes_bypass_admission() -> None:
    app = RecordingApp()

    async def all_at_once() -> None:
        counting = asyncio.create_task(app.count_iterations())
        admission = Admission(app)
        await asyncio.gather(*(_request(admission, number, "lifespan") for number in range(MANY)))
        counting.cancel()

    asyncio.run(all_at_once())
    assert len({iteration for iteration, _ in app.started}) == 1
