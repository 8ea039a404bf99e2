"""The form that enters the key of a school or club."""

from hnefi.server.pages.page import Page

PAGES = (Page("key", "/key", "key", nav="play"),)
