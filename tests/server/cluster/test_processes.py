"""Several real processes on PostgreSQL and a bus: they share games, and go on when one ends."""

import asyncio
from pathlib import Path

import psycopg

from tests.server.cluster.running_site import RunningSite, running_site
from tests.server.serving import HttpClient, SocketClient
from tests.timeouts import wait_until


def test_two_processes_share_the_games_and_one_goes_on_after_a_kill(
    database_url: str, tmp_path: Path
) -> None:
    with running_site(database_url, tmp_path) as site:
        _, second = site.start(None, None)
        site.wait_for_owners(2)
        games = site.new_games(4, seed=1)

        def kill() -> None:
            wait_until(lambda: sum(len(game.acknowledged) for game in games) > 20, "some moves")
            second.kill()

        asyncio.run(site.play_while(games, kill))
        assert all(game.is_over for game in games)
        assert site.check(games) > 40
        site.wait_for_owners(1)


def test_each_role_in_a_process_of_its_own_and_the_computer_plays(database_url: str, tmp_path: Path) -> None:
    with running_site(database_url, tmp_path) as site:
        gateway, _, _ = site.start("gateway", "games", "engine")
        ana = HttpClient(gateway.address)
        wish = {"variant": "brandub-globe", "opponent": "computer", "level": 1, "side": "attackers"}
        game = ana.request("POST", "/api/games", wish)["game"]
        asyncio.run(play_against_the_computer(site, game, ana.token))
        assert [one["game"] for one in ana.request("GET", "/api/games")["games"]] == [game]
        assert "d2" in ana.request("GET", f"/api/games/{game}/record")
        lines = ana.request(
            "POST", "/api/analysis", {"variant": "brandub-globe", "moves": [], "time_ms": 200}
        )
        assert '"score"' in lines


async def play_against_the_computer(site: RunningSite, game: str, token: str) -> None:
    player = SocketClient(site.gateways[0], game, token)
    await player.connect()
    await player.receive_until("state")
    await player.send(type="move", id="m1", seq=player.seq, move="d2-c2")
    while not any(event["actor"] == 1 and event["body"]["kind"] == "moved" for event in player.events):
        await player.receive()
    await player.close()


def test_a_process_that_stops_hands_its_games_over(database_url: str, tmp_path: Path) -> None:
    with running_site(database_url, tmp_path) as site:
        first, _ = site.start(None, None)
        site.wait_for_owners(2)
        games = site.new_games(4, seed=2)
        ended: list[int] = []

        def stop() -> None:
            wait_until(lambda: sum(len(game.acknowledged) for game in games) > 20, "some moves")
            ended.append(first.stop())

        asyncio.run(site.play_while(games, stop))
        assert ended == [0]
        assert site.check(games) > 40
        assert "Traceback" not in site.logs()


def test_a_damaged_game_is_in_the_lists_of_its_players(database_url: str, tmp_path: Path) -> None:
    with running_site(database_url, tmp_path) as site:
        gateway, worker = site.start("gateway", "games")
        ana = HttpClient(gateway.address)
        wish = {"variant": "brandub-globe", "opponent": "same_device", "name": "Ana"}
        broken, sound = (ana.request("POST", "/api/games", wish)["game"] for _ in range(2))
        worker.stop()
        with psycopg.connect(database_url) as connection:
            connection.execute("UPDATE event SET body = 'x' WHERE game = %s AND seq = 2", (broken,))
        worker.start_anew()
        site.wait_for_owners(1)
        own = ana.request("GET", "/api/games")
        assert [game["game"] for game in own["games"]] == [sound]
        assert [(game["game"], game["you"]) for game in own["set_aside"]] == [(broken, [0, 1])]
        for path in ("", "/record"):  # the game worker reads the state, the gateway the record
            refused = ana.request("GET", f"/api/games/{broken}{path}", expect=410)
            assert refused["code"] == "damaged_game"
        assert ana.request("GET", f"/api/games/{sound}")["seq"] == 3
        for process in (gateway, worker):
            named = [line for line in process.log.read_text().splitlines() if broken in line]
            assert len(named) == 1, named
            assert "damaged" in named[0]
