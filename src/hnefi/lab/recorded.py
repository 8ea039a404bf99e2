"""Recorded games of a variant, from files of any format, with their results."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hnefi._core import Game, Move
from hnefi.checking import Checker
from hnefi.errors import RecordError, shorten
from hnefi.formats import FormatError, ReadOptions, read_games
from hnefi.library.stored_game import result_of
from hnefi.variants.model import Variant


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """The moves of a recorded game from the start position, and its result by the words of records."""

    moves: tuple[Move, ...]
    result: str


def recorded_games(path: Path, variant: Variant) -> Iterator[RecordedGame]:
    """Iterates over the games of a file that were played by the rules of a variant and have no faults.

    Raises:
        FormatError: If the format of the file is unknown; `broken_archive`, if a part of it is lost.
        OSError: If it cannot be read.
    """
    checker = Checker(None, variant, {variant.id: variant})
    for parsed in read_games(path, ReadOptions(variant)):
        if isinstance(parsed, RecordError) and parsed.code == "archive_cut":
            raise FormatError("broken_archive", f"{path}: {parsed.detail}", {"path": shorten(path, 200)})
        checked = checker.check_game(str(path), parsed).result
        game = checked.game
        if isinstance(parsed, RecordError) or game is None or checked.fault is not None:
            continue
        if game.rules == variant.rules and game.start == Game(variant.rules).start:
            yield RecordedGame(tuple(ply.move for ply in game.plies), result_of(parsed, checked.outcome)[0])
