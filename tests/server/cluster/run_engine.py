"""Runs an engine worker for tests: `python -m tests.server.cluster.run_engine SETTINGS`, with JSON.

It looks for jobs of dead workers more often than usual, and has more time for its processes.
"""

import json
import sys
from pathlib import Path
from typing import Any

from hnefi.server.cluster import engine_worker
from hnefi.server.running_worker import run_worker
from hnefi.server.settings import Settings
from tests.server.serve import raise_engine_timeouts

if __name__ == "__main__":
    values: dict[str, Any] = json.loads(sys.argv[1])
    raise_engine_timeouts()
    engine_worker._BEAT_S, engine_worker._LOOK_S, engine_worker._IDLE_S = 0.2, 0.2, 1.5
    run_worker(Settings(**{**values, "folder": Path(values["folder"]), "role": "engine"}), lambda: None)
