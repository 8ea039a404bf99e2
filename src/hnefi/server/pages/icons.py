"""Icons of the application, as SVG and PNG: a square on its point and a golden disc, on blue cloth."""

import struct
import zlib
from functools import cache

SIZES = (180, 192, 512)
# --cloth, --on-cloth and --weld of web/src/styles/tokens.css, by day.
_GROUND, _MARK, _GOLD = (0x15, 0x3F, 0x57), (0xF7, 0xF1, 0xE3), (0xE9, 0xBC, 0x4A)
# Fractions of the width. The mark fits into the circle to which phones crop icons.
_OUTER, _INNER, _DISC = 0.39, 0.3, 0.135


def icon_svg() -> str:
    """Returns the icon as SVG."""
    line = 100 * (_OUTER - _INNER)
    low, high = 50 - 100 * _OUTER + line / 2, 50 + 100 * _OUTER - line / 2
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f'<rect width="100" height="100" fill="{_hex(_GROUND)}"/>'
        f'<path d="M50 {low:g}L{high:g} 50 50 {high:g} {low:g} 50Z" fill="none" '
        f'stroke="{_hex(_MARK)}" stroke-width="{line * 0.7071:.3g}"/>'
        f'<circle cx="50" cy="50" r="{100 * _DISC:g}" fill="{_hex(_GOLD)}"/></svg>'
    )


@cache
def icon_png(size: int) -> bytes:
    """Renders the icon as PNG.

    >>> icon_png(180)[:8]
    b'\\x89PNG\\r\\n\\x1a\\n'
    """
    rows = b"".join(b"\x00" + bytes(_row(y, size)) for y in range(size))
    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", head),
            _chunk(b"IDAT", zlib.compress(rows, 9)),
            _chunk(b"IEND", b""),
        ]
    )


def _row(y: int, size: int) -> bytearray:
    middle = (size - 1) / 2
    up = abs(y - middle)
    row = bytearray()
    for x in range(size):
        across = abs(x - middle)
        diamond = across + up
        inked = min(_covers(_OUTER * size - diamond), _covers(diamond - _INNER * size))
        gilt = _covers(_DISC * size - (across * across + up * up) ** 0.5)
        row += bytes(
            round(ground + (mark - ground) * inked + (gold - ground) * gilt)
            for ground, mark, gold in zip(_GROUND, _MARK, _GOLD, strict=True)
        )
    return row


def _covers(inside: float) -> float:
    """Returns the coverage of a pixel, from its distance inside an edge."""
    return min(1.0, max(0.0, inside + 0.5))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _hex(colour: tuple[int, int, int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)
