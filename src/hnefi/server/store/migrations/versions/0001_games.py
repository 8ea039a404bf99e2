"""Games, their events, and the rules they are played by."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the first tables."""
    op.create_table(
        "rules", sa.Column("hash", sa.Text, primary_key=True), sa.Column("tree", sa.Text, nullable=False)
    )
    op.create_table(
        "game",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("rules", sa.Text, sa.ForeignKey("rules.hash"), nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("clock", sa.Text, nullable=False),
        sa.Column("made_us", sa.BigInteger, nullable=False),
        sa.Column("changed_us", sa.BigInteger, nullable=False),
        sa.Column("invite", sa.Text),
        sa.Column("seed", sa.Text),
    )
    op.create_index("game_by_status", "game", ["status", "changed_us"])
    op.create_table(
        "event",
        sa.Column("game", sa.Text, sa.ForeignKey("game.id", ondelete="CASCADE"), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("t_us", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.Integer),
        sa.Column("message", sa.Text),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", "seq"),
        sa.UniqueConstraint("game", "message"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("t_us", sa.BigInteger, nullable=False),
    )
