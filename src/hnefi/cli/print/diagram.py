"""`hnefi print diagram`: a position, or one of a recorded game, as PDF, SVG or PNG."""

from pathlib import Path

from hnefi._core import Game
from hnefi.cli.apply import game_after
from hnefi.cli.commands import argument, command, counted, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.game_input import sound_replay
from hnefi.cli.naming import Subject, json_option, switch_option, switched
from hnefi.cli.print.game import read_game
from hnefi.cli.print.writing import check_output, output_option, write_output
from hnefi.cli.stepping import Steps
from hnefi.cli.texts import language, translate
from hnefi.cli.values import Choice, Number, Text
from hnefi.diagram import PIECE_SETS
from hnefi.diagram.theme import PICTURE_THEMES
from hnefi.paper import DIAGRAM_SUFFIXES, diagram_file
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("print diagram brandub-globe -o brandub.pdf", "start"),
    ('print diagram brandub-globe "7/7/3T3/1K1t3/1Tt1tT1/7/3T3 d" d1-d3 --square 6 -o move.svg', "move"),
    ("print diagram game.tafl --ply 9 -o ninth.svg", "record"),
)
_LEAST_MM, _MOST_MM = 1, 100


@command("diagram", _EXAMPLES, group="print")
@argument("subject", key="subject", type=Subject())
@argument("position", key="position", type=Text(), required=False, default="start")
@argument("moves", key="moves_to_show", type=Text(), nargs=-1)
@counted("--ply", least=0, help="diagram_ply")
@counted("--game", "number", help="diagram_game")
@option("--square", type=Number(_LEAST_MM, _MOST_MM), default=8, metavar="mm", help="paper_square")
@option("--theme", type=Choice(PICTURE_THEMES), default="print", metavar="theme")
@option("--pieces", type=Choice(PIECE_SETS), default="wood", metavar="pieces")
@option("--turned", is_flag=True)
@option("--bare", is_flag=True, help="paper_bare")
@switch_option
@output_option
@json_option
def diagram(
    subject: Variant | str,
    position: str,
    moves: tuple[str, ...],
    ply: int | None,
    number: int | None,
    square: float,
    theme: str,
    pieces: str,
    turned: bool,
    bare: bool,
    switches: tuple[str, ...],
    out: str | None,
    as_json: bool,
) -> None:
    """Writes a diagram."""
    target = check_output(out, as_json=as_json)
    suffix = Path(target).suffix.lower() if target != "-" else ".pdf"
    if suffix not in DIAGRAM_SUFFIXES:
        raise bad_usage("choice", name="--output", found=target, expected=" | ".join(DIAGRAM_SUFFIXES))
    if isinstance(subject, Variant):
        for name in (name for name, value in (("--ply", ply), ("--game", number)) if value is not None):
            raise bad_usage("needs", name=name, needed=translate("cli.word.game_file"))
        game = game_after(switched(subject, switches), position, moves, "off").game
        variant_id: str | None = subject.id
    else:
        if position != "start" or switches:
            raise bad_usage("together", first=subject, second="--switch" if switches else position)
        game, variant_id = _recorded(subject, number or 1, ply)
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
    facts = {"variant": variant_id, "language": language(), "position": str(game.position.setup)}
    write_output(target, content, {**facts, "square": square, "theme": theme}, as_json=as_json)


def _recorded(file: str, number: int, ply: int | None) -> tuple[Game, str | None]:
    """Returns a game of a file after so many plies, or the whole game, and the id of its variant."""
    replay = sound_replay(file, read_game(file, number))
    assert replay.called is not None
    (game,) = Steps(board=False, ply=ply).of(replay.called.game)
    return game, replay.record.header("Variant")
