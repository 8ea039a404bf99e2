"""Page boxes of PDF: the finished page and its bleed, within the crop marks, as print shops read them."""

import re
from bisect import bisect

_MM = 72 / 25.4
_MEDIA = re.compile(rb"/MediaBox\[0 0 (\S+) (\S+)\]")
_OFFSET = re.compile(rb"\d{10}(?= 00000 n)|(?<=startxref\n)\d+")


def with_page_boxes(pdf: bytes, around: float, bleed: float) -> bytes:
    """Returns a PDF of the compiler whose pages, all of one size, have a TrimBox and a BleedBox.

    Args:
        around: How far the finished page is from each edge, in mm.
        bleed: How far the bleed extends beyond the finished page, in mm.
    """
    table = pdf.rindex(b"\nxref\n")
    found = [*_MEDIA.finditer(pdf, 0, table)]
    width, height = map(float, found[0].groups())

    def box(name: str, inset: float) -> str:
        edge = inset * _MM
        return f"/{name}[{edge:.4f} {edge:.4f} {width - edge:.4f} {height - edge:.4f}]"

    boxes = (box("TrimBox", around) + box("BleedBox", around - bleed)).encode()
    ends = [each.end() for each in found]

    def moved(offset: re.Match[bytes]) -> bytes:
        at = int(offset[0])
        return b"%0*d" % (len(offset[0]), at + len(boxes) * bisect(ends, at))

    return _MEDIA.sub(rb"\g<0>" + boxes, pdf[:table]) + _OFFSET.sub(moved, pdf[table:])
