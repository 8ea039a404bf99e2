"""Benchmark of the engine in the browser: positions a second in Node, against the native engine."""

import json
import subprocess
from pathlib import Path
from typing import NamedTuple

import node

from benchmarks import kernel
from hnefi import Rules
from hnefi._core import Game, Searcher

MIN_RATIO = 0.5
GAMES = ("brandub-globe", "ard-ri-globe", "tablut-kouvia", "gwezboell-globe", "eleven")
ROUNDS = 3
_TABLE_MIB = 64
_TIME_MS = 1000
_ROOT = Path(__file__).parents[1]
_PROGRAM = _ROOT / "tests" / "browser_engine.mjs"
_BUILT = _ROOT / "src" / "hnefi" / "server" / "static"


class BrowserRate(NamedTuple):
    """Positions a second from the start position of a game, each the best of several rounds."""

    game: str
    browser: float
    native: float

    @property
    def ratio(self) -> float:
        return self.browser / self.native

    @property
    def is_met(self) -> bool:
        return self.ratio >= MIN_RATIO


def measure() -> list[BrowserRate]:
    """Measures every game; the two engines search in turns, so that other work on the machine slows both."""
    environment = node.node_environment({}, may_install=False)
    program = ["node", str(_PROGRAM), str(_BUILT)]
    with subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        rates = []
        for name in GAMES:
            tree = json.dumps(kernel.eleven() if name == "eleven" else kernel.rules(name))
            limits = {"time_ms": _TIME_MS, "table_mib": _TABLE_MIB, "starts_empty": True}
            request = {"do": "analyse", "tree": tree, "moves": [], **limits}
            browser, native = 0.0, 0.0
            for _ in range(ROUNDS):
                worker.stdin.write(json.dumps(request) + "\n")
                worker.stdin.flush()
                answer = json.loads(worker.stdout.readline())["answer"]
                browser = max(browser, 1000 * answer["nodes"] / answer["time_ms"])
                report = Searcher(_TABLE_MIB, 1).analyse(Game(Rules(tree)), time_ms=_TIME_MS)
                native = max(native, 1000 * report.nodes / report.time_ms)
            rates.append(BrowserRate(name, browser, native))
        worker.stdin.close()
    return rates


def show(rates: list[BrowserRate]) -> None:
    print(
        "\nSearch in the browser (WebAssembly in Node) and native, one thread, millions of positions a second"
    )
    print(f"{'game':<16} {'browser':>8} {'native':>8} {'ratio':>6}")
    for one in rates:
        figures = f"{one.browser / 1e6:>8.1f} {one.native / 1e6:>8.1f} {one.ratio:>6.2f}"
        print(f"{one.game:<16} {figures}  ≥ {MIN_RATIO}  {'ok' if one.is_met else 'MISSED'}")
