"""The rules editor."""
