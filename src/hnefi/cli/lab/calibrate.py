"""`hnefi lab calibrate`: what the scores of the engine mean under some rules, measured by games."""

import json
from pathlib import Path

import click

from hnefi.cli.commands import command, counted, option
from hnefi.cli.files import check_output, output_file, write_file
from hnefi.cli.lab.arena import jobs_option, openings_option, ray_option
from hnefi.cli.naming import json_option, switches_option, variant_argument
from hnefi.cli.output import print_json, print_table
from hnefi.cli.progress import interrupted, progress_bar
from hnefi.cli.texts import language, translate
from hnefi.cli.values import FilePath
from hnefi.engine import weights_for
from hnefi.lab.calibrating import Calibrating
from hnefi.lab.report import number, percent
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab calibrate ard-ri-globe --games 16 --nodes 40", "quick"),
    ("lab calibrate tyr-11 --resume tyr.calibration --output tyr-11.json", "real"),
)


@command("calibrate", _EXAMPLES, group="lab")
@variant_argument()
@counted("--games", default=400, least=8, help="calibrate_games")
@counted("--nodes", default=5_000, help="calibrate_nodes")
@counted("--seed", default=1, help="seed_of_all")
@openings_option
@jobs_option
@ray_option
@option("--resume", "folder", type=FilePath(), metavar="folder", help="calibrate_resume")
@output_file("output", help="calibrate_output")
@switches_option
@json_option
def calibrate(
    variant: Variant,
    games: int,
    nodes: int,
    seed: int,
    opening_plies: int,
    jobs: int,
    ray: str | None,
    folder: str | None,
    output: str | None,
    as_json: bool,
) -> int:
    """Calibrates the scores of a variant."""
    check_output(output)
    weights = weights_for(variant.rules)
    run = Calibrating(variant, weights, games, nodes, seed, opening_plies)
    try:
        with progress_bar(translate("cli.lab.calibrate.games"), games) as show:
            run.run(show, Path(folder) if folder else None, jobs, ray)
    except KeyboardInterrupt:
        return interrupted(folder)
    content = run.content()
    if output:
        write_file(Path(output), json.dumps(content, indent=1) + "\n")
    if as_json:
        print_json(content)
        return 0
    click.echo(translate("cli.lab.calibrate.held_out", nodes=nodes))
    columns = ("score", "expected", "observed", "games")
    print_table(columns, _held_out(run), key="cli.lab.calibrate.head.", numbers=range(4))
    if output:
        click.echo()
        click.echo(translate("cli.lab.calibrate.written", path=output))
    return 0


def _held_out(run: Calibrating) -> list[tuple[str, ...]]:
    lang = language()
    return [
        (
            number(one.score, 0, lang),
            percent(one.expected, lang),
            percent(one.observed, lang),
            number(one.games, 1, lang),
        )
        for one in run.held_out
    ]
