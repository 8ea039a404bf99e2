"""Which page answers which address. All have the language in it; whoever leaves it out is redirected."""

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
from hnefi.server.games.rooms import EXPIRY
from hnefi.server.http.headers import allow_framing
from hnefi.server.http.language import preferred_language
from hnefi.server.pages import drawings
from hnefi.server.pages.analysis_page import ANALYSIS_TEXTS, rule_choices
from hnefi.server.pages.editor_page import EDITOR_TEXTS, editor_page, layout_names
from hnefi.server.pages.game_texts import GAME_TEXTS
from hnefi.server.pages.installing import add_installing
from hnefi.server.pages.lessons_page import lesson_counts, lessons_page
from hnefi.server.pages.new_page import CHOICES, LEVELS, new_page
from hnefi.server.pages.rendering import PageWriter
from hnefi.server.pages.rules_page import rules_page
from hnefi.server.pages.shelf import boards_on_the_shelf
from hnefi.variants.finding import variant, variant_ids
from hnefi.variants.links import query_switches

__all__ = ["add_pages"]

_FOR_PROGRAMS = ("/api/", "/static/")
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
    """Adds all pages to an application, and its answer for what is not there."""
    pages = _Pages(PageWriter(assets))
    for path, answer in pages.by_address().items():
        app.add_route(f"/{{lang:language}}{path}", answer, methods=["GET"], include_in_schema=False)
        if path:
            app.add_route(path, _redirect, methods=["GET"], include_in_schema=False)
    add_installing(app, assets)
    app.add_exception_handler(HTTPException, pages.failed)


def _redirect(request: Request) -> Response:
    """Sends somebody to the page in the own language."""
    query = f"?{request.url.query}" if request.url.query else ""
    address = f"/{preferred_language(request)}{request.url.path}{query}"
    return RedirectResponse(address, HTTPStatus.FOUND, {"Vary": "Accept-Language, Cookie"})


class _Pages:
    """The pages, each a function from a request to an answer."""

    def __init__(self, writer: PageWriter) -> None:
        self._writer = writer

    def by_address(self) -> dict[str, Callable[[Request], Response]]:
        """Lists the pages by what follows the language in their address."""
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
            "/embed/{game}": self.embed,
            "/facts": self.facts,
            "/offline": self.offline,
        }

    def home(self, request: Request) -> Response:
        """Shows a board that is set up, and the boards there are."""
        lang = _language(request)
        return self._writer.page(
            request,
            "home.html",
            lang,
            board=drawings.opening_board("brandub-globe", "d6", lang),
            shelf=boards_on_the_shelf(lang),
            lessons=lesson_counts(),
            texts=texts((*GAME_TEXTS, "page.home.turn", "page.home.opponent"), lang),
            game=all_game_facts(lang)["brandub-globe"],
        )

    def all_rules(self, request: Request) -> Response:
        """Lists all variants."""
        lang = _language(request)
        return self._writer.page(request, "all_rules.html", lang, shelf=boards_on_the_shelf(lang))

    def editor(self, request: Request) -> Response:
        """Lets somebody make rules of his own; what they are is said in the address."""
        lang = _language(request)
        try:
            asked = editor_page(request.query_params.multi_items(), lang)
        except VariantError as error:
            raise HTTPException(400, explain(error, lang)) from None
        answer = self._writer.page(
            request,
            "editor.html",
            lang,
            editor=asked,
            board=drawings.start_board(asked.id, lang)
            if asked.played is None
            else drawings.board(asked.played, None, lang),
            layouts=layout_names(lang),
            texts=texts((*GAME_TEXTS, *EDITOR_TEXTS), lang),
        )
        answer.background = BackgroundTask(request.app.state.service.rules_worker.prepare)
        return answer

    def rules(self, request: Request) -> Response:
        """Tells the rules of a variant."""
        lang = _language(request)
        try:
            told = rules_page(request.path_params["variant"].lower(), lang)
        except VariantError:
            raise HTTPException(404) from None
        return self._writer.page(
            request,
            "rules.html",
            lang,
            rules=told,
            has_lessons=told.id in lesson_counts(),
            texts=texts(("board.", "outcome.", "page.rules.again", "page.rules.try_now"), lang),
            game=all_game_facts(lang)[told.id],
        )

    def all_lessons(self, request: Request) -> Response:
        """Lists the variants that there are lessons for."""
        lang = _language(request)
        return self._writer.page(
            request,
            "all_lessons.html",
            lang,
            shelf=boards_on_the_shelf(lang),
            counts=lesson_counts(),
            texts=texts(("web.lesson.tally",), lang),
        )

    def lessons(self, request: Request) -> Response:
        """Gives the lessons of a variant; they are done in the browser."""
        lang = _language(request)
        try:
            told = lessons_page(request.path_params["variant"].lower(), lang)
        except VariantError:
            raise HTTPException(404) from None
        keys = texts((*GAME_TEXTS, "lesson.wrong."), lang)
        return self._writer.page(request, "lessons.html", lang, page=told, texts=keys)

    def new(self, request: Request) -> Response:
        """Asks what a new game is to be."""
        lang = _language(request)
        try:
            asked = new_page(request.query_params, lang)
        except (SetupError, VariantError) as error:
            raise HTTPException(400, explain(error, lang)) from None
        return self._writer.page(
            request,
            "new.html",
            lang,
            new=asked,
            choices=CHOICES,
            levels=LEVELS,
            shelf=boards_on_the_shelf(lang),
            lessons=lesson_counts(),
            others=len(variant_ids()) - len(lesson_counts()),
            texts=texts(("web.no_connection", "web.rejected"), lang),
        )

    def table(self, request: Request) -> Response:
        """Lays a board for two people at one device; the game itself is played in their browser."""
        lang = _language(request)
        return self._writer.page(
            request,
            "hotseat.html",
            lang,
            texts=texts(GAME_TEXTS, lang),
            games=all_game_facts(lang),
            wanted=_wanted(request, lang),
        )

    def analysis(self, request: Request) -> Response:
        """Lays a board for looking into positions and games; all of it happens in the browser."""
        lang = _language(request)
        asked = request.query_params.get("variant", "brandub-globe")
        wanted = _wanted(request, lang) or all_game_facts(lang).get(asked)
        if wanted is None:
            raise HTTPException(404)
        return self._writer.page(
            request,
            "analysis.html",
            lang,
            texts=texts(ANALYSIS_TEXTS, lang),
            games=all_game_facts(lang),
            wanted=wanted,
            rules=rule_choices(wanted["id"], lang),
            library=request.app.state.settings.has_library,
        )

    def game(self, request: Request) -> Response:
        """Shows a game that the server keeps; what stands on the board comes by its interface."""
        return self._kept_game(request, "game.html")

    def seat(self, request: Request) -> Response:
        """Takes a seat along to this device; the secret is known to the script alone."""
        lang = _language(request)
        return self._writer.page(
            request, "seat.html", lang, texts=texts(("web.no_connection", "web.rejected"), lang)
        )

    def embed(self, request: Request) -> Response:
        """Shows a game in a frame of another page, to be looked at."""
        allow_framing(request.scope)
        return self._kept_game(request, "embed.html")

    def _kept_game(self, request: Request, template: str) -> Response:
        lang = _language(request)
        told, games = texts(GAME_TEXTS, lang), all_game_facts(lang)
        game = request.path_params["game"]
        return self._writer.page(request, template, lang, texts=told, games=games, game=game)

    def games(self, request: Request) -> Response:
        """Lists the games of the browser that asks; its script finds them."""
        lang = _language(request)
        told = texts((*GAME_TEXTS, "page.table.title", "page.home.turn"), lang)
        facts = all_game_facts(lang)
        return self._writer.page(request, "games.html", lang, texts=told, games=facts, days=EXPIRY)

    def facts(self, request: Request) -> Response:
        """Gives what a script needs to know of a variant with its switches."""
        lang = _language(request)
        return JSONResponse(_wanted(request, lang) or _facts_of(request, lang))

    def offline(self, request: Request) -> Response:
        """Says that a page cannot be had without a connection; browsers keep it for then."""
        heading, why = "page.offline", "page.offline.text"
        return self._say(request, _language(request), heading=heading, why=why)

    def _say(self, request: Request, lang: str, **facts: Any) -> Response:
        board = drawings.start_board("brandub-globe", lang)
        return self._writer.page(request, "failure.html", lang, board=board, **facts)

    def failed(self, request: Request, error: Exception) -> Response:
        """Says what is wrong with a request, to people as a page and to programs as JSON."""
        status = error.status_code if isinstance(error, HTTPException) else 500
        headers = error.headers if isinstance(error, HTTPException) else None
        if request.url.path.startswith(_FOR_PROGRAMS):
            return JSONResponse({"detail": HTTPStatus(status).phrase}, status, headers)
        lang = request.url.path.removeprefix("/").partition("/")[0]
        lang = lang if lang in languages() else preferred_language(request)
        heading, why = _MISSING if status == HTTPStatus.NOT_FOUND else _FAILED
        said = error.detail if isinstance(error, HTTPException) and status == HTTPStatus.BAD_REQUEST else None
        answer = self._say(request, lang, status=status, heading=heading, why=why, said=said)
        answer.headers.update(headers or {})
        return answer


def _wanted(request: Request, lang: str) -> dict[str, Any] | None:
    """Gives the facts of a variant with rules changed by the address; None if there is nothing to change."""
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
