"""Searches as jobs: what an engine is asked, how long it may take, and its reports."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from hnefi._core import CalledGame, Game
from hnefi.engine import Clock, level
from hnefi.workers.fair_queue import Owner

_PLAY_S = 30.0
_GRACE_S = 3.0
_LEAST_MS = 200.0
"""With less time left, a paused search is not continued."""

_NODES_PER_MS = 1_000
_OVERHEAD_MS = 5.0


@dataclass(frozen=True, slots=True)
class AnalysisReport:
    """A report of an analysis; better reports follow until one is final."""

    lines: list[dict[str, Any]]
    depth: int
    deepest: int
    nodes: int
    time_ms: int
    final: bool


@dataclass(frozen=True, slots=True)
class Queued:
    """An analysis that has to wait, with its place in the queue, from 1."""

    position: int


class SearchKind(IntEnum):
    """The kinds of searches; the lower one comes first."""

    OPPONENT = 0
    ANALYSIS = 1


SHORT_MS = 500.0
"""The highest estimate of a short search."""


@dataclass(eq=False, slots=True)
class Search:
    """A search as a job.

    Attributes:
        body: What an engine process is sent; `request` adds the times. The pool adds the key `id`.
        cost_ms: How long it will still take, estimated.
        left_ms: The time that is left to it, None if something else than time limits it. Only a search with
            a time can be paused: it goes on with what the transposition table holds.
        interrupt: Ends the search early, while it runs; its next answer is the last.
        queued_s: When it was queued.
        charged_ms: What its owner was charged when it began.
        depth: The depth of the reports until now.
        nodes: The nodes of the reports until now.
        used_ms: The time before it was paused.
    """

    kind: SearchKind
    body: dict[str, Any]
    owner: Owner
    cost_ms: float
    left_ms: float | None = None
    answers: "asyncio.Queue[dict[str, Any]]" = field(default_factory=asyncio.Queue)
    interrupt: Callable[[], None] | None = None
    is_abandoned: bool = False
    is_paused: bool = False
    queued_s: float = 0.0
    charged_ms: float = 0.0
    depth: int = 0
    nodes: int = 0
    used_ms: int = 0

    @classmethod
    def for_opponent(
        cls, game: CalledGame, strength: int, seed: str, left_ms: int | None, owner: Owner
    ) -> "Search":
        """Creates the search of a computer opponent's move."""
        body = {**_position(game.game), "kind": "play", "level": strength, "seed": seed, "left_ms": left_ms}
        if game.must_replay is not None:
            body["allowed"] = [str(move) for move in game.legal_moves()]
        time_ms = float(level(strength).time_ms) or None
        if time_ms is None:
            cost_ms = _OVERHEAD_MS + level(strength).nodes / _NODES_PER_MS
        else:
            cost_ms = time_ms = time_ms if left_ms is None else min(time_ms, Clock(left_ms).usual_ms)
        return cls(SearchKind.OPPONENT, body, owner, cost_ms, time_ms)

    @classmethod
    def for_analysis(cls, game: Game, lines: int, time_ms: int, owner: Owner) -> "Search":
        """Creates an analysis."""
        body = {**_position(game), "kind": "analyse", "lines": lines}
        return cls(SearchKind.ANALYSIS, body, owner, time_ms, time_ms)

    @property
    def is_short(self) -> bool:
        """Whether every worker may take it."""
        return self.cost_ms <= SHORT_MS

    @property
    def can_pause(self) -> bool:
        """Whether it can be stopped and continued later."""
        return self.left_ms is not None and not (self.is_abandoned or self.is_paused)

    @property
    def timeout_s(self) -> float:
        """After which time an engine process without answer is ended."""
        if self.kind is SearchKind.OPPONENT or self.left_ms is None:
            return _PLAY_S
        return self.left_ms / 1000 + _GRACE_S

    def abandon(self) -> None:
        """Marks the search as abandoned by its client, and interrupts it."""
        self.is_abandoned = True
        if self.interrupt is not None:
            self.interrupt()

    def pause(self) -> None:
        """Interrupts the search, to be continued later."""
        self.is_paused = True
        if self.interrupt is not None:
            self.interrupt()

    def fail(self, code: str) -> None:
        """Answers with an error."""
        self.answers.put_nowait({"error": code, "final": True})

    def request(self, now_s: float) -> dict[str, Any]:
        """Returns what an engine process is sent now."""
        body = dict(self.body)
        if self.left_ms is not None:
            body["time_ms"] = max(int(self.left_ms), 1)
        if body.get("left_ms") is not None:
            # A clock runs also while the search waits.
            body["left_ms"] = max(body["left_ms"] - int((now_s - self.queued_s) * 1000), 0)
        return body

    def report(self, answer: dict[str, Any], spent_ms: float) -> None:
        """Passes an answer of the process on, as if the search had never been paused.

        Args:
            spent_ms: The time since the search began, or was continued.
        """
        ends = is_last(answer)
        if ends and self.is_paused and "error" not in answer:
            assert self.left_ms is not None
            self.is_paused = self.left_ms - spent_ms >= _LEAST_MS
        ends = ends and not self.is_paused
        if "depth" in answer:
            if answer["depth"] < self.depth and not ends:
                return
            self.depth = max(self.depth, answer["depth"])
            self.nodes = max(self.nodes, answer["nodes"])
            time_ms = answer["time_ms"] + self.used_ms
            answer = {**answer, "depth": self.depth, "nodes": self.nodes, "time_ms": time_ms, "final": ends}
        elif not ends:
            return
        self.answers.put_nowait(answer)

    def continue_later(self, spent_ms: float) -> None:
        """Prepares a paused search for the time that is left."""
        assert self.left_ms is not None
        self.left_ms = self.cost_ms = self.left_ms - spent_ms
        self.used_ms += int(spent_ms)
        self.is_paused = False


def is_last(answer: dict[str, Any]) -> bool:
    """Checks whether an answer of an engine process ends its search."""
    return bool(answer.get("final") or "error" in answer)


def _position(game: Game) -> dict[str, Any]:
    return {
        "rules": game.rules.to_json(),
        "start": str(game.start),
        "moves": [str(ply.move) for ply in game.plies],
        "allowed": [],
    }
