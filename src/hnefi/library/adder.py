"""Adds games to a library: checks them by their rules and skips duplicates."""

import hashlib
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from hnefi._core import Game
from hnefi.checking import CheckedGame, Checker, Tally
from hnefi.errors import RecordError
from hnefi.formats import FAULTS, FindingKind, RawGame, check, unclaimed
from hnefi.formats.game_types import GameType
from hnefi.library.position_index import PositionIndex, shared_bits
from hnefi.library.store import Library
from hnefi.library.stored_game import pack, played_headers, player, result_of
from hnefi.record import Record
from hnefi.record.headers import format_switches
from hnefi.variants.model import Variant

_BATCH = 2000


@dataclass(slots=True)
class Report:
    """The counts of an import.

    Attributes:
        added: Games that were added.
        known: Duplicates that were skipped: the same moves by the same rules and players.
        updated: Games whose headers or comments were taken anew, for the file they came from was changed.
        faulty: Games that were skipped because of a fault.
        kept_short: Games among the added that end before their first fault.
        truncated: Compressed files that end inside a game that was added.
        sources: The number of added games by file.
    """

    added: int = 0
    known: int = 0
    updated: int = 0
    faulty: int = 0
    kept_short: int = 0
    truncated: int = 0
    sources: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _PreparedGame:
    """A checked game with its columns, ready to be written."""

    variant: Variant
    digest: int
    columns: tuple[object, ...]
    game: Game
    file: str
    place: int
    fault: str
    body: bytes


class Adder:
    """Adds games one by one; a context manager that writes the last ones on exit.

    Games are written in atomic batches of 2000. An interrupted import can be repeated: it adds only missing
    games.

    >>> from hnefi.formats import FAULTS, FindingKind, RawGame, check, unclaimed
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Library(pathlib.Path(folder.name) / "games.db", create=True) as library:
    ...     with Adder(library) as adder:
    ...         for _ in range(2):
    ...             adder.add("some.tafl", RawGame((("Variant", "brandub-globe"),), ("d2-c2", "d3-e3")))
    ...     adder.report.added, adder.report.known
    (1, 1)
    >>> folder.cleanup()
    """

    def __init__(
        self,
        library: Library,
        *,
        types: Mapping[int, GameType] | None = None,
        default: Variant | None = None,
        custom: Mapping[str, Variant] | None = None,
        keep_faulty: bool = False,
    ) -> None:
        """Creates an adder with an empty report.

        Args:
            library: The library.
            types: The game types by number; the known ones if None.
            default: The variant of games that do not name one.
            custom: Custom variants, by id.
            keep_faulty: Whether games with a fault are added up to the fault; otherwise they are skipped.
        """
        self.report = Report()
        self._library = library
        self._checker = Checker(types, default, custom)
        self._keeps_faulty = keep_faulty
        self._prepared: list[_PreparedGame] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        # Games read before an interruption are complete.
        if kind is None or issubclass(kind, KeyboardInterrupt):
            self.flush()

    @property
    def tallies(self) -> Iterable[Tally]:
        """The tallies of the checks, by type or variant."""
        return self._checker.tallies.values()

    def add(self, file: str, parsed: RawGame | Record | RecordError) -> None:
        """Checks a game and adds it, unless it has a fault.

        Args:
            file: The file it came from, or a name for its source.
            parsed: The game as a format read it, or as a record; an error counts as a faulty game.

        Raises:
            LibraryError: If it cannot be written.
        """
        parsed = RawGame.of(parsed) if isinstance(parsed, Record) else parsed
        checked = self._checker.check_game(file, parsed)
        game = checked.result.game
        is_whole = checked.result.fault is None
        if isinstance(parsed, RecordError) or game is None or not (is_whole or self._keeps_faulty):
            self.report.faulty += not checked.is_further
            return
        self.report.truncated += parsed.is_truncated
        self._prepared.append(_prepared(checked, parsed, game))
        if len(self._prepared) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Writes the waiting games.

        Raises:
            LibraryError: If they cannot be written.
        """
        batch, self._prepared = self._prepared, []
        if not batch:
            return
        with self._library.writing() as connection:
            _Writer(connection, self.report).write(batch)


class _Writer:
    """Writes a batch inside a transaction."""

    def __init__(self, connection: sqlite3.Connection, report: Report) -> None:
        self._connection = connection
        self._report = report
        self._numbers: dict[tuple[str, str], int] = {}

    def write(self, batch: list[_PreparedGame]) -> None:
        added: list[tuple[Game, int, int]] = []
        report = self._report
        for one in batch:
            if alike := self._alike(one):
                if len(alike) == 1 and self._update(alike[0], one):
                    report.updated += 1
                else:
                    report.known += 1
                continue
            played, switches = one.variant.rules, format_switches(one.variant.switches)
            rules = self._number(
                "rules", hash=played.hash, variant=one.variant.id, switches=switches, tree=played.to_json()
            )
            source = self._number("sources", path=one.file)
            values = (rules, one.digest, *one.columns, source, one.place, one.fault, one.body)
            number = self._connection.execute(_INSERT, values).lastrowid or 0
            added.append((one.game, number, shared_bits(rules, str(one.columns[3]))))
            report.added += 1
            report.kept_short += bool(one.fault)
            report.sources[one.file] += 1
        PositionIndex(self._connection).add(added)

    def _alike(self, one: _PreparedGame) -> list[tuple[Any, ...]]:
        """Returns the games with the same moves by the same rules and nothing else that differs."""
        rows = self._connection.execute(_ALIKE, (one.digest,))
        return [row for row in rows if all(map(_may_be_same, one.columns, row[:4]))]

    def _update(self, row: tuple[Any, ...], one: _PreparedGame) -> bool:
        """Takes what the file of a game says now, if that is more than before; returns whether it is."""
        *known, body, file, number = row
        pairs = zip(known, one.columns[:4], strict=True)
        if any(new in _UNKNOWN and old not in _UNKNOWN for old, new in pairs):
            return False
        if file != one.file or known[3] != one.columns[3] or len(one.body) <= len(body):
            return False
        self._connection.execute(_UPDATE, (*one.columns[:3], one.place, one.body, number))
        return True

    def _number(self, table: str, **values: str) -> int:
        """Returns the number of a row of a table; adds it if no row has the first of its values."""
        key = next(iter(values))
        known = self._numbers.get((table, values[key]))
        if known is None:
            columns, places = ", ".join(values), ", ".join("?" * len(values))
            insert = f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({places})"
            self._connection.execute(insert, tuple(values.values()))
            found = self._connection.execute(f"SELECT id FROM {table} WHERE {key} = ?", (values[key],))
            known = self._numbers[table, values[key]] = int(found.fetchone()[0])
        return known


_OF_MOVES = FAULTS - {FindingKind.WINNER, FindingKind.CONTRADICTION}
_UNKNOWN = ("", "*")
_CAPTURES = re.compile(r"x\S+")
_ALIKE = (
    "SELECT attackers, defenders, date, result, body, sources.path, games.id"
    " FROM games JOIN sources ON sources.id = games.source WHERE likeness = ?"
)
_UPDATE = "UPDATE games SET attackers = ?, defenders = ?, date = ?, line = ?, body = ? WHERE id = ?"
_INSERT = (
    "INSERT INTO games"
    " (rules, likeness, attackers, defenders, date, result, reason, plies, source, line, fault, body)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def _prepared(checked: CheckedGame, raw: RawGame, game: Game) -> _PreparedGame:
    """Returns a checked game with its columns and body; it ends before its first faulty move."""
    found, place = checked.result, checked.place
    played = found.variant
    assert played is not None
    outcome = found.outcome
    wrong = next((one.ply for one in found.findings if one.kind in _OF_MOVES and one.ply), None)
    if wrong is not None:
        raw, outcome = _cut_before(raw, wrong), None
        game = _main_line(raw, played) or game
    if game.rules != played.rules:
        played = unclaimed(played)
    result, reason = result_of(raw, outcome)
    moves = game.moves_text()
    names = (player(raw.header("Attackers")), player(raw.header("Defenders")))
    return _PreparedGame(
        variant=played,
        digest=_game_digest(played, game, moves),
        columns=(*names, _sortable(player(raw.header("Date"))), result, reason, game.ply_count),
        game=game,
        file=place.file,
        place=place.line,
        fault=found.fault.kind.value if found.fault else "",
        body=pack(raw, played_headers(raw, played, game, result), moves),
    )


def _main_line(raw: RawGame, played: Variant) -> Game | None:
    """Plays the main line by the rules that were found to fit best."""
    if raw.full_record is None:
        return check(raw, [played]).game
    called = raw.replay(lambda _: played).called
    return called and called.game


def _cut_before(raw: RawGame, ply: int) -> RawGame:
    """Returns a game as one that ends before a written move, with the annotations up to there."""
    raw = raw.cut_before(*raw.faults)
    record = raw.full_record
    if record is None:
        return replace(raw, written=raw.written[: ply - 1])
    counted = [
        index for index, node in enumerate(record.nodes) if node.move is not None and not node.is_undone
    ]
    end = counted[ply - 1] if ply <= len(counted) else None
    return replace(raw, full_record=replace(record, nodes=record.nodes[:end]))


def _may_be_same(first: object, second: object) -> bool:
    """Checks whether two names, dates or results may be the same: one is unknown, or they are equal."""
    return first in _UNKNOWN or second in _UNKNOWN or str(first).casefold() == str(second).casefold()


def _sortable(date: str) -> str:
    """Returns a date that begins with its day, or has slashes, as `2026-11-27`; any other as it is.

    >>> _sortable("27.11.2026"), _sortable("2026/11/7"), _sortable("2026.11"), _sortable("spring")
    ('2026-11-27', '2026-11-07', '2026.11', 'spring')
    """
    year_first = re.sub(r"^(\d{1,2})\.(\d{1,2})\.(\d{4})$", r"\3/\2/\1", date)
    found = re.fullmatch(r"(\d{4})/(\d{1,2})/(\d{1,2})", year_first)
    return f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}" if found else date


def _game_digest(played: Variant, game: Game, moves: str) -> int:
    """Returns a 64-bit digest of rules, start and moves without their captures, to find duplicates."""
    text = f"{played.rules.hash} {game.start} {_CAPTURES.sub('', moves)}"
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
