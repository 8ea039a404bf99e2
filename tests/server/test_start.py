"""A start of the server waits for nothing: neither the command nor the application sleeps."""

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hnefi.server.service import Service
from hnefi.server.settings import Settings
from tests.server.serving import answers, free_port
from tests.timeouts import timeout_s, wait_until

SCRIPT = """
import json, sys, threading, time
asked = []

def sleep(seconds):
    if threading.current_thread() is threading.main_thread():
        asked.append(seconds)

time.sleep = sleep
from hnefi.cli import main
try:
    main()
finally:
    print(json.dumps(asked))
"""


def test_the_command_does_not_sleep_until_it_serves(tmp_path: Path) -> None:
    port = free_port()
    words = ["serve", "--port", str(port), "--data", str(tmp_path), "--lang", "en"]
    command = [sys.executable, "-c", SCRIPT, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            wait_until(
                lambda: process.poll() is not None or answers(f"http://127.0.0.1:{port}") == 200,
                "the server is ready",
            )
            process.send_signal(signal.SIGTERM)
            out, _ = process.communicate(timeout=timeout_s())
        finally:
            process.kill()
    assert process.returncode == 0
    assert json.loads(out.splitlines()[-1]) == []


def test_the_application_does_not_sleep_until_it_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []
    sleep = asyncio.sleep

    async def start() -> None:
        starting = asyncio.current_task()

        async def note(seconds: float, result: object = None) -> object:
            if asyncio.current_task() is starting and seconds > 0:
                asked.append(seconds)
            return await sleep(seconds, result)

        monkeypatch.setattr(asyncio, "sleep", note)
        service = Service(Settings(folder=tmp_path))
        await service.start()
        monkeypatch.setattr(asyncio, "sleep", sleep)
        await service.stop()

    asyncio.run(start())
    assert asked == []
