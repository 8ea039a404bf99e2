"""The tables of games, events and seats. The migrations create them."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)

__all__ = [
    "classroom",
    "clock",
    "event",
    "game",
    "heartbeat",
    "link",
    "metadata",
    "restart",
    "rules",
    "seat",
    "site",
    "slot",
    "worker",
]

_HAS_DEADLINE = text("due_us IS NOT NULL")
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
    Column("marked_us", BigInteger),
    Column("slot", SmallInteger),
    Column("open_until_us", BigInteger),
    Index("game_by_status", "status", "changed_us"),
    Index("game_by_deadline", "due_us", "slot", sqlite_where=_HAS_DEADLINE, postgresql_where=_HAS_DEADLINE),
    Index("game_by_challenge", "status", "open_until_us", sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN),
)
"""Games, with their secrets: the hash of the invitation, and the seed of a draw of lots to come.

`due_us` is when the running clock reaches zero; NULL if none runs. `marked_us` is when the game was marked as
expired; NULL if it is not. `slot` is `slot_of(id)`. `open_until_us` is until when the game is listed as an
open challenge if its second seat is free; NULL if it is no open challenge and nobody may find it.
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

heartbeat = Table(
    "heartbeat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("t_us", BigInteger, nullable=False),
)
"""The time of the last heartbeat or event, in one row."""

restart = Table(
    "restart",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("away_since_us", BigInteger, nullable=False),
    Column("back_us", BigInteger, nullable=False),
    Column("slot", SmallInteger),
)
"""Every start of the server after the first, and since when it was away. No row is ever changed; those
before the oldest game are deleted.

With several game workers a restart may concern one slot; `slot` is NULL if it concerns all.
"""

clock = Table(
    "clock",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at_us", BigInteger, nullable=False),
    Column("machine_us", BigInteger, nullable=False),
    Column("expected_us", BigInteger),
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

site = Table("site", metadata, Column("name", Text, primary_key=True))
"""One row: a random name, which tells several sites on one bus apart."""

worker = Table(
    "worker",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("name", Text, nullable=False),
    Column("beats", BigInteger, nullable=False),
    Column("beat_us", BigInteger, nullable=False),
    Column("ended", Boolean, nullable=False),
)
"""The starts of game workers, if there are several processes; see `store/leases.py`.

`beats` grows by one with every renewal, `beat_us` is the time of the last one. A worker that has ended
commits nothing any more.
"""

slot = Table(
    "slot",
    metadata,
    Column("number", SmallInteger, primary_key=True, autoincrement=False),
    Column("worker", BigInteger, ForeignKey("worker.id")),
    Column("epoch", BigInteger, nullable=False),
    Column("away_since_us", BigInteger),
)
"""The slots of games and the workers that own them.

`epoch` grows by one with every change of owner. `away_since_us` is since when nobody has owned the slot.
"""
