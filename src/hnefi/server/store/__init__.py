"""The store of games, in SQLite or PostgreSQL."""
