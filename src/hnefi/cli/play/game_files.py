"""Saves games to files while they are played, and resumes them."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import click

from hnefi._core import CalledGame
from hnefi.cli.faults import CommandError
from hnefi.cli.files import SUFFIX, make_folder, write_games
from hnefi.cli.game_input import games_before, sound_games, sound_replay, unusable
from hnefi.cli.play.session import Session
from hnefi.errors import HnefiError
from hnefi.match import Match
from hnefi.record import Node, PlayedMove, Record, Replay, format_records, read_match
from hnefi.variants.model import Variant


@dataclass(slots=True)
class GameFile:
    """Saves the games of this run after every move, behind those of a file; without a path to no file.

    Attributes:
        before: The games that it holds already.
        waits: Whether to create the file only after the first move.
        also: The file before it, which stays up to date too.
    """

    path: Path | None
    before: Sequence[Record] = ()
    waits: bool = False
    also: "GameFile | None" = None

    @classmethod
    def into(cls, path: Path, also: "GameFile | None" = None) -> "GameFile":
        """Opens a file to append to; it need not exist.

        Raises:
            CommandError: If it cannot be read, or holds no records.
        """
        before = [raw.record() for raw in games_before(path)]
        return cls(path, before, also=also)

    def save(self, records: Sequence[Record]) -> None:
        """Writes the games of this run.

        Raises:
            CommandError: If the file cannot be written.
        """
        if self.also is not None:
            self.also.save(records)
        if self.path is None or (self.waits and not records[-1].nodes):
            return
        if self.waits:
            make_folder(self.path.parent)
            self.waits = False
        write_games(self.path, format_records([*self.before, *records]))


@dataclass(frozen=True, slots=True)
class Resumed:
    """A resumed game, with its match.

    Attributes:
        session: The game; None if the next leg of the match is to begin.
        match: The match with its finished legs; None if the record names no players.
        records: The finished games of the match, then this one.
    """

    session: Session | None
    variant: Variant
    start: CalledGame
    match: Match | None
    records: tuple[Record, ...]
    game_file: GameFile


def make_record(session: Session, headers: Sequence[tuple[str, str]], old: Record | None = None) -> Record:
    """Creates the record of a game; keeps comments, clocks and variations of an older record of it."""
    known = {**dict(old.headers if old else ()), **dict(headers)}
    record = Record.from_calls(session.start, session.played, known.items(), session.agreed)
    if old is None:
        return record
    nodes = list(record.nodes)
    for index, (was, now) in enumerate(zip(old.nodes, nodes, strict=False)):
        if (was.move, was.call, was.status) != (now.move, now.call, now.status):
            break
        nodes[index] = Node(
            now.move, now.captures, now.call, now.status, was.clock_ms, was.comments, was.variations
        )
    return replace(record, nodes=tuple(nodes), comments=old.comments)


def default_path(variant_id: str, now: datetime) -> Path:
    """Returns the path of a new file in the folder of saved games."""
    stem = f"{now:%Y-%m-%d-%H%M%S}-{variant_id[:60]}"
    paths = (_folder() / f"{stem}{f'-{n}' if n else ''}{SUFFIX}" for n in range(10_000))
    return next(path for path in paths if not path.exists())


def latest_path() -> Path:
    """Returns the most recent saved game.

    Raises:
        CommandError: If there is no saved game.
    """
    folder = _folder()
    files = (
        sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime) if folder.is_dir() else []
    )
    if not files:
        raise CommandError.of_facts("nothing_to_resume", path=folder)
    return files[-1]


def _folder() -> Path:
    """Returns the folder of saved games."""
    state = os.environ.get("XDG_STATE_HOME")
    if state and Path(state).is_absolute():
        return Path(state) / "hnefi"
    if os.name == "posix":
        return Path("~/.local/state/hnefi").expanduser()
    return Path(click.get_app_dir("hnefi"))


def resume(path: Path, own: Variant | None = None) -> Resumed:
    """Resumes the last game of a file of any format, or starts the next leg of its match.

    A game from a file of another format is saved to a new one.

    Args:
        own: The variant of games that name none, and of those that name it.

    Raises:
        CommandError: If the file cannot be read, the game breaks its rules, or the match is over.
        FormatError: If the file is in no known format.
    """
    games = sound_games(str(path), own)
    if not games:
        raise CommandError.of_facts("nothing_to_resume", path=path)
    records = [raw.record() for raw in games]
    first = _first_of_match(records)
    replays = [sound_replay(str(path), raw) for raw in games[first:]]
    last = replays[-1]
    match = _match(path, replays)
    going_on = last.outcome is None
    if not going_on and (match is None or match.is_over):
        raise CommandError.of_facts("nothing_to_resume", path=path)
    variant, start = last.variant, last.start
    assert variant is not None, "a record without faults names a variant"
    assert start is not None, "a record without faults defines a game"
    is_ours = path.suffix.lower() == SUFFIX
    game_file = GameFile(path, records[:first]) if is_ours else GameFile(_beside(path, variant))
    played = [PlayedMove(node.move, node.call, node.clock_ms) for node in last.record.nodes if node.move]
    return Resumed(
        Session(variant, start, played) if going_on else None,
        variant,
        start,
        match,
        tuple(replay.record for replay in replays),
        game_file,
    )


def _beside(path: Path, variant: Variant) -> Path:
    """Returns the path of a new file for a game from a file of another format."""
    beside = path.with_name(path.name.split(".")[0] + SUFFIX)
    if not beside.exists():
        return beside
    path = default_path(variant.id, datetime.now().astimezone())
    make_folder(path.parent)
    return path


def _first_of_match(records: Sequence[Record]) -> int:
    """Returns the index of the first leg of the match of the last game."""
    last = len(records) - 1
    if records[last].header("Leg") != "2" or last == 0:
        return last
    facts = [{name: record.header(name) for name in ("Variant", "Match")} for record in records[-2:]]
    is_leg_before = records[last - 1].header("Leg") == "1" and facts[0] == facts[1]
    return last - 1 if is_leg_before else last


def _match(path: Path, replays: Sequence[Replay]) -> Match | None:
    if replays[-1].record.header("Match") is None:
        return None
    try:
        return read_match(replays)
    except HnefiError as error:
        raise unusable(str(path), error) from None
