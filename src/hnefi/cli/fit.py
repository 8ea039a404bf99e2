"""`hnefi fit`: weights of the evaluation for a variant, from games, and what its scores mean."""

import json
from pathlib import Path

import click

from hnefi.cli.arena import jobs_option, openings_option, print_report, typed_line
from hnefi.cli.commands import FilePath, Number, command, counted, option
from hnefi.cli.faults import file_error
from hnefi.cli.files import write_file
from hnefi.cli.naming import json_option, switch_option, switched, variant_argument
from hnefi.cli.output import print_json
from hnefi.cli.progress import progress_bar
from hnefi.cli.texts import language, translate, translate_plural
from hnefi.lab.fitting import Fitting, Plan
from hnefi.lab.report import Table, match_table, number, percent
from hnefi.variants.model import Variant

__all__ = ["fit"]

_EXAMPLES = (
    (
        "fit ard-ri-globe --games 32 --nodes 50 --match-nodes 50 --match-games 4 --calibration-games 8",
        "cli.fit.example.quick",
    ),
    (
        "fit brandub-globe --games 30000 --resume brandub.tafl-fit --output brandub.json",
        "cli.fit.example.real",
    ),
    (
        "fit tablut-kouvia --games 0 --resume kouvia.tafl-fit --output kouvia.json",
        "cli.fit.example.calibrate",
    ),
)
_INTERRUPTED = 130
_HOURS = Number(0, 10_000, is_above=True)


@command("fit", _EXAMPLES)
@variant_argument()
@counted("--games", default=20_000, least=0, help="cli.option.fit_games")
@option(
    "--hours",
    type=_HOURS,
    metavar="cli.word.hours",
    help="cli.option.fit_hours",
)
@counted("--nodes", default=1_000, help="cli.option.fit_nodes")
@counted("--match-nodes", default=5_000, help="cli.option.fit_match_nodes")
@counted("--match-games", default=1_000, least=2, help="cli.option.fit_match_games")
@counted("--calibration-games", default=400, least=8, help="cli.option.fit_calibration_games")
@counted("--seed", default=1, help="cli.option.fit_seed")
@openings_option
@jobs_option
@option("--resume", "folder", type=FilePath(), metavar="cli.word.folder", help="cli.option.fit_resume")
@option("--output", type=FilePath(), metavar="cli.word.file", help="cli.option.fit_output")
@switch_option
@json_option
def fit(
    variant: Variant,
    games: int,
    hours: float | None,
    nodes: int,
    match_nodes: int,
    match_games: int,
    calibration_games: int,
    seed: int,
    opening_plies: int,
    jobs: int,
    folder: str | None,
    output: str | None,
    switches: tuple[str, ...],
    as_json: bool,
) -> int:
    """Fits weights to a variant."""
    if output and not Path(output).absolute().parent.is_dir():
        raise file_error("cannot_write", output, translate("cli.file.no_folder"))
    plan = Plan(
        switched(variant, switches),
        games,
        seed,
        nodes,
        match_games,
        match_nodes,
        calibration_games,
        opening_plies,
    )
    fitting = Fitting(plan, Path(folder) if folder else None, jobs=jobs, command=typed_line())
    try:
        _play(fitting, hours)
    except KeyboardInterrupt:
        click.echo(
            translate("cli.fit.kept" if folder else "cli.fit.interrupted", folder=folder or ""), err=True
        )
        return _INTERRUPTED
    finally:
        fitting.close()
    content = fitting.content()
    if output:
        write_file(Path(output), json.dumps(content, indent=1) + "\n")
    if as_json:
        print_json(content)
    else:
        _print_summary(fitting, output)
    return 0


def _play(fitting: Fitting, hours: float | None) -> None:
    """Runs the three stages, each with a progress bar."""
    plan = fitting.plan
    with progress_bar(translate("cli.fit.tuning"), plan.games) as show:
        fitting.tune(show, hours)
    with progress_bar(translate("cli.fit.match"), plan.match_games) as show:
        fitting.verify(show)
    with progress_bar(translate("cli.fit.calibrating"), plan.calibration_games) as show:
        fitting.calibrate(show)


def _print_summary(fitting: Fitting, output: str | None) -> None:
    click.echo(translate_plural("cli.fit.tuned", fitting.tuned_games))
    if fitting.match is not None:
        print_report(_terms(fitting))
        click.echo()
        names = (translate("cli.fit.fitted"), translate("cli.fit.derived"))
        print_report(match_table(fitting.match, names, language()))
        click.echo()
    verdict = "none" if fitting.match is None else "better" if fitting.is_better else "refused"
    click.echo(translate(f"cli.fit.verdict.{verdict}"))
    click.echo()
    click.echo(translate("cli.fit.calibration", nodes=fitting.plan.match_nodes))
    print_report(_held_out(fitting))
    if output:
        click.echo()
        click.echo(translate("cli.fit.written", path=output))


def _terms(fitting: Fitting) -> Table:
    heads = (translate("cli.fit.head.term"), translate("cli.fit.derived"), translate("cli.fit.fitted"))
    rows = [(name, str(before), str(after)) for name, before, after in fitting.terms]
    rows += [(f"squares.{piece}", "0", f"{least} … {most}") for piece, least, most in fitting.squares]
    return Table(heads, tuple(rows), (1, 2))


def _held_out(fitting: Fitting) -> Table:
    lang = language()
    heads = tuple(translate(f"cli.fit.head.{head}") for head in ("score", "expected", "observed", "games"))
    rows = (
        (
            number(one.score, 0, lang),
            percent(one.expected, lang),
            percent(one.observed, lang),
            number(one.games, 1, lang),
        )
        for one in fitting.held_out
    )
    return Table(heads, tuple(rows), (0, 1, 2, 3))
