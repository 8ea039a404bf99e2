"""`hnefi show`: draws a board, in the terminal or as a picture."""

from pathlib import Path
from typing import Any

import click

from hnefi._core import Game
from hnefi.cli.apply import game_after
from hnefi.cli.commands import argument, command, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.files import output_file, write_file
from hnefi.cli.naming import json_option, switches_option, variant_argument
from hnefi.cli.output import colour_depth, needs_ascii, print_json, print_text
from hnefi.cli.texts import language, translate
from hnefi.cli.values import Choice, Text
from hnefi.diagram import PIECE_SETS, THEMES, svg
from hnefi.diagram import text as board_text
from hnefi.formats import explain_gap
from hnefi.formats.opentafl import format_rules_text, variant_rules_text
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("show tablut-geoludie", "start"),
    ('show brandub-globe "7/7/3T3/1K1t3/1Tt1tT1/7/3T3 d" d1-d3', "move"),
    ("show brandub-globe -o - --theme slate", "svg"),
    ("show fetlar-11 --rules-string", "rules_string"),
)


@command("show", _EXAMPLES)
@variant_argument()
@argument("position", key="position", type=Text(), required=False, default="start")
@argument("moves", key="moves_to_show", type=Text(), nargs=-1)
@output_file("svg_path", help="svg")
@option("--theme", type=Choice(tuple(THEMES)), default="driftwood", metavar="theme")
@option("--pieces", type=Choice(PIECE_SETS), default="wood", metavar="pieces")
@option("--rules-string", is_flag=True)
@option("--turned", is_flag=True)
@option("--ascii", "plain_letters", is_flag=True, help="ascii")
@switches_option
@json_option
def show(
    variant: Variant,
    position: str,
    moves: tuple[str, ...],
    svg_path: str | None,
    theme: str,
    pieces: str,
    rules_string: bool,
    turned: bool,
    plain_letters: bool,
    as_json: bool,
) -> None:
    """Draws a board."""
    if rules_string:
        _show_rules_string(variant, as_json=as_json)
        return
    game = game_after(variant, position, moves, "off").game
    answer: dict[str, object] = facts_of(variant, game, turned=turned)
    drawn: str | bytes | None = None
    if svg_path is not None:
        drawn = _picture(game, svg_path, theme=theme, pieces=pieces, turned=turned)
        if svg_path == "-":
            answer["svg"] = drawn
        else:
            write_file(Path(svg_path), drawn if isinstance(drawn, bytes) else f"{drawn}\n")
            answer["file"] = svg_path
    if as_json:
        print_json(answer)
    elif drawn is None:
        ascii_only = plain_letters or needs_ascii()
        print_text(board_text(game, colour=colour_depth(), ascii_only=ascii_only, turned=turned))
    elif svg_path == "-":
        click.echo(drawn)
    else:
        click.echo(translate("cli.show.written", path=svg_path), err=True)


def _picture(game: Game, path: str, **options: Any) -> str | bytes:
    """Returns a drawing of a board, in the format that the extension of a file names; SVG without one."""
    suffix = Path(path).suffix.lower()
    if suffix in ("", ".svg"):
        return svg(game, lang=language(), **options)
    # Most boards are shown in the terminal.
    from hnefi.paper import DIAGRAM_SUFFIXES, diagram_file

    if suffix not in DIAGRAM_SUFFIXES:
        raise bad_usage("choice", name="--output", found=path, expected=" | ".join(DIAGRAM_SUFFIXES))
    return diagram_file(game, suffix, language(), **options)


def _show_rules_string(variant: Variant, *, as_json: bool) -> None:
    """Prints the rules as a string of OpenTafl, and what it cannot express."""
    rules, gaps = variant_rules_text(variant)
    text = format_rules_text(rules)
    if as_json:
        messages = [{"code": gap.code, "message": explain_gap(gap, language())} for gap in gaps]
        print_json({"variant": variant.id, "rules_string": text, "gaps": messages})
        return
    click.echo(text)
    for gap in gaps:
        click.echo(explain_gap(gap, language()), err=True)


def facts_of(variant: Variant, game: Game, *, turned: bool) -> dict[str, object]:
    """Returns the facts of a board for JSON."""
    rules, last = variant.rules, game.last
    return {
        "variant": variant.id,
        "position": str(game.position.setup),
        "size": rules.size,
        "pieces": {square.name: piece.value for square, piece in game.position.pieces.items()},
        "throne": rules.throne.name if rules.throne else None,
        "corners": [square.name for square in rules.corners],
        "camps": [[square.name for square in camp] for camp in rules.camps],
        "goals": [square.name for square in rules.goals],
        "last_move": str(last) if last else None,
        "board": board_text(game, ascii_only=True, turned=turned),
    }
