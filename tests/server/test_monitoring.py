"""Logs and metrics: fields, formats, failures and no secrets; all that is declared is exposed, and counts."""

import io
import json
import logging
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
import write_metrics
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text
from starlette.testclient import TestClient

from hnefi.server import logs
from hnefi.server.http import monitoring
from hnefi.server.http.monitoring import TrustedProxies, route_of
from hnefi.server.metrics import METRICS, ROUTES, Metrics
from hnefi.server.secrets import new_secret
from hnefi.server.store import database
from hnefi.server.store.rows import NotSaved
from hnefi.server.store.store import Store
from hnefi.server.store.writer import Writer
from tests.server.clients import FRIENDLY, Program, refused, two_at_a_game
from tests.server.kills import new_client_game
from tests.server.serving import HttpClient, RunningServer, SocketClient, free_port
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


def test_a_server_that_cannot_write_is_not_ready_also_where_no_clock_runs(
    own_server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise NotSaved("database or disk is full")

    assert own_server.get("/api/ready").json() == {"status": "ok"}
    with monkeypatch.context() as patch:
        patch.setattr(Writer, "_write_patiently", full)
        assert refused(Program(own_server).post("/api/games", FRIENDLY)) == (503, "not_saved")
        wait_until(lambda: own_server.get("/api/ready").status_code == 503, "the outage begins")
        assert own_server.get("/api/ready").json() == {"status": "failing"}
    wait_until(lambda: own_server.get("/api/ready").status_code == 200, "the outage ends")


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
    # The page of the game needs the database only for its preview.
    assert "<main" in program.get(f"/en/game/{game}").text


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
        with database.connected(engine) as connection, pytest.raises(Exception, match=r"\w") as failure:
            connection.execute(
                text("INSERT INTO seat (game, player, visitor) VALUES (:g, 0, :v)"),
                {"g": "no", "v": "of nobody"},
            )
        assert "of nobody" not in str(failure.value)


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


Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


class MeasuredServer(RunningServer):
    """A server that serves metrics."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.metrics_port = free_port()
        super().__init__(folder, metrics_port=self.metrics_port, **settings)

    def exposition(self) -> str:
        address = f"http://127.0.0.1:{self.metrics_port}/metrics"
        return httpx2.get(address, timeout=timeout_s()).text

    def samples(self) -> Samples:
        return {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(self.exposition())
            for sample in family.samples
        }

    def value(self, name: str, **labels: str) -> float:
        return self.samples().get((name, tuple(sorted(labels.items()))), 0.0)

    def grown(self, before: Samples) -> Samples:
        """Returns by how much each sample has grown, without those that have not."""
        now = self.samples()
        return {key: now[key] - before.get(key, 0.0) for key in now if now[key] != before.get(key, 0.0)}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MeasuredServer]:
    with MeasuredServer(tmp_path_factory.mktemp("metrics") / "data", sockets_per_visitor=2) as running:
        yield running


@pytest.mark.skipif(sys.platform != "linux", reason="metrics of the process are read from /proc")
def test_every_declared_metric_is_exposed_and_no_other(server: MeasuredServer) -> None:
    HttpClient(server.address).request("GET", "/api/games/unknownunkno", expect=404)
    found = re.findall(r"^# TYPE (\w+) (\w+)$", server.exposition(), re.MULTILINE)
    assert sorted(found) == sorted((metric.name, metric.kind) for metric in METRICS)
    helps = dict(re.findall(r"^# HELP (\w+) (.+)$", server.exposition(), re.MULTILINE))
    for metric in METRICS:
        assert metric.unit
        assert metric.name.startswith("process_") or helps[metric.name] == metric.help
        assert metric.unit not in ("seconds", "bytes") or metric.unit in metric.name


def test_the_table_in_the_guide_is_up_to_date() -> None:
    write_metrics.TABLE.check()


async def test_a_move_is_observed_once_and_messages_by_kind(server: MeasuredServer) -> None:
    game = new_client_game(server, 1)
    before = server.samples()
    async with SocketClient(server, game.id, game.tokens[0]) as client:
        for message, answer in (
            ({"type": "move", "id": "m", "move": "d2-c2"}, "ack"),
            ({"type": "move", "id": "n", "move": "d2-c2"}, "reject"),
            ({"type": "command", "id": "c", "do": "resign"}, "ack"),
        ):
            await client.send(**message, seq=client.seq)
            await client.receive_until(answer)
    wait_until(lambda: server.value("hnefi_connections") == 0, "the connection has ended")
    grown = server.grown(before)
    for name in ("move", "action", "hello"):
        assert grown[f"hnefi_{name}_seconds_count", ()] == 1, name
    # HTTP is measured for HTTP alone.
    assert "hnefi_http_seconds_count" not in {name for name, _ in grown}
    assert grown["hnefi_events_total", ()] == 2
    assert sum(value for (name, _), value in grown.items() if name == "hnefi_refusals_total") == 1
    assert server.value("hnefi_rooms") >= 1


def test_requests_are_measured_by_route_and_status(server: MeasuredServer) -> None:
    client = HttpClient(server.address)
    before = server.samples()
    client.request("GET", "/api/games")
    client.request("GET", "/en/")
    client.request("POST", "/api/links", {"secret": "x" * 43}, expect=403)
    client.request("POST", "/api/links", {"secret": 5}, expect=422)
    grown = server.grown(before)
    games, page = ("route", "games"), ("route", "page")
    assert {key[1]: value for key, value in grown.items() if key[0] == "hnefi_http_responses_total"} == {
        (games, ("status", "2xx")): 1,
        (games, ("status", "4xx")): 2,
        (page, ("status", "2xx")): 1,
    }
    assert grown["hnefi_http_seconds_count", (games,)] == 3
    assert grown["hnefi_refusals_total", (("code", "bad_link"),)] == 1
    assert grown["hnefi_refusals_total", (("code", "bad_request"),)] == 1


async def test_limits_of_connections_and_heads_are_counted(server: MeasuredServer) -> None:
    game = new_client_game(server, 2)
    first, second, third = (SocketClient(server, game.id, game.tokens[0]) for _ in range(3))
    async with first, second:
        with pytest.raises(Exception, match="403"):
            await third.connect()
        assert first.socket is not None
        await first.socket.send(b"binary")
        await first.socket.wait_closed()
    assert server.value("hnefi_refusals_total", code="too_many_sockets") == 1
    wait_until(lambda: server.value("hnefi_socket_closes_total", code="1003") == 1, "the end is counted")
    answer = httpx2.get(f"{server.address}/api/health", headers={"X-Long": "x" * 40_000}, timeout=timeout_s())
    assert answer.status_code == 431
    assert server.value("hnefi_refusals_total", code="head_too_large") == 1


def test_unknown_codes_are_counted_as_one() -> None:
    metrics = Metrics()
    for number in range(100):
        metrics.refused(f"code_{number}")
    metrics.refused("not_saved")
    for code, count in (("other", 100), ("not_saved", 1), ("code_1", None)):
        assert metrics.registry.get_sample_value("hnefi_refusals_total", {"code": code}) == count


def test_every_path_has_a_route() -> None:
    for route, *paths in (
        ("page", "/", "/en/rules/ard-ri", "/nowhere/at/all"),
        ("play", "/api/games/aB3/moves", "/api/games/aB3/commands"),
        ("analysis", "/api/analysis", "/api/moves"),
        *(("other", "/api/nowhere"), ("games", "/api/games"), ("follow", "/api/games/aB3/events")),
        *(("picture", "/api/games/aB3/picture.png"), ("rules", "/api/rules/example")),
        *(("static", "/static/page.js"), ("docs", "/docs/stylesheets/site.css")),
    ):
        assert {route_of(path) for path in paths} == {route}
        assert route in ROUTES
