"""`hnefi print diagram`: a position as PDF, SVG or PNG."""

from pathlib import Path

from hnefi.cli.apply import game_after
from hnefi.cli.commands import argument, command, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.naming import json_option, switches_option, variant_argument
from hnefi.cli.print.writing import check_output, output_option, write_output
from hnefi.cli.texts import language
from hnefi.cli.values import Choice, Number, Text
from hnefi.diagram import PIECE_SETS
from hnefi.diagram.theme import PICTURE_THEMES
from hnefi.paper import DIAGRAM_SUFFIXES, diagram_file
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("print diagram brandub-globe -o brandub.pdf", "start"),
    ('print diagram brandub-globe "7/7/3T3/1K1t3/1Tt1tT1/7/3T3 d" d1-d3 --square 6 -o move.svg', "move"),
)
_LEAST_MM, _MOST_MM = 1, 100


@command("diagram", _EXAMPLES, group="print")
@variant_argument()
@argument("position", key="position", type=Text(), required=False, default="start")
@argument("moves", key="moves_to_show", type=Text(), nargs=-1)
@option("--square", type=Number(_LEAST_MM, _MOST_MM), default=8, metavar="mm", help="paper_square")
@option("--theme", type=Choice(PICTURE_THEMES), default="print", metavar="theme")
@option("--pieces", type=Choice(PIECE_SETS), default="wood", metavar="pieces")
@option("--turned", is_flag=True)
@option("--bare", is_flag=True, help="paper_bare")
@switches_option
@output_option
@json_option
def diagram(
    variant: Variant,
    position: str,
    moves: tuple[str, ...],
    square: float,
    theme: str,
    pieces: str,
    turned: bool,
    bare: bool,
    out: str | None,
    as_json: bool,
) -> None:
    """Writes a diagram."""
    target = check_output(out, as_json=as_json)
    suffix = Path(target).suffix.lower() if target != "-" else ".pdf"
    if suffix not in DIAGRAM_SUFFIXES:
        raise bad_usage("choice", name="--output", found=target, expected=" | ".join(DIAGRAM_SUFFIXES))
    game = game_after(variant, position, moves, "off").game
    content = diagram_file(
        game,
        suffix,
        language(),
        square=square,
        theme=theme,
        coordinates=not bare,
        pieces=pieces,
        turned=turned,
    )
    facts = {"variant": variant.id, "language": language(), "position": str(game.position.setup)}
    write_output(target, content, {**facts, "square": square, "theme": theme}, as_json=as_json)
