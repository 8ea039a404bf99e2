"""What axe finds on a page, in both themes."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

__all__ = ["violations"]


def violations(page: Page) -> list[str]:
    """Returns the theme, the rule and the first element of each violation."""
    found: list[str] = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        broken = Axe().run(page).response["violations"]
        found += [f"{theme}: {one['id']}: {one['nodes'][0]['html']}" for one in broken]
    return found
