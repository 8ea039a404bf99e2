"""Who follows a game: the connections here, and the count of those to other processes."""

import json

from hnefi.server.events import Fischer
from hnefi.server.games.audience import Audience
from hnefi.server.store.rows import Counts
from tests.server.harness import ANA, BRAN, FakeClock, RecordingListener, RoomsHarness, request

SECOND = 1_000_000


async def test_counts_are_the_sum_of_all_processes() -> None:
    changes: list[int] = []
    audience = Audience(
        FakeClock(), 0, lambda _: '{"type": "presence"}', lambda: changes.append(len(changes))
    )
    player, spectator = RecordingListener(1), RecordingListener()
    audience.add(player)
    audience.add(spectator)
    audience.set_elsewhere({7: Counts(1, 0, 30), 8: Counts(0, 2, 1)})
    assert audience.counts == Counts(1, 3, 32)
    assert audience.here == Counts(0, 1, 1)
    for _ in range(2):
        audience.remove(player)
    assert changes == [0, 1, 2]
    assert audience.counts == Counts(1, 2, 32)
    assert audience.players_here == []
    audience.set_elsewhere_at(8, Counts())
    assert audience.counts == Counts(1, 0, 31)
    assert not audience.is_empty
    audience.send_states(lambda players: json.dumps({"type": "state", "you": sorted(players)}))
    assert spectator.received[-1] == {"type": "state", "you": []}


async def test_an_absence_is_as_long_however_often_it_is_read(harness: RoomsHarness) -> None:
    for clock in (Fischer(initial_s=60, increment_s=2), None):
        new = request(clock=clock) if clock else request()
        (read, invite), (unread, other) = [await harness.games.create(new, ANA) for _ in range(2)]
        assert invite is not None
        assert other is not None
        await harness.time.advance(SECOND)
        assert read.audience.attendance().away_us == (SECOND, SECOND)
        # The friend is seen when he takes his seat, and not since the game was made.
        await harness.games.join(read.id, BRAN, invite, "Bran")
        await harness.games.join(unread.id, BRAN, other, "Bran")
        await harness.time.advance(SECOND)
        assert read.audience.attendance() == read.audience.attendance() == unread.audience.attendance()
        assert read.audience.attendance().away_us == (2 * SECOND, SECOND)
