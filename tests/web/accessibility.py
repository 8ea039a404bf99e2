"""What axe finds on a page, in both themes."""

from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# The themes differ in nothing but colours: only two rules that axe applies by itself are about them.
OPTIONS: dict[Literal["light", "dark"], dict[str, list[str]]] = {
    "light": {},
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"]},
}
# Axe parses the same few colours up to 20,000 times on a page, which is half of the time that it takes.
PARSE_ONCE = """() => {
    const colour = axe.commons.color.Color.prototype, parse = colour.parseString, known = new Map();
    colour.parseString = function (text) {
        if (known.has(text)) return Object.assign(this, known.get(text));
        const { r, g, b, alpha } = parse.call(this, text);
        known.set(text, { r, g, b, alpha });
        return this;
    };
}"""
# A text that fades in has no contrast yet. Axe would look at each shape of each drawing, of which a page has
# thousands; only parts with words or roles can have faults.
RUN = r"""async ([within, options]) => {
    const ends = (one) => one.playState === "running" && one.effect.getComputedTiming().endTime < Infinity;
    await Promise.allSettled(document.getAnimations().filter(ends).map(({ finished }) => finished));
    const drawings = (root) => [...root.querySelectorAll("*")].flatMap((one) =>
        [...(one.localName === "svg" ? [one] : []), ...(one.shadowRoot ? drawings(one.shadowRoot) : [])]);
    const isTold = ({ outerHTML }) => / (role|tabindex|aria-\w+)=|>[^<\s]/.test(outerHTML);
    const all = drawings(document);
    for (const one of all) {
        const value = [...one.children].filter(isTold);
        Object.defineProperty(one, "childNodes", { value, configurable: true });
    }
    const { violations } = await axe.run(within, { resultTypes: ["violations"], ...options });
    for (const one of all) delete one.childNodes;
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
}"""


def violations(page: Page, within: str = "html") -> list[str]:
    """Returns the theme, the rule and the first element of each violation on a page or in a part of it."""
    page.evaluate(Axe().axe_script)
    page.evaluate(PARSE_ONCE)
    found: list[str] = []
    for theme, options in OPTIONS.items():
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [f"{theme}: {one}" for one in page.evaluate(RUN, [within, options])]
    return found
