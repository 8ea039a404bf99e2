"""All printed forms of a game for a box, a museum table or a lesson, and the page that lists them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from hnefi.i18n import text
from hnefi.paper.board_sheets import square_side
from hnefi.paper.booklets import booklet
from hnefi.paper.imprints import Imprint
from hnefi.paper.puzzle_sheets import puzzle_sheets
from hnefi.paper.sheets import SHEETS, sheet
from hnefi.paper.subjects import Subject, paper_size
from hnefi.puzzles import has_puzzles
from hnefi.variants import finding
from hnefi.variants.page_addresses import print_file

if TYPE_CHECKING:
    from hnefi.variants.model import Variant

_FORMS = ("booklet", "booklet-fold", "summary", "board", "pieces", "poster", "score")
_PUZZLES = "puzzles"

_PAPERS = {"booklet": "a5", "poster": "a3"}
# Boards with more squares on a side are on A3, so that the pieces are large enough to hold.
_MOST_ON_A4 = 11
_STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#111}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:start;vertical-align:top;padding:.4rem .6rem;"
    "border-bottom:1px solid #bbb}a{color:#0b4f6c}"
    "header img{height:4rem;max-width:16rem;object-fit:contain;vertical-align:middle}"
)


@dataclass(frozen=True, slots=True)
class BoxFile:
    """A printed form.

    Attributes:
        name: The name of its file.
        form: One of `box_forms`.
        content: The PDF.
    """

    name: str
    form: str
    lang: str
    paper: str
    content: bytes

    @property
    def facts(self) -> dict[str, str | int]:
        """What a program needs to know of it."""
        known = {"file": self.name, "form": self.form, "language": self.lang, "paper": self.paper}
        return {**known, "bytes": len(self.content)}


def box_forms(variant: "Variant") -> tuple[str, ...]:
    """Returns the printed forms of a game, in the order of their page."""
    return (*_FORMS, _PUZZLES) if has_puzzles(variant) else _FORMS


def box_files(
    variant: "Variant | str",
    languages: Sequence[str],
    imprint: Imprint,
    *,
    colour: bool = False,
    bleed: float = 0.0,
) -> Iterator[BoxFile]:
    """Iterates over the printed forms of a game, all of a language together.

    Args:
        variant: The game, or its id or name.
        colour: Whether boards and pieces are in colour.
        bleed: The bleed of the booklet to read in mm, with crop marks; 0 for none.

    Raises:
        PrintError: `missing_extra` without the extra `print`; `unprintable_letters`, `board_too_large`,
            `text_too_long`, `too_much_text`, `bad_logo`, `logo_too_large`.
    """
    found = finding.variant(variant)
    for lang in languages:
        for form in box_forms(found):
            paper, content = _printed(found, lang, form, imprint, colour=colour, bleed=bleed)
            yield BoxFile(print_file(found.id, form, lang), form, lang, paper, content)


def _printed(
    variant: "Variant", lang: str, form: str, imprint: Imprint, *, colour: bool, bleed: float
) -> tuple[str, bytes]:
    """Returns the paper of a form, and its PDF."""
    board = "a4" if variant.rules.size <= _MOST_ON_A4 else "a3"
    paper = board if form == "board" else _PAPERS.get(form, "a4")
    if form.startswith("booklet"):
        # A print shop cuts pages; a sheet to fold has none.
        layout, bleed = ("fold", 0.0) if form == "booklet-fold" else (paper, bleed)
        return paper, booklet(variant, lang, format=layout, colour=colour, bleed=bleed, imprint=imprint)
    if form == _PUZZLES:
        return paper, puzzle_sheets(variant, lang, colour=colour, imprint=imprint)
    options: dict[str, float] = {"colour": colour} if "colour" in SHEETS[form].options else {}
    if form == "pieces":
        # On A4, in the size of the squares of the board.
        options["square"] = square_side(variant, board, None, imprint.foot(*paper_size(board)))
    return paper, sheet(form, variant, lang, paper=paper, imprint=imprint, **options)


def box_page(
    variant: "Variant",
    languages: Sequence[str],
    imprint: Imprint,
    files: Sequence[BoxFile],
    logo: str,
    site: str,
) -> str:
    """Returns the page that lists the files of a box, in HTML.

    Args:
        languages: The languages of the page, one after the other.
        logo: The file of the logo; empty for none.
        site: The folder of the site; empty for none.
    """
    picture = f'<img src="{escape(logo)}" alt="{escape(imprint.publisher)}">' if logo else ""
    names = f"<strong>{escape(imprint.publisher)}</strong>" if imprint.publisher else ""
    parts = [part for part in (picture, names, escape(imprint.text)) if part]
    head = f"<header><p>{' '.join(parts)}</p></header>" if parts else ""
    title = text("paper.box.title", languages[0], name=variant.name(languages[0]))
    of_lang = {lang: [one for one in files if one.lang == lang] for lang in languages}
    body = "".join(_part(variant, lang, of_lang[lang], site) for lang in languages)
    return (
        f'<!doctype html>\n<html lang="{languages[0]}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{head}\n<main>{body}</main>\n</body>\n</html>\n"
    )


def _part(variant: "Variant", lang: str, files: Sequence[BoxFile], site: str) -> str:
    """Returns the part of the page in a language."""
    subject = Subject(variant, lang)

    def say(key: str, **facts: object) -> str:
        return escape(subject.text(f"paper.box.{key}", **facts))

    rows = "".join(_row(one, say) for one in files)
    heads = "".join(f'<th scope="col">{say(key)}</th>' for key in ("file", "paper", "how"))
    links = "".join(
        f'<li><a href="{site}/{file}">{file}</a><br>{say(f"site.{key}")}</li>\n'
        for key, file in (("here", "open-me.html"), ("host", "index.html"))
    )
    browser = f"<h2>{say('site')}</h2>\n<ul>{links}</ul>\n" if site else ""
    notices = (subject.colophon, subject.credit[1], subject.text("paper.licence"))
    return (
        f'<section lang="{lang}">\n<h1>{escape(variant.name(lang))}</h1>\n<h2>{say("print")}</h2>\n'
        f"<table><thead><tr>{heads}</tr></thead><tbody>\n{rows}</tbody></table>\n{browser}"
        f"<p><small>{'<br>'.join(map(escape, filter(None, notices)))}</small></p>\n</section>\n"
    )


def _row(one: BoxFile, say: Callable[..., str]) -> str:
    """Returns the row of a printed form."""
    key = one.form.replace("-", "_")
    size = say("size", size=round(len(one.content) / 1000))
    return (
        f'<tr><td><a href="{escape(one.name)}">{say(key)}</a></td>'
        f"<td>{one.paper.upper()}, {size}</td><td>{say(f'{key}.how')}</td></tr>\n"
    )
