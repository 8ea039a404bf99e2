"""Options of who hands out printed pages or a site: a name, a logo, a legal line and an address."""

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from hnefi.cli.commands import gathered, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.files import read_file
from hnefi.cli.values import FilePath, Line
from hnefi.variants.model import LONGEST_NAME

if TYPE_CHECKING:
    from hnefi.paper.imprints import Imprint

_LARGEST_READ_MB = 16
_LONGEST_LEGAL = 200
_ADDRESS = "https://host.example/folder"
# The names and numbers of hosts, with a port; no user.
_HOST = re.compile(r"([\w.-]+|\[[0-9A-Fa-f:.]+\])(:\d+)?")


def _imprint(publisher: str | None, logo: str | None, legal: str | None, url: str | None) -> "Imprint":
    """Returns the imprint of these options."""
    from hnefi.paper.imprints import Imprint, logo_type

    content = read_file(logo, _LARGEST_READ_MB) if logo else b""
    if logo:
        logo_type(content)
    return Imprint(publisher or "", content, legal or "", site_address(url))


def site_address(given: str | None) -> str:
    """Returns the address of the folder of a site without the last slash; empty if none is given.

    Raises:
        CommandError: If it is not an address of a folder.
    """
    if given is None:
        return ""
    try:
        parts = urlsplit(given)
        _ = parts.port  # raises if it is not the number of a port
    except ValueError:
        parts = urlsplit("")
    if (
        parts.scheme not in ("http", "https")
        or not _HOST.fullmatch(parts.netloc)
        or parts.query
        or parts.fragment
    ):
        raise bad_usage("choice", name="--url (--address)", found=given, expected=_ADDRESS)
    return f"{parts.scheme}://{parts.netloc}{quote(parts.path, safe='/%')}".rstrip("/")


imprint_options = gathered(
    "imprint",
    _imprint,
    option("--publisher", type=Line(LONGEST_NAME), metavar="name_text"),
    option("--logo", type=FilePath()),
    option("--imprint", "legal", type=Line(_LONGEST_LEGAL), help="imprint"),
    option("--url", "--address", "url", metavar="url", help="imprint_url"),
)
