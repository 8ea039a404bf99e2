"""Processes that play games: several at once, none left behind when the one that started them is gone."""

import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import NoReturn, Self

from hnefi.errors import HnefiError
from hnefi.lab.faults import lab_error
from hnefi.lab.games import Experiment, PlayedGame, Task, play_game
from hnefi.lab.players import Player

__all__ = ["Crew"]

# An idle process leaves by itself, one that plays would first finish its game.
_GRACE_S = 0.5
_PATIENCE_S = 5


class Crew:
    """Some processes, each with its own two players, that play the games they are given.

    A process ends when the other end of its pipe is closed, so also when this process is killed.
    """

    def __init__(self, experiment: Experiment, jobs: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._hands: dict[Connection, SpawnProcess] = {}
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, experiment), daemon=True)
            process.start()
            theirs.close()
            self._hands[ours] = process

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the processes; those that still play are stopped."""
        for hand in self._hands:
            hand.close()
        deadline = time.monotonic() + _GRACE_S
        for process in self._hands.values():
            process.join(max(deadline - time.monotonic(), 0))
        for process in self._hands.values():
            process.terminate()
        for process in self._hands.values():
            process.join(_PATIENCE_S)
            if process.is_alive():
                process.kill()
                process.join()

    def play(self, tasks: Iterator[Task]) -> Iterator[PlayedGame]:
        """Gives games as they are finished; takes a task only when a process has nothing to do.

        Raises:
            HnefiError: If a player cannot be made.
            LabError: `lost_process`.
        """
        busy = [hand for hand in self._hands if _give(hand, tasks)]
        while busy:
            for hand in wait(busy):
                assert isinstance(hand, Connection)
                found = self._take(hand)
                if not _give(hand, tasks):
                    busy.remove(hand)
                yield found

    def _take(self, hand: Connection) -> PlayedGame:
        try:
            found = hand.recv()
        except (EOFError, OSError):
            self._hands[hand].join(_PATIENCE_S)
            raise lab_error("lost_process", status=self._hands[hand].exitcode) from None
        if isinstance(found, HnefiError):
            raise found
        assert isinstance(found, PlayedGame)
        return found


def _give(hand: Connection, tasks: Iterator[Task]) -> bool:
    """Sends the next task, and tells whether there was one."""
    task = next(tasks, None)
    if task is not None:
        with suppress(OSError):  # a process that is gone shows when its result is taken
            hand.send(task)
    return task is not None


def _work(orders: Connection, experiment: Experiment) -> None:
    """Plays what it is told, in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    players: list[Player] = []
    try:
        with suppress(EOFError, OSError):
            while True:
                task = orders.recv()
                try:
                    players = players or [experiment.first.make(), experiment.second.make()]
                    found: PlayedGame | HnefiError = play_game(experiment, task, (players[0], players[1]))
                except HnefiError as error:
                    found = error
                orders.send(found)
    finally:
        for player in players:
            player.close()


def _leave(*_: object) -> NoReturn:
    sys.exit(0)
