"""Formats rules as text for terminals, as Markdown and as HTML."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import zip_longest
from typing import Literal

from hnefi import diagram
from hnefi.i18n import text
from hnefi.words.marks import legend
from hnefi.words.model import SIGNS, Clause, Picture, RulesText, Section

# A star would begin italics.
_MARKDOWN_SIGNS = {mark: f"\\{sign}" if sign in "*+" else sign for mark, sign in SIGNS.items()}
_GAP = "    "
_LEAST_COLUMN = 22
_LAYOUT = (("start",), ("layout",))


def to_text(
    rules_text: RulesText,
    *,
    width: int = 80,
    pictures: bool = True,
    colour: Literal["none", "256", "truecolor"] = "none",
    ascii_only: bool = False,
) -> str:
    """Formats rules as text for terminals, with boards in characters.

    Args:
        width: The maximum width of lines.
        pictures: Whether to draw boards; without them the start position is told by its squares, and no
            sentence names the figure.
        colour: The number of colours of the terminal.
        ascii_only: Whether boards use ASCII only.

    The sign of each sentence follows it; the last lines explain the signs.
    """
    lines = [rules_text.title, "=" * len(rules_text.title), "", " · ".join(rules_text.facts)]
    for section in rules_text.sections:
        lines += ["", section.heading, "-" * len(section.heading), ""]
        for paragraph in _paragraphs(section if pictures else _without_figure(section), SIGNS):
            lines += textwrap.wrap(
                paragraph,
                width,
                subsequent_indent="  " if section.is_list else "",
                break_long_words=False,
                break_on_hyphens=False,
            )
            lines += [] if section.is_list else [""]
        if pictures and section.pictures:
            lines += [""] if section.is_list else []
            lines += _rows_of_boards(section.pictures, width, colour, ascii_only)
        elif section.pictures and section.pictures[0].kind == "start":
            told = f"{section.pictures[0].caption} {section.pictures[0].squares}"
            lines += textwrap.wrap(told, width, break_long_words=False, break_on_hyphens=False)
        while lines[-1] == "":
            lines.pop()
    signs = [f"{sign} {meaning}" for _, sign, meaning in legend(rules_text)]
    return "\n".join([*lines, *([""] if signs else []), *signs])


def _without_figure(section: Section) -> Section:
    """Returns a section without the sentence that the figure shows the start position."""
    clauses = (clause for clause in section.clauses if (clause.leaves, clause.parts) != _LAYOUT)
    return replace(section, clauses=tuple(clauses))


def _paragraphs(section: Section, signs: Mapping[str, str]) -> Iterator[str]:
    """Iterates over the paragraphs, with the sign of each clause, and with bullets for a list."""
    for clauses in section.marked_paragraphs:
        words = " ".join(clause.text + signs.get(clause.mark or "", "") for clause in clauses)
        yield f"- {words}" if section.is_list else words


def _rows_of_boards(
    pictures: Sequence[Picture], width: int, colour: Literal["none", "256", "truecolor"], ascii_only: bool
) -> list[str]:
    """Formats boards side by side with their captions, as many as fit on a line."""
    columns = [_board(picture, colour, ascii_only) for picture in pictures]
    lines: list[str] = []
    row: list[list[str]] = []
    for column in columns:
        if row and sum(_width(one) + len(_GAP) for one in [*row, column]) - len(_GAP) > width:
            lines += [*_side_by_side(row), ""]
            row = []
        row.append(column)
    return [*lines, *_side_by_side(row)]


def _board(picture: Picture, colour: Literal["none", "256", "truecolor"], ascii_only: bool) -> list[str]:
    drawn = diagram.text(
        picture.position, played=picture.move, crop=picture.crop, colour=colour, ascii_only=ascii_only
    ).splitlines()
    wide = max(_LEAST_COLUMN, *(len(_plain(line)) for line in drawn))
    return drawn + textwrap.wrap(picture.caption, wide)


def _plain(line: str) -> str:
    """Returns a line without colour codes."""
    return re.sub(r"\x1b\[[0-9;]*m", "", line)


def _width(column: Iterable[str]) -> int:
    return max(len(_plain(line)) for line in column)


def _side_by_side(columns: list[list[str]]) -> list[str]:
    widths = [_width(column) for column in columns]
    lines = []
    for row in zip_longest(*columns, fillvalue=""):
        cells = [cell + " " * (wide - len(_plain(cell))) for cell, wide in zip(row, widths, strict=True)]
        lines.append(_GAP.join(cells).rstrip())
    return lines


def to_markdown(rules_text: RulesText) -> str:
    """Formats rules as Markdown, with boards as text."""
    blocks = [f"# {rules_text.title}", " · ".join(rules_text.facts)]
    for section in rules_text.sections:
        blocks.append(f"## {section.heading}")
        paragraphs = list(_paragraphs(section, _MARKDOWN_SIGNS))
        blocks += ["\n".join(paragraphs)] if section.is_list else paragraphs
        if section.pictures:
            boards = "\n".join(_rows_of_boards(section.pictures, 100, "none", ascii_only=False))
            blocks.append(f"```text\n{boards}\n```")
    signs = [f"{_MARKDOWN_SIGNS[mark]} {meaning}" for mark, _, meaning in legend(rules_text)]
    return "\n\n".join([*blocks, *([" · ".join(signs)] if signs else [])]) + "\n"


def to_html(
    rules_text: RulesText,
    *,
    theme: str = "driftwood",
    pieces: str = "wood",
    square_px: int = 44,
    first_level: int = 1,
) -> str:
    """Formats rules as a fragment of HTML, with boards as SVG.

    Args:
        theme: The theme of the boards; see `hnefi.diagram.svg`.
        pieces: The set of pieces; see there.
        square_px: The side of a square, in pixels.
        first_level: The level of the title's heading.
    """
    level = min(first_level + 1, 6)
    parts = [
        f'<article class="rules" lang="{rules_text.lang}">',
        f"<h{first_level}>{escape(rules_text.title)}</h{first_level}>",
        '<p class="facts">' + " · ".join(escape(fact) for fact in rules_text.facts) + "</p>",
    ]
    for section in rules_text.sections:
        parts.append(f'<section id="rules-{section.id}">\n<h{level}>{escape(section.heading)}</h{level}>')
        parts += _html_paragraphs(section, rules_text.lang)
        figures = [
            _figure(picture, rules_text.lang, theme, pieces, square_px) for picture in section.pictures
        ]
        if figures:
            parts.append('<div class="figures">\n' + "\n".join(figures) + "\n</div>")
        parts.append("</section>")
    return "\n".join([*parts, *_html_legend(rules_text), "</article>"]) + "\n"


def _html_paragraphs(section: Section, lang: str) -> list[str]:
    paragraphs = [
        " ".join(escape(clause.text, quote=False) + _html_sign(clause, lang) for clause in clauses)
        for clauses in section.marked_paragraphs
    ]
    if not section.is_list:
        return [f"<p>{words}</p>" for words in paragraphs]
    return ["<ul>", *(f"<li>{words}</li>" for words in paragraphs), "</ul>"]


def _html_sign(clause: Clause, lang: str) -> str:
    """Returns the sign of a clause as a link to its meaning, which screen readers read."""
    if clause.mark is None:
        return ""
    label = escape(text(f"words.sign.{clause.mark}", lang))
    return f'<sup><a href="#rules-mark-{clause.mark}" aria-label="{label}">{clause.sign}</a></sup>'


def _html_legend(rules_text: RulesText) -> list[str]:
    signs = [
        f'<li id="rules-mark-{mark}">{sign} {escape(meaning, quote=False)}</li>'
        for mark, sign, meaning in legend(rules_text)
    ]
    return ['<ul class="marks">', *signs, "</ul>"] if signs else []


def _figure(picture: Picture, lang: str, theme: str, pieces: str, square_px: int) -> str:
    drawing = diagram.svg(
        picture.position,
        played=picture.move,
        roads=picture.roads,
        crop=picture.crop,
        size_px=square_px * (picture.files + 1),
        theme=theme,
        pieces=pieces,
        title=picture.caption,
        lang=lang,
    )
    return f"<figure>{drawing}<figcaption>{escape(picture.caption, quote=False)}</figcaption></figure>"
