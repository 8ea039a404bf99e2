"""Metrics: all that are declared are exposed and documented, and count what happens."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
import write_metrics
from prometheus_client.parser import text_string_to_metric_families

from hnefi.server.http.monitoring import route_of
from hnefi.server.metrics import METRICS, ROUTES, Metrics
from tests.server.kills import new_client_game
from tests.server.serving import HttpClient, RunningServer, SocketClient, free_port
from tests.timeouts import timeout_s, wait_until

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
