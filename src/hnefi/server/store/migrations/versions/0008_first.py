"""The first tables. Those of versions that were never published had the revisions 0001 to 0007."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates all tables; what their columns are for is said in `hnefi.server.store.schema`."""
    op.create_table(
        "rules", sa.Column("hash", sa.Text, primary_key=True), sa.Column("tree", sa.Text, nullable=False)
    )
    _create_games()
    _create_processes()
    op.create_table(
        "classroom",
        sa.Column("code", sa.Text, primary_key=True),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("changed_us", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("classroom_by_change", "classroom", ["changed_us"])


def _create_games() -> None:
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
        sa.Column("due_us", sa.BigInteger),
        sa.Column("computer_us", sa.BigInteger),
        sa.Column("marked_us", sa.BigInteger),
        sa.Column("open_until_us", sa.BigInteger),
    )
    op.create_index("game_by_status", "game", ["status", "changed_us"])
    for name, columns in (
        ("game_by_deadline", ["due_us"]),
        ("game_by_computer", ["computer_us"]),
        ("game_by_challenge", ["status", "open_until_us"]),
    ):
        is_set = sa.text(f"{columns[-1]} IS NOT NULL")
        op.create_index(name, "game", columns, sqlite_where=is_set, postgresql_where=is_set)
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


def _create_processes() -> None:
    op.create_table(
        "process",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("beat_us", sa.BigInteger, nullable=False),
        sa.Column("has_ended", sa.Boolean, nullable=False),
        sa.Column("claimed_us", sa.BigInteger),
        sa.Column("here", sa.Text, nullable=False),
    )
    op.create_table(
        "present",
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("process", sa.Integer, sa.ForeignKey("process.id", ondelete="CASCADE"), nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("second", sa.Integer, nullable=False),
        sa.Column("spectators", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "process"),
    )
    op.create_index("present_by_process", "present", ["process"])
    op.create_table(
        "restart",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("away_since_us", sa.BigInteger, nullable=False),
        sa.Column("back_us", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "clock",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at_us", sa.BigInteger, nullable=False),
        sa.Column("machine_us", sa.BigInteger, nullable=False),
        sa.Column("expected_us", sa.BigInteger),
    )
