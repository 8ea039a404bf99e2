"""Every move is played exactly once if the network loses, duplicates or reorders messages, or disconnects."""

import asyncio
import random
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hnefi import HnefiError
from hnefi.server.events import Moved
from hnefi.server.games.room import Room
from hnefi.server.games.state import fold
from tests.samples import examples
from tests.server.harness import ATTACKERS, RecordingListener, RoomsHarness, do, friends, load, play

# Network faults and other events, in order.
NETWORK_EVENTS = st.lists(
    st.sampled_from(["send", "deliver", "double", "drop", "reorder", "reconnect", "restart", "offer"]),
    min_size=20,
    max_size=60,
)


class Client:
    """A client like the page: it has at most one pending move, and repeats it until it is answered."""

    def __init__(self, player: int, chance: random.Random) -> None:
        self.player, self.chance = player, chance
        self.listener = RecordingListener(player)
        self.pending: tuple[str, str, int] | None = None
        self.wire: list[tuple[str, str, int]] = []
        self.acknowledged: dict[str, tuple[str, int]] = {}
        self.count = 0

    def choose(self, room: Room) -> None:
        """Sends a new move on its turn, else repeats the pending one."""
        if self.pending is None:
            if room.state.mover != self.player:
                return
            move = str(self.chance.choice(room.state.leg.called.legal_moves()))
            self.count += 1
            self.pending = (f"{self.player}-{self.count}", move, room.state.seq)
        self.wire.append(self.pending)


async def deliver(room: Room, client: Client, message: tuple[str, str, int], *, answer: bool) -> None:
    """Delivers a message to the server and, if `answer`, the response to the client."""
    message_id, move, seq = message
    try:
        done = await play(room, frozenset({client.player}), move, seq=seq, message=message_id)
    except HnefiError:
        # A copy of a move that was answered long ago may be refused, but never a move that waits.
        if client.pending is not None and client.pending[0] == message_id:
            raise
        return
    if answer:
        assert client.acknowledged.setdefault(message_id, (move, done)) == (move, done)
        if client.pending is not None and client.pending[0] == message_id:
            client.pending = None


@settings(examples(12), suppress_health_check=[HealthCheck.too_slow])
@given(network_events=NETWORK_EVENTS, seed=st.integers(0, 2**32))
def test_every_move_is_played_once_whatever_the_network_does(network_events: list[str], seed: int) -> None:
    async def scenario(folder: Path) -> None:
        chance = random.Random(seed)
        clients = [Client(player, chance) for player in (0, 1)]
        harness = RoomsHarness(folder)
        await harness.rooms.start()
        room = await friends(harness)
        for event_kind in network_events:
            client = chance.choice(clients)
            if event_kind == "send":
                client.choose(room)
            elif event_kind == "restart":
                await harness.rooms.stop()
                harness.store.close()
                harness = RoomsHarness(folder, harness.time)
                await harness.rooms.start()
                room = await harness.rooms.room(room.id)
            elif event_kind == "reconnect" and client.pending is not None:
                client.wire = [client.pending]
            elif event_kind == "reorder":
                chance.shuffle(client.wire)
            elif event_kind == "offer" and room.state.mover is not None and "draw" not in room.state.offers:
                await do(room, ATTACKERS, "offer_draw")
            elif client.wire:
                message = client.wire.pop(0)
                if event_kind == "double":
                    client.wire.append(message)
                if event_kind in ("deliver", "double"):
                    await deliver(room, client, message, answer=chance.random() < 0.7)
        await _agree(harness, room, clients)
        await harness.rooms.stop()
        harness.store.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(scenario(Path(folder)))


async def _agree(harness: RoomsHarness, room: Room, clients: list[Client]) -> None:
    """Checks that the store has the state of the server, with each acknowledged move once, in its place."""
    kept = await load(harness.store, room.id)
    assert [event.seq for event in kept.events] == list(range(1, len(kept.events) + 1))
    assert fold(kept.events, room.state.rules) == room.state
    moves = {event.message: event for event in kept.events if isinstance(event.body, Moved)}
    assert len(moves) == sum(isinstance(event.body, Moved) for event in kept.events)
    for client in clients:
        for message_id, (move, seq) in client.acknowledged.items():
            event = moves[f"{client.player}:{message_id}"]
            assert isinstance(event.body, Moved)
            assert (event.body.move, event.seq) == (move, seq)
