"""The nouns of a variant, with the articles a sentence needs: "the brannán", "du roi", "un assaillant"."""

from collections.abc import Mapping
from typing import Any

from hnefi.i18n import text
from hnefi.words.variant_texts import lookup

__all__ = ["capitalised", "nouns_of", "source_name", "source_word"]

_VOWELS = "aàâäeéèêëiîïoôöuùûüyœæ"


def nouns_of(about: Mapping[str, Any], lang: str) -> dict[str, str]:
    """Returns the nouns for the placeholders of the texts.

    The sentences need nouns of one word, in French masculine ones. Where a text has other names ("pièces
    noires"), the usual nouns are used, and `source_name` returns the text's names.

    Args:
        about: The variant's facts, with its names for pieces.
        lang: The language.

    >>> nouns = nouns_of({}, "fr")
    >>> nouns["the_king"], nouns["The_attacker"], nouns["of_king"]
    ('le roi', 'L’attaquant', 'du roi')
    """
    singular = {"soldier": text("words.noun.soldier", lang), "king": text("words.noun.king", lang)}
    nouns = {"soldiers": text("words.noun.soldiers", lang)}
    for noun in ("attacker", "defender"):
        fits = _fits(lookup(about, "words", noun, lang))
        names = {number: _name(about, noun, number, lang) if fits else None for number in ("one", "many")}
        singular[noun] = names["one"] or text(f"words.noun.{noun}", lang)
        nouns[f"{noun}s"] = names["many"] or text(f"words.noun.{noun}s", lang)
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
    """Capitalises the first letter of a phrase."""
    return phrase[:1].upper() + phrase[1:]


def source_name(about: Mapping[str, Any], noun: str, lang: str) -> str | None:
    """Returns the source's name for a noun, or None if the sentences already use it.

    Args:
        about: The variant's facts.
        noun: `throne`, `corners`, `attackers` or `defenders`.
        lang: The language.
    """
    name = _name(about, noun.removesuffix("s"), "" if noun == "throne" else "many", lang)
    used = text(f"words.noun.{noun}", lang) if noun in ("throne", "corners") else nouns_of(about, lang)[noun]
    return None if name == used else name


def source_word(about: Mapping[str, Any], noun: str, lang: str) -> str | None:
    """Returns the source's word for a noun, or None if it is the usual word.

    Args:
        about: The variant's facts.
        noun: `king`, `throne`, `attackers`, `defenders` or `corners`.
        lang: The language.

    >>> about = {"words": {"throne": {"fr": "Konakis"}, "king": {"fr": "roi"}}}
    >>> source_word(about, "throne", "fr"), source_word(about, "king", "fr")
    ('Konakis', None)
    """
    name = _name(about, noun.removesuffix("s"), "many" if noun.endswith("s") else "", lang)
    return None if name == text(f"words.noun.{noun}", lang) else name


def _fits(name: object) -> bool:
    """Checks whether a noun fits the sentences: one word, masculine in languages with gender."""
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
