"""The tables of games and their events, of classes, and of processes.

A new database gets these tables. A change here needs a migration for the databases that there are.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

_HAS_DEADLINE = text("due_us IS NOT NULL")
_HAS_MOVE = text("computer_us IS NOT NULL")
_IS_OPEN = text("open_until_us IS NOT NULL")

metadata = MetaData()

rules = Table("rules", metadata, Column("hash", Text, primary_key=True), Column("tree", Text, nullable=False))
"""The rule trees of all games, which outlive the files of their variants."""

game = Table(
    "game",
    metadata,
    Column("id", Text, primary_key=True),
    Column("rules", Text, ForeignKey("rules.hash"), nullable=False),
    Column("status", Text, nullable=False),
    Column("clock", Text, nullable=False),
    Column("made_us", BigInteger, nullable=False),
    Column("changed_us", BigInteger, nullable=False),
    Column("invite", Text),
    Column("seed", Text),
    Column("due_us", BigInteger),
    Column("computer_us", BigInteger),
    Column("marked_us", BigInteger),
    Column("open_until_us", BigInteger),
    Index("game_by_status", "status", "changed_us"),
    Index("game_by_deadline", "due_us", sqlite_where=_HAS_DEADLINE, postgresql_where=_HAS_DEADLINE),
    Index("game_by_computer", "computer_us", sqlite_where=_HAS_MOVE, postgresql_where=_HAS_MOVE),
    Index("game_by_challenge", "status", "open_until_us", sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN),
)
"""Games, with their secrets: the hash of the invitation, and the seed of a draw of lots to come.

`due_us` is when the running clock reaches zero; NULL if none runs. `computer_us` is until when a process has
taken it upon itself to choose the computer's move; NULL if the computer is not to move. `marked_us` is when
the game was marked as expired; NULL if it is not. `open_until_us` is until when the game is listed as an open
challenge if its second seat is free; NULL if it is no open challenge and nobody may find it.
"""

event = Table(
    "event",
    metadata,
    Column("game", Text, ForeignKey("game.id", ondelete="CASCADE"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("t_us", BigInteger, nullable=False),
    Column("actor", Integer),
    Column("message", Text),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("game", "seq"),
    UniqueConstraint("game", "message"),
    sqlite_with_rowid=False,
)
"""The events of all games. No row is ever changed."""

seat = Table(
    "seat",
    metadata,
    Column("game", Text, ForeignKey("game.id", ondelete="CASCADE"), nullable=False),
    Column("player", Integer, nullable=False),
    Column("visitor", Text, nullable=False),
    PrimaryKeyConstraint("visitor", "game", "player"),
    Index("seat_by_game", "game"),
)
"""The visitors who have a seat, by the SHA-256 of their secret."""

link = Table(
    "link",
    metadata,
    Column("secret", Text, primary_key=True),
    Column("game", Text, ForeignKey("game.id", ondelete="CASCADE"), nullable=False),
    Column("player", Integer, nullable=False),
    Column("until_us", BigInteger, nullable=False),
    Index("link_by_game", "game"),
)
"""Links that carry a seat to another device, once; by the SHA-256 of their secret."""

process = Table(
    "process",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("beat_us", BigInteger, nullable=False),
    Column("has_ended", Boolean, nullable=False),
    Column("claimed_us", BigInteger),
    Column("here", Text, nullable=False),
)
"""The processes of the server; on SQLite there is one.

`beat_us` is when the process was alive last. `claimed_us` is when another one began to take over the games of
a process that is silent, and `has_ended` is set once that is done, or when it stops. `here` is who is
connected to it, as JSON.
"""

present = Table(
    "present",
    metadata,
    Column("game", Text, nullable=False),
    Column("process", Integer, ForeignKey("process.id", ondelete="CASCADE"), nullable=False),
    Column("first", Integer, nullable=False),
    Column("second", Integer, nullable=False),
    Column("spectators", Integer, nullable=False),
    PrimaryKeyConstraint("game", "process"),
    Index("present_by_process", "process"),
)
"""How many connections of each player, and of spectators, a process has to a game; nothing on SQLite."""

restart = Table(
    "restart",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("away_since_us", BigInteger, nullable=False),
    Column("back_us", BigInteger, nullable=False),
)
"""Every start of the server after the first, and since when no process was alive. No row is ever changed;
those before the oldest game are deleted.
"""

clock = Table(
    "clock",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at_us", BigInteger, nullable=False),
    Column("machine_us", BigInteger, nullable=False),
)
"""What the clock of the machine showed when it had been set. No row is ever changed."""

classroom = Table(
    "classroom",
    metadata,
    Column("code", Text, primary_key=True),
    Column("revision", BigInteger, nullable=False),
    Column("changed_us", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Index("classroom_by_change", "changed_us"),
)
"""Classes by their code: `body` is a `Classroom` as JSON. `revision` grows by one with every change."""
