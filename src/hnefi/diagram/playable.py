"""A playable board for notebooks and single pages: self-contained HTML."""

import base64
import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from hnefi.diagram.markup import quoted
from hnefi.i18n import language_of
from hnefi.variants.finding import rules_of

if TYPE_CHECKING:
    from hnefi._core import Game, Position, Rules
    from hnefi.variants.model import Variant

BOARDS = ("auto", "wood", "stone", "contrast", "runic")
SETS = ("wood", "stone", "contrast", "runic")

# Built with the server's pages; the board itself needs no server.
_BUILT = Path(__file__).parents[1] / "server" / "static"


@dataclass(frozen=True, slots=True)
class Playable:
    """A playable board. Notebooks display its `html`."""

    html: str = field(repr=False)

    def _repr_html_(self) -> str:
        return self.html


def playable(
    what: "Rules | Position | Game | Variant | str",
    *,
    board: str = "auto",
    pieces: str = "wood",
    flip: bool = False,
    width_px: int = 480,
    lang: str | None = None,
) -> Playable:
    """Returns a board on which users can play from a position, by its rules.

    Moves stay in the page. The HTML contains a script of 320 kB with the compiled rules.

    Args:
        what: Rules (or a variant or its id or name), to play from their start, or a position or game.
        board: One of `BOARDS`; `auto` is wood on light pages and stone on dark ones.
        pieces: `wood`, `stone`, `contrast` or `runic`.
        flip: Whether rank 1 is at the top.
        width_px: The width, in pixels.
        lang: The language of texts for screen readers.

    Raises:
        ValueError: If the board or the set of pieces is unknown.
        FileNotFoundError: If Hnefi was installed without its pages.

    >>> from hnefi import diagram
    >>> shown = diagram.playable("brandub-globe", pieces="runic")
    >>> shown.html.count("<tafl-board"), 'pieces="runic"' in shown.html
    (1, True)
    """
    from hnefi._core import Game, Position

    for name, names in ((board, BOARDS), (pieces, SETS)):
        if name not in names:
            raise ValueError(f"{name!r}, expected one of {', '.join(names)}")
    position = what.position if isinstance(what, Game) else what
    rules = position.rules if isinstance(position, Position) else rules_of(position)
    tree = base64.b64encode(rules.to_json().encode()).decode()
    attributes = {"src": f"data:application/json;base64,{tree}", "board": board, "pieces": pieces}
    if isinstance(position, Position):
        attributes["position"] = str(position.setup)
    if flip:
        attributes["flip"] = ""
    written = " ".join(f"{name}={quoted(value)}" for name, value in attributes.items())
    place = f'<div lang="{language_of(lang)}" style="max-width:{width_px}px">'
    script = f'<script type="module">{built_script("alone.js")}</script>'
    return Playable(f"{place}<tafl-board {written}></tafl-board></div>{script}")


@cache
def built_script(name: str) -> str:
    """Returns a script of the pages, by its name without digest.

    Raises:
        FileNotFoundError: If Hnefi was installed without its pages.
    """
    manifest = _BUILT / "manifest.json"
    if not manifest.exists():
        raise FileNotFoundError(f"{manifest}: not found, expected the built pages (tools/build_web.py)")
    names: dict[str, str] = json.loads(manifest.read_text(encoding="utf-8"))["files"]
    return (_BUILT / names[name]).read_text(encoding="utf-8")
