"""Pages that work when they are opened from a folder, without any host: games, lessons and rules.

Browsers refuse modules and files of WebAssembly there. All of these pages load one classic script, in which
rules and engine are. A kiosk is such a page with a few games.
"""

from collections.abc import Iterable, Mapping

from hnefi.engine.levels import LEVEL_COUNT, USUAL_LEVEL
from hnefi.i18n import text
from hnefi.lessons import lessons
from hnefi.server.game_facts import game_facts, heading_of
from hnefi.server.pages.all_pages import CHOICES
from hnefi.server.pages.board_tiles import board_tile
from hnefi.server.pages.game_texts import GAME_TEXTS
from hnefi.server.pages.lessons.content import lesson_facts
from hnefi.server.pages.rendering import PageWriter
from hnefi.server.pages.rules.content import rules_page
from hnefi.server.site.plan import SitePlan, plain_request
from hnefi.variants.built_in import built_in_ids
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant


def double_click_files(plan: SitePlan, writer: PageWriter) -> dict[str, str]:
    """Returns the pages by file, with addresses as at a server."""
    parts = [
        (lang, [(f"/{_file(lang, one.id)}", *heading_of(one, lang)) for one in _sorted(plan.variants, lang)])
        for lang in plan.languages
    ]
    request = plain_request(plan, "open", plan.languages[0])
    files = {"open-me.html": writer.page(request, "open_me.html", parts=parts)}
    for variant_id in plan.variants:
        names = {lang: _file(lang, variant_id) for lang in plan.languages}
        files |= _pages(plan, names, (variant_id,), writer)
    return files


def kiosk_files(plan: SitePlan, writer: PageWriter) -> dict[str, str]:
    """Returns the pages of a kiosk by file, one for each language, with addresses as at a server."""
    first, *others = plan.languages
    names = {first: "index.html", **{lang: f"{lang}.html" for lang in others}}
    return _pages(plan, names, plan.variants, writer)


def _file(lang: str, variant_id: str) -> str:
    return f"open-me/{lang}/{variant_id}.html"


def _sorted(variants: Iterable[str], lang: str) -> list[Variant]:
    """Returns the variants: one's own first, then those on the smallest boards."""
    known = built_in_ids()
    return sorted(map(variant, variants), key=lambda one: (one.id in known, one.rules.size, one.name(lang)))


def _pages(
    plan: SitePlan, names: Mapping[str, str], variants: Iterable[str], writer: PageWriter
) -> dict[str, str]:
    """Returns a page on which these variants can be chosen, by its name in each language."""
    pages, games = {}, [*map(variant, variants)]
    for lang, name in names.items():
        pages[name] = writer.page(
            plain_request(plan, "open", lang),
            "open_game.html",
            heading=text("page.open.heading", lang) if len(games) > 1 else games[0].name(lang),
            others=[(code, f"/{other}") for code, other in names.items() if code != lang],
            idle=plan.idle,
            games=[{"rules": rules_page(one.id, lang), "drawing": board_tile(one.id)} for one in games],
            opened=[
                {
                    "facts": game_facts(one, lang),
                    "lessons": [lesson_facts(one, lesson, lang) for lesson in lessons(one.id)],
                }
                for one in games
            ],
            levels=range(1, LEVEL_COUNT + 1),
            usual_level=USUAL_LEVEL,
            sides=CHOICES["side"],
            keys=(*GAME_TEXTS, "lesson.wrong."),
        )
    return pages
