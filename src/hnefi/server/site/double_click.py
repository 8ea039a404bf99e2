"""Pages that work when they are opened from a folder, without any host: games, lessons and rules.

Browsers refuse modules and files of WebAssembly there. All of these pages load one classic script, in which
rules and engine are. A kiosk is such a page with a few games.
"""

from collections.abc import Sequence

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

_TEXTS = (*GAME_TEXTS, "lesson.wrong.")


def double_click_files(plan: SitePlan, writer: PageWriter) -> dict[str, str]:
    """Returns the pages by file, with addresses as at a server."""
    request = plain_request(plan, "open", plan.languages[0])
    parts = [_part(plan, lang) for lang in plan.languages]
    files = {"open-me.html": writer.page(request, "open_me.html", parts=parts)}
    for lang in plan.languages:
        for one in _sorted(plan, lang):
            others = [(code, f"/{_file(code, one.id)}") for code in plan.languages if code != lang]
            page = _page(plan, lang, [one], writer, heading=one.name(lang), others=others)
            files[_file(lang, one.id)] = page
    return files


def kiosk_files(plan: SitePlan, writer: PageWriter) -> dict[str, str]:
    """Returns the pages of a kiosk by file, one for each language, with addresses as at a server."""
    first, *others = plan.languages
    names = {first: "index.html", **{lang: f"{lang}.html" for lang in others}}
    return {
        name: _page(
            plan,
            lang,
            _sorted(plan, lang),
            writer,
            heading=text("page.open.heading", lang),
            others=[(code, f"/{other}") for code, other in names.items() if code != lang],
        )
        for lang, name in names.items()
    }


def _file(lang: str, variant_id: str) -> str:
    return f"open-me/{lang}/{variant_id}.html"


def _sorted(plan: SitePlan, lang: str) -> list[Variant]:
    """Returns the variants: one's own first, then those on the smallest boards."""
    known = built_in_ids()
    games = map(variant, plan.variants)
    return sorted(games, key=lambda one: (one.id in known, one.rules.size, one.name(lang)))


def _part(plan: SitePlan, lang: str) -> dict[str, object]:
    """Returns the part of the start page in a language."""
    names = ("heading", "lead", "more", "how")
    return {
        "lang": lang,
        "games": [(f"/{_file(lang, one.id)}", *heading_of(one, lang)) for one in _sorted(plan, lang)],
        **{name: text(f"page.open.{name}", lang) for name in names},
    }


def _page(
    plan: SitePlan,
    lang: str,
    games: Sequence[Variant],
    writer: PageWriter,
    *,
    heading: str,
    others: Sequence[tuple[str, str]],
) -> str:
    """Returns a page on which these games can be chosen."""
    return writer.page(
        plain_request(plan, "open", lang),
        "open_game.html",
        heading=heading,
        others=others,
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
        keys=_TEXTS,
    )
