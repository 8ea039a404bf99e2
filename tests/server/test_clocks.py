"""Clocks with a fake time: charged time, flags, downtime; what a wrong clock of the machine cannot spoil."""

import asyncio
import logging
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hnefi import Outcome
from hnefi.pieces import Reason, Side
from hnefi.server.events import Days, Fischer, NoClock
from hnefi.server.games.clocks import DAY_US, FIRST_MOVE_US, GRACE_US, SECOND_US, Running
from hnefi.server.games.recording import record_of
from hnefi.server.games.retention import EXPIRY, MARKED_DAYS
from hnefi.server.games.room import Room
from hnefi.server.games.state import Status
from hnefi.server.games.time import SystemTime
from hnefi.server.messages.views import game_view
from hnefi.server.refusals import Refused
from hnefi.server.service import Service
from hnefi.server.settings import Settings
from tests.samples import deep
from tests.server.harness import (
    ANA,
    ATTACKERS,
    BRAN,
    DEFENDERS,
    FakeClock,
    RecordingListener,
    RoomsHarness,
    do,
    friends,
    play,
    refuses,
    request,
    settle,
)
from tests.server.kills import ClientGame, new_client_game
from tests.server.serving import RunningServer, SocketClient, execute

MS = 1_000
CLOCKS: tuple[dict[str, Any], ...] = (
    {"kind": "none"},
    {"kind": "days", "days": 1},
    {"kind": "fischer", "initial_s": 3_600, "increment_s": 0},
)
A, D = Side.ATTACKERS, Side.DEFENDERS


async def move(room: Room, text: object = None, received_us: int | None = None) -> int:
    """Plays a move, or the first that is legal, for the side to move."""
    assert room.state.mover is not None
    players, legal = frozenset({room.state.mover}), room.state.leg.called.legal_moves()
    return await play(room, players, text or legal[0], received_us=received_us)


async def timed(harness: RoomsHarness, moves: int = 0, **clock: object) -> Room:
    """Returns a new game after some moves; with days for a move they are two, for clocks run only then."""
    room = await friends(harness, clock=clock)
    for _ in range(2 if clock["kind"] == "days" else moves):
        await move(room)
    return room


def status_of(room: Room) -> Status:
    return room.state.status


@given(
    initial=st.integers(5, 600),
    increment=st.integers(0, 30),
    thoughts=st.lists(st.integers(0, 40 * SECOND_US), max_size=60),
)
def test_time_left_is_what_the_moves_leave(initial: int, increment: int, thoughts: list[int]) -> None:
    """Adds up by hand what a clock has to show, for any game without a flag."""
    clocks = Running.begin(Fischer(initial_s=initial, increment_s=increment), A, 0)
    left, now, side, unmoved = {A: initial * SECOND_US, D: initial * SECOND_US}, 0, A, {A, D}
    for thought in thoughts:
        charged = max(thought - (FIRST_MOVE_US if side in unmoved else 0), 0)
        assert clocks.is_over(now + thought) == (charged >= left[side])
        if charged >= left[side]:
            break
        now += thought
        other = D if side is A else A
        clocks = clocks.moved(side, other, now)
        left[side] += increment * SECOND_US - charged
        unmoved.discard(side)
        side = other
        assert {one: clocks.left_us(one, now) for one in Side} == left


def test_a_refused_escape_gets_no_increment_and_no_clock_means_none() -> None:
    clocks = Running.begin(Fischer(initial_s=60, increment_s=5), D, 0)
    assert clocks.moved(D, A, 40 * SECOND_US, counts=False).left_us(D, 40 * SECOND_US) == 50 * SECOND_US
    none = Running.begin(NoClock(), A, 0)
    assert none.deadline_us is None
    assert none.moved(A, D, SECOND_US) is none
    assert none.turned(D, 5) is none
    assert none.resumed(1, 2) is none


def test_days_begin_anew_with_every_move_and_may_wait_for_the_first_of_each_side() -> None:
    """Who posted a challenge over days may be away when somebody takes it."""
    assert Running.begin(Days(days=2), A, 0).deadline_us == 2 * DAY_US
    clocks = Running.begin(Days(days=1), A, 0, waits=True)
    assert clocks.deadline_us is None
    clocks = clocks.moved(A, D, 5 * DAY_US)
    assert clocks.deadline_us is None
    assert clocks.left_us(D, 9 * DAY_US) == DAY_US
    assert clocks.turned(A, 6 * DAY_US).deadline_us == 7 * DAY_US
    clocks = clocks.moved(D, A, 9 * DAY_US)
    assert clocks.deadline_us == 10 * DAY_US


async def test_flags_fall_at_their_time_and_no_move_comes_after(harness: RoomsHarness) -> None:
    room = await timed(harness, kind="fischer", initial_s=30, increment_s=1)
    listener = RecordingListener(room=room)
    for _ in range(2):
        await move(room)
    begin = harness.time.now_us()
    await harness.time.advance(30 * SECOND_US + 999 * MS)
    assert status_of(room) is Status.PLAYING
    await harness.time.advance(2 * MS)
    assert status_of(room) is Status.OVER
    assert room.state.leg.outcome == Outcome(D, Reason.TIME)
    assert abs(room.state.t_us - begin - 31 * SECOND_US) <= 10 * MS
    assert await refuses(play(room, ATTACKERS, "d1-c1")) == "already_over"
    kinds = [event["body"]["kind"] for event in listener.events()]
    assert kinds == ["moved", "moved", "ended"]


async def test_a_move_and_a_flag_at_once_are_decided_once(harness: RoomsHarness) -> None:
    """Sends moves around the deadline, a timer that is late included: never both, never neither."""
    for offset in (-3, -1, 0, 1, 3):
        room = await timed(harness, moves=2, kind="fischer", initial_s=10, increment_s=0)
        deadline = room.state.leg.clocks.deadline_us
        assert deadline is not None
        # The timer's task has not run yet, though its time has come.
        harness.time._now_us = deadline + 5 * MS
        received = deadline + offset * MS
        results = await asyncio.gather(move(room, None, received), room.end_by_time(), return_exceptions=True)
        outcome = room.state.leg.outcome
        if offset < 0:
            assert outcome is None
            assert room.state.leg.ply_count == 3
        else:
            assert isinstance(results[0], Refused)
            assert outcome == Outcome(D, Reason.TIME)
            assert room.state.leg.ply_count == 2


async def test_without_a_heartbeat_too_little_is_charged_and_never_too_much(tmp_path: Path) -> None:
    time = FakeClock()
    harness = RoomsHarness(tmp_path, time)
    await harness.rooms.start()
    room = await timed(harness, kind="days", days=1)
    await move(room)
    # As after a kill: nothing was said at the end.
    harness.store.close()
    time._now_us += 30 * DAY_US
    async with RoomsHarness(tmp_path, time) as again:
        room = await again.rooms.room(room.id)
        assert room.state.leg.clocks.left_us(D, time.now_us()) == DAY_US + GRACE_US


async def test_the_game_of_someone_who_left_can_be_claimed(harness: RoomsHarness) -> None:
    room = await timed(harness, kind="fischer", initial_s=600, increment_s=0)
    ana, bran = (RecordingListener(player, room=room) for player in (0, 1))

    assert await refuses(do(room, DEFENDERS, "claim")) == "not_long_enough"
    room.audience.remove(ana)
    assert bran.received[-1]["present"] == [False, True]
    await harness.time.advance(59 * SECOND_US)
    assert await refuses(do(room, DEFENDERS, "claim")) == "not_long_enough"
    assert await refuses(do(room, ATTACKERS, "claim")) == "nothing_to_claim"
    await harness.time.advance(2 * SECOND_US)
    await do(room, DEFENDERS, "claim")
    assert room.state.leg.outcome == Outcome(D, Reason.ABANDONED)


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
                asyncio.run(play_at_server(server, game, text, seq_error_s, player))
    assert execute(tmp_path / "data" / "games.db", MARKS) == [(0,)]
    assert count_games(tmp_path / "data") == len(CLOCKS)


async def play_at_server(
    server: RunningServer, game: ClientGame, text: str, error_s: int, player: int
) -> None:
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
