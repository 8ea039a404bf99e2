"""Data that many pages contain, written once: a script file puts the JSON where the page had it."""

import hashlib
import json
import re

_DATA = re.compile(r'<script type="application/json" id="([a-z]+)">(.*?)</script>', re.DOTALL)
# The ids of data that is the same on many pages.
_SHARED = ("texts", "games", "game", "days")
_LEAST = 1_000


class SharedData:
    """Moves data of pages into files."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        """The files by path in the site."""

    def taken_from(self, html: str) -> str:
        """Returns a page that loads its shared data from files, with addresses as at a server."""
        return _DATA.sub(self._replaced, html)

    def _replaced(self, found: re.Match[str]) -> str:
        name, content = found[1], found[2]
        if name not in _SHARED or len(content) < _LEAST:
            return found[0]
        digest = hashlib.sha256(content.encode()).hexdigest()[:12]
        path = f"static/{name}-{digest}.js"
        self.files[path] = _script(name, content)
        return f'<script src="/{path}"></script>'


def _script(name: str, content: str) -> str:
    """Returns a script that inserts data after its own element: before the modules of the page run."""
    text = json.dumps(content, ensure_ascii=False)
    return (
        '{const e=document.createElement("script");e.type="application/json";'
        f"e.id={json.dumps(name)};e.textContent={text};document.currentScript.after(e)}}\n"
    )
