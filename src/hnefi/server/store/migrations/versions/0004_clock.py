"""Marks of games that have expired, and readings of the clock of the machine."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the marks and the table of readings."""
    op.add_column("game", sa.Column("marked_us", sa.BigInteger))
    op.create_table(
        "clock",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at_us", sa.BigInteger, nullable=False),
        sa.Column("machine_us", sa.BigInteger, nullable=False),
        sa.Column("expected_us", sa.BigInteger),
    )
