"""Games into a library: read in any form, played by their rules, found twice or added."""

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from hnefi._core import Game
from hnefi.checking import CheckedGame, Checker, CheckResult, Tally, unclaimed
from hnefi.errors import RecordError
from hnefi.formats import RawGame
from hnefi.formats.game_types import GameType
from hnefi.library.position_index import PositionIndex, packed
from hnefi.library.store import Library
from hnefi.library.stored_game import pack, played_headers, player, result_of
from hnefi.record.headers import format_switches
from hnefi.variants.model import Variant

__all__ = ["Added", "Adder", "Report"]

_TOGETHER = 2000
_LONGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Added:
    """What became of one game.

    Attributes:
        what: `added`, `known` (it is there already) or `faulty` (it is kept out).
        seen: What its check found.
    """

    what: str
    seen: CheckedGame


@dataclass(slots=True)
class Report:
    """What became of many games.

    Attributes:
        added: Games that are new.
        known: Games that were there already, the same moves by the same rules and players.
        faulty: Games kept out for their faults.
        kept_short: Games among the added that are kept up to their first fault.
        sources: How many were added from which file.
    """

    added: int = 0
    known: int = 0
    faulty: int = 0
    kept_short: int = 0
    sources: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Fresh:
    """A game ready to be added."""

    variant: Variant
    digest: int
    columns: tuple[object, ...]
    line: list[tuple[int, int | None]]
    names: tuple[str, str, str]
    file: str
    place: int
    fault: str
    body: bytes


class Adder:
    """Adds games one after the other; a context manager that keeps the last ones when it is left.

    They are written in batches of 2000, each as a whole: what was interrupted can be run again, and only adds
    what is not there yet.

    >>> from hnefi.formats import RawGame
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
        own: Mapping[str, Variant] | None = None,
        keep_faulty: bool = False,
    ) -> None:
        """Begins with nothing added.

        Args:
            library: Where to.
            types: What is played in which game type of the site; what Hnefi knows if None.
            default: What is played where a game does not say it.
            own: Variants that Hnefi does not bring, by id.
            keep_faulty: Whether games with a fault are kept up to it; they are left out otherwise.
        """
        self.report = Report()
        self._library = library
        self._checker = Checker(types, default, own)
        self._keeps_faulty = keep_faulty
        self._fresh: list[_Fresh] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        # What was read before an interruption is complete and is kept.
        if kind is None or issubclass(kind, KeyboardInterrupt):
            self.flush()

    @property
    def rows(self) -> Iterable[Tally]:
        """What the check found, by type or variant."""
        return self._checker.rows.values()

    def add(self, file: str, found: RawGame | RecordError) -> None:
        """Checks a game and adds it, unless it has a fault.

        Raises:
            LibraryError: If it cannot be written.
        """
        seen = self._checker.see(file, found)
        verdict = seen.result
        is_whole = verdict.fault is None
        if isinstance(found, RecordError) or verdict.game is None or not (is_whole or self._keeps_faulty):
            self.report.faulty += 1
            return
        self._fresh.append(_fresh(seen, found, verdict, verdict.game))
        if len(self._fresh) >= _TOGETHER:
            self.flush()

    def flush(self) -> None:
        """Writes what waits to be written.

        Raises:
            LibraryError: If it cannot be.
        """
        fresh, self._fresh = self._fresh, []
        if not fresh:
            return
        with self._library.writing() as connection:
            writer = _Writer(connection, self.report)
            writer.write(fresh)


class _Writer:
    """Writes a batch within a transaction."""

    def __init__(self, connection: sqlite3.Connection, report: Report) -> None:
        self._connection = connection
        self._report = report
        self._rules: dict[str, int] = {}
        self._sources: dict[str, int] = {}

    def write(self, fresh: list[_Fresh]) -> None:
        rows: list[tuple[int, int, int]] = []
        report = self._report
        for one in fresh:
            if self._is_known(one):
                report.known += 1
                continue
            rules = self._rules_id(one.variant)
            values = (
                rules,
                one.digest,
                *one.columns,
                self._source_id(one.file),
                one.place,
                one.fault,
                one.body,
            )
            added = self._connection.execute(_INSERT, values)
            game, result = added.lastrowid or 0, str(one.columns[3])
            seen: set[int] = set()
            for ply, (key, move) in enumerate(one.line[:_LONGEST]):
                if key not in seen:
                    seen.add(key)
                    rows.append((key, game, packed(rules, result, move, ply)))
            report.added += 1
            report.kept_short += bool(one.fault)
            report.sources[one.file] += 1
        PositionIndex(self._connection).add(rows)

    def _is_known(self, one: _Fresh) -> bool:
        """Checks whether the same moves by the same rules are there, and nothing says that others did."""
        found = self._connection.execute(
            "SELECT attackers, defenders, date FROM games WHERE likeness = ?", (one.digest,)
        )
        return any(all(map(_may_be_one, one.names, row)) for row in found)

    def _rules_id(self, played: Variant) -> int:
        known = self._rules.get(played.rules.hash)
        if known is None:
            row = self._connection.execute(
                "SELECT id FROM rules WHERE hash = ?", (played.rules.hash,)
            ).fetchone()
            if row is None:
                values = (
                    played.rules.hash,
                    played.id,
                    format_switches(played.switches),
                    played.rules.to_json(),
                )
                added = self._connection.execute(
                    "INSERT INTO rules (hash, variant, switches, tree) VALUES (?, ?, ?, ?)", values
                )
                row = (added.lastrowid,)
            known = self._rules[played.rules.hash] = int(row[0])
        return known

    def _source_id(self, file: str) -> int:
        known = self._sources.get(file)
        if known is None:
            self._connection.execute("INSERT OR IGNORE INTO sources (path) VALUES (?)", (file,))
            row = self._connection.execute("SELECT id FROM sources WHERE path = ?", (file,)).fetchone()
            known = self._sources[file] = int(row[0])
        return known


_INSERT = (
    "INSERT INTO games"
    " (rules, likeness, attackers, defenders, date, result, reason, plies, source, line, fault, body)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def _fresh(seen: CheckedGame, raw: RawGame, verdict: CheckResult, game: Game) -> _Fresh:
    played = verdict.variant
    if played is None:
        raise ValueError("verdict: a game without rules")
    if game.rules != played.rules:
        played = unclaimed(played)
    result, reason = result_of(raw, verdict.outcome)
    names = (
        player(raw.header("Attackers")),
        player(raw.header("Defenders")),
        player(raw.header("Date")),
    )
    line = game.canonical_line()
    body = pack(raw, played_headers(raw, played, game, result), game)
    fault = verdict.fault.kind.value if verdict.fault else ""
    columns = (*names, result, reason, game.ply_count)
    likeness = _game_digest(played, game)
    return _Fresh(played, likeness, columns, line, names, seen.place.file, seen.place.line, fault, body)


def _may_be_one(mine: str, theirs: str) -> bool:
    """Checks whether two names or dates may be one: nothing is said, or the same."""
    return not mine or not theirs or mine.casefold() == theirs.casefold()


def _game_digest(played: Variant, game: Game) -> int:
    """Returns a number that games with the same rules, start and moves share."""
    told = f"{played.rules.hash} {game.start} {' '.join(str(ply.move) for ply in game.plies)}"
    digest = hashlib.blake2b(told.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
