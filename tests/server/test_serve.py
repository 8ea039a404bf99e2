"""The commands `hnefi serve`, `backup` and `restore`."""

import asyncio
import errno
import socket
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from hnefi import variant
from hnefi.cli.texts import error_text, language_of_run
from hnefi.library import Library
from hnefi.server.running import _start_error
from hnefi.server.settings import Settings
from tests.cli_runs import run
from tests.server.kills import check, new_client_game, play_on
from tests.server.serving import HttpClient, RunningServer, answers, execute, free_port
from tests.timeouts import timeout_s, wait_until

HNEFI = [sys.executable, "-c", "from hnefi.cli import main; main()", "--lang", "en"]
ASKED = {"variant": "brandub-globe", "position": str(variant("brandub-globe").rules.start)}
"""A question about openings, which are in a library."""


def hnefi(*words: object, lang: str = "en") -> subprocess.CompletedProcess[str]:
    """Runs a command in this process, such as one that is refused before it starts a server."""
    args = ["--lang", lang, *map(str, words)]
    return subprocess.CompletedProcess(args, *run(*args))


def hnefi_process(*words: object) -> subprocess.CompletedProcess[str]:
    """Runs a command as a process."""
    return subprocess.run(
        [*HNEFI, *map(str, words)], capture_output=True, text=True, check=False, timeout=timeout_s()
    )


@pytest.fixture
def own_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Creates the library of the user."""
    Library(tmp_path / "own.db", create=True).close()
    monkeypatch.setenv("HNEFI_LIBRARY", str(tmp_path / "own.db"))


class ServeProcess:
    """A process of `hnefi serve` with the given arguments, terminated at the end of the `with` block."""

    def __init__(self, folder: Path, *words: object) -> None:
        self.port = free_port()
        arguments = ["serve", "--port", self.port, "--data", folder, *words]
        self.log = folder.with_name("serve.log")
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([*HNEFI, *map(str, arguments)], stdout=log, stderr=log)

    def __enter__(self) -> str:
        address = f"http://127.0.0.1:{self.port}"
        wait_until(lambda: self.process.poll() is not None or answers(address) > 0, "the server is up")
        return address

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(timeout_s())


@pytest.mark.usefixtures("own_library")
def test_it_serves_this_machine_alone_and_keeps_its_data_private(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with ServeProcess(folder) as address:
        assert answers(address) == 200
        assert answers(address, host="evil.example") == 421
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        for path in folder.iterdir():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
        port = int(address.rsplit(":", 1)[1])
        with socket.socket() as other, pytest.raises(OSError, match=r"."):
            other.connect((_own_address(), port))
        HttpClient(address).request("POST", "/api/openings", ASKED, expect=200)
        # Forwarded headers are believed only from a proxy.
        made = _post(address, {"Origin": address, "X-Forwarded-Proto": "https", "X-Forwarded-For": "1.2.3.4"})
        assert made.startswith("hnefi=")
    assert "Hnefi is running at http://127.0.0.1" in (tmp_path / "serve.log").read_text()


def _own_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("system: this machine has no address but its own")
        return str(probe.getsockname()[0])


def test_in_a_house_others_come_in_by_address_and_see_the_library_that_is_named(tmp_path: Path) -> None:
    own = _own_address()
    Library(tmp_path / "named.db", create=True).close()
    with ServeProcess(tmp_path / "data", "--lan", "--library", tmp_path / "named.db") as address:
        port = address.rsplit(":", 1)[1]
        assert answers(f"http://{own}:{port}") == 200
        assert answers(address, host=f"{socket.gethostname()}.local") == 200
        assert answers(address, host="evil.example") == 421
        HttpClient(address).request("POST", "/api/openings", ASKED, expect=200)
    log = (tmp_path / "serve.log").read_text()
    assert f"http://{own}:{port}/" in log
    assert "█" in log or "▀" in log


@pytest.mark.usefixtures("own_library")
def test_behind_a_proxy_the_origin_counts_and_the_user_library_is_hidden(tmp_path: Path) -> None:
    with ServeProcess(tmp_path / "data", "--origin", "https://tafl.example") as address:
        assert answers(address, host="tafl.example") == 200
        made = _post(
            address, {"Origin": "https://tafl.example", "Host": "tafl.example", "X-Forwarded-Proto": "https"}
        )
        assert made.startswith("__Host-hnefi=")
        assert "Secure" in made
        assert "Domain" not in made
        assert _post(address, {"Origin": "https://evil.example", "Host": "tafl.example"}) == "403"
        HttpClient(address).request("POST", "/api/openings", ASKED, expect=404)


def _post(address: str, headers: dict[str, str]) -> str:
    """Creates a game, and returns the cookie of the response, or the status that refuses it."""
    body = {"variant": "brandub-globe", "opponent": "same_device"}
    answer = httpx2.post(f"{address}/api/games", json=body, headers=headers, timeout=timeout_s())
    return answer.headers.get("set-cookie") or str(answer.status_code)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--host", "0.0.0.0"), "--lan"),
        (("--host", "192.0.2.9"), "--lan"),
        (("--host", "::"), "--lan"),
        (("--data", "{folder}/file"), "is a file, not a folder"),
        (("--data", "{folder}/file/data"), "is a file, not a folder"),
        (("--data", "/proc/data"), "/proc/data cannot be written"),
        (("--port", "{taken}"), "Port {taken} of 127.0.0.1 is in use"),
        (("--library", "{folder}/nowhere.db"), "nowhere.db: there is no such library"),
        (("--docs", "{folder}"), "index.html"),
        (("--imprint", "{folder}/imprint.txt"), "imprint.txt"),
        (("--imprint", "{folder}/file"), "file cannot be read: it is empty."),
        (("--proxy", "127.0.0.l"), "127.0.0.l"),
        (("--imprint", "{folder}/binary"), "binary cannot be read: not UTF-8 text."),
        *(((name, "/dev/zero"), "cannot be read: larger than 4 MB.") for name in ("--imprint", "--config")),
    ],
)
def test_unusable_options_are_refused_in_one_sentence(
    tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "binary").write_bytes(b"\xff")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        facts = {"folder": tmp_path, "taken": taken.getsockname()[1]}
        done = hnefi("serve", "--data", tmp_path / "data", *(word.format(**facts) for word in words))
    assert (done.returncode, done.stdout) == (2, "")
    assert message.format(**facts) in done.stderr
    assert len(done.stderr.splitlines()) == 1


async def test_a_backup_while_playing_is_whole_and_restored_and_a_second_server_is_refused(
    tmp_path: Path,
) -> None:
    folder, copy = tmp_path / "data", tmp_path / "games.backup"
    with RunningServer(folder) as server:
        games = [new_client_game(server, seed) for seed in range(2)]
        playing = [asyncio.create_task(play_on(server, game, 0.02)) for game in games]
        while sum(len(game.acknowledged) for game in games) < 10:
            await asyncio.sleep(0.01)
        done = await asyncio.to_thread(hnefi_process, "backup", copy, "--data", folder)
        await asyncio.gather(*playing)
        assert done.returncode == 0, done.stderr
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert hnefi("backup", copy, "--data", folder).returncode == 2
        nowhere = hnefi("backup", tmp_path / "nowhere" / "copy", "--data", folder)
        assert nowhere.stderr.startswith(f"{tmp_path / 'nowhere' / 'copy'} cannot be written")
        used = hnefi("restore", copy, "--data", folder, "--replace")
        assert (used.returncode, "Another server" in used.stderr) == (2, True)
        second = await asyncio.to_thread(hnefi_process, "serve", "--port", free_port(), "--data", folder)
        # Nobody is told of an address at which nothing is.
        assert (second.returncode, second.stdout) == (2, "")
        assert second.stderr.startswith("Another server")
        server.kill()
    check(folder, games)
    before = events_of(folder / "games.db")
    assert hnefi("restore", copy, "--data", folder).returncode == 2
    assert hnefi("restore", copy, "--data", folder, "--replace").returncode == 0
    after = events_of(folder / "games.db")
    assert 0 < len(after) <= len(before)
    assert after == [row for row in before if row in set(after)]
    with RunningServer(folder) as again:
        for game in games:
            HttpClient(again.address, game.tokens[0]).request("GET", f"/api/games/{game.id}")


def events_of(path: Path) -> list[tuple[object, ...]]:
    """Returns the events that a database holds."""
    return execute(path, "SELECT game, seq, message, body FROM event ORDER BY game, seq")


@pytest.mark.parametrize(
    ("failure", "why"),
    [
        (
            PermissionError(errno.EACCES, "no", "{file}.lock"),
            "{file}.lock cannot be written: access is denied",
        ),
        (sqlite3.SQLITE_CANTOPEN, "{file} cannot be read: access is denied"),
        (sqlite3.SQLITE_FULL, "{file} cannot be written: the disk is full"),
    ],
)
def test_a_start_that_the_system_refuses_says_what_and_why(
    tmp_path: Path, failure: OSError | int, why: str
) -> None:
    settings = Settings(folder=tmp_path)
    file = (tmp_path / "games.db").resolve()
    if isinstance(failure, int):
        error: Exception = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorcode = failure  # type: ignore[attr-defined]
    else:
        error = PermissionError(failure.errno, failure.strerror, failure.filename.format(file=file))
    with language_of_run("en"):
        assert error_text(_start_error(error, settings)) == f"{why.format(file=file)}."
