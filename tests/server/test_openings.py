"""Game library over HTTP: moves at a position, games, refused queries."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from hnefi import parse_records, variant
from hnefi.formats import RawGame
from hnefi.library import Adder, Library, Query, moves_played
from hnefi.record import variant_headers
from tests.server.clients import refused
from tests.server.conftest import client_of

GAMES: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("brandub-globe", "d2-c2 d3-e3", {"Attackers": "Ana", "Defenders": "Bran", "Result": "attackers"}),
    ("brandub-globe", "d6-e6 d5-c5", {"Result": "defenders", "Date": "2019.05.31"}),
    ("brandub-globe", "d2-b2 d3-e3", {"Result": "draw"}),
    ("brandub-globe", "d2-b2 d3-c3", {}),
    ("brandub-walker-7", "d2-c2 d3-e3", {"Result": "defenders"}),
)


def fill(path: Path) -> Path:
    with Library(path, create=True) as library, Adder(library) as adder:
        for rules, moves, headers in GAMES:
            named = (*variant_headers(variant(rules)), *headers.items())
            adder.add("some.tafl", RawGame(named, tuple(moves.split())))
    return path


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A library, to which nothing is written."""
    path = fill(tmp_path_factory.mktemp("library") / "games.db")
    before = path.read_bytes()
    yield path
    assert path.read_bytes() == before


@pytest.fixture(scope="module")
def server(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client_of(tmp_path_factory.mktemp("data"), library=library) as client:
        yield client


START = str(variant("brandub-globe").rules.start)
ASKED = {"variant": "brandub-globe", "position": START}


def ask(server: TestClient, **more: Any) -> Any:
    answer = server.post("/api/openings", json={**ASKED, "variant_only": True, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_moves_come_with_results_and_bounds_as_the_library_counts_them(
    server: TestClient, library: Path
) -> None:
    found = ask(server)
    results = ("attackers", "draws", "defenders", "unknown")
    counts = [[one[name] for name in results] for one in found["moves"]]
    assert (found["games"], counts) == (4, [[0, 1, 0, 1], [1, 0, 1, 0]])
    position = variant("brandub-globe").new_game().position
    with Library(library) as opened:
        played = [*moves_played(opened, position, Query(variant="brandub-globe"))]
    assert [(view["move"], view["share"], view["interval"]) for view in found["moves"]] == [
        (str(one.move), one.results.share, [one.results.interval.low, one.results.interval.high])
        for one in played
    ]


def test_a_position_is_found_in_its_images_and_under_changed_and_other_rules(server: TestClient) -> None:
    mirrored = variant("brandub-globe").new_game().play("d6-e6").position
    found = ask(server, position=str(mirrored.setup), switches={"quiet_limit": "40"})
    assert sum(one["attackers"] + one["defenders"] for one in found["moves"]) == 2
    assert ask(server, variant_only=False)["games"] == 5
    assert ask(server, variant="brandub-walker-7")["games"] == 1
    assert ask(server, position="7/7/7/2tK3/7/7/7 d 0") == {"games": 0, "moves": [], "latest": []}


def test_the_last_games_are_listed_and_their_records_read_again(server: TestClient) -> None:
    found = ask(server)["latest"]
    assert [one["id"] for one in found] == [4, 3, 2, 1]
    assert (found[3]["attackers"], found[3]["defenders"], found[3]["result"]) == ("Ana", "Bran", "attackers")
    assert (found[2]["date"], found[2]["plies"]) == ("2019.05.31", 2)
    answer = server.get(f"/api/library/games/{found[3]['id']}")
    assert answer.headers["content-type"].startswith("text/plain")
    (record,) = parse_records(answer.text)
    assert [str(node.move) for node in record.nodes] == ["d2-c2", "d3-e3"]
    assert record.header("Attackers") == "Ana"
    read = server.post("/api/records", json={"text": answer.text}).json()
    assert [ply["move"] for ply in read["games"][0]["plies"]] == ["d2-c2", "d3-e3"]


def test_invalid_queries_are_refused_with_a_message(server: TestClient) -> None:
    for wrong, refusal in (
        ({"variant": "chess"}, (404, "unknown_variant")),
        ({"position": "nonsense"}, (422, "bad_position")),
        ({"position": "7" * 700}, (422, "bad_request")),
        ({"lines": 3}, (422, "bad_request")),
    ):
        answer = server.post("/api/openings", json={**ASKED, **wrong})
        assert refused(answer) == refusal
        assert answer.json()["message"] != refusal[1]
    missing = server.get("/api/library/games/99", headers={"Accept-Language": "fr"})
    assert refused(missing) == (404, "unknown_library_game")
    assert missing.json()["message"] == "La bibliothèque ne contient pas cette partie."
    assert server.get(f"/api/library/games/{2**63}").status_code == 422


def test_a_library_may_come_later_and_may_be_damaged(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    with client_of(tmp_path, library=path) as server:
        assert '"library">false<' in server.get("/en/analysis").text
        assert refused(server.post("/api/openings", json=ASKED))[1] == "no_openings"
        fill(path)
        assert '"library">true<' in server.get("/en/analysis").text
        assert server.post("/api/openings", json=ASKED).json()["games"] == 5
        path.write_text("no library\n" * 1000)
        answer = server.post("/api/openings", json=ASKED)
        assert refused(answer) == (503, "library_fails")
        assert str(tmp_path) not in answer.text
