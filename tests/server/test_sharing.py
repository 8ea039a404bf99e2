"""Several processes on one PostgreSQL, each with its own store, rooms and listener, inside a test."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, Self

import pytest

from hnefi import random_game, variant
from hnefi.server import events as e
from hnefi.server.games import expiry, sharing
from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.expiry import delete_expired
from hnefi.server.games.set_aside import find_damaged
from hnefi.server.games.sharing import Sharing
from hnefi.server.games.state import fold
from hnefi.server.games.time import SystemTime
from hnefi.server.refusals import Refused
from hnefi.server.store import changes, notices, processes, reading
from hnefi.server.store.notices import channel_of, events_of, notices_of, read_notice
from hnefi.server.store.rows import UNCHANGED, Conflict, Write
from hnefi.server.store.store import Store
from tests.server.harness import (
    ANA,
    BRAN,
    EVE,
    RecordingListener,
    RoomsHarness,
    friends,
    load,
    play,
    refuses,
    request,
)
from tests.server.postgres import execute
from tests.server.scopes import until
from tests.server.test_store import moved, new
from tests.timeouts import timeout_s

MOVES = [str(ply.move) for ply in random_game(variant("brandub-globe").rules, 7, 30).plies]


class OneProcess(RoomsHarness):
    """A process without a port, with the time of the machine."""

    def __init__(self, url: str) -> None:
        super().__init__(url, SystemTime())  # type: ignore[arg-type]
        assert self.rooms.sharing is not None
        self.sharing: Sharing = self.rooms.sharing

    @property
    def id(self) -> int:
        return self.rooms.heartbeat.process

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        assert self.sharing._listening is not None
        await asyncio.to_thread(self.sharing._listening.is_listening.wait, timeout_s())
        return self

    async def __aexit__(self, *_: object) -> None:
        if not self.rooms.is_stopping:
            await super().__aexit__()

    async def kill(self) -> None:
        """Ends without a word: nothing is written any more."""
        await self.rooms._end_tasks()
        self.store.close()

    async def move(self, game: str, player: int, text: str, message: str | None = None) -> int:
        return await play(await self.rooms.room(game), frozenset({player}), text, message=message)

    async def follow(self, game: str, *players: int) -> RecordingListener:
        listener = RecordingListener(*players)
        (await self.games.follow(game)).audience.add(listener)
        return listener


@contextlib.asynccontextmanager
async def several(url: str, count: int = 2) -> AsyncIterator[list[OneProcess]]:
    async with contextlib.AsyncExitStack() as stack:
        yield [await stack.enter_async_context(OneProcess(url)) for _ in range(count)]


async def test_opponents_at_different_processes_see_every_move_once(url: str) -> None:
    async with several(url) as (first, second):
        game = (await friends(first)).id
        ana, bran = await first.follow(game, 0), await second.follow(game, 1)
        at = (first, second)
        seq = (await first.rooms.room(game)).state.seq
        for number, move in enumerate(MOVES):
            # The other process may not have received of the last move yet.
            room = await at[number % 2].rooms.room(game)
            seq = await play(room, frozenset({number % 2}), move, seq=seq)
        for listener in (ana, bran):
            await until(lambda received=listener: len(received.events("moved")) >= len(MOVES))  # type: ignore[misc]
            played = [event["ply"]["move"].partition("x")[0] for event in listener.events("moved")]
            assert played == MOVES
        states = [(await one.rooms.room(game)).state for one in at]
        stored = await load(first.store, game)
        assert states[0] == states[1] == fold(stored.events, states[0].rules)


async def test_of_two_who_are_faster_at_once_one_is(url: str) -> None:
    """Nobody hears of the other before both have written."""
    async with several(url) as at:
        for number in range(10):
            room, invite = await at[0].games.create(request(), ANA)
            await at[1].rooms.room(room.id)
            joined = await asyncio.gather(
                at[0].games.join(room.id, BRAN, invite, "Bran"),
                at[1].games.join(room.id, EVE, invite, "Eve"),
                return_exceptions=True,
            )
            refusals = [one for one in joined if isinstance(one, Refused)]
            assert [one.code for one in refusals] == ["seat_taken"]
            # One message that is sent twice acts once, and two moves at once are one.
            name = f"twice{number}"
            moves = [at[n].move(room.id, 0, "d2-c2", name) for n in (0, 1)]
            assert len(set(await asyncio.gather(*moves))) == 1
            replies = [at[0].move(room.id, 1, "d3-c3", "a"), at[1].move(room.id, 1, "d3-e3", "b")]
            done = await asyncio.gather(*replies, return_exceptions=True)
            assert sum(isinstance(one, int) for one in done) == 1
            states = [(await one.rooms.room(room.id)).state for one in at]
            assert states[0] == states[1]
            assert states[0].leg.ply_count == 2


async def test_a_conflict_costs_one_command_and_not_its_batch(url: str) -> None:
    async with several(url) as (first, second):
        await asyncio.gather(*(new(first.store, name) for name in "abcdefgh"))
        # With deadlines a batch is a transaction of several statements, otherwise of one.
        for seq, due_us in ((2, UNCHANGED), (3, 5), (4, None)):
            await moved(second.store, "c", seq)
            writes = [moved(first.store, name, seq, due_us=due_us) for name in "abcdefgh"]
            done = await asyncio.gather(*writes, return_exceptions=True)
            assert [one is None for one in done] == [name != "c" for name in "abcdefgh"]
            heads = await first.store.read(reading.last_events, list("abcdefgh"))
            assert set(heads.values()) == {seq}


async def test_lost_notices_leave_no_room_behind(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "_LOOK_S", 0.2)
    async with several(url) as (first, second):
        game = (await friends(first)).id
        bran = await second.follow(game, 1)
        monkeypatch.setattr(notices.Sender, "send", lambda *_: None)
        await first.move(game, 0, MOVES[0])
        assert bran.events("moved") == []
        # Whoever opens it is shown the newest state at once, and others when their process looks.
        await second.follow(game)
        assert len(bran.events("moved")) == 1
        await second.move(game, 1, MOVES[1])
        await first.move(game, 0, MOVES[2])
        await until(lambda: len(bran.events("moved")) == 3)


async def test_events_are_told_where_somebody_follows_the_game(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "_LOOK_S", 60)
    told = list[str]()
    send = notices.Sender.send

    def note(sender: notices.Sender, notices: list[tuple[str, str]]) -> None:
        told.extend(channel for channel, text in notices if '"e":' in text)
        send(sender, notices)

    async with several(url, 3) as (first, second, third):
        await first.sharing.look_at_others()
        game = (await friends(first)).id
        await third.rooms.room(game)
        monkeypatch.setattr(notices.Sender, "send", note)
        await first.move(game, 0, MOVES[0])
        assert told == []
        bran = await second.follow(game, 1)
        # The first process does not know of it yet.
        await first.move(game, 1, MOVES[1])
        await until(lambda: len(bran.events("moved")) == 1)
        await until(lambda: bool(first.rooms.loaded[game].audience.followers))
        await first.move(game, 0, MOVES[2])
        await until(lambda: len(bran.events("moved")) == 2)
        assert told == [notices.channel_of(second.id)]
        assert (await third.rooms.room(game)).state.leg.ply_count == 3


async def test_a_seat_that_moves_to_another_device_is_known_everywhere(url: str) -> None:
    async with several(url) as (first, second):
        game = (await friends(first)).id
        other = await second.rooms.room(game)
        await second.follow(game)
        secret, _ = await first.games.create_link(game, BRAN)
        await first.games.use_link(secret, EVE)
        await until(lambda: other.players_of(EVE) == {1})
        assert await refuses(second.games.use_link(secret, ANA)) == "bad_link"


async def test_connections_elsewhere_count_as_present(url: str) -> None:
    async with several(url) as (first, second):
        room = await friends(first)
        bran = await second.follow(room.id, 1)
        await until(lambda: room.audience.attendance().away_us[1] == 0)
        ana = await first.follow(room.id, 0)
        async with OneProcess(url) as third:
            late = await third.rooms.room(room.id)
            await until(lambda: late.audience.attendance().away_us == (0, 0))
            room.audience.remove(ana)
            (await second.rooms.room(room.id)).audience.remove(bran)
            await until(lambda: 0 not in late.audience.attendance().away_us)


async def test_a_busy_process_leaves_moves_of_the_computer_to_others(url: str) -> None:
    async with several(url) as (first, engines):
        first.computer.places = 0
        await first.sharing.look_at_others()
        room, _ = await first.games.create(request(opponent="computer", level=1, side="attackers"), ANA)
        await first.follow(room.id, 0)
        await first.move(room.id, 0, MOVES[0])
        await until(lambda: room.state.leg.ply_count == 2)
        assert (first.computer.requests, engines.computer.requests) == (0, 1)


def test_notices_are_as_short_as_postgres_demands() -> None:
    events = [e.Event(2, 2, 0, None, e.Moved(move="d2-c2"))]
    writes = [Write(f"game{number:08}", events, followers=[8]) for number in range(200)]
    notices = notices_of(7, writes)
    assert all(channel == channel_of(8) and len(text.encode()) < 8_000 for channel, text in notices)
    received = [read_notice(text) for _, text in notices]
    assert {one.process for one in received} == {7}
    assert sum(len(one.events) for one in received) == 200
    assert events_of(received[0].events["game00000000"]) == events
    ((_, named),) = notices_of(7, [Write("game00000000", events * 200, followers=[8])])
    assert read_notice(named).changed == {"game00000000"}
    assert not notices_of(7, [Write("game00000000", events)])
    ((channel, _),) = notices_of(7, [Write("game00000000", events, computer_us=None)])
    assert channel == processes.CHANNEL
    with pytest.raises(ValueError):  # noqa: PT011
        events_of([[1]])
    for wrong in ("", "{}", "[1, 2]", '[1, {"p": {"a": 1}}]'):
        with pytest.raises(ValueError):  # noqa: PT011
            read_notice(wrong)
    assert processes.SILENT_US < 3 * SECOND_US


@pytest.mark.parametrize("has_rows", [False, True], ids=["events", "events and rows"])
async def test_writes_of_the_same_games_in_opposite_orders_do_not_wait_for_each_other(
    url: str, has_rows: bool
) -> None:
    async with several(url) as (first, second):
        games = [f"g{number}" for number in range(20)]
        await asyncio.gather(*(new(first.store, game) for game in games))
        for seq in range(2, 70):
            # A move that moves a deadline, and an event that changes the status, as the end of a game does.
            writes = [moved(first.store, game, seq, due_us=seq if has_rows else UNCHANGED) for game in games]
            for game in reversed(games):
                event = e.Event(seq, seq, 1, None, e.Moved(move="d3-c3"))
                work = partial(changes.set_status, name=game, status="playing", t_us=seq, also=None)
                writes.append(second.store.submit(Write(game, [event], work=work if has_rows else None)))
            done = await asyncio.gather(*writes, return_exceptions=True)
            assert [type(one) for one in done if one is not None] == [Conflict] * len(games)


async def test_of_two_processes_that_receive_a_move_one_searches_for_the_answer(url: str) -> None:
    async with several(url) as (first, second):
        room, _ = await first.games.create(request(opponent="computer", level=1, side="attackers"), ANA)
        for one in (first, second):
            await one.sharing.look_at_others()
            await one.follow(room.id, 0)
        moves = [one.move(room.id, 0, MOVES[0], "same") for one in (first, second)]
        assert len(set(await asyncio.gather(*moves))) == 1
        await until(lambda: room.state.leg.ply_count == 2)
        assert first.computer.requests + second.computer.requests == 1


async def test_what_somebody_follows_anywhere_does_not_expire(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with several(url) as (first, second):
        room, opened = await friends(first), await friends(first)
        await first.follow(room.id, 0)
        first.rooms.loaded.pop(opened.id)
        await until(lambda: execute(url, "SELECT count(*) FROM present WHERE first > 0") == [(1,)])
        execute(url, "UPDATE event SET t_us = 1 + seq")
        execute(url, "UPDATE game SET changed_us = 10, marked_us = 20")

        async def open_meanwhile(store: Store, games: list[str]) -> dict[str, Exception]:
            await second.follow(opened.id, 1)
            return await find_damaged(store, games)

        monkeypatch.setattr(expiry, "find_damaged", open_meanwhile)
        assert await delete_expired(second.rooms) == 0
        for game in (room.id, opened.id):
            assert await first.store.read(reading.load, game) is not None


async def test_a_slow_look_does_not_hide_a_process_that_has_begun(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with several(url, 1) as (first,):
        read, has_read, may_answer = first.store.read, asyncio.Event(), asyncio.Event()

        async def slow(query: Any, *arguments: Any) -> Any:
            found = await read(query, *arguments)
            if query is processes.read_others:
                has_read.set()
                await may_answer.wait()
            return found

        monkeypatch.setattr(first.store, "read", slow)
        look = asyncio.create_task(first.sharing.look_at_others())
        await has_read.wait()
        async with OneProcess(url):
            await until(lambda: first.sharing._noticed > 0)
            may_answer.set()
            await look
            assert first.store.writer.process is not None
