"""Games on paper, as PDF: booklets and sheets, typeset with Typst (extra `print`).

A kind of pages is a module and a template:

1. The module (`booklets`) makes the content: a `Document` with the name of the template, its data as values
   of JSON (with `lang`, the language), and its pictures, which `Drawings` makes of positions and of the
   pictures of the rules.
2. The template, `templates/NAME.typ`, imports `base.typ` (data, fonts, headings, pictures with alternative
   texts, `document-of`) and arranges the data. All texts come from the data, none stands in a template.
3. `to_pdf` or `to_png` of `typesetting` makes the pages. PDF is tagged as PDF/UA-1 requires: every picture
   needs an alternative text, every document a title, and headings skip no level. Letters that the fonts lack
   are refused.

A sheet of a game, such as its board, is also an entry of `SHEETS` in `sheets`, which the command line and the
server read.
"""

from hnefi.paper.annotated_games import GAME_PAPERS, annotated_game, annotated_game_document
from hnefi.paper.booklets import BOOKLET_EXTRAS, BOOKLET_FORMATS, LARGEST_BLEED, booklet
from hnefi.paper.boxes import BoxFile, box_files, box_forms, box_page
from hnefi.paper.diagrams import DIAGRAM_SUFFIXES, diagram_file
from hnefi.paper.drawings import Drawings
from hnefi.paper.imprints import Imprint
from hnefi.paper.piece_sheets import PIECE_FORMS
from hnefi.paper.puzzle_sheets import PUZZLE_PAPERS, puzzle_sheets
from hnefi.paper.sheets import SHEETS, Sheet, sheet, sheet_document
from hnefi.paper.subjects import PAPERS
from hnefi.paper.tiling import LEAST_SQUARE, MOST_PAGES
from hnefi.paper.typesetting import Document, PrintError, page_count, query, to_pdf, to_png

__all__ = [
    "BOOKLET_EXTRAS",
    "BOOKLET_FORMATS",
    "DIAGRAM_SUFFIXES",
    "GAME_PAPERS",
    "LARGEST_BLEED",
    "LEAST_SQUARE",
    "MOST_PAGES",
    "PAPERS",
    "PIECE_FORMS",
    "PUZZLE_PAPERS",
    "SHEETS",
    "BoxFile",
    "Document",
    "Drawings",
    "Imprint",
    "PrintError",
    "Sheet",
    "annotated_game",
    "annotated_game_document",
    "booklet",
    "box_files",
    "box_forms",
    "box_page",
    "diagram_file",
    "page_count",
    "puzzle_sheets",
    "query",
    "sheet",
    "sheet_document",
    "to_pdf",
    "to_png",
]
