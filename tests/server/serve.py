"""Runs a server for tests: `python -m tests.server.serve SETTINGS`, with the settings as JSON.

Without an argument it loads the server, and then forks a process for each that a line of its input asks for.

Besides the settings, some words are for trouble: `checkpoint_pages` has SQLite copy its log back so often,
no file may grow beyond `largest_file` bytes, as if the disk were full, after `away_s` seconds the game of
somebody who has left may be claimed, slow clients are disconnected after `http_timeouts_s` seconds and
refused WebSockets after `close_s`, lists of people are read again after `people_fresh_s`, and `clock_error`
is a file with the seconds by which the clock of the machine is wrong.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from hnefi.workers.collector import without_collector

_PR_SET_PDEATHSIG = 1

# The worker processes of the server import this module: it imports the server only where it is used.


def end_with_parent() -> None:
    """Has this process killed when the tests that started it end, even if they are killed."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def checkpoint_after(pages: int) -> None:
    """Has SQLite copy its log back after so many pages."""
    from sqlalchemy import Engine, event

    @event.listens_for(Engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.execute(f"PRAGMA wal_autocheckpoint={pages}")


def fill_disk(largest: int) -> None:
    """Limits the size of files."""
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))


def raise_engine_timeouts() -> None:
    """Raises the timeouts of engine workers, since tests may run on a busy machine."""
    from hnefi.workers import engine_process, searches
    from tests.timeouts import timeout_s

    searches._GRACE_S = engine_process._STOP_S = engine_process._START_S = timeout_s()


def set_clock(error: Path) -> None:
    """Has the clock of the machine be wrong by the seconds in a file, which may change."""
    right = time.time_ns
    time.time_ns = lambda: right() + int(error.read_text()) * 1_000_000_000


def forked() -> dict[str, Any]:
    """Answers requests until the input ends; returns the settings of a server in the process that is for it.

    A request is an object with `wait`, the id of a process whose exit code is asked for, or with the
    `settings`, the `log` and the `environment` of a new process.
    """
    import hnefi.server.app  # noqa: F401

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while line := sys.stdin.readline():
        asked = json.loads(line)
        if "wait" in asked:
            pid, status = os.waitpid(asked["wait"], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if pid else None
        elif (answer := os.fork()) == 0:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            for descriptor, path in enumerate((os.devnull, os.devnull, asked["log"])):
                opened = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
                os.dup2(opened, descriptor)
                os.close(opened)
            os.environ.clear()
            os.environ.update(asked["environment"])
            settings: dict[str, Any] = asked["settings"]
            return settings
        print(json.dumps(answer), flush=True)
    sys.exit()


def main() -> None:
    """Runs the server until it is stopped."""
    with without_collector():  # as `hnefi serve` does
        import hnefi.server.running  # noqa: F401
    from hnefi.server import people
    from hnefi.server.config_file import access_keys
    from hnefi.server.games import commands
    from hnefi.server.games.clocks import SECOND_US
    from hnefi.server.http import protocol
    from hnefi.server.settings import Settings
    from hnefi.server.sockets import socket

    words = json.loads(sys.argv[1]) if len(sys.argv) > 1 else forked()
    end_with_parent()
    raise_engine_timeouts()
    words["folder"] = Path(words["folder"])
    words["keys"] = access_keys(words.get("keys", ()))
    if "library" in words:
        words["library"] = Path(words["library"])
    if (clock_error := words.pop("clock_error", None)) is not None:
        set_clock(Path(clock_error))
    if (pages := words.pop("checkpoint_pages", None)) is not None:
        checkpoint_after(pages)
    if (largest := words.pop("largest_file", None)) is not None:
        fill_disk(largest)
    if (away_s := words.pop("away_s", None)) is not None:
        commands.AWAY_US = away_s * SECOND_US
    if (seconds := words.pop("http_timeouts_s", None)) is not None:
        protocol._HEAD_S = protocol._BODY_S = protocol._STALL_S = seconds
        # uvicorn takes this one from its own settings.
        idle = property(lambda _: seconds, lambda *_: None)
        setattr(protocol.HttpProtocol, "timeout_keep_alive", idle)  # noqa: B010
    if (seconds := words.pop("close_s", None)) is not None:
        socket.CLOSE_S = seconds
    if (seconds := words.pop("people_fresh_s", None)) is not None:
        people._FRESH_S = seconds
    settings = Settings(**words)
    from hnefi.server.running import run_engines, run_server

    if settings.engines_only:
        run_engines(settings, lambda: None)
    else:
        run_server(settings)


if __name__ == "__main__":
    main()
