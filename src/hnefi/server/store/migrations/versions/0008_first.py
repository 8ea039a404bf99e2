"""The first revision. A new database gets the tables of `hnefi.server.store.schema`, and no old revision.

Versions that were never published had the revisions 0001 to 0007.
"""

revision = "0008"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Does nothing: every database with tables has this revision at least."""
