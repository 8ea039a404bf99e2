"""`hnefi print game`: an annotated game as PDF."""

from io import BytesIO

from hnefi.cli.commands import argument, command, counted, option
from hnefi.cli.faults import CommandError
from hnefi.cli.files import read_file
from hnefi.cli.game_input import LARGEST_GAMES_MB, name_of, sound_replay, unusable
from hnefi.cli.imprints import imprint_options
from hnefi.cli.naming import VariantName, json_option
from hnefi.cli.print.writing import check_output, colour_option, output_option, write_output
from hnefi.cli.texts import language
from hnefi.cli.values import Choice, FilePath
from hnefi.errors import RecordError
from hnefi.formats import RawGame, ReadOptions, read_games
from hnefi.paper import GAME_PAPERS, Imprint, annotated_game
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("print game game.tafl -o game.pdf", "plain"),
    ("print game games.csv --variant copenhagen-11 --game 3 -o game.pdf", "table"),
)


@command("game", _EXAMPLES, group="print")
@argument("file", key="game_file", type=FilePath())
@counted("--game", "number", default=1, help="paper_game")
@option("--variant", type=VariantName(), help="played")
@option("--paper", type=Choice(GAME_PAPERS), default=GAME_PAPERS[0], metavar="paper")
@colour_option
@imprint_options
@output_option
@json_option
def game(
    file: str,
    number: int,
    variant: Variant | None,
    paper: str,
    colour: bool,
    imprint: Imprint,
    out: str | None,
    as_json: bool,
) -> None:
    """Writes an annotated game."""
    target = check_output(out, as_json=as_json)
    raw = read_game(file, number, variant)
    record = sound_replay(file, raw, takes_variant=True).record
    pdf = annotated_game(record, language(), lookup=raw.lookup(), paper=paper, colour=colour, imprint=imprint)
    facts = {"variant": record.header("Variant"), "language": language(), "game": number, "paper": paper}
    write_output(target, pdf, {**facts, "colour": colour}, as_json=as_json)


def read_game(file: str, number: int, variant: Variant | None = None) -> RawGame:
    """Reads one game of a file of any format.

    Raises:
        CommandError: `cannot_read`, `unusable_record`, `no_such_game`.
        FormatError: If the file is in no known format.
    """
    content = BytesIO(read_file(file, LARGEST_GAMES_MB))
    count = 0
    for found in read_games(content, ReadOptions(variant), name=name_of(file)):
        count = found.game if isinstance(found, RawGame) else int(found.parameters.get("game", count + 1))
        if count == number:
            if isinstance(found, RecordError):
                raise unusable(file, found, (found.line, number))
            return found
    raise CommandError.of_facts("no_such_game", path=file, game=number, count=count)
