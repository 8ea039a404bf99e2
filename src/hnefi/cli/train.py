"""`hnefi train`: a network for a variant, from nothing to one that has won its matches."""

import json
from pathlib import Path
from typing import Any

import click

from hnefi.cli.arena import jobs_option, print_report, typed_line
from hnefi.cli.commands import FilePath, Number, command, counted, option
from hnefi.cli.files import write_file
from hnefi.cli.naming import json_option, switch_option, switched, variant_argument
from hnefi.cli.output import print_json
from hnefi.cli.progress import progress_bar
from hnefi.cli.texts import language, translate
from hnefi.lab.report import Table, number
from hnefi.places import data_folder, weights_folder
from hnefi.train.training import Plan, Training
from hnefi.variants.model import Variant

__all__ = ["train"]

_EXAMPLES = (
    ("train brandub-globe --hours 1", "cli.train.example.hour"),
    (
        "train ard-ri-globe --positions 2000 --generations 1 --match-games 4 --time 5",
        "cli.train.example.quick",
    ),
)
_INTERRUPTED = 130
_HOURS = Number(0, 10_000, is_above=True)


@command("train", _EXAMPLES)
@variant_argument()
@option("--hours", type=_HOURS, metavar="cli.word.hours", help="cli.option.train_hours")
@counted("--positions", default=500_000, least=1_000, help="cli.option.train_positions")
@counted("--generations", default=2, help="cli.option.train_generations")
@counted("--nodes", default=1_000, help="cli.option.train_nodes")
@counted("--match-games", default=1_000, least=2, help="cli.option.train_match_games")
@counted("--time", "time_ms", default=50, help="cli.option.train_time")
@counted("--seed", default=1, help="cli.option.fit_seed")
@jobs_option
@option("--resume", "folder", type=FilePath(), metavar="cli.word.folder", help="cli.option.train_resume")
@option("--output", type=FilePath(), metavar="cli.word.file", help="cli.option.train_output")
@switch_option
@json_option
def train(
    variant: Variant,
    hours: float | None,
    positions: int,
    generations: int,
    nodes: int,
    match_games: int,
    time_ms: int,
    seed: int,
    jobs: int,
    folder: str | None,
    output: str | None,
    switches: tuple[str, ...],
    as_json: bool,
) -> int:
    """Trains a network for a variant."""
    variant = switched(variant, switches)
    plan = Plan(variant, positions, generations, nodes, seed, match_ms=time_ms, match_games=match_games)
    place = Path(folder) if folder else data_folder() / "training" / f"{variant.id}-{variant.rules.hash[:8]}"
    training = Training(plan, place, jobs, typed_line())
    try:
        with progress_bar(translate("cli.train.playing"), positions) as show:
            training.run(lambda step, done, total: show(done, translate(f"cli.train.{step}"), total), hours)
    except KeyboardInterrupt:
        click.echo(translate("cli.fit.kept", folder=place), err=True)
        return _INTERRUPTED
    path = Path(output) if output else weights_folder() / f"{variant.id}.json"
    if training.content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, json.dumps(training.content, indent=1) + "\n")
    if as_json:
        print_json({**training.report, "file": str(path) if training.content is not None else None})
    else:
        _print_summary(training, path)
    return 0


def _print_summary(training: Training, path: Path) -> None:
    for facts in training.report["generations"]:
        click.echo(translate("cli.train.generation", number=facts["generation"], positions=facts["samples"]))
        print_report(_losses(facts))
        click.echo()
        print_report(_matches(facts))
        click.echo()
    if training.content is not None:
        click.echo(translate("cli.train.verdict.better", path=path))
    else:
        verdict = "refused" if training.report["generations"] else "few"
        click.echo(translate(f"cli.train.verdict.{verdict}"))


def _losses(facts: dict[str, dict[str, float]]) -> Table:
    """Returns the log-losses of held-out games by side to move."""
    lang = language()
    names = ("nothing", "score", "network", "quantised")
    heads = (translate("cli.train.head.loss"), *(translate(f"cli.train.head.{name}") for name in names))
    rows = (
        (translate(f"side.{side}"), *(number(facts[side][name], 4, lang) for name in names))
        for side in ("attackers", "defenders")
    )
    return Table(heads, tuple(rows), (1, 2, 3, 4))


def _matches(facts: dict[str, Any]) -> Table:
    lang = language()
    names = ("match", "games", "wins", "draws", "losses", "elo")
    rows = []
    for match in facts["matches"]:
        first = match["first"]
        limit = f"{match['time_ms']} ms" if "time_ms" in match else f"{match['nodes']}"
        rows.append((limit, *(str(first[name]) for name in names[1:-1]), _elo(first["elo"], lang)))
    return Table(tuple(translate(f"cli.train.head.{name}") for name in names), tuple(rows), (1, 2, 3, 4, 5))


def _elo(elo: float | None, lang: str | None) -> str:
    """Returns a difference in Elo; a dash if all games were won or lost."""
    return "–" if elo is None else number(elo, 0, lang)
