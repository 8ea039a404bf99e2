"""The rules editor: reads rules, applies edits to them and describes the result."""
