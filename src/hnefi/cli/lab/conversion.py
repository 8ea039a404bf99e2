"""The command `hnefi lab conversion`: how many won positions the engine converts against itself."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from hnefi.cli.commands import command, counted, gathered, option
from hnefi.cli.naming import json_option, switch_option, switched, variant_argument
from hnefi.cli.output import print_json, print_table
from hnefi.cli.progress import collected, interrupted, progress_bar
from hnefi.cli.texts import translate
from hnefi.cli.values import FilePath, Number
from hnefi.lab.conversion import Conversion, ConversionPlan, conversions
from hnefi.pieces import Side
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab conversion brandub-globe --positions 4 --nodes 500 --play-nodes 300 --judge 2000", "quick"),
    ("lab conversion ard-ri-globe --positions 2 --nodes 100 --play-nodes 100 --proved --json", "proved"),
)
_BOARDS = ("copenhagen-11", "fetlar-11", "hist-hnefatafl-11", "hist-tablut-9", "tablut-geoludie")
_RESULTS = ("won", "open", "drawn", "lost")
_HEADS = ("variant", "winner", "positions", "proved", *_RESULTS)


@command("conversion", _EXAMPLES, group="lab")
@variant_argument("chosen", key="conversion_variants", nargs=-1)
@gathered(
    "plan",
    ConversionPlan,
    counted("--positions", default=40, help="conversion_positions"),
    counted("--nodes", default=5_000, help="calibrate_nodes"),
    counted("--prove", least=0, default=0),
    counted("--play-nodes", least=10, default=2_000),
    counted("--judge", default=100_000, most=10**9),
    option("--chances", type=Number(0, 1), default=0.97, metavar="share"),
    option("--proved", is_flag=True),
    counted("--seed", default=1, help="seed_of_all"),
)
@option("--resume", "folder", type=FilePath(), metavar="folder", help="conversion_resume")
@switch_option
@json_option
def conversion(
    chosen: tuple[Variant, ...],
    plan: ConversionPlan,
    folder: str | None,
    switches: tuple[str, ...],
    as_json: bool,
) -> int:
    """Measures how many won positions the engine converts."""
    named = [switched(one, switches) for one in chosen or map(variant, _BOARDS)]
    with progress_bar(translate("cli.lab.conversion.playing"), plan.positions * len(named)) as show:

        def played() -> Iterator[Conversion]:
            for at, one in enumerate(named):
                path = Path(folder) / f"{one.id}-{one.rules.hash[:8]}.jsonl" if folder else None
                for done, found in enumerate(conversions(one, plan, path), at * plan.positions + 1):
                    show(done)
                    yield found

        found, is_whole = collected(played())
    if as_json:
        counts = {result: sum(one.result == result for one in found) for result in _RESULTS}
        print_json({"complete": is_whole, **counts, "positions": [*map(asdict, found)]})
    else:
        rows = [_row(one.id, side, found) for one in named for side in Side]
        print_table(_HEADS, rows, key="cli.lab.conversion.head.", numbers=range(2, len(_HEADS)))
    return 0 if is_whole else interrupted(folder, is_said=not as_json)


def _row(variant_id: str, winner: Side, found: Sequence[Conversion]) -> list[str]:
    of_side = [one for one in found if (one.variant, one.winner) == (variant_id, winner.value)]
    results = [one.result for one in of_side]
    counts = (len(of_side), sum(one.win_in is not None for one in of_side), *map(results.count, _RESULTS))
    return [variant_id, translate(f"side.{winner.value}"), *map(str, counts)]
