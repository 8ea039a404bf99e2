"""A clock of the machine that is wrong: no game is lost, no flag falls, and right times are shown later."""

import asyncio
import logging
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hnefi.server.games.clocks import DAY_US, GRACE_US, SECOND_US
from hnefi.server.games.recording import record_of
from hnefi.server.games.retention import EXPIRY, MARKED_DAYS
from hnefi.server.games.time import SystemTime
from hnefi.server.messages.views import game_view
from hnefi.server.service import Service
from hnefi.server.settings import Settings
from tests.samples import deep
from tests.server.harness import ANA, BRAN, FakeClock, RecordingListener, RoomsHarness, request, settle
from tests.server.kills import ClientGame, new_client_game
from tests.server.serving import RunningServer, SocketClient
from tests.server.sqlite_files import execute
from tests.server.test_clocks import A, move, timed
from tests.server.test_restarts import CLOCKS

DAY_S = 86_400
HUNDRED = 100 * DAY_US
MARKS = "SELECT count(*) FROM game WHERE marked_us IS NOT NULL"


def count_games(folder: Path) -> int:
    return int(execute(folder / "games.db", "SELECT count(*) FROM game")[0][0])


@pytest.mark.parametrize("jump_us", [HUNDRED, -HUNDRED])
async def test_nothing_expires_by_a_jump_of_the_clock(
    tmp_path: Path, jump_us: int, caplog: pytest.LogCaptureFixture
) -> None:
    """The days of a living server count, whatever the machine shows."""
    caplog.set_level(logging.INFO)
    clock = FakeClock()
    async with RoomsHarness(tmp_path, clock) as harness:
        await harness.games.create(request(), ANA)
        assert await harness.expire(EXPIRY["waiting"] - 1) == 0
    if jump_us > 0:
        clock._now_us += jump_us
    else:
        clock.error_us = jump_us  # the time of the server never goes back
    async with RoomsHarness(tmp_path, clock) as harness:
        for days in (0, 2):  # the second marks the game
            assert await harness.expire(days) == 0
            assert execute(tmp_path / "games.db", MARKS) == [(bool(days),)]
    clock._now_us += HUNDRED
    async with RoomsHarness(tmp_path, clock) as harness:
        assert await harness.expire(MARKED_DAYS - 1) == 0
        assert count_games(tmp_path) == 1
        assert await harness.expire(2) == 1
    assert any("1 games have expired" in record.getMessage() for record in caplog.records)


async def test_opening_a_marked_game_takes_the_mark_away(tmp_path: Path, harness: RoomsHarness) -> None:
    opened, _ = await harness.games.create(request(), ANA)
    await harness.games.create(request(), BRAN)
    await harness.expire(EXPIRY["waiting"] + 1)
    assert execute(tmp_path / "games.db", MARKS)[0][0] == 2
    await harness.rooms.room(opened.id)
    await settle()
    assert execute(tmp_path / "games.db", MARKS)[0][0] == 1
    assert await harness.expire(MARKED_DAYS + 1) == 1
    assert [room.id for room in (await harness.games.own_games(ANA))[0]] == [opened.id]
    assert (await harness.games.own_games(BRAN))[0] == []


async def test_a_clock_that_is_right_again_is_shown(tmp_path: Path) -> None:
    clock = FakeClock()
    clock._now_us += HUNDRED
    async with RoomsHarness(tmp_path, clock):
        await clock.advance(3_600 * SECOND_US)
    clock.error_us = -HUNDRED
    async with RoomsHarness(tmp_path, clock):
        # The time of the server stays ahead, but nobody sees it.
        assert clock.leads.shown_us(clock.now_us()) == clock.machine_us()


async def test_a_clock_that_is_set_while_the_server_runs_shows_right_times(harness: RoomsHarness) -> None:
    clock = harness.time
    room = await timed(harness, kind="fischer", initial_s=600, increment_s=0)
    await move(room)
    listener = RecordingListener(0, room=room)
    for error_us in (40 * SECOND_US, -HUNDRED, HUNDRED, 0):
        left_us = room.state.leg.clocks.left_us(A, clock.now_us())
        clock.error_us = error_us
        listener.received.clear()
        await harness.rooms.machine_clock.check()
        (state,) = listener.received
        assert (state["type"], state["now_ms"]) == ("state", clock.machine_us() // 1000)
        assert room.state.leg.clocks.left_us(A, clock.now_us()) == left_us
        await move(room)
        (event,) = listener.events("moved")
        assert event["t_ms"] == event["ply"]["t_ms"] == clock.machine_us() // 1000
        assert event["after"]["clocks"]["at_ms"] == event["t_ms"]
        await clock.advance(SECOND_US)


async def test_records_have_the_date_of_the_clock(tmp_path: Path) -> None:
    clock = FakeClock()
    async with RoomsHarness(tmp_path, clock):
        pass
    clock._now_us += HUNDRED
    clock.error_us = -HUNDRED
    async with RoomsHarness(tmp_path, clock) as harness:
        room = await timed(harness, kind="none")
        await move(room)
        record = str(record_of(room.state, 1, room.time.leads)).splitlines()
        date = datetime.fromtimestamp(clock.machine_us() / 1_000_000, UTC).date()
        assert f'[Date "{date}"]' in record
        view = game_view(room, frozenset({0}))
        assert view.legs[0].plies[0].t_ms == view.now_ms == clock.machine_us() // 1000


@pytest.mark.parametrize("error_us", [-HUNDRED, 0])
async def test_the_time_of_the_server_begins_after_the_last_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error_us: int
) -> None:
    """The last heartbeat may be a minute older than the last event."""
    clock = FakeClock()
    async with RoomsHarness(tmp_path, clock) as harness:
        room = await timed(harness, kind="none")
        await clock.advance(50 * SECOND_US)
        await move(room)
    execute(tmp_path / "games.db", "UPDATE process SET beat_us = beat_us - 50000000")
    machine_us = clock.now_us() + SECOND_US + error_us
    monkeypatch.setattr(SystemTime, "machine_us", lambda _: machine_us)
    service = Service(Settings(folder=tmp_path))
    await service.start()
    assert service.time.now_us() > clock.now_us()
    await service.stop()


@pytest.mark.parametrize("error_s", [100 * DAY_S, *deep(-100 * DAY_S)])
def test_a_real_server_survives_a_wrong_clock(tmp_path: Path, error_s: int) -> None:
    error = tmp_path / "error"
    error.write_text("0")
    with RunningServer(tmp_path / "data", clock_error=str(error)) as server:
        games = [new_client_game(server, 1, clock) for clock in CLOCKS]
        for seq_error_s, player, text in ((0, 0, "d2-c2"), (error_s, 1, "d3-c3"), (0, 0, "c2-d2")):
            server.kill()
            error.write_text(str(seq_error_s))
            server.start()
            for game in games:
                asyncio.run(play(server, game, text, seq_error_s, player))
    assert execute(tmp_path / "data" / "games.db", MARKS) == [(0,)]
    assert count_games(tmp_path / "data") == len(CLOCKS)


async def play(server: RunningServer, game: ClientGame, text: str, error_s: int, player: int) -> None:
    """Plays a move, and checks the state and the times that are shown."""
    async with SocketClient(server, game.id, game.tokens[player]) as client:
        state = client.state
        assert state["status"] == "playing"
        assert_now(state["now_ms"], error_s)
        if (clocks := state["clocks"]) is not None:
            full_ms = DAY_S * 1000 if clocks["attackers_ms"] > 4_000_000 else 3_600_000
            for side in ("attackers_ms", "defenders_ms"):
                # Restarts add seconds; the test takes less than ten minutes.
                assert full_ms - 600_000 < clocks[side] <= full_ms + 3 * GRACE_US // 1000
        await client.send(type="move", id=f"m{state['seq']}", seq=state["seq"], move=text)
        event = await client.receive_until("event")
        assert event["body"]["move"] == text
        assert_now(event["t_ms"], error_s)
        await client.send(type="ping", t=1)
        assert_now((await client.receive_until("pong"))["now_ms"], error_s)


def assert_now(shown_ms: int, error_s: int) -> None:
    """Checks that a time is that of the clock, give or take half a day."""
    assert abs(shown_ms / 1000 - time.time() - error_s) < DAY_S / 2
