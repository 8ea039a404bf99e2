"""Several real processes on one PostgreSQL, which are killed, stopped and suspended while people play."""

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

from tests.server.kills import EVENTS, ClientGame, check_game, new_client_game, play_until_killed
from tests.server.postgres import execute
from tests.server.serving import HttpClient, RunningServer
from tests.timeouts import wait_until


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
