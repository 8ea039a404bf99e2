"""Attacks by HTTP: forged seats, foreign pages, markup, floods, large bodies, hostile cookies."""

import http.cookies
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient

from hnefi.i18n import text
from hnefi.server.games.actions import ACTIONS
from hnefi.server.http import cookies
from hnefi.server.http.cookies import cookies_of
from hnefi.server.http.visitors import cookie_of, visitor_of
from hnefi.server.secrets import hash_of
from tests.server.clients import FRIENDLY, Browser, Program, two_at_a_game
from tests.server.serving import RunningServer


@pytest.mark.parametrize("action", [*ACTIONS, "move"])
def test_only_those_who_have_a_seat_command(server: TestClient, action: str) -> None:
    game, ana, bran = two_at_a_game(server)
    _, other, _ = two_at_a_game(server)
    before = ana.state(game)["seq"]
    for stranger in (other, Program(server)):
        answer = stranger.move(game, "d2-c2", 3) if action == "move" else stranger.do(game, action, 3)
        assert (answer.status_code, answer.json()["code"]) == (403, "no_seat")
    anonymous = server.post(f"/api/games/{game}/commands", json={"id": "x", "seq": 3, "do": "resign"})
    assert anonymous.status_code == 403
    assert bran.state(game)["seq"] == before


def test_a_message_of_one_game_does_nothing_in_another(server: TestClient) -> None:
    first, ana, _ = two_at_a_game(server)
    made = ana.post("/api/games", {**FRIENDLY, "opponent": "same_device"}).json()
    assert ana.move(first, "d2-c2", 3, "same").status_code == 200
    assert ana.get(f"/api/games/{made['game']}").json()["seq"] == 3
    assert ana.move(made["game"], "d2-c2", 3, "same").json() == {"seq": 4}


REFUSED: dict[tuple[int, str], list[dict[str, str]]] = {
    (403, "foreign_origin"): [
        *({"Origin": origin} for origin in ("https://evil.example", "null", "https://127.0.0.1:8730")),
        *({"Sec-Fetch-Site": site} for site in ("cross-site", "same-site")),
    ],
    (415, "not_json"): [
        {"Content-Type": kind}
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "")
    ],
    (421, "unknown_host"): [
        {"Host": host}
        for host in ("evil.example", "127.0.0.1.evil.example", "localhost@evil", "", "[::1", "evil:80")
    ],
    (200, ""): [{"Host": host} for host in ("localhost:8730", "127.0.0.1", "[::1]:99")],
}


@pytest.mark.parametrize(
    ("expected", "headers"), [(expected, one) for expected, headers in REFUSED.items() for one in headers]
)
def test_pages_of_others_and_forms_change_nothing(
    server: TestClient, expected: tuple[int, str], headers: dict[str, str]
) -> None:
    browser = Browser(server)
    game = browser.post("/api/games", {**FRIENDLY, "opponent": "same_device"}).json()["game"]
    code = expected[1]
    browser.headers = {"Content-Type": "application/json", "Accept-Language": "fr"}
    answer = browser.post(
        f"/api/games/{game}/commands", {"id": "x", "seq": 3, "do": "resign"}, headers=headers
    )
    assert (answer.status_code, answer.json().get("code", "")) == expected
    if code:
        assert answer.json()["message"] == text(f"error.{code}", "fr")
    assert browser.get(f"/api/games/{game}").json()["seq"] == (3 if code else 4)
    assert "access-control-allow-origin" not in answer.headers


def test_reading_changes_nothing(server: TestClient) -> None:
    game, ana, _ = two_at_a_game(server)
    for path in server.get("/api/openapi.json").json()["paths"]:
        if path.startswith("/api") and not path.endswith("/events"):
            ana.get(path.replace("{game}", game).replace("{variant_id}", "brandub-globe"))
    assert ana.state(game)["seq"] == 3
    assert len(ana.get("/api/games").json()["games"]) == 1


def test_bodies_that_are_too_large_are_not_read(server: TestClient) -> None:
    large = json.dumps({**FRIENDLY, "name": "x" * 100_000})
    headers = {"Content-Type": "application/json"}
    answer = server.post("/api/games", content=large, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
    assert "at most 64 kB" in answer.json()["message"]
    pieces = (large[at : at + 1_000].encode() for at in range(0, len(large), 1_000))
    assert server.post("/api/games", content=pieces, headers=headers).status_code in (400, 413)


MARKUP = ["<script>alert(1)</script>", '"><img src=x onerror=x>', "{{7*7}}", "'; DROP TABLE game;--"]


@pytest.mark.parametrize("name", MARKUP)
def test_markup_in_names_stays_text(server: TestClient, name: str) -> None:
    program = Program(server)
    made = program.post("/api/games", {**FRIENDLY, "name": name, "opponent": "same_device"})
    assert made.json()["state"]["players"][0]["name"] == name
    assert made.headers["content-type"] == "application/json"
    assert made.headers["x-content-type-options"] == "nosniff"
    record = server.get(f"/api/games/{made.json()['game']}/record")
    assert record.headers["content-type"].startswith("text/plain")
    assert record.headers["content-disposition"].startswith("attachment")


@pytest.mark.parametrize("path", ["/api/games", "/api/games/nothing", "/api/health"])
def test_responses_with_game_state_are_not_cached(server: TestClient, path: str) -> None:
    """A cached response would show an old state after a step back, or from a proxy."""
    assert server.get(path).headers["cache-control"] == "no-store"


@pytest.mark.deep
def test_schemathesis_finds_no_error_of_the_server(tmp_path: Path) -> None:
    """Sends a separate server every request that its description allows, and many that it does not."""
    from tests.server.fuzz_api import send_requests  # it takes a second to import

    with RunningServer(tmp_path, requests_per_minute=10**7, games_per_hour=10**6) as server:
        assert send_requests(server.address, 12) > 100
    assert "Traceback" not in server.log.read_text()


SECRET = "Ab-_" * 10 + "xyz"
HOSTILE = 'hnefi="' + '\\"' * 15_000 + '"'


def scope_of(*lines: str, scheme: str = "http") -> dict[str, Any]:
    headers = [(b"host", b"localhost"), *((b"cookie", line.encode()) for line in lines)]
    return {"type": "http", "scheme": scheme, "headers": headers}


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of bytes of each search."""
    lengths, find = list[int](), cookies._OWN.findall

    def findall(text: bytes) -> list[Any]:
        lengths.append(len(text))
        return find(text)

    monkeypatch.setattr(cookies, "_OWN", SimpleNamespace(findall=findall))
    return lengths


NONE = [
    *("", f"xhnefi={SECRET}", f"x-hnefi={SECRET}", f"hnefi2={SECRET}", f"hnefi-key={SECRET}"),
    *(f"__Host-hnefi={SECRET}", f"a=hnefi={SECRET}", f'hnefi="{SECRET}', f"hnefi={SECRET} more"),
    *(f"hnefi={SECRET}%20", f"hnefi ={SECRET}", f"Hnefi={SECRET}"),
]


@pytest.mark.parametrize(
    ("lines", "secret"),
    [
        *(([line], "") for line in NONE),
        ([f"hnefi={SECRET}"], SECRET),
        ([f'hnefi="{SECRET}"'], SECRET),
        ([f"theme=dark; hnefi={SECRET}; other=1"], SECRET),
        ([f"theme=dark;hnefi={SECRET};other"], SECRET),
        ([f"a=b; \t hnefi={SECRET} \t"], SECRET),
        (["theme=dark", f"hnefi={SECRET}"], SECRET),
        ([f"hnefi=old; hnefi={SECRET}"], SECRET),
    ],
)
def test_the_cookie_is_found_among_others_and_in_no_other_form(lines: list[str], secret: str) -> None:
    scope = scope_of(*lines)
    assert (cookie_of(scope, "hnefi"), visitor_of(scope)) == (secret, hash_of(secret) if secret else None)


def test_over_tls_only_the_cookie_that_is_bound_to_the_host_counts() -> None:
    both = f"hnefi=false; __Host-hnefi={SECRET}; __Host-hnefi-key=abc"
    assert cookie_of(scope_of(both, scheme="https"), "hnefi") == SECRET
    assert cookie_of(scope_of(both, scheme="wss"), "hnefi-key") == "abc"
    assert cookie_of(scope_of(both), "hnefi") == "false"


def test_all_cookies_of_a_request_are_read_once(searches: list[int]) -> None:
    scope = scope_of(f"hnefi={SECRET}; hnefi-key=abc; hnefi_lang=fr")
    assert [cookie_of(scope, name) for name in ("hnefi", "hnefi-key", "hnefi_lang", "none")] == [
        *(SECRET, "abc", "fr", "")
    ]
    assert len(searches) == 1


@pytest.mark.parametrize("count", [1, 5])
def test_cookies_of_more_than_8_kib_together_are_not_read(searches: list[int], count: int) -> None:
    filler = ["other=" + "a" * (9_000 // count)] * count
    assert cookies_of(scope_of(f"hnefi={SECRET}", *filler)) == {}
    assert searches == []
    filler = ["other=" + "a" * (8_000 // count)] * count
    assert cookies_of(scope_of(f"hnefi={SECRET}", *filler)) == {"hnefi": SECRET}
    assert max(searches) <= 8 * 1024


def test_the_pattern_reads_every_part_of_a_header_once() -> None:
    """Checks the form that makes it linear: runs that exclude what follows them, no repeated group."""
    pattern = cookies._OWN.pattern.decode()
    runs = re.findall(r"(\[[^\]]+\])[*+]", pattern)
    assert runs == ["[ \\t]", "[a-z_-]", "[A-Za-z0-9_-]", "[ \\t]"]
    assert not re.search(r"\)[*+{]", pattern)


@pytest.mark.parametrize("path", ["/api/games", "/", "/en/", "/api/ready"])
def test_a_hostile_cookie_is_answered_without_the_parser_of_python(
    server: TestClient, monkeypatch: pytest.MonkeyPatch, searches: list[int], path: str
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("http.cookies reads a header")

    monkeypatch.setattr(http.cookies, "_unquote", fail)
    monkeypatch.setattr(http.cookies.BaseCookie, "load", fail)
    for cookie, longest in ((HOSTILE, 0), (HOSTILE[:4_000], 8 * 1024)):
        answer = server.get(path, headers={"Cookie": cookie}, follow_redirects=False)
        assert answer.status_code in (200, 302)
        assert max(searches, default=0) <= longest
