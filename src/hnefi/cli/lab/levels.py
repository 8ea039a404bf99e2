"""The command `hnefi lab levels`: matches of the levels against each other and a simulated beginner."""

from pathlib import Path

import click

from hnefi.cli.commands import command, counted, option
from hnefi.cli.faults import bad_usage, file_errors
from hnefi.cli.files import write_file
from hnefi.cli.lab.arena import jobs_option, print_report, run_games, seed_option, typed_line
from hnefi.cli.naming import json_option, variant_argument
from hnefi.cli.output import print_json
from hnefi.cli.progress import interrupted
from hnefi.cli.texts import language
from hnefi.cli.values import FilePath, Text
from hnefi.engine import levels as all_levels
from hnefi.lab.balance import makers, stored_experiments
from hnefi.lab.folder import Folder
from hnefi.lab.levels import (
    BEGINNER,
    SLOW_FROM,
    Match,
    is_decided,
    levels_table,
    match_experiment,
    select_matches,
    updated_page,
    versus,
)
from hnefi.lab.report import match_facts
from hnefi.lab.results import Results
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab levels ard-ri-globe --only 1-2 --games 4 --resume levels", "pair"),
    ("lab levels brandub-globe --only beginner --games 2 --resume levels --json", "beginner"),
)


@command("levels", _EXAMPLES, group="lab")
@variant_argument("chosen", key="levels_variants", nargs=-1)
@option("--only", type=Text(), default="", metavar="levels")
@counted("--games", least=0, default=100, help="levels_games")
@counted("--slow-games", default=40)
@option("--whole", is_flag=True)
@counted("--top-nodes", default=600_000)
@counted("--beginner-to", most=len(all_levels()), default=3)
@seed_option
@jobs_option
@option("--resume", "folder", type=FilePath(), metavar="folder", help="arena_resume")
@option("--document", type=FilePath(), help="levels_document")
@json_option
def levels(
    chosen: tuple[Variant, ...],
    only: str,
    games: int,
    slow_games: int,
    whole: bool,
    top_nodes: int,
    beginner_to: int,
    seed: int,
    jobs: int,
    folder: str | None,
    document: str | None,
    as_json: bool,
) -> int:
    """Measures the levels."""
    named = {one.id: one for one in chosen}
    if document and not folder:
        raise bad_usage("needs", name="--document", needed="--resume")
    if not (games or document):
        raise bad_usage("needs", name="--games 0", needed="--document")
    with file_errors("cannot_read", document):
        page = Path(document).read_text("utf-8") if document else ""
    try:
        matches = select_matches(only, [*named], beginner_to) if games else []
    except ValueError:
        raise bad_usage("choice", name="--only", found=only, expected="1-2 | 1-3 | … | beginner") from None
    found: dict[Match, Results] = {}
    is_whole = True
    for number, match in enumerate(matches, 1):
        one = named.get(match.variant) or variant(match.variant)
        experiment = match_experiment(one, match, top_nodes, seed)
        keeping = None
        if folder:
            place = Path(folder) / f"{one.id}-{match.higher}-{match.lower}"
            keeping = Folder(place, one, experiment, typed_line())
        most = min(games, slow_games) if match.higher >= SLOW_FROM else games
        is_enough = (lambda _: False) if whole or match.lower == BEGINNER else is_decided
        name = f"{number}/{len(matches)} {one.id} {versus(match, language())}"
        results, is_whole = run_games(experiment, most, jobs, None, keeping, is_enough, name)
        if results.games:
            found[match] = results
        if not is_whole:
            break
    played = stored_experiments(Path(folder), chosen) if folder and document else []
    if document:
        write_file(Path(document), updated_page(page, played))
    if as_json:
        facts = [{**match._asdict(), **match_facts(results)} for match, results in found.items()]
        print_json({"complete": is_whole, "matches": facts})
    else:
        if found:
            print_report(levels_table(found, language()))
        click.echo("".join(f"\n{maker}\n" for maker in makers(played)), nl=False)
    return 0 if is_whole else interrupted(folder, is_said=not as_json)
