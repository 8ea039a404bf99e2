"""The tables of games, events and seats. The migrations create them."""

from sqlalchemy import (
    BigInteger,
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

__all__ = ["clock", "event", "game", "heartbeat", "link", "metadata", "restart", "rules", "seat"]

_HAS_DEADLINE = text("due_us IS NOT NULL")

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
    Index("game_by_status", "status", "changed_us"),
    Index("game_by_deadline", "due_us", sqlite_where=_HAS_DEADLINE, postgresql_where=_HAS_DEADLINE),
)
"""Games, with their secrets: the hash of the invitation, and the seed of a draw of lots to come.

`due_us` is when the running clock reaches zero; NULL if none runs. `marked_us` is when the game was marked as
expired; NULL if it is not.
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
)
"""Every start of the server after the first, and since when it was away. No row is ever changed."""

clock = Table(
    "clock",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at_us", BigInteger, nullable=False),
    Column("machine_us", BigInteger, nullable=False),
    Column("expected_us", BigInteger),
)
"""What the clock of the machine showed when it had been set. No row is ever changed."""
