"""Logs and request ids: fields, formats, failures, and no secrets."""

import io
import json
import logging
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import text
from starlette.testclient import TestClient

from hnefi.server import logs
from hnefi.server.http import monitoring
from hnefi.server.http.monitoring import TrustedProxies
from hnefi.server.secrets import new_secret
from hnefi.server.store import NotSaved, Store, database
from tests.server.clients import FRIENDLY, Program, refused, two_at_a_game
from tests.server.serving import HttpClient, RunningServer, SocketClient, running
from tests.timeouts import timeout_s, wait_until

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


def request_id(address: str, **headers: str) -> str:
    """Returns the id of a request to the list of games."""
    request = urllib.request.Request(f"{address}/api/games", headers=headers)
    with urllib.request.urlopen(request, timeout=timeout_s()) as answer:
        return str(answer.headers["x-request-id"])


async def test_a_game_at_debug_level_leaves_no_secret_in_the_logs(tmp_path: Path) -> None:
    with running(tmp_path / "data", log_level="debug", log_format="json") as server:
        ana, bran = HttpClient(server.address), HttpClient(server.address)
        made = ana.request("POST", "/api/games", {**FRIENDLY, "name": "Annabella"})
        game, invite = made["game"], made["invite"]
        ana.request("GET", f"/api/games/{game}/{invite}", expect=404)
        ana.request("GET", f"/api/games/{game}?invite={invite}&since={ana.token}")
        bran.request("POST", f"/api/games/{game}/join", {"invite": invite, "name": "Branwen"})
        link = ana.request("POST", f"/api/games/{game}/links")["secret"]
        HttpClient(server.address).request("POST", "/api/links", {"secret": link})
        cookie = _cookie_of_a_browser(server)
        client = SocketClient(server, game, ana.token)
        await client.connect()
        await client.receive_until("state")
        assert client.socket is not None
        assert client.socket.response is not None
        assert ID.fullmatch(client.socket.response.headers["x-request-id"])
        await client.send(type="move", id="m", seq=client.seq, move="d2-c2")
        await client.receive_until("ack")
        await client.send(type="nonsense", secret=ana.token)
        await client.receive_until("reject")
        await client.close()
        ana.request("POST", f"/api/games/{game}/moves", {"id": "x", "seq": 4, "move": "d2-c2"}, expect=409)
        server.stop()
        log = server.log.read_text()
    for secret in (ana.token, bran.token, invite, link, cookie, "Annabella", "Branwen", "d2-c2"):
        assert secret not in log
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


def _cookie_of_a_browser(server: RunningServer) -> str:
    """Creates a game as a browser does, and returns the secret of its cookie."""
    headers = {"Content-Type": "application/json", "Origin": server.address}
    body = b'{"variant":"brandub-globe","opponent":"same_device"}'
    request = urllib.request.Request(f"{server.address}/api/games", body, headers, method="POST")
    with urllib.request.urlopen(request, timeout=timeout_s()) as answer:
        secret = str(answer.headers["set-cookie"]).split("=")[1].split(";")[0]
    again = urllib.request.Request(f"{server.address}/api/games", headers={"Cookie": f"hnefi={secret}"})
    with urllib.request.urlopen(again, timeout=timeout_s()) as answer:
        assert len(json.load(answer)["games"]) == 1
    return secret


def test_ids_come_from_trusted_proxies_alone(tmp_path: Path) -> None:
    with running(tmp_path / "data") as server:
        assert ID.fullmatch(request_id(server.address, **{"X-Request-ID": "0123456789abcdef"}))
    with running(tmp_path / "data", proxy="127.0.0.1") as server:
        assert request_id(server.address, **{"X-Request-ID": "0123456789abcdef"}) == "0123456789abcdef"
        for malformed in ("short", "x" * 65, "semi;colon;", "with space x", "ümlaut-ümlaut"):
            assert ID.fullmatch(request_id(server.address, **{"X-Request-ID": malformed}))
        assert request_id(server.address) != request_id(server.address)


async def test_the_proxy_is_known_before_its_address_is_replaced() -> None:
    seen: list[str] = []

    async def app(scope: Any, *_: Any) -> None:
        seen.append(monitoring.request_id_of(scope))

    headers = [(b"x-request-id", b"given-by-proxy"), (b"x-forwarded-for", b"10.0.0.1")]
    for client in ("10.1.2.3", "192.0.2.1"):
        scope = {"type": "http", "client": (client, 1), "headers": headers}
        await TrustedProxies(app, "10.0.0.0/8")(scope, None, None)
    assert seen[0] == "given-by-proxy"
    assert ID.fullmatch(seen[1])


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
    formatter = logs._formatter(as_json=False)
    secret = new_secret()
    with structlog.contextvars.bound_contextvars(request_id="one"):
        record = logging.makeLogRecord(
            {"msg": f"two\nlines \x1b[31m {secret}", "levelname": "WARNING", "name": "hnefi", "game": "g"}
        )
        line = formatter.format(record)
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
    with running(tmp_path / "data", log_level="debug") as server:
        request_id(server.address)
        wait_until(lambda: "GET /api/games" in server.log.read_text(), "the request is logged")
        line = next(one for one in server.log.read_text().splitlines() if "/api/games" in one)
    assert re.search(r"Z DEBUG hnefi\.server\.requests: GET /api/games request_id=\w+ status=200 ms=", line)
