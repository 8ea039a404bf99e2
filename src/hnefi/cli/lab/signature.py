"""The command `hnefi lab signature`: counts the nodes of a fixed search, to tell engine versions apart."""

from pathlib import Path

import click

from hnefi._core import Game, Searcher, random_game
from hnefi.cli.commands import command
from hnefi.cli.faults import INTERRUPTED
from hnefi.cli.files import output_file, write_file
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_json
from hnefi.cli.progress import collected, partial_end
from hnefi.cli.texts import grouped, translate
from hnefi.engine.weights import calibrated_ids, weights_for
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab signature", "plain"),
    ("lab signature --json", "json"),
)
# Small boards are searched deeper. Limited by depth, in one thread, all machines visit the same positions.
_DEPTHS = {7: 8}
_DEPTH = 6
_PLIES = (0, 6, 12, 18)
_TABLE_MIB = 4


@command("signature", _EXAMPLES, group="lab")
@output_file("write", help="write_signature")
@json_option
def signature(write: str | None, as_json: bool) -> int:
    """Counts the nodes of a fixed search."""
    found, is_whole = collected((name, signature_of(variant(name))) for name in calibrated_ids())
    counts = dict(found)
    total = sum(counts.values())
    if write is not None and is_whole:
        lines = [f"{name} {nodes}\n" for name, nodes in (*counts.items(), ("total", total))]
        write_file(Path(write), "".join(lines))
    if as_json:
        print_json({"complete": is_whole, "nodes": total, "variants": counts})
        return 0 if is_whole else INTERRUPTED
    for name, nodes in counts.items():
        click.echo(f"{name}: {grouped(nodes)}")
    click.echo(translate("cli.lab.signature.total", nodes=grouped(total)))
    return 0 if is_whole else partial_end()


def signature_of(chosen: Variant) -> int:
    """Counts the nodes of the searches of one variant.

    Each search starts with an empty transposition table, so that none depends on another.
    """
    weights = weights_for(chosen.rules).text
    return sum(
        Searcher(_TABLE_MIB, 1).analyse(game, depth=depth, weights=weights).nodes
        for game, depth in searched_games(chosen)
    )


def searched_games(chosen: Variant) -> list[tuple[Game, int]]:
    """Returns the games of a variant that are searched, each with the depth of its search."""
    depth = _DEPTHS.get(chosen.rules.size, _DEPTH)
    games = [random_game(chosen.rules, seed, plies) for seed, plies in enumerate(_PLIES)]
    return [(game, depth) for game in games if game.turn is not None]
