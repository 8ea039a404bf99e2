"""Databases of SQLite, read and changed past the store."""

import contextlib
import sqlite3
from pathlib import Path
from typing import Any


def execute(file: Path, statement: str, **values: str) -> list[Any]:
    """Executes a statement in a database; returns the rows that it selects."""
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        return connection.execute(statement, values).fetchall()
