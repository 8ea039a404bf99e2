"""Search for variants by any of their names, their size and their region, with spelling mistakes.

web/src/pages/catalogue/variant_search.ts searches in the same way; both have the examples of
tests/variant_searches.json.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import compress
from operator import not_
from typing import Any

from hnefi.i18n import text
from hnefi.variants.finding import all_variants
from hnefi.variants.model import Variant

_LETTERS = str.maketrans({"ð": "d", "þ": "th", "æ": "ae", "ø": "o", "œ": "oe", "ß": "ss"})
_SIZE = re.compile(r"(\d+)\s*[x×]\s*(\d+)")
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[a-z0-9]+")
# The longest search, in words; of a longer one the rest is ignored.
_MOST_WORDS = 6


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """A name or a fact by which a variant is found.

    Attributes:
        text: The name.
        why: Why it stands for the variant, as a sentence; empty if a list shows the name itself.
    """

    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class FoundVariant:
    """A variant that a search has found.

    Attributes:
        mistakes: How many letters of the search differ.
        why: Why it was found, as a sentence; empty if its name shows it.
    """

    id: str
    mistakes: int
    why: str


def search_variants(query: str, lang: str) -> tuple[FoundVariant, ...]:
    """Returns the variants that fit a search, those without mistakes before all others, or only the nearest.

    >>> [found.id for found in search_variants("copenhagn", "en")][0]
    'copenhagen-11'
    >>> search_variants("viking chess", "en")[0].why
    '“Viking chess” is a modern name for hnefatafl.'
    >>> search_variants("backgammon", "en")
    ()
    """
    found = [
        FoundVariant(one.id, *matched)
        for one in all_variants()
        if (matched := match(query, search_terms(one, lang))) is not None
    ]
    fewest = min((one.mistakes for one in found), default=0)
    return tuple(one for one in found if one.mistakes == fewest)


def search_known_words(query: str, lang: str) -> tuple[tuple[FoundVariant, ...], tuple[str, ...]]:
    """Returns the variants that fit a search without its unknown words, and these words.

    If no variant fits the whole search, the words are kept that one variant fits, as many letters as it can;
    all others are unknown.

    >>> found, unknown = search_known_words("rules of copenhagen", "en")
    >>> found[0].id, unknown
    ('copenhagen-11', ('rules', 'of'))
    >>> search_known_words("backgammon", "en")
    ((), ('backgammon',))
    """
    found = search_variants(query, lang)
    words = _words(query)[:_MOST_WORDS]
    if found or not words:
        return found, ()
    fits = [[match(word, search_terms(one, lang)) is not None for word in words] for one in all_variants()]
    fit = max(fits, key=lambda fit: (len("".join(compress(words, fit))), fit))
    known, unknown = tuple(compress(words, fit)), tuple(compress(words, map(not_, fit)))
    return (search_variants(" ".join(known), lang) if known else ()), unknown


def is_named(query: str, name: str) -> bool:
    """Checks whether every word of a search begins a word of a name.

    >>> is_named("tawl", "Tawlbwrdd"), is_named("tawl", "Hnefatafl"), is_named("", "Hnefatafl")
    (True, False, False)
    """
    words = _words(query)
    return bool(words) and all(any(part.startswith(word) for part in _words(name)) for word in words)


def match(query: str, terms: Sequence[SearchTerm]) -> tuple[int, str] | None:
    """Returns the mistakes of a search and why its terms fit; None if they do not."""
    mistakes, why = 0, ""
    for word in _words(query)[:_MOST_WORDS]:
        best = min(
            (
                (distance, bool(term.why), term.why)
                for term in terms
                for distance in _distances(word, term.text)
            ),
            default=None,
        )
        if best is None:
            return None
        mistakes += best[0]
        why = why or best[2]
    return mistakes, why


def _distances(word: str, name: str) -> Iterable[int]:
    """Iterates over the distances of a word to the words of a text that are near enough."""
    allowed = 0 if len(word) < 4 else 1 if len(word) < 7 else 2
    for other in _words(name):
        if other.startswith(word) or (len(word) > 3 and word in other):
            yield 0
        elif abs(len(other) - len(word)) <= allowed and not _DIGIT.search(word):
            distance = _distance(word, other)
            if distance <= allowed:
                yield distance


@lru_cache(maxsize=4_096)
def _distance(one: str, other: str) -> int:
    """Returns the edit distance of two words; two neighbours in the wrong order count once.

    >>> _distance("tablut", "talbut"), _distance("brandub", "brandubh")
    (1, 1)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, there in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != there))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == there:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


@cache
def _words(name: str) -> tuple[str, ...]:
    """Returns the words of a text in lower case, without accents; a size such as `11 × 11` is one word."""
    plain = unicodedata.normalize("NFD", name.lower().translate(_LETTERS))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return tuple(_WORD.findall(_SIZE.sub(r"\1x\2", plain)))


def search_terms(one: Variant, lang: str) -> tuple[SearchTerm, ...]:
    """Returns the terms by which a variant is found: names, family, size, region, other names."""
    about, size = one.about, one.rules.size
    shown = [*about.get("names", {}).values(), *about.get("family", {}).values()]
    shown += [*about.get("region", {}).values(), f"{size}x{size}"]
    terms = {name: SearchTerm(name) for name in (one.id, *shown)}
    others = [
        *about.get("also", []),
        *(name for names in about.get("elsewhere", {}).values() for name in names),
    ]
    terms |= {
        name: SearchTerm(name, text("page.wall.also", lang, name=name))
        for name in others
        if name not in terms
    }
    for entry in _other_names():
        is_meant = (
            one.id in entry.get("variants", ()) or about.get("family", {}).get("en") in entry["families"]
        )
        if is_meant:
            why = entry["why"].get(lang, entry["why"]["en"])
            terms |= {name: SearchTerm(name, why) for name in entry["names"] if name not in terms}
    return tuple(terms.values())


@cache
def _other_names() -> tuple[dict[str, Any], ...]:
    read = files("hnefi.variants").joinpath("other_names.toml").read_text("utf-8")
    return tuple(tomllib.loads(read)["name"])
