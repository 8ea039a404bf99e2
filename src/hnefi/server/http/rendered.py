"""Rendered bodies of responses: compressed once, identified by an ETag."""

import gzip
import hashlib
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from hnefi.server.encodings import accepted_encodings

if TYPE_CHECKING:
    from pydantic import BaseModel
    from starlette.requests import Request
    from starlette.responses import Response

_GZIP_LEVEL = 6
_REVALIDATED = "public, no-cache"


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page as it is sent."""

    body: bytes
    is_gzipped: bool
    media_type: str
    status: int
    etag: str

    def plain(self) -> bytes:
        """Returns the body for clients that do not accept gzip."""
        return gzip.decompress(self.body) if self.is_gzipped else self.body


def rendered(content: bytes, media_type: str, status: int = HTTPStatus.OK) -> RenderedPage:
    """Compresses a body, unless it is a picture."""
    is_gzipped = not media_type.startswith("image/")
    body = gzip.compress(content, _GZIP_LEVEL, mtime=0) if is_gzipped else content
    etag = f'W/"{hashlib.sha256(content).hexdigest()[:32]}"'
    return RenderedPage(body, is_gzipped, media_type, status, etag)


def is_known(request: "Request", etag: str) -> bool:
    """Checks whether the client has the content with this ETag already."""
    known = request.headers.get("if-none-match", "")
    return known.strip() == "*" or etag in [one.strip() for one in known.split(",")]


def private_json(request: "Request", message: "BaseModel") -> "Response":
    """Returns a message as JSON that is for one client; without its body if the client has it."""
    from starlette.responses import Response

    text = message.model_dump_json()
    etag = f'W/"{hashlib.sha256(text.encode()).hexdigest()[:24]}"'
    headers = {"ETag": etag, "Cache-Control": "private, no-cache", "Vary": "Cookie, Authorization"}
    if is_known(request, etag):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(text, headers=headers, media_type="application/json")


def response_of(request: "Request", page: RenderedPage) -> "Response":
    """Returns a page as the client accepts it; without its body if the client has it."""
    from starlette.responses import Response

    headers = {"Cache-Control": _REVALIDATED, "ETag": page.etag, "Vary": "Accept-Encoding"}
    if page.status != HTTPStatus.OK:
        return Response(page.plain(), page.status, {"Cache-Control": "no-store"}, page.media_type)
    if is_known(request, page.etag):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    if page.is_gzipped and "gzip" in accepted_encodings(request):
        headers["Content-Encoding"] = "gzip"
        return Response(page.body, headers=headers, media_type=page.media_type)
    return Response(page.plain(), headers=headers, media_type=page.media_type)
