"""Renders templates to HTML: texts, boards and links."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hnefi.i18n import languages, plural, text, texts
from hnefi.server.assets import Assets
from hnefi.server.http.language import address_in

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = Path(__file__).parent / "templates"
# The texts of the notices: that somebody took a challenge, and in how many games it is the reader's turn.
_NOTICE_TEXTS = ("web.knock", "web.turns", "web.close")
# The sections of the navigation: the key of their text and the name of their icon, and their path.
_PLACES = (
    ("play", ""),
    ("people", "people"),
    ("rules", "rules"),
    ("puzzles", "puzzles"),
    ("lessons", "lessons"),
)
_PLACES_AT_SERVER = ("people",)
_LANGUAGES = languages()


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Everything that a page depends on.

    Attributes:
        name: The name of the page.
        lang: Its language.
        path: Its path, for the links to other languages.
        parameters: The parameters of the path.
        query: The parameters of the query that the page reads, and the day if it depends on that.
        origin: The origin of the pages, for link previews; that of a site of static files is the address of
            its folder without the last slash, empty if it is unknown.
        has_docs: Whether the documentation is served.
        has_imprint: Whether the operator has an imprint.
        has_library: Whether there is a library of games.
        prints: The printed forms of a game that the server offers.
        has_server: Whether a server answers the scripts; False in a site of static files.
        variants: The ids of the variants of the site; None for all.
        languages: The languages of the site.
        address: The address of the page that search engines list; empty if it is unknown.
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
    languages: tuple[str, ...] = _LANGUAGES
    address: str = ""

    @property
    def values(self) -> dict[str, str]:
        """The parameters of the query; of a repeated one, the last value."""
        return dict(self.query)

    def parameter(self, name: str) -> str:
        """Returns a parameter of the path."""
        return dict(self.parameters)[name]

    def offers(self, variant_id: str) -> bool:
        """Checks whether a variant is one of the site's."""
        return self.variants is None or variant_id in self.variants


class PageWriter:
    """Renders pages from templates."""

    def __init__(self, assets: Assets) -> None:
        from hnefi.server.pages import drawings

        self._environment = _environment()
        self._environment.globals.update(
            asset=assets.url,
            modules=assets.module_urls,
            piece=drawings.piece,
            logo=drawings.logo,
            symbols=drawings.symbols,
            icon=drawings.icon,
            gradients=drawings.gradients,
        )

    def page(self, request: PageRequest, template: str, **facts: object) -> str:
        """Returns a page as HTML.

        Args:
            request: The request.
            template: The file of the template.
            facts: The variables of the template besides texts and addresses.
        """
        lang = request.lang
        return self._environment.get_template(template).render(
            lang=lang,
            t=partial(_text, lang),
            n=partial(_plural, lang),
            origin=request.origin,
            address=request.address,
            has_server=request.has_server,
            places=[
                (name, f"/{lang}/{path}")
                for name, path in _PLACES
                if request.has_server or name not in _PLACES_AT_SERVER
            ],
            notices=texts(_NOTICE_TEXTS, lang),
            has_docs=request.has_docs,
            has_imprint=request.has_imprint,
            versions=[(code, address_in(request.path, code)) for code in request.languages],
            **facts,
        )

    def failure(
        self, request: PageRequest, heading: str, why: str, detail: str | None = None, code: str = ""
    ) -> str:
        """Returns the page of an error.

        Args:
            request: The request.
            heading: The key of its heading.
            why: The key of its text.
            detail: The text, if it is another one.
            code: The code of the error, for programs.
        """
        from hnefi.server.pages import drawings

        board = drawings.start_board("brandub-globe", request.lang)
        return self.page(
            request, "failure.html", board=board, heading=heading, why=why, detail=detail, code=code
        )


def _environment() -> "Environment":
    """Returns the templates. A server imports Jinja for its first error page: the others have a process."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from hnefi.words.wording import after_colon

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["lower_first"] = _lower_first
    environment.filters["after_colon"] = after_colon
    return environment


def _lower_first(words: str) -> str:
    """Returns a text as it stands after a colon."""
    return words[:1].lower() + words[1:]


def _text(lang: str, key: str, /, **parameters: object) -> str:
    return text(key, lang, **parameters)


def _plural(lang: str, key: str, number: int, /, **parameters: object) -> str:
    return plural(key, number, lang, **parameters)
