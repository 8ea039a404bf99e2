"""The codes of classes: syllables that are read aloud and typed as they are heard."""

import itertools
import secrets
import unicodedata

_CONSONANTS, _VOWELS, _SYLLABLES = "dfkmnrstv", "aeio", 4
_RUDE = ("kona", "kone", "nase", "nike", "sado", "sati", "tare")
"""Syllables that no teacher wants to read aloud, in English or French, besides syllables that are doubled."""

_SPELLED_LIKE = str.maketrans({"c": "k", "q": "k", "ç": "s", "z": "s", "y": "i"})


def new_code() -> str:
    """Creates a code of four syllables, which can be read aloud: 1.7 million of them.

    >>> len(new_code())
    8
    """
    while True:
        syllables = [secrets.choice(_CONSONANTS) + secrets.choice(_VOWELS) for _ in range(_SYLLABLES)]
        code = "".join(syllables)
        is_doubled = any(one == other for one, other in itertools.pairwise(syllables))
        if not is_doubled and not any(word in code for word in _RUDE):
            return code


def normalised_code(text: str) -> str:
    """Returns a code as it is stored, from what was heard and typed: case, accents and spaces do not count.

    >>> normalised_code("Toca-RIFÉ")
    'tokarife'
    """
    spelled = text.casefold().replace("ph", "f").translate(_SPELLED_LIKE)
    return "".join(one for one in unicodedata.normalize("NFD", spelled) if one.isascii() and one.isalpha())
