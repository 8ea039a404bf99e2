"""Parts that many pages contain, written once: data and scripts as scripts, boards and pieces as drawings."""

import hashlib
import json
import re
from collections.abc import Iterator
from functools import partial

from hnefi.server.pages import drawings
from hnefi.server.site.addresses import with_relative_addresses

_DATA = re.compile(r'<script type="application/json" id="([a-z-]+)">([^<]*)</script>')
# The ids of data that is the same on many pages.
_SHARED = ("game-texts", "texts", "games", "game", "days", "lessons")
_SCRIPT = re.compile(r"<script((?: data-[^>]*)?)>(.*?)</script>", re.DOTALL)
# The board of a drawing, between the pieces that it may use and the first that is drawn.
_BOARD = re.compile(
    r'(<svg xmlns="http://www\.w3\.org/2000/svg" xmlns:xlink[^>]*>(?:(?!</svg>).)*?</defs>)'
    r"((?:(?!<ellipse|<use|</svg>).)*)",
    re.DOTALL,
)
# The shape of a piece in the definitions of a drawing, which its pieces refer to by this id.
_PIECE = re.compile(r'<g id="(hnefi-[0-9a-f]+-([a-z_]+))">((?:(?!</g>).)*</g>)</g>')
# The pieces for scripts.
_SYMBOLS = re.compile(r'<svg class="symbols"[^>]*><symbol.*?</svg>', re.DOTALL)
_GRADIENTS = re.compile(r'<svg class="symbols"[^>]*><linearGradient.*?</svg>', re.DOTALL)
_THEME = re.compile(r'<div class="theme" .*?</div>', re.DOTALL)
_TABS = re.compile(r'<nav class="page-tabs" .*?</nav>', re.DOTALL)
_LEAST = 1_000


class SharedData:
    """Moves parts of pages into files."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        """The files by path in the site."""

    def taken_from(self, html: str, file: str) -> str:
        """Returns the page of a file such that it loads its shared parts, with addresses as at a server."""
        html = _SCRIPT.sub(self._script, _DATA.sub(self._data, html))
        html = _PIECE.sub(self._piece, _BOARD.sub(self._board, html))
        for part in _for_scripts(html):
            html = part.sub(partial(self._inserted, file), html)
        return html

    def _data(self, found: re.Match[str]) -> str:
        name, content = found[1], found[2]
        if name not in _SHARED or len(content) < _LEAST:
            return found[0]
        return f'<script src="{self._file(name, "js", _inserting(name, content))}"></script>'

    def _script(self, found: re.Match[str]) -> str:
        attributes, content = found[1], found[2]
        if len(content) < _LEAST:
            return found[0]
        return f'<script{attributes} src="{self._file("page", "js", content)}"></script>'

    def _inserted(self, file: str, found: re.Match[str]) -> str:
        """Returns the script that inserts what nothing but scripts shows."""
        inserted = json.dumps(with_relative_addresses(found[0], file), ensure_ascii=False)
        script = f'document.currentScript.insertAdjacentHTML("afterend",{inserted})\n'
        return f'<script src="{self._file("part", "js", script)}"></script>'

    def _board(self, found: re.Match[str]) -> str:
        """Returns a drawing with a reference to its board, which has its colours from the page."""
        before, board = found[1], found[2]
        if len(board) < _LEAST:
            return found[0]
        return f'{before}<use href="{self._drawing("board", board)}"/>'

    def _piece(self, found: re.Match[str]) -> str:
        """Returns a definition that refers to the shape of a piece, which has its colours from the page."""
        name, piece, shape = found.groups()
        return f'<use id="{name}" href="{self._drawing(piece, shape)}"/>'

    def _drawing(self, name: str, shape: str) -> str:
        """Keeps a part of drawings as a file; returns its address at a server."""
        drawn = (
            f'<svg xmlns="http://www.w3.org/2000/svg">{drawings.gradients()}<g id="{name}">{shape}</g></svg>'
        )
        return f"{self._file(name, 'svg', drawn)}#{name}"

    def _file(self, name: str, kind: str, content: str) -> str:
        """Keeps a file; returns its address at a server."""
        path = f"static/{name}-{hashlib.sha256(content.encode()).hexdigest()[:12]}.{kind}"
        self.files[path] = content
        return f"/{path}"


def _for_scripts(html: str) -> Iterator[re.Pattern[str]]:
    """Iterates over the parts of a page that do nothing without scripts."""
    yield _THEME
    if 'href="#piece-' not in html:
        yield _SYMBOLS
    if "url(#board-" not in html:
        yield _GRADIENTS
    if 'id="puzzle"' in html:
        # Puzzles need scripts; without them, their header leads to the other places.
        yield _TABS


def _inserting(name: str, content: str) -> str:
    """Returns a script that inserts data after its own element: before the modules of the page run."""
    text = json.dumps(content, ensure_ascii=False)
    return (
        '{const e=document.createElement("script");e.type="application/json";'
        f"e.id={json.dumps(name)};e.textContent={text};document.currentScript.after(e)}}\n"
    )
