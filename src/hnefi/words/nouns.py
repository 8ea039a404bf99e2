"""The nouns of a variant, with the forms that a sentence needs: "du Konakis", "une pièce noire"."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hnefi.i18n import text
from hnefi.words.variant_texts import lookup

NOUNS = ("attacker", "defender", "soldier", "king", "throne", "corner")
"""The nouns that a variant file may give."""

_VOWELS = "aàâäeéèêëiîïoôöuùûüyœæ"
_SINGLE = ("king", "throne")


@dataclass(frozen=True, slots=True)
class _Noun:
    """A noun in one language: `many` is empty if there is only one, `side` names the players' side."""

    one: str
    many: str = ""
    side: str = ""
    is_feminine: bool = False
    has_article: bool = True


def nouns_of(about: Mapping[str, Any], lang: str) -> dict[str, str]:
    """Returns the nouns for the placeholders of the texts.

    Each noun has the forms `the_`, `of_`, `to_`, `a_`, `this_`, `one_` (a pronoun) and the ending `e_` of
    adjectives and participles. Plurals have `the_`, `of_`, `all_`, `one_of_` and `taken_`; attackers and
    defenders also the name of their side, as in `the_attackers_side`, with the ending `s_` of its verb.
    The pronouns are `he_` and `him_`, in French also `if_he_` and the object `it_`, in English `his_` and
    `hers_`. In French, `both` and `taken_both` are of the king and a defender. Forms with a capital begin a
    sentence.

    Args:
        about: The variant's facts, with its names for pieces and squares.

    >>> nouns = nouns_of({}, "fr")
    >>> nouns["the_king"], nouns["The_attacker"], nouns["of_throne"], nouns["one_of_corners"]
    ('le roi', 'L’attaquant', 'du trône', 'l’un des coins')
    """
    usual = {name: _usual(name, lang) for name in NOUNS}
    named = (_given(lookup(about, "words", name, lang), noun) or noun for name, noun in usual.items())
    return dict(_forms_of(tuple(named), lang))


@lru_cache(maxsize=128)
def _forms_of(named: tuple[_Noun, ...], lang: str) -> dict[str, str]:
    """Returns all forms of the nouns of a variant, in the order of `NOUNS`; most have the same ones."""
    nouns: dict[str, str] = {}
    for name, noun in zip(NOUNS, named, strict=True):
        nouns[name] = noun.one
        forms = dict(_french_forms(name, noun) if lang == "fr" else _english_forms(name, noun))
        if noun.many:
            nouns[f"{name}s"] = noun.many
        for form, phrase in forms.items():
            nouns[form] = phrase
            nouns[capitalised(form)] = capitalised(phrase)
    if lang == "fr":
        e = nouns["e_king"] and nouns["e_defender"]
        nouns["both"], nouns["taken_both"] = ("toutes les deux", "prises") if e else ("tous les deux", "pris")
    return nouns


def capitalised(phrase: str) -> str:
    """Capitalises the first letter of a phrase."""
    return phrase[:1].upper() + phrase[1:]


def uncapitalised(phrase: str) -> str:
    """Returns a sentence as it follows a colon or a few words: it must not begin with a name.

    >>> uncapitalised("Il le peut.")
    'il le peut.'
    """
    return phrase[:1].lower() + phrase[1:]


def is_own_name(about: Mapping[str, Any], name: str, lang: str) -> bool:
    """Checks whether a variant has a name of its own for something, other than the usual one."""
    usual = _usual(name, lang)
    given = _given(lookup(about, "words", name, lang), usual)
    return given is not None and given.one != usual.one


def with_usual_name(about: Mapping[str, Any], noun: str, lang: str, phrase: str) -> str:
    """Returns a phrase with a noun of a variant, and with the usual noun in brackets if that is another one.

    Args:
        about: The variant's facts, with its names for pieces and squares.
        noun: One of `NOUNS`, or its plural.
        phrase: The phrase, such as "4 princes".

    >>> about = {"words": {"king": {"en": "brannán"}}}
    >>> with_usual_name(about, "king", "en", "the brannán"), with_usual_name({}, "king", "en", "the king")
    ('the brannán (king)', 'the king')
    """
    is_own = is_own_name(about, noun.removesuffix("s"), lang)
    return f"{phrase} ({text(f'words.noun.{noun}', lang)})" if is_own else phrase


@lru_cache(maxsize=64)
def _usual(name: str, lang: str) -> _Noun:
    many = "" if name in _SINGLE else text(f"words.noun.{name}s", lang)
    return _Noun(text(f"words.noun.{name}", lang), many)


def _given(name: object, usual: _Noun) -> _Noun | None:
    """Returns the noun of a variant file, None if it has none that can be used."""
    if isinstance(name, str) and name and not usual.many:
        return _Noun(name)
    if not isinstance(name, Mapping):
        return None
    one, many, side = name.get("one"), name.get("many"), name.get("side", "")
    if not (isinstance(one, str) and one and isinstance(side, str)):
        return None
    if usual.many and not (isinstance(many, str) and many):
        return None
    return _Noun(
        one,
        str(many) if usual.many else "",
        side,
        is_feminine=name.get("gender") == "f",
        has_article=name.get("article") is not False,
    )


def of_person(name: str, lang: str) -> str:
    """Returns the name of an author or a publisher after "of".

    >>> of_person("Le Globe Joueur", "fr"), of_person("Aage Nielsen", "fr"), of_person("Géoludie", "en")
    ('du Globe Joueur', 'd’Aage Nielsen', 'of Géoludie')
    """
    if lang != "fr":
        return f"of {name}"
    for article, of in (("Le ", "du"), ("Les ", "des")):
        if name.startswith(article):
            return f"{of} {name.removeprefix(article)}"
    return f"d’{name}" if name[:1].lower() in _VOWELS else f"de {name}"


def _english_forms(name: str, noun: _Noun) -> Iterator[tuple[str, str]]:
    the = f"the {noun.one}" if noun.has_article else noun.one
    article = "an" if noun.one[:1].lower() in "aeiou" else "a"
    yield from ((f"the_{name}", the), (f"of_{name}", f"of {the}"), (f"to_{name}", f"to {the}"))
    yield from ((f"a_{name}", f"{article} {noun.one}"), (f"this_{name}", f"this {noun.one}"))
    yield from ((f"one_{name}", "one"), (f"e_{name}", ""))
    pronouns = ("she", "her", "her", "hers") if noun.is_feminine else ("he", "him", "his", "his")
    yield from zip((f"he_{name}", f"him_{name}", f"his_{name}", f"hers_{name}"), pronouns, strict=True)
    if noun.many:
        names = f"{name}s"
        yield from ((f"the_{names}", f"the {noun.many}"), (f"of_{names}", f"of the {noun.many}"))
        yield from ((f"all_{names}", f"all the {noun.many}"), (f"one_of_{names}", f"one of the {noun.many}"))
        yield f"taken_{names}", "captured"
        # "White" plays as a single person, "the princes" play as several.
        side = noun.side or f"the {noun.many}"
        yield from ((f"the_{names}_side", side), (f"of_{names}_side", f"of {side}"))
        yield f"s_{names}_side", "s" if noun.side else ""


def _french_forms(name: str, noun: _Noun) -> Iterator[tuple[str, str]]:
    begins_with_vowel = noun.one[:1].lower() in _VOWELS
    e = "e" if noun.is_feminine else ""
    if not noun.has_article:
        elided = f"d’{noun.one}" if begins_with_vowel else f"de {noun.one}"
        the, of, to = noun.one, elided, f"à {noun.one}"
    elif begins_with_vowel:
        the, of, to = f"l’{noun.one}", f"de l’{noun.one}", f"à l’{noun.one}"
    elif noun.is_feminine:
        the, of, to = f"la {noun.one}", f"de la {noun.one}", f"à la {noun.one}"
    else:
        the, of, to = f"le {noun.one}", f"du {noun.one}", f"au {noun.one}"
    this = "cette" if noun.is_feminine else "cet" if begins_with_vowel else "ce"
    yield from ((f"the_{name}", the), (f"of_{name}", of), (f"to_{name}", to))
    yield from ((f"a_{name}", f"un{e} {noun.one}"), (f"this_{name}", f"{this} {noun.one}"))
    yield from ((f"one_{name}", f"un{e}"), (f"e_{name}", e))
    pronouns = ("elle", "elle", "si elle", "la") if noun.is_feminine else ("il", "lui", "s’il", "le")
    yield from zip((f"he_{name}", f"him_{name}", f"if_he_{name}", f"it_{name}"), pronouns, strict=True)
    if noun.many:
        names, tous = f"{name}s", "toutes" if noun.is_feminine else "tous"
        yield from ((f"the_{names}", f"les {noun.many}"), (f"of_{names}", f"des {noun.many}"))
        yield from (
            (f"all_{names}", f"{tous} les {noun.many}"),
            (f"one_of_{names}", f"l’un{e} des {noun.many}"),
        )
        yield f"taken_{names}", f"pris{e and 'es'}"
        side = noun.side or noun.many
        yield from ((f"the_{names}_side", f"les {side}"), (f"of_{names}_side", f"des {side}"))
        yield from ((f"s_{names}_side", ""), (f"to_{names}_side", f"aux {side}"))
