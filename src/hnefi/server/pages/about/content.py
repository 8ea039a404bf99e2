"""Pages of text: their sections, and the words of the game."""

import re

from hnefi.i18n import text
from hnefi.server.pages.page import PageNotFound, PageRequest
from hnefi.variants.finding import all_variants
from hnefi.words.nouns import nouns_of

# The headings of the pages with sections, the ids of these at a server, and those without one.
_PAGES = {
    "about": (
        *("page.about", ("tafl", "rules", "play", "private")),
        ("tafl", "rules", "play_here", "private_here"),
    ),
    "help": (
        *("page.nav.help", ("move", "computer", "friend", "rules", "again", "lost", "offline")),
        ("move", "computer", "rules", "again_here"),
    ),
    "licence": ("page.nav.licence", ("program", "fonts", "rules", "source"), None),
}
_TERMS = (
    *("king", "defenders", "attackers", "capture", "trap", "road", "throne", "corner", "camp", "hostile"),
    *("call", "shieldwall"),
)
# The nouns of variants that mean a word of the game.
_NOUNS = {
    "throne": "throne",
    "king": "king",
    "corner": "corners",
    "attackers": "attackers",
    "defenders": "defenders",
}


def sections_values(request: PageRequest) -> dict[str, object]:
    """Returns the sections of a page; the script of the help is about what browsers keep of a server."""
    heading, sections, here = _PAGES[request.name]
    values: dict[str, object] = {"page": request.name, "heading": heading, "sections": sections}
    if request.has_server:
        return values
    return {**values, "sections": here or sections, "files": (), "keys": ()}


def glossary_values(request: PageRequest) -> dict[str, object]:
    """Returns the words of the game, in alphabetical order, with those that sources use."""
    lang = request.lang
    also = {name: ", ".join(_other_words(noun, lang)) for name, noun in _NOUNS.items()}
    terms = sorted(_TERMS, key=lambda name: text(f"page.glossary.{name}", lang).casefold())
    return {"terms": terms, "also": also}


def _other_words(noun: str, lang: str) -> list[str]:
    """Returns the words that rules have for a noun in place of the usual one."""
    words = {nouns_of(one.about, lang)[noun] for one in all_variants()}
    return sorted(words - {nouns_of({}, lang)[noun]}, key=str.casefold)


def imprint_values(request: PageRequest) -> dict[str, object]:
    """Returns the imprint of the operator."""
    lines = request.parameter("text").strip()
    if not lines:
        raise PageNotFound
    return {"paragraphs": [part for part in re.split(r"\n\s*\n", lines) if part.strip()]}
