"""The board on a page, in a browser."""
