"""The families of variants, each with a board and its variants, as lists show them."""

from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from hnefi.i18n import text
from hnefi.lessons import lessons
from hnefi.pieces import Piece
from hnefi.server.game_facts import author_of, family_of
from hnefi.server.pages.drawings import small_board
from hnefi.variants.built_in import built_in_ids
from hnefi.variants.finding import all_variants
from hnefi.variants.model import STATUSES, Variant


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One variant in a list.

    Attributes:
        author: Its name without the family's: who publishes it.
        status: How its rules are attested, as text; None if unknown.
    """

    id: str
    name: str
    author: str
    status: str | None


@dataclass(frozen=True, slots=True)
class VariantFamily:
    """A family of games.

    Attributes:
        key: The family's name in lower case and in English, with which its texts begin.
        size: The side of its board, in squares.
        others: How many defenders there are, including the king.
        minutes: How long a game takes, None if no variant of the family states it.
        rule_sets: Its variants: those with lessons first, then by board size.
    """

    key: str
    name: str
    size: int
    attackers: int
    others: int
    minutes: tuple[int, int] | None
    drawing: Markup
    rule_sets: tuple[RuleSet, ...]


@cache
def variant_families(lang: str) -> tuple[VariantFamily, ...]:
    """Returns the families, the smallest board first."""
    families: dict[str, list[Variant]] = {}
    for one in all_variants():
        families.setdefault(family_of(one, "en"), []).append(one)
    listed = [_family(_leading_first(members), lang) for members in families.values()]
    return tuple(sorted(listed, key=lambda family: (family.size, family.name)))


def _leading_first(members: list[Variant]) -> list[Variant]:
    """Sorts variants: those with lessons first, then by board size."""
    return sorted(members, key=lambda one: (not lessons(one.id), one.rules.size, one.id))


def _typical(members: list[Variant]) -> Variant:
    """Returns the variant whose board is drawn: one with lessons, or one of the most common size."""
    sizes = [one.rules.size for one in members]
    return min(members, key=lambda one: (not lessons(one.id), -sizes.count(one.rules.size), one.id))


def rule_set(one: Variant, lang: str) -> RuleSet:
    """Returns a variant as lists show it."""
    name = one.name(lang)
    status = one.about.get("status")
    told = text(f"words.status.{status}", lang) if status in STATUSES else None
    return RuleSet(one.id, name, author_of(one, lang), told)


def family_key(one: Variant) -> str:
    """Returns the name of the family of a variant as a part of keys."""
    return family_of(one, "en").lower().replace("-", "_").replace(" ", "_")


def slogan(one: Variant, lang: str) -> str:
    """Returns a sentence about the game that a built-in variant is a version of; empty for other variants."""
    return text(f"page.home.game.{family_key(one)}", lang) if one.id in built_in_ids() else ""


def _family(members: list[Variant], lang: str) -> VariantFamily:
    first = _typical(members)
    pieces = [piece.soldier for piece in first.rules.start.pieces.values()]
    attackers = pieces.count(Piece.ATTACKER)
    minutes = next((one.about["minutes"] for one in members if "minutes" in one.about), None)
    return VariantFamily(
        key=family_key(first),
        name=family_of(first, lang),
        size=first.rules.size,
        attackers=attackers,
        others=len(pieces) - attackers,
        minutes=(minutes[0], minutes[-1]) if minutes else None,
        drawing=small_board(first.id, lang),
        rule_sets=tuple(rule_set(one, lang) for one in members),
    )
