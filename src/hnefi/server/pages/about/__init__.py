"""Pages of text: about this site, help, glossary, licences and imprint."""

from hnefi.server.pages.page import Page

PAGES = (
    Page("about", "/about", "about", "sections", is_static=True),
    Page("help", "/help", "about", "sections", files=("help.js",), texts=("web.kept.",), is_static=True),
    Page("glossary", "/glossary", "about", is_static=True),
    Page("licence", "/licence", "about", "sections", is_static=True),
    Page("imprint", "/imprint", "about"),
)
