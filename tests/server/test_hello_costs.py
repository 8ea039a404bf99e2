"""Opening games costs the server time: clients are charged for it, and have turns."""

import asyncio
from pathlib import Path
from typing import Any, cast

from hnefi.server.games.games import Games
from hnefi.server.http.guard import Origins
from hnefi.server.http.rate_limits import RateLimit
from hnefi.server.metrics import Metrics
from hnefi.server.sockets.connections import Connections
from hnefi.server.sockets.places import Places
from hnefi.server.sockets.socket import Socket
from tests.server.harness import ANA, RoomsHarness, request, settle

HELLO = '{"type":"hello","v":1,"game":"%s"}'


class FakeSocket:
    """A socket whose client has sent some texts; it records what is sent back, and in which iteration."""

    own_close_code = None

    def __init__(self, *texts: str) -> None:
        self.inbox = list(texts)
        self.sent: list[tuple[int, str]] = []
        self.codes: list[int] = []

    async def send(self, message: Any) -> None:
        assert message["type"] == "websocket.accept"

    async def receive_text(self) -> str | None:
        if self.inbox and not self.codes:
            return self.inbox.pop(0)
        return None

    def send_text(self, text: str) -> None:
        self.sent.append((ITERATION[0], text))

    def close(self, code: int) -> None:
        self.codes.append(code)

    def states(self) -> list[int]:
        """Returns the iterations in which states were sent."""
        return [number for number, text in self.sent if text.startswith('{"type":"state"')]


ITERATION = [0]


def scope_of(address: str, token: str) -> dict[str, Any]:
    headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {token * 43}".encode())]
    return {"type": "websocket", "scheme": "ws", "client": (address, 1), "headers": headers, "state": {}}


def connections_of(harness: RoomsHarness, costs: RateLimit) -> Connections:
    return Connections(
        Games(harness.rooms, harness.store),
        harness.time,
        Origins(("localhost",), ()),
        Places(1_000, 1_000),
        costs=costs,
        charge_game=lambda _: None,
        metrics=Metrics(),
    )


def plenty() -> RateLimit:
    return RateLimit("too_many_requests", 1e6, 1e6)


async def serve(connections: Connections, socket: FakeSocket, address: str, token: str) -> None:
    await connections.serve(cast("Socket", socket), scope_of(address, token))


def test_one_game_is_opened_in_an_iteration_of_the_event_loop(tmp_path: Path) -> None:
    async def main() -> None:
        async with RoomsHarness(tmp_path) as harness:
            room, _ = await harness.rooms.create(request(opponent="same_device"), ANA)
            connections = connections_of(harness, plenty())
            sockets = [FakeSocket(*[HELLO % room.id] * 5) for _ in range(8)]
            serving = [
                asyncio.ensure_future(serve(connections, socket, f"192.0.2.{number}", "a"))
                for number, socket in enumerate(sockets)
            ]
            while not all(task.done() for task in serving):
                ITERATION[0] += 1
                await asyncio.sleep(0)
            opened = [number for socket in sockets for number in socket.states()]
            assert len(opened) == 8 * 5
            assert len(set(opened)) == len(opened)

    asyncio.run(main())


def test_clients_in_debt_are_closed_with_1013_and_all_others_served(tmp_path: Path) -> None:
    async def main() -> None:
        async with RoomsHarness(tmp_path) as harness:
            room, _ = await harness.rooms.create(request(opponent="same_device"), ANA)
            costs = RateLimit("too_many_requests", 0.001, 10.0, for_address=1.0)
            connections = connections_of(harness, costs)
            costs.charge(scope_of("192.0.2.1", "a"), 50.0)
            for address, token, codes in (
                ("192.0.2.1", "b", [1013]),
                ("192.0.2.2", "a", [1013]),
                ("192.0.2.3", "c", []),
            ):
                socket = FakeSocket(HELLO % room.id)
                await serve(connections, socket, address, token)
                await settle()
                assert socket.codes == codes
                assert len(socket.states()) == (0 if codes else 1)

    asyncio.run(main())


def test_opening_games_counts_as_five_messages(tmp_path: Path) -> None:
    async def main() -> None:
        async with RoomsHarness(tmp_path) as harness:
            room, _ = await harness.rooms.create(request(opponent="same_device"), ANA)
            socket = FakeSocket(*[HELLO % room.id] * 30)
            await serve(connections_of(harness, plenty()), socket, "192.0.2.1", "a")
            assert socket.codes == [1008]
            assert 20 <= len(socket.states()) < 25

    asyncio.run(main())
