"""Renders templates to HTML: texts, boards and links."""

import base64
import hashlib
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hnefi.i18n import languages, plural, text
from hnefi.server.assets import Assets
from hnefi.server.http.language import address_in
from hnefi.server.pages import drawings

__all__ = ["PageRequest", "PageWriter", "inline_script_hashes"]

_TEMPLATES = Path(__file__).parent / "templates"
_INLINE_SCRIPTS = ("theme.js", "every_page.js")
# The sections of the navigation: the key of their text, and their path.
_PLACES = (
    ("play", ""),
    ("games", "games"),
    ("lessons", "lessons"),
    ("rules", "rules"),
    ("analysis", "analysis"),
)


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Everything that a page depends on.

    Attributes:
        name: The name of the page.
        lang: Its language.
        path: Its path, for the links to other languages.
        parameters: The parameters of the path.
        query: The parameters of the query that the page reads.
        origin: The origin of the pages, for link previews.
        has_docs: Whether the documentation is served.
        has_library: Whether there is a library of games.
        prints: The printed forms of a game that the server offers.
    """

    name: str
    lang: str
    path: str
    parameters: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    origin: str = ""
    has_docs: bool = False
    has_library: bool = False
    prints: tuple[str, ...] = ()

    @property
    def values(self) -> dict[str, str]:
        """The parameters of the query; of a repeated one, the last value."""
        return dict(self.query)

    def parameter(self, name: str) -> str:
        """Returns a parameter of the path."""
        return dict(self.parameters)[name]


class PageWriter:
    """Renders pages from templates."""

    def __init__(self, assets: Assets) -> None:
        self._environment = _environment()
        self._environment.globals.update(
            asset=assets.url, piece=drawings.piece, logo=drawings.logo, symbols=drawings.symbols
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
            places=[(name, f"/{lang}/{path}") for name, path in _PLACES],
            has_docs=request.has_docs,
            versions=[(code, address_in(request.path, code)) for code in languages()],
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
        board = drawings.start_board("brandub-globe", request.lang)
        return self.page(
            request, "failure.html", board=board, heading=heading, why=why, detail=detail, code=code
        )


def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def inline_script_hashes() -> tuple[str, ...]:
    """Returns the digests of the inline scripts, as a content security policy has them."""
    scripts = [_environment().get_template(name).render() for name in _INLINE_SCRIPTS]
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    return tuple(f"sha256-{digest}" for digest in digests)


def _text(lang: str, key: str, /, **parameters: object) -> str:
    return text(key, lang, **parameters)


def _plural(lang: str, key: str, number: int, /, **parameters: object) -> str:
    return plural(key, number, lang, **parameters)
