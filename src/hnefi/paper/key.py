"""The key to the pictures: which drawing is which piece, which square is special, what the signs mean."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hnefi._core import Rules
from hnefi.i18n import text
from hnefi.paper.drawings import Drawings
from hnefi.pieces import Piece
from hnefi.words.model import Picture
from hnefi.words.nouns import capitalised
from hnefi.words.wording import wording_of

if TYPE_CHECKING:
    from hnefi.variants.model import Variant


def key_of(subject: "Variant | Rules", lang: str, drawings: Drawings) -> list[dict[str, str]]:
    """Returns the pieces of the start position and the special squares, each with its drawing and name."""
    wording = wording_of(subject, lang)
    rules = wording.rules
    present = set(rules.start.pieces.values())
    entries = [
        {
            "file": drawings.of_piece(piece),
            "name": capitalised(wording.nouns.get(piece.value) or text(f"piece.{piece.value}", lang)),
        }
        for piece in Piece
        if piece in present
    ]
    corners = sorted(rules.corners, key=lambda square: (square.file, square.rank))
    squares = {"throne": rules.throne, "corners": corners[0] if corners else None}
    for noun, square in squares.items():
        if square is not None:
            name = wording.nouns[noun]
            entries.append({"file": drawings.of_square(rules, square), "name": capitalised(name)})
    if rules.camps:
        camp = min((square for camp in rules.camps for square in camp), key=lambda at: (at.file, at.rank))
        name = text("paper.key.camps", lang)
        entries.append({"file": drawings.of_square(rules, camp), "name": name})
    return entries


def signs_of(
    subject: "Variant | Rules", pictures: Iterable[Picture], lang: str, drawings: Drawings
) -> list[dict[str, str]]:
    """Returns the signs that pictures of the rules and the boards of a game have, each with its meaning."""
    shown = list(pictures)
    captured = {
        capture.piece
        for each in shown
        if each.move is not None
        for capture in each.position.describe(each.move).captures
    }
    has = {
        "move": any(each.move for each in shown),
        "capturing": bool(captured),
        "captured": bool(captured - {Piece.KING}),
        "king_captured": Piece.KING in captured,
        "road": any(each.roads for each in shown),
    }
    wording = wording_of(subject, lang)
    return [
        {"file": drawings.of_sign(sign), "name": capitalised(wording.text(f"paper.key.{sign}"))}
        for sign, is_shown in has.items()
        if is_shown
    ]
