"""The command `hnefi lab tactics`: collects positions with one winning move into a test suite."""

from hnefi.cli.commands import command, counted, option
from hnefi.cli.lab.collecting import collect, print_positions, seconds_option, suite_files, suite_option
from hnefi.cli.naming import json_option, variant_argument
from hnefi.cli.values import Number
from hnefi.engine import Engine
from hnefi.lab.tactics import collect_tactics
from hnefi.variants.built_in import booklet_ids
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab tactics brandub-globe --positions 1", "one"),
    ("lab tactics brandub-globe ard-ri-globe -o tactics.epd", "file"),
)


@command("tactics", _EXAMPLES, group="lab")
@variant_argument("chosen", key="booklet_variants", nargs=-1)
@counted("--positions", default=40, help="tactics_positions")
@counted("--play-nodes", default=2_000)
@option("--share", type=Number(0, 1, is_above=True), default=0.7, metavar="share")
@seconds_option
@suite_option
@json_option
def tactics(
    chosen: tuple[Variant, ...],
    positions: int,
    play_nodes: int,
    share: float,
    most_ms: int | None,
    output: str | None,
    as_json: bool,
) -> int:
    """Collects tactical positions."""
    suites = suite_files(chosen or map(variant, booklet_ids()), output)
    wanted = sum(max(0, positions - len(one.entries)) for one in suites)
    with Engine(table_mib=16) as engine:
        sources = [
            (one.variant.id, collect_tactics(one, positions, play_nodes, share, engine)) for one in suites
        ]
        fruitless = "cli.lab.tactics.one_sided" if share < 1 else "cli.lab.tactics.fruitless"
        found, is_whole = collect(sources, wanted, most_ms, output, fruitless)
    return print_positions(found, output, is_whole=is_whole, as_json=as_json)
