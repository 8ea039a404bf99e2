"""The command `hnefi lab sample`: makes annotated sample games by games of the engine against itself."""

from pathlib import Path
from typing import Any

import click

from hnefi.cli.commands import command, counted, option
from hnefi.cli.faults import CommandError
from hnefi.cli.files import SUFFIX, make_folder, write_games
from hnefi.cli.naming import json_option, switch_option, switched, variant_argument
from hnefi.cli.output import print_json, print_table
from hnefi.cli.progress import collected, partial_end, progress_bar
from hnefi.cli.texts import language, translate
from hnefi.cli.values import FilePath
from hnefi.lab.report import number
from hnefi.lab.sample import SampleGame, choose_sample, usual_games
from hnefi.pieces import Side
from hnefi.record import format_records, load_records
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab sample ard-ri-globe --games 2 --nodes 1000", "quick"),
    ("lab sample brandub-walker-7 --games 1 --nodes 1000 -o samples --json", "folder"),
)
_HEADS = ("variant", "games", "seed", "plies", "captures", "winner", "mistakes", "points", "file")


@command("sample", _EXAMPLES, group="lab")
@variant_argument("chosen", nargs=-1, required=True)
@counted("--games", help="sample_games")
@counted("--nodes", help="sample_nodes")
@option("--output", "-o", "folder", type=FilePath(), metavar="folder", default=".", help="sample_output")
@switch_option
@json_option
def sample(
    chosen: tuple[Variant, ...],
    games: int | None,
    nodes: int | None,
    folder: str,
    switches: tuple[str, ...],
    as_json: bool,
) -> int:
    """Makes sample games."""
    named = [switched(one, switches) for one in chosen]
    counts = [games or usual_games(one) for one in named]
    paths = [Path(folder) / f"{one.id}{SUFFIX}" for one in named]
    make_folder(Path(folder))
    for path in filter(Path.is_file, paths):
        if [bool(record.header("Seed")) for record in load_records(path).records] != [True]:
            raise CommandError.of_facts("other_games", path=path)
    with progress_bar(translate("cli.lab.prover.games"), sum(counts)) as show:

        def made(at: int) -> dict[str, Any]:
            before = sum(counts[:at])
            found, count = choose_sample(named[at], counts[at], nodes, lambda done: show(before + done))
            if found:
                write_games(paths[at], format_records([found.record]))
            facts = {"variant": named[at].id, "games": count, "file": str(paths[at]) if found else None}
            return facts | (_facts(found) if found else {})

        rows, is_whole = collected(map(made, range(len(named))))
    if as_json:
        print_json({"complete": is_whole, "variants": rows})
    elif rows:
        print_table(_HEADS, [*map(_row, rows)], key="cli.lab.sample.head.", numbers=(1, 2, 3, 4, 6, 7))
    if not is_whole:
        return partial_end(is_said=not as_json)
    without = [at for at, row in enumerate(rows) if not row["file"]]
    for at in without if not as_json else ():
        line = translate("cli.lab.sample.none", variant=named[at].id, games=counts[at])
        click.echo(line, err=True)
    return 1 if without else 0


def _facts(one: SampleGame) -> dict[str, Any]:
    game, outcome = one.called.game, one.called.game.outcome
    return {
        "seed": one.seed,
        "levels": list(one.levels),
        "plies": game.ply_count,
        "captures": [game.captured_by(side) for side in Side],
        "winner": one.winner.value,
        "reason": outcome and outcome.reason.value,
        "turning_points": sum(ply.is_turning_point for ply in one.plies),
        "mistakes": sum(ply.has_better for ply in one.plies),
        "points": round(one.points, 1),
    }


def _row(facts: dict[str, Any]) -> list[str]:
    shown = dict(facts)
    if facts["file"]:
        shown["winner"] = translate(f"side.{facts['winner']}")
        shown["captures"] = "–".join(map(str, facts["captures"]))
        shown["points"] = number(facts["points"], 1, language())
    cells = map(shown.get, _HEADS)
    return ["–" if cell is None else str(cell) for cell in cells]
