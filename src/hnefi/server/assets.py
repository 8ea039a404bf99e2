"""Static files: style sheets, scripts and pictures, served under hashed names and cached forever.

The build writes them to `static/` with a manifest (`tools/build_web.py`).
"""

import gzip
import json
import mimetypes
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hnefi.server.encodings import accepted_encodings
from hnefi.server.once import Once

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

# Worker processes need only the names of the files, and import no web framework.
_BUILT = Path(__file__).parent / "static"
_MANIFEST = _BUILT / "manifest.json"
_BROTLI = ".br"
"""The suffix of the compressed form of a file, made when the pages are built."""
_CACHE_FOREVER = "public, max-age=31536000, immutable"
MEDIA_TYPES = {
    ".book": "application/json",
    ".network": "text/plain",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""The types that many systems do not know, by the suffix of a file."""

# The end of the hashed name of a file, as pages, scripts and styles have it.
_HASH = re.compile(r"-[0-9A-Z]{8}\.(?:js|css|book|network|wasm|woff2)")
_COMPRESSIBLE = ("text/", "application/json", "application/manifest+json", "application/wasm", "image/svg")


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    media_type: str
    brotli: bytes | None
    gzip: Once[bytes] | None

    async def encoded(self, accepted: Collection[str]) -> tuple[str, bytes] | None:
        """Returns an encoding that a client accepts and the content in it; None if that is not smaller."""
        if self.brotli is not None and "br" in accepted and len(self.brotli) < len(self.content):
            return "br", self.brotli
        if self.gzip is not None and "gzip" in accepted:
            body = await self.gzip.value()
            return ("gzip", body) if len(body) < len(self.content) else None
        return None


class Assets:
    """An ASGI application that serves the static files. A name that no file has raises `KeyError`."""

    def __init__(
        self,
        names: Mapping[str, str],
        files: Mapping[str, bytes],
        imports: Mapping[str, Sequence[str]],
    ) -> None:
        self._names, self._imports = names, imports
        self._files = {
            name: _file(name, content, files.get(name + _BROTLI))
            for name, content in files.items()
            if not name.endswith(_BROTLI)
        }
        self._by_hash: dict[str, list[str]] = {}
        for name in self._files:
            self._by_hash.setdefault(name[name.rfind("-") :], []).append(name)

    @classmethod
    def load(cls) -> "Assets":
        """Loads the built files; raises as `load_names`."""
        known = cls.load_names()
        files = {path.name: path.read_bytes() for path in _BUILT.iterdir() if path != _MANIFEST}
        return cls(known._names, files, known._imports)

    @classmethod
    def load_names(cls) -> "Assets":
        """Loads only the names, for a process that serves no files.

        Raises:
            FileNotFoundError: If they have not been built.
        """
        if not _MANIFEST.exists():
            raise FileNotFoundError(
                f"{_MANIFEST}: not found, expected the built pages; they are made when Hnefi is built: "
                "run `make`, or `python tools/build_web.py`"
            )
        manifest = json.loads(_MANIFEST.read_text(encoding="utf-8"))
        return cls(manifest["files"], {}, manifest["imports"])

    def url(self, name: str) -> str:
        """Returns the URL of a file by its plain name, such as `site.css`."""
        return f"/static/{self._names[name]}"

    def module_urls(self, name: str) -> tuple[str, ...]:
        """Returns the URLs of a script by its plain name, and of the scripts that it imports."""
        return (self.url(name), *(f"/static/{one}" for one in self._imports.get(name, ())))

    def content(self, name: str) -> bytes:
        """Returns the content of a file by its plain name."""
        return self._files[self._names[name]].content

    def file(self, name: str) -> bytes:
        """Returns the content of a file by its hashed name."""
        return self._files[name].content

    def named_in(self, text: str) -> set[str]:
        """Returns the hashed names of the files that a page, a script or a style names."""
        ends = ((found[0], found.end()) for found in _HASH.finditer(text))
        return {
            name
            for hashed, end in ends
            for name in self._by_hash.get(hashed, ())
            if text.endswith(name, 0, end)
        }

    def needed_by(self, name: str) -> set[str]:
        """Returns the hashed names of the files that a script or a style loads, by its hashed name."""
        if not name.endswith((".js", ".css")):
            return set()
        return self.named_in(self.file(name).decode()) - {name}

    def all_urls(self) -> tuple[str, ...]:
        """Returns the URLs of all files, sorted."""
        return tuple(sorted(f"/static/{name}" for name in self._files))

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serves a file."""
        from starlette.requests import Request

        answer = await self._answer(Request(scope))
        await answer(scope, receive, send)

    async def _answer(self, request: "Request") -> "Response":
        from starlette.responses import PlainTextResponse, Response

        if request.method not in ("GET", "HEAD"):
            return PlainTextResponse("method not allowed", 405, {"Allow": "GET, HEAD"})
        root = request.scope.get("root_path", "")
        found = self._files.get(request.url.path.removeprefix(f"{root}/"))
        if found is None:
            return PlainTextResponse("not found", 404)
        headers = {"Cache-Control": _CACHE_FOREVER, "Vary": "Accept-Encoding"}
        if (encoded := await found.encoded(accepted_encodings(request))) is not None:
            headers["Content-Encoding"], body = encoded
            return Response(body, headers=headers, media_type=found.media_type)
        return Response(found.content, headers=headers, media_type=found.media_type)


def _file(name: str, content: bytes, brotli: bytes | None) -> _File:
    media_type = (
        MEDIA_TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    )
    is_compressible = media_type.startswith(_COMPRESSIBLE)
    compressed = Once(partial(gzip.compress, content, 9, mtime=0)) if is_compressible else None
    return _File(content, media_type, brotli, compressed)
