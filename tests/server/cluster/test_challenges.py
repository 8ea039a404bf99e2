"""Open challenges at several real processes on PostgreSQL and a bus."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from tests.server.cluster.running_site import running_site
from tests.server.serving import HttpClient
from tests.server.test_challenges import FAST, OPEN
from tests.timeouts import TIMEOUT_S, wait_until

ROUNDS = 6


def test_people_meet_at_two_gateways_and_a_kill_loses_no_challenge(database_url: str, tmp_path: Path) -> None:
    with running_site(database_url, tmp_path) as site:
        first, second, worker = site.start("gateway", "gateway", "games")
        ana, bran = HttpClient(first.address), HttpClient(second.address)
        game = ana.request("POST", "/api/games", {**OPEN, "clock": FAST})["game"]
        for process in (worker, first):
            process.kill()
            process.start_anew()
        site.wait_for_owners(1)
        wait_until(lambda: bool(bran.request("GET", "/api/people")["challenges"]), "the list is read")
        (shown,) = bran.request("GET", "/api/people")["challenges"]
        assert (shown["game"], shown["yours"]) == (game, False)
        assert bran.request("POST", f"/api/games/{game}/join", {"name": "Bran"})["status"] == "playing"
        wait_until(lambda: not ana.request("GET", "/api/people")["challenges"], "the challenge is taken")
        assert [one["game"] for one in ana.request("GET", "/api/people")["games"]] == [game]


def test_those_who_look_for_the_same_game_at_two_gateways_meet(database_url: str, tmp_path: Path) -> None:
    with running_site(database_url, tmp_path) as site:
        gateways = site.start("gateway", "gateway", "games")[:2]
        site.wait_for_owners(1)
        wish = {**OPEN, "open": False, "side": "lot"}
        together = Barrier(2)

        def look(player: HttpClient) -> str:
            together.wait(TIMEOUT_S)
            return str(player.request("POST", "/api/pairings", wish)["game"])

        with ThreadPoolExecutor(2) as pool:
            for _ in range(ROUNDS):
                players = [HttpClient(one.address) for one in gateways]
                games = list(pool.map(look, players))
                assert games[0] == games[1]
                state = players[0].request("GET", f"/api/games/{games[0]}")
                assert state["status"] == "playing"


def test_people_are_counted_at_all_gateways_and_not_while_one_cannot_know(
    database_url: str, tmp_path: Path
) -> None:
    with running_site(database_url, tmp_path) as site:
        first, second, _ = site.start("gateway", "gateway", "games")
        ana, bran = HttpClient(first.address), HttpClient(second.address)
        assert ana.request("GET", "/api/people")["here"] is None

        def both() -> bool:
            here = [one.request("GET", "/api/people")["here"] for one in (ana, bran)]
            return here == [2, 2]

        wait_until(both, "both are counted")
        site.bus.freeze()
        wait_until(lambda: ana.request("GET", "/api/people")["here"] is None, "the count is unknown")
        site.bus.thaw()
        wait_until(both, "both are counted again")
