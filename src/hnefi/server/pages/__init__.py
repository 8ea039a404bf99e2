"""The pages that people read: drawn on the server, in every language, usable without a script."""

from hnefi.server.pages.routes import add_pages

__all__ = ["add_pages"]
