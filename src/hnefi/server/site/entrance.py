"""The entrance of a site, which chooses the language, and the page that hosts show for missing ones."""

from hnefi.i18n import text
from hnefi.server.pages.rendering import PageWriter
from hnefi.server.site.plan import SitePlan, plain_request


def entrance_files(plan: SitePlan, writer: PageWriter) -> dict[str, str]:
    """Returns the pages by file, with addresses as at a server."""
    first = plan.languages[0]
    missing = [
        {
            "lang": lang,
            "heading": text("page.missing", lang),
            "text": text("page.missing.text", lang),
            "link": text("page.to_start", lang),
        }
        for lang in plan.languages
    ]
    request = plain_request(plan, "entrance", first)
    base = f"{plan.address}/" if plan.address else ""
    return {
        "index.html": writer.page(request, "site_index.html", languages=plan.languages),
        "404.html": writer.page(
            request, "site_missing.html", languages=plan.languages, parts=missing, base=base
        ),
    }
