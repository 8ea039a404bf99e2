"""The command `hnefi lab themes`: collects enclosures, exit forts and shieldwalls into test suites."""

from pathlib import Path

from hnefi.cli.commands import command, counted, option
from hnefi.cli.faults import file_errors
from hnefi.cli.lab.collecting import (
    collect,
    print_positions,
    say_lacking,
    seconds_option,
    suite_files,
    suite_option,
)
from hnefi.cli.naming import json_option, variant_argument
from hnefi.cli.values import Choices, FilePath
from hnefi.lab.recorded import recorded_games
from hnefi.lab.themes import THEMES, ThemeCollection
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab themes copenhagen-11 --themes exit_fort --seconds 600 -o forts.epd", "forts"),
    ("lab themes copenhagen-11 --recorded games.tafl -o themes.epd", "recorded"),
)


@command("themes", _EXAMPLES, group="lab")
@variant_argument("chosen", nargs=-1, required=True)
@option("--themes", type=Choices(THEMES), default=(), metavar="lab_themes", help="lab_themes")
@option("--recorded", type=FilePath())
@counted("--seed", default=1, help="themes_seed")
@seconds_option
@suite_option
@json_option
def themes(
    chosen: tuple[Variant, ...],
    themes: tuple[str, ...],
    recorded: str | None,
    seed: int,
    most_ms: int | None,
    output: str | None,
    as_json: bool,
) -> int:
    """Collects positions by theme."""
    collections = [ThemeCollection(one, themes or THEMES) for one in suite_files(chosen, output)]
    lacking = [one.suite.variant.id for one in collections if not one.has_themes]
    with file_errors("cannot_read", recorded):
        games = [[*recorded_games(Path(recorded), one)] if recorded else None for one in chosen]
    sources = [
        (one.suite.variant.id, one.collect(seed, played))
        for one, played in zip(collections, games, strict=True)
    ]
    found, is_whole = collect(sources, sum(one.missing for one in collections), most_ms, output)
    code = say_lacking("cli.lab.themes.lacking", lacking)
    output = output if len(lacking) < len(collections) else None
    return print_positions(found, output, is_whole=is_whole, as_json=as_json) or code
