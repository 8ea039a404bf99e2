"""Typesets pages: a Typst template of this package with data and pictures becomes PDF or PNG.

Typesetting raises `PrintError`: `missing_extra` without the compiler, `unprintable_letters` if the fonts lack
a letter.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from hnefi.errors import HnefiError, shorten

_HERE = Path(__file__).parent
_FONTS, _TEMPLATES = _HERE / "fonts", _HERE / "templates"
# The pages depend on their content alone, so that the same content gives the same bytes.
_TIMESTAMP = 0
_SHOWN_LETTERS = 12
# Words that are wider than a column are broken anywhere: a name of 300 letters, for instance.
_LONG_WORD = re.compile(r"\w{31,}")
_CHUNK, _BREAK = 10, "\u200b"

LETTERS = frozenset((_FONTS / "letters.txt").read_text(encoding="utf-8")) | {"\n"}
"""The letters that the fonts of the text have."""


class PrintError(HnefiError):
    """Pages that cannot be printed."""


@dataclass(frozen=True, slots=True)
class Document:
    """The content of some pages, and the template that arranges it.

    Attributes:
        template: The name of the template: `templates/NAME.typ`.
        data: Its content, as values of JSON; the template reads it as `data.json`.
        pictures: Its pictures by file name, as SVG (or PDF, for whole pages).
    """

    template: str
    data: Mapping[str, Any]
    pictures: Mapping[str, str | bytes] = field(default_factory=dict)


def to_pdf(document: Document, *, is_tagged: bool = True) -> bytes:
    """Returns the pages as PDF.

    Args:
        is_tagged: Whether the file has tags for screen readers, as PDF/UA-1 asks for.
    """
    standards = ["ua-1"] if is_tagged else []
    return bytes(_compiled(document, format="pdf", pdf_standards=standards, pdf_tags=is_tagged))


def to_png(document: Document, *, ppi: float = 144) -> list[bytes]:
    """Returns each page as PNG."""
    pages = _compiled(document, format="png", ppi=ppi)
    return [pages] if isinstance(pages, bytes) else list(pages)


def page_count(document: Document) -> int:
    """Returns the number of pages."""
    return int(query(document, "page-total"))


def query(document: Document, label: str) -> Any:
    """Returns the value of the metadata with a label, once the pages are arranged."""
    found = _typst().query(_files(document), f"<{label}>", field="value", one=True, **_settings())
    return json.loads(found)


def _compiled(document: Document, **options: Any) -> Any:
    return _typst().compile(_files(document), timestamp=_TIMESTAMP, **_settings(), **options)


def _settings() -> dict[str, Any]:
    return {"font_paths": _fonts(), "ignore_system_fonts": True}


def _files(document: Document) -> Any:
    """Returns the files that the compiler sees: the templates, the data and the pictures."""
    _check_letters(document.data)
    data = _LONG_WORD.sub(_breakable, json.dumps(document.data, ensure_ascii=False))
    pictures = {
        name: content.encode() if isinstance(content, str) else content
        for name, content in document.pictures.items()
    }
    main = f'#include "{document.template}.typ"'
    return {**_templates(), **pictures, "data.json": data.encode(), "main.typ": main.encode()}


def _check_letters(data: object) -> None:
    """Checks that the fonts have every letter of the texts."""
    for text in _texts(data):
        missing = dict.fromkeys(letter for letter in text if letter not in LETTERS)
        if missing:
            letters = " ".join(f"{letter} (U+{ord(letter):04X})" for letter in [*missing][:_SHOWN_LETTERS])
            letters = shorten(letters, 20 * _SHOWN_LETTERS)
            shown = shorten(text, collapses_spaces=True)
            raise PrintError.of_facts("unprintable_letters", text=shown, letters=letters)


def _texts(data: object) -> "list[str]":
    """Returns the texts among values of JSON."""
    if isinstance(data, str):
        return [data]
    if isinstance(data, Mapping):
        return [text for value in data.values() for text in _texts(value)]
    return [text for value in data for text in _texts(value)] if isinstance(data, list | tuple) else []


def _breakable(found: re.Match[str]) -> str:
    """Returns a long word with places at which it may be broken."""
    word = found[0]
    return _BREAK.join(word[start : start + _CHUNK] for start in range(0, len(word), _CHUNK))


@cache
def _templates() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(_TEMPLATES.glob("*.typ"))}


@cache
def _fonts() -> Any:
    return _typst().Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(_FONTS)])


def _typst() -> Any:
    """Imports the compiler."""
    try:
        import typst
    except ModuleNotFoundError:
        raise PrintError.of_facts("missing_extra", package="typst", extra="print") from None
    return typst
