"""Stepping through a game in the terminal: the board after each move, or after one of them."""

from dataclasses import dataclass

import click

from hnefi._core import Game
from hnefi.cli.commands import counted, gathered, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.output import colour_depth, needs_ascii, print_text, visible
from hnefi.cli.texts import translate, translate_plural
from hnefi.diagram import text as board_text
from hnefi.record import Record
from hnefi.record.writer import format_variation


@dataclass(frozen=True, slots=True)
class Steps:
    """The values of the options `--board` and `--ply`.

    All methods raise `CommandError` if the game has fewer plies.
    """

    board: bool
    ply: int | None

    @property
    def are_wanted(self) -> bool:
        """Whether one of the options is given."""
        return self.board or self.ply is not None

    def of(self, whole: Game) -> list[Game]:
        """Returns the game at each step that is shown; without the options only the whole game."""
        line = [whole]
        while (before := line[-1].parent) is not None:
            line.append(before)
        last = len(line) - 1 if self.ply is None else self.ply
        if last >= len(line):
            raise bad_usage("number", name="--ply", found=last, least=0, most=len(line) - 1)
        return line[len(line) - 1 - last :][::-1] if self.board else [line[len(line) - 1 - last]]

    def show(self, whole: Game, record: Record) -> None:
        """Prints the boards, each below its move; with an option of these also comments and variations."""
        for game in self.of(whole):
            glyph, comments, variations = _annotations(game, record)
            if self.board:
                click.echo(f"{game.ply_count}. {game.last} {glyph}".rstrip() if game.last else "")
            print_text(board_text(game, colour=colour_depth(), ascii_only=needs_ascii()))
            click.echo(translate_plural("cli.steps.ply", whole.ply_count, ply=game.ply_count))
            shown = (*comments, *(translate("cli.steps.variation", moves=moves) for moves in variations))
            for line in "\n".join(shown if self.are_wanted else ()).splitlines():
                click.echo(visible(line))

    def facts(self, whole: Game, record: Record) -> list[dict[str, object]]:
        """Returns the boards for JSON."""
        found: list[dict[str, object]] = []
        for game in self.of(whole):
            glyph, comments, variations = _annotations(game, record)
            found.append(
                {
                    "ply": game.ply_count,
                    "move": str(game.last) if game.last else None,
                    "glyph": glyph,
                    "comments": comments,
                    "variations": variations,
                    "position": str(game.position.setup),
                    "board": board_text(game, ascii_only=True),
                }
            )
        return found


def _annotations(game: Game, record: Record) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Returns the glyph of the last move, the comments after it or before the first, and its variations."""
    if not game.ply_count:
        return "", record.comments, ()
    node = record.counted[game.ply_count - 1]
    variations = (format_variation(variation, game.ply_count) for variation in node.variations)
    return node.glyph, node.remarks, tuple(variations)


step_options = gathered(
    "steps",
    Steps,
    option("--board", is_flag=True, help="board_each_move"),
    counted("--ply", least=0),
)
