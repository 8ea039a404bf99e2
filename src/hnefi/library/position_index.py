"""Which games reached which position: runs of rows ordered by the keys of the positions, merged when many.

A row says that a game came to a position, what was played there, and how the game ended. Rows are never
inserted among others: each addition becomes a sorted run of its own, and eight runs of about one size become
one of the next size. So adding costs the same in a small library and in a large one, and a search looks into
a few dozen runs at most.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

__all__ = ["NO_MOVE", "Entry", "PositionIndex", "packed"]

NO_MOVE = 0x1FFFF
"""Stands for the move where a game went no further."""

RESULTS = ("attackers", "defenders", "draw", "*")

_FAN = 8
_SMALLEST = 8192
# A position that so many games of one run have reached is counted when the run is made.
_HOT = 256
_RULES_BITS = 20
_WHAT = (1 << 19 + _RULES_BITS) - 1


@dataclass(frozen=True, slots=True)
class Entry:
    """How often some rules, a result and a move go together at a position.

    Attributes:
        rules: The rules, by their number in the library.
        result: `attackers`, `defenders`, `draw` or `*`.
        move: The number of the move that was played, None where the game went no further.
        games: In how many games.
    """

    rules: int
    result: str
    move: int | None
    games: int


def packed(rules: int, result: str, move: int | None, ply: int) -> int:
    """Puts into one number what a row says besides position and game."""
    what = rules << 19 | RESULTS.index(result) << 17 | (NO_MOVE if move is None else move)
    return ply << 19 + _RULES_BITS | what


def _entry(what: int, games: int) -> Entry:
    move = what & NO_MOVE
    return Entry(what >> 19, RESULTS[what >> 17 & 3], None if move == NO_MOVE else move, games)


class PositionIndex:
    """The index of positions of a library, within a transaction of it."""

    SCHEMA = ("CREATE TABLE runs (id INTEGER PRIMARY KEY, level INTEGER NOT NULL, rows INTEGER NOT NULL)",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, rows: list[tuple[int, int, int]]) -> None:
        """Adds rows of key, game and what `packed` gives; no game has two rows for a key.

        Complexity is O(n log n) in the rows, and O(log N) merges of each row over the life of the library.
        """
        if not rows:
            return
        rows.sort()
        run = self._new_run(len(rows))
        self._connection.executemany(f"INSERT INTO run_{run} VALUES (?, ?, ?)", rows)
        self._count_hot(run)
        while self._merge_most():
            pass

    def games(
        self, key: int, rules: Sequence[int] = (), last: int | None = None, before: int | None = None
    ) -> str:
        """Returns the SQL of all games that came to a position, by some rules or any: `game` and `info`.

        Args:
            key: The key of the position.
            rules: The rules, by their numbers in the library; any if there are none.
            last: How many of the last games of each run are enough.
            before: The number of the game before which they have to have been added.
        """
        where = f"key = {int(key)}"
        if rules:
            where += f" AND (info & {_WHAT}) >> 19 IN ({', '.join(str(int(one)) for one in rules)})"
        if before is not None:
            where += f" AND game < {int(before)}"
        parts = [f"SELECT game, info FROM run_{run} WHERE {where}" for run in self._runs()]
        if last is not None:
            # Within a key games lie in their order: each run is read so far and no further.
            parts = [f"SELECT * FROM ({part} ORDER BY game DESC LIMIT {int(last)})" for part in parts]
        return " UNION ALL ".join(parts) or "SELECT 0 AS game, 0 AS info WHERE 0"

    def entries(self, key: int) -> list[Entry]:
        """Counts what was played at a position. Complexity is O(runs · log N), however many games."""
        found: dict[int, int] = {}
        for run in self._runs():
            for what, games in self._counted(run, key):
                found[what] = found.get(what, 0) + games
        return [_entry(what, games) for what, games in sorted(found.items())]

    def entries_of(self, key: int, games: str, values: Sequence[object]) -> list[Entry]:
        """Counts what was played at a position in games that a condition chooses. Complexity is O(games)."""
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

    def _counted(self, run: int, key: int) -> Iterator[tuple[int, int]]:
        known = self._connection.execute(
            f"SELECT what, games FROM hot_{run} WHERE key = ?", (key,)
        ).fetchall()
        if known:
            yield from known
            return
        yield from self._connection.execute(
            f"SELECT info & {_WHAT}, count(*) FROM run_{run} WHERE key = ? GROUP BY 1", (key,)
        )

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

    def _merge_most(self) -> bool:
        """Makes one run of those of a level, if they are many; tells whether it did."""
        most = self._connection.execute(
            "SELECT level FROM runs GROUP BY level HAVING count(*) >= ? ORDER BY level LIMIT 1", (_FAN,)
        ).fetchone()
        if most is None:
            return False
        old = self._connection.execute("SELECT id, rows FROM runs WHERE level = ?", most).fetchall()
        new = self._new_run(sum(rows for _, rows in old))
        parts = " UNION ALL ".join(f"SELECT key, game, info FROM run_{run}" for run, _ in old)
        self._connection.execute(f"INSERT INTO run_{new} {parts} ORDER BY key, game")
        for run, _ in old:
            self._connection.execute(f"DROP TABLE run_{run}")
            self._connection.execute(f"DROP TABLE hot_{run}")
            self._connection.execute("DELETE FROM runs WHERE id = ?", (run,))
        self._count_hot(new)
        return True
