"""The command `hnefi lab arena`: matches of many games between players, with both sides."""

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from hnefi.cli.commands import argument, command, counted, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.files import check_output, output_file, write_games
from hnefi.cli.naming import json_option, switches_option, variant_argument
from hnefi.cli.output import print_json, print_table
from hnefi.cli.progress import interrupted, progress_bar
from hnefi.cli.texts import error_text, language, translate, translate_plural
from hnefi.cli.values import FilePath, Number, Text
from hnefi.engine import Limit
from hnefi.lab.folder import Folder, describe
from hnefi.lab.games import Experiment
from hnefi.lab.openings import Openings
from hnefi.lab.players import parse_player
from hnefi.lab.report import Table, endings_table, match_facts, match_table, number, sprt_facts
from hnefi.lab.results import Results, record_games
from hnefi.lab.runner import play_games
from hnefi.measure import Sprt
from hnefi.record import format_records
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab arena level:1 level:3 brandub-globe --games 4", "levels"),
    ("lab arena weights:new.json:5000 nodes:5000 tablut-kouvia --sprt 0 10 --resume new -o n.tafl", "sprt"),
    ('lab arena nodes:20000 "other-engine --ugi" tablut-geoludie --nodes 20000 -o other.tafl', "engine"),
    ("lab arena book:1000 nodes:1000 brandub-globe --book-openings", "book"),
)
_GAMES, _SPRT_GAMES = 100, 20_000
_MOST_ELO = 1000
_ELO = Number(-_MOST_ELO, _MOST_ELO)


jobs_option = counted("--jobs", default=1, most=256)
ray_option = option("--ray", type=Text(), metavar="address")
seed_option = counted("--seed", default=1, help="opening_seed")
openings_option = counted("--opening-plies", least=0, most=40, default=4)


@command("arena", _EXAMPLES, group="lab")
@argument("first", key="first_player", type=Text())
@argument("second", key="second_player", type=Text())
@variant_argument()
@counted("--games")
@option("--sprt", nargs=2, type=_ELO, metavar="elos")
@counted("--nodes", help="engine_nodes")
@counted("--time", "time_ms", help="engine_time")
@seed_option
@openings_option
@option("--book-openings", is_flag=True)
@jobs_option
@ray_option
@option("--resume", "folder", type=FilePath(), metavar="folder", help="arena_resume")
@output_file("records", replaces="games")
@switches_option
@json_option
def arena(
    first: str,
    second: str,
    variant: Variant,
    games: int | None,
    sprt: tuple[float, float] | None,
    nodes: int | None,
    time_ms: int | None,
    seed: int,
    opening_plies: int,
    book_openings: bool,
    jobs: int,
    ray: str | None,
    folder: str | None,
    records: str | None,
    as_json: bool,
) -> int:
    """Plays a match of many games."""
    if nodes and time_ms:
        raise bad_usage("together", first="--nodes", second="--time")
    limit = Limit(time_ms=time_ms) if time_ms else Limit(nodes=nodes or 20_000)
    openings = Openings(opening_plies, seed, from_book=book_openings)
    experiment = Experiment(variant.rules, parse_player(first, limit), parse_player(second, limit), openings)
    test = _test(sprt)
    if games and games % 2:
        raise bad_usage("even", name="--games", found=games)
    most = games or (_SPRT_GAMES if test else _GAMES)
    keeping = Folder(Path(folder), variant, experiment, typed_line()) if folder else None
    check_output(records)

    def is_enough(results: Results) -> bool:
        return test is not None and test.verdict(results.pairs) is not None

    results, is_whole = run_games(experiment, most, jobs, ray, keeping, is_enough)
    if records and results.games:
        write_games(Path(records), format_records(record_games(results, variant)))
    if as_json:
        print_json(_facts(variant, results, test, is_whole))
    else:
        _print_summary(variant, results, test)
    return 0 if is_whole else interrupted(folder, is_said=not as_json)


def run_games(
    experiment: Experiment,
    games: int,
    jobs: int,
    ray: str | None,
    folder: Folder | None,
    is_enough: Callable[[Results], bool] = lambda _: False,
    name: str = "",
) -> tuple[Results, bool]:
    """Plays the games of an experiment with a progress bar; returns whether all were played.

    Ctrl-C stops early and keeps the results so far.
    """
    latest = Results(experiment)
    with progress_bar(name or translate("cli.lab.arena.playing"), games) as show:

        def on_game(results: Results) -> None:
            nonlocal latest
            latest = results
            score = number(100 * results.first.score, 1, language())
            show(len(results.games), name or translate("cli.lab.arena.score", score=score))

        try:
            play_games(
                experiment, games, jobs=jobs, ray=ray, folder=folder, is_enough=is_enough, on_game=on_game
            )
        except KeyboardInterrupt:
            return latest, False
        finally:
            if folder:
                folder.close()
    return latest, True


def print_report(table: Table) -> None:
    """Prints the report as a table."""
    print_table(table.heads, table.rows, numbers=table.numbers)


def _test(sprt: Sequence[float] | None) -> Sprt | None:
    if not sprt:
        return None
    if not sprt[0] < sprt[1]:
        found = " ".join(f"{elo:g}" for elo in sprt)
        raise bad_usage("choice", name="--sprt", found=found, expected="ELO0 < ELO1")
    return Sprt(sprt[0], sprt[1])


def typed_line() -> str:
    """Returns the command line as it was typed."""
    import shlex
    import sys

    return shlex.join(["hnefi", *sys.argv[1:]])


def _facts(variant: Variant, results: Results, test: Sprt | None, is_whole: bool) -> dict[str, object]:
    return {
        "experiment": describe(variant, results.experiment),
        "complete": is_whole,
        **match_facts(results),
        "failures": [
            {"player": player, "code": error.code, "games": n, "message": error_text(error)}
            for place, player in enumerate(("first", "second"))
            for error, n in results.failures(place)
        ],
        **({"sprt": sprt_facts(results, test)} if test else {}),
    }


def _print_summary(variant: Variant, results: Results, test: Sprt | None) -> None:
    names = (str(results.experiment.first), str(results.experiment.second))
    click.echo(
        translate("cli.lab.arena.heading", first=names[0], second=names[1], variant=variant.name(language()))
    )
    if not results.games:
        return
    click.echo()
    print_report(match_table(results, names, language()))
    click.echo()
    print_report(endings_table(results, language()))
    click.echo()
    click.echo(translate("cli.lab.arena.pairs", pairs=" ".join(map(str, results.pairs))))
    for place, player in enumerate(names):
        for error, n in results.failures(place):
            facts = {"player": player, "code": error.code, "message": error_text(error)}
            click.echo(translate_plural("cli.lab.arena.faults", n, **facts))
    if test:
        _print_test(results, test)


def _print_test(results: Results, test: Sprt) -> None:
    verdict = test.verdict(results.pairs)
    word = {True: "accepted", False: "refused", None: "open"}[verdict]
    facts = {
        "llr": number(test.llr(results.pairs), 2, language()),
        "low": number(test.lower, 2, language()),
        "high": number(test.upper, 2, language()),
        "elo0": number(test.elo0, 1, language()),
        "elo1": number(test.elo1, 1, language()),
    }
    click.echo(translate(f"cli.lab.arena.sprt.{word}", **facts))
