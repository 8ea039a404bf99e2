"""The contents of the pages, each a function from a request to HTML; they run in the page worker."""

import datetime as dt
import json
import re
from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from hnefi.errors import SetupError, VariantError
from hnefi.i18n import explain, text, texts
from hnefi.server.game_facts import all_game_facts, game_facts
from hnefi.server.games.retention import CLASS_DAYS, EXPIRY
from hnefi.server.pages import drawings
from hnefi.server.pages.analysis_page import ANALYSIS_TEXTS, rule_choices
from hnefi.server.pages.catalogue_page import catalogue_page
from hnefi.server.pages.class_page import CLASS_TEXTS, ROOM_TEXTS, class_game_names, class_page
from hnefi.server.pages.game_texts import GAME_TEXTS
from hnefi.server.pages.home_page import HOME_DOORS, HOME_TEXTS, home_page
from hnefi.server.pages.icons import SIZES, icon_png
from hnefi.server.pages.kept import bundle, kept_pages
from hnefi.server.pages.lessons_page import FIRST_COURSE, lesson_counts, lessons_page, taught_families
from hnefi.server.pages.new_page import LEVELS, OPPONENTS_HERE, new_page
from hnefi.server.pages.paths import CHOICES, FILTERS, PATHS
from hnefi.server.pages.people_page import PEOPLE_TEXTS, people_page
from hnefi.server.pages.puzzles_page import PUZZLE_TEXTS, days_of_puzzles, puzzle_page, puzzles_page
from hnefi.server.pages.rendering import PageRequest, PageWriter
from hnefi.server.pages.rules_page import rules_page
from hnefi.server.pages.worker import Content
from hnefi.server.settings import SECRET
from hnefi.variants.finding import variant, variant_ids
from hnefi.variants.links import query_switches

_NEW_TEXTS = (
    "web.no_connection",
    "web.rejected",
    "web.computer",
    "page.new.chosen.",
    "page.new.value",
    "page.new.position",
    "level.",
    "web.goal.",
    "web.no_such_game",
    "web.all_games",
    "web.to_start",
)
# The sections of the pages that the footer leads to.
_ABOUT = ("tafl", "rules", "play", "private")
_HELP = ("move", "computer", "friend", "rules", "again", "lost", "offline")
_ABOUT_HERE = ("tafl", "rules", "play_here", "private_here")
_HELP_HERE = ("move", "computer", "rules", "again_here")
_TERMS = (
    *("king", "defenders", "attackers", "capture", "trap", "road", "throne", "corner", "camp", "hostile"),
    *("call", "shieldwall"),
)
_LICENCES = ("program", "fonts", "rules", "source")
# The pages that work without a connection: the key of the text of a link, and the path.
_OFFLINE_PLACES = (
    ("page.computer.title", "computer"),
    ("page.said.table", "table"),
    ("page.nav.lessons", "lessons"),
    ("page.nav.puzzles", "puzzles"),
    ("page.nav.rules", "rules"),
    ("page.nav.analysis", "analysis"),
    ("page.nav.help", "help"),
)
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
        """Returns the home page: a guided first game, and a shelf of boards."""
        lang = request.lang
        return self._page(
            request,
            "home.html",
            home=home_page(lang, request.variants),
            doors=[door for door in HOME_DOORS if _leads_somewhere(door[0], request)],
            texts=texts(HOME_TEXTS, lang),
        )

    def all_rules(self, request: PageRequest) -> Content:
        """Returns the catalogue: all variants, or those that fit the search of the query."""
        lang = request.lang
        return self._page(
            request,
            "all_rules.html",
            page=catalogue_page(request.values, lang, request.variants),
            filters=FILTERS,
            texts=texts(("page.wall",), lang),
        )

    def editor(self, request: PageRequest) -> Content:
        """Returns the rules editor, with the rules of the query."""
        # With the rules editor come its messages and the formats of rules: a fifth of the start.
        from hnefi.server.pages.editor_page import EDITOR_TEXTS, editor_page, layout_names
        from hnefi.server.rules_editor.editing import fault_texts

        lang = request.lang
        try:
            page = editor_page(request.query, lang, request.variants, has_words=request.has_server)
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
            faults=fault_texts(),
            games=_games(request),
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
            siblings=[one for one in page.siblings if request.offers(one.id)],
            has_lessons=page.id in lesson_counts(),
            prints=request.prints,
            texts=texts(("board.", "outcome.", "page.rules.again", "page.rules.try_now"), lang),
            game=all_game_facts(lang)[page.id],
        )

    def all_lessons(self, request: PageRequest) -> Content:
        """Returns the list of lessons."""
        lang = request.lang
        counts = {name: count for name, count in lesson_counts().items() if request.offers(name)}
        families = [
            replace(family, rule_sets=tuple(one for one in family.rule_sets if one.id in counts))
            for family in taught_families(lang)
        ]
        return self._page(
            request,
            "all_lessons.html",
            families=[family for family in families if family.rule_sets],
            counts=counts,
            start=FIRST_COURSE,
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

    def puzzles(self, request: PageRequest) -> Content:
        """Returns the list of puzzles, with that of the day."""
        lang = request.lang
        keys = ("web.puzzle.streak", "web.puzzle.done", "web.puzzle.tally", "web.puzzle.today.")
        return self._page(
            request,
            "puzzles.html",
            page=puzzles_page(dt.date.fromisoformat(request.values["day"]), lang, request.variants),
            days=_days(request),
            texts=texts(keys, lang),
        )

    def puzzle(self, request: PageRequest) -> Content:
        """Returns a puzzle, which is solved in the browser."""
        lang = request.lang
        try:
            has_board = "board" not in dict(request.parameters)
            page = puzzle_page(
                request.parameter("puzzle").lower(), _day_of(request), lang, has_board=has_board
            )
        except KeyError:
            raise PageError(HTTPStatus.NOT_FOUND) from None
        return self._page(
            request,
            "puzzle_board.html",
            page=page,
            days=_days(request),
            texts=texts((*GAME_TEXTS, *PUZZLE_TEXTS), lang),
        )

    def new(self, request: PageRequest) -> Content:
        """Returns the form of a new game."""
        lang = request.lang
        try:
            page = new_page(request.values, lang, request.variants)
        except (SetupError, VariantError) as error:
            raise PageError(HTTPStatus.BAD_REQUEST, explain(error, lang)) from None
        return self._page(
            request,
            "new.html",
            new=page,
            choices=CHOICES if request.has_server else {**CHOICES, "opponent": OPPONENTS_HERE},
            levels=LEVELS,
            count=len(request.variants or variant_ids()),
            known=request.variants or variant_ids(),
            texts=texts(_NEW_TEXTS, lang),
        )

    def table(self, request: PageRequest) -> Content:
        """Returns a board for two players at one device; the game runs in the browser."""
        return self._local_game_page(request, "table", "hotseat.js")

    def computer(self, request: PageRequest) -> Content:
        """Returns a board for a game against the computer; both run in the browser."""
        return self._local_game_page(request, "computer", "computer.js")

    def _local_game_page(self, request: PageRequest, name: str, script: str) -> Content:
        lang = request.lang
        return self._page(
            request,
            "local_game.html",
            name=name,
            script=script,
            texts=texts(GAME_TEXTS, lang),
            games=_games(request),
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
            games=_games(request),
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
        facts, game = _games(request), request.parameter("game")
        page_texts = texts(GAME_TEXTS, lang)
        return self._page(request, template, texts=page_texts, games=facts, game=game)

    def games(self, request: PageRequest) -> Content:
        """Returns the list of the visitor's games; its script fetches them."""
        lang = request.lang
        page_texts = texts((*GAME_TEXTS, "page.table.title", "page.home.turn"), lang)
        facts = _games(request)
        return self._page(request, "games.html", texts=page_texts, games=facts, days=EXPIRY)

    def people(self, request: PageRequest) -> Content:
        """Returns the page of open challenges; its script fetches them."""
        lang = request.lang
        return self._page(request, "people.html", people=people_page(lang), texts=texts(PEOPLE_TEXTS, lang))

    def classes(self, request: PageRequest) -> Content:
        """Returns the page on which a class is joined or created."""
        lang = request.lang
        page_texts = texts(CLASS_TEXTS, lang)
        return self._page(request, "class.html", **class_page(lang), days=CLASS_DAYS, texts=page_texts)

    def class_room(self, request: PageRequest) -> Content:
        """Returns the page of a class; its script fetches the class."""
        lang = request.lang
        return self._page(
            request, "class_room.html", names=class_game_names(lang), texts=texts(ROOM_TEXTS, lang)
        )

    def facts(self, request: PageRequest) -> Content:
        """Returns the facts of a variant with switches, or of all variants, as JSON."""
        lang = request.lang
        if not request.query:
            return _json(all_game_facts(lang))
        return _json(_changed_facts(request, lang) or _facts_of(request, lang))

    def kept(self, request: PageRequest) -> Content:
        """Returns a bundle of pages that browsers keep for use offline, as JSON."""
        try:
            pages = kept_pages(request, request.parameter("bundle"))
        except KeyError:
            raise PageError(HTTPStatus.NOT_FOUND) from None
        return _json(bundle({address: self.content(page).body.decode() for address, page in pages.items()}))

    def offline(self, request: PageRequest) -> Content:
        """Returns the page that browsers show without a connection."""
        board = drawings.start_board("brandub-globe", request.lang)
        return self._page(request, "offline.html", board=board, kept_places=_OFFLINE_PLACES)

    def about(self, request: PageRequest) -> Content:
        """Returns the page about tafl games and this site."""
        return self._sections(request, "about", "page.about", _ABOUT if request.has_server else _ABOUT_HERE)

    def help(self, request: PageRequest) -> Content:
        """Returns the help."""
        if not request.has_server:
            return self._sections(request, "help", "page.nav.help", _HELP_HERE)
        return self._sections(request, "help", "page.nav.help", _HELP, "help.js", ("web.kept.",))

    def licence(self, request: PageRequest) -> Content:
        """Returns the licences, and where the source is."""
        return self._sections(request, "licence", "page.nav.licence", _LICENCES)

    def _sections(
        self,
        request: PageRequest,
        page: str,
        heading: str,
        sections: tuple[str, ...],
        script: str = "",
        keys: tuple[str, ...] = (),
    ) -> Content:
        return self._page(
            request,
            "sections.html",
            page=page,
            heading=heading,
            sections=sections,
            script=script,
            texts=texts(keys, request.lang),
        )

    def glossary(self, request: PageRequest) -> Content:
        """Returns the words of the game, in the alphabetical order of the language."""
        terms = sorted(_TERMS, key=lambda name: text(f"page.glossary.{name}", request.lang).casefold())
        return self._page(request, "glossary.html", terms=terms)

    def imprint(self, request: PageRequest) -> Content:
        """Returns the imprint of the operator."""
        lines = request.parameter("text").strip()
        if not lines:
            raise PageError(HTTPStatus.NOT_FOUND)
        paragraphs = [part for part in re.split(r"\n\s*\n", lines) if part.strip()]
        return self._page(request, "imprint.html", paragraphs=paragraphs)

    def icon(self, request: PageRequest) -> Content:
        """Returns the icon as PNG."""
        size = request.parameter("size")
        if size not in map(str, SIZES):
            raise PageError(HTTPStatus.NOT_FOUND)
        return Content(icon_png(int(size)), "image/png")


def _leads_somewhere(door: str, request: PageRequest) -> bool:
    """Checks whether the site has the place that a door of the home page leads to."""
    return door != "print" or bool(request.prints)


def _games(request: PageRequest) -> dict[str, dict[str, Any]]:
    """Returns the facts of the variants of the site, by id."""
    return {name: facts for name, facts in all_game_facts(request.lang).items() if request.offers(name)}


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


def _json(facts: object) -> Content:
    return Content(json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode(), "application/json")


def _day_of(request: PageRequest) -> dt.date | None:
    """Returns the day of a page; None if it is kept for any day."""
    day = request.values.get("day")
    return None if day is None else dt.date.fromisoformat(day)


def _days(request: PageRequest) -> dict[str, Any] | None:
    """Returns the puzzles of the days after a site of static files is written; None at a server."""
    written = request.values.get("written")
    return None if written is None else days_of_puzzles(dt.date.fromisoformat(written), request.variants)


def _facts_of(request: PageRequest, lang: str) -> dict[str, Any]:
    found = all_game_facts(lang).get(request.values.get("variant", ""))
    if found is None:
        raise PageError(HTTPStatus.NOT_FOUND)
    return found
