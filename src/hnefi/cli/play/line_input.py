"""Parses input lines: a move with an optional call, a square, or an action."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from hnefi import i18n
from hnefi._core import Square, parse_move
from hnefi.cli.texts import language
from hnefi.errors import IllegalMove, SetupError
from hnefi.variants.model import Variant

# In the order of the help; the words for each are the texts `play.words.ACTION`.
ACTIONS = (
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
# Words for calls that are accepted in every variant, besides its own.
_COMMON_CALLS = {"1": 1, "raichi": 1, "raihi": 1, "2": 2, "tuichi": 2, "tuichu": 2, "tuicha": 2}
_WARNING = 3


@dataclass(frozen=True, slots=True)
class TypedMove:
    """A move with its call; `warns` is the attackers' warning."""

    text: str
    call: int = 0
    warns: bool = False


@dataclass(frozen=True, slots=True)
class TypedSquare:
    """A square alone: lists its moves, or moves the chosen piece there."""

    square: Square
    call: int = 0
    warns: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """One of `ACTIONS`, with its argument."""

    name: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class InvalidLine:
    """Any other line: the parse error, and an action that may be meant."""

    error: IllegalMove
    near: str | None = None


ParsedLine = TypedMove | TypedSquare | Action | InvalidLine


def action_words() -> dict[str, str]:
    """Returns the actions by their words, in all languages."""
    words: dict[str, str] = {}
    for code in i18n.languages():
        for action in ACTIONS:
            for word in i18n.text(f"play.words.{action}", code).split(","):
                words.setdefault(word.strip().casefold(), action)
    return words


def call_words(variant: Variant) -> dict[str, int]:
    """Returns the calls by their words: 1 one open road, 2 two, 3 the warning to the king."""
    words = dict(_COMMON_CALLS)
    for key, number in (("one_exit", 1), ("two_exits", 2), ("king_in_danger", _WARNING)):
        words |= {word.casefold(): number for word in call_names(variant, key).values()}
    return words


def call_names(variant: Variant, key: str) -> dict[str, str]:
    """Returns the words of a variant for `one_exit`, `two_exits` or `king_in_danger`, by language.

    A custom variant may have none; it has the common words then, but no warning to the king
    unless its calls include it.
    """
    calls = variant.calls or {}
    words = calls.get("words", {}).get(key, {})
    found = {code: word for code, word in words.items() if word.strip()}
    if key == "king_in_danger" and calls.get(key) is not True:
        return {}
    return found or {code: i18n.text(f"play.word.{key}", code) for code in i18n.languages()}


def call_word(variant: Variant, key: str) -> str:
    """Returns the word of a variant for `one_exit`, `two_exits` or `king_in_danger`.

    It is empty if the variant has no such call.
    """
    words = call_names(variant, key)
    return words.get(language()) or words.get("en") or next(iter(words.values()), "")


def parse_line(line: str, variant: Variant) -> ParsedLine | None:
    """Parses an input line; never fails. An empty one is None.

    >>> from hnefi import variant
    >>> parse_line("C5 A5 tuichi", variant("gwezboell-globe"))
    TypedMove(text='C5-A5', call=2, warns=False)
    >>> parse_line("annuler", variant("gwezboell-globe"))
    Action(name='undo', rest='')
    """
    text = " ".join(line[:_LONGEST].split())
    if not text:
        return None
    word, _, rest = text.lstrip("/:").partition(" ")
    action = action_words().get(word.casefold())
    if action is not None:
        return Action(action, rest)
    said, call, warns = _split_call(text, call_words(variant))
    try:
        if _SQUARE.fullmatch(said):
            return TypedSquare(Square(said), call, warns)
        parse_move(said)
    except (IllegalMove, SetupError) as error:
        near = get_close_matches(word.casefold(), action_words(), n=1, cutoff=0.7)
        refusal = error if isinstance(error, IllegalMove) else IllegalMove.of_facts("bad_move", text=said)
        return InvalidLine(refusal, near[0] if near else None)
    return TypedMove(said, call, warns)


def _split_call(text: str, calls: Mapping[str, int]) -> tuple[str, int, bool]:
    """Splits a line into the move, in standard notation, and its call."""
    text = _TWO_SQUARES.sub(r"\1-\2", _AROUND_DASH.sub("-", text.translate(_DASHES)), count=1)
    move, mark, said = text.partition("!")
    if not mark or said.strip() == "":
        move, _, said = text.rstrip("! ").partition(" ")
    number = calls.get(said.strip(" !").casefold(), 0)
    if said.strip() and not number:
        return text, 0, False
    return move.strip(), (0 if number == _WARNING else number), number == _WARNING
