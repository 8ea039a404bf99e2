"""Seats, and the links that carry a seat to another device."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the tables of seats and links."""
    op.create_table(
        "seat",
        sa.Column("game", sa.Text, sa.ForeignKey("game.id", ondelete="CASCADE"), nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("visitor", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("visitor", "game", "player"),
    )
    op.create_index("seat_by_game", "seat", ["game"])
    op.create_table(
        "link",
        sa.Column("secret", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, sa.ForeignKey("game.id", ondelete="CASCADE"), nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("until_us", sa.BigInteger, nullable=False),
    )
    op.create_index("link_by_game", "link", ["game"])
