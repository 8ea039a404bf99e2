"""Routes of the HTML pages. Every path begins with a language; paths without one are redirected."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from starlette.background import BackgroundTask
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from hnefi.errors import SetupError, VariantError
from hnefi.i18n import explain, languages, texts
from hnefi.server.assets import Assets
from hnefi.server.game_facts import all_game_facts, game_facts
from hnefi.server.games.expiry import EXPIRY
from hnefi.server.http.headers import allow_framing
from hnefi.server.http.language import preferred_language
from hnefi.server.pages import drawings
from hnefi.server.pages.analysis_page import ANALYSIS_TEXTS, rule_choices
from hnefi.server.pages.editor_page import EDITOR_TEXTS, editor_page, layout_names
from hnefi.server.pages.game_texts import GAME_TEXTS
from hnefi.server.pages.installing import add_installing
from hnefi.server.pages.key_page import key_page
from hnefi.server.pages.lessons_page import lesson_counts, lessons_page
from hnefi.server.pages.new_page import CHOICES, LEVELS, new_page
from hnefi.server.pages.rendering import PageWriter
from hnefi.server.pages.rules_page import rules_page
from hnefi.server.pages.variant_families import variant_families
from hnefi.variants.finding import variant, variant_ids
from hnefi.variants.links import query_switches

__all__ = ["add_pages"]

_PROGRAM_PATHS = ("/api/", "/static/")
_MISSING = ("page.missing", "page.missing.text")
_FAILED = ("page.failed", "page.failed.text")


class _LanguageConvertor(Convertor[str]):
    regex = "|".join(languages())

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("language", _LanguageConvertor())


def add_pages(app: FastAPI, assets: Assets) -> None:
    """Adds all pages to an application, and its error pages."""
    pages = _Pages(PageWriter(assets))
    for path, answer in pages.by_path().items():
        app.add_route(f"/{{lang:language}}{path}", answer, methods=["GET"], include_in_schema=False)
        if path:
            app.add_route(path, _redirect, methods=["GET"], include_in_schema=False)
    add_installing(app, assets)
    app.add_exception_handler(HTTPException, pages.failed)


def _redirect(request: Request) -> Response:
    """Redirects to the same page in the preferred language."""
    query = f"?{request.url.query}" if request.url.query else ""
    address = f"/{preferred_language(request)}{request.url.path}{query}"
    return RedirectResponse(address, HTTPStatus.FOUND, {"Vary": "Accept-Language, Cookie"})


class _Pages:
    """The pages, each a function from a request to a response."""

    def __init__(self, writer: PageWriter) -> None:
        self._writer = writer

    def by_path(self) -> dict[str, Callable[[Request], Response]]:
        """Returns the pages by the part of their path after the language."""
        return {
            "/": self.home,
            "/rules": self.all_rules,
            "/rules/new": self.editor,
            "/rules/{variant}": self.rules,
            "/lessons": self.all_lessons,
            "/lessons/{variant}": self.lessons,
            "/new": self.new,
            "/table": self.table,
            "/analysis": self.analysis,
            "/game/{game}": self.game,
            "/games": self.games,
            "/seat": self.seat,
            "/key": self.key,
            "/embed/{game}": self.embed,
            "/facts": self.facts,
            "/offline": self.offline,
        }

    def home(self, request: Request) -> Response:
        """Returns the home page: a board, and all boards that can be played."""
        lang = _language(request)
        return self._writer.page(
            request,
            "home.html",
            lang,
            board=drawings.opening_board("brandub-globe", "d6", lang),
            families=variant_families(lang),
            lessons=lesson_counts(),
            texts=texts((*GAME_TEXTS, "page.home.turn", "page.home.opponent"), lang),
            game=all_game_facts(lang)["brandub-globe"],
        )

    def all_rules(self, request: Request) -> Response:
        """Returns the list of all variants."""
        lang = _language(request)
        return self._writer.page(request, "all_rules.html", lang, families=variant_families(lang))

    def editor(self, request: Request) -> Response:
        """Returns the rules editor, with the rules of the query."""
        lang = _language(request)
        try:
            page = editor_page(request.query_params.multi_items(), lang)
        except VariantError as error:
            raise HTTPException(400, explain(error, lang)) from None
        answer = self._writer.page(
            request,
            "editor.html",
            lang,
            editor=page,
            board=drawings.start_board(page.id, lang)
            if page.played is None
            else drawings.board(page.played, None, lang),
            layouts=layout_names(lang),
            texts=texts((*GAME_TEXTS, *EDITOR_TEXTS), lang),
        )
        answer.background = BackgroundTask(request.app.state.service.rules_worker.prepare)
        return answer

    def rules(self, request: Request) -> Response:
        """Returns the rules of a variant."""
        lang = _language(request)
        try:
            page = rules_page(request.path_params["variant"].lower(), lang)
        except VariantError:
            raise HTTPException(404) from None
        return self._writer.page(
            request,
            "rules.html",
            lang,
            rules=page,
            has_lessons=page.id in lesson_counts(),
            texts=texts(("board.", "outcome.", "page.rules.again", "page.rules.try_now"), lang),
            game=all_game_facts(lang)[page.id],
        )

    def all_lessons(self, request: Request) -> Response:
        """Returns the list of lessons."""
        lang = _language(request)
        return self._writer.page(
            request,
            "all_lessons.html",
            lang,
            families=variant_families(lang),
            counts=lesson_counts(),
            texts=texts(("web.lesson.tally",), lang),
        )

    def lessons(self, request: Request) -> Response:
        """Returns the lessons of a variant, which run in the browser."""
        lang = _language(request)
        try:
            page = lessons_page(request.path_params["variant"].lower(), lang)
        except VariantError:
            raise HTTPException(404) from None
        keys = texts((*GAME_TEXTS, "lesson.wrong."), lang)
        return self._writer.page(request, "lessons.html", lang, page=page, texts=keys)

    def new(self, request: Request) -> Response:
        """Returns the form of a new game."""
        lang = _language(request)
        try:
            page = new_page(request.query_params, lang)
        except (SetupError, VariantError) as error:
            raise HTTPException(400, explain(error, lang)) from None
        return self._writer.page(
            request,
            "new.html",
            lang,
            new=page,
            choices=CHOICES,
            levels=LEVELS,
            families=variant_families(lang),
            lessons=lesson_counts(),
            others=len(variant_ids()) - len(lesson_counts()),
            texts=texts(("web.no_connection", "web.rejected"), lang),
        )

    def table(self, request: Request) -> Response:
        """Returns a board for two players at one device; the game runs in the browser."""
        lang = _language(request)
        return self._writer.page(
            request,
            "hotseat.html",
            lang,
            texts=texts(GAME_TEXTS, lang),
            games=all_game_facts(lang),
            wanted=_changed_facts(request, lang),
        )

    def analysis(self, request: Request) -> Response:
        """Returns the analysis board, which runs in the browser."""
        lang = _language(request)
        name = request.query_params.get("variant", "brandub-globe")
        facts = _changed_facts(request, lang) or all_game_facts(lang).get(name)
        if facts is None:
            raise HTTPException(404)
        return self._writer.page(
            request,
            "analysis.html",
            lang,
            texts=texts(ANALYSIS_TEXTS, lang),
            games=all_game_facts(lang),
            wanted=facts,
            rules=rule_choices(facts["id"], lang),
            library=request.app.state.settings.has_library,
        )

    def game(self, request: Request) -> Response:
        """Returns the page of a game on this server; its script fetches the game."""
        return self._game_page(request, "game.html")

    def seat(self, request: Request) -> Response:
        """Returns the page that takes a seat to this device; only its script reads the secret."""
        lang = _language(request)
        return self._writer.page(
            request, "seat.html", lang, texts=texts(("web.no_connection", "web.rejected"), lang)
        )

    def key(self, request: Request) -> Response:
        """Returns the page that enters the key of a school or club."""
        return key_page(self._writer, request, _language(request))

    def embed(self, request: Request) -> Response:
        """Returns a game for a frame on another page, without controls."""
        allow_framing(request.scope)
        return self._game_page(request, "embed.html")

    def _game_page(self, request: Request, template: str) -> Response:
        lang = _language(request)
        facts, game = all_game_facts(lang), request.path_params["game"]
        page_texts = texts(GAME_TEXTS, lang)
        return self._writer.page(request, template, lang, texts=page_texts, games=facts, game=game)

    def games(self, request: Request) -> Response:
        """Returns the list of the visitor's games; its script fetches them."""
        lang = _language(request)
        page_texts = texts((*GAME_TEXTS, "page.table.title", "page.home.turn"), lang)
        facts = all_game_facts(lang)
        return self._writer.page(request, "games.html", lang, texts=page_texts, games=facts, days=EXPIRY)

    def facts(self, request: Request) -> Response:
        """Returns the facts of a variant with switches, as JSON."""
        lang = _language(request)
        return JSONResponse(_changed_facts(request, lang) or _facts_of(request, lang))

    def offline(self, request: Request) -> Response:
        """Returns the page that browsers show without a connection."""
        heading, why = "page.offline", "page.offline.text"
        return self._failure(request, _language(request), heading=heading, why=why)

    def _failure(self, request: Request, lang: str, **facts: Any) -> Response:
        board = drawings.start_board("brandub-globe", lang)
        return self._writer.page(request, "failure.html", lang, board=board, **facts)

    def failed(self, request: Request, error: Exception) -> Response:
        """Returns an error: a page, or JSON for programs."""
        status = error.status_code if isinstance(error, HTTPException) else 500
        headers = error.headers if isinstance(error, HTTPException) else None
        if request.url.path.startswith(_PROGRAM_PATHS):
            return JSONResponse({"detail": HTTPStatus(status).phrase}, status, headers)
        lang = request.url.path.removeprefix("/").partition("/")[0]
        lang = lang if lang in languages() else preferred_language(request)
        heading, why = _MISSING if status == HTTPStatus.NOT_FOUND else _FAILED
        detail = (
            error.detail if isinstance(error, HTTPException) and status == HTTPStatus.BAD_REQUEST else None
        )
        answer = self._failure(request, lang, status=status, heading=heading, why=why, detail=detail)
        answer.headers.update(headers or {})
        return answer


def _changed_facts(request: Request, lang: str) -> dict[str, Any] | None:
    """Returns the facts of a variant with the switches of the query; None without switches."""
    switches = query_switches(request.query_params)
    if not switches:
        return None
    try:
        chosen = variant(request.query_params.get("variant", "")).with_switches(switches)
    except VariantError as error:
        raise HTTPException(400, explain(error, lang)) from None
    return game_facts(chosen, lang)


def _facts_of(request: Request, lang: str) -> dict[str, Any]:
    found = all_game_facts(lang).get(request.query_params.get("variant", ""))
    if found is None:
        raise HTTPException(404)
    return found


def _language(request: Request) -> str:
    return str(request.path_params["lang"])
