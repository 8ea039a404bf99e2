"""The command `hnefi lab perft`: counts move sequences, to check move generation and its speed."""

import queue
import threading
import time
from collections.abc import Iterator

import click

from hnefi._core import Game, Move, Position, format_move
from hnefi.cli.commands import argument, command, option
from hnefi.cli.faults import INTERRUPTED
from hnefi.cli.naming import json_option, read_setup, switches_option, variant_argument
from hnefi.cli.output import print_json
from hnefi.cli.progress import ProgressBar, collected, partial_end, progress_bar
from hnefi.cli.texts import grouped, language, translate
from hnefi.cli.values import WholeNumber, Words
from hnefi.lab.report import number
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab perft brandub-globe 4", "plain"),
    ("lab perft ard-ri-globe 3 --divide", "divide"),
    ('lab perft tablut-kouvia 2 --position "9/9/9/9/4K4/9/9/9/t8 d" --json', "position"),
)
_DEEPEST = 30
_LOOK_MS = 100


@command("perft", _EXAMPLES, group="lab")
@variant_argument()
@argument("depth", key="depth", type=WholeNumber(0, _DEEPEST))
@option("--position", default="start", type=Words(), metavar="position")
@option("--divide", is_flag=True)
@switches_option
@json_option
def perft(variant: Variant, depth: int, position: str, divide: bool, as_json: bool) -> int:
    """Counts move sequences."""
    start = Game(variant.rules, read_setup(variant, position)).position
    began = time.perf_counter()
    counts, is_whole = count_by_move(start, depth) if depth else ({}, True)
    nodes = sum(counts.values()) if depth else 1
    seconds = time.perf_counter() - began
    answer = {
        "variant": variant.id,
        "position": str(start.setup),
        "depth": depth,
        "complete": is_whole,
        "nodes": nodes,
        "seconds": round(seconds, 6),
        "nodes_per_second": round(nodes / seconds) if seconds else 0,
    }
    named = {format_move(move): count for move, count in counts.items()}
    if divide:
        answer["divide"] = dict(sorted(named.items()))
    if as_json:
        print_json(answer)
        return 0 if is_whole else INTERRUPTED
    if divide:
        for name, count in sorted(named.items()):
            click.echo(f"{name}: {count}")
    per_second = grouped(nodes / seconds if seconds else 0)
    speed = translate("cli.lab.perft.speed", seconds=number(seconds, 3, language()), speed=per_second)
    facts = {"depth": depth, "nodes": grouped(nodes), "speed": speed}
    if is_whole:
        click.echo(translate("cli.lab.perft.nodes", **facts))
        return 0
    if not counts:
        return partial_end("cli.interrupted")
    total = len(start.legal_moves())
    click.echo(translate("cli.lab.perft.part", **facts, done=len(counts), total=total))
    return partial_end()


def count_by_move(position: Position, depth: int) -> tuple[dict[Move, int], bool]:
    """Counts per first move, with a progress bar; returns the counts, and whether Ctrl-C left out none."""
    moves = position.legal_moves()
    with progress_bar(translate("cli.lab.perft.counting"), len(moves)) as show:
        counts, is_whole = collected(_counts(position, moves, depth, show))
    return dict(zip(moves, counts, strict=False)), is_whole


def _counts(position: Position, moves: list[Move], depth: int, show: ProgressBar) -> Iterator[int]:
    """Counts in a thread: one count can take hours, and compiled code does not see Ctrl-C."""
    counts: queue.SimpleQueue[int | BaseException] = queue.SimpleQueue()

    def work() -> None:
        try:
            for move in moves:
                counts.put(_count(position, move, depth))
        except BaseException as error:
            counts.put(error)

    threading.Thread(target=work, daemon=True).start()
    for done, _ in enumerate(moves, 1):
        yield _next(counts)
        show(done)


def _count(position: Position, move: Move, depth: int) -> int:
    """Counts the sequences after a first move; 0 if that move ends the game."""
    if depth > 1 and position.describe(move).outcome is not None:
        return 0
    return position.play(move).perft(depth - 1)


def _next(counts: "queue.SimpleQueue[int | BaseException]") -> int:
    """Waits for a count in short steps, since an endless wait cannot be interrupted on every system."""
    while True:
        try:
            found = counts.get(timeout=_LOOK_MS / 1000)
        except queue.Empty:
            continue
        if isinstance(found, BaseException):
            raise found
        return found
