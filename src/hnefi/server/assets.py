"""Static files: style sheets, scripts and pictures, served under hashed names and cached forever.

The build writes them to `static/` with a manifest (`tools/build_web.py`).
"""

import gzip
import json
import mimetypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

__all__ = ["Assets"]

_BUILT = Path(__file__).parent / "static"
_MANIFEST = _BUILT / "manifest.json"
_CACHE_FOREVER = "public, max-age=31536000, immutable"
_TYPES = {
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_COMPRESSIBLE = ("text/", "application/json", "application/manifest+json", "application/wasm", "image/svg")


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    gzipped: bytes | None
    media_type: str


class Assets:
    """An ASGI application that serves the static files."""

    def __init__(
        self,
        names: Mapping[str, str],
        files: Mapping[str, bytes],
        imports: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._names = dict(names)
        self._imports = dict(imports or {})
        self._files = {name: _file(name, content) for name, content in files.items()}

    @classmethod
    def load(cls) -> "Assets":
        """Loads the built files.

        Raises:
            FileNotFoundError: If they have not been built.
        """
        known = cls.names()
        files = {path.name: path.read_bytes() for path in _BUILT.iterdir() if path != _MANIFEST}
        return cls(known._names, files, known._imports)

    @classmethod
    def names(cls) -> "Assets":
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
        """Returns the URL of a file by its plain name, such as `site.css`.

        Raises:
            KeyError: If there is no such file.
        """
        return f"/static/{self._names[name]}"

    def module_urls(self, name: str) -> tuple[str, ...]:
        """Returns the URLs of a script by its plain name, and of the scripts that it imports.

        Raises:
            KeyError: If there is no such file.
        """
        return (self.url(name), *(f"/static/{one}" for one in self._imports.get(name, ())))

    def content(self, name: str) -> bytes:
        """Returns the content of a file by its plain name.

        Raises:
            KeyError: If there is no such file.
        """
        return self._files[self._names[name]].content

    def file(self, name: str) -> bytes:
        """Returns the content of a file by its hashed name.

        Raises:
            KeyError: If there is no such file.
        """
        return self._files[name].content

    def all_urls(self) -> tuple[str, ...]:
        """Returns the URLs of all files, sorted."""
        return tuple(sorted(f"/static/{name}" for name in self._files))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a file."""
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return PlainTextResponse("method not allowed", 405, {"Allow": "GET, HEAD"})
        root = request.scope.get("root_path", "")
        found = self._files.get(request.url.path.removeprefix(f"{root}/"))
        if found is None:
            return PlainTextResponse("not found", 404)
        headers = {"Cache-Control": _CACHE_FOREVER, "Vary": "Accept-Encoding"}
        if found.gzipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(found.gzipped, headers=headers, media_type=found.media_type)
        return Response(found.content, headers=headers, media_type=found.media_type)


def _file(name: str, content: bytes) -> _File:
    media_type = _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    gzipped = gzip.compress(content, 9, mtime=0) if media_type.startswith(_COMPRESSIBLE) else None
    if gzipped is not None and len(gzipped) >= len(content):
        gzipped = None
    return _File(content, gzipped, media_type)
