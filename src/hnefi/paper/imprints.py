"""The imprint of printed pages: who hands them out, with a logo, a legal line and the address of the game."""

import base64
import zlib
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from hnefi._core import Rules
from hnefi.paper.qr_codes import qr_svg
from hnefi.paper.subjects import Subject, checked_line
from hnefi.paper.typesetting import Document, PrintError, to_pdf
from hnefi.variants.model import LONGEST_NAME
from hnefi.variants.page_addresses import page_path

_LONGEST_TEXT = 200
_LARGEST_LOGO = 1_000_000
_PNG, _SVG_ROOT = b"\x89PNG\r\n\x1a\n", "{http://www.w3.org/2000/svg}svg"
_LOGO, _QR = "logo.svg", "qr.svg"
# The height of the foot of a page in mm on A4, with a QR code and without one, and the least.
_FOOT, _LOW_FOOT, _LEAST_FOOT, _A4_WIDTH = 24.0, 13.0, 20.0, 210.0


@dataclass(frozen=True, slots=True)
class Imprint:
    """Who hands out the pages: a shop, a maker of boards, a museum.

    Attributes:
        publisher: The name; empty for none.
        logo: The logo, as SVG or PNG of at most 1 MB; empty for none.
        text: A line with the address or what the law asks for; empty for none.
        url: The address of a site with the game's page, without the last slash: every sheet has the page's QR
            code; empty for none.
    """

    publisher: str = ""
    logo: bytes = b""
    text: str = ""
    url: str = ""

    def __bool__(self) -> bool:
        """Checks whether anything is named."""
        return any((self.publisher, self.logo, self.text, self.url))

    def foot(self, width: float, height: float) -> float:
        """Returns the height in mm that it takes at the foot of a page of this size; 0 for nothing."""
        scale = min(width, height) / _A4_WIDTH
        return max(_LEAST_FOOT, _FOOT * scale) if self.url else _LOW_FOOT * max(scale, 1) if self else 0.0


def logo_type(logo: bytes) -> str:
    """Returns the type of a logo, `svg` or `png`.

    Raises:
        PrintError: `bad_logo`, `logo_too_large`.
    """
    if len(logo) > _LARGEST_LOGO:
        raise PrintError("logo_too_large", f"logo: {len(logo)} bytes, at most {_LARGEST_LOGO}", {})
    if _is_png(logo):
        return "png"
    if not _is_svg(logo):
        raise PrintError("bad_logo", "logo: expected SVG or PNG", {})
    return "svg"


NO_IMPRINT = Imprint()
"""The imprint of pages that nobody claims."""


def issued(document: Document, imprint: Imprint, subject: Subject, foot: float = 0.0) -> Document:
    """Returns a document with an imprint in its data and pictures; unchanged if nothing is named.

    Args:
        foot: The height in mm that the imprint takes at the foot of each page.

    Raises:
        PrintError: `bad_logo`, `logo_too_large`, `text_too_long`.
    """
    if not imprint:
        return document
    address = ""
    if imprint.url and not isinstance(subject.game, Rules):
        address = f"{imprint.url}{page_path(subject.game, subject.lang)}"
    pictures = {_LOGO: _drawn(imprint.logo)} if imprint.logo else {}
    if address:
        pictures[_QR] = qr_svg(address)
    data: dict[str, Any] = {
        "publisher": checked_line(imprint.publisher, LONGEST_NAME),
        "text": checked_line(imprint.text, _LONGEST_TEXT),
        "logo": _LOGO if imprint.logo else "",
        "logo_alt": subject.text("paper.imprint.logo", name=imprint.publisher),
        "qr": _QR if address else "",
        "qr_alt": subject.text("paper.imprint.qr", address=address),
        "caption": subject.text("paper.imprint.caption"),
        "url": imprint.url.partition("//")[2],
        "foot": foot,
    }
    return replace(
        document,
        data={**document.data, "imprint": data},
        pictures={**document.pictures, **pictures},
    )


@lru_cache(maxsize=4)
def _drawn(logo: bytes) -> str | bytes:
    """Returns the logo as SVG, once the compiler has drawn it.

    Raises:
        PrintError: `bad_logo`, also for pictures that need other files or have no size; `logo_too_large`.
    """
    picture = _as_svg(logo)
    data = {"lang": "en", "title": "logo", "file": _LOGO, "alt": "logo", "width": 9, "height": 9}
    try:
        to_pdf(Document("diagram", data, {_LOGO: picture}))
    except RuntimeError as error:
        raise PrintError("bad_logo", f"logo: {error}", {}) from None
    return picture


def _as_svg(logo: bytes) -> str | bytes:
    """Returns the logo as SVG, around the pixels of a PNG picture: the compiler reads texts alone."""
    if logo_type(logo) == "svg":
        return logo
    width, height = (int.from_bytes(logo[at : at + 4]) for at in (16, 20))
    pixels = base64.b64encode(logo).decode()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        f'<image width="{width}" height="{height}" href="data:image/png;base64,{pixels}"/></svg>'
    )


def _is_svg(content: bytes) -> bool:
    """Checks whether this is an SVG picture: XML without declarations of entities."""
    from xml.etree import ElementTree as ET

    if b"<!ENTITY" in content:
        return False
    try:
        return ET.fromstring(content.decode("utf-8-sig")).tag == _SVG_ROOT
    except (ET.ParseError, ValueError, LookupError):
        return False


def _is_png(content: bytes) -> bool:
    """Checks whether this is a PNG picture: all its chunks, up to the end, with their checksums."""
    if not content.startswith(_PNG):
        return False
    at, name = len(_PNG), b""
    while at + 12 <= len(content) and name != b"IEND":
        length = int.from_bytes(content[at : at + 4])
        name, end = content[at + 4 : at + 8], at + 8 + length
        if zlib.crc32(content[at + 4 : end]).to_bytes(4) != content[end : end + 4]:
            return False
        at = end + 4
    return name == b"IEND"
