"""Engine processes that answer on demand, so that only the order of searches counts."""

import asyncio
import json
from typing import Any, ClassVar

import pytest

from hnefi import variant
from hnefi.workers import engine_process, searches

GAME = variant("brandub-globe").new_called_game()
MOVE = str(GAME.legal_moves()[0])


class FakeProcess:
    """An engine process that ends a search only when the test says so, or when it is stopped."""

    running: ClassVar[list["FakeProcess"]] = []
    begun: ClassVar[list[str]] = []
    requests: ClassVar[list[dict[str, Any]]] = []
    stops: ClassVar[int] = 0

    def __init__(self, *_: object) -> None:
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._is_started = False
        self.job: dict[str, Any] | None = None

    async def start(self) -> bool:
        is_new, self._is_started = not self._is_started, True
        if is_new:
            self._write({"ready": True})
        return is_new

    async def send(self, message: dict[str, Any]) -> None:
        if "stop" in message:
            FakeProcess.stops += 1
            if self.job is not None and message["stop"] == self.job["id"]:
                self.finish()
            return
        self.job = message
        FakeProcess.running.append(self)
        FakeProcess.begun.append(str(message.get("seed", message["kind"])))
        FakeProcess.requests.append(message)

    async def line(self) -> bytes:
        return await self._lines.get()

    async def end(self) -> None:
        self._is_started = False

    def report(self, depth: int, *, final: bool) -> None:
        assert self.job is not None
        facts = {"lines": [], "depth": depth, "deepest": depth, "nodes": 10 * depth, "time_ms": depth}
        self._write({"id": self.job["id"], **facts, "final": final})
        if final:
            FakeProcess.running.remove(self)
            self.job = None

    def finish(self) -> None:
        assert self.job is not None
        if self.job["kind"] == "analyse":
            self.report(1, final=True)
            return
        FakeProcess.running.remove(self)
        self._write({"id": self.job["id"], "move": MOVE, "final": True})
        self.job = None

    def _write(self, message: dict[str, Any]) -> None:
        self._lines.put_nowait(json.dumps(message).encode() + b"\n")


def fake_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces the engine processes for a test."""
    monkeypatch.setattr(engine_process, "JsonProcess", FakeProcess)
    # The time that a test takes must not use up that of a search.
    monkeypatch.setattr(searches, "_LEAST_MS", -1e9)
    for name in ("running", "begun", "requests"):
        monkeypatch.setattr(FakeProcess, name, [])
    monkeypatch.setattr(FakeProcess, "stops", 0)


async def until_begun(*seeds: str) -> None:
    """Waits until exactly these searches have begun, in this order."""
    while len(FakeProcess.begun) < len(seeds):
        await asyncio.sleep(0)
    for _ in range(20):
        await asyncio.sleep(0)
    assert FakeProcess.begun == list(seeds)
