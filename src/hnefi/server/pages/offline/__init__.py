"""The page that browsers show without a connection, and the bundles of pages that they keep."""

from hnefi.server.pages.page import Page

PAGES = (Page("offline", "/offline", "offline", files=("failure.css",)),)
