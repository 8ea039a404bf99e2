"""Reviews every game of a file: writes annotated records, or prints the review as JSON."""

from collections.abc import Iterator
from pathlib import Path

import click

from hnefi.cli.annotations import annotated, annotated_plies, is_same_game
from hnefi.cli.faults import INTERRUPTED, CommandError, bad_usage, path_text
from hnefi.cli.files import SUFFIX, extension, write_games
from hnefi.cli.game_input import games_before, sound_games, sound_replay
from hnefi.cli.output import file_output, print_json
from hnefi.cli.progress import progress_bar
from hnefi.cli.scores import game_facts
from hnefi.cli.search_options import SearchOptions
from hnefi.cli.texts import translate
from hnefi.engine import EngineLike, Limit
from hnefi.engine.review import RecordedPly, ReviewedPly, recorded_plies, review
from hnefi.formats import FORMATS
from hnefi.record import Record, format_records
from hnefi.variants.model import Variant


def analyse_record(
    path: str,
    output_path: str | None,
    own: Variant | None,
    thinking: SearchOptions,
    usual_ms: int,
    *,
    as_json: bool = False,
) -> int:
    """Reviews the games of a file and returns the exit code.

    An interrupted review keeps its results; the next run continues from there.

    Args:
        output_path: The file for the annotated games; standard output if None.
        usual_ms: Time per move in milliseconds if no limit is given.

    Raises:
        HnefiError: If a file or the engine cannot be used, or the options do not go together.
    """
    limit = thinking.limit(usual_ms)
    suffix = extension(output_path)
    if suffix != SUFFIX and any(suffix in one.extensions for one in FORMATS):
        raise bad_usage("choice", name="--output", found=output_path, expected=SUFFIX)
    if as_json and output_path is not None:
        raise bad_usage("together", first="--json", second="--output")
    target = None if output_path in (None, "-") else Path(output_path or "")
    replays = [sound_replay(path, raw) for raw in sound_games(path, own)]
    begun = _begun([replay.record for replay in replays], target)
    games, reviews = list(begun), [list[ReviewedPly]() for _ in begun]
    is_whole = True
    with thinking.engine() as engine:
        try:
            for number, (replay, record, found) in enumerate(zip(replays, begun, reviews, strict=True)):
                steps = recorded_plies(replay)
                skip = 0 if as_json else min(annotated_plies(record), len(steps))
                for one in _reviewed(engine, steps, limit, skip):
                    found.append(one)
                    games[number] = annotated(record, found, skip + len(found), engine.name)
                    if target is not None:
                        write_games(target, format_records(games))
        except KeyboardInterrupt:
            is_whole = False
    if as_json:
        facts = [game_facts(replay.record, found) for replay, found in zip(replays, reviews, strict=True)]
        print_json({"engine": engine.name, "complete": is_whole, "games": facts})
        return 0 if is_whole else INTERRUPTED
    if target is None:
        click.echo(format_records(games), file_output(), nl=False)
    else:
        write_games(target, format_records(games))
    if not is_whole:
        click.echo(translate("cli.analyse.cut" if target else "cli.analyse.cut_unkept"), err=True)
        return INTERRUPTED
    if target is not None:
        click.echo(translate("cli.analyse.written", path=path_text(target)), err=True)
    return 0


def _begun(records: list[Record], target: Path | None) -> list[Record]:
    """Returns the games, with the annotations that the output file already holds."""
    before = [raw.record() for raw in games_before(target)] if target else []
    if before and not (len(before) == len(records) and all(map(is_same_game, before, records))):
        raise CommandError.of_facts("other_games", path=target)
    return before or records


def _reviewed(
    engine: EngineLike, steps: list[RecordedPly], limit: Limit, skip: int = 0
) -> Iterator[ReviewedPly]:
    """Reviews the moves of one game and shows a progress bar."""
    with progress_bar(translate("cli.analyse.reviewing"), len(steps)) as show:
        show(skip)
        for done, one in enumerate(review(engine, steps, limit, skip=skip), start=skip + 1):
            show(done)
            yield one
