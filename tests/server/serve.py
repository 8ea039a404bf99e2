"""Runs a server for tests: `python -m tests.server.serve SETTINGS`, with the settings as JSON.

Two words are for trouble: `checkpoint_pages` has SQLite copy its log back so often, and `spare_bytes` lets
files grow by no more than that, as on a disk that is nearly full.
"""

import json
import signal
import sys
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from hnefi.server.running import run_server
from hnefi.server.settings import Settings


def checkpoint_after(pages: int) -> None:
    """Has SQLite copy its log back after so many pages."""

    @event.listens_for(Engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.execute(f"PRAGMA wal_autocheckpoint={pages}")


def fill_disk(folder: Path, spare: int) -> None:
    """Lets no file grow beyond the largest there is, and a little more."""
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    largest = max((path.stat().st_size for path in folder.iterdir()), default=0) + spare
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))


if __name__ == "__main__":
    words = json.loads(sys.argv[1])
    words["folder"] = Path(words["folder"])
    if (pages := words.pop("checkpoint_pages", None)) is not None:
        checkpoint_after(pages)
    if (spare := words.pop("spare_bytes", None)) is not None:
        fill_disk(words["folder"], spare)
    run_server(Settings(**words))
