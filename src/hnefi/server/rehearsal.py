"""Rehearses a restore: a server on a copy of a backup, whose games are read and compared with the backup."""

import contextlib
import json
import multiprocessing
import os
import sqlite3
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from hnefi.errors import HnefiError, shorten
from hnefi.server.backup import restore
from hnefi.server.settings import Settings
from hnefi.server.store.database import sqlite_url
from hnefi.server.store.lock import store_error
from hnefi.server.verification import Verification
from hnefi.workers.interruption import without_interruption

__all__ = ["Difference", "Rehearsal", "rehearse"]

_READ_GAMES = 5
_START_S = 600.0
_STOP_S = 30.0
_HTTP_S = 60.0
_PAUSE_S = 0.1
_LAST_EVENTS = "SELECT game, max(seq), t_us, body FROM event GROUP BY game ORDER BY t_us DESC, game"


@dataclass(frozen=True, slots=True)
class Difference:
    """What the restored server has otherwise than the backup.

    Attributes:
        code: `not_ready`, `game_count`, `last_event`, or `game_over_http`.
        game: The game, None if it is the server itself.
        expected: What is in the backup.
        found: What the server has.
    """

    code: str
    game: str | None
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The result of a rehearsed restore.

    Attributes:
        contents: What is in the backup.
        newest_age_s: How old the newest event is; None without events.
        ready_after_s: How long the server took to be ready.
        games_read: How many games were read over HTTP.
        differences: What is different; empty after a success.
    """

    contents: Verification
    newest_age_s: float | None
    ready_after_s: float
    games_read: int
    differences: tuple[Difference, ...]

    @property
    def has_succeeded(self) -> bool:
        """Whether the backup can be relied on."""
        return not self.differences and not self.contents.damage


@dataclass(frozen=True, slots=True)
class _LastEvent:
    seq: int
    t_us: int
    body: dict[str, Any]


def rehearse(backup: Path, on_progress: Callable[[int, int], None] | None = None) -> Rehearsal:
    """Restores a backup into a temporary folder, runs a server on it without engines, and reads games.

    Args:
        backup: The backup, which is not changed.
        on_progress: Called with the number of games that are verified, and of all games.

    Raises:
        StoreError: `no_database`, `bad_database`, or `server_not_started` with the reason.
    """
    with tempfile.TemporaryDirectory(prefix="hnefi-rehearsal-") as name:
        folder = Path(name)
        file = folder / "games.db"
        contents, _ = restore(backup, sqlite_url(file), allows_damage=True, on_progress=on_progress)
        damaged = {one.game for one in contents.damage}
        expected = {game: last for game, last in _last_events(backup).items() if game not in damaged}
        began = time.monotonic()
        with _running(folder) as address:
            differences = [*_check_ready(address)]
            ready_after_s = time.monotonic() - began
            differences += _compare_stored(contents, expected, file)
            newest = list(expected.items())[:_READ_GAMES]
            for game, last in newest:
                differences += _check_game(address, game, last)
    age_s = None if contents.newest_us is None else max(time.time() - contents.newest_us / 1_000_000, 0.0)
    return Rehearsal(contents, age_s, ready_after_s, len(newest), tuple(differences))


# --- Comparing ------------------------------------------------------------------------------------------


def _last_events(file: Path) -> dict[str, _LastEvent]:
    """Returns the last event of every game, the newest first."""
    with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        rows = connection.execute(_LAST_EVENTS).fetchall()
    return {game: _LastEvent(seq, t_us, _parse(body)) for game, seq, t_us, body in rows}


def _parse(body: str) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _compare_stored(
    contents: Verification, expected: dict[str, _LastEvent], file: Path
) -> Iterator[Difference]:
    """Compares the database of the running server with the backup; the server may have added events."""
    with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        (games,) = connection.execute("SELECT count(*) FROM game").fetchone()
        if games != contents.games:
            yield Difference("game_count", None, str(contents.games), str(games))
        for game, last in expected.items():
            row = connection.execute(
                "SELECT t_us, body FROM event WHERE game = ? AND seq = ?", (game, last.seq)
            ).fetchone()
            if row is None or (row[0], _parse(row[1])) != (last.t_us, last.body):
                yield Difference("last_event", game, str(last.seq), shorten(row))


def _check_ready(address: str) -> Iterator[Difference]:
    status, _ = _get(f"{address}/api/ready")
    if status != 200:
        yield Difference("not_ready", None, "200", str(status))


def _check_game(address: str, game: str, last: _LastEvent) -> Iterator[Difference]:
    """Reads a game, and compares it with its last event in the backup."""
    status, text = _get(f"{address}/api/games/{game}")
    if status != 200:
        yield Difference("game_over_http", game, "200", str(status))
        return
    view = json.loads(text)
    # The server may have added events, such as the end of somebody's time.
    if view["seq"] < last.seq:
        yield Difference("game_over_http", game, str(last.seq), str(view["seq"]))
    elif view["seq"] == last.seq and last.body.get("kind") == "moved":
        move = view["legs"][-1]["plies"][-1]["move"]
        if move != last.body["move"]:
            yield Difference("game_over_http", game, last.body["move"], move)


def _get(url: str) -> tuple[int, str]:
    """Sends a request to the own server, past any proxy; returns the status and the body."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=_HTTP_S) as answer:
            return int(answer.status), answer.read().decode("utf-8")
    except urllib.error.HTTPError as error:
        with error:
            return error.code, ""
    except OSError as error:
        return 0, str(error)


# --- The server -----------------------------------------------------------------------------------------


@contextlib.contextmanager
def _running(folder: Path) -> Iterator[str]:
    """Runs a server on a folder, in a process of its own on any free port; yields its address.

    Raises:
        StoreError: `server_not_started`.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(folder, theirs), daemon=True)
    with without_interruption():
        process.start()
    theirs.close()
    try:
        is_there = bool(wait([ours, process.sentinel], _START_S)) and ours.poll(_PAUSE_S)
        answer = ours.recv() if is_there else f"exit code {process.exitcode}"
        if not isinstance(answer, int):
            raise store_error("server_not_started", path=folder, why=shorten(answer, 200))
        yield f"http://127.0.0.1:{answer}"
    except EOFError:
        raise store_error("server_not_started", path=folder, why=f"exit code {process.exitcode}") from None
    finally:
        process.terminate()
        process.join(_STOP_S)
        if process.is_alive():
            process.kill()
            process.join()


def _serve(folder: Path, answers: Connection) -> None:
    """Runs the server; answers with its port, or with the reason why it does not start."""
    from hnefi.server.running import listen, run_server

    # Its log would be mixed with the output of the command.
    with (folder / "log").open("wb") as log:
        os.dup2(log.fileno(), 2)
    try:
        listening = listen("127.0.0.1", 0)
        port = listening.getsockname()[1]
        settings = Settings(folder=folder, engine_workers=0)
        run_server(settings, listening, on_ready=lambda: answers.send(port))
    except (HnefiError, OSError) as error:
        answers.send(str(error))
