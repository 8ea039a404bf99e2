"""`hnefi puzzles`: lists, shows and solves puzzles."""

import datetime as dt
import sys
from collections.abc import Callable
from pathlib import Path

import click

from hnefi._core import Move
from hnefi.cli.commands import argument, command, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.lab.collecting import reading_puzzles
from hnefi.cli.naming import VariantName, json_option
from hnefi.cli.output import colour_depth, needs_ascii, print_json, print_table, print_text
from hnefi.cli.progress import progress_bar
from hnefi.cli.texts import error_text, language, translate, translate_plural
from hnefi.cli.values import Choice, FilePath, Text
from hnefi.diagram import text as board_text
from hnefi.diagram.alt import board_sentences
from hnefi.diagram.scene import scene_of
from hnefi.errors import IllegalMove
from hnefi.formats import format_suite
from hnefi.lab.puzzle_proofs import false_claim
from hnefi.puzzles import (
    DIFFICULTIES,
    THEMES,
    Attempt,
    Puzzle,
    daily_puzzle,
    puzzle_variants,
)
from hnefi.puzzles import puzzles as all_puzzles
from hnefi.puzzles.checking import PuzzleError
from hnefi.puzzles.files import collected_lines
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("puzzles --variant brandub-globe --theme king_out", "list"),
    ("puzzles brandub-globe-1 --solution", "show"),
    ("puzzles --daily --json", "daily"),
    ("puzzles --suite", "suite"),
    ("puzzles --file puzzles.jsonl", "file"),
)


@command("puzzles", _EXAMPLES)
@argument("puzzle_id", key="puzzle", type=Text(), required=False)
@option("--daily", is_flag=True, help="puzzles_daily")
@option("--file", "path", type=FilePath(), help="puzzles_file")
@option("--variant", type=VariantName(), help="puzzles_variant")
@option("--theme", type=Choice(THEMES), metavar="theme_of_puzzle", help="puzzles_theme")
@option("--difficulty", type=Choice(DIFFICULTIES), metavar="difficulty", help="puzzles_difficulty")
@option("--solve", is_flag=True, help="puzzles_solve")
@option("--solution", is_flag=True, help="puzzles_solution")
@option("--plain", is_flag=True, help="puzzles_plain")
@option("--suite", is_flag=True, help="puzzles_suite")
@json_option
def puzzles(
    puzzle_id: str | None,
    daily: bool,
    path: str | None,
    variant: Variant | None,
    theme: str | None,
    difficulty: str | None,
    solve: bool,
    solution: bool,
    plain: bool,
    suite: bool,
    as_json: bool,
) -> int:
    """Lists, shows or solves puzzles."""
    if daily and (puzzle_id is not None or path is not None):
        raise bad_usage("together", first="PUZZLE" if puzzle_id else "--file", second="--daily")
    if as_json and (solve or suite):
        raise bad_usage("together", first="--solve" if solve else "--suite", second="--json")
    if suite and (solve or solution):
        raise bad_usage("together", first="--suite", second="--solve" if solve else "--solution")
    if puzzle_id is None and not daily:
        if solve or solution:
            raise bad_usage("needs", name="--solve" if solve else "--solution", needed="PUZZLE | --daily")
        if variant and path is None and variant.id not in puzzle_variants():
            raise bad_usage("no_puzzles", found=variant.id)
        _list(chosen_puzzles(path, variant, theme, difficulty), as_json=as_json, suite=suite)
        return 0
    one = daily_puzzle(dt.datetime.now(dt.UTC).date()) if puzzle_id is None else _found(puzzle_id, path)
    moves = [str(move) for move in Attempt.begin(one).line()]
    if as_json:
        print_json(_facts(one) | ({"solution": moves} if solution else {}))
        return 0
    if suite:
        click.echo(one.suite_entry)
        return 0
    click.echo(translate("page.new.value", name=one.id, value=one.title(language())))
    click.echo(one.task(language()))
    _show(Attempt.begin(one), plain=plain)
    if solution:
        click.echo(translate("cli.puzzles.solution", moves=" ".join(moves)))
    return _solve(Attempt.begin(one), plain=plain) if solve else 0


def chosen_puzzles(
    path: str | None, variant: Variant | None, theme: str | None, difficulty: str | None
) -> list[Puzzle]:
    """Returns the puzzles of the package or of a file for a variant, on a theme and of a difficulty.

    Raises:
        CommandError: `cannot_read`.
        PuzzleError: `bad_puzzle`, for the first whose claim is false.
    """
    return _puzzles(
        path,
        lambda one: (
            (variant is None or one.variant == variant.id)
            and theme in (None, one.theme)
            and difficulty in (None, one.difficulty)
        ),
    )


def _puzzles(path: str | None, is_chosen: Callable[[Puzzle], bool]) -> list[Puzzle]:
    """Returns chosen puzzles of the package, or of a file, whose claims are proved."""
    if path is None:
        return [*filter(is_chosen, all_puzzles())]
    with reading_puzzles(path):
        chosen = [(line, one) for line, one in collected_lines(Path(path)) if is_chosen(one)]
    with progress_bar(translate("cli.puzzles.proving"), len(chosen)) as show:
        for done, (line, one) in enumerate(chosen, start=1):
            false = false_claim(one)
            if false is not None:
                raise PuzzleError.of_line(Path(path), line, **false)
            show(done)
    return [one for _, one in chosen]


def _found(puzzle_id: str, path: str | None) -> Puzzle:
    found = _puzzles(path, lambda one: one.id == puzzle_id.lower())
    if not found:
        raise bad_usage("puzzle", found=puzzle_id)
    return found[0]


def _list(chosen: list[Puzzle], *, as_json: bool, suite: bool) -> None:
    if as_json:
        print_json({"puzzles": [_facts(one) for one in chosen]})
        return
    if suite:
        click.echo(format_suite([one.suite_entry for one in chosen]), nl=False)
        return
    rows = [
        [one.id, one.title(language()), translate(f"page.puzzles.{one.difficulty}").lower()] for one in chosen
    ]
    if rows:
        print_table(("id", "task", "difficulty"), rows, key="cli.puzzles.head.")
    click.echo(translate_plural("page.puzzles.count", len(rows)))


def _facts(one: Puzzle) -> dict[str, object]:
    return {
        "id": one.id,
        "variant": one.variant,
        "theme": one.theme,
        "moves": one.moves,
        "difficulty": one.difficulty,
        "side": one.side.value,
        "position": str(one.setup),
        "title": one.title(language()),
    }


def _show(attempt: Attempt, *, plain: bool) -> None:
    """Draws the position, or says in words where the pieces stand."""
    if plain:
        click.echo("\n".join(board_sentences(scene_of(attempt.game), language())))
        return
    print_text(board_text(attempt.game, colour=colour_depth(), ascii_only=needs_ascii()))


def _solve(attempt: Attempt, *, plain: bool) -> int:
    """Reads moves until the puzzle is solved; returns 1 if the input ends before."""
    while True:
        click.echo(f"{translate('cli.puzzles.move')} ", nl=False)
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            click.echo()
            return 1
        try:
            answer = attempt.answer(Move(line.strip()))
        except IllegalMove as error:
            click.echo(error_text(error))
            continue
        if answer.kind == "solved":
            ending = translate(f"web.puzzle.solved.{attempt.puzzle.theme}")
            click.echo(f"{translate('web.puzzle.solved')} {ending}")
            return 0
        if answer.kind == "wrong":
            click.echo(f"{translate('web.puzzle.wrong')} {answer.explanation(language())}")
            continue
        attempt = answer.attempt
        click.echo(translate("cli.puzzles.right", reply=answer.reply))
        _show(attempt, plain=plain)
