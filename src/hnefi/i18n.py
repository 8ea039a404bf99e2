"""The texts a user sees, in every language: one gettext catalogue, with keys as message ids."""

import errno
import gettext
import os
import re
import warnings
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

from hnefi.errors import Fault, FaultyInput, HnefiError

if TYPE_CHECKING:
    from hnefi._core import Outcome

DOMAIN = "hnefi"
FALLBACK = "en"

_LOCALE = Path(__file__).parent / "locale"
# The values of absent parameters.
_ABSENT = ("", "-", "none")
_LANGUAGE_VARIABLES = ("HNEFI_LANG", "LC_ALL", "LC_MESSAGES", "LANG")


class MissingText(ResourceWarning):
    """A key without a text in the language asked for; hidden from users, an error in tests."""


@cache
def languages() -> tuple[str, ...]:
    """Returns the sorted two-letter codes of the languages that have a catalogue.

    >>> languages()
    ('en', 'fr')
    """
    return tuple(sorted(folder.parent.name for folder in _LOCALE.glob("*/LC_MESSAGES")))


def current_language() -> str:
    """Returns the language of the user: `HNEFI_LANG`, else the system's locale, else English.

    The first of `HNEFI_LANG`, `LC_ALL`, `LC_MESSAGES` and `LANG` that is set decides.
    """
    for variable in _LANGUAGE_VARIABLES:
        if value := os.environ.get(variable):
            return language_of(value)
    return FALLBACK


def language_of(locale: str | None) -> str:
    """Returns the language for the name of a locale, English if it has no catalogue; for None the user's.

    >>> language_of("fr_CA.UTF-8"), language_of("FR-be"), language_of("C")
    ('fr', 'fr', 'en')
    """
    return current_language() if locale is None else _language_of(locale)


@lru_cache(maxsize=256)
def _language_of(locale: str) -> str:
    code = locale.replace("-", "_").split("_")[0].split(".")[0].lower()
    return code if code in languages() else FALLBACK


def text(key: str, lang: str | None = None, /, **parameters: object) -> str:
    """Returns the text of a key with its placeholders filled in.

    A key that the language lacks is returned in English, with the warning `MissingText`.

    Args:
        key: The key, such as `piece.king`.
        lang: A language or a locale's name; that of the user if None.

    >>> text("result.defenders", "fr")
    'Le camp du roi gagne.'
    """
    return filled(key, lang, parameters)


def filled(key: str, lang: str | None, parameters: Mapping[str, object], /) -> str:
    """Returns the text of a key as `text` does, with the values of the placeholders in one mapping."""
    language = language_of(lang)
    for code in dict.fromkeys((language, FALLBACK)):
        found = _catalogue(code).gettext(key)
        if found != key:
            return found.format_map(parameters) if parameters else found
        _warn(key, code)
    return key


def plural(key: str, n: int, lang: str | None = None, /, **parameters: object) -> str:
    """Returns the text of a key in the plural form for `n`, which is also the placeholder `{n}`.

    >>> plural("count.squares", 1, "en"), plural("count.squares", 0, "fr")
    ('1 square', '0 case')
    """
    language = language_of(lang)
    for code in dict.fromkeys((language, FALLBACK)):
        found = _catalogue(code).ngettext(key, key, n)
        if found != key:
            return found.format(n=n, **parameters)
        _warn(key, code)
    return key


def decimal(number: float, lang: str | None = None, form: str = ".1f") -> str:
    """Formats a number with the decimal mark of a language.

    >>> decimal(17.46, "fr"), decimal(0.5, "en", "g")
    ('17,5', '0.5')
    """
    return f"{number:{form}}".replace(".", text("cli.decimal_mark", lang))


def grouped(number: float, lang: str | None = None) -> str:
    """Formats a number in groups of three digits.

    >>> grouped(42394712, "en")
    '42,394,712'
    """
    return f"{number:,.0f}".replace(",", text("cli.thousand", lang)[1])


def has_text(key: str, lang: str | None = None, /) -> bool:
    """Checks whether a language has a text for a key."""
    return _catalogue(language_of(lang)).gettext(key) != key


def texts(prefixes: tuple[str, ...], lang: str | None = None, /) -> dict[str, str | list[str]]:
    """Returns all texts whose keys have a prefix, by key, with open placeholders; plural forms as a list.

    >>> texts(("result.dra", "count."), "fr")
    {'count.squares': ['{n} case', '{n} cases'], 'result.draw': 'La partie est nulle.'}
    """
    return dict(_texts(prefixes, language_of(lang)))


@cache
def _texts(prefixes: tuple[str, ...], language: str) -> dict[str, str | list[str]]:
    """Goes through all keys, which takes as long as all else of a small page: once for the same texts."""
    found: dict[str, str | list[str]] = {}
    for code in (FALLBACK, language):
        entries: Mapping[str | tuple[str, int], str] = getattr(_catalogue(code), "_catalog", {})
        for key, said in entries.items():
            name = key if isinstance(key, str) else key[0]
            if not name.startswith(prefixes):
                continue
            if isinstance(key, str):
                found[name] = said
            else:
                forms = found.setdefault(name, ["", ""])
                assert isinstance(forms, list)
                forms[key[1]] = said
    return found


def outcome_text(outcome: "Outcome", lang: str | None = None, /) -> str:
    """Formats how a game ended: "The king has escaped. The king’s side wins." """
    return _outcome(outcome.winner.value if outcome.winner else "draw", outcome.reason.value, lang)


def _outcome(winner: str, reason: str, lang: str | None) -> str:
    key = f"outcome.{reason}.{winner}"
    if has_text(key, FALLBACK):
        return text(key, lang)
    return f"{text(f'reason.{reason}', lang)} {text(f'result.{winner}', lang)}"


def explain(error: HnefiError, lang: str | None = None, /) -> str:
    """Returns the message of an error in a language, from its code and parameters.

    Pieces and sides among the parameters are translated, with the articles that the sentence needs. An error
    whose parameters do not fill the sentence keeps its English detail.
    """
    key = _error_key(error)
    if not has_text(key, FALLBACK):
        return error.detail
    facts = _words_of(error.parameters, lang)
    sentence = text(key, lang)
    if any(name not in facts for _, name, _, _ in Formatter().parse(sentence) if name):
        return error.detail
    faults = error.faults if isinstance(error, FaultyInput) else ()
    return "\n".join([sentence.format(**facts), *(_explain_fault(fault, lang) for fault in faults)])


def _error_key(error: HnefiError) -> str:
    """Returns the key of an error; its part, or an absent parameter, may select a special text."""
    part = f"error.{error.code}.{error.parameters.get('part')}"
    absent = [name for name, value in error.parameters.items() if value in _ABSENT]
    special = [f"{part}.no_{name}" for name in absent]
    special += [part, *(f"error.{error.code}.no_{name}" for name in absent)]
    return next((key for key in special if has_text(key, FALLBACK)), f"error.{error.code}")


def _explain_fault(fault: Fault, lang: str | None) -> str:
    key = f"fault.{fault.code}"
    if not has_text(key, FALLBACK):
        return str(fault)
    found = _system_words(fault.found, lang) if fault.code == "unreadable" else fault.found
    facts = {"found": found, "expected": fault.expected, **fault.facts, "path": fault.path}
    if fault.code in ("bad_json", "bad_toml"):
        facts = {**_place_in(fault.found), **facts, "wanted": _wanted(fault.found, lang)}
    special = [f"{key}.no_{name}" for name in ("line", "path") if facts.get(name, "-") in _ABSENT]
    special += [f"{key}.{fault.facts[name]}" for name in ("part", "side") if name in fault.facts]
    special.append(f"{key}.{fault.kind}")
    return filled(next((one for one in special if has_text(one, FALLBACK)), key), lang, facts)


def _words_of(parameters: dict[str, str], lang: str | None) -> dict[str, str]:
    """Adds to the parameters of an error the forms of pieces, sides and outcome that texts need."""
    facts = dict(parameters)
    if piece := parameters.get("piece"):
        facts["piece"] = text(f"piece.{piece}", lang)
        facts["a_piece"] = text(f"a_piece.{piece}", lang)
        facts["to_kind"] = text(f"to_kind.{piece.partition('_')[0]}", lang)
    if turn := parameters.get("turn"):
        facts["turn"] = text(f"side.{turn}", lang)
        facts["to_turn"] = text(f"to_side.{turn}", lang)
    if (limit := parameters.get("limit", "")).isdecimal():
        facts["squares"] = plural("count.squares", int(limit), lang)
    if "why" in parameters:
        facts["why"] = _system_words(parameters["why"], lang)
    if parameters.get("part") == "text" and "found" in parameters:
        facts["wanted"] = _wanted(parameters["found"], lang)
    if reason := parameters.get("reason"):
        winner = parameters.get("winner", "")
        facts["outcome"] = _outcome("draw" if winner in _ABSENT else winner, reason, lang)
    return facts


# How messages of the parsers of JSON and TOML begin, by the key of the text for what they expect.
_WANTED = {
    "more": "EOF while",
    "key": "key must be|Expecting property name",
    "colon": "expected `:`|Expecting ':'",
    "comma": "expected `,`|Expecting ','|Unclosed",
    "no_comma": "trailing comma|Illegal trailing comma",
    "nothing": "trailing characters|Extra data",
    "levels": "recursion limit|maximum recursion",
    "digits": "Exceeds the limit",
    "parts": "Too many parts",
    "pair": "Invalid statement|Invalid initial|Expected '=' after",
    "bracket": r"Expected '\]",
    "line_end": "Expected newline",
    "once": "Cannot|Duplicate",
    "escape": r"(?i)invalid \\?escape|Unescaped|Escaped|invalid unicode|unexpected end of hex|lone leading",
    "quotes": "control character|Invalid control|Unterminated|Illegal character|Found invalid|Expected ",
    "value": "(?i)expected|Expecting value|Invalid|number out of range",
}
_JSON_PLACE = re.compile(r" at line (\d+) column (\d+)$")


def _wanted(words: str, lang: str | None) -> str:
    """Returns what a parser expected, in our words, from its own."""
    name = next((name for name, begin in _WANTED.items() if re.match(begin, words)), "other")
    return text(f"fault.wanted.{name}", lang)


def _place_in(words: str) -> dict[str, str]:
    """Returns line and column that the words of the core's parser end with; none if they are cut off."""
    found = _JSON_PLACE.search(words)
    return {"line": found[1], "column": str(max(1, int(found[2])))} if found else {}


# Messages of the operating system and of Python, and the keys of their texts.
_SYSTEM = {
    os.strerror(errno.ENOENT): "missing",
    os.strerror(errno.EACCES): "forbidden",
    os.strerror(errno.EPERM): "forbidden",
    os.strerror(errno.EISDIR): "folder",
    os.strerror(errno.ENOTDIR): "no_folder",
    os.strerror(errno.ENOSPC): "full",
    os.strerror(errno.EROFS): "read_only",
    os.strerror(errno.ENAMETOOLONG): "too_long",
    # Where a folder is created.
    os.strerror(errno.EEXIST): "file",
    os.strerror(errno.EIO): "io",
    # Of SQLite.
    "file is not a database": "no_database",
    "database or disk is full": "full",
    "disk I/O error": "io",
    "unable to open database file": "unopened",
    "attempt to write a readonly database": "forbidden",
    "database disk image is malformed": "malformed",
    # Of `shlex`, about the command of an engine.
    "No closing quotation": "quotation",
    "no command": "no_command",
}


def _system_words(why: str, lang: str | None) -> str:
    return text(f"system.{_SYSTEM[why]}", lang) if why in _SYSTEM else why


def _warn(key: str, language: str) -> None:
    warnings.warn(f"no text for {key!r} in {language!r}", MissingText, stacklevel=3)


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    """Reads a compiled catalogue, once for each language."""
    path = _LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    try:
        with path.open("rb") as file:
            return gettext.GNUTranslations(file)
    except FileNotFoundError:
        raise FileNotFoundError(
            f"{path}: not found, expected the compiled texts; they are made when Hnefi is built: "
            "run `make`, or `python tools/compile_catalogues.py`"
        ) from None
