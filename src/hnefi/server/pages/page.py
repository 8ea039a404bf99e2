"""What a page is, and what it is asked for.

Pages are declared in `all_pages`, which is all that a server imports of them. The page worker imports their
contents: the function `NAME_values` in `FOLDER/content.py` takes a `PageRequest` and returns the values of
the template `FOLDER/NAME.html`; it may raise `PageNotFound`, `SetupError` and `VariantError`. Scripts
and styles stand in `web/src/pages/FOLDER`.
"""

import datetime as dt
from dataclasses import dataclass

from hnefi.i18n import languages
from hnefi.variants.finding import variant_ids


@dataclass(frozen=True, slots=True)
class Page:
    """A page.

    Attributes:
        path: The part of its path after the language.
        folder: The folder of its parts; empty for files that scripts load, whose contents have no template.
        template: The name of its template and values, if that is another one.
        files: The style sheets that it loads besides the site's, and its script.
        texts: The prefixes of the keys of the texts that its script needs.
        query: The parameters of the query that it reads; those of rules all begin with "rule.".
        is_daily: Whether it depends on the day.
        is_static: Whether a site of static files has it, and browsers keep it for use offline.
        kept_with: The parameters of its path with which browsers keep it, if that is for all of them.
        nav: The section of the navigation that it belongs to, which leads to the first of its pages.
    """

    name: str
    path: str
    folder: str
    template: str = ""
    files: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    query: tuple[str, ...] = ()
    is_daily: bool = False
    is_static: bool = False
    kept_with: tuple[tuple[str, str], ...] = ()
    nav: str = ""

    def reads(self, parameter: str) -> bool:
        """Checks whether it reads a parameter of the query."""
        return parameter in self.query or (parameter.startswith("rule.") and "rule." in self.query)

    def kept_query(self, day: dt.date) -> dict[str, str]:
        """Returns the parameters with which it is kept on a day: those of one that depends on the day.

        One of many, such as a puzzle, is kept for any day.
        """
        written = {"written": day.isoformat()} if self.is_daily else {}
        return {"day": day.isoformat(), **written} if self.is_daily and self.is_static else written


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Everything that a page depends on.

    Attributes:
        path: Its path, for the links to other languages.
        query: The parameters of the query that the page reads, and the day if it depends on that.
        origin: The origin of the pages, for link previews; that of a site of static files is the address of
            its folder without the last slash, empty if it is unknown.
        has_server: Whether a server answers the scripts; False in a site of static files.
        variants: The ids of the variants of the site; None for all.
        address: The address of the page that search engines list; empty if it is unknown.
        issuer: Who hands out a site of static files: name, legal line and the path of the logo.
    """

    name: str
    lang: str
    path: str
    parameters: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    origin: str = ""
    has_docs: bool = False
    has_imprint: bool = False
    has_library: bool = False
    prints: tuple[str, ...] = ()
    has_server: bool = True
    variants: tuple[str, ...] | None = None
    languages: tuple[str, ...] = languages()
    address: str = ""
    issuer: tuple[str, str, str] = ("", "", "")

    @property
    def values(self) -> dict[str, str]:
        """The parameters of the query; of a repeated one, the last value."""
        return dict(self.query)

    def parameter(self, name: str) -> str:
        """Returns a parameter of the path."""
        return dict(self.parameters)[name]

    @property
    def known(self) -> tuple[str, ...]:
        """The ids of the variants of the site."""
        return self.variants or variant_ids()


class PageNotFound(Exception):
    """Raised if there is no such page."""
