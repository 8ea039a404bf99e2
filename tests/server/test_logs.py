"""Logs and request ids: fields, formats, failures, and no secrets."""

import io
import json
import logging
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from hnefi.server import logs
from hnefi.server.http import monitoring
from hnefi.server.http.monitoring import TrustedProxies
from hnefi.server.secrets import new_secret
from hnefi.server.store import database
from hnefi.server.store.rows import NotSaved
from hnefi.server.store.store import Store
from tests.server.clients import FRIENDLY, Program, refused, two_at_a_game
from tests.server.serving import HttpClient, RunningServer, SocketClient
from tests.timeouts import wait_until

ID = re.compile(r"[0-9a-f]{24}")


@pytest.fixture
def log_lines() -> Iterator[io.StringIO]:
    """The JSON lines that are logged within the test."""
    root, level = logging.getLogger(), logging.getLogger("hnefi").level
    before = (root.handlers, root.level)
    logs.configure_logs("debug", as_json=True)
    written = io.StringIO()
    root.handlers[0].setStream(written)  # type: ignore[attr-defined]
    yield written
    root.handlers, root.level = before
    logging.getLogger("hnefi").setLevel(level)


@pytest.fixture(autouse=True)
def _no_more_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the limit of logs never refill."""
    monkeypatch.setattr(monitoring, "_LOGS_PER_S", 0.0)


def objects(lines: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.splitlines()]


def games_of(server: TestClient) -> Any:
    return server.app.state.service.backend.games  # type: ignore[attr-defined]


async def test_a_game_leaves_no_secret_in_logs_at_debug_level_answers_and_files(tmp_path: Path) -> None:
    with RunningServer(tmp_path / "data", log_level="debug", log_format="json") as server:
        ana, bran = HttpClient(server.address), HttpClient(server.address)
        made = ana.request("POST", "/api/games", {**FRIENDLY, "name": "Annabella"})
        game, invite = made["game"], made["invite"]
        ana.request("GET", f"/api/games/{game}/{invite}", expect=404)
        ana.request("GET", f"/api/games/{game}?invite={invite}&since={ana.token}")
        bran.request("POST", f"/api/games/{game}/join", {"invite": invite, "name": "Branwen"})
        link = ana.request("POST", f"/api/games/{game}/links")["secret"]
        HttpClient(server.address).request("POST", "/api/links", {"secret": link})
        with httpx2.Client(base_url=server.address, headers={"Origin": server.address}) as browser:
            browser.post("/api/games", json={"variant": "brandub-globe", "opponent": "same_device"})
            assert len(browser.get("/api/games").json()["games"]) == 1
            cookie = browser.cookies["hnefi"]
        async with SocketClient(server, game, ana.token) as client:
            assert client.socket is not None
            assert client.socket.response is not None
            assert ID.fullmatch(client.socket.response.headers["x-request-id"])
            await client.send(type="move", id="m", seq=client.seq, move="d2-c2")
            await client.receive_until("ack")
            await client.send(type="nonsense", secret=ana.token)
            await client.receive_until("reject")
        ana.request("POST", f"/api/games/{game}/moves", {"id": "x", "seq": 4, "move": "d2-c2"}, expect=409)
        ends = ("", "/events?follow=false&since=1", "/record")
        answers = "".join(str(ana.request("GET", f"/api/games/{game}{end}")) for end in ends)
        server.stop()
        log = server.log.read_text()
    files = b"".join(path.read_bytes() for path in (tmp_path / "data").rglob("*") if path.is_file())
    for secret in (ana.token, bran.token, invite, link, cookie):
        assert secret not in log + answers
        assert secret.encode() not in files
    assert not [word for word in ("Annabella", "Branwen", "d2-c2") if word in log]
    found = objects(log)
    paths = {one["event"] for one in found}
    assert {f"POST /api/games/{game}/join", "POST /api/links", f"GET /api/games/{game}/…"} <= paths
    assert {one.get("code") for one in found} >= {None, "not_your_turn"}
    for one in found:
        assert {"time", "level", "logger", "event"} <= set(one)
        assert datetime.fromisoformat(one["time"]).utcoffset() == datetime.now(UTC).utcoffset()
        if one["logger"] == "hnefi.server.requests":
            assert ID.fullmatch(one["request_id"])
            assert one.get("game") == (game if game in one["event"] else None)


async def test_only_well_formed_ids_of_trusted_proxies_count() -> None:
    seen: list[str] = []

    async def app(scope: Any, *_: Any) -> None:
        seen.append(monitoring.request_id_of(scope))

    given = b"given-by-proxy"
    malformed = (b"short", b"x" * 65, b"semi;colon;", b"with space x", "ümlaut-ümlaut".encode())
    for client, number in (
        ("10.1.2.3", given),
        ("192.0.2.1", given),
        *(("10.1.2.3", one) for one in malformed),
    ):
        headers = [(b"x-request-id", number), (b"x-forwarded-for", b"10.0.0.1")]
        scope = {"type": "http", "client": (client, 1), "headers": headers}
        await TrustedProxies(app, "10.0.0.0/8")(scope, None, None)
    assert seen[0] == given.decode()
    assert all(ID.fullmatch(one) for one in seen[1:])
    assert len({*seen}) == 2 + len(malformed)


def test_an_exception_is_answered_and_logged_with_its_id(
    own_server: TestClient, log_lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken on purpose")

    game, ana, _ = two_at_a_game(own_server)
    monkeypatch.setattr(games_of(own_server), "read", broken)
    answer = ana.get(f"/api/games/{game}")
    given = answer.headers["x-request-id"]
    assert refused(answer) == (500, "internal_error")
    assert answer.json()["facts"] == {"request": given}
    assert given in answer.json()["message"]
    (failed,) = [one for one in objects(log_lines.getvalue()) if one["level"] == "error"]
    logged = [failed[name] for name in ("request_id", "game", "code", "status")]
    assert logged == [given, game, "internal_error", 500]
    assert "broken on purpose" in failed["exception"]


def test_an_outage_is_logged_with_ids_and_not_without_end(
    own_server: TestClient, log_lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise NotSaved("no space left on device")

    program, game = Program(own_server), "aB3dE5gH7jK9"
    monkeypatch.setattr(games_of(own_server), "read", away)
    ids = [program.get(f"/api/games/{game}").headers["x-request-id"] for _ in range(150)]
    failed = [one for one in objects(log_lines.getvalue()) if one["level"] == "warning"]
    assert [one["request_id"] for one in failed] == ids[:100]
    assert {(one["code"], one["status"], one["game"]) for one in failed} == {("not_saved", 503, game)}


def test_a_line_of_text_is_one_line_and_has_no_secret(capsys: pytest.CaptureFixture[str]) -> None:
    formatter = logs._Formatter(as_json=False)
    secret = new_secret()
    token = logs.REQUEST.set({"request_id": "one"})
    try:
        record = logging.makeLogRecord(
            {"msg": f"two\nlines \x1b[31m {secret}", "levelname": "WARNING", "name": "hnefi", "game": "g"}
        )
        line = formatter.format(record)
    finally:
        logs.REQUEST.reset(token)
    assert re.fullmatch(r"\S+Z WARNING hnefi: two\\nlines \\x1b\[31m … request_id=one game=g", line), line
    assert capsys.readouterr().out == ""


def test_errors_of_the_database_do_not_show_values(tmp_path: Path) -> None:
    url = database.sqlite_url(tmp_path / "games.db")
    Store(url).open().close()
    for engine in (database.open_writer(url), database.open_reader(url)):
        with engine.connect() as connection, pytest.raises(Exception, match=r"\w") as failure:
            connection.execute(
                text("INSERT INTO seat (game, player, visitor) VALUES (:g, 0, :v)"),
                {"g": "no", "v": "of nobody"},
            )
        assert "of nobody" not in str(failure.value)
        engine.dispose()


def test_text_is_the_default_and_json_an_option(tmp_path: Path) -> None:
    with RunningServer(tmp_path / "data", log_level="debug") as server:
        HttpClient(server.address).request("GET", "/api/games")
        wait_until(lambda: "GET /api/games" in server.log.read_text(), "the request is logged")
        line = next(one for one in server.log.read_text().splitlines() if "/api/games" in one)
    assert re.search(r"Z DEBUG hnefi\.server\.requests: GET /api/games request_id=\w+ status=200 ms=", line)


@pytest.mark.parametrize(
    ("words", "trusted", "others"),
    [
        ("", [], ["127.0.0.1", "", None]),
        ("*", ["127.0.0.1", "unix:/run/a", "", None], []),
        ("127.0.0.1", ["127.0.0.1"], ["127.0.0.2", "::1", "::ffff:127.0.0.1", "localhost", "", None]),
        ("10.0.0.0/8,::1", ["10.255.0.1", "::1", "0:0:0:0:0:0:0:1"], ["11.0.0.1", "::2", "10.0.0.0/8"]),
        (" 2001:db8::/32 , 192.0.2.7 ", ["2001:db8::5", "192.0.2.7"], ["2001:db9::5", "192.0.2.8"]),
        # An address with bits beyond its network is no network, here as in uvicorn's own list.
        ("unix:/run/a,10.0.0.1/8", ["unix:/run/a"], ["unix:/run/b", "10.0.0.1", "/run/a"]),
    ],
)
def test_proxies_are_trusted_by_address_network_or_name(
    words: str, trusted: list[str | None], others: list[str | None]
) -> None:
    async def nothing(*_: object) -> None:
        pass

    proxies = TrustedProxies(nothing, words).trusted_hosts
    assert [host for host in trusted if host not in proxies] == []
    assert [host for host in others if host in proxies] == []
