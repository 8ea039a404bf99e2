"""Options of commands that search: limits, threads, memory, engine."""

from dataclasses import dataclass
from typing import Any

import click

from hnefi.cli.commands import counted, gathered, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.values import Text
from hnefi.engine import Engine, ExternalEngine, Limit, OtepEngine, start_engine
from hnefi.engine.native import MOST_TABLE_MIB, MOST_THREADS

_LONGEST_S = 1_000_000
_MOST = 10**12
_THREADS, _TABLE_MIB = 1, 64


class Seconds(click.ParamType[int]):
    """A time in seconds, such as `2` or `0.5`, as milliseconds; anything else is a `CommandError`."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parses the time."""
        if isinstance(value, int):
            return value
        text = str(value).replace(",", ".")
        if text.isascii() and text.replace(".", "", 1).isdigit() and 0.001 <= float(text) <= _LONGEST_S:
            return int(float(text) * 1000)
        raise bad_usage("seconds", name=param.opts[-1] if param else "-", found=value)


class EngineOption(click.ParamType[tuple[str, str]]):
    """`NAME=VALUE`: an option of an external engine; without a name it is a `CommandError`."""

    name = "engine_option"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Splits name and value."""
        if isinstance(value, tuple):
            return value
        name, equals, setting = (" ".join(part.split()) for part in str(value).partition("="))
        if not (name and equals):
            raise bad_usage("pair", name=param.opts[-1] if param else "-", found=value)
        return name, setting


engine_options = option(
    "--engine-option", "settings", multiple=True, type=EngineOption(), help="engine_option"
)


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The values of the search options."""

    time_ms: int | None
    depth: int | None
    nodes: int | None
    threads: int
    table_mib: int
    command: str | None
    settings: tuple[tuple[str, str], ...]

    def limit(self, usual_ms: int) -> Limit:
        """Returns the limit; the default time if none is given."""
        if (self.time_ms, self.depth, self.nodes) == (None, None, None):
            return Limit(time_ms=usual_ms)
        return Limit(self.depth, self.nodes, self.time_ms)

    def engine(self) -> Engine | ExternalEngine | OtepEngine:
        """Starts the engine: the native one, or the named program.

        Raises:
            EngineError: If the program cannot be used.
            CommandError: If engine options are given without an engine.
        """
        if self.command is not None:
            own = {"Threads": (self.threads, _THREADS), "Hash": (self.table_mib, _TABLE_MIB)}
            asked = {name: str(value) for name, (value, usual) in own.items() if value != usual}
            return start_engine(self.command, options=asked | dict(self.settings))
        if self.settings:
            raise bad_usage("needs", name="--engine-option", needed="--engine")
        return Engine(threads=self.threads, table_mib=self.table_mib)


search_options = gathered(
    "thinking",
    SearchOptions,
    option("--time", "time_ms", type=Seconds(), help="time"),
    counted("--depth", most=100),
    counted("--nodes", most=_MOST),
    counted("--threads", most=MOST_THREADS, default=_THREADS),
    counted("--hash", "table_mib", most=MOST_TABLE_MIB, default=_TABLE_MIB, help="hash"),
    option("--engine", "command", type=Text(), metavar="program", help="engine"),
    engine_options,
)
