"""The game types of aagenielsen.dk and what is played in each: a table that anyone can extend."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from hnefi.errors import Fault, VariantError, shown
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant
from hnefi.variants.switches import parse_switches

__all__ = ["STATUSES", "GameType", "game_types", "parse_game_types"]

STATUSES = ("published", "games", "supposed", "beyond", "unknown", "other_game")
"""How far the rules of a type are known: a source gives them and the games agree; found from the games; taken
from a sister game, with few games to show it; known, but more than our rules can say; not known; no tafl."""

_TABLE = Path(__file__).parent / "game_types.toml"
_KEYS = {"number", "name", "variant", "switches", "otherwise", "status", "note"}
_WITHOUT_RULES = ("beyond", "unknown", "other_game")


@dataclass(frozen=True, slots=True)
class GameType:
    """One game type of the site.

    >>> game_types()[162].status
    'other_game'
    """

    number: int
    name: str
    status: str
    """One of `STATUSES`."""

    variant_id: str | None = None
    """What is played, None where it is not known or no tafl."""

    switches: tuple[str, ...] = ()
    """What makes the variant that type's rules."""

    otherwise: tuple[tuple[str, ...], ...] = ()
    """Other switches, tried where the first do not fit: the site changed some of its games with time."""

    note: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What is to be known about it, by language."""

    def readings(self) -> tuple[Variant, ...]:
        """Returns the rules by which its games were played, the usual first; none where they are not known.

        Raises:
            VariantError: If the table names a variant or a switch that there is not.
        """
        return _readings(self.variant_id, (self.switches, *self.otherwise)) if self.variant_id else ()


@cache
def _readings(variant_id: str, choices: tuple[tuple[str, ...], ...]) -> tuple[Variant, ...]:
    played = variant(variant_id)
    return tuple(played.with_switches(parse_switches(choice)) for choice in choices)


@cache
def game_types() -> Mapping[int, GameType]:
    """Returns the game types that Hnefi knows, by number."""
    return {one.number: one for one in parse_game_types(_TABLE.read_text("utf-8"))}


def parse_game_types(text: str) -> tuple[GameType, ...]:
    """Reads a table of game types from TOML text; its form is described in docs/guide/recorded-games.md.

    Raises:
        VariantError: With code `bad_game_types` and all faults of the text.

    >>> parse_game_types('[[type]]\\nnumber = 999\\nname = "Ours"\\nstatus = "unknown"')[0].name
    'Ours'
    """
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _faulty([Fault("bad_toml", "-", shown(error, 200), "TOML")]) from error
    entries = data.get("type")
    if set(data) - {"type"} or not isinstance(entries, list):
        raise _faulty([Fault("wrong_value", "type", shown(", ".join(data)) or "-", "[[type]]")])
    faults = [fault for place, entry in enumerate(entries, 1) for fault in _faults(place, entry)]
    if faults:
        raise _faulty(faults)
    return tuple(_game_type(entry) for entry in entries)


def _game_type(entry: Mapping[str, Any]) -> GameType:
    return GameType(
        number=entry["number"],
        name=entry["name"],
        status=entry["status"],
        variant_id=entry.get("variant"),
        switches=tuple(entry.get("switches", ())),
        otherwise=tuple(tuple(choice) for choice in entry.get("otherwise", ())),
        note=entry.get("note", {}),
    )


def _faulty(faults: list[Fault]) -> VariantError:
    return VariantError("bad_game_types", "\n".join(map(str, faults)), faults=faults)


def _faults(place: int, entry: object) -> Iterable[Fault]:
    if not isinstance(entry, dict):
        return [Fault("wrong_type", f"type {place}", shown(entry), "[[type]]")]
    faults = [
        Fault("unknown_key", f"type {place}.{shown(key)}", "-", " | ".join(sorted(_KEYS)))
        for key in sorted(set(entry) - _KEYS)
    ]
    is_known = entry.get("status") not in _WITHOUT_RULES
    expected = {
        "number": (_is_number(entry.get("number")), "1…"),
        "name": (isinstance(entry.get("name"), str), "text"),
        "status": (entry.get("status") in STATUSES, " | ".join(STATUSES)),
        "variant": (isinstance(entry.get("variant"), str) or not is_known, "the id of a variant"),
        "switches": (_are_switches(entry.get("switches", [])), '["leaf=value", …]'),
        "otherwise": (_are_choices(entry.get("otherwise", [])), '[["leaf=value", …], …]'),
        "note": (_is_note(entry.get("note", {})), '{ en = "…", fr = "…" }'),
    }
    faults += [
        Fault("wrong_value", f"type {place}.{key}", shown(entry.get(key)), form)
        for key, (is_good, form) in expected.items()
        if not is_good
    ]
    return faults


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _are_switches(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and "=" in one for one in value)


def _are_choices(value: object) -> bool:
    return isinstance(value, list) and all(_are_switches(choice) for choice in value)


def _is_note(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
