"""All pages. Of two paths that fit an address, the first is taken; the navigation has the same order."""

from hnefi.server.pages import (
    about,
    analysis,
    catalogue,
    classrooms,
    editor,
    game,
    home,
    key,
    lessons,
    local,
    new,
    offline,
    people,
    puzzles,
    rules,
)
from hnefi.server.pages.page import RULES_QUERY, Page

# The files of scripts: the facts of variants, and the bundles that browsers keep. They have no template.
_DATA = (Page("facts", "/facts", "", query=RULES_QUERY), Page("kept", "/kept/{bundle}", "", has_prints=True))

_FOLDERS = (
    *(home, people, catalogue, editor, rules, puzzles, lessons, new),
    *(local, analysis, game, classrooms, key, about, offline),
)
PAGES: tuple[Page, ...] = (*(page for folder in _FOLDERS for page in folder.PAGES), *_DATA)
PAGE_BY_NAME = {page.name: page for page in PAGES}

NAVIGATION: dict[str, Page] = {}
"""The page that each section of the navigation leads to: its first."""
for _page in PAGES:
    if _page.nav:
        NAVIGATION.setdefault(_page.nav, _page)
