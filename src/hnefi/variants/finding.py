"""Finding variants by id, by name or by a part of a name."""

from hnefi._core import Rules
from hnefi.errors import VariantError, shorten
from hnefi.variants.built_in import built_in_ids, built_in_variant
from hnefi.variants.custom import custom_variants
from hnefi.variants.model import Variant

_MAX_SUGGESTIONS = 10


def variant_ids() -> tuple[str, ...]:
    """Returns the sorted ids of all variants, built-in and custom."""
    return tuple(sorted((*built_in_ids(), *custom_variants().variants)))


def all_variants() -> tuple[Variant, ...]:
    """Returns all variants, built-in and custom, sorted by id."""
    custom = custom_variants().variants.values()
    return tuple(sorted((*map(built_in_variant, built_in_ids()), *custom), key=lambda one: one.id))


def variant(name: str | Variant) -> Variant:
    """Returns a variant, built-in or custom; a variant as it is.

    Args:
        name: Its id, such as `brandub-globe`, or a name that no other variant has, in any case.

    Raises:
        VariantError: With code `unknown_variant` and the nearest ids, or `ambiguous_variant` and the ids that
            the name may mean.
        TypeError: If it is something else than a name or a variant.

    >>> variant("ard-ri-globe").rules.size
    7
    >>> variant("Copenhagen").id
    'copenhagen-11'
    """
    if isinstance(name, Variant):
        return name
    if not isinstance(name, str):
        raise TypeError(f"name: {name!r:.60}, expected Variant or str")
    variant_id = name.strip().lower()
    if variant_id in built_in_ids():
        return built_in_variant(variant_id)
    custom = custom_variants().variants.get(variant_id)
    if custom is not None:
        return custom
    candidates = _candidates(name)
    if len(candidates) == 1:
        return candidates[0]
    code = "ambiguous_variant" if candidates else "unknown_variant"
    near = [one.id for one in candidates] or _nearest(name)
    message = f"{code}: {shorten(name)}, expected {' | '.join(near) or 'the id of a variant'}"
    raise VariantError(code, message, {"name": shorten(name), "suggestions": ", ".join(near)})


def subject_of(subject: Rules | Variant | str) -> Rules | Variant:
    """Returns the variant of an id or name, as `variant` does; rules and variants as they are.

    Raises:
        TypeError: If it is something else.
    """
    if not isinstance(subject, Rules | Variant | str):
        raise TypeError(f"subject: {subject!r:.60}, expected Rules, Variant or str")
    return subject if isinstance(subject, Rules) else variant(subject)


def rules_of(subject: Rules | Variant | str) -> Rules:
    """Returns the rules of a variant, or of its id or name; rules as they are.

    Raises:
        TypeError: If it is something else.
    """
    found = subject_of(subject)
    return found if isinstance(found, Rules) else found.rules


def _candidates(name: str) -> tuple[Variant, ...]:
    """Returns the variants that have the name, or whose family has it."""
    folded = _folded(name)
    return tuple(
        one
        for one in all_variants()
        if folded in all_names(one)
        or folded in {_folded(family) for family in one.about.get("family", {}).values()}
    )


def _nearest(name: str) -> list[str]:
    """Returns the ids of a few variants that an unknown name may mean."""
    from difflib import get_close_matches

    near = [one.id for one in find_variants(name)]
    if 0 < len(near) <= _MAX_SUGGESTIONS:
        return near
    return get_close_matches(shorten(name).lower(), variant_ids(), n=3, cutoff=0.6)


def find_variants(words: str) -> tuple[Variant, ...]:
    """Returns the variants that have a text in their id or in any of their names, in any language or program.

    >>> [one.id for one in find_variants("brannumh")]
    ['brandub-breyer', 'brandub-globe', 'brandub-kouvia-7']
    """
    folded = _folded(words)
    return tuple(one for one in all_variants() if folded and any(folded in name for name in all_names(one)))


def all_names(variant: Variant) -> list[str]:
    """Returns the id, the names and the names in other programs of a variant, in lower case."""
    names = [variant.id, *variant.about.get("names", {}).values(), *variant.about.get("also", [])]
    for elsewhere in variant.about.get("elsewhere", {}).values():
        names += elsewhere
    return list(dict.fromkeys(_folded(str(name)) for name in names))


def _folded(name: str) -> str:
    """Returns a name in lower case, with one ordinary space for no-break spaces and for several."""
    return " ".join(name.split()).casefold()
