"""Pages that work when they are opened from a folder, without any host: a board for two, and the rules.

Browsers refuse modules and WebAssembly files there. The script of the board alone is one classic script with
the compiled rules in it.
"""

import base64

from hnefi.i18n import text
from hnefi.server.game_facts import heading_of
from hnefi.server.pages.rendering import PageWriter
from hnefi.server.pages.rules.content import rules_page
from hnefi.server.site.plan import SitePlan, plain_request
from hnefi.variants.finding import variant

_TEXTS = ("outcome.", "web.analysis.to_move.")


def double_click_files(plan: SitePlan, writer: PageWriter) -> dict[str, str]:
    """Returns the pages by file, with addresses as at a server."""
    request = plain_request(plan, "open", plan.languages[0])
    parts = [_part(plan, lang) for lang in plan.languages]
    files = {"open-me.html": writer.page(request, "open_me.html", parts=parts)}
    for lang in plan.languages:
        for variant_id in plan.variants:
            files[_file(lang, variant_id)] = _game(plan, lang, variant_id, writer)
    return files


def _file(lang: str, variant_id: str) -> str:
    return f"open-me/{lang}/{variant_id}.html"


def _part(plan: SitePlan, lang: str) -> dict[str, object]:
    """Returns the part of the start page in a language."""
    chosen = sorted(map(variant, plan.variants), key=lambda one: (one.rules.size, one.name(lang)))
    names = ("heading", "lead", "more", "how", "then")
    return {
        "lang": lang,
        "games": [(f"/{_file(lang, one.id)}", *heading_of(one, lang)) for one in chosen],
        **{name: text(f"page.open.{name}", lang) for name in names},
    }


def _game(plan: SitePlan, lang: str, variant_id: str, writer: PageWriter) -> str:
    tree = base64.b64encode(variant(variant_id).rules.to_json().encode()).decode()
    request = plain_request(plan, "open", lang)
    return writer.page(
        request,
        "open_game.html",
        rules=rules_page(variant_id, lang),
        source=f"data:application/json;base64,{tree}",
        others=[(code, f"/{_file(code, variant_id)}") for code in plan.languages if code != lang],
        keys=_TEXTS,
    )
