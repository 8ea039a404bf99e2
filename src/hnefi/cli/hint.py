"""The command `hnefi hint`: suggests a move."""

import click

from hnefi.cli.analyse import follow
from hnefi.cli.apply import game_after
from hnefi.cli.commands import argument, command
from hnefi.cli.naming import json_option, switches_option, variant_argument
from hnefi.cli.output import print_json
from hnefi.cli.progress import partial_end
from hnefi.cli.scores import attackers_text, line_facts, line_text, score_text
from hnefi.cli.search_options import SearchOptions, search_options
from hnefi.cli.texts import outcome_text, translate
from hnefi.cli.values import Text
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("hint brandub-globe start --time 0.2", "start"),
    ("hint gwezboell-globe start b5-b8 --depth 4", "moves"),
)
_USUAL_MS = 1_000


@command("hint", _EXAMPLES)
@variant_argument()
@argument("position", key="position", type=Text(), default="start", required=False)
@argument("moves", key="moves", type=Text(), nargs=-1)
@search_options
@switches_option
@json_option
def hint(
    variant: Variant,
    position: str,
    moves: tuple[str, ...],
    as_json: bool,
    thinking: SearchOptions,
) -> int:
    """Prints a good move."""
    called = game_after(variant, position, moves, "auto")
    game = called.game
    with thinking.engine() as engine:
        found, is_whole = follow(engine, called, thinking.limit(_USUAL_MS), 1)
    best = found.best
    if as_json:
        print_json(line_facts(best) if best else {"move": None})
    elif best is not None:
        click.echo(
            translate(
                "cli.hint.move",
                move=line_text(game, best.moves[:1]),
                meaning=score_text(best.score),
                attackers=attackers_text(best.score),
            )
        )
        if len(best.moves) > 1:
            click.echo(translate("cli.hint.line", line=line_text(game, best.moves)))
    elif game.outcome is not None:
        click.echo(outcome_text(game.outcome))
    return 0 if is_whole else partial_end(is_said=not as_json)
