"""The transport over a real Valkey or Redis: killed, stopped, restarted, with password and TLS."""

import asyncio
import contextlib
import logging
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from hnefi.server.cluster import messages as m
from hnefi.server.cluster.bus import Bus, BusError
from hnefi.server.cluster.redis_bus import PASSWORD_VARIABLE, RedisTransport, connection_pool, redis_errors
from tests.server.cluster.bus_servers import PROGRAMS, BusServer, find_program
from tests.timeouts import TIMEOUT_S

pytest.importorskip("redis")

SITE = "testsite"
PASSWORD = "correct-horse-0123"
KINDS = [
    pytest.param(kind, marks=pytest.mark.skipif(find_program(kind) is None, reason=f"{kind} is missing"))
    for kind in PROGRAMS
]


class End:
    """An end of the bus that keeps what it received."""

    def __init__(self, url: str, address: str, *, is_ticking: bool = True) -> None:
        self.bus = Bus(RedisTransport(url, SITE), address, is_ticking=is_ticking)
        self.received: list[int] = []
        self.texts: list[str | None] = []
        self.gaps: list[str | None] = []
        self.silences: list[bool] = []
        self.bus.on_gap = self.gaps.append
        self.bus.on_silence = self.silences.append

    async def start(self) -> None:
        await self.bus.start([m.ALL], self._receive)

    def _receive(self, _sender: str, message: m.AnyMessage, text: str | None) -> None:
        if isinstance(message, m.Reply):
            self.received.append(message.id)
            self.texts.append(text)


def reply(number: int) -> m.Reply:
    return m.Reply(id=number, slot=1, epoch=1, parameters={})


async def eventually(condition: Callable[[], bool], what: str) -> None:
    async def poll() -> None:
        while not condition():
            await asyncio.sleep(0.02)

    try:
        await asyncio.wait_for(poll(), TIMEOUT_S)
    except TimeoutError:
        raise AssertionError(f"timed out waiting for: {what}") from None


@contextlib.asynccontextmanager
async def ends(url: str, *, is_ticking: bool = True) -> AsyncIterator[tuple[End, End]]:
    """Starts two ends. Without ticks no silence is noticed, however slow the machine is."""
    gateway, worker = (End(url, address, is_ticking=is_ticking) for address in ("g:one", "w:1"))
    try:
        await gateway.start()
        await worker.start()
        yield gateway, worker
    finally:
        await gateway.bus.stop()
        await worker.bus.stop()


async def arrives(sender: End, receiver: End, number: int) -> None:
    """Sends a message again and again until it arrives, as a gateway does with a command."""

    def is_there() -> bool:
        sender.bus.send(receiver.bus.address, reply(number))
        return number in receiver.received

    await eventually(is_there, f"message {number}")


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BusServer]:
    server = BusServer(request.param, tmp_path)
    yield server
    server.kill()


def test_messages_arrive_in_order_in_both_directions(server: BusServer) -> None:
    async def main() -> None:
        async with ends(server.url, is_ticking=False) as (gateway, worker):
            for number in range(500):
                gateway.bus.send("w:1", reply(number))
                worker.bus.send("g:one", reply(number), f'{{"n":{number},"name":"Þór"}}')
                if number % 7 == 0:
                    await asyncio.sleep(0)
            await eventually(lambda: len(gateway.received) == len(worker.received) == 500, "all messages")
            assert gateway.received == worker.received == list(range(500))
            assert gateway.texts[3] == '{"n":3,"name":"Þór"}'
            worker.bus.send(m.ALL, reply(500))
            await eventually(lambda: gateway.received[-1] == 500, "the message to all")
            assert gateway.gaps == worker.gaps == []
            assert gateway.bus.counts.dropped == gateway.bus.counts.malformed == 0

    run(main())


def test_sites_on_one_server_are_separate(server: BusServer) -> None:
    async def main() -> None:
        other = Bus(RedisTransport(server.url, "other"), "g:one")
        received: list[m.AnyMessage] = []
        async with ends(server.url) as (gateway, worker):
            await other.start([m.ALL], lambda _sender, message, _text: received.append(message))
            worker.bus.send(m.ALL, reply(1))
            await arrives(worker, gateway, 2)
            await other.stop()
        assert received == []

    run(main())


def test_the_last_messages_are_published_before_the_end(server: BusServer) -> None:
    async def main() -> None:
        async with ends(server.url, is_ticking=False) as (gateway, worker):
            for number in range(100):
                worker.bus.send("g:one", reply(number), f'"{"x" * 50_000}"')
            await worker.bus.stop()
            await eventually(lambda: len(gateway.received) == 100, "the last messages")

    run(main())


def test_a_killed_server_that_comes_back_is_used_again(
    server: BusServer, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with ends(server.url) as (gateway, worker):
            await arrives(worker, gateway, 1)
            server.kill()
            await eventually(lambda: gateway.bus.is_silent and worker.bus.is_silent, "silence")
            worker.bus.send("g:one", reply(2))
            await asyncio.to_thread(server.start)
            await arrives(worker, gateway, 3)
            await arrives(gateway, worker, 4)
            assert 2 not in gateway.received
            await eventually(
                lambda: gateway.silences[:2] == worker.silences[:2] == [True, False], "the end of silence"
            )
            assert None in gateway.gaps
            assert "w:1" in gateway.gaps

    with caplog.at_level(logging.INFO):
        run(main())
    lost = sum("is lost" in text for text in caplog.messages)
    again = sum("again" in text for text in caplog.messages)
    assert 2 <= lost <= again + 2, "one for each loss, not for each attempt"


def test_a_server_that_is_stopped_is_silent_and_goes_on(server: BusServer) -> None:
    async def main() -> None:
        async with ends(server.url) as (gateway, worker):
            await arrives(worker, gateway, 1)
            server.freeze()
            try:
                await eventually(lambda: gateway.bus.is_silent and worker.bus.is_silent, "silence")
            finally:
                server.thaw()
            await eventually(
                lambda: gateway.silences[:2] == worker.silences[:2] == [True, False], "the end of silence"
            )
            await arrives(worker, gateway, 2)

    run(main())


def test_a_silent_connection_is_replaced_and_what_it_held_is_lost(server: BusServer) -> None:
    async def main() -> None:
        async with ends(server.url) as (gateway, worker):
            await arrives(worker, gateway, 1)
            server.freeze()
            try:
                await eventually(lambda: worker.bus.late_s >= 4, "new connections")
                # The kernel and the transport hold a part of it; nothing waits without end.
                for _ in range(2_000):
                    worker.bus.send("g:one", reply(2), f'"{"x" * 50_000}"')
                    await asyncio.sleep(0)
                assert worker.bus.counts.dropped > 0
            finally:
                server.thaw()
            await arrives(worker, gateway, 3)
            await arrives(gateway, worker, 4)
            assert None in gateway.gaps

    run(main())


@pytest.mark.parametrize("kind_of_client", ["pubsub", "normal"])
def test_a_connection_that_the_server_ends_is_replaced(server: BusServer, kind_of_client: str) -> None:
    async def main() -> None:
        async with ends(server.url, is_ticking=False) as (gateway, worker):
            await arrives(worker, gateway, 1)
            admin = connection_pool(server.url).make_connection()
            await admin.connect()
            await admin.send_command("CLIENT", "KILL", "TYPE", kind_of_client, "SKIPME", "yes")
            assert await admin.read_response() == 2
            await admin.disconnect()
            await eventually(lambda: gateway.gaps[:1] == worker.gaps[:1] == [None], "new connections")
            await arrives(worker, gateway, 2)
            await arrives(gateway, worker, 3)

    run(main())


def test_foreign_bytes_on_a_channel_are_counted(server: BusServer, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with ends(server.url, is_ticking=False) as (gateway, worker):
            foreign = connection_pool(server.url).make_connection()
            await foreign.connect()
            for data in (b"", b"\x00\xff", b"x" * 2_000_000, b"[" * 100_000):
                for _ in range(2):
                    await foreign.send_command("PUBLISH", f"hnefi:{SITE}:g:one", data)
                    assert await foreign.read_response() == 1
            await foreign.disconnect()
            await arrives(worker, gateway, 1)
            assert gateway.bus.counts.malformed == 8

    with caplog.at_level(logging.WARNING):
        run(main())
    assert len(caplog.messages) == len(set(caplog.messages))


def test_a_server_that_is_away_at_the_start_is_an_error(server: BusServer) -> None:
    server.kill()
    with pytest.raises(BusError) as refusal:
        run(End(server.url, "g:one").start())
    assert refusal.value.code == "bus_unreachable"
    assert refusal.value.parameters["url"] == server.url


@pytest.fixture(params=KINDS)
def locked_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BusServer]:
    """A server with a password."""
    server = BusServer(request.param, tmp_path, ["--requirepass", PASSWORD])
    yield server
    server.kill()


def test_the_password_comes_from_the_url_or_the_environment(
    locked_server: BusServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main(url: str) -> None:
        async with ends(url) as (gateway, worker):
            await arrives(worker, gateway, 1)

    run(main(locked_server.url.replace("//", f"//:{PASSWORD}@")))
    monkeypatch.setenv(PASSWORD_VARIABLE, PASSWORD)
    run(main(locked_server.url))


@pytest.mark.parametrize("given", ["", ":wrong-battery-987@"])
def test_a_wrong_password_is_an_error_that_does_not_show_it(
    locked_server: BusServer, given: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(BusError) as refusal:
        run(End(locked_server.url.replace("//", f"//{given}"), "g:one").start())
    assert refusal.value.code == "bus_refused"
    shown = f"{refusal.value} {refusal.value.parameters} {refusal.value.__cause__!r} {caplog.text}"
    assert "battery" not in shown
    assert PASSWORD not in shown


def test_the_password_is_not_logged_when_the_connection_is_lost(
    locked_server: BusServer, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with ends(locked_server.url.replace("//", f"//:{PASSWORD}@")) as (gateway, _):
            locked_server.kill()
            await eventually(lambda: gateway.bus.is_silent, "silence")

    with caplog.at_level(logging.DEBUG):
        run(main())
    assert "is lost" in caplog.text
    assert PASSWORD not in caplog.text


def test_a_user_without_permission_for_the_channels_is_refused(server: BusServer) -> None:
    async def main() -> None:
        admin = connection_pool(server.url).make_connection()
        await admin.connect()
        await admin.send_command(
            "ACL", "SETUSER", "reader", "on", f">{PASSWORD}", "+@all", "resetchannels", "&hnefi:other:*"
        )
        assert await admin.read_response() == b"OK"
        await admin.disconnect()
        await End(server.url.replace("//", f"//reader:{PASSWORD}@"), "g:one").start()

    with pytest.raises(BusError) as refusal:
        run(main())
    assert refusal.value.code == "bus_forbidden"
    assert "channel" in refusal.value.parameters["why"].lower()


CONFIG = Path(__file__).parents[3] / "hosting" / "valkey.conf"
STREAM: tuple[tuple[str, ...], ...] = (
    ("XADD", "S", "1-0", "job", "{}"),
    ("XGROUP", "CREATE", "S", "engines", "0"),
    ("XREADGROUP", "GROUP", "engines", "one", "COUNT", "1", "STREAMS", "S", ">"),
    ("XCLAIM", "S", "engines", "one", "0", "1-0", "JUSTID"),
    ("XAUTOCLAIM", "S", "engines", "one", "5000", "0-0"),
    ("XRANGE", "S", "1-0", "1-0"),
    ("XACK", "S", "engines", "1-0"),
    ("XDEL", "S", "1-0"),
    ("TIME",),
)
FORBIDDEN = (
    ("KEYS", "*"),
    ("FLUSHALL",),
    ("CONFIG", "GET", "*"),
    ("GET", "S"),
    ("XADD", "other", "*", "a", "b"),
)


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_configuration_permits_the_bus_and_no_more(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (password,) = re.findall(r"^user hnefi .*>(\S+)", CONFIG.read_text("utf-8"), re.MULTILINE)
    monkeypatch.setenv(PASSWORD_VARIABLE, password)
    # Options of the command line take precedence over the file, which comes first.
    server = BusServer(kind, tmp_path, config=CONFIG)
    url = server.url.replace("//", "//hnefi@")

    async def main() -> None:
        async with ends(url) as (gateway, worker):
            await arrives(worker, gateway, 1)
        connection = connection_pool(url).make_connection()
        await connection.connect()
        stream = f"hnefi:{SITE}:jobs:play"
        for command in STREAM:
            await connection.send_command(*(stream if word == "S" else word for word in command))
            assert await connection.read_response() is not None
        for command in FORBIDDEN:
            await connection.send_command(*(stream if word == "S" else word for word in command))
            with pytest.raises(redis_errors(), match="permission"):
                await connection.read_response()
        await connection.disconnect()

    try:
        run(main())
        with pytest.raises(BusError):
            run(End(server.url, "g:one").start())
    finally:
        server.kill()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is missing")
@pytest.mark.parametrize("kind", KINDS)
def test_tls_is_used_and_the_certificate_checked(kind: str, tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    words += ["-keyout", str(key), "-out", str(certificate), "-subj", "/CN=bus", "-days", "2"]
    subprocess.run([*words, "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    options = ["--tls-cert-file", str(certificate), "--tls-key-file", str(key), "--tls-auth-clients", "no"]
    server = BusServer(kind, tmp_path, options, scheme="rediss")

    async def main() -> None:
        async with ends(f"{server.url}?ssl_ca_certs={certificate}") as (gateway, worker):
            await arrives(worker, gateway, 1)
            server.kill()
            await asyncio.to_thread(server.start)
            await arrives(gateway, worker, 2)

    try:
        with pytest.raises(BusError) as refusal:
            run(End(server.url, "g:one").start())
        assert refusal.value.code == "bus_unreachable"
        assert "certificate" in refusal.value.parameters["why"].lower()
        run(main())
    finally:
        server.kill()


@pytest.mark.parametrize("url", ["http://bus", "bus", f"redis://:{PASSWORD[:4]}/{PASSWORD}@bus"])
def test_a_url_that_cannot_be_used_is_an_error_that_does_not_show_the_password(url: str) -> None:
    with pytest.raises(BusError) as refusal:
        RedisTransport(url, SITE)
    assert refusal.value.code == "bad_bus_url"
    assert refusal.value.__cause__ is None
    assert PASSWORD not in f"{refusal.value} {refusal.value.parameters}"


def test_the_package_is_imported_only_for_a_transport(monkeypatch: pytest.MonkeyPatch) -> None:
    script = (
        "import sys, hnefi.server.running, hnefi.server.cluster.redis_bus, hnefi.server.cluster.bus\n"
        "print([name for name in ('redis', 'hiredis') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(BusError) as refusal:
        RedisTransport("redis://127.0.0.1", SITE)
    assert refusal.value.code == "missing_extra"
    assert refusal.value.parameters == {"package": "redis", "extra": "cluster"}
