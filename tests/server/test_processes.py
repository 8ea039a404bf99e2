"""Processes on one PostgreSQL that are killed, suspended, die or fall silent while people play."""

import asyncio
import contextlib
import random
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.state import Status
from hnefi.server.store import processes, reading
from tests.server.harness import ANA, friends, load, request
from tests.server.kills import EVENTS, ClientGame, check_game, new_client_game, play_until_killed
from tests.server.postgres import execute
from tests.server.scopes import until
from tests.server.serving import HttpClient, RunningServer
from tests.server.test_sharing import MOVES, OneProcess, several
from tests.timeouts import timeout_s, wait_until


@pytest.fixture
def servers(url: str, tmp_path: Path) -> Iterator[list[RunningServer]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(RunningServer(tmp_path / f"{n}", database=url)) for n in range(2)]


def check(url: str, games: Sequence[ClientGame]) -> int:
    """Compares the database with the acknowledged moves, and returns their number."""
    logs = (execute(url, f"{EVENTS} WHERE game = %s ORDER BY seq", game.id) for game in games)
    return sum(map(check_game, games, logs))


def test_no_acknowledged_move_is_lost_doubled_or_stale(servers: list[RunningServer], url: str) -> None:
    """Plays with opponents at different processes; each turn ends one of them in another way."""
    chance = random.Random(3)
    games = [new_client_game(servers[0], seed) for seed in range(6)]
    for turn in range(4):
        ended = servers[turn % 2]
        games += [new_client_game(servers[0], len(games)) for game in games[-6:] if game.is_over]
        alive = [game for game in games if not game.is_over]
        number = chance.choice((signal.SIGKILL, signal.SIGTERM))
        asyncio.run(play_until_killed(servers[0], alive, 60, partial(ended.signal, number), servers[1]))
        ended.end()
        check(url, games)
        ended.start()
    assert check(url, games) > 150


def test_a_process_that_was_suspended_goes_on_with_what_happened_meanwhile(
    servers: list[RunningServer], url: str
) -> None:
    first, second = servers
    game = new_client_game(first, 1)
    asyncio.run(play_until_killed(first, [game], 4, lambda: None, other=second))
    first.signal(signal.SIGSTOP)
    wait_until(lambda: bool(execute(url, "SELECT 1 FROM process WHERE has_ended")), "the other one notices")
    asyncio.run(play_until_killed(second, [game], 4, lambda: None))
    first.signal(signal.SIGCONT)
    asyncio.run(play_until_killed(first, [game], 4, lambda: None, other=second))
    assert check(url, [game]) > 8


def has_no_challenge(client: HttpClient) -> bool:
    return not client.request("GET", "/api/people")["challenges"]


@pytest.mark.deep
def test_strangers_who_press_at_once_at_two_processes_all_meet(servers: list[RunningServer]) -> None:
    """Nobody is left alone, and nobody sits in two games."""
    wish = {"variant": "brandub-globe", "opponent": "friend", "side": "lot", "name": "Ana"}
    for strangers in (2, 2, 2, 8, 8):
        clients = [HttpClient(servers[number % 2].address) for number in range(strangers)]
        with ThreadPoolExecutor(strangers) as pool:
            paired = list(pool.map(lambda one: one.request("POST", "/api/pairings", wish)["game"], clients))
        assert sorted(Counter(paired).values()) == [2] * (strangers // 2)
    for server in servers:
        wait_until(partial(has_no_challenge, HttpClient(server.address)), "no challenge is left")


def test_an_engine_process_chooses_moves_for_others(
    servers: list[RunningServer], url: str, tmp_path: Path
) -> None:
    """Its moves are those of a game at a process that has died."""
    first, second = servers
    client = HttpClient(first.address)
    wish = {"variant": "brandub-globe", "opponent": "computer", "level": 1, "side": "defenders"}
    made = client.request("POST", "/api/games", wish)["game"]
    first.kill()
    second.kill()
    engines = RunningServer(tmp_path / "engines", database=url, engines_only=True)
    engines.begin()
    try:
        moves = f"SELECT 1 FROM event WHERE game = '{made}' AND actor = 1"
        wait_until(lambda: len(execute(url, moves)) == 1, "the computer has moved")
    finally:
        engines.kill()


TEN_MINUTES = {"kind": "fischer", "initial_s": 600, "increment_s": 0}


def silence(url: str, process: int, seconds: int = 60) -> None:
    """Lets a process seem silent for so long."""
    shift = "UPDATE process SET beat_us = beat_us - %s WHERE id = %s"
    execute(url, shift, seconds * SECOND_US, process)


async def alive(process: OneProcess) -> list[int]:
    """Returns the other processes that are alive."""
    return [
        one.id for one in await process.store.read(processes.read_others, process.id) if not one.has_ended
    ]


async def kinds_of(process: OneProcess, game: str) -> list[str]:
    """Returns the kinds of the stored events of a game."""
    return [event.body.kind for event in (await load(process.store, game)).events]


async def test_a_process_that_dies_costs_its_players_no_time(url: str) -> None:
    async with several(url) as (first, second):
        game, other = [(await friends(first, clock=TEN_MINUTES)).id for _ in range(2)]
        await first.follow(game, 0)
        for number in range(2):
            for one in (game, other):
                await first.move(one, number, MOVES[number])
        await until(lambda: not first.sharing._is_flushing)
        dead = first.id
        await first.kill()
        silence(url, dead)
        execute(url, "UPDATE event SET t_us = t_us - 61000000")  # all before its last beat
        async with OneProcess(url) as third:
            await asyncio.gather(second.sharing.look_at_others(), third.sharing.look_at_others())
            room = await second.rooms.room(game)
            await until(lambda: room.state.seq >= 6)
            kinds = await kinds_of(second, game)
            assert (kinds[-1], kinds.count("resumed")) == ("resumed", 1)
            left_us = room.state.leg.clocks.left_us(room.state.leg.clocks.side, third.time.now_us())  # type: ignore[arg-type]
            assert left_us >= 600 * SECOND_US
            # Nobody was connected to the other game.
            assert (await second.rooms.room(other)).state.seq == room.state.seq - 1
            assert await alive(second) == [third.id]


async def test_a_process_that_was_only_slow_begins_anew(url: str) -> None:
    async with several(url) as (first, second):
        game = (await friends(first)).id
        ana = await first.follow(game, 0)
        before = first.id
        silence(url, before)
        await second.sharing.look_at_others()
        await first.rooms.heartbeat.beat()
        assert first.id != before
        await second.move(game, 0, MOVES[0])
        await until(lambda: len(ana.events("moved")) == 1)
        assert await alive(second) == [first.id]


async def test_a_start_is_a_restart_of_the_site_only_if_no_process_is_alive(url: str) -> None:
    async with OneProcess(url) as second:
        async with OneProcess(url):
            assert await second.store.read(reading.restarts) == []
        async with OneProcess(url) as third:
            assert await third.store.read(reading.restarts) == []
    async with OneProcess(url) as fourth:
        assert len(await fourth.store.read(reading.restarts)) == 1


async def test_the_computer_moves_once_whichever_process_dies(url: str) -> None:
    async with several(url) as (first, second):
        first.computer.failures = 10**6
        room, _ = await first.games.create(request(opponent="computer", level=1, side="attackers"), ANA)
        await second.follow(room.id)
        await first.move(room.id, 0, MOVES[0])
        watched = await second.rooms.room(room.id)
        await until(lambda: watched.state.mover == 1)
        # It is the first one that chooses, as long as it lives.
        assert not await second.rooms.computer.take()
        assert second.computer.requests == 0
        dead = first.id
        await first.kill()
        execute(url, "UPDATE game SET computer_us = computer_us - 60000000")
        silence(url, dead)
        await second.sharing.look_at_others()
        await until(lambda: watched.state.leg.ply_count == 2)
        stored = await load(second.store, room.id)
        assert sum(event.actor == 1 for event in stored.events) == 1


async def test_a_flag_falls_once_though_its_process_has_died(url: str) -> None:
    async with several(url, 3) as (first, second, third):
        game = (await friends(first, clock={**TEN_MINUTES, "initial_s": 10})).id
        for number in range(2):
            await first.move(game, number, MOVES[number])
        dead = first.id
        await first.kill()
        execute(url, "UPDATE event SET t_us = t_us - 60000000")
        execute(url, "UPDATE game SET due_us = due_us - 60000000")
        silence(url, dead)
        await asyncio.gather(second.sharing.look_at_others(), third.sharing.look_at_others())
        async with asyncio.timeout(timeout_s()):
            while (await kinds_of(second, game))[-1] != "ended":
                await asyncio.sleep(0.05)
        assert (await kinds_of(second, game)).count("ended") == 1
        assert (await third.rooms.room(game)).state.status is Status.OVER


async def test_a_game_that_cannot_be_read_does_not_stop_the_heart(url: str) -> None:
    async with several(url) as (first, second):
        broken, sound = [await friends(first, clock=TEN_MINUTES) for _ in range(2)]
        listeners = [await first.follow(room.id, 0) for room in (broken, sound)]
        assert len(listeners) == 2
        added = "INSERT INTO event SELECT game, seq + 1, t_us, actor, NULL, 'x' FROM event WHERE seq = 3"
        execute(url, f"{added} AND game = %s", broken.id)
        away_us = first.time.now_us()
        await first.rooms.deadlines.resume(away_us)
        assert sound.state.seq == 4
        assert (await first.store.read(reading.load, sound.id, 3)) is not None
        before = first.rooms.heartbeat._written_us
        await first.rooms.heartbeat.beat()
        assert first.rooms.heartbeat._written_us > before
        # It is charged once, whoever else resumes it.
        await (await second.rooms.room(sound.id)).resume(away_us)
        assert sound.state.seq == 4


async def test_extra_time_is_for_whose_clock_runs_and_who_could_not_act(url: str) -> None:
    async with several(url) as (first, second):
        room = await friends(first, clock=TEN_MINUTES)
        before_us = first.time.now_us()
        for player in (0, 1):
            await first.move(room.id, player, MOVES[player])
        seq = room.state.seq
        for long_ago_us, players in ((0, [1]), (10 * SECOND_US, [0])):
            await room.resume(before_us - long_ago_us, players, "resumed-1")
            assert room.state.seq == seq
        # Both have moved after the last beat of their process, which may have died after that.
        await room.resume(before_us, [0, 1], "resumed-1")
        assert room.state.seq == seq + 1
        await (await second.rooms.room(room.id)).resume(before_us, [0], "resumed-1")
        assert room.state.seq == seq + 1


async def test_a_flag_that_was_due_in_an_outage_falls_after_it_whoever_looks_on(url: str) -> None:
    async with several(url, 1) as (only,):
        room = await friends(only, clock={**TEN_MINUTES, "initial_s": 60})
        await only.follow(room.id)
        heartbeat, now_us = only.rooms.heartbeat, only.time.now_us
        heartbeat._begin_outage()
        only.time.now_us = lambda: now_us() + 120 * SECOND_US  # type: ignore[method-assign]
        only.rooms.deadlines.set_timer(room.id, only.time.now_us())
        await until(lambda: room.state.status is Status.OVER)
        assert not heartbeat.is_outage
