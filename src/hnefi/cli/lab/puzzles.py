"""The command `hnefi lab puzzles`: collects puzzles from games, or around composed rings, and proves them."""

import click

from hnefi._core import Game
from hnefi.cli.commands import command, counted, option
from hnefi.cli.faults import bad_usage, file_errors
from hnefi.cli.files import output_file
from hnefi.cli.lab.collecting import (
    collect,
    output_path,
    print_found,
    reading_puzzles,
    say_lacking,
    seconds_option,
)
from hnefi.cli.naming import json_option, read_setup, variant_argument
from hnefi.cli.output import print_json
from hnefi.cli.texts import error_text, language, translate
from hnefi.cli.values import Text
from hnefi.lab.composing import NoPuzzleError, composed_puzzle
from hnefi.lab.compositions import has_rings
from hnefi.lab.puzzles import PuzzleCollection, Record, json_line
from hnefi.puzzles import puzzle_variants
from hnefi.puzzles.files import record_puzzle
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab puzzles brandub-globe --positions 1", "one"),
    ("lab puzzles mine.toml --seconds 600 -o puzzles.jsonl", "mine"),
    ('lab puzzles brandub-globe --position "3t3/T1t1K2/3t2t/TT2T2/5t1/2t4/7 a"', "composed"),
    ("lab puzzles hist-brandubh-7 --rings --positions 1", "rings"),
)


@command("puzzles", _EXAMPLES, group="lab")
@variant_argument("chosen", key="puzzle_variants", nargs=-1)
@option("--position", "composed", type=Text(), multiple=True, metavar="position", help="puzzles_position")
@option("--rings", is_flag=True, help="puzzles_rings")
@counted("--positions", default=40, help="puzzles_positions")
@counted("--most", default=20, help="puzzles_most")
@seconds_option
@output_file("output", help="puzzles_output")
@json_option
def puzzles(
    chosen: tuple[Variant, ...],
    composed: tuple[str, ...],
    rings: bool,
    positions: int,
    most: int,
    most_ms: int | None,
    output: str | None,
    as_json: bool,
) -> int:
    """Collects puzzles."""
    if composed:
        for name in (name for name, value in (("--rings", rings), ("--seconds", most_ms)) if value):
            raise bad_usage("together", first="--position", second=name)
        if len(chosen) != 1:
            raise bad_usage("needs", name="--position", needed=translate("cli.word.variant"))
        return _compose(chosen[0], composed, output, as_json=as_json)
    named = chosen or map(variant, puzzle_variants())
    files = []
    for one in named:
        path = output_path(output, one.id, ".jsonl")
        with reading_puzzles(path):
            files.append(PuzzleCollection(one, path))
    sources = [(one.variant.id, one.collect(positions, most, is_ring=rings)) for one in files]
    wanted = sum(max(0, positions - one.count) for one in files)
    found, is_whole = collect(sources, wanted, most_ms, output, "cli.lab.puzzles.fruitless", "puzzles")
    lines = [*map(json_line, found)]
    lacking = [one.variant.id for one in files if rings and not has_rings(one.variant)]
    code = say_lacking("cli.lab.puzzles.lacking", lacking)
    output = output if len(lacking) < len(files) else None
    return print_found("puzzles", found, lines, output, is_whole=is_whole, as_json=as_json) or code


def _compose(one: Variant, positions: tuple[str, ...], output: str | None, *, as_json: bool) -> int:
    """Makes puzzles of positions, and says why others are none; returns 1 if there are such."""
    games = [(position, Game(one.rules, read_setup(one, position))) for position in positions]
    path = output_path(output, one.id, ".jsonl")
    with reading_puzzles(path):
        file = PuzzleCollection(one, path)
    found, refused = list[Record](), list[dict[str, str]]()
    for position, game in games:
        try:
            record = {"variant": one.id, **composed_puzzle(game)}
            with file_errors("cannot_write", path):
                if not file.add(record):
                    raise NoPuzzleError.because("known")
        except NoPuzzleError as error:
            message = error_text(error)
            refused.append({"position": position, "reason": error.parameters["part"], "message": message})
            if not as_json:
                click.echo(translate("cli.lab.puzzles.about", position=position, text=message), err=True)
            continue
        found.append(record)
        if output and not as_json:
            claim = _claim(record, file.count)
            click.echo(translate("cli.lab.puzzles.about", position=position, text=claim))
    if as_json:
        print_json({"complete": True, "puzzles": found, "refused": refused})
    elif found:
        print_found("puzzles", found, [*map(json_line, found)], output, is_whole=True, as_json=False)
    return 1 if refused else 0


def _claim(record: Record, number: int) -> str:
    """Returns what a puzzle claims: its task, its difficulty and its solution."""
    one = record_puzzle(record, number)
    difficulty = translate(f"page.puzzles.{one.difficulty}").lower()
    facts = {"title": one.title(language()), "difficulty": difficulty, "move": record["solution"]}
    return translate("cli.lab.puzzles.claim", **facts)
