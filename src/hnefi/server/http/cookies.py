"""The cookies of this server in a request, read in linear time."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Scope

HOST_ONLY = "__Host-"
"""The prefix of cookies that browsers send only to the host that set them, over TLS."""

_HEADER = b"cookie"
_READ = "hnefi.cookies"
# Other applications on the same host set cookies, too: a long header is read as none, and refused to nobody.
_MOST_BYTES = 8 * 1024
# Every match begins at the start or at a semicolon and ends before the next one: nothing is read twice.
_OWN = re.compile(rb'(?:^|;)[ \t]*((?:__Host-)?hnefi[a-z_-]*)=("?)([A-Za-z0-9_-]*)\2[ \t]*(?=;|$)')


def cookies_of(scope: "Scope") -> dict[str, str]:
    """Returns the cookies whose names begin as ours; none if all cookies together are longer than 8 KiB.

    They are read once a request.
    """
    found: dict[str, str] | None = scope.get(_READ)
    if found is None:
        sent = b";".join(value for name, value in scope["headers"] if name == _HEADER)
        pairs = _OWN.findall(sent) if len(sent) <= _MOST_BYTES else ()
        found = scope[_READ] = {name.decode(): value.decode() for name, _, value in pairs}
    return found


def take_cookies(scope: "Scope") -> None:
    """Reads our cookies, and takes the headers of all cookies from the request.

    FastAPI parses all cookies for each of its routes, with `http.cookies`. In Python before 3.11.10 and
    3.12.6, that takes seconds for 30 KiB of backslashes (CVE-2024-7592).
    """
    cookies_of(scope)
    scope["headers"] = [header for header in scope["headers"] if header[0] != _HEADER]
