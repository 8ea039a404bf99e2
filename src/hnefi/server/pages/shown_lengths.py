"""The length and difficulty of a game as its cards show them: measured, or else as its file states them."""

from dataclasses import dataclass

from hnefi.variants.lengths import measured_length
from hnefi.variants.model import Variant
from hnefi.words.nouns import capitalised
from hnefi.words.variant_texts import in_language


@dataclass(frozen=True, slots=True)
class ShownLength:
    """How long the games of a variant are, and how hard it is.

    Attributes:
        minutes: The length in minutes, `10` or `5–20`; empty if unknown.
        difficulty: The measured difficulty, one of `DIFFICULTIES`; None if it has not been measured.
        ease: What the variant's file says instead; may be empty.
    """

    minutes: str
    difficulty: int | None
    ease: str


def shown_length(one: Variant, lang: str) -> ShownLength:
    """Returns the measured length of a variant, or what its file states.

    >>> from hnefi import variant
    >>> shown_length(variant("brandub-breyer"), "en")
    ShownLength(minutes='15', difficulty=1, ease='')
    """
    measured = measured_length(one)
    if measured is not None:
        return ShownLength(str(measured.minutes), measured.difficulty, "")
    minutes = dict.fromkeys(map(str, one.about.get("minutes", ())))
    return ShownLength("–".join(minutes), None, capitalised(in_language(one.about.get("ease"), lang) or ""))
