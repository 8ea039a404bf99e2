"""The index of positions: sorted runs of rows by position key, merged as in a log-structured merge tree.

A row contains a game, a position it reached, the move played there, and the result of the game. Each batch
becomes a sorted run of its own, and eight runs of a size class are merged into one of the next. So the cost
of adding does not depend on the size of the library, and a search reads a few dozen runs at most.
"""

import sqlite3
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hnefi._core import Game, index_rows

RESULTS = ("attackers", "defenders", "draw", "*")

_ROW_BYTES = 24
# Three parameters each, of the 999 that every SQLite takes.
_ROWS_AT_ONCE = 300
_FAN = 8
_SMALLEST = 8192
# Positions with at least this number of games in a run are counted when the run is created.
_HOT = 256
# From the low end: the move, the result and the rules, which count as one, and the ply.
_MOVE_BITS, _RESULT_BITS, _RULES_BITS = 17, 2, 20
_RULES_SHIFT = _MOVE_BITS + _RESULT_BITS
_PLY_SHIFT = _RULES_SHIFT + _RULES_BITS
_WHAT = (1 << _PLY_SHIFT) - 1
# The value of the move where a game ended.
_NO_MOVE = (1 << _MOVE_BITS) - 1


@dataclass(frozen=True, slots=True)
class Entry:
    """The number of games at a position with the same rules, result and move.

    Attributes:
        rules: The number of the rules in the library.
        result: `attackers`, `defenders`, `draw` or `*`.
        move: The number of the move, None for games that ended there.
        games: The number of games.
    """

    rules: int
    result: str
    move: int | None
    games: int


def shared_bits(rules: int, result: str) -> int:
    """Returns the part of the packed info that all rows of a game share: rules and result."""
    return rules << _RULES_SHIFT | RESULTS.index(result) << _MOVE_BITS


def _entry(what: int, games: int) -> Entry:
    move, result = what & _NO_MOVE, RESULTS[what >> _MOVE_BITS & 3]
    return Entry(what >> _RULES_SHIFT, result, None if move == _NO_MOVE else move, games)


class PositionIndex:
    """The position index of a library, inside a transaction."""

    SCHEMA = ("CREATE TABLE runs (id INTEGER PRIMARY KEY, level INTEGER NOT NULL, rows INTEGER NOT NULL)",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, games: list[tuple[Game, int, int]]) -> None:
        """Adds the positions of games, each with its number and `shared_bits`.

        Complexity is O(n) in the positions, plus O(log N) merges of each row over time.
        """
        rows = index_rows(games, _NO_MOVE, _PLY_SHIFT)
        if not rows:
            return
        run = self._new_run(len(rows) // _ROW_BYTES)
        # A statement with many rows takes a quarter of the time per row.
        for count in (_ROWS_AT_ONCE, 1):
            some, values = struct.Struct(f"={3 * count}q"), ", ".join(["(?, ?, ?)"] * count)
            end = len(rows) - len(rows) % some.size
            self._connection.executemany(
                f"INSERT INTO run_{run} VALUES {values}", some.iter_unpack(rows[:end])
            )
            rows = rows[end:]
        self._count_hot(run)
        while self._merge_level():
            pass

    def games(
        self, key: int, rules: Sequence[int] = (), last: int | None = None, before: int | None = None
    ) -> str:
        """Returns the SQL of all games that reached a position, with columns `game` and `info`.

        Args:
            key: The key of the position.
            rules: The numbers of the rules in the library; any if empty.
            last: The number of latest games per run that suffices.
            before: Only games with a smaller number.
        """
        where = f"key = {int(key)}"
        if rules:
            numbers = ", ".join(str(int(one)) for one in rules)
            where += f" AND (info & {_WHAT}) >> {_RULES_SHIFT} IN ({numbers})"
        if before is not None:
            where += f" AND game < {int(before)}"
        parts = [f"SELECT game, info FROM run_{run} WHERE {where}" for run in self._runs()]
        if last is not None:
            # Rows of a key are sorted by game, so each run is read only as far as needed.
            parts = [f"SELECT * FROM ({part} ORDER BY game DESC LIMIT {int(last)})" for part in parts]
        return " UNION ALL ".join(parts) or "SELECT 0 AS game, 0 AS info WHERE 0"

    def entries(self, key: int) -> list[Entry]:
        """Counts the moves at a position. Complexity is O(runs · log N), for any number of games."""
        counts: dict[int, int] = {}
        for run in self._runs():
            for what, games in self._counted(run, key):
                counts[what] = counts.get(what, 0) + games
        return [_entry(what, games) for what, games in sorted(counts.items())]

    def entries_of(self, key: int, games: str, values: Sequence[object]) -> list[Entry]:
        """Counts the moves at a position in the games that satisfy a condition. Complexity is O(games)."""
        text = (
            f"SELECT found.info & {_WHAT}, count(*) FROM ({self.games(key)}) AS found"
            f" JOIN games ON games.id = found.game WHERE {games} GROUP BY 1"
        )
        return [_entry(what, count) for what, count in self._connection.execute(text, values)]

    def remove(self, game: int, keys: Iterable[int]) -> None:
        """Removes the rows of a game."""
        runs = self._runs()
        for key in keys:
            for run in runs:
                gone = self._connection.execute(
                    f"DELETE FROM run_{run} WHERE key = ? AND game = ?", (key, game)
                )
                if gone.rowcount:
                    self._recount(run, key)

    def _counted(self, run: int, key: int) -> list[tuple[int, int]]:
        hot = f"SELECT what, games FROM hot_{run} WHERE key = ?"
        rows = f"SELECT info & {_WHAT}, count(*) FROM run_{run} WHERE key = ? GROUP BY 1"
        execute = self._connection.execute
        return execute(hot, (key,)).fetchall() or execute(rows, (key,)).fetchall()

    def _runs(self) -> list[int]:
        return [row[0] for row in self._connection.execute("SELECT id FROM runs ORDER BY id DESC")]

    def _new_run(self, rows: int) -> int:
        level = 0
        while rows > _SMALLEST * _FAN**level:
            level += 1
        added = self._connection.execute("INSERT INTO runs (level, rows) VALUES (?, ?)", (level, rows))
        run = added.lastrowid or 0
        self._connection.execute(
            f"CREATE TABLE run_{run} (key INTEGER, game INTEGER, info INTEGER, PRIMARY KEY (key, game))"
            " WITHOUT ROWID"
        )
        self._connection.execute(
            f"CREATE TABLE hot_{run} (key INTEGER, what INTEGER, games INTEGER, PRIMARY KEY (key, what))"
            " WITHOUT ROWID"
        )
        return run

    def _count_hot(self, run: int) -> None:
        self._connection.execute(
            f"INSERT INTO hot_{run} SELECT key, info & {_WHAT}, count(*) FROM run_{run} WHERE key IN"
            f" (SELECT key FROM run_{run} GROUP BY key HAVING count(*) >= {_HOT}) GROUP BY 1, 2"
        )

    def _recount(self, run: int, key: int) -> None:
        gone = self._connection.execute(f"DELETE FROM hot_{run} WHERE key = ?", (key,))
        if gone.rowcount:
            self._connection.execute(
                f"INSERT INTO hot_{run} SELECT key, info & {_WHAT}, count(*) FROM run_{run}"
                " WHERE key = ? GROUP BY 1, 2",
                (key,),
            )

    def _merge_level(self) -> bool:
        """Merges the runs of a level if there are enough; returns whether it did."""
        level = self._connection.execute(
            "SELECT level FROM runs GROUP BY level HAVING count(*) >= ? ORDER BY level LIMIT 1", (_FAN,)
        ).fetchone()
        if level is None:
            return False
        old = self._connection.execute("SELECT id, rows FROM runs WHERE level = ?", level).fetchall()
        new = self._new_run(sum(rows for _, rows in old))
        parts = " UNION ALL ".join(f"SELECT key, game, info FROM run_{run}" for run, _ in old)
        self._connection.execute(f"INSERT INTO run_{new} {parts} ORDER BY key, game")
        for run, _ in old:
            self._connection.execute(f"DROP TABLE run_{run}")
            self._connection.execute(f"DROP TABLE hot_{run}")
            self._connection.execute("DELETE FROM runs WHERE id = ?", (run,))
        self._count_hot(new)
        return True
