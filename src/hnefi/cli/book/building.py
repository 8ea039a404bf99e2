"""`hnefi book build`: an opening book from searches, self-play and recorded games."""

from pathlib import Path

import click

from hnefi.cli.commands import command, counted, option
from hnefi.cli.faults import check_writable, file_errors
from hnefi.cli.files import check_output, output_file, write_file
from hnefi.cli.lab.arena import jobs_option
from hnefi.cli.naming import json_option, switches_option, variant_argument
from hnefi.cli.output import print_json
from hnefi.cli.progress import interrupted, progress_bar
from hnefi.cli.texts import translate, translate_plural
from hnefi.cli.values import FilePath
from hnefi.lab.book import BookBuilding, BookPlan, format_book
from hnefi.lab.recorded import RecordedGame, recorded_games
from hnefi.places import books_folder
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("book build ard-ri-globe --positions 20 --nodes 300 --self-play 4 --output quick.json", "quick"),
    ("book build tyr-11 --resume tyr.building --games club.tafl", "games"),
)


@command("build", _EXAMPLES, group="book")
@variant_argument()
@counted("--positions", default=300, most=100_000, help="book_positions")
@counted("--nodes", default=20_000, most=999_999_999, help="book_nodes")
@counted("--self-play", default=100, least=0, help="book_self_play")
@option("--games", "files", type=FilePath(), multiple=True, help="book_games")
@counted("--seed", default=1, help="seed_of_all")
@jobs_option
@option("--resume", "folder", type=FilePath(), metavar="folder", help="book_resume")
@output_file("output", help="book_output")
@switches_option
@json_option
def build(
    variant: Variant,
    positions: int,
    nodes: int,
    self_play: int,
    files: tuple[str, ...],
    seed: int,
    jobs: int,
    folder: str | None,
    output: str | None,
    as_json: bool,
) -> int:
    """Builds an opening book."""
    check_output(output)
    recorded = dict[str, list[RecordedGame]]()
    for path in map(Path, files):
        with file_errors("cannot_read", path):
            recorded[path.name] = list(recorded_games(path, variant))
    target = Path(output) if output else books_folder() / f"{variant.id}.json"
    if not output:
        check_writable(target.parent)
    building = BookBuilding(BookPlan(variant, positions, nodes, self_play, seed), recorded)
    try:
        with progress_bar(translate("cli.book.build.searching"), positions) as show:
            building.run(
                lambda step, done, total: show(done, translate(f"cli.book.build.{step}"), total),
                Path(folder) if folder else None,
                jobs,
            )
    except KeyboardInterrupt:
        return interrupted(folder)
    content = building.content()
    write_file(target, format_book(content))
    if as_json:
        print_json({**content, "file": str(target)})
        return 0
    for name, games in recorded.items():
        click.echo(translate_plural("cli.book.build.recorded", len(games), path=name))
    click.echo(translate_plural("cli.book.build.written", len(content["positions"]), path=target))
    return 0
