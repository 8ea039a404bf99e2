"""A server that is killed loses nothing that it acknowledged: a few kills while it is played on."""

import asyncio
import random
import signal
from pathlib import Path

import pytest

from tests.server.kills import check, new_table, play_until_killed
from tests.server.serving import Asker, Player, RunningServer, running


def test_no_acknowledged_move_is_lost_or_doubled_by_a_kill(tmp_path: Path) -> None:
    server = RunningServer(tmp_path)
    server.start()
    chance = random.Random(1)
    try:
        tables = [new_table(server, seed) for seed in range(6)]
        for _ in range(4):
            tables += [new_table(server, len(tables)) for table in tables[-6:] if table.is_over]
            alive = [table for table in tables if not table.is_over]
            asyncio.run(play_until_killed(server, alive, chance.uniform(0.2, 0.6), server.kill))
            check(tmp_path, tables)
            server.start()
    finally:
        server.kill()
    assert check(tmp_path, tables) > 50


def test_a_clock_is_not_charged_while_the_server_is_down(tmp_path: Path) -> None:
    server = RunningServer(tmp_path)
    server.start()
    clock = {"kind": "fischer", "initial_s": 60, "increment_s": 0}
    try:
        table = new_table(server, 1, clock)
        asyncio.run(play_until_killed(server, [table], 0.5, server.kill, pause_s=0.1))
        assert len(table.acknowledged) >= 2
        asyncio.run(asyncio.sleep(3))
        server.start()
        state = Asker(server.address, table.tokens[0]).ask("GET", f"/api/games/{table.game}")
        clocks = state["clocks"]
        # Down for more than three seconds; there is a grace of fifteen.
        assert 73_000 < max(clocks["attackers_ms"], clocks["defenders_ms"]) <= 75_000
        assert 58_000 < min(clocks["attackers_ms"], clocks["defenders_ms"]) <= 60_000
    finally:
        server.kill()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_who_is_connected_is_told_that_the_server_goes_away(tmp_path: Path, how: signal.Signals) -> None:
    with running(tmp_path) as server:
        table = new_table(server, 1)

        async def story() -> None:
            player = Player(server, table.game, table.tokens[0])
            await player.connect()
            await player.hear_until("state")
            assert server.process is not None
            server.process.send_signal(how)
            closing = await player.hear_until("closing")
            assert 0 <= closing["retry_after_ms"] <= 3_000
            assert player.socket is not None
            await player.socket.wait_closed()
            assert player.socket.close_code == 1012
            server.process.wait(20)

        asyncio.run(story())
        assert "error" not in server.log.read_text().lower()
