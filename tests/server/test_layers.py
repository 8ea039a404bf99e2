"""Games, store and messages import no web framework."""

import subprocess
import sys

WEB = ("fastapi", "starlette", "uvicorn", "websockets", "jinja2")


def test_games_and_store_import_no_web_framework() -> None:
    script = (
        "import sys, hnefi.server.games.rooms, hnefi.server.store, hnefi.server.messages.socket\n"
        f"print([name for name in {WEB!r} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
