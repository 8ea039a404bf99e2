"""Benchmark of a newcomer's first game: the time to the first move, the first capture and the first won game.

    python -m benchmarks.first_hour
    python -m benchmarks.first_hour --runs 20 --document docs/measurements/first-hour.md

A simulated newcomer opens the front page in Chromium with an empty cache and follows what the page lights:
the three moves of the guided game, then, after three seconds, the button to a whole game against level 1,
which it plays as `hnefi.lab.beginner` does. It clicks as soon as the page accepts it, so the figures are the
page's times, the pauses before the other side's moves included; a person's time to read and to think comes on
top. The exit code is 1 if the first move is possible too late on slow 4G.
"""

import argparse
import contextlib
import math
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page

from hnefi import Game, variant
from hnefi.lab.beginner import beginner_move
from tests.pages import chromium, context_of
from tests.server.serving import RunningServer

LIMIT_S = 1.5
_MAX_GAMES = 5
# After the guided game the newcomer reads the last sentence before it presses the button.
_READING_S = 3
# The time of the page's first own move, and of its first capture, as the page itself sees them.
_WATCH = """() => {
    const seen = window.firstHour = {};
    const now = () => (performance.timeOrigin + performance.now()) / 1000;
    const cells = document.getElementsByClassName("movable");
    new MutationObserver((records) => {
        if (!seen.possible && cells.length > 0) seen.possible = now();
        for (const { attributeName, removedNodes } of records) {
            if (attributeName === "data-man") seen.move ??= now();
            for (const node of removedNodes) if (node.dataset?.man) seen.capture ??= now();
        }
    }).observe(document, { subtree: true, childList: true, attributeFilter: ["data-man"] });
}"""
_LIT = """() => {
    const [step] = JSON.parse(document.getElementById("guided").textContent).steps.slice(%d);
    const cell = document.querySelector(`.cells [data-square="${step.from}"]`);
    const targets = [...document.querySelectorAll(".cells .movable")];
    return cell.classList.contains("movable") ? targets.find((one) => one !== cell)?.dataset.square : null;
}"""


@dataclass(frozen=True, slots=True)
class Network:
    """A connection and a device, as Chromium emulates them."""

    name: str
    width: int
    height: int
    mbit_down: float = 0
    mbit_up: float = 0
    latency_ms: int = 0
    slower: int = 1

    def emulate(self, page: Page) -> None:
        """Slows the network and the processor of a page."""
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": self.slower})
        if self.mbit_down:
            session.send("Network.enable")
            conditions = {
                "offline": False,
                "latency": self.latency_ms,
                "downloadThroughput": self.mbit_down * 1e6 / 8,
                "uploadThroughput": self.mbit_up * 1e6 / 8,
            }
            session.send("Network.emulateNetworkConditions", conditions)


NETWORKS = (
    Network("this machine, 1366 x 768", 1366, 768),
    Network("slow 4G, 4 times slower processor, 360 x 740", 360, 740, 1.6, 0.75, 150, 4),
)
_STEPS = {
    "possible": "first move possible",
    "move": "first own move made",
    "capture": "first capture",
    "escape": "guided game won",
    "opened": "first move of the computer in a whole game",
    "begun": "the same, from the button on",
    "won": "first whole game won",
}


@dataclass(slots=True)
class Run:
    """The seconds from opening the page to each step, and the games and moves until the first won game."""

    seconds: dict[str, float] = field(default_factory=dict)
    games: int = 0
    moves: int = 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--document", type=Path)
    options = parser.parse_args()
    results: dict[str, list[Run]] = {network.name: [] for network in NETWORKS}
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        server = RunningServer(Path(folder) / "server", games_per_hour=10_000, requests_per_minute=10_000)
        server.start()
        try:
            # The first page of a server and of a browser process is slower than all others.
            with contextlib.closing(context_of(browser)) as context:
                context.new_page().goto(server.address)
            for number in range(options.runs):
                for network in NETWORKS:
                    results[network.name].append(visit(browser, server.address, network, number))
        finally:
            server.kill()
    text = tables(results)
    print(text)
    if options.document:
        options.document.write_text(
            _INTRODUCTION.format(
                runs=options.runs, limit=LIMIT_S, load=os.getloadavg()[1], cores=os.cpu_count()
            )
            + text,
            "utf-8",
        )
    slowest = percentile([run.seconds["possible"] for run in results[NETWORKS[-1].name]], 0.9)
    return 0 if slowest <= LIMIT_S else 1


def visit(browser: Browser, address: str, network: Network, seed: int) -> Run:
    """Opens the front page as a newcomer and plays until the first whole game is won."""
    # A service worker would load what a whole game needs past the emulated network.
    context = context_of(
        browser,
        viewport={"width": network.width, "height": network.height},
        locale="en-GB",
        service_workers="block",
    )
    try:
        page = context.new_page()
        page.add_init_script(f"({_WATCH})()")
        network.emulate(page)
        began = time.time()
        page.goto(f"{address}/", wait_until="commit")
        run = Run()
        for step in range(3):
            page.locator(f".cells [data-square={_wait_for_target(page, step)}]").click()
        page.locator("[data-full]").wait_for()
        run.seconds["escape"] = time.time() - began
        run.seconds |= {name: at - began for name, at in page.evaluate("firstHour").items()}
        page.wait_for_timeout(1000 * _READING_S)
        pressed = time.time()
        page.locator("[data-full]").click()
        play_until_won(page, run, began, random.Random(seed))
        run.seconds["begun"] = run.seconds["opened"] - (pressed - began)
        return run
    finally:
        context.close()


def _wait_for_target(page: Page, step: int) -> str:
    """Waits until the page lights the move of a step of the guided game; returns a lit target."""
    page.locator(".cells .movable").first.wait_for()
    page.locator(f"[data-marks='{step}']:not([hidden])").first.wait_for(state="attached")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if target := page.evaluate(_LIT % step):
            return str(target)
        page.wait_for_timeout(20)
    raise TimeoutError(f"step {step} of the guided game has no lit target")


def play_until_won(page: Page, run: Run, began: float, rng: random.Random) -> None:
    """Plays whole games on the board until one is won, each with the defenders.

    Raises:
        RuntimeError: If none of the first games is won.
    """
    board = page.locator("tafl-board")
    ending = page.locator(".ending")
    address = page.url
    for _ in range(_MAX_GAMES):
        run.games += 1
        game = variant("brandub-globe").new_game()
        while True:
            game = _followed(page, game)
            run.seconds.setdefault("opened", time.time() - began)
            if game.outcome is not None:
                break
            move = beginner_move(game, rng)
            board.locator(f"[data-square={move.from_square}]").click()
            board.locator(f"[data-square={move.to_square}].target").click()
            run.moves += 1
            game = game.play(move)
        ending.wait_for()
        if game.outcome.winner is not None and game.outcome.winner.value == "defenders":
            run.seconds["won"] = time.time() - began
            return
        page.goto(address.partition("#")[0])
    raise RuntimeError(f"the newcomer lost {_MAX_GAMES} games")


def _followed(page: Page, game: Game) -> Game:
    """Waits for the other side's move, unless the game is over; returns the game after it."""
    if game.outcome is not None:
        return game
    board = page.locator("tafl-board")
    board.locator(".cell.mine").first.wait_for(state="attached")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        state = board.evaluate("board => ({ply: board.state.ply, last: board.state.last})")
        if state["ply"] > game.ply_count:
            return game.play(state["last"]["text"])
        page.wait_for_timeout(20)
    raise TimeoutError("the other side has not moved")


def percentile(values: Sequence[float], share: float) -> float:
    """Returns the smallest value that at least this share of the values does not exceed."""
    return sorted(values)[math.ceil(share * len(values)) - 1]


def tables(results: dict[str, list[Run]]) -> str:
    """Formats the times of all runs as tables in Markdown, in seconds."""
    parts = []
    for name, runs in results.items():
        rows = [
            f"## {name[0].upper()}{name[1:]}",
            "",
            "| step | median | 90% | slowest |",
            "| --- | ---: | ---: | ---: |",
        ]
        for key, words in _STEPS.items():
            values = [run.seconds[key] for run in runs]
            figures = (median(values), percentile(values, 0.9), max(values))
            rows.append(f"| {words} | " + " | ".join(f"{value:.2f}" for value in figures) + " |")
        games = sum(run.games for run in runs) / len(runs)
        moves = sum(run.moves for run in runs) / len(runs)
        rows += ["", f"Until the first won game: {games:.1f} whole games, {moves:.1f} own moves."]
        parts.append("\n".join(rows) + "\n")
    return "\n".join(parts)


_INTRODUCTION = """\
# A newcomer's first game, measured

A simulated newcomer opens the front page in Chromium with an empty cache, plays the three moves of the guided
game, then a whole game of brandub against level 1 with the defenders, as the simulated beginner of the
[levels](levels.md) plays. It moves as soon as the page accepts it: these are the page's times in seconds from
opening the address, with the pauses in which the computer seems to think, and three seconds before the button
to the whole game, in which the browser goes on fetching it. Reading and thinking come on top: a
person who takes five seconds for a move needs five seconds more for each own move.

Slow 4G is what Chromium emulates: 1.6 Mbit/s down, 0.75 Mbit/s up, 150 ms latency, a processor four times
slower. The first move must be possible there within {limit} s. {runs} runs each, on
{cores} processors with a mean load of {load:.1f}, server and browser included:

    python -m benchmarks.first_hour --runs {runs} --document docs/measurements/first-hour.md

"""


if __name__ == "__main__":
    sys.exit(main())
