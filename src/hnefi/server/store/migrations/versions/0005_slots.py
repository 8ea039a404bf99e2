"""Slots of games and the workers that own them, and a random name of the site."""

import secrets
import zlib

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_SLOTS = 1_024
_BATCH = 1_000
_NAME_BYTES = 8


def upgrade() -> None:
    """Adds the tables of workers, slots and the site; every game gets its slot."""
    op.create_table(
        "worker",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("beats", sa.BigInteger, nullable=False),
        sa.Column("beat_us", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.Boolean, nullable=False),
    )
    op.create_table(
        "slot",
        sa.Column("number", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("worker", sa.BigInteger, sa.ForeignKey("worker.id")),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("away_since_us", sa.BigInteger),
    )
    site = op.create_table("site", sa.Column("name", sa.Text, primary_key=True))
    op.bulk_insert(site, [{"name": secrets.token_hex(_NAME_BYTES)}])
    op.add_column("restart", sa.Column("slot", sa.SmallInteger))
    op.add_column("game", sa.Column("slot", sa.SmallInteger))
    _fill_slots()
    is_set = sa.text("due_us IS NOT NULL")
    op.drop_index("game_by_deadline", "game")
    op.create_index(
        "game_by_deadline", "game", ["due_us", "slot"], sqlite_where=is_set, postgresql_where=is_set
    )


def _fill_slots() -> None:
    """Computes the slots in batches, so that the connection is never idle for long."""
    connection = op.get_bind()
    game = sa.table("game", sa.column("id", sa.Text), sa.column("slot", sa.SmallInteger))
    fill = sa.update(game).where(game.c.id == sa.bindparam("which")).values(slot=sa.bindparam("number"))
    games = connection.execute(sa.select(game.c.id)).scalars().all()
    for begin in range(0, len(games), _BATCH):
        rows = [
            {"which": one, "number": zlib.crc32(one.encode()) % _SLOTS}
            for one in games[begin : begin + _BATCH]
        ]
        connection.execute(fill, rows)
