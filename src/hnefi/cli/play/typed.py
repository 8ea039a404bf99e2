"""What people type at the board: a move, perhaps with a call, a square, or an order."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from hnefi import i18n
from hnefi._core import Square, parse_move
from hnefi.errors import IllegalMove, SetupError
from hnefi.variant import Variant

__all__ = [
    "ORDERS",
    "AskedSquare",
    "Nothing",
    "Order",
    "TypedMove",
    "Unclear",
    "call_words",
    "order_words",
    "own_words",
    "read_line",
]

# In the order in which help explains them; the words for each are the keys `play.words.ORDER`.
ORDERS = (
    "help",
    "moves",
    "hint",
    "undo",
    "redo",
    "board",
    "turn",
    "record",
    "rules",
    "language",
    "save",
    "draw",
    "resign",
    "quit",
)
_LONGEST = 200
_DASHES = str.maketrans({"–": "-", "—": "-", "→": "-", ">": "-", "−": "-"})
_SQUARE = re.compile(r"[a-s](?:1[0-9]|[1-9])", re.IGNORECASE)
_AROUND_DASH = re.compile(r"\s*-\s*")
_TWO_SQUARES = re.compile(rf"({_SQUARE.pattern})\s+({_SQUARE.pattern})", re.IGNORECASE)
# What is understood everywhere, besides the words of the variant.
_COMMON_CALLS = {"1": 1, "raichi": 1, "raihi": 1, "2": 2, "tuichi": 2, "tuichu": 2, "tuicha": 2}
_WARNING = 3


@dataclass(frozen=True, slots=True)
class Nothing:
    """An empty line."""


@dataclass(frozen=True, slots=True)
class TypedMove:
    """A move, and what is called with it; `warns` is the attackers' call."""

    text: str
    call: int = 0
    warns: bool = False


@dataclass(frozen=True, slots=True)
class AskedSquare:
    """A square alone: whose moves are wanted, or where the piece that was chosen goes."""

    square: Square
    call: int = 0
    warns: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """One of `ORDERS`, and what stands behind it."""

    name: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Unclear:
    """Something else: the error of reading it as a move, and an order that may be meant."""

    error: IllegalMove
    near: str | None = None


Typed = Nothing | TypedMove | AskedSquare | Order | Unclear


def order_words() -> dict[str, str]:
    """Gives the orders by the words that mean them, in all languages."""
    words: dict[str, str] = {}
    for language in i18n.languages():
        for order in ORDERS:
            for word in i18n.text(f"play.words.{order}", language).split(","):
                words.setdefault(word.strip().casefold(), order)
    return words


def call_words(variant: Variant) -> dict[str, int]:
    """Gives what can be called by its words: 1 one exit, 2 two exits, 3 the warning to the king."""
    words = dict(_COMMON_CALLS)
    for key, number in (("one_exit", 1), ("two_exits", 2), ("king_in_danger", _WARNING)):
        words |= {word.casefold(): number for word in own_words(variant, key).values()}
    return words


def own_words(variant: Variant, key: str) -> dict[str, str]:
    """Gives what a text calls `one_exit`, `two_exits` or `king_in_danger`, by language.

    A file of one's own may leave its words out.
    """
    named = (variant.calls or {}).get("words")
    words = named.get(key) if isinstance(named, Mapping) else None
    if not isinstance(words, Mapping):
        return {}
    return {code: word for code, word in words.items() if isinstance(word, str) and word.strip()}


def read_line(line: str, variant: Variant) -> Typed:
    """Reads what was typed; never fails.

    >>> from hnefi import variant
    >>> read_line("C5 A5 tuichi", variant("gwezboell-globe"))
    TypedMove(text='C5-A5', call=2, warns=False)
    >>> read_line("annuler", variant("gwezboell-globe"))
    Order(name='undo', rest='')
    """
    text = " ".join(line[:_LONGEST].split())
    if not text:
        return Nothing()
    word, _, rest = text.lstrip("/:").partition(" ")
    order = order_words().get(word.casefold())
    if order is not None:
        return Order(order, rest)
    said, call, warns = _split_call(text, call_words(variant))
    try:
        if _SQUARE.fullmatch(said):
            return AskedSquare(Square(said), call, warns)
        parse_move(said)
    except (IllegalMove, SetupError) as error:
        near = get_close_matches(word.casefold(), order_words(), n=1, cutoff=0.7)
        refusal = error if isinstance(error, IllegalMove) else _no_move(said)
        return Unclear(refusal, near[0] if near else None)
    return TypedMove(said, call, warns)


def _split_call(text: str, calls: Mapping[str, int]) -> tuple[str, int, bool]:
    """Splits a line into the move, in a form that is read everywhere, and what is called with it."""
    text = _TWO_SQUARES.sub(r"\1-\2", _AROUND_DASH.sub("-", text.translate(_DASHES)), count=1)
    move, mark, said = text.partition("!")
    if not mark or said.strip() == "":
        move, _, said = text.rstrip("! ").partition(" ")
    number = calls.get(said.strip(" !").casefold(), 0)
    if said.strip() and not number:
        return text, 0, False
    return move.strip(), (0 if number == _WARNING else number), number == _WARNING


def _no_move(text: str) -> IllegalMove:
    return IllegalMove("bad_move", f"bad_move: text = {text}", {"text": text[:60]})
