"""A temporary PostgreSQL for tests, and a PgBouncer before it."""

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from programs import find_postgres

from tests.server.serving import free_port
from tests.timeouts import timeout_s, wait_until

# PostgreSQL does not run as root.
_UNPRIVILEGED_USER = "nobody"


@contextlib.contextmanager
def running_postgres() -> Iterator[str]:
    """Runs a PostgreSQL within a `with` block; yields its URL."""
    programs = find_postgres()
    assert programs is not None, "there is no PostgreSQL: make setup installs it"
    with tempfile.TemporaryDirectory(prefix="hnefi-postgres-") as folder:
        port = free_port()
        setpriv = _without_privileges(folder)
        data = f"{folder}/data"
        made = [f"{programs}/initdb", "-D", data, "-U", "hnefi", "--auth=trust", "--no-sync", "-E", "UTF8"]
        subprocess.run([*setpriv, *made], check=True, capture_output=True, cwd=folder)
        # No test loses power, so nothing has to be on the disk.
        options = f"-p {port} -h 127.0.0.1 -c fsync=off".split()
        words = [f"{programs}/postgres", "-D", data, "-k", folder, *options]
        with (Path(folder) / "log").open("wb") as log:
            process = subprocess.Popen([*setpriv, *words], cwd=folder, stdout=log, stderr=log)
        url = f"postgresql://hnefi@127.0.0.1:{port}/postgres"
        try:
            wait_until(lambda: _answers(url), "PostgreSQL has started")
            yield url
        finally:
            # It does not wait for connections that a failed test left open.
            process.send_signal(signal.SIGINT)
            process.wait(timeout_s())


@contextlib.contextmanager
def running_pgbouncer(program: str, url: str, mode: str) -> Iterator[str]:
    """Runs a PgBouncer before a PostgreSQL within a `with` block; yields the URL that leads through it."""
    there = urlsplit(url)
    with tempfile.TemporaryDirectory(prefix="hnefi-pgbouncer-") as folder:
        port = free_port()
        settings = Path(folder) / "settings.ini"
        settings.write_text(
            f"[databases]\n* = host=127.0.0.1 port={there.port} user=hnefi\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n"
            f"unix_socket_dir =\nauth_type = any\npool_mode = {mode}\n"
        )
        setpriv = _without_privileges(folder)
        with (Path(folder) / "log").open("wb") as log:
            process = subprocess.Popen([*setpriv, program, str(settings)], cwd=folder, stdout=log, stderr=log)
        pooled = url.replace(f":{there.port}/", f":{port}/")
        try:
            wait_until(lambda: _answers(pooled), "PgBouncer has started")
            yield pooled
        finally:
            process.terminate()
            process.wait(timeout_s())


def execute(url: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Executes a statement, past the store; returns the rows that it selects."""
    with psycopg.connect(url, autocommit=True) as connection:
        done = connection.execute(statement.encode(), values or None)
        return done.fetchall() if done.description else []


def _without_privileges(folder: str) -> list[str]:
    """Returns the words that run a program as another user if this one is root, and gives it the folder."""
    if os.geteuid() != 0:
        return []
    import pwd

    user = pwd.getpwnam(_UNPRIVILEGED_USER)
    os.chown(folder, user.pw_uid, user.pw_gid)
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]


def _answers(url: str) -> bool:
    with contextlib.suppress(psycopg.OperationalError):
        psycopg.connect(url).close()
        return True
    return False
