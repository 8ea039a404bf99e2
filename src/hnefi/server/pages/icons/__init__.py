"""The icon of the application, as SVG and PNG: a square on its point and a golden disc, on blue cloth.

The mark fits into the circle to which phones crop icons.
"""

from pathlib import Path

SIZES = (180, 192, 512)
NAMES = ("icon.svg", *(f"icon-{size}.png" for size in SIZES))


def icon(name: str) -> bytes:
    """Returns the icon in one of the forms of `NAMES`.

    >>> icon("icon-180.png")[:4]
    b'\\x89PNG'
    """
    return Path(__file__).with_name(name).read_bytes()
