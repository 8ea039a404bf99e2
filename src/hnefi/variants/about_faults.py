"""What `[about]` of a variant file may have (docs/reference/variant-files.md), and the faults of others."""

from collections.abc import Iterator
from typing import Any

from hnefi.errors import Fault, shorten
from hnefi.variants.model import STATUSES, TRAITS

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
    "traits": [frozenset(TRAITS)],
    "names_note": _SPOKEN,
    "misprints": _SPOKEN,
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


def about_faults(about: object) -> list[Fault]:
    """Finds all faults of what a variant file says about its game; that there is a name is part of it."""
    unnamed = Fault("wrong_value", "about.names", "-", _shown(_SPOKEN))
    if not isinstance(about, dict):
        return [unnamed]
    return [*([unnamed] if about.get("names", {}) == {} else []), *_faults(about, _ABOUT, "about")]


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
        for key, item in value.items():
            if key in shape or str in shape:
                yield from _faults(item, shape.get(key, shape.get(str)), f"{path}.{key}")
            else:
                yield Fault("unknown_key", shorten(f"{path}.{key}"), "-", " | ".join(shape))


def _is_kind(value: object, shape: Any) -> bool:
    """Checks whether a value is what its shape says, without the values in it."""
    if isinstance(shape, frozenset):
        return isinstance(value, str) and value in shape
    if isinstance(shape, type):
        return type(value) is shape
    return type(value) is type(shape)


def _shown(shape: Any) -> str:
    """Returns what should stand there, as the file would have it."""
    if isinstance(shape, frozenset):
        return " | ".join(sorted(shape))
    if isinstance(shape, tuple):
        return " | ".join(map(_shown, shape))
    if isinstance(shape, list):
        return f"[{_shown(shape[0])}, …]"
    if isinstance(shape, dict):
        return f"{{ en = {_shown(shape[str])}, fr = … }}" if str in shape else f"{{ {', '.join(shape)} }}"
    return {str: '"…"', int: "1…", bool: "true | false"}[shape]
