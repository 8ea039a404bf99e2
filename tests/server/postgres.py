"""A temporary PostgreSQL for tests."""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg

from tests.server.serving import free_port
from tests.timeouts import TIMEOUT_S, wait_until

__all__ = ["find_postgres", "running_postgres"]

# PostgreSQL does not run as root.
_UNPRIVILEGED_USER = "nobody"


def find_postgres() -> Path | None:
    """Finds the folder of the programs, installing them where that is possible."""
    found = _programs()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        words = ["apt-get", "install", "-y", "--no-install-recommends", "postgresql"]
        subprocess.run(words, check=False, capture_output=True)
        found = _programs()
    return found


def _programs() -> Path | None:
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if (initdb := shutil.which("initdb")) is not None:
        folders.append(Path(initdb).parent)
    whole = (folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists())
    return next(whole, None)


@contextlib.contextmanager
def running_postgres(programs: Path) -> Iterator[str]:
    """Runs a PostgreSQL within a `with` block; yields its URL."""
    with tempfile.TemporaryDirectory(prefix="hnefi-postgres-") as folder:
        port = free_port()
        setpriv: list[str] = []
        if os.geteuid() == 0:
            user = pwd.getpwnam(_UNPRIVILEGED_USER)
            os.chown(folder, user.pw_uid, user.pw_gid)
            setpriv = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        data = f"{folder}/data"
        made = [f"{programs}/initdb", "-D", data, "-U", "hnefi", "--auth=trust", "--no-sync", "-E", "UTF8"]
        subprocess.run([*setpriv, *made], check=True, capture_output=True, cwd=folder)
        words = [f"{programs}/postgres", "-D", data, "-p", str(port), "-k", folder, "-h", "127.0.0.1"]
        with (Path(folder) / "log").open("wb") as log:
            process = subprocess.Popen([*setpriv, *words], cwd=folder, stdout=log, stderr=log)
        url = f"postgresql://hnefi@127.0.0.1:{port}/postgres"
        try:
            wait_until(lambda: _answers(url), "PostgreSQL has started")
            yield url
        finally:
            process.terminate()
            process.wait(TIMEOUT_S)


def _answers(url: str) -> bool:
    with contextlib.suppress(psycopg.OperationalError):
        psycopg.connect(url).close()
        return True
    return False
