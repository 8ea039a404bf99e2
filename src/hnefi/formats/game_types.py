"""The game types of aagenielsen.dk and their rules: a table that users can extend."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hnefi.errors import Fault, VariantError, shorten
from hnefi.text_faults import parse_toml, toml_fault
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant
from hnefi.variants.switches import parse_switches

if TYPE_CHECKING:
    from hnefi.formats.raw_game import RawGame

STATUSES = ("published", "games", "supposed", "beyond", "unknown", "other_game")
"""How well the rules of a type are known: published, and the games agree; derived from the games; taken
from a related game, with few games as evidence; known, but not supported; unknown; not a tafl game."""

_TABLE = Path(__file__).parent / "game_types.toml"
_KEYS = {"number", "name", "variant", "switches", "otherwise", "status", "note"}
_WITHOUT_RULES = ("beyond", "unknown", "other_game")


@dataclass(frozen=True, slots=True)
class GameType:
    """A game type of aagenielsen.dk.

    >>> game_types()[162].status
    'other_game'
    """

    number: int
    name: str
    status: str
    """One of `STATUSES`."""

    variant_id: str | None = None
    """The id of the variant; None if the rules are unknown, or it is not a tafl game."""

    switches: tuple[str, ...] = ()
    """The switches that turn the variant into the rules of the type."""

    otherwise: tuple[tuple[str, ...], ...] = ()
    """Alternative switches, tried if the first do not fit: the site changed the rules of some types."""

    note: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Remarks, by language."""

    def readings(self) -> tuple[Variant, ...]:
        """Returns the variants that its games may follow, the usual one first; none if they are unknown.

        Raises:
            VariantError: If the table names an unknown variant or switch.
        """
        return _readings(self.variant_id, (self.switches, *self.otherwise)) if self.variant_id else ()


@cache
def _readings(variant_id: str, choices: tuple[tuple[str, ...], ...]) -> tuple[Variant, ...]:
    played = variant(variant_id)
    return tuple(played.with_switches(parse_switches(choice)) for choice in choices)


@cache
def game_types() -> Mapping[int, GameType]:
    """Returns the known game types, by number."""
    return {one.number: one for one in parse_game_types(_TABLE.read_text("utf-8"))}


def number_of(raw: "RawGame") -> tuple[int, str]:
    """Returns the number and the name of the game type of a game; 0 if it has none.

    >>> from hnefi.formats import RawGame
    >>> number_of(RawGame((("GameType", "16 Copenhagen Hnefatafl 11x11"),)))
    (16, 'Copenhagen Hnefatafl 11x11')
    """
    number, _, name = (raw.header("GameType") or "").partition(" ")
    return (int(number), name) if number.isascii() and number.isdigit() and len(number) < 10 else (0, "")


def parse_game_types(text: str) -> tuple[GameType, ...]:
    """Parses a table of game types in TOML, as described in docs/guide/recorded-games.md.

    Raises:
        VariantError: With code `bad_game_types` and all faults of the text.

    >>> parse_game_types('[[type]]\\nnumber = 999\\nname = "Ours"\\nstatus = "unknown"')[0].name
    'Ours'
    """
    try:
        data = parse_toml(text)
    except (ValueError, RecursionError) as error:
        raise VariantError.of_faults("bad_game_types", [toml_fault(error, text)]) from error
    entries = data.get("type")
    if set(data) - {"type"} or not isinstance(entries, list):
        code, path = ("wrong_value", "type") if data else ("missing_key", "[[type]]")
        fault = Fault(code, path, shorten(", ".join(data)) or "-", "[[type]]")
        raise VariantError.of_faults("bad_game_types", [fault])
    faults = [fault for place, entry in enumerate(entries, 1) for fault in _faults(place, entry)]
    if faults:
        raise VariantError.of_faults("bad_game_types", faults)
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


def _faults(place: int, entry: object) -> Iterable[Fault]:
    if not isinstance(entry, dict):
        return [Fault("wrong_type", f"type {place}", shorten(entry), "[[type]]")]
    faults = [
        Fault("unknown_key", f"type {place}.{shorten(key)}", "-", " | ".join(sorted(_KEYS)))
        for key in sorted(set(entry) - _KEYS)
    ]
    is_known = entry.get("status") not in _WITHOUT_RULES
    number, otherwise, note = (entry.get(key) for key in ("number", "otherwise", "note"))
    are_choices = isinstance(otherwise, list) and all(map(_are_switches, otherwise))
    is_note = isinstance(note, dict) and all(isinstance(one, str) for one in note.values())
    expected = {
        "number": (type(number) is int and number > 0, "1…"),
        "name": (isinstance(entry.get("name"), str), "text"),
        "status": (entry.get("status") in STATUSES, " | ".join(STATUSES)),
        "variant": (isinstance(entry.get("variant"), str) or not is_known, "the id of a variant"),
        "switches": (_are_switches(entry.get("switches", [])), '["leaf=value", …]'),
        "otherwise": ("otherwise" not in entry or are_choices, '[["leaf=value", …], …]'),
        "note": ("note" not in entry or is_note, '{ en = "…", fr = "…" }'),
    }
    faults += [
        Fault("wrong_value", f"type {place}.{key}", shorten(entry.get(key)), syntax)
        for key, (is_valid, syntax) in expected.items()
        if not is_valid
    ]
    return faults


def _are_switches(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and "=" in one for one in value)
