"""Turns: a burst of requests is admitted a few at a time; opening games is charged, one in an iteration."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, cast

import pytest

from hnefi.server.http.admission import Admission
from hnefi.server.http.guard import Origins
from hnefi.server.http.rate_limits import RateLimit
from hnefi.server.metrics import Metrics
from hnefi.server.sockets.connections import Connections
from hnefi.server.sockets.places import Places
from hnefi.server.sockets.socket import Socket
from tests.server.harness import ANA, RoomsHarness, request, settle
from tests.server.scopes import BUSY, QUIET, FakeTime, iterations, scope_of

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


HELLO = '{"type":"hello","v":1,"game":"%s"}'


class FakeSocket:
    """A socket whose client has sent some hellos; it records in which iteration states are sent back."""

    own_close_code = None
    iteration = 0

    def __init__(self, game: str, hellos: int) -> None:
        self.inbox = [HELLO % game] * hellos
        self.states: list[int] = []
        self.codes: list[int] = []

    async def send(self, message: Any) -> None:
        assert message["type"] == "websocket.accept"

    async def receive_text(self) -> str | None:
        return self.inbox.pop(0) if self.inbox and not self.codes else None

    def send_text(self, text: str) -> None:
        if text.startswith('{"type":"state"'):
            self.states.append(FakeSocket.iteration)

    def close(self, code: int) -> None:
        self.codes.append(code)


async def serve(
    harness: RoomsHarness, costs: RateLimit, hellos: int, *clients: tuple[str, int]
) -> list[FakeSocket]:
    """Serves connections of clients, each of which opens the same game some times."""
    connections = Connections(
        harness.games,
        harness.time,
        Origins(("localhost",), ()),
        Places(1_000, 1_000),
        costs=costs,
        charge_game=lambda _: None,
        metrics=Metrics(),
    )
    room, _ = await harness.games.create(request(opponent="same_device"), ANA)
    sockets = [FakeSocket(room.id, hellos) for _ in clients]
    serving = [
        asyncio.ensure_future(
            connections.serve(cast("Socket", one), scope_of(*client, type="websocket", scheme="ws"))
        )
        for one, client in zip(sockets, clients, strict=True)
    ]
    while not all(task.done() for task in serving):
        FakeSocket.iteration += 1
        await asyncio.sleep(0)
    await settle()
    return sockets


async def test_one_game_is_opened_in_an_iteration_of_the_event_loop(harness: RoomsHarness) -> None:
    clients = [(f"192.0.2.{number}", 0) for number in range(8)]
    sockets = await serve(harness, RateLimit("too_much", 1e6, 1e6), 5, *clients)
    opened = [number for socket in sockets for number in socket.states]
    assert len(opened) == len(set(opened)) == 8 * 5


@pytest.mark.parametrize(("client", "codes"), [((BUSY, 1), [1013]), ((QUIET, 0), [1013]), ((QUIET, 2), [])])
async def test_clients_in_debt_are_closed_with_1013_and_all_others_served(
    harness: RoomsHarness, client: tuple[str, int], codes: list[int]
) -> None:
    costs = RateLimit("too_much", 1.0, 10.0, for_address=1.0, now=FakeTime())
    costs.charge(scope_of(BUSY, 0), 50.0)
    (socket,) = await serve(harness, costs, 1, client)
    assert (socket.codes, len(socket.states)) == (codes, 0 if codes else 1)


async def test_opening_games_counts_as_five_messages(harness: RoomsHarness) -> None:
    (socket,) = await serve(harness, RateLimit("too_much", 1e6, 1e6), 30, (BUSY, 0))
    assert socket.codes == [1008]
    assert 20 <= len(socket.states) < 25
