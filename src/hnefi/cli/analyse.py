"""The command `hnefi analyse`: evaluates a position, or annotates the games of a file."""

import sys

import click

from hnefi._core import CalledGame
from hnefi.cli.analyse_record import analyse_record
from hnefi.cli.apply import game_after
from hnefi.cli.commands import argument, command, counted, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.naming import Subject, json_option, switch_option, switched
from hnefi.cli.output import colour_depth, print_json, print_table
from hnefi.cli.progress import partial_end
from hnefi.cli.scores import chances_text, line_facts, line_text, score_text, status_text
from hnefi.cli.search_options import SearchOptions, search_options
from hnefi.cli.texts import decimal, grouped, outcome_text, translate
from hnefi.cli.values import FilePath, Text
from hnefi.engine import Analysis, EngineLike, Limit
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("analyse brandub-globe start --time 0.2", "start"),
    ('analyse tablut-kouvia "4t4/9/9/9/4K4/9/9/9/4t4 a" --depth 4 --lines 2', "position"),
    ("analyse brandub-globe start d2-c2 --nodes 20000 --json", "json"),
    ("analyse evening.tafl --output annotated.tafl", "record"),
    ("analyse evening.tafl --json", "record_json"),
)
_MOST_LINES = 500
_USUAL_MS, _USUAL_MS_PER_MOVE = 3_000, 1_000


@command("analyse", _EXAMPLES)
@argument("subject", key="subject", type=Subject(), required=False)
@argument("position", key="position", type=Text(), default="start", required=False)
@argument("moves", key="moves", type=Text(), nargs=-1)
@option("--record", "record_path", type=FilePath(), help="analyse_record")
@option("--output", "-o", "output_path", type=FilePath(), help="output")
@counted("--lines", most=_MOST_LINES, default=3)
@search_options
@switch_option
@json_option
def analyse(
    subject: Variant | str | None,
    position: str,
    moves: tuple[str, ...],
    record_path: str | None,
    output_path: str | None,
    lines: int,
    switches: tuple[str, ...],
    as_json: bool,
    thinking: SearchOptions,
) -> int:
    """Analyses a position or a record."""
    own = subject if isinstance(subject, Variant) else None
    named = None if subject is None or own else str(subject)
    path = named or record_path
    if path is not None:
        if position != "start":
            raise bad_usage("one_record", path=path, found=position)
        others: dict[str, object] = {"--switch": switches, "--record": record_path if named else None}
        for name in (name for name, value in others.items() if value):
            raise bad_usage("together", first=named or "--record", second=name)
        return analyse_record(path, output_path, own, thinking, _USUAL_MS_PER_MOVE, as_json=as_json)
    if output_path is not None:
        raise bad_usage("together", first="--output", second="POSITION")
    if own is None:
        raise bad_usage("missing", name=translate("cli.word.subject"))
    chosen = switched(own, switches)
    called = game_after(chosen, position, moves, "auto")
    with thinking.engine() as engine:
        found, is_whole = follow(engine, called, thinking.limit(_USUAL_MS), lines)
    if as_json:
        print_json(_answer(chosen, called, found))
    else:
        _print_summary(called, found)
    return 0 if is_whole else partial_end(is_said=not as_json)


def follow(engine: EngineLike, called: CalledGame, limit: Limit, lines: int) -> tuple[Analysis, bool]:
    """Analyses a game and shows progress; returns the best result, and whether Ctrl-C did not stop it."""
    found, is_whole = Analysis(is_final=True), True
    shows = colour_depth(sys.stderr) != "none"
    with engine.analyse(called, limit, lines=lines) as stream:
        while not found.is_final or not found.lines:
            try:
                found = next(stream, None) or found
                if found.is_final:
                    break
                if shows:
                    click.echo(f"\r\x1b[2K{status_text(found, called.game)}", err=True, nl=False)
            except KeyboardInterrupt:
                is_whole = False
                stream.stop()
    if shows:
        click.echo("\r\x1b[2K", err=True, nl=False)
    return found, is_whole


def _answer(variant: Variant, called: CalledGame, found: Analysis) -> dict[str, object]:
    game = called.game
    return {
        "variant": variant.id,
        "position": str(game.position.setup),
        "turn": game.turn.value if game.turn else None,
        "depth": found.depth,
        "nodes": found.nodes,
        "time_ms": found.time_ms,
        "lines": [line_facts(line) for line in found.lines],
    }


def _print_summary(called: CalledGame, found: Analysis) -> None:
    game = called.game
    if game.outcome is not None:
        click.echo(outcome_text(game.outcome))
        return
    assert game.turn is not None
    seconds, nodes = decimal(found.time_ms / 1000), grouped(found.nodes)
    turn = translate(f"play.side.{game.turn.value}")
    click.echo(translate("cli.analyse.title", turn=turn, depth=found.depth, nodes=nodes, seconds=seconds))
    rows = [
        (score_text(line.score), chances_text(line.score), line_text(game, line.moves))
        for line in found.lines
    ]
    print_table(("meaning", "chances", "line"), rows, key="cli.analyse.head.", numbers=(1,))
