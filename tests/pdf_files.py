"""Measures PDF files: sizes of pages, texts, fonts, tags, and lines in mm."""

import re
from functools import lru_cache
from io import BytesIO
from typing import Any

import pypdfium2
from pypdf import PdfReader

MM = 72 / 25.4

_PX_PER_MM = 20
_DARK = 128


def pages_of(pdf: bytes) -> PdfReader:
    return PdfReader(BytesIO(pdf))


def sizes(reader: PdfReader) -> set[tuple[int, int]]:
    """Returns the sizes of the pages in whole mm."""
    return {(round(page.mediabox.width / MM), round(page.mediabox.height / MM)) for page in reader.pages}


def texts_of(pdf: bytes) -> list[str]:
    """Returns the text of each page; PDFium takes a twentieth of the time of pypdf."""
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf)]


def text_of(pdf: bytes) -> str:
    """Returns the text of all pages without spaces, hyphens and page numbers."""
    lines = "\n".join(texts_of(pdf)).splitlines()
    return plain("\n".join(line for line in lines if not line.strip().isdecimal()))


def plain(text: str) -> str:
    """Returns a text without spaces and hyphens, seen or unseen."""
    return re.sub(r"[\s\u00ad\u0002\u200b\ufffe‐-]", "", text)


def root_of(reader: PdfReader) -> Any:
    return reader.trailer["/Root"]


def fonts_of(reader: PdfReader) -> dict[str, Any]:
    """Returns the descriptors of all fonts by name."""
    resources: list[Any] = [page["/Resources"] for page in reader.pages]
    fonts = [font.get_object() for one in resources for font in one.get("/Font", {}).values()]
    inner = [font["/DescendantFonts"][0].get_object() for font in fonts]
    return {str(font["/BaseFont"]): font["/FontDescriptor"].get_object() for font in inner}


def figures_of(pdf: bytes) -> list[str]:
    """Returns the alternative texts of the pictures."""
    return [alt for tag, alt in tags_of(pages_of(pdf)) if tag == "/Figure"]


def tags_of(reader: PdfReader) -> list[tuple[str, str]]:
    """Returns the tags and alternative texts of the structure tree in reading order."""
    found = []
    waiting: list[Any] = [root_of(reader)["/StructTreeRoot"]["/K"]]
    while waiting:
        node = waiting.pop()
        node = node.get_object() if hasattr(node, "get_object") else node
        if isinstance(node, list):
            waiting += reversed(node)
        elif isinstance(node, dict) and "/S" in node:
            found.append((str(node["/S"]), str(node.get("/Alt", ""))))
            waiting.append(node.get("/K", []))
    return found


@lru_cache(maxsize=1)
def _rendered(pdf: bytes, page: int) -> tuple[bytes, int, int]:
    """Returns the grey values of a page, the number of bytes of a row, and of pixels."""
    bitmap = pypdfium2.PdfDocument(pdf)[page].render(scale=_PX_PER_MM / MM, grayscale=True)
    return bytes(bitmap.buffer), bitmap.stride, bitmap.width


def dark_runs(pdf: bytes, page: int, *, x_mm: float | None = None, y_mm: float | None = None) -> list[float]:
    """Returns the centres of the dark runs along a line of a page, in mm from the left or the top.

    Args:
        pdf: The file.
        page: The number of the page, from 0.
        x_mm: Where an upright line is.
        y_mm: Where a level line is.
    """
    content, stride, width = _rendered(pdf, page)
    if y_mm is not None:
        row = round(y_mm * _PX_PER_MM)
        line = content[row * stride : row * stride + width]
    else:
        assert x_mm is not None
        line = content[round(x_mm * _PX_PER_MM) :: stride]
    dark = [at for at, value in enumerate(line) if value < _DARK]
    runs: list[list[int]] = []
    for at in dark:
        if runs and at == runs[-1][-1] + 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return [(run[0] + run[-1] + 1) / 2 / _PX_PER_MM for run in runs]
