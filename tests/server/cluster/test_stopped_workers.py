"""Real processes that are stopped and continued while they write: nothing of a former owner is stored."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg

from hnefi.server.store import Store
from tests.server.cluster import moving_worker
from tests.server.test_store import new
from tests.timeouts import wait_until

ROOT = Path(__file__).parents[3]


class Process:
    """A process that adds events to the game."""

    def __init__(self, url: str, log: Path) -> None:
        self._log = log
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), *sys.path))}
        words = [sys.executable, moving_worker.__file__, url]
        with log.open("wb") as out:
            self.process = subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT, env=environment)

    @property
    def lines(self) -> list[list[str]]:
        """The lines that it has written completely."""
        whole, _, _ = self._log.read_text("utf-8").rpartition("\n")
        return [words for line in whole.splitlines() if (words := line.split())]

    @property
    def stored(self) -> dict[str, int]:
        """The events that were acknowledged, by their messages."""
        return {line[2]: int(line[1]) for line in self.lines if line[0] == "stored"}

    def wait_for_more(self, number: int) -> None:
        """Waits until it has stored more events."""
        before = len(self.stored)
        wait_until(lambda: len(self.stored) >= before + number, f"more events in {self._log.name}")

    @property
    def losses(self) -> int:
        return sum(line == ["lost"] for line in self.lines)


@contextlib.contextmanager
def two_processes(url: str, folder: Path) -> Iterator[list[Process]]:
    """Runs two processes within a `with` block; the second one when the first one has stored something."""

    async def create() -> None:
        store = Store(url)
        await store.write(new(moving_worker.GAME))
        store.close()

    asyncio.run(create())
    processes: list[Process] = []
    try:
        for number in range(2):
            processes.append(Process(url, folder / f"worker{number}"))
            if number == 0:
                processes[0].wait_for_more(20)
        yield processes
    finally:
        for one in processes:
            one.process.kill()
            one.process.wait()


def owner_of(url: str) -> str:
    """Returns the id of the worker that added the last event."""
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT message FROM event ORDER BY seq DESC LIMIT 1").fetchall()
    return str(rows[0][0]).partition("-")[0]


def wait_for_more(processes: list[Process]) -> None:
    """Waits until any of them has stored more events."""
    number = sum(len(one.stored) for one in processes)
    wait_until(lambda: sum(len(one.stored) for one in processes) > number + 5, "more events")


def check_events(url: str, processes: list[Process]) -> list[str]:
    """Checks that there is no gap, and that every acknowledged event is stored; returns who added each."""
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT seq, message FROM event ORDER BY seq").fetchall()
    assert [seq for seq, _ in rows] == list(range(1, len(rows) + 1))
    kept = {message: seq for seq, message in rows}
    for one in processes:
        assert {message: kept.get(message) for message in one.stored} == one.stored
    return [message.partition("-")[0] for _, message in rows if message]


def test_a_stopped_worker_loses_its_games_and_stores_nothing_more(database_url: str, tmp_path: Path) -> None:
    with two_processes(database_url, tmp_path) as processes:
        for _ in range(3):
            ids = {message.partition("-")[0]: one for one in processes for message in one.stored}
            owner = ids[owner_of(database_url)]
            (other,) = [one for one in processes if one is not owner]
            owner.process.send_signal(signal.SIGSTOP)
            other.wait_for_more(20)
            losses = owner.losses
            owner.process.send_signal(signal.SIGCONT)
            wait_until(lambda owner=owner, losses=losses: owner.losses > losses, "the loss")  # type: ignore[misc]
            wait_for_more(processes)
    owners = check_events(database_url, processes)
    # Workers follow one another: none comes back under its id. A busy machine may suspend one more often.
    changes = [worker for worker, before in zip(owners, [None, *owners], strict=False) if worker != before]
    assert len(changes) == len(set(changes)) >= 4
