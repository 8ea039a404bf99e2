"""Four processes of one site: one after the other is killed, stopped or restarted, and their bus too.

Clients outside count acknowledged moves: none is lost, none is stored twice, and play goes on. `make
check-deep` runs it; the seed is printed, and can be set with HNEFI_SEED.
"""

import asyncio
import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.cluster.running_site import RunningSite, running_site
from tests.server.kills import ClientGame, new_client_game
from tests.server.postgres import running_postgres
from tests.server.serving import ROOT, HttpClient, RunningServer, SocketClient, free_port
from tests.timeouts import timeout_s, wait_until

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(sys.platform == "win32", reason="kills and stops are those of POSIX"),
]
GAMES, FAULTS, MOVES_BETWEEN = 8, 40, 12
FREE = {"games_per_hour": 10**7, "requests_per_minute": 10**7, "sockets_per_visitor": 1_000}
FREE |= {"sockets_per_address": 10_000}


@pytest.fixture
def url() -> Iterator[str]:
    with running_postgres() as found:
        yield found


class Chaos:
    """Faults at random while games are played."""

    def __init__(self, site: RunningSite, seed: int) -> None:
        self.site = site
        self.chance = random.Random(seed)
        self.seed = seed
        self.games: list[ClientGame] = []
        self.faults: dict[str, list[float]] = {}
        self.is_over = False

    @property
    def acknowledged(self) -> int:
        return sum(len(game.acknowledged) for game in self.games)

    async def play(self) -> None:
        """Plays one game after the other until the end."""
        while not self.is_over:
            try:
                (game,) = await asyncio.to_thread(self.site.new_games, 1, self.chance.randrange(10**9))
            except (OSError, AssertionError, IndexError):
                await asyncio.sleep(0.1)
                continue
            self.games.append(game)
            while not game.is_over and not self.is_over:
                await self.site.play_once(game, self.chance)

    def wait_for_moves(self) -> float:
        """Waits until play goes on; returns how long that took, in seconds."""
        begun, goal = time.monotonic(), self.acknowledged + MOVES_BETWEEN
        wait_until(lambda: self.acknowledged >= goal, "play goes on")
        return time.monotonic() - begun

    def run(self) -> None:
        """Causes all faults, one after the other."""
        kinds = [self.kill, self.stop_for_a_while, self.restart, self.pause_bus, self.kill_bus]
        for _ in range(FAULTS):
            fault = self.chance.choices(kinds, weights=[5, 5, 4, 2, 2])[0]
            self.wait_for_moves()
            begun = time.monotonic()
            fault()
            self.wait_for_moves()
            self.faults.setdefault(fault.__name__, []).append(time.monotonic() - begun)
        self.is_over = True

    def some_process(self) -> RunningServer:
        return self.chance.choice(self.site.processes)

    def kill(self) -> None:
        process = self.some_process()
        process.kill()
        self.wait_for_moves()
        process.start_anew()

    def stop_for_a_while(self) -> None:
        """Stops a process, mostly for longer than its lease lasts, and lets it go on."""
        process = self.some_process()
        assert process.process is not None
        process.process.send_signal(signal.SIGSTOP)
        time.sleep(self.chance.uniform(0.2, 5.0))
        process.process.send_signal(signal.SIGCONT)

    def restart(self) -> None:
        process = self.some_process()
        # A game worker may be starting, before it handles the signal.
        codes = (0, -signal.SIGTERM) if process.settings["role"] == "games" else (0,)
        assert process.stop() in codes, process.log.read_text()[-3000:]
        process.start_anew()

    def pause_bus(self) -> None:
        self.site.bus.pause(self.chance.uniform(0.2, 4.0))

    def kill_bus(self) -> None:
        self.site.bus.kill()
        time.sleep(self.chance.uniform(0.0, 2.0))
        self.site.bus.start()


async def run_chaos(chaos: Chaos) -> None:
    playing = [asyncio.ensure_future(chaos.play()) for _ in range(GAMES)]
    try:
        await asyncio.to_thread(chaos.run)
    finally:
        chaos.is_over = chaos.site.is_over = True
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


def test_four_processes_at_random_lose_and_double_no_move(url: str, tmp_path: Path) -> None:
    seed = int(os.environ.get("HNEFI_SEED") or random.randrange(10**6))
    print(f"HNEFI_SEED={seed}")
    with running_site(url, tmp_path) as site:
        site.start(None, None, **FREE)
        site.start("gateway", "games", **FREE)
        site.wait_for_owners(3)
        chaos = Chaos(site, seed)
        asyncio.run(run_chaos(chaos))
        count = site.check(chaos.games)
        for kind, times_s in sorted(chaos.faults.items()):
            longest = max(times_s)
            print(f"{kind}: {len(times_s)} times, {longest:.1f} s at most until {2 * MOVES_BETWEEN} moves")
        unanswered = sum(game.unanswered for game in chaos.games)
        print(f"{len(chaos.games)} games, {count} acknowledged moves, {unanswered} messages sent again")
        assert count > FAULTS * MOVES_BETWEEN
        faults = "Traceback", "background task", "could not be handled"
        assert [line for line in site.logs().splitlines() if any(word in line for word in faults)] == []
        site.wait_for_owners(3)


def test_a_flag_falls_at_the_new_owner(url: str, tmp_path: Path) -> None:
    with running_site(url, tmp_path) as site:
        first, second = site.start(None, None)
        site.wait_for_owners(2)
        clock = {"kind": "fischer", "initial_s": 5, "increment_s": 0}
        games = [new_client_game(first, number, clock) for number in range(4)]
        second.kill()
        ana = HttpClient(first.address, games[0].tokens[0])

        def has_fallen(game: ClientGame) -> bool:
            state = ana.request("GET", f"/api/games/{game.id}")
            outcome = state["legs"][0]["outcome"]
            return bool(state["status"] == "over" and outcome["reason"] == "time")

        wait_until(lambda: all(map(has_fallen, games)), "all games have ended by time")


@contextlib.contextmanager
def running_proxy(site: RunningSite, folder: Path) -> Iterator[int]:
    """Runs the nginx of the guide before all gateways; yields its port."""
    if (program := shutil.which("nginx")) is None:
        pytest.skip("nginx is not installed")
    port, folder = free_port(), folder / "nginx"
    folder.mkdir()
    text = (ROOT / "hosting" / "nginx-cluster.conf").read_text("utf-8")
    (line,) = [one for one in text.splitlines() if "gateway:8730" in one]
    servers = [line.replace("gateway:8730", f"127.0.0.1:{gateway.port}") for gateway in site.gateways]
    text = text.replace(line, "\n".join(servers)).replace("listen 80;", f"listen 127.0.0.1:{port};")
    (folder / "site.conf").write_text(text, "utf-8")
    kinds = "client_body", "proxy", "fastcgi", "uwsgi", "scgi"
    paths = " ".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder / 'pid'}; error_log {folder / 'error.log'};\n"
        f"events {{ }}\nhttp {{ access_log off; {paths} include {folder / 'site.conf'}; }}\n"
    )
    process = subprocess.Popen([program, "-p", str(folder), "-c", str(folder / "nginx.conf")])

    def accepts() -> bool:
        assert process.poll() is None, "nginx has ended"
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout_s()).close()
            return True
        return False

    try:
        wait_until(accepts, "nginx has started")
        yield port
    finally:
        process.terminate()
        process.wait()


def test_players_are_back_soon_after_each_step_of_a_rolling_restart(url: str, tmp_path: Path) -> None:
    with running_site(url, tmp_path) as site:
        site.start(None, None, None, **FREE)
        site.wait_for_owners(3)
        games = site.new_games(20, seed=5)
        with running_proxy(site, tmp_path) as port:
            times_s = asyncio.run(roll(site, games, port))
        print(f"{len(times_s)} connections were back after {max(times_s):.2f} s at most")
        assert len(times_s) >= len(games)
        assert site.check(games) == 0


async def roll(site: RunningSite, games: list[ClientGame], port: int) -> list[float]:
    """Restarts all processes, one after the other; returns how long each connection was away."""
    times_s: list[float] = []
    watching = [asyncio.ensure_future(watch(Entrance(port), game, times_s)) for game in games]
    await asyncio.sleep(0.5)
    for process in list(site.processes):
        assert await asyncio.to_thread(process.stop) == 0
        await asyncio.to_thread(process.start_anew)
        await asyncio.to_thread(site.wait_for_owners, 3)
    for task in watching:
        assert not task.done(), task.exception()
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    return times_s


class Entrance:
    """Where clients connect."""

    def __init__(self, port: int) -> None:
        self.port = port


async def watch(entrance: Entrance, game: ClientGame, times_s: list[float]) -> None:
    """Follows a game as the pages do: after 1012 it waits as long as the server asked, and connects again."""
    lost_s: float | None = None
    # All clients have one address here: each says another one, as the proxy with TLS would.
    address = f"192.0.2.{random.Random(game.id).randrange(1, 255)}"
    while True:
        player = SocketClient(cast("RunningServer", entrance), game.id, game.tokens[0])
        player.headers["X-Forwarded-For"] = address
        try:
            await player.connect()
            await player.receive_until("state")
            if lost_s is not None:
                times_s.append(time.monotonic() - lost_s)
            closing = await player.receive_until("closing")
            lost_s = time.monotonic()
            with pytest.raises(ConnectionClosed) as closed:
                await player.receive_until("never")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
            await asyncio.sleep(closing["retry_after_ms"] / 1000)
        finally:
            await player.close()
