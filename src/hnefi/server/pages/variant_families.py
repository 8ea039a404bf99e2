"""The families of variants, as lists show them."""

from functools import cache

from hnefi.i18n import text
from hnefi.lessons import lessons
from hnefi.server.game_facts import family_of
from hnefi.variants.built_in import built_in_ids
from hnefi.variants.finding import all_variants
from hnefi.variants.model import Variant


@cache
def variant_families(lang: str) -> tuple[tuple[str, list[Variant]], ...]:
    """Returns the families with their names, the smallest board first.

    In a family those with lessons come first, then by board size.
    """
    families: dict[str, list[Variant]] = {}
    for one in sorted(all_variants(), key=lambda one: (not lessons(one.id), one.rules.size, one.id)):
        families.setdefault(family_of(one, lang), []).append(one)
    return tuple(sorted(families.items(), key=lambda family: (_usual_size(family[1]), family[0])))


def _usual_size(members: list[Variant]) -> int:
    """Returns the size of the board of variants with lessons, or the most common one."""
    sizes = [one.rules.size for one in members]
    usual = min(members, key=lambda one: (not lessons(one.id), -sizes.count(one.rules.size), one.id))
    return usual.rules.size


def family_key(one: Variant) -> str:
    """Returns the name of the family of a variant as a part of keys."""
    return family_of(one, "en").lower().replace("-", "_").replace(" ", "_")


def slogan(one: Variant, lang: str) -> str:
    """Returns a sentence about the game that a built-in variant is a version of; empty for other variants."""
    return text(f"page.home.game.{family_key(one)}", lang) if one.id in built_in_ids() else ""
