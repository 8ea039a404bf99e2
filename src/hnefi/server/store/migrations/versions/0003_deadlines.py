"""Deadlines of games, and one row for each restart instead of an event per game."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the deadlines and the table of restarts; the server fills in deadlines of games that have none."""
    op.add_column("game", sa.Column("due_us", sa.BigInteger))
    is_set = sa.text("due_us IS NOT NULL")
    op.create_index("game_by_deadline", "game", ["due_us"], sqlite_where=is_set, postgresql_where=is_set)
    op.create_table(
        "restart",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("away_since_us", sa.BigInteger, nullable=False),
        sa.Column("back_us", sa.BigInteger, nullable=False),
    )
