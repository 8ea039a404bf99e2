"""What the sections of a variant file besides `[rules]` may have, and the faults of others.

docs/reference/variant-files.md describes them for readers.
"""

from collections.abc import Iterator
from typing import Any

from hnefi.errors import Fault, shorten
from hnefi.variants.model import LONGEST_NAME, STATUSES, TRAITS
from hnefi.variants.schema import schema
from hnefi.variants.switches import CALL_DEFAULTS, CALL_SWITCHES

# A shape is a type; a set of allowed values; a list with the shape of its items; a table, with the shape of
# each key or with `str` for keys of any name; or a tuple of shapes of which one must fit.
_SPOKEN = {str: str}
_TERM = {str: (str, {"one": str, "many": str, "gender": frozenset("fm"), "side": str, "article": bool})}
_ABOUT: dict[str, Any] = {
    "names": _SPOKEN,
    "also": [str],
    "unsaid": [str],
    "elsewhere": {str: [str]},
    "family": _SPOKEN,
    "region": _SPOKEN,
    "status": frozenset(STATUSES),
    "status_note": _SPOKEN,
    "players": int,
    "is_individual": bool,
    "minutes": [int],
    "ease": _SPOKEN,
    "categories": [_SPOKEN],
    "words": dict.fromkeys(("attacker", "defender", "soldier", "corner", "king", "throne"), _TERM),
    "corner_names": [str],
    "history": _SPOKEN,
    "strategy": _SPOKEN,
    "claims": _SPOKEN,
    "claimed": frozenset(("attackers", "defenders", "even")),
    "traits": [frozenset(TRAITS)],
    "names_note": _SPOKEN,
    "misprints": _SPOKEN,
    "language": frozenset(("fr",)),
    "terms": [{"word": _SPOKEN, "means": _SPOKEN}],
    "material": [
        {"count": int, "piece": frozenset(("board", "attacker", "defender", "king")), "what": _SPOKEN}
    ],
    "sources": [
        {
            **dict.fromkeys(("title", "publisher", "document", "author", "url"), str),
            "kind": frozenset(("booklet", "web_page", "book", "program")),
            "year": int,
            **dict.fromkeys(("part", "note"), _SPOKEN),
        }
    ],
}
_CLAUSE = {
    **dict.fromkeys(("clause", "source", "value"), str),
    **dict.fromkeys(("where", "says", "ruling"), _SPOKEN),
    "mark": frozenset(("text", "other_clause", "usage", "doubtful")),
    "doubt": int,
    "parts": [str],
    "switch": [str],
}
_NEEDED = ("mark", "says")
_MATCH = {
    "legs": frozenset((1, 2)),
    "tie_break": frozenset(("captures", "none")),
    "lot": bool,
    "why": [_CLAUSE],
}
_CALLS = {
    **{key: frozenset(values) for key, values in CALL_SWITCHES.items()},
    "sides": [frozenset(("attackers", "defenders"))],
    "language": str,
    "king_in_danger": bool,
    "words": dict.fromkeys(("one_exit", "two_exits", "king_in_danger"), _SPOKEN),
    "why": [_CLAUSE],
}


def section_faults(data: dict[str, Any]) -> Iterator[Fault]:
    """Finds all faults of the sections of a variant file besides its rules and common clauses.

    A game has a name, calls have what no default says, and a clause says something and has a mark.
    """
    about = data.get("about", {})
    names = about.get("names") if isinstance(about, dict) else None
    if isinstance(about, dict) and not (isinstance(names, dict) and names):
        yield missing_key("about.names", _shown(_SPOKEN))
    elif isinstance(names, dict):
        yield from _name_faults(names)
    shapes = {
        "about": _ABOUT,
        "calls": _CALLS,
        "match": _MATCH,
        "why": {key: [_CLAUSE] for key in schema()},
        "fixed": [_CLAUSE],
    }
    for section, shape in shapes.items():
        if section in data:
            yield from _faults(data[section], shape, section)
    calls = data.get("calls")
    for key, values in CALL_SWITCHES.items():
        if isinstance(calls, dict) and key not in calls and key not in CALL_DEFAULTS:
            yield missing_key(f"calls.{key}", " | ".join(values))


def _name_faults(names: dict[str, Any]) -> Iterator[Fault]:
    """Finds the names that are blank or too long for a printed line."""
    for lang, name in names.items():
        if isinstance(name, str) and not 0 < (length := len(name.strip())) <= LONGEST_NAME:
            facts = {"length": str(length), "most": str(LONGEST_NAME)}
            found, expected = shorten(name), f'"…" × 1…{LONGEST_NAME}'
            yield Fault("wrong_value", shorten(f"about.names.{lang}"), found, expected, "name_length", facts)


def missing_key(path: str, expected: str) -> Fault:
    """Returns the fault of a key that is not there."""
    return Fault("missing_key", path, "-", expected)


def _faults(value: object, shape: Any, path: str) -> Iterator[Fault]:
    """Finds the faults of a value that should have a shape."""
    if isinstance(shape, tuple):
        shape = next((one for one in shape if _is_kind(value, one)), shape)
    if not _is_kind(value, shape):
        yield Fault("wrong_value", path, shorten(value), _shown(shape))
    elif isinstance(value, list):
        for n, item in enumerate(value):
            yield from _faults(item, shape[0], f"{path}[{n}]")
    elif isinstance(value, dict):
        if shape is _CLAUSE:
            yield from (
                missing_key(f"{path}.{key}", _shown(shape[key])) for key in _NEEDED if key not in value
            )
        for key, item in value.items():
            if key in shape or str in shape:
                yield from _faults(item, shape.get(key, shape.get(str)), f"{path}.{key}")
            else:
                yield Fault("unknown_key", shorten(f"{path}.{key}"), "-", " | ".join(shape))


def _is_kind(value: object, shape: Any) -> bool:
    """Checks whether a value is what its shape says, without the values in it."""
    if isinstance(shape, frozenset):
        return type(value) in map(type, shape) and value in shape
    if isinstance(shape, type):
        return type(value) is shape
    return type(value) is type(shape)


def _shown(shape: Any) -> str:
    """Returns what should stand there, as the file would have it."""
    if isinstance(shape, frozenset):
        return " | ".join(sorted(map(str, shape)))
    if isinstance(shape, tuple):
        return " | ".join(map(_shown, shape))
    if isinstance(shape, list):
        return f"[{_shown(shape[0])}, …]"
    if isinstance(shape, dict):
        return f"{{ en = {_shown(shape[str])}, fr = … }}" if str in shape else f"{{ {', '.join(shape)} }}"
    return {str: '"…"', int: "1…", bool: "true | false"}[shape]
