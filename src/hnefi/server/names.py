"""The names that players give to themselves and to changed rules, as text of one line."""

import unicodedata

LONGEST_TITLE = 60
"""The most characters of the name of changed rules."""


def normalised_name(name: str) -> str:
    """Returns a name with single spaces, and refuses characters that cannot be printed.

    Raises:
        ValueError: If it has one.
    """
    normalised = " ".join(unicodedata.normalize("NFC", name).split())
    if not normalised.isprintable():
        raise ValueError("a name has letters that cannot be seen")
    return normalised
