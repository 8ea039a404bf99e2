"""`hnefi lab train`: the evaluation of a variant, from nothing to weights that have won their matches."""

import json
from pathlib import Path
from typing import Any

import click

from hnefi._core import evaluate
from hnefi.cli.commands import command, counted, option
from hnefi.cli.files import output_file, write_file
from hnefi.cli.lab.arena import jobs_option, ray_option, typed_line
from hnefi.cli.naming import VariantName, json_option, switches_option, variant_argument
from hnefi.cli.output import print_json, print_table
from hnefi.cli.progress import interrupted, progress_bar
from hnefi.cli.texts import grouped, language, translate
from hnefi.cli.values import Choice, FilePath, Number
from hnefi.engine import EngineError, weights_for
from hnefi.lab.report import number
from hnefi.places import data_folder, weights_folder
from hnefi.train.plan import Plan, Progress
from hnefi.train.training import Training
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab train brandub-globe --hours 1", "hour"),
    ("lab train old-hnefatafl-11 --weights-of copenhagen-11 --generations 0", "other"),
    ("lab train ard-ri-globe --positions 2000 --generations 1 --match-games 4 --time 5", "quick"),
)
_HOURS = Number(0, 10_000, is_above=True)
_SHARE = Number(0, 1)
_LOSSES = ("loss", "nothing", "score", "learned", "quantised")
_MATCHES = ("match", "games", "wins", "draws", "losses", "elo")


@command("train", _EXAMPLES, group="lab")
@variant_argument()
@option("--hours", type=_HOURS, metavar="hours", help="train_hours")
@counted("--positions", default=500_000, least=1_000, most=99_999_999, help="train_positions")
@counted("--generations", default=2, least=0, help="train_generations")
@option("--weights-of", "other", type=VariantName(), help="train_weights_of")
@counted("--nodes", default=1_000, help="train_nodes")
@counted("--match-games", default=1_000, least=2, help="train_match_games")
@counted("--time", "time_ms", default=50, help="train_time")
@option(
    "--result-share", "result_shares", type=_SHARE, multiple=True, metavar="share", help="train_result_share"
)
@option("--inputs", type=Choice(("king", "terms", "nothing")), metavar="kind", help="train_inputs")
@option("--width", type=Choice(("32", "64", "128", "256")), default="32", metavar="count", help="train_width")
@option("--no-draws", is_flag=True, help="train_no_draws")
@counted("--seed", default=1, help="seed_of_all")
@jobs_option
@ray_option
@option("--resume", "folder", type=FilePath(), metavar="folder", help="train_resume")
@output_file("output", help="train_output")
@switches_option
@json_option
def train(
    variant: Variant,
    hours: float | None,
    positions: int,
    generations: int,
    other: Variant | None,
    nodes: int,
    match_games: int,
    time_ms: int,
    result_shares: tuple[float, ...],
    inputs: str | None,
    width: str,
    no_draws: bool,
    seed: int,
    jobs: int,
    ray: str | None,
    folder: str | None,
    output: str | None,
    as_json: bool,
) -> int:
    """Trains a network for a variant."""
    plan = Plan(
        variant,
        positions,
        generations,
        nodes,
        seed,
        match_ms=time_ms,
        match_games=match_games,
        result_shares=tuple(dict.fromkeys(result_shares)),
        inputs=inputs,
        width=int(width),
        draws=not no_draws,
        weights_of=other,
    )
    if other is not None:
        _check(weights_for(other).text, variant, other)
    place = Path(folder) if folder else data_folder() / "training" / f"{variant.id}-{variant.rules.hash[:8]}"
    training = Training(plan, place, jobs, typed_line(), hours, ray, language())
    try:
        with progress_bar(translate("cli.lab.train.playing"), positions) as show:
            training.run(lambda progress: show(progress.done, _step(progress), progress.total))
    except KeyboardInterrupt:
        return interrupted(place)
    path = Path(output) if output else weights_folder() / f"{variant.id}.json"
    if training.content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, json.dumps(training.content, indent=1) + "\n")
    if as_json:
        page = training.report_path if training.report["generations"] else None
        print_json(
            {
                **training.report,
                "file": str(path) if training.content is not None else None,
                "page": str(page) if page else None,
            }
        )
    else:
        _print_summary(training, path)
    return 0


def _check(weights: str | None, variant: Variant, other: Variant) -> None:
    """Checks that weights of another variant fit to this one."""
    try:
        if weights is None:
            raise ValueError("weights: null, expected fitted ones")
        evaluate(variant.new_game(), weights)
    except ValueError as error:
        raise EngineError.of_facts("bad_weights", path=other.id, why=error) from error


def _step(progress: Progress) -> str:
    """Returns the name of a step, with its rate, loss or score."""
    name, score = translate(f"cli.lab.train.{progress.step}"), progress.score
    if progress.per_second is not None:
        return translate("cli.lab.train.rate", step=name, positions=grouped(round(progress.per_second)))
    if progress.loss is not None:
        return translate("cli.lab.train.loss", step=name, loss=number(progress.loss, 4, language()))
    if score is not None:
        return translate(
            "cli.lab.train.score", step=name, won=score.wins, drawn=score.draws, lost=score.losses
        )
    return name


def _print_summary(training: Training, path: Path) -> None:
    for generation in training.report["generations"]:
        for facts in generation["candidates"]:
            number, positions = generation["generation"], grouped(facts.get("samples", 0))
            name = f"cli.lab.train.candidate.{facts['kind']}"
            click.echo(translate(name, number=number, positions=positions, of=facts.get("of")))
            if "samples" in facts:
                print_table(_LOSSES, _losses(facts), key="cli.lab.train.head.", numbers=range(1, 5))
                click.echo()
            print_table(_MATCHES, _matches(facts), key="cli.lab.train.head.", numbers=range(1, 6))
            click.echo()
    if training.content is not None:
        click.echo(translate("cli.lab.train.verdict.better", path=path))
    else:
        verdict = "refused" if training.report["generations"] else "few"
        click.echo(translate(f"cli.lab.train.verdict.{verdict}"))
    if training.report["generations"]:
        click.echo(translate("cli.lab.train.page", path=training.report_path))


def _losses(facts: dict[str, dict[str, float]]) -> list[tuple[str, ...]]:
    """Returns the log-losses of held-out games by side to move."""
    return [
        (translate(f"side.{side}"), *(number(facts[side][name], 4, language()) for name in _LOSSES[1:]))
        for side in ("attackers", "defenders")
    ]


def _matches(facts: dict[str, Any]) -> list[tuple[str, ...]]:
    rows = []
    for match in facts["matches"]:
        first = match["first"]
        limit = f"{match['time_ms']} ms" if "time_ms" in match else f"{match['nodes']}"
        # All games may have been won or lost.
        elo = "–" if first["elo"] is None else number(first["elo"], 0, language())
        rows.append((limit, *(str(first[name]) for name in _MATCHES[1:-1]), elo))
    return rows
