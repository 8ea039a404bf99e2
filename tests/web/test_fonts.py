"""The two font families: loaded on pages, more letters on demand, digits of one width in clocks."""

from functools import partial

from playwright.sync_api import Page

from hnefi.server.assets import Assets
from tests.timeouts import wait_until
from tests.web.conftest import Visitors

OTHER_LETTERS = "ǫŠ"
LOADED = "Array.from(document.fonts).filter((one) => one.status === 'loaded').map((one) => one.family)"
WIDTHS = """([family, letters]) => {
    const probe = document.body.appendChild(document.createElement("span"));
    probe.style.cssText = `font: 700 100px ${family}; font-variant-numeric: tabular-nums; white-space: pre`;
    return [...letters].map((letter) => {
        probe.textContent = letter.repeat(10);
        return Math.round(probe.getBoundingClientRect().width);
    });
}"""


def requested_fonts(visit: Visitors, address: str) -> tuple[Page, set[str]]:
    page = visit("/en/key")
    paths: set[str] = set()
    page.on("request", lambda request: paths.add(request.url.rpartition("/")[2]))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return page, {path for path in paths if path.endswith(".woff2")}


def test_a_page_loads_the_letters_of_its_language_only_and_digits_have_one_width(visit: Visitors) -> None:
    page, fonts = requested_fonts(visit, "/fr/rules/tablut-kouvia")
    names = {Assets.load_names().url(name).rpartition("/")[2] for name in ("cut.woff2", "text.woff2")}
    assert fonts == names
    assert {"Hnefi Cut", "Hnefi Text"} <= set(page.evaluate(LOADED))
    # The digits of clocks have one width.
    for family in ("Hnefi Cut", "Hnefi Text"):
        assert len(set(page.evaluate(WIDTHS, [f"'{family}'", "0123456789"]))) == 1
    # Letters of other languages are loaded on demand.
    for family in ("Hnefi Cut", "Hnefi Text"):
        with page.expect_response("**/*-ext-*.woff2"):
            page.evaluate(
                "([family, text]) => document.fonts.load(`700 20px '${family}'`, text)",
                [family, OTHER_LETTERS],
            )
        is_loaded = f"document.fonts.check(\"700 20px '{family}'\", {OTHER_LETTERS!r})"
        wait_until(partial(page.evaluate, is_loaded), "the font is loaded")
