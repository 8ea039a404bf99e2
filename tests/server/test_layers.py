"""What is not imported: web frameworks by games and workers, and by a server what its workers use."""

import subprocess
import sys
from pathlib import Path

import pytest

from hnefi.server.store import Store
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
    several = ("psycopg", "hnefi.server.games.sharing", "hnefi.server.store.notices")
    script = (
        "import sys, hnefi.server.running\n"
        "from hnefi.server.store import Store\n"
        f"Store({sqlite_url(tmp_path / 'games.db')!r}).close()\n"
        f"print([name for name in {several!r} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_a_start_imports_neither_migrations_nor_what_workers_use(tmp_path: Path) -> None:
    """A start on a database that is current takes a third of the time it would take with them."""
    url = sqlite_url(tmp_path / "games.db")
    Store(url).close()
    later = (
        *("alembic", "jinja2", "PIL", "resvg_py", "segno", "typst"),
        *(f"hnefi.{name}" for name in ("diagram", "examples", "formats", "lessons", "library", "paper")),
        *("hnefi.puzzles", "hnefi.words", "hnefi.server.pages.content", "hnefi.server.rules_editor.editing"),
    )
    script = (
        "import sys, hnefi.cli.serve, hnefi.server.running\n"
        "from hnefi.server.app import create_app\n"
        "from hnefi.server.settings import Settings\n"
        "from hnefi.server.store import Store\n"
        "create_app(Settings())\n"
        f"Store({url!r}).close()\n"
        f"print([name for name in {later!r} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("module", "others"),
    [
        ("hnefi.server.pages.worker", ("pydantic", "hnefi.formats")),
        ("hnefi.server.pages.prints", ("pydantic", "jinja2", "hnefi.server.pages.content")),
        ("hnefi.server.rules_editor.worker", ("jinja2", "hnefi.examples")),
        ("hnefi.workers.pictures", ("pydantic", "jinja2", "PIL")),
        ("hnefi.workers.drawings", ("pydantic", "jinja2", "hnefi.diagram")),
    ],
)
def test_workers_import_neither_web_framework_nor_database(module: str, others: tuple[str, ...]) -> None:
    server = (
        "sqlalchemy",
        "structlog",
        "prometheus_client",
        "hnefi.server.service",
        "hnefi.server.games.rooms",
    )
    script = (
        f"import sys, {module} as worker\n"
        "with worker._handler(): pass\n"
        f"print([name for name in {(*WEB[:-1], *server, *others)!r} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
