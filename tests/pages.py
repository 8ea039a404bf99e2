"""Helpers of browser tests: the built files, a page with a board, Chromium."""

import json
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import programs
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from hnefi import variant
from tests.static_sites import file_server
from tests.timeouts import timeout_ms

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "src" / "hnefi" / "server" / "static"
MANIFEST = json.loads((STATIC / "manifest.json").read_text(encoding="utf-8"))
# As the server's, but for the bundled styles: nothing that the board does may need more.
POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'"

PAGE = """<!doctype html>
<html lang="{lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Board</title><link rel="stylesheet" href="/page.css">
<script type="module" src="/static/{board}"></script></head>
<body><main><h1>Board</h1><div class="place">{element}</div></main></body>
</html>
"""
STYLE = """
:root { color-scheme: light dark; background: light-dark(#eef1ef, #0c1417); }
body { margin: 0; font: 16px/24px system-ui; color: light-dark(#16201f, #e9eeea); }
h1 { margin: 0; padding: 8px 16px; font-size: 19px; line-height: 28px; }
.place { width: min(100vw, calc(100vh - 44px)); margin: 0 auto; }
"""


class _Handler(SimpleHTTPRequestHandler):
    """Serves the built files under /static, rules under /rules, and a page with the requested element."""

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if path.startswith("/static/"):
            self.path = path.removeprefix("/static")
            super().do_GET()
        elif path.startswith("/rules/"):
            name = path.removeprefix("/rules/").removesuffix(".json")
            self.answer("application/json", variant(name).rules.to_json())
        elif path == "/page.css":
            self.answer("text/css", STYLE)
        elif path == "/":
            self.answer("text/html; charset=utf-8", page_with(query))
        else:
            self.send_error(404)

    def answer(self, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Prints nothing: the tests print what fails."""


def page_with(query: str) -> str:
    """Returns the page whose board has the attributes of a query; `lang` is the page's own."""
    from html import escape
    from urllib.parse import parse_qsl

    attributes = dict(parse_qsl(query, keep_blank_values=True))
    lang = attributes.pop("lang", "en")
    written = " ".join(f'{name}="{escape(value)}"' for name, value in attributes.items())
    element = f"<tafl-board {written}></tafl-board>"
    return PAGE.format(lang=lang, board=MANIFEST["files"]["board.js"], element=element)


def served() -> AbstractContextManager[str]:
    """Serves the pages on this machine; gives their address."""
    return file_server(STATIC, _Handler)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Starts Chromium."""
    program = programs.find_browser()
    assert program is not None, "there is no Chromium: make setup installs it"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=str(program), args=list(programs.BROWSER_ARGUMENTS)
        )
        try:
            yield started
        finally:
            started.close()


def context_of(browser: Browser, **settings: Any) -> BrowserContext:
    """Creates a browser context with the long timeout of tests; nothing is kept for use offline."""
    context = browser.new_context(**{"service_workers": "block", **settings})
    expect.set_options(timeout=timeout_ms())
    context.set_default_timeout(timeout_ms())
    return context


def open_board(page: Page, address: str, query: str = "src=/rules/brandub-globe.json") -> None:
    """Opens a page with one board and waits until it can be played on."""
    page.goto(f"{address}/?{query}")
    # The policy forbids what waiting for an expression needs. Pieces that can be taken up show it too.
    expect(page.locator("tafl-board .cell.mine").first).to_be_attached()
    expect(page.locator("tafl-board [role=grid]")).to_have_attribute("aria-label", re.compile("7|9"))


class Contexts:
    """Browser contexts that are cleaned and used again.

    A page in a new context takes 0.78 s of processor time, most of it for a new process of the browser; one
    in a context that was used before takes 0.27 s. Besides, its process stays: an empty page is open all the
    time.
    """

    MOST_KEPT = 6

    def __init__(self, browser: Browser, path: str = "/api/health") -> None:
        """Creates none yet; `path` is that of the page that stays open."""
        self._browser, self._path = browser, path
        self._free: list[tuple[str, BrowserContext]] = []
        self._settings: dict[BrowserContext, str] = {}

    def take(self, **settings: Any) -> BrowserContext:
        """Returns a clean context with these settings."""
        key = json.dumps(settings, sort_keys=True)
        for free in self._free:
            if free[0] == key:
                self._free.remove(free)
                return free[1]
        context = context_of(self._browser, **settings)
        if settings.get("service_workers") != "allow":
            context.new_page().goto(self._path)
            self._settings[context] = key
            context.on("close", self._forget)
        return context

    def give_back(self, context: BrowserContext) -> None:
        """Closes the pages of a context and forgets what they stored; closes one that cannot be cleaned."""
        key = self._settings.get(context)
        if key is None:
            context.close()
            return
        first, *others = context.pages
        # A clock that was set stays set.
        has_clock = any(page.evaluate("'__pwClock' in globalThis") for page in others)
        context.set_offline(False)
        for page in others:
            page.close()
        if has_clock:
            context.close()
            return
        context.unroute_all()
        context.clear_cookies()
        context.clear_permissions()
        session = context.new_cdp_session(first)
        origin = {"origin": first.evaluate("location.origin"), "storageTypes": "all"}
        session.send("Storage.clearDataForOrigin", origin)
        session.detach()
        self._free.append((key, context))
        if len(self._free) > self.MOST_KEPT:
            self._free.pop(0)[1].close()

    def _forget(self, context: BrowserContext) -> None:
        self._settings.pop(context, None)

    def close(self) -> None:
        """Closes what is free."""
        for _, context in self._free:
            context.close()
