"""The options of commands that think: how long, with how many threads, with which engine."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from hnefi.cli.faults import bad_usage
from hnefi.cli.frame import Text, WholeNumber, option
from hnefi.engine import Engine, ExternalEngine, Limit

__all__ = ["Seconds", "Thinking", "thinking_options"]

_LONGEST_S = 1_000_000
_MOST = 10**12


class Seconds(click.ParamType[int]):
    """A time in seconds, such as `2` or `0.5`, as milliseconds."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Reads the time.

        Raises:
            CommandError: If it is none.
        """
        del ctx
        if isinstance(value, int):
            return value
        text = str(value).replace(",", ".")
        if text.isascii() and text.replace(".", "", 1).isdigit() and 0.001 <= float(text) <= _LONGEST_S:
            return int(float(text) * 1000)
        raise bad_usage("seconds", name=param.opts[-1] if param else "-", found=value)


@dataclass(frozen=True, slots=True)
class Thinking:
    """What the options of thinking say."""

    time_ms: int | None
    depth: int | None
    nodes: int | None
    threads: int
    table_mib: int
    command: str | None

    def limit(self, usual_ms: int) -> Limit:
        """Gives the limit; the usual time if there is none."""
        if (self.time_ms, self.depth, self.nodes) == (None, None, None):
            return Limit(time_ms=usual_ms)
        return Limit(self.depth, self.nodes, self.time_ms)

    def engine(self) -> Engine | ExternalEngine:
        """Makes the engine: ours, or the program that was named.

        Raises:
            EngineError: If the program cannot be used.
        """
        if self.command is not None:
            return ExternalEngine(self.command)
        return Engine(threads=self.threads, table_mib=self.table_mib)


def thinking_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options of thinking; the command is given them as one value, `thinking`."""

    def gathered(*args: Any, **given: Any) -> Any:
        names = ("time_ms", "depth", "nodes", "threads", "table_mib", "command")
        return function(*args, thinking=Thinking(*(given.pop(name) for name in names)), **given)

    gathered.__name__, gathered.__doc__ = function.__name__, function.__doc__
    gathered.__dict__.update(function.__dict__)
    count = {"metavar": "cli.word.count"}
    options = (
        option("--time", "time_ms", type=Seconds(), metavar="cli.word.seconds", help="cli.option.time"),
        option("--depth", type=WholeNumber(1, 100), help="cli.option.depth", **count),
        option("--nodes", type=WholeNumber(1, _MOST), help="cli.option.nodes", **count),
        option("--threads", type=WholeNumber(1, 256), default=1, help="cli.option.threads", **count),
        option(
            "--hash", "table_mib", type=WholeNumber(1, 65_536), default=64, help="cli.option.hash", **count
        ),
        option("--engine", "command", type=Text(), metavar="cli.word.program", help="cli.option.engine"),
    )
    for add in reversed(options):
        gathered = add(gathered)
    return gathered
