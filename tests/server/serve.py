"""Runs a server for tests: `python -m tests.server.serve SETTINGS`, with the settings as JSON."""

import json
import sys
from pathlib import Path

from hnefi.server.running import run_server
from hnefi.server.settings import Settings

if __name__ == "__main__":
    words = json.loads(sys.argv[1])
    words["folder"] = Path(words["folder"])
    words = {key: tuple(value) if isinstance(value, list) else value for key, value in words.items()}
    run_server(Settings(**words))
