"""The encodings of responses that a client accepts."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request

_REFUSED = re.compile(r";\s*q=0(?:\.0*)?\s*$", re.IGNORECASE)


def accepted_encodings(request: "Request") -> set[str]:
    """Returns the encodings in `Accept-Encoding`, without those of quality 0, which are refused."""
    offered = request.headers.get("accept-encoding", "").split(",")
    return {one.partition(";")[0].strip().lower() for one in offered if not _REFUSED.search(one)}
