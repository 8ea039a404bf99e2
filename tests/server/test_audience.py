"""Other processes that follow a game count their own connections, and get every message once."""

import asyncio
import json
from pathlib import Path
from typing import Any

from hnefi.server.events import Fischer
from hnefi.server.games.audience import Audience, Counts
from hnefi.server.games.commands import MoveCommand
from tests.server.harness import ANA, BRAN, RecordingListener, RoomsHarness, request

SECOND = 1_000_000


class RecordingRelay:
    """Records what is sent to another process."""

    def __init__(self) -> None:
        self.sent: list[tuple[int | None, dict[str, Any]]] = []
        self.states = 0

    def send(self, text: str, seq: int | None) -> None:
        self.sent.append((seq, json.loads(text)))

    def send_state(self) -> None:
        self.states += 1

    def events(self) -> list[int | None]:
        return [seq for seq, message in self.sent if message["type"] == "event"]


def test_counts_are_the_sum_of_all_processes() -> None:
    async def main() -> None:
        audience, relay, other = Audience(), RecordingRelay(), RecordingRelay()
        player, spectator = RecordingListener(1), RecordingListener()
        audience.add(player)
        audience.add(spectator)
        audience.set_relay(relay, Counts(1, 0, 30))
        assert audience.set_relay(other, Counts(0, 2, 1)) == Counts()
        assert audience.counts == Counts(1, 3, 32)
        assert audience.here == Counts(0, 1, 1)
        assert audience.remove(player)
        assert not audience.remove(player)
        assert audience.has(1)
        assert audience.remove_relay(other) == Counts(0, 2, 1)
        assert not audience.has(1)
        assert audience.has(0)
        assert len(audience) == 2
        audience.send_states(lambda players: json.dumps({"type": "state", "you": sorted(players)}))
        assert relay.states == 1
        assert spectator.received == [{"type": "state", "you": []}]

    asyncio.run(main())


def test_another_process_gets_events_with_their_numbers_and_shows_who_is_present(tmp_path: Path) -> None:
    async def main() -> None:
        async with RoomsHarness(tmp_path) as harness:
            room, invite = await harness.rooms.create(request(), ANA)
            assert invite is not None
            await harness.rooms.join(room.id, BRAN, invite, "Bran")
            relay, here = RecordingRelay(), RecordingListener(1)
            room.add_listener(here)
            room.set_relay(relay, Counts(1, 0, 0))
            assert room.attendance().away_us == (0, 0)
            await room.act(frozenset({0}), MoveCommand("d2-c2"), "m", room.state.seq, harness.time.now_us())
            assert relay.events() == [room.state.seq]
            room.remove_relay(relay)
            await harness.time.advance(SECOND)
            assert room.attendance().away_us == (SECOND, 0)
            # Presence is announced to those who are left, without the number of an event.
            assert here.received[-1]["present"] == [False, True]
            assert {seq for seq, message in relay.sent if message["type"] == "presence"} == {None}
            assert relay.events() == [room.state.seq]

    asyncio.run(main())


def test_an_absence_is_as_long_however_often_it_is_read(tmp_path: Path) -> None:
    async def main() -> None:
        async with RoomsHarness(tmp_path) as harness:
            for clock in (Fischer(initial_s=60, increment_s=2), None):
                new = request(clock=clock) if clock else request()
                (read, invite), (unread, other) = [await harness.rooms.create(new, ANA) for _ in range(2)]
                assert invite is not None
                assert other is not None
                await harness.time.advance(SECOND)
                assert read.attendance().away_us == (SECOND, SECOND)
                # The friend is seen when he takes his seat, and not since the game was made.
                await harness.rooms.join(read.id, BRAN, invite, "Bran")
                await harness.rooms.join(unread.id, BRAN, other, "Bran")
                await harness.time.advance(SECOND)
                assert read.attendance() == read.attendance() == unread.attendance()
                assert read.attendance().away_us == (2 * SECOND, SECOND)

    asyncio.run(main())
