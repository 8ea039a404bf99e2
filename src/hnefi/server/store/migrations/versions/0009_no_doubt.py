"""No doubt about the clock of the machine: whatever it shows, only days of a living server count."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drops what the clock should have shown."""
    op.drop_column("clock", "expected_us")
