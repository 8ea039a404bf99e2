"""A board to play on, for notebooks and single pages: one text of HTML that needs nothing else."""

import base64
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from hnefi.i18n import language_of

if TYPE_CHECKING:
    from hnefi._core import Game, Position, Rules

__all__ = ["BOARDS", "Playable", "playable"]

BOARDS = ("auto", "wood", "stone", "contrast", "runic")
SETS = ("wood", "stone", "contrast", "runic")

# Built with the pages of the server; the board alone needs no server.
_BUILT = Path(__file__).parents[1] / "server" / "static"


@dataclass(frozen=True, slots=True)
class Playable:
    """A board to play on. Notebooks show it; `html` is what they show."""

    html: str

    def _repr_html_(self) -> str:
        return self.html


def playable(
    what: "Rules | Position | Game",
    *,
    board: str = "auto",
    pieces: str = "wood",
    flip: bool = False,
    width_px: int = 480,
    lang: str | None = None,
) -> Playable:
    """Returns a board on which one can play on from a position, by its rules.

    What is played there stays there. The script in it is 500 kB: the rules are in it.

    Args:
        what: Rules, whose start is shown, or a position or game to play on from.
        board: One of `BOARDS`; `auto` is wood on light pages and stone on dark ones.
        pieces: `wood`, `stone`, `contrast` or `runic`.
        flip: Whether it is seen from the other side.
        width_px: The width, in pixels.
        lang: The language of what screen readers are told.

    Raises:
        ValueError: If there is no board, or no set of pieces, of that name.
        FileNotFoundError: If Hnefi was installed without its pages.

    >>> from hnefi import diagram, variant
    >>> shown = diagram.playable(variant("brandub-globe").rules, pieces="runic")
    >>> shown.html.count("<tafl-board"), 'pieces="runic"' in shown.html
    (1, True)
    """
    from hnefi._core import Game, Rules

    for name, names in ((board, BOARDS), (pieces, SETS)):
        if name not in names:
            raise ValueError(f"{name!r}, expected one of {', '.join(names)}")
    position = what.position if isinstance(what, Game) else what
    rules = position if isinstance(position, Rules) else position.rules
    tree = base64.b64encode(rules.to_json().encode()).decode()
    attributes = {"src": f"data:application/json;base64,{tree}", "board": board, "pieces": pieces}
    if not isinstance(position, Rules):
        attributes["position"] = str(position.setup)
    if flip:
        attributes["flip"] = ""
    written = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
    place = f'<div lang="{language_of(lang)}" style="max-width:{width_px}px">'
    script = f'<script type="module">{_script()}</script>'
    return Playable(f"{place}<tafl-board {written}></tafl-board></div>{script}")


@cache
def _script() -> str:
    """The script of the board, with the rules in it."""
    manifest = _BUILT / "manifest.json"
    if not manifest.exists():
        raise FileNotFoundError(f"{manifest}: not found, expected the built pages (tools/build_web.py)")
    names: dict[str, str] = json.loads(manifest.read_text(encoding="utf-8"))["files"]
    return (_BUILT / names["alone.js"]).read_text(encoding="utf-8")
