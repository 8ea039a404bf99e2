"""Measures PDF files: sizes of pages, texts, fonts, tags, and lines in mm."""

import re
from io import BytesIO
from typing import Any

from pypdf import PdfReader

MM = 72 / 25.4

_PX_PER_MM = 20
_DARK = 128


def pages_of(pdf: bytes) -> PdfReader:
    return PdfReader(BytesIO(pdf))


def sizes(reader: PdfReader) -> set[tuple[int, int]]:
    """Returns the sizes of the pages in whole mm."""
    return {(round(page.mediabox.width / MM), round(page.mediabox.height / MM)) for page in reader.pages}


def text_of(reader: PdfReader) -> str:
    """Returns the text of all pages without spaces, hyphens and page numbers."""
    lines = "\n".join(page.extract_text() for page in reader.pages).splitlines()
    return plain("\n".join(line for line in lines if not line.strip().isdecimal()))


def plain(text: str) -> str:
    """Returns a text without spaces and hyphens."""
    return re.sub(r"[\s\u00ad‐-]", "", text)


def root_of(reader: PdfReader) -> Any:
    return reader.trailer["/Root"]


def fonts_of(reader: PdfReader) -> dict[str, Any]:
    """Returns the descriptors of all fonts by name."""
    resources: list[Any] = [page["/Resources"] for page in reader.pages]
    fonts = [font.get_object() for one in resources for font in one.get("/Font", {}).values()]
    inner = [font["/DescendantFonts"][0].get_object() for font in fonts]
    return {str(font["/BaseFont"]): font["/FontDescriptor"].get_object() for font in inner}


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


def dark_runs(pdf: bytes, page: int, *, x_mm: float | None = None, y_mm: float | None = None) -> list[float]:
    """Returns the centres of the dark runs along a line of a page, in mm from the left or the top.

    Args:
        pdf: The file.
        page: The number of the page, from 0.
        x_mm: Where an upright line is.
        y_mm: Where a level line is.
    """
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    bitmap = document[page].render(scale=_PX_PER_MM / MM, grayscale=True)
    content, stride = bytes(bitmap.buffer), bitmap.stride
    if y_mm is not None:
        row = round(y_mm * _PX_PER_MM)
        line = content[row * stride : row * stride + bitmap.width]
    else:
        assert x_mm is not None
        line = content[round(x_mm * _PX_PER_MM) :: stride][: bitmap.height]
    dark = [at for at, value in enumerate(line) if value < _DARK]
    runs: list[list[int]] = []
    for at in dark:
        if runs and at == runs[-1][-1] + 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return [(run[0] + run[-1] + 1) / 2 / _PX_PER_MM for run in runs]
