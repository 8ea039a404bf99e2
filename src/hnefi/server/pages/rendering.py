"""Renders templates to HTML: texts, boards and links; digests of their inline scripts."""

import base64
import hashlib
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hnefi.i18n import plural, text, texts
from hnefi.server.assets import Assets
from hnefi.server.http.language import address_in
from hnefi.server.pages.all_pages import NAVIGATION
from hnefi.server.pages.game_texts import GAME_TEXTS
from hnefi.server.pages.page import PageRequest

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_PAGES = Path(__file__).parent
_INLINE_SCRIPTS = ("theme.js", "every_page.js")
# The texts of the notices: that somebody took a challenge, and in how many games it is the reader's turn.
_NOTICE_TEXTS = ("web.knock", "web.turns", "web.close")


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
            text=text,
        )

    def page(self, request: PageRequest, template: str, **values: Any) -> str:
        """Returns a page as HTML.

        `values` are those of the template besides those of the request. Of the frame of all pages are
        `files`, the style sheets besides the site's and the script; `nav`, the section of the navigation; and
        `keys`, the prefixes of the keys of the texts that the script needs.
        """
        lang = request.lang
        known = {
            **asdict(request),
            "t": lambda key, /, **facts: text(key, lang, **facts),
            "n": lambda key, number, /, **facts: plural(key, number, lang, **facts),
            "files": (),
            "nav": "",
            **_texts_of_page(values.pop("keys", ()), lang),
            "places": [
                (name, f"/{lang}{page.path}")
                for name, page in NAVIGATION.items()
                if request.has_server or page.is_static
            ],
            "notices": texts(_NOTICE_TEXTS, lang),
            "versions": [(code, address_in(request.path, code)) for code in request.languages],
        }
        return self._environment.get_template(template).render({**known, **values})

    def failure(
        self, request: PageRequest, heading: str, why: str, detail: str | None = None, code: str = ""
    ) -> str:
        """Returns the page of an error.

        `heading` and `why` are keys of texts; `detail` is the text, if it is another one. The code is for
        programs.
        """
        from hnefi.server.pages import drawings

        texts_of_it = {"heading": heading, "why": why, "detail": detail, "code": code}
        board = drawings.start_board("brandub-globe", request.lang)
        return self.page(request, "failure.html", files=("failure.css",), board=board, **texts_of_it)


@cache
def inline_script_hashes() -> tuple[str, ...]:
    """Returns the digests of the inline scripts, as a content security policy has them."""
    # Without variables and blocks, Jinja renders a file as it is, but for the end of the last line.
    scripts = [
        (_PAGES / "templates" / name).read_text(encoding="utf-8").removesuffix("\n")
        for name in _INLINE_SCRIPTS
    ]
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    return tuple(f"sha256-{digest}" for digest in digests)


def _texts_of_page(keys: tuple[str, ...], lang: str) -> dict[str, object]:
    """Returns the texts for scripts by the prefixes of their keys; those of games apart, for many pages."""
    has_game = set(GAME_TEXTS) <= set(keys)
    left = tuple(key for key in keys if not (has_game and key.startswith(GAME_TEXTS)))
    return {
        "game_texts": _written(GAME_TEXTS, lang) if has_game else None,
        "texts": _written(left, lang) if left else None,
    }


@cache
def _written(keys: tuple[str, ...], lang: str) -> "Markup":
    """Returns texts as JSON: the same ones are on hundreds of pages."""
    from jinja2.utils import htmlsafe_json_dumps

    return htmlsafe_json_dumps(texts(keys, lang), sort_keys=True)


def _environment() -> "Environment":
    """Returns the templates. A server imports Jinja for its first error page: the others have a process."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from hnefi.words.nouns import uncapitalised

    environment = Environment(
        loader=FileSystemLoader((_PAGES / "templates", _PAGES)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # A text as it stands after a colon.
    environment.filters["lower_first"] = lambda words: words[:1].lower() + words[1:]
    environment.filters["uncapitalised"] = uncapitalised
    return environment
