"""Open challenges: until when a game with a free seat is listed."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column and its index. No game of before is an open challenge."""
    op.add_column("game", sa.Column("open_until_us", sa.BigInteger))
    is_open = sa.text("open_until_us IS NOT NULL")
    op.create_index(
        "game_by_challenge",
        "game",
        ["status", "open_until_us"],
        sqlite_where=is_open,
        postgresql_where=is_open,
    )
