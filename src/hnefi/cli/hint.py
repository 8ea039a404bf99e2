"""`hnefi hint`: a good move, in words."""

import click

from hnefi.cli.analyse import follow
from hnefi.cli.apply import begin, from_start, play_moves
from hnefi.cli.frame import Text, argument, command
from hnefi.cli.judging import chances_words, line_facts, line_words, score_words
from hnefi.cli.naming import json_option, switch_option, switched, variant_argument
from hnefi.cli.output import print_json
from hnefi.cli.speech import say, say_outcome
from hnefi.cli.thinking import Thinking, thinking_options
from hnefi.variant import Variant

__all__ = ["hint"]

_EXAMPLES = (
    ("hint brandub-globe start --time 0.2", "cli.hint.example.start"),
    ("hint gwezboell-globe start b5-b8 --depth 4", "cli.hint.example.moves"),
)
_USUAL_MS = 1_000


@command("hint", _EXAMPLES)
@variant_argument()
@argument("position", key="position", type=Text(), default="start", required=False)
@argument("moves", key="moves", type=Text(), nargs=-1)
@thinking_options
@switch_option
@json_option
def hint(
    variant: Variant,
    position: str,
    moves: tuple[str, ...],
    switches: tuple[str, ...],
    as_json: bool,
    thinking: Thinking,
) -> None:
    """Gives a good move."""
    position, moves = from_start(position, moves)
    called = play_moves(begin(switched(variant, switches), position, "auto"), moves)
    game = called.game
    with thinking.engine() as engine:
        best = follow(engine, called, thinking.limit(_USUAL_MS), 1).best
    if as_json:
        print_json(line_facts(best) if best else {"move": None})
    elif best is not None:
        click.echo(
            say(
                "cli.hint.move",
                move=line_words(game, best.moves[:1]),
                meaning=score_words(best.score),
                chances=chances_words(best.score),
            )
        )
        if len(best.moves) > 1:
            click.echo(say("cli.hint.line", line=line_words(game, best.moves)))
    elif game.outcome is not None:
        click.echo(say_outcome(game.outcome))
