"""Opening games costs the server time: clients are charged for it, and have turns."""

import asyncio
from typing import Any, cast

import pytest

from hnefi.server.http.guard import Origins
from hnefi.server.http.rate_limits import RateLimit
from hnefi.server.metrics import Metrics
from hnefi.server.sockets.connections import Connections
from hnefi.server.sockets.places import Places
from hnefi.server.sockets.socket import Socket
from tests.server.harness import ANA, RoomsHarness, request, settle
from tests.server.scopes import BUSY, QUIET, FakeTime, scope_of

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
