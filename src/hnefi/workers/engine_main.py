"""The engine worker: reads jobs from its input, one JSON object a line, and writes moves and analyses.

It runs with low priority and limited memory.
"""

import json
import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from queue import SimpleQueue
from typing import Any

from hnefi._core import Game, Move, Rules, Setup
from hnefi.engine import Analysis, Clock, Engine, Limit, level
from hnefi.errors import HnefiError
from hnefi.workers.limits import Limits, limit_process

_MAX_LINE = 1_000_000


def main() -> int:
    """Answers one job after the other until the input ends."""
    table_mib, memory_mib = int(sys.argv[1]), int(sys.argv[2])
    limit_process(Limits(memory_mib))
    engine = Engine(table_mib=table_mib)
    jobs: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
    current: list[int] = [0]
    threading.Thread(target=_listen, args=(jobs, engine, current), daemon=True).start()
    try:
        _answer_all(engine, jobs, current)
    except BrokenPipeError:
        # The process that started this one has ended. Python would write again, and interrupt `_listen`.
        os._exit(0)
    engine.close()
    return 0


def _answer_all(engine: Engine, jobs: "SimpleQueue[dict[str, Any] | None]", current: list[int]) -> None:
    """Answers one job after the other until there are no more."""
    _write({"ready": True})
    while (job := jobs.get()) is not None:
        current[0] = job["id"]
        try:
            for answer in _answers(engine, job):
                _write({"id": job["id"], **answer})
        except (HnefiError, ValueError) as error:
            _write({"id": job["id"], "error": getattr(error, "code", "bad_job"), "why": str(error)})


def _listen(jobs: "SimpleQueue[dict[str, Any] | None]", engine: Engine, current: list[int]) -> None:
    """Reads jobs, and stops the current search when told to."""
    while line := sys.stdin.buffer.readline(_MAX_LINE):
        message = json.loads(line)
        if "stop" in message:
            if message["stop"] == current[0]:
                engine.stop()
        else:
            jobs.put(message)
    engine.stop()
    jobs.put(None)


def _write(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def _answers(engine: Engine, job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    game = Game.replay(_rules(job["rules"]), Setup(job["start"]), job["moves"])
    allowed = [Move(text) for text in job["allowed"]]
    if job["kind"] == "play":
        yield {"move": str(_play(engine, game, allowed, job)), "final": True}
        return
    limit = Limit(time_ms=job["time_ms"])
    with engine.analyse(game, limit, lines=job["lines"], moves=allowed) as analyses:
        for analysis in analyses:
            yield _report(analysis)


def _play(engine: Engine, game: Game, allowed: list[Move], job: dict[str, Any]) -> Move:
    """Chooses a move as a level does; the best one if only some moves are allowed."""
    strength = level(job["level"])
    if job["left_ms"] is not None:
        budget = Clock(job["left_ms"]).usual_ms
        strength = replace(strength, time_ms=min(strength.time_ms or budget, budget))
    if "time_ms" in job:
        strength = replace(strength, time_ms=min(strength.time_ms or job["time_ms"], job["time_ms"]))
    if not allowed:
        return engine.play(game, strength, seed=job["seed"])
    with engine.analyse(game, strength.limit, lines=1, moves=allowed) as analyses:
        best = analyses.last().best
    return allowed[0] if best is None else best.move


@lru_cache(maxsize=64)
def _rules(tree: str) -> Rules:
    return Rules(tree)


def _report(analysis: Analysis) -> dict[str, Any]:
    lines = [
        {
            "score": line.score.value,
            "chances": line.score.chances,
            "spread": line.score.spread,
            "win_in": line.score.win_in,
            "moves": [str(move) for move in line.moves],
        }
        for line in analysis.lines
    ]
    return {
        "lines": lines,
        "depth": analysis.depth,
        "deepest": analysis.deepest,
        "nodes": analysis.nodes,
        "time_ms": analysis.time_ms,
        "final": analysis.is_final,
    }


if __name__ == "__main__":
    sys.exit(main())
