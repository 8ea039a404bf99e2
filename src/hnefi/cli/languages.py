"""Lists of names and of languages in options."""

from hnefi import i18n
from hnefi.cli.faults import bad_usage


def listed(names: str) -> list[str]:
    """Returns the names in a text with commas."""
    return [name.strip() for name in names.split(",") if name.strip()]


def listed_languages(spoken: str) -> tuple[str, ...]:
    """Returns the languages of the option `--languages`, each once.

    Raises:
        CommandError: If there is no such language, or none is named.
    """
    known = i18n.languages()
    names = listed(spoken.lower())
    if not names:
        raise bad_usage("choice", name="--languages", found=spoken, expected=" | ".join(known))
    if unknown := [name for name in names if name not in known]:
        raise bad_usage("choice", name="--languages", found=unknown[0], expected=" | ".join(known))
    return tuple(dict.fromkeys(names))
