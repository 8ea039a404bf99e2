"""Three processes on one PostgreSQL are killed, updated and cut off while people and computers play.

The clients go to another process when theirs is gone, as behind a proxy. `make check-deep` runs it.
"""

import asyncio
import contextlib
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
from httpx2 import TransportError

from hnefi import Rules
from hnefi.server.games.state import fold
from hnefi.server.store import database, reading
from tests.deep.report import note
from tests.server.conftest import postgres, url  # noqa: F401 - fixtures
from tests.server.kills import ClientGame, new_client_game, play_on
from tests.server.serving import HttpClient, RunningServer
from tests.server.test_processes import check
from tests.timeouts import timeout_s, wait_until

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX"),
]
MOVES, GAMES, FLAGS, COMPUTERS = 10_000, 9, 12, 3
BUSY = {"games_per_hour": 10**7, "requests_per_minute": 10**7, "sockets_per_address": 10**6}
Disturb = Callable[["Site"], None]


@dataclass
class Site:
    """Processes on one PostgreSQL, whose clocks differ by ten seconds."""

    url: str
    servers: list[RunningServer]
    chance: random.Random = field(default_factory=lambda: random.Random(5))
    done: dict[str, int] = field(default_factory=dict)

    def disturb(self) -> None:
        """Disturbs it in one of the ways."""
        name = self.chance.choice(list(WAYS))
        WAYS[name](self)
        self.done[name] = self.done.get(name, 0) + 1

    def end(self, number: int) -> None:
        """Ends a process with a signal, and starts it again."""
        server = self.chance.choice(self.servers)
        server.signal(number)
        server.end()
        server.start()

    def update(self) -> None:
        """Restarts one process after the other."""
        for server in self.servers:
            server.stop()
            server.start()

    def end_connections(self, statement: str) -> None:
        """Ends the connections to the database whose last statement begins with these words."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE %s"
            connection.execute(ended, (f"{statement}%",))

    def restart_database(self) -> None:
        """Kills a process of the database, which then ends all others, and waits until it has recovered."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            found = connection.execute("SELECT pg_backend_pid()").fetchone()
            assert found is not None
            os.kill(found[0], signal.SIGKILL)
        wait_until(self._database_answers, "the database has recovered")

    def _database_answers(self) -> bool:
        try:
            psycopg.connect(self.url).close()
        except psycopg.OperationalError:
            return False
        return True


WAYS: dict[str, Disturb] = {
    "killed": lambda site: site.end(signal.SIGKILL),
    "stopped": lambda site: site.end(signal.SIGTERM),
    "updated one after the other": Site.update,
    "connection that listens lost": lambda site: site.end_connections("LISTEN"),
    "connection of notices lost": lambda site: site.end_connections("SELECT pg_notify"),
    "database restarted": Site.restart_database,
}


@pytest.fixture
def site(url: str, tmp_path: Path) -> Iterator[Site]:  # noqa: F811
    servers = []
    for number, error_s in enumerate((-10, 0, 10)):
        clock = tmp_path / f"clock{number}"
        clock.write_text(str(error_s))
        servers.append(RunningServer(tmp_path / f"{number}", database=url, clock_error=str(clock), **BUSY))
    try:
        for server in servers:
            server.start()
        yield Site(url, servers)
    finally:
        for server in servers:
            server.kill()


def ask(site: Site, token: str, method: str, path: str, body: object = None) -> Any:
    """Sends a request to one process after the other until one answers."""
    end = time.monotonic() + timeout_s()
    while True:
        server = site.chance.choice(site.servers)
        # A process that is ending, or whose database is gone, is another one's turn.
        with contextlib.suppress(TransportError, AssertionError):
            return HttpClient(server.address, token).request(method, path, body)
        assert time.monotonic() < end, f"no process answers {method} {path}"
        time.sleep(0.05)


def play_friends(site: Site, number: int, enough: Callable[[int], bool]) -> list[ClientGame]:
    """Plays games of two people at different processes until there are enough moves."""
    games = list[ClientGame]()
    place = number
    while not enough(0):
        if not games or games[-1].is_over:
            with contextlib.suppress(TransportError, AssertionError):
                games.append(new_client_game(site.servers[place % 3], 100 * number + len(games)))
        if games and not games[-1].is_over:
            before = len(games[-1].acknowledged)
            first, second = site.servers[place % 3], site.servers[(place + 1) % 3]
            asyncio.run(play_on(first, games[-1], 0.01, second))
            enough(len(games[-1].acknowledged) - before)
        place += 1
        time.sleep(0.05)
    return games


def play_computer(site: Site, number: int, enough: Callable[[int], bool]) -> list[str]:
    """Plays games against the computer, each move at another process; returns the games."""
    token = ask(site, "x" * 43, "POST", "/api/visitors")["token"]
    wish = {"variant": "brandub-globe", "opponent": "computer", "level": 1, "side": "attackers"}
    games = list[str]()
    chance = random.Random(number)
    while not enough(0):
        games.append(ask(site, token, "POST", "/api/games", wish)["game"])
        while not enough(0):
            state = ask(site, token, "GET", f"/api/games/{games[-1]}")
            if state["status"] != "playing":
                break
            if state["legs"][-1]["turn"] == "defenders":
                time.sleep(0.05)
                continue
            move = {"id": f"m{state['seq']}", "seq": state["seq"], "move": chance.choice(state["legal"])}
            ask(site, token, "POST", f"/api/games/{games[-1]}/moves", move)
    return games


def begin_flags(site: Site) -> list[str]:
    """Begins games whose clocks run out, and which nobody has open."""
    clock = {"kind": "fischer", "initial_s": 30, "increment_s": 0}
    return [new_client_game(site.servers[number % 3], number, clock).id for number in range(FLAGS)]


def test_ten_thousand_moves_of_three_processes_survive_every_outage(site: Site) -> None:
    begun = time.monotonic()
    total = 0

    def enough(moves: int) -> bool:
        nonlocal total
        total += moves
        return total >= MOVES

    flags = begin_flags(site)
    with ThreadPoolExecutor(GAMES + COMPUTERS) as pool:
        friends = [pool.submit(play_friends, site, number, enough) for number in range(GAMES)]
        computers = [pool.submit(play_computer, site, number, enough) for number in range(COMPUTERS)]
        while not friends[0].done():
            time.sleep(site.chance.uniform(0.5, 2.0))
            site.disturb()
    checked = check(site.url, [game for one in friends for game in one.result()])
    late_s = check_flags(site, flags)
    answers = check_computers(site, [game for one in computers for game in one.result()])
    assert checked >= MOVES
    ways = ", ".join(f"{name} {count}" for name, count in sorted(site.done.items()))
    done = (
        f"three processes on one PostgreSQL, their clocks 10 s apart, opponents at different ones; {ways};"
        f" {checked:,} acknowledged moves, {answers} of the computer, {len(flags)} flags, the latest"
        f" {late_s:.1f} s late (`pytest -m deep tests/deep/test_outages.py`)"
    )
    note("outages", done, "nothing lost, doubled or stale", 5, time.monotonic() - begun)


def check_flags(site: Site, games: list[str]) -> float:
    """Checks that each clock has run out once; returns how late the latest was noticed, in seconds."""
    with psycopg.connect(site.url, autocommit=True) as connection:
        ended = "SELECT count(*) FROM game WHERE status = 'over' AND id = ANY(%s)"
        wait_until(lambda: connection.execute(ended, (games,)).fetchone() == (len(games),), "all flags fall")
    late_us = []
    engine = database.open_reader(site.url)
    with engine.connect() as connection:
        stored, restarts = reading.load_many(connection, games), reading.restarts(connection)
    engine.dispose()
    for game in stored:
        *before, last = game.events
        assert [event.body.kind for event in game.events].count("ended") == 1
        assert last.body.kind == "ended"
        earlier = [restart for restart in restarts if restart.back_us <= last.t_us]
        state = fold(before, Rules(game.tree), earlier)
        assert state.deadline_us is not None
        late_us.append(last.t_us - state.deadline_us)
    assert min(late_us) >= 0
    return max(late_us) / 1e6


def check_computers(site: Site, games: list[str]) -> int:
    """Checks that people and computer took turns; returns the number of moves of the computer."""
    answers = 0
    with psycopg.connect(site.url, autocommit=True) as connection:
        for game in games:
            found = connection.execute(
                "SELECT actor FROM event WHERE game = %s AND body::json->>'kind' = 'moved' ORDER BY seq",
                (game,),
            ).fetchall()
            assert [actor for (actor,) in found] == [number % 2 for number in range(len(found))]
            answers += len(found) // 2
    return answers
