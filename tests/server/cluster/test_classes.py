"""A class at several real processes on PostgreSQL and a bus."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.server.cluster.running_site import running_site
from tests.server.serving import HttpClient
from tests.timeouts import wait_until

PUPILS = 8
NEW = {"name": "5B", "variants": ["brandub-globe"]}


def test_a_class_joins_at_two_gateways_is_paired_and_survives_a_kill(
    database_url: str, tmp_path: Path
) -> None:
    with running_site(database_url, tmp_path) as site:
        first, second, worker = site.start("gateway", "gateway", "games")
        site.wait_for_owners(1)
        host = HttpClient(first.address)
        path = f"/api/classes/{host.request('POST', '/api/classes', NEW)['code']}"
        pupils = [HttpClient((first, second)[number % 2].address) for number in range(PUPILS)]

        def join(number: int) -> int:
            return int(pupils[number].request("POST", f"{path}/members", {"name": f"Pupil {number}"})["you"])

        # At the same moment: the two gateways change the same class.
        with ThreadPoolExecutor(PUPILS) as pool:
            numbers = list(pool.map(join, range(PUPILS)))
        assert sorted(numbers) == list(range(1, PUPILS + 1))

        def all_here() -> bool:
            for pupil in pupils:
                pupil.request("GET", path)
            return all(one["here"] for one in host.request("GET", path)["members"])

        wait_until(all_here, "each gateway knows of those at the other one")
        for process in (worker, first):
            process.kill()
            process.start_anew()
        site.wait_for_owners(1)
        wait_until(all_here, "the pupils are back")
        games = host.request("POST", f"{path}/rounds", {"variant": "brandub-globe"})["games"]
        assert len(games) == PUPILS // 2

        def all_paired() -> bool:
            return all(pupil.request("GET", path)["games"] for pupil in pupils)

        wait_until(all_paired, "each gateway has read the round")
        for pupil, number in zip(pupils, numbers, strict=True):
            (own,) = pupil.request("GET", path)["games"]
            seat = [own["attackers"], own["defenders"]].index(number)
            assert pupil.request("GET", f"/api/games/{own['game']}")["you"] == [seat]
