"""How the processes of a site start, and what they report if they cannot."""

import asyncio
import contextlib
import logging
import signal
import socket
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from hnefi import i18n
from hnefi.server.cluster import process as cluster_process
from hnefi.server.settings import ROLES, Settings
from hnefi.server.starting import start_error
from hnefi.server.store import NoTables, Store, StoreReader
from hnefi.server.store.lease import Lease
from tests.server.cluster.bus_servers import any_bus_server
from tests.server.serving import free_port
from tests.server.test_metrics import MeasuredServer
from tests.server.test_serve import HNEFI
from tests.timeouts import TIMEOUT_S, wait_until

NO_BUS = "redis://127.0.0.1:1"


class Starts:
    """Processes of `hnefi serve` that start together, one for each role."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[str]] = []

    def begin(self, role: str | None, database: str, bus: str, *words: object) -> subprocess.Popen[str]:
        """Starts a process."""
        own = () if role is None else ("--role", role)
        pages = ("--port", free_port(), "--data", self.folder) if role in (None, "gateway") else ()
        command = [*HNEFI, "serve", *own, *pages, "--database", database, "--bus", bus, *words]
        process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.processes.append(process)
        return process

    def refused(
        self, database: str, bus: str, *words: object, roles: Sequence[str | None] = (None, *ROLES)
    ) -> list[str]:
        """Returns the output of processes that cannot start: one line, with the exit code 2."""
        output = []
        for process in [self.begin(role, database, bus, *words) for role in roles]:
            out, err = process.communicate(timeout=TIMEOUT_S)
            assert (process.returncode, out) == (2, ""), err
            output.append(err)
        return output


@pytest.fixture
def starts(tmp_path: Path) -> Iterator[Starts]:
    """Processes that are ended after the test."""
    made = Starts(tmp_path / "data")
    yield made
    for process in made.processes:
        process.kill()
        process.communicate()


def faulty_urls(url: str) -> Iterator[tuple[str, str]]:
    """Yields URLs that lead to no database, each with what PostgreSQL says."""
    server, _, name = url.rpartition("/")
    host, _, _ = server.rpartition(":")
    yield f"{host}:{free_port()}/{name}", "Connection refused"
    yield f"{server}/nowhere", 'database "nowhere" does not exist'
    yield url.replace("hnefi@", "nobody-here@"), 'role "nobody-here" does not exist'


@pytest.mark.parametrize("fault", range(3))
def test_a_database_that_cannot_be_reached_gives_the_same_sentence_for_every_role(
    starts: Starts, database_url: str, fault: int
) -> None:
    url, why = list(faulty_urls(database_url))[fault]
    output = starts.refused(url, NO_BUS)
    assert len(set(output)) == 1
    assert output[0].startswith(f"The server could not start with the games in {url}: ")
    assert why in output[0]
    assert output[0].removesuffix("\n").isprintable()
    assert "\N{REPLACEMENT CHARACTER}" not in output[0]


class CountingReader(StoreReader):
    """A reader that counts how often it is asked for the name of the site, and has the tables made then."""

    def __init__(self, url: str, *, tables_after: int) -> None:
        super().__init__(url)
        self.url, self.tables_after, self.asked = url, tables_after, 0

    async def site_name(self) -> str:
        """Returns the name of the site."""
        self.asked += 1
        if self.asked == self.tables_after:
            await asyncio.to_thread(lambda: Store(self.url, lease=Lease()).close())
        return await super().site_name()


@pytest.mark.parametrize("tables_after", [4, 1_000_000])
def test_a_database_without_tables_is_waited_for_and_logged_once(
    database_url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tables_after: int
) -> None:
    comes = tables_after == 4
    monkeypatch.setattr(cluster_process, "_RETRY_S", 0.01)
    monkeypatch.setattr(cluster_process, "_PATIENCE_S", TIMEOUT_S if comes else 0.05)
    reader = CountingReader(database_url, tables_after=tables_after)
    with caplog.at_level(logging.INFO):
        if comes:
            assert asyncio.run(cluster_process._wait_for_site(reader))
        else:
            with pytest.raises(NoTables) as failure:
                asyncio.run(cluster_process._wait_for_site(reader))
            error = start_error(failure.value, Settings(database=database_url))
            assert error.parameters["why"] == "no game worker has created the tables of this database yet"
    reader.close()
    assert reader.asked > 1
    output = [record for record in caplog.records if record.name == cluster_process.__name__]
    assert [record.levelname for record in output] == ["WARNING"]
    assert "no game worker has created the tables of this database yet; waiting" in output[0].message
    assert "SELECT" not in caplog.text


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize(
    ("awaited", "roles"), [("tables", ("gateway", "engine")), ("bus", (None, *ROLES))], ids=["tables", "bus"]
)
def test_a_signal_ends_a_start_that_waits(
    starts: Starts, database_url: str, awaited: str, roles: Sequence[str | None], number: signal.Signals
) -> None:
    if awaited == "bus":
        Store(database_url, lease=Lease()).close()
    logged = {"tables": "waiting for one", "bus": "bus_unreachable"}[awaited]
    for role in roles:
        process = starts.begin(role, database_url, NO_BUS)
        assert process.stderr is not None
        assert any(logged in line for line in process.stderr), "it has ended before"
        process.send_signal(number)
        # If it went on waiting, it would end with the exit code 2 and an error.
        out, err = process.communicate(timeout=TIMEOUT_S)
        assert (process.returncode, out) == (0, ""), err
        assert "Traceback" not in err


def test_a_port_for_metrics_that_is_in_use_is_named_with_its_option(starts: Starts) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        # It is refused before a database is looked for.
        output = starts.refused("postgresql://hnefi@127.0.0.1:1/hnefi", NO_BUS, "--metrics-port", port)
    assert len(set(output)) == 1
    assert f"on port {port} of 127.0.0.1" in output[0]
    assert "`--metrics-port`" in output[0]


def test_every_role_exposes_that_it_is_ready_and_logs_that_it_stops(
    database_url: str, tmp_path: Path
) -> None:
    bus = any_bus_server(tmp_path)
    ready = {}
    try:
        with contextlib.ExitStack() as stack:
            for role in ROLES:
                worker = MeasuredServer(tmp_path / role, database=database_url, bus=bus.url, role=role)
                stack.push(worker)
                worker.begin()
                ready[role] = worker
            for role, worker in ready.items():
                wait_until(partial(_reads_ready, worker), f"{role} is ready")
            assert ready["games"].value("hnefi_slots") == 1024
            for role, worker in ready.items():
                assert worker.stop() == 0
                logged = [line for line in worker.log.read_text().splitlines() if line.endswith(": stopping")]
                assert len(logged) == 1, role
    finally:
        bus.kill()


def _reads_ready(worker: MeasuredServer) -> bool:
    assert worker.is_alive(), worker.log.read_text()
    try:
        return worker.value("hnefi_ready") == 1
    except OSError:
        return False


def last_lines(outputs: Iterable[str]) -> list[str]:
    """Returns the last line of each output, in which nothing warned before."""
    lines = [output.splitlines() for output in outputs]
    assert not [line for logged in lines for line in logged[:-1] if "WARNING" in line]
    return [logged[-1] for logged in lines]


@pytest.mark.parametrize("given", ["", "hnefi:wrong@"])
def test_a_bus_that_refuses_the_password_ends_the_start_at_once(
    starts: Starts, database_url: str, tmp_path: Path, given: str
) -> None:
    Store(database_url, lease=Lease()).close()
    bus = any_bus_server(tmp_path, "--requirepass", "correct-horse")
    try:
        output = starts.refused(database_url, bus.url.replace("//", f"//{given}"))
    finally:
        bus.kill()
    for last in last_lines(output):
        assert last.startswith(f"The bus {bus.url} refuses user or password (")
        assert "HNEFI_BUS_PASSWORD" in last


@pytest.mark.parametrize("right", ["&hnefi:other:*", "allchannels -publish"])
def test_a_bus_that_refuses_a_channel_or_command_ends_the_start_at_once(
    starts: Starts, database_url: str, tmp_path: Path, right: str
) -> None:
    Store(database_url, lease=Lease()).close()
    rules = f"hnefi on >correct-horse allkeys resetchannels +@all {right}"
    bus = any_bus_server(tmp_path, "--user", *rules.split())
    try:
        output = starts.refused(database_url, bus.url.replace("//", "//hnefi:correct-horse@"))
    finally:
        bus.kill()
    for last in last_lines(output):
        assert last.startswith(f"The bus {bus.url} does not permit its user a channel or command (")
        assert "hosting/valkey.conf" in last


@pytest.mark.parametrize(
    ("role", "option", "words"),
    [
        ("engine", "--lan", ["--lan"]),
        ("games", "--port", ["--port", "8731"]),
        ("games", "--origin", ["--origin", "https://tafl.example"]),
        ("engine", "--open", ["--open"]),
        ("engine", "--library", ["--no-lan", "--library", "games.db"]),
        ("games", "--data", ["--lang", "en", "--data", "games"]),
        ("engine", "--games-per-hour", ["--games-per-hour", "100"]),
        ("games", "--engine-workers", ["--engine-workers", "2"]),
        ("engine", "--today", ["--engine-worker-mib", "500", "--today", "2026-11-23"]),
        ("gateway", "--engine-workers", ["--engine-workers", "2"]),
    ],
)
def test_a_role_refuses_options_that_have_no_effect(
    starts: Starts, role: str, option: str, words: list[str]
) -> None:
    (output,) = starts.refused("postgresql://hnefi@127.0.0.1:1/hnefi", NO_BUS, *words, roles=[role])
    assert output == i18n.text("error.role_without_option", "en", role=role, option=option) + "\n"


def test_a_worker_may_share_the_configuration_file_of_a_gateway(starts: Starts, tmp_path: Path) -> None:
    path = tmp_path / "hnefi.toml"
    path.write_text('port = 8731\norigin = "https://tafl.example"\ngames_per_hour = 9\nengine_workers = 2')
    database = "postgresql://hnefi@127.0.0.1:1/hnefi"
    (output,) = starts.refused(database, NO_BUS, "--config", path, roles=["games"])
    assert "Connection refused" in output
