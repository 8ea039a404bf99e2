"""The home page: a guided first game, and a shelf of boards."""
