"""Parses and formats OpenTafl's rules strings: `dim:7 esc:c … start:/3t3/…/`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from hnefi.errors import Fault, SetupError, VariantError, shorten
from hnefi.formats.opentafl.position import PIECE_LETTERS, Diagram, position_of, read_position

ATTACKING = frozenset("tcnkm")
DEFENDING = frozenset("TCNKM")
ALL = ATTACKING | DEFENDING
_UNLIMITED = -1
_KING = frozenset("K")
_SQUARE = re.compile(r"[a-s](?:1[0-9]|[1-9])")
_LONGEST = 20_000

Squares = tuple[str, ...]
Kinds = frozenset[str]


@dataclass(frozen=True, slots=True)
class RulesText:
    """A parsed rules string; missing keys have their default. The field names are OpenTafl's."""

    dim: int
    start: Diagram
    name: str = ""
    esc: str = "c"
    surf: bool = True
    atkf: bool = True
    tfr: str = "d"
    ka: str = "y"
    ks: str = "s"
    kj: str = "n"
    nj: str = "c"
    cj: str = "j"
    mj: str = "n"
    gj: str = "n"
    spd: tuple[int, ...] = (_UNLIMITED,)
    cor: Squares | None = None
    """None: the four corners."""

    cen: Squares | None = None
    """None: the centre."""

    afor: Squares = ()
    dfor: Squares = ()
    corh: Kinds = ALL
    cenh: Kinds = ATTACKING
    cenhe: Kinds = ALL
    aforh: Kinds = DEFENDING
    dforh: Kinds = ATTACKING
    corp: Kinds = _KING
    cenp: Kinds = ALL
    aforp: Kinds = ALL
    dforp: Kinds | None = None
    """None: missing. The specification and the program have different defaults."""

    cors: Kinds = _KING
    cens: Kinds = _KING
    afors: Kinds = ALL
    dfors: Kinds = DEFENDING
    corre: Kinds | None = None
    cenre: Kinds | None = None
    aforre: Kinds | None = None
    dforre: Kinds | None = None
    """None: missing. The default depends on whether `cenre` is present."""

    sw: str = "n"
    swf: bool = True
    efe: bool = False
    linc: bool = False
    ber: str = "n"
    unknown: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Unknown keys with their values."""


_CHOICES = {
    "esc": "ce",
    "tfr": "idwl",
    "ka": "yahn",
    "ks": "scmwyn",
    **dict.fromkeys(("kj", "nj", "cj", "mj", "gj"), "nrjc"),
    "sw": "nws",
    "ber": "ncm",
}
_FLAGS = ("surf", "atkf", "swf", "efe", "linc")
_SQUARES = ("cor", "cen", "afor", "dfor")
_KINDS = (
    *("corh", "cenh", "cenhe", "aforh", "dforh", "corp", "cenp", "aforp", "dforp"),
    *("cors", "cens", "afors", "dfors", "corre", "cenre", "aforre", "dforre"),
)
_OLD_STRENGTH = {"y": "s", "n": "w"}
_SPEEDS = (1, 2, 8, 10, 12)


def parse_rules_text(text: str) -> RulesText:
    """Parses a rules string.

    Raises:
        VariantError: `bad_rules_text`, with all faults.

    >>> parse_rules_text("dim:5 esc:e name:My_game start:/2t2/5/2K2/5/5/").name
    'My game'
    """
    if len(text) > _LONGEST:
        raise VariantError.of_faults(
            "bad_rules_text", [Fault("wrong_value", "rules", f"{len(text)}", f"≤ {_LONGEST}")]
        )
    given: dict[str, str] = {}
    faults: list[Fault] = []
    for token in text.split():
        key, colon, value = token.partition(":")
        if not colon or not key:
            faults.append(Fault("wrong_value", shorten(token), shorten(token), "key:value"))
        elif key in given:
            faults.append(Fault("wrong_value", shorten(key), shorten(value), "1 ×"))
        else:
            given[key] = value
    reader = _Reader(given, faults)
    found = reader.read()
    if faults or found is None:
        raise VariantError.of_faults("bad_rules_text", faults)
    return found


class _Reader:
    """Parses the values of a rules string and collects their faults."""

    def __init__(self, given: Mapping[str, str], faults: list[Fault]) -> None:
        self._given = given
        self._faults = faults

    def read(self) -> RulesText | None:
        size = self._size()
        start = self._start(size) if size else None
        values: dict[str, object] = {"name": self._given.get("name", "").replace("_", " ")}
        for key, text in self._given.items():
            values.update(self._value(key, text, size or 19))
        known = {one.name for one in fields(RulesText)} | {"starti"}
        values["unknown"] = {key: text for key, text in self._given.items() if key not in known}
        if size is None or start is None:
            return None
        return RulesText(dim=size, start=start, **values)  # type: ignore[arg-type]

    def _size(self) -> int | None:
        text = self._given.get("dim")
        if text is not None and text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= 19:
            return int(text)
        self._fault("dim", "-" if text is None else text, "1…19", "missing_key" if text is None else "")
        return None

    def _start(self, size: int) -> Diagram | None:
        inverted = "start" not in self._given
        text = self._given.get("starti" if inverted else "start")
        if text is None:
            self._fault("start", "-", "start | starti", "missing_key")
            return None
        try:
            return read_position(text, inverted=inverted, size=size)
        except SetupError as error:
            facts = error.parameters
            place, code = (
                (f"start, {facts['row']}", "wrong_value") if "row" in facts else ("start", "row_count")
            )
            self._fault(place, facts["found"], facts["expected"], code)
            return None

    def _value(self, key: str, text: str, size: int) -> dict[str, object]:
        """Returns the value of a key; empty if the key is parsed elsewhere or has a fault."""
        if key in _CHOICES:
            if len(text) != 1 or text not in _CHOICES[key]:
                self._fault(key, text, " | ".join(_CHOICES[key]))
                return {}
            return {key: _OLD_STRENGTH.get(text, text) if key == "ks" else text}
        if key in _FLAGS:
            if text not in ("y", "n"):
                self._fault(key, text, "y | n")
            return {key: text == "y"}
        if key in _SQUARES:
            return {key: self._squares(key, text, size)}
        if key in _KINDS:
            if not set(text) <= set(PIECE_LETTERS):
                self._fault(key, text, PIECE_LETTERS)
            return {key: frozenset(text)}
        if key == "spd":
            return {key: self._speeds(text)}
        return {}

    def _squares(self, key: str, text: str, size: int) -> Squares:
        names = [name for name in text.split(",") if name]
        for name in names:
            square = _SQUARE.fullmatch(name)
            if square is None or max(ord(name[0]) - 96, int(name[1:])) > size:
                self._fault(key, name, f"a1…{chr(96 + size)}{size}")
        return tuple(dict.fromkeys(names))

    def _speeds(self, text: str) -> tuple[int, ...]:
        numbers = [number for number in text.split(",") if number]
        if (
            not all(re.fullmatch(r"-1|[0-9]{1,3}", number) for number in numbers)
            or len(numbers) not in _SPEEDS
        ):
            self._fault("spd", text, "1 | 2 | 8 | 10 | 12 × -1…")
            return (_UNLIMITED,)
        return tuple(int(number) for number in numbers)

    def _fault(self, path: str, found: str, expected: str, code: str = "") -> None:
        self._faults.append(Fault(code or "wrong_value", path, shorten(found) or "-", expected))


def format_rules_text(rules: RulesText) -> str:
    """Formats a rules string on one line, without keys at their default."""
    defaults = RulesText(rules.dim, rules.start)
    tokens = [f"dim:{rules.dim}"]
    if rules.name:
        tokens.append(f"name:{'_'.join(rules.name.split())}")
    for one in fields(RulesText):
        value = getattr(rules, one.name)
        if one.name not in ("dim", "name", "start", "unknown") and value != getattr(defaults, one.name):
            tokens.append(f"{one.name}:{_text_of(value)}")
    tokens += [f"{key}:{value}" for key, value in rules.unknown.items()]
    return " ".join([*tokens, f"start:{position_of(rules.start)}"])


def _text_of(value: object) -> str:
    if isinstance(value, bool):
        return "y" if value else "n"
    if isinstance(value, frozenset):
        return "".join(letter for letter in PIECE_LETTERS if letter in value)
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value)
