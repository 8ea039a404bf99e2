"""The contents of the pages, each a function from a request to HTML; they run in the page worker."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from hnefi.errors import SetupError, VariantError
from hnefi.i18n import explain, texts
from hnefi.server.game_facts import all_game_facts, game_facts
from hnefi.server.games.expiry import EXPIRY
from hnefi.server.pages import drawings
from hnefi.server.pages.analysis_page import ANALYSIS_TEXTS, rule_choices
from hnefi.server.pages.editor_page import EDITOR_TEXTS, editor_page, layout_names
from hnefi.server.pages.game_texts import GAME_TEXTS
from hnefi.server.pages.icons import SIZES, icon_png
from hnefi.server.pages.lessons_page import lesson_counts, lessons_page
from hnefi.server.pages.new_page import CHOICES, LEVELS, new_page
from hnefi.server.pages.rendering import PageRequest, PageWriter
from hnefi.server.pages.rules_page import rules_page
from hnefi.server.pages.variant_families import variant_families
from hnefi.server.settings import SECRET
from hnefi.variants.finding import variant, variant_ids
from hnefi.variants.links import query_switches

__all__ = ["PATHS", "Content", "PageContents", "PageError"]

PATHS = {
    "home": "/",
    "all_rules": "/rules",
    "editor": "/rules/new",
    "rules": "/rules/{variant}",
    "all_lessons": "/lessons",
    "lessons": "/lessons/{variant}",
    "new": "/new",
    "table": "/table",
    "analysis": "/analysis",
    "game": "/game/{game}",
    "games": "/games",
    "seat": "/seat",
    "key": "/key",
    "embed": "/embed/{game}",
    "facts": "/facts",
    "offline": "/offline",
}
"""The part of its path after the language, by the name of a page."""

_HTML = "text/html; charset=utf-8"


class PageError(Exception):
    """Raised if there is no such page.

    Attributes:
        status: The status of the response.
        detail: What is wrong with the request, as text; None if the status says it.
    """

    def __init__(self, status: HTTPStatus, detail: str | None = None) -> None:
        super().__init__(status.phrase)
        self.status = status
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Content:
    """The body of a response, and its type."""

    body: bytes
    media_type: str
    status: int = 200


class PageContents:
    """All pages by name."""

    def __init__(self, writer: PageWriter) -> None:
        """Creates the pages.

        Args:
            writer: Renders their templates.
        """
        self._writer = writer
        self._by_name: dict[str, Callable[[PageRequest], Content]] = {
            name: getattr(self, name) for name in (*PATHS, "icon")
        }

    def content(self, request: PageRequest) -> Content:
        """Returns a page; that of its error if there is none."""
        try:
            return self._by_name[request.name](request)
        except PageError as error:
            heading, why = (
                ("missing", "missing.text")
                if error.status == HTTPStatus.NOT_FOUND
                else ("failed", "failed.text")
            )
            html = self._writer.failure(request, f"page.{heading}", f"page.{why}", error.detail)
            return Content(html.encode(), _HTML, int(error.status))

    def _page(self, request: PageRequest, template: str, **facts: object) -> Content:
        return Content(self._writer.page(request, template, **facts).encode(), _HTML)

    def home(self, request: PageRequest) -> Content:
        """Returns the home page: a board, and all boards that can be played."""
        lang = request.lang
        return self._page(
            request,
            "home.html",
            board=drawings.opening_board("brandub-globe", "d6", lang),
            families=variant_families(lang),
            lessons=lesson_counts(),
            texts=texts((*GAME_TEXTS, "page.home.turn", "page.home.opponent"), lang),
            game=all_game_facts(lang)["brandub-globe"],
        )

    def all_rules(self, request: PageRequest) -> Content:
        """Returns the list of all variants."""
        lang = request.lang
        return self._page(request, "all_rules.html", families=variant_families(lang))

    def editor(self, request: PageRequest) -> Content:
        """Returns the rules editor, with the rules of the query."""
        lang = request.lang
        try:
            page = editor_page(request.query, lang)
        except VariantError as error:
            raise PageError(HTTPStatus.BAD_REQUEST, explain(error, lang)) from None
        return self._page(
            request,
            "editor.html",
            editor=page,
            board=drawings.start_board(page.id, lang)
            if page.played is None
            else drawings.board(page.played, None, lang),
            layouts=layout_names(lang),
            texts=texts((*GAME_TEXTS, *EDITOR_TEXTS), lang),
        )

    def rules(self, request: PageRequest) -> Content:
        """Returns the rules of a variant."""
        lang = request.lang
        try:
            page = rules_page(request.parameter("variant").lower(), lang)
        except VariantError:
            raise PageError(HTTPStatus.NOT_FOUND) from None
        return self._page(
            request,
            "rules.html",
            rules=page,
            has_lessons=page.id in lesson_counts(),
            prints=request.prints,
            texts=texts(("board.", "outcome.", "page.rules.again", "page.rules.try_now"), lang),
            game=all_game_facts(lang)[page.id],
        )

    def all_lessons(self, request: PageRequest) -> Content:
        """Returns the list of lessons."""
        lang = request.lang
        return self._page(
            request,
            "all_lessons.html",
            families=variant_families(lang),
            counts=lesson_counts(),
            texts=texts(("web.lesson.tally",), lang),
        )

    def lessons(self, request: PageRequest) -> Content:
        """Returns the lessons of a variant, which run in the browser."""
        lang = request.lang
        try:
            page = lessons_page(request.parameter("variant").lower(), lang)
        except VariantError:
            raise PageError(HTTPStatus.NOT_FOUND) from None
        keys = texts((*GAME_TEXTS, "lesson.wrong."), lang)
        return self._page(request, "lessons.html", page=page, texts=keys)

    def new(self, request: PageRequest) -> Content:
        """Returns the form of a new game."""
        lang = request.lang
        try:
            page = new_page(request.values, lang)
        except (SetupError, VariantError) as error:
            raise PageError(HTTPStatus.BAD_REQUEST, explain(error, lang)) from None
        return self._page(
            request,
            "new.html",
            new=page,
            choices=CHOICES,
            levels=LEVELS,
            families=variant_families(lang),
            lessons=lesson_counts(),
            others=len(variant_ids()) - len(lesson_counts()),
            texts=texts(("web.no_connection", "web.rejected"), lang),
        )

    def table(self, request: PageRequest) -> Content:
        """Returns a board for two players at one device; the game runs in the browser."""
        lang = request.lang
        return self._page(
            request,
            "hotseat.html",
            texts=texts(GAME_TEXTS, lang),
            games=all_game_facts(lang),
            wanted=_changed_facts(request, lang),
        )

    def analysis(self, request: PageRequest) -> Content:
        """Returns the analysis board, which runs in the browser."""
        lang = request.lang
        name = request.values.get("variant", "brandub-globe")
        facts = _changed_facts(request, lang) or all_game_facts(lang).get(name)
        if facts is None:
            raise PageError(HTTPStatus.NOT_FOUND)
        return self._page(
            request,
            "analysis.html",
            texts=texts(ANALYSIS_TEXTS, lang),
            games=all_game_facts(lang),
            wanted=facts,
            rules=rule_choices(facts["id"], lang),
            library=request.has_library,
        )

    def game(self, request: PageRequest) -> Content:
        """Returns the page of a game on this server; its script fetches the game."""
        return self._game_page(request, "game.html")

    def seat(self, request: PageRequest) -> Content:
        """Returns the page that takes a seat to this device; only its script reads the secret."""
        lang = request.lang
        return self._page(request, "seat.html", texts=texts(("web.no_connection", "web.rejected"), lang))

    def key(self, request: PageRequest) -> Content:
        """Returns the form that enters the key of a school or club, after a wrong key with status 403."""
        is_wrong = "wrong" in dict(request.parameters)
        html = self._writer.page(request, "key.html", is_wrong=is_wrong, pattern=SECRET.pattern)
        return Content(html.encode(), _HTML, HTTPStatus.FORBIDDEN if is_wrong else HTTPStatus.OK)

    def embed(self, request: PageRequest) -> Content:
        """Returns a game for a frame on another page, without controls."""
        return self._game_page(request, "embed.html")

    def _game_page(self, request: PageRequest, template: str) -> Content:
        lang = request.lang
        facts, game = all_game_facts(lang), request.parameter("game")
        page_texts = texts(GAME_TEXTS, lang)
        return self._page(request, template, texts=page_texts, games=facts, game=game)

    def games(self, request: PageRequest) -> Content:
        """Returns the list of the visitor's games; its script fetches them."""
        lang = request.lang
        page_texts = texts((*GAME_TEXTS, "page.table.title", "page.home.turn"), lang)
        facts = all_game_facts(lang)
        return self._page(request, "games.html", texts=page_texts, games=facts, days=EXPIRY)

    def facts(self, request: PageRequest) -> Content:
        """Returns the facts of a variant with switches, as JSON."""
        lang = request.lang
        facts = _changed_facts(request, lang) or _facts_of(request, lang)
        return Content(
            json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode(), "application/json"
        )

    def offline(self, request: PageRequest) -> Content:
        """Returns the page that browsers show without a connection."""
        html = self._writer.failure(request, "page.offline", "page.offline.text")
        return Content(html.encode(), _HTML)

    def icon(self, request: PageRequest) -> Content:
        """Returns the icon as PNG."""
        size = request.parameter("size")
        if size not in map(str, SIZES):
            raise PageError(HTTPStatus.NOT_FOUND)
        return Content(icon_png(int(size)), "image/png")


def _changed_facts(request: PageRequest, lang: str) -> dict[str, Any] | None:
    """Returns the facts of a variant with the switches of the query; None without switches."""
    switches = query_switches(request.values)
    if not switches:
        return None
    try:
        chosen = variant(request.values.get("variant", "")).with_switches(switches)
    except VariantError as error:
        raise PageError(HTTPStatus.BAD_REQUEST, explain(error, lang)) from None
    return game_facts(chosen, lang)


def _facts_of(request: PageRequest, lang: str) -> dict[str, Any]:
    found = all_game_facts(lang).get(request.values.get("variant", ""))
    if found is None:
        raise PageError(HTTPStatus.NOT_FOUND)
    return found
