"""Games from files that a command line names: of any format, compressed or not, or standard input."""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from hnefi.archives import opened
from hnefi.cli.faults import CommandError, file_error, path_text
from hnefi.cli.files import read_file
from hnefi.cli.texts import error_text, translate
from hnefi.errors import HnefiError, RecordError
from hnefi.formats import Format, RawGame, ReadOptions, read_games
from hnefi.formats.registry import archive_errors, chosen_format, head_of
from hnefi.record import Replay
from hnefi.variants.model import Variant

LARGEST_GAMES_MB = 256
"""The most that commands read which need all games of a file at once."""
MOST_GAMES_AT_ONCE, MOST_PLIES_AT_ONCE = 10_000, 500_000
"""The most games and plies of a file that these commands take."""

_OF_OUTPUT = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT)
"""Errors of what is written meanwhile, which reading does not have."""


def name_of(path: str) -> str:
    """Returns the name of a file for messages; `-` is standard input."""
    return translate("cli.standard_input") if path == "-" else path


@contextmanager
def opened_input(path: str) -> Iterator[BinaryIO]:
    """Opens a file for reading, or standard input for `-`.

    Raises:
        CommandError: `cannot_read`, also while it is read.
    """
    if path == "-":
        yield sys.stdin.buffer if sys.stdin is not None else io.BytesIO()
        return
    try:
        with Path(path).open("rb") as file:
            yield file
    except (OSError, ValueError) as error:
        if getattr(error, "errno", None) in _OF_OUTPUT:
            raise
        raise file_error("cannot_read", path, error) from None


@dataclass(frozen=True, slots=True)
class GamesInFile:
    """The games of an open file, read one by one; a game that cannot be parsed is its error.

    Attributes:
        path: The file, or `-`.
        size: Its size in bytes, 0 if unknown.
    """

    path: str
    format: Format
    size: int
    games: Iterator[RawGame | RecordError]
    _file: BinaryIO

    @property
    def done(self) -> int:
        """How many bytes are read, 0 if the size is unknown."""
        return self._file.tell() if self.size else 0


@contextmanager
def games_in(path: str, options: ReadOptions, file_format: Format | None = None) -> Iterator[GamesInFile]:
    """Opens a file of games.

    Args:
        file_format: The format; recognised if None.

    Raises:
        CommandError: `cannot_read`, also while it is read.
        FormatError: If it is in no known format, or its archive is broken.
    """
    name = name_of(path)
    with opened_input(path) as file, archive_errors(name), opened(file) as stream:
        head, whole = head_of(stream)
        chosen = chosen_format(head, name, file_format)
        size = 0 if path == "-" else os.fstat(file.fileno()).st_size
        yield GamesInFile(path, chosen, size, read_games(whole, options, chosen, name=name), file)


def sound_games(path: str, variant: Variant | None = None) -> list[RawGame]:
    """Returns the games of a file.

    Args:
        variant: The variant of games that name none, and of those that name it.

    Raises:
        CommandError: `cannot_read`; `unusable_record` for the first game that cannot be parsed;
            `too_many_games_at_once`.
        FormatError: If the file is in no known format.
    """
    found, plies = list[RawGame](), 0
    content = io.BytesIO(read_file(path, LARGEST_GAMES_MB))
    for one in read_games(content, ReadOptions(variant), name=name_of(path)):
        if isinstance(one, RecordError):
            raise unusable(path, one, (one.line, one.parameters.get("game", 1)))
        found.append(one)
        plies += len(one.full_record.nodes if one.full_record else one.written)
        if len(found) > MOST_GAMES_AT_ONCE or plies > MOST_PLIES_AT_ONCE:
            facts = {"games": MOST_GAMES_AT_ONCE, "plies": MOST_PLIES_AT_ONCE}
            raise CommandError.of_facts("too_many_games_at_once", path=name_of(path), **facts)
    return found


def games_before(path: Path) -> list[RawGame]:
    """Returns the games that an output file holds already; none if it is missing, empty or a device.

    Raises:
        CommandError, FormatError: As `sound_games`.
    """
    return sound_games(str(path)) if path.is_dir() or (path.is_file() and path.stat().st_size) else []


def sound_replay(path: str, raw: RawGame, *, takes_variant: bool = False) -> Replay:
    """Plays a game by its rules, for a command that has an option `--variant` or none.

    Raises:
        CommandError: `unusable_record` with the first contradiction.
    """
    try:
        replay = raw.replay()
    except HnefiError as error:
        raise unusable(path, error, (raw.line, raw.game), takes_variant=takes_variant) from None
    fault = replay.fault
    if fault is not None:
        place = fault.line or raw.line, raw.game
        raise unusable(path, fault.error, place, takes_variant=takes_variant)
    return replay


def is_unnamed(error: HnefiError) -> bool:
    """Checks whether an error is that of a game that names no variant."""
    return error.code == "missing_header" and error.parameters.get("name") == "Variant"


def unusable(
    path: str, error: HnefiError, place: tuple[int, object] | None = None, *, takes_variant: bool = False
) -> CommandError:
    """Returns the error of a file with a game that cannot be used, of this line and number."""
    why = error_text(error)
    if place is not None:
        why = translate("cli.game_at_line", line=place[0], game=place[1], why=why)
    if takes_variant and is_unnamed(error):
        why = translate("cli.replay.unnamed")
    elif is_unnamed(error):
        named = Path(path).name.split(".")[0].lstrip("-") or "games"
        named = f"{named}-named.tafl" if path.endswith(".tafl") else f"{named}.tafl"
        why = translate("cli.unnamed_game", path=path_text(path), named=path_text(named))
    facts = {"path": path_text(path), "why": why}
    return CommandError("unusable_record", f"{path}: {error}", facts)
