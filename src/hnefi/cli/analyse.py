"""`hnefi analyse`: what a position is worth, or a whole record with scores and better moves."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from hnefi._core import CalledGame
from hnefi.cli.annotating import annotated, annotated_plies, is_same_game
from hnefi.cli.apply import begin, play_moves
from hnefi.cli.faults import CommandError, bad_usage, printable
from hnefi.cli.files import read_file, write_file
from hnefi.cli.frame import FilePath, Text, WholeNumber, argument, command, option
from hnefi.cli.judging import chances_words, line_facts, line_words, score_words, status_words
from hnefi.cli.naming import json_option, switch_option, switched, variant_argument
from hnefi.cli.output import colour_depth, print_json, print_table
from hnefi.cli.progress import showing
from hnefi.cli.replay import LARGEST_RECORDS_MB
from hnefi.cli.speech import say, say_error, say_outcome
from hnefi.cli.thinking import Thinking, thinking_options
from hnefi.engine import Analysis, EngineLike, Limit
from hnefi.engine.reviewing import ReviewedPly, review, steps_of
from hnefi.errors import HnefiError
from hnefi.record import Record, format_records, read_records
from hnefi.variant import Variant
from hnefi.variant import variant as variant_of

__all__ = ["analyse", "follow"]

_EXAMPLES = (
    ("analyse brandub-globe start --time 0.2", "cli.analyse.example.start"),
    ('analyse tablut-kouvia "4t4/9/9/9/4K4/9/9/9/4t4 a" --depth 4 --lines 2', "cli.analyse.example.position"),
    ("analyse brandub-globe start d2-c2 --nodes 20000 --json", "cli.analyse.example.json"),
    ("analyse --record evening.tafl --output annotated.tafl", "cli.analyse.example.record"),
)
_MOST_LINES = 500
_USUAL_MS, _USUAL_MS_PER_MOVE = 3_000, 1_000
_INTERRUPTED = 130


@command("analyse", _EXAMPLES)
@variant_argument(required=False)
@argument("position", key="position", type=Text(), default="start", required=False)
@argument("moves", key="moves", type=Text(), nargs=-1)
@option("--record", "record_path", type=FilePath(), metavar="cli.word.file", help="cli.option.analyse_record")
@option("--output", "output_path", type=FilePath(), metavar="cli.word.file", help="cli.option.output")
@option(
    "--lines", type=WholeNumber(1, _MOST_LINES), default=3, metavar="cli.word.count", help="cli.option.lines"
)
@thinking_options
@switch_option
@json_option
def analyse(
    variant: Variant | None,
    position: str,
    moves: tuple[str, ...],
    record_path: str | None,
    output_path: str | None,
    lines: int,
    switches: tuple[str, ...],
    as_json: bool,
    thinking: Thinking,
) -> int:
    """Analyses a position or a record."""
    if record_path is not None:
        for name, value in (("POSITION", position != "start"), ("--switch", switches), ("--json", as_json)):
            if value:
                raise bad_usage("together", first="--record", second=name)
        return _record(record_path, output_path, variant, thinking)
    if output_path is not None:
        raise bad_usage("together", first="--output", second="POSITION")
    if variant is None:
        raise bad_usage("missing", name=say("cli.word.variant"))
    chosen = switched(variant, switches)
    called = play_moves(begin(chosen, position, "auto"), moves)
    with thinking.engine() as engine:
        found = follow(engine, called, thinking.limit(_USUAL_MS), lines)
    if as_json:
        print_json(_answer(chosen, called, found))
    else:
        _tell(called, found)
    return 0


def follow(engine: EngineLike, called: CalledGame, limit: Limit, lines: int) -> Analysis:
    """Analyses a game and shows how far it is; Ctrl-C ends it with what is known."""
    found = Analysis(is_final=True)
    shows = colour_depth(sys.stderr) != "none"
    with engine.analyse(called, limit, lines=lines) as stream:
        while not found.is_final or not found.lines:
            try:
                found = next(stream, None) or found
                if found.is_final:
                    break
                if shows:
                    click.echo(f"\r\x1b[2K{status_words(found, called.game)}", err=True, nl=False)
            except KeyboardInterrupt:
                stream.stop()
    if shows:
        click.echo("\r\x1b[2K", err=True, nl=False)
    return found


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


def _tell(called: CalledGame, found: Analysis) -> None:
    game = called.game
    if game.outcome is not None:
        click.echo(say_outcome(game.outcome))
        return
    assert game.turn is not None
    seconds = f"{found.time_ms / 1000:.1f}".replace(".", say("cli.decimal_mark"))
    nodes = f"{found.nodes:,}".replace(",", "\u202f")
    turn = say(f"play.side.{game.turn.value}")
    click.echo(say("cli.analyse.title", turn=turn, depth=found.depth, nodes=nodes, seconds=seconds))
    heads = [say(f"cli.analyse.head.{name}") for name in ("meaning", "chances", "line")]
    rows = [
        (score_words(line.score), chances_words(line.score), line_words(game, line.moves))
        for line in found.lines
    ]
    print_table(heads, rows, numbers=(1,))


def _record(path: str, output_path: str | None, own: Variant | None, thinking: Thinking) -> int:
    """Goes over the games of a file; what was found before an interruption is kept, and gone on with."""
    target = None if output_path in (None, "-") else Path(output_path or "")
    games = _begun(list(_read(path)), target)

    def keep() -> None:
        if target is not None:
            write_file(target, format_records(games))

    is_cut = False
    with thinking.engine() as engine:
        for number, record in enumerate(games):
            try:
                for games[number] in _annotations(engine, path, record, own, thinking):
                    keep()
            except KeyboardInterrupt:
                is_cut = True
                break
    if target is None:
        click.echo(format_records(games), nl=False)
    else:
        keep()
    if is_cut:
        click.echo(say("cli.analyse.cut" if target else "cli.analyse.cut_unkept"), err=True)
        return _INTERRUPTED
    if target is not None:
        click.echo(say("cli.analyse.written", path=printable(str(target), 300)), err=True)
    return 0


def _begun(records: list[Record], target: Path | None) -> list[Record]:
    """Gives the games as far as they have been gone over in the file that is to be written.

    Raises:
        CommandError: `other_games`, if that file holds something else: it is not written over.
    """
    before = _read(str(target)) if target is not None and target.exists() else ()
    if before and not (len(before) == len(records) and all(map(is_same_game, before, records))):
        shown = printable(str(target), 300)
        raise CommandError("other_games", f"{shown}: other games", {"path": shown})
    return list(before) or records


def _annotations(
    engine: EngineLike, path: str, record: Record, own: Variant | None, thinking: Thinking
) -> Iterator[Record]:
    """Goes over one game, and gives it after every move with what has been found so far."""
    replay = record.replay(lambda name: own if own is not None and own.id == name else variant_of(name))
    if replay.faults:
        raise _unusable(path, replay.faults[0].error)
    steps = steps_of(record, replay)
    skip = min(annotated_plies(record), len(steps))
    found: list[ReviewedPly] = []
    with showing(say("cli.analyse.reviewing"), len(steps)) as show:
        for one in review(engine, steps, thinking.limit(_USUAL_MS_PER_MOVE), skip=skip):
            found.append(one)
            show(skip + len(found))
            yield annotated(record, found, skip + len(found), engine.name)


def _read(path: str) -> tuple[Record, ...]:
    reading = read_records(read_file(path, LARGEST_RECORDS_MB))
    if reading.faults:
        raise _unusable(path, reading.faults[0])
    return reading.records


def _unusable(path: str, error: HnefiError) -> CommandError:
    facts = {"path": printable(path, 300), "why": say_error(error)}
    return CommandError("unusable_record", f"{path}: {error}", facts)
