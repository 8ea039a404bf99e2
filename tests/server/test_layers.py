"""What is not imported: web frameworks by games and workers, and by a server what its workers use."""

import subprocess
import sys
from pathlib import Path

import pytest

from hnefi.server.store.database import sqlite_url
from hnefi.server.store.store import Store

WEB = ("fastapi", "starlette", "uvicorn", "websockets", "jinja2")
SERVER = ("sqlalchemy", "prometheus_client", "hnefi.server.service", "hnefi.server.games.rooms")
NO_SERVER = (*WEB[:-1], *SERVER)
OPENED = "from hnefi.server.store.store import Store; Store({url!r}).open().close()"
ANSWERING = "import {} as worker\nwith worker._handler(): pass"
# A start on a database that is current takes a third of the time it would take with these.
LATER = (
    *("alembic", "jinja2", "PIL", "resvg_py", "segno", "typst"),
    *(f"hnefi.{name}" for name in ("diagram", "examples", "formats", "lessons", "library", "paper")),
    *("hnefi.puzzles", "hnefi.words", "hnefi.server.pages.contents", "hnefi.server.rules_editor.editing"),
)
SEVERAL_PROCESSES = ("psycopg", "hnefi.server.games.sharing", "hnefi.server.store.notices")
STARTED = (
    "import hnefi.cli.serve, hnefi.server.running\n"
    "from hnefi.server.app import create_app\n"
    "from hnefi.server.settings import Settings\n"
    "create_app(Settings())\n"
)


@pytest.mark.parametrize(
    ("script", "unwanted"),
    [
        ("import hnefi.server.games.rooms, hnefi.server.store.store, hnefi.server.messages.socket", WEB),
        (STARTED + OPENED, (*LATER, *SEVERAL_PROCESSES)),
        (ANSWERING.format("hnefi.server.pages.worker"), (*NO_SERVER, "pydantic", "hnefi.formats")),
        (
            ANSWERING.format("hnefi.server.pages.prints"),
            (*NO_SERVER, "pydantic", "jinja2", "hnefi.server.pages.contents"),
        ),
        (ANSWERING.format("hnefi.server.rules_editor.worker"), (*NO_SERVER, "jinja2", "hnefi.examples")),
        (
            ANSWERING.format("hnefi.workers.pictures"),
            (*NO_SERVER, "pydantic", "jinja2", "PIL", "hnefi.diagram"),
        ),
    ],
    ids=["games", "start", "pages", "prints", "rules", "pictures"],
)
def test_only_what_is_needed_is_imported(script: str, unwanted: tuple[str, ...], tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "games.db")
    Store(url).open().close()
    code = f"{script.format(url=url)}\nimport sys\nprint([one for one in {unwanted!r} if one in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
