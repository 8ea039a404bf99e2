"""The nouns of a variant, with the articles a sentence needs: "the brannán", "du roi", "un assaillant"."""

from collections.abc import Mapping
from typing import Any

from hnefi.i18n import text
from hnefi.words.facts import lookup

__all__ = ["nouns_of"]

_VOWELS = "aàâäeéèêëiîïoôöuùûüyœæ"


def nouns_of(about: Mapping[str, Any], lang: str) -> dict[str, str]:
    """Returns the nouns that the texts have placeholders for.

    The sentences are made for nouns of one word, in French for masculine ones; where a text calls its pieces
    otherwise ("pièces noires") they keep their usual names, and `own_name` tells how the text calls them.

    Args:
        about: The variant's facts; its own names for its pieces are used where it has them.
        lang: The language.

    >>> nouns = nouns_of({}, "fr")
    >>> nouns["the_king"], nouns["The_attacker"], nouns["of_king"]
    ('le roi', 'L’attaquant', 'du roi')
    """
    singular = {"soldier": text("words.noun.soldier", lang), "king": text("words.noun.king", lang)}
    nouns = {"soldiers": text("words.noun.soldiers", lang)}
    for noun in ("attacker", "defender"):
        fits = _fits(lookup(about, "words", noun, lang))
        own = {number: _name(about, noun, number, lang) if fits else None for number in ("one", "many")}
        singular[noun] = own["one"] or text(f"words.noun.{noun}", lang)
        nouns[f"{noun}s"] = own["many"] or text(f"words.noun.{noun}s", lang)
    king = _name(about, "king", "", lang)
    singular["king"] = king if king and " " not in king else singular["king"]
    nouns |= singular
    forms = _french_forms if lang == "fr" else _english_forms
    for noun, name in singular.items():
        for form, phrase in forms(name).items():
            nouns[f"{form}_{noun}"] = phrase
            nouns[f"{form.capitalize()}_{noun}"] = capitalised(phrase)
    return nouns


def capitalised(phrase: str) -> str:
    """Returns a phrase with a capital, and leaves the rest of it alone."""
    return phrase[:1].upper() + phrase[1:]


def own_name(about: Mapping[str, Any], thing: str, lang: str) -> str | None:
    """Returns a variant's own name for a thing where the sentences use another one.

    Args:
        about: The variant's facts.
        thing: `throne`, `corners`, `attackers` or `defenders`.
        lang: The language.
    """
    name = _name(about, thing.removesuffix("s"), "" if thing == "throne" else "many", lang)
    used = (
        text(f"words.noun.{thing}", lang) if thing in ("throne", "corners") else nouns_of(about, lang)[thing]
    )
    return None if name == used else name


def _fits(name: object) -> bool:
    """Checks that a noun goes into the sentences: one word, and masculine where that matters."""
    if not isinstance(name, Mapping) or name.get("gender", "m") != "m":
        return False
    return all(isinstance(form, str) and " " not in form for form in (name.get("one"), name.get("many")))


def _name(about: Mapping[str, Any], noun: str, number: str, lang: str) -> str | None:
    name = lookup(about, "words", noun, lang)
    if isinstance(name, Mapping):
        name = name.get(number)
    return name if isinstance(name, str) and name else None


def _english_forms(noun: str) -> dict[str, str]:
    article = "an" if noun[:1].lower() in "aeiou" else "a"
    return {"the": f"the {noun}", "of": f"of the {noun}", "to": f"to the {noun}", "a": f"{article} {noun}"}


def _french_forms(noun: str) -> dict[str, str]:
    if noun[:1].lower() in _VOWELS:
        return {"the": f"l’{noun}", "of": f"de l’{noun}", "to": f"à l’{noun}", "a": f"un {noun}"}
    return {"the": f"le {noun}", "of": f"du {noun}", "to": f"au {noun}", "a": f"un {noun}"}
