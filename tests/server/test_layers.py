"""What is not imported: web frameworks by games, and the parts of several processes by a single one."""

import subprocess
import sys
from pathlib import Path

from hnefi.server.store.database import sqlite_url

WEB = ("fastapi", "starlette", "uvicorn", "websockets", "jinja2")


def test_games_and_store_import_no_web_framework() -> None:
    script = (
        "import sys, hnefi.server.games.rooms, hnefi.server.store, hnefi.server.messages.socket\n"
        f"print([name for name in {WEB!r} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_one_process_imports_nothing_of_several(tmp_path: Path) -> None:
    """A server without a bus starts as quickly as if there were no other."""
    store = "hnefi.server.store"
    several = ("redis", "psycopg", "hnefi.server.cluster", f"{store}.lease", f"{store}.leases")
    script = (
        "import sys, hnefi.server.running\n"
        "from hnefi.server.store import Store\n"
        f"Store({sqlite_url(tmp_path / 'games.db')!r}).close()\n"
        f"print([name for name in {several!r} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_a_server_of_one_process_imports_nothing_of_several() -> None:
    script = (
        "import sys, hnefi.cli.serve, hnefi.server.running\n"
        "print([name for name in sys.modules if 'redis' in name or name.startswith('hnefi.server.cluster')])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
