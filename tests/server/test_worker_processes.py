"""The workers of a server as the processes that they are: each kind answers, dies, and is started again."""

import multiprocessing
import os
import signal
from typing import Any

import pytest
from starlette.testclient import TestClient

from hnefi.workers.worker import Worker, WorkerExited
from tests.server.clients import two_at_a_game
from tests.server.test_rules_api import ask, example_of

pytestmark = pytest.mark.worker_processes


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were started since the beginning of the test."""
    pids: list[int] = []
    make = Worker.__init__

    def note(worker: Worker, *args: object, **settings: object) -> None:
        make(worker, *args, **settings)  # type: ignore[arg-type]
        assert worker.process.pid is not None
        pids.append(worker.process.pid)

    monkeypatch.setattr(Worker, "__init__", note)
    return pids


def is_running(pid: int) -> bool:
    return pid in {child.pid for child in multiprocessing.active_children()}


def test_a_page_is_rendered_by_a_process(server: TestClient, started: list[int]) -> None:
    assert "Brandub" in server.get("/en/rules/brandub-globe").text
    assert len(started) >= 1
    os.kill(started[0], signal.SIGKILL)
    assert "Tablut" in server.get("/en/rules/tablut-geoludie").text
    assert not is_running(started[0])


def test_a_booklet_is_printed_by_a_process(server: TestClient, started: list[int]) -> None:
    assert server.get("/en/rules/ard-ri-globe/booklet.pdf").content.startswith(b"%PDF")
    assert len(started) == 1
    assert is_running(started[0])


def test_a_picture_is_drawn_by_a_process_of_its_own(server: TestClient, started: list[int]) -> None:
    game, *_ = two_at_a_game(server)
    for kind, head in (("png", b"\x89PNG"), ("gif", b"GIF8")):
        assert server.get(f"/api/games/{game}/picture.{kind}").content.startswith(head)
    assert len(started) >= 1


def test_an_example_is_found_by_a_process_which_is_started_again(
    server: TestClient, started: list[int]
) -> None:
    assert example_of(server, "tablut-kouvia", "goal")
    os.kill(started[-1], signal.SIGKILL)
    assert example_of(server, "tablut-kouvia", "goal")
    assert len(started) == 2


def test_a_process_that_ends_each_time_is_not_started_for_ever(
    server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[None] = []

    def broken(*_: object) -> object:
        begun.append(None)
        raise WorkerExited("lost_process", "lost_process")

    with monkeypatch.context() as patch:
        patch.setattr(Worker, "run", broken)
        answer = server.post("/api/rules/example", json={"variant": "tablut-kouvia", "leaf": "goal"})
    assert (answer.status_code, answer.json()["code"]) == (503, "engine_busy")
    assert len(begun) == 2
    assert example_of(server, "tablut-kouvia", "goal")


def test_the_editor_starts_the_process_that_describes_rules_before_anybody_asks(
    server: TestClient, started: list[int]
) -> None:
    worker: Any = server.app.state.service.rules._worker  # type: ignore[attr-defined]
    before = worker.pid
    assert server.get("/en/rules/new").status_code == 200
    prepared = worker.pid
    assert ask(server, "brandub-globe")["ok"]
    assert before is None
    assert prepared in started
    assert worker.pid == prepared
