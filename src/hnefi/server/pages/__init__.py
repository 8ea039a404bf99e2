"""HTML pages: rendered on the server in every language, usable without scripts."""

from hnefi.server.pages.routes import add_pages

__all__ = ["add_pages"]
