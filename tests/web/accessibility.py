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
# Texts have the same contrast if their elements have the same names, classes and colours up to the root.
EACH_KIND_ONCE = """() => {
    const rule = axe._audit.rules.find(({ id }) => id === "color-contrast"), { matches } = rule;
    const drawn = ["color", "backgroundColor", "backgroundImage", "fontSize", "fontWeight", "opacity"];
    let kinds, kindOf, checked;
    window.forgetKinds = () => [kinds, kindOf, checked] = [new Map(), new Map(), new Set()];
    const kind = (one) => {
        if (!(one instanceof Element)) return one?.host ? kind(one.host) : 0;
        if (!kindOf.has(one)) {
            const style = getComputedStyle(one), look = drawn.map((name) => style[name]);
            const key = [kind(one.parentNode), one.localName, one.getAttribute("class"), ...look].join();
            kindOf.set(one, kinds.get(key) ?? kinds.set(key, kinds.size + 1).size);
        }
        return kindOf.get(one);
    };
    rule.matches = function (node, ...more) {
        const own = kind(node.actualNode ?? node);
        return !checked.has(own) && matches.call(this, node, ...more) && Boolean(checked.add(own));
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
    const { FILTER_ACCEPT, FILTER_REJECT } = NodeFilter;
    const filter = (one) => {
        const taken = one.parentNode?.childNodes;
        return Array.isArray(taken) && !taken.includes(one) ? FILTER_REJECT : FILTER_ACCEPT;
    };
    document.createTreeWalker = (root, what) =>
        Document.prototype.createTreeWalker.call(document, root, what, filter);
    forgetKinds();
    const { violations } = await axe.run(within, { resultTypes: ["violations"], ...options });
    for (const one of all) delete one.childNodes;
    delete document.createTreeWalker;
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
}"""


def violations(page: Page, within: str = "html") -> list[str]:
    """Returns the theme, the rule and the first element of each violation on a page or in a part of it."""
    page.evaluate(Axe().axe_script)
    page.evaluate(PARSE_ONCE)
    page.evaluate(EACH_KIND_ONCE)
    found: list[str] = []
    for theme, options in OPTIONS.items():
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [f"{theme}: {one}" for one in page.evaluate(RUN, [within, options])]
    return found
