"""Crash tests of the server: no acknowledged move is lost, and clients are warned before a shutdown."""

import asyncio
import random
import signal
import time
from pathlib import Path

import pytest

from tests.samples import deep
from tests.server.kills import check, new_client_game, play_until_killed
from tests.server.serving import HttpClient, RunningServer, SocketClient, running
from tests.timeouts import timeout_s


def test_no_acknowledged_move_is_lost_or_doubled_by_a_kill(tmp_path: Path) -> None:
    server = RunningServer(tmp_path)
    server.start()
    chance = random.Random(1)
    try:
        games = [new_client_game(server, seed) for seed in range(6)]
        for _ in range(2):
            games += [new_client_game(server, len(games)) for game in games[-6:] if game.is_over]
            alive = [game for game in games if not game.is_over]
            asyncio.run(play_until_killed(server, alive, chance.randrange(20, 120), server.kill))
            check(tmp_path, games)
            server.start()
    finally:
        server.kill()
    assert check(tmp_path, games) > 50


def test_a_clock_is_not_charged_while_the_server_is_down(tmp_path: Path) -> None:
    """It is down for a day by its clock; what the game takes here are seconds of an hour."""
    down_s, initial_s = 86_400, 3_600
    error = tmp_path / "error"
    error.write_text("0")
    server = RunningServer(tmp_path / "data", clock_error=str(error))
    server.start()
    clock = {"kind": "fischer", "initial_s": initial_s, "increment_s": 0}
    try:
        game = new_client_game(server, 1, clock)
        asyncio.run(play_until_killed(server, [game], 3, server.kill))
        error.write_text(str(down_s))
        server.start()
        state = HttpClient(server.address, game.tokens[0]).request("GET", f"/api/games/{game.id}")
        assert state["now_ms"] / 1000 - time.time() > down_s / 2
        assert state["legs"][-1]["turn"] is not None
        low, high = sorted((state["clocks"]["attackers_ms"], state["clocks"]["defenders_ms"]))
        # There is a grace of fifteen seconds.
        assert 1_000 * initial_s / 2 < low <= high <= 1_000 * (initial_s + 15)
    finally:
        server.kill()


@pytest.mark.parametrize("how", [signal.SIGTERM, *deep(signal.SIGINT)])
def test_connected_clients_are_warned_before_a_shutdown(tmp_path: Path, how: signal.Signals) -> None:
    with running(tmp_path) as server:
        game = new_client_game(server, 1)

        async def scenario() -> None:
            player = SocketClient(server, game.id, game.tokens[0])
            await player.connect()
            await player.receive_until("state")
            assert server.process is not None
            server.process.send_signal(how)
            closing = await player.receive_until("closing")
            assert 0 <= closing["retry_after_ms"] <= 3_000
            assert player.socket is not None
            await player.socket.wait_closed()
            assert player.socket.close_code == 1012
            server.process.wait(timeout_s())

        asyncio.run(scenario())
        assert "error" not in server.log.read_text().lower()
