"""The command `hnefi lab balance`: measures the score of each side, with the same player on both."""

from collections.abc import Sequence
from pathlib import Path

import click

from hnefi.cli.commands import command, counted, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.files import output_file, write_file
from hnefi.cli.lab.arena import (
    jobs_option,
    openings_option,
    print_report,
    ray_option,
    run_games,
    seed_option,
    typed_line,
)
from hnefi.cli.naming import json_option, switch_option, switched, variant_argument
from hnefi.cli.output import print_json
from hnefi.cli.progress import interrupted
from hnefi.cli.texts import language
from hnefi.cli.values import FilePath, Text
from hnefi.lab.balance import (
    StoredExperiment,
    balance_experiment,
    balance_report,
    stored_experiments,
    subfolder,
    verdict,
)
from hnefi.lab.folder import Folder, describe, made_by
from hnefi.lab.openings import Openings
from hnefi.lab.players import parse_player
from hnefi.lab.report import balance_table, endings_table, side_facts
from hnefi.pieces import Side
from hnefi.variants.finding import all_variants
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab balance ard-ri-globe --player nodes:500 --games 10", "one"),
    ("lab balance --player nodes:20000 --jobs 4 --resume balance.tafl-lab -o balance.md", "all"),
)


@command("balance", _EXAMPLES, group="lab")
@variant_argument("chosen", key="variants", nargs=-1)
@option("--player", type=Text(), default="nodes:3000", metavar="player_spec", help="balance_player")
@counted("--games", least=0, default=400, help="balance_games")
@seed_option
@openings_option
@counted("--max-plies", least=10, most=100_000, default=1000)
@jobs_option
@ray_option
@option("--resume", "folder", type=FilePath(), metavar="folder", help="balance_resume")
@output_file("document")
@switch_option
@json_option
def balance(
    chosen: tuple[Variant, ...],
    player: str,
    games: int,
    seed: int,
    opening_plies: int,
    max_plies: int,
    jobs: int,
    ray: str | None,
    folder: str | None,
    document: str | None,
    switches: tuple[str, ...],
    as_json: bool,
) -> int:
    """Measures the balance of games."""
    for name, value in (("--resume", folder), ("--output", document)):
        if not games and value is None:
            raise bad_usage("needs", name="--games 0", needed=name)
    named = [switched(one, switches) for one in (chosen or all_variants())] if games else []
    who, openings = parse_player(player), Openings(opening_plies, seed)
    found: list[StoredExperiment] = []
    is_whole = True
    for one in named:
        experiment = balance_experiment(one, who, openings, max_plies)
        keeping = Folder(subfolder(Path(folder), one, who), one, experiment, typed_line()) if folder else None
        results, is_whole = run_games(experiment, games, jobs, ray, keeping, name=one.name(language()))
        made = {**describe(one, experiment), "made_by": made_by(), "command": typed_line()}
        found.append(StoredExperiment(keeping.manifest() if keeping else made, results))
        if not is_whole:
            break
    if document:
        text = balance_report(stored_experiments(Path(folder), chosen) if folder else found, language())
        write_file(Path(document), text)
    if as_json:
        facts = [{"experiment": kept.manifest, **side_facts(kept.results)} for kept in found]
        print_json({"complete": is_whole, "variants": facts})
    else:
        _print_summary([kept for kept in found if kept.results.games])
    return 0 if is_whole else interrupted(folder, is_said=not as_json)


def _print_summary(found: Sequence[StoredExperiment]) -> None:
    if not found:
        return
    print_report(balance_table([(kept.rules, kept.results) for kept in found], language(), is_brief=True))
    for kept in found:
        click.echo(f"\n{kept.rules}\n{verdict(kept.results.side(Side.DEFENDERS), language())}")
        print_report(endings_table(kept.results, language()))
