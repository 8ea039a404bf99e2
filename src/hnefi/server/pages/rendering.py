"""Renders templates to responses: texts, boards, links and headers."""

from functools import partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from hnefi.i18n import languages, plural, text
from hnefi.server.assets import Assets
from hnefi.server.http.headers import nonce_of
from hnefi.server.http.language import address_in, keep_language
from hnefi.server.pages import drawings

__all__ = ["PageWriter"]

_TEMPLATES = Path(__file__).parent / "templates"
# The sections of the navigation: the key of their text, and their path.
_PLACES = (
    ("play", ""),
    ("games", "games"),
    ("lessons", "lessons"),
    ("rules", "rules"),
    ("analysis", "analysis"),
)


class PageWriter:
    """Renders pages from templates."""

    def __init__(self, assets: Assets) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(_TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals.update(
            asset=assets.url, piece=drawings.piece, logo=drawings.logo, symbols=drawings.symbols
        )

    def page(
        self, request: Request, template: str, lang: str, *, status: int = 200, **facts: object
    ) -> Response:
        """Returns a page.

        Args:
            request: The request.
            template: The file of the template.
            lang: The language of the page.
            status: The status of the answer.
            facts: The variables of the template besides texts and addresses.
        """
        html = self._environment.get_template(template).render(
            lang=lang,
            t=partial(_text, lang),
            n=partial(_plural, lang),
            nonce=nonce_of(request.scope),
            origin=_origin(request),
            places=[(name, f"/{lang}/{path}") for name, path in _PLACES],
            has_docs=request.app.state.settings.docs is not None,
            versions=[(code, address_in(_address(request, lang), code)) for code in languages()],
            **facts,
        )
        answer = HTMLResponse(html, status, {"Cache-Control": "no-cache", "Content-Language": lang})
        keep_language(request, answer, lang)
        return answer


def _address(request: Request, lang: str) -> str:
    """Returns the path of the page; for a missing one, that of the home page."""
    path = request.url.path
    return path if path.startswith(f"/{lang}/") else f"/{lang}/"


def _origin(request: Request) -> str:
    """Returns the origin of the pages, for link previews."""
    origins = request.app.state.settings.origins
    return str(origins[0] if origins else request.base_url).rstrip("/")


def _text(lang: str, key: str, /, **parameters: object) -> str:
    return text(key, lang, **parameters)


def _plural(lang: str, key: str, number: int, /, **parameters: object) -> str:
    return plural(key, number, lang, **parameters)
