"""Lists of names and of languages in options."""

from hnefi import i18n
from hnefi.cli.faults import bad_usage


def listed(names: str) -> list[str]:
    """Returns the names in a text with commas."""
    return [name.strip() for name in names.split(",") if name.strip()]


def listed_languages(spoken: str | None, usual: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the languages of the option `--languages`, each once; without the option the usual ones.

    Raises:
        CommandError: If there is no such language, or none is named.
    """
    if spoken is None:
        return usual
    known = i18n.languages()
    names = listed(spoken.lower())
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        found = unknown[0] if unknown else spoken
        raise bad_usage("choice", name="--languages", found=found, expected=" | ".join(known))
    return tuple(dict.fromkeys(names))
