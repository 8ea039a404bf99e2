"""Clocks with a fake time: charged time, flag falls, downtime of the server."""

import asyncio
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hnefi import Outcome
from hnefi.pieces import Reason, Side
from hnefi.server.events import Days, Fischer, NoClock
from hnefi.server.games.clocks import DAY_US, FIRST_MOVE_US, GRACE_US, SECOND_US, Running
from hnefi.server.games.room import Room
from hnefi.server.games.state import Status
from hnefi.server.refusals import Refused
from tests.server.harness import (
    ATTACKERS,
    DEFENDERS,
    FakeClock,
    RecordingListener,
    RoomsHarness,
    do,
    friends,
    play,
    refuses,
)

MS = 1_000
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
