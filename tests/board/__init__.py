"""<tafl-board> in a browser."""
