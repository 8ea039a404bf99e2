"""Crash tests of the server: no acknowledged move is lost, and clients are warned before a shutdown."""

import asyncio
import random
import signal
from pathlib import Path

import pytest

from tests.samples import deep
from tests.server.kills import check, new_client_game, play_until_killed
from tests.server.serving import RunningServer, SocketClient


def test_no_acknowledged_move_is_lost_or_doubled_by_a_kill(tmp_path: Path) -> None:
    chance = random.Random(1)
    with RunningServer(tmp_path) as server:
        games = [new_client_game(server, seed) for seed in range(6)]
        for _ in range(2):
            games += [new_client_game(server, len(games)) for game in games[-6:] if game.is_over]
            alive = [game for game in games if not game.is_over]
            asyncio.run(play_until_killed(server, alive, chance.randrange(20, 120), server.kill))
            check(tmp_path, games)
            server.start()
    assert check(tmp_path, games) > 50


@pytest.mark.parametrize("how", [signal.SIGTERM, *deep(signal.SIGINT)])
async def test_connected_clients_are_warned_before_a_shutdown(tmp_path: Path, how: signal.Signals) -> None:
    with RunningServer(tmp_path) as server:
        game = new_client_game(server, 1)
        async with SocketClient(server, game.id, game.tokens[0]) as player:
            server.signal(how)
            closing = await player.receive_until("closing")
            assert 0 <= closing["retry_after_ms"] <= 3_000
            assert player.socket is not None
            await player.socket.wait_closed()
            assert player.socket.close_code == 1012
        server.end()
        assert "error" not in server.log.read_text().lower()
