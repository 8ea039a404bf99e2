"""What was found about many games, counted by what was played."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from hnefi.checking.findings import BROKEN, CheckResult, Finding, FindingKind
from hnefi.checking.game_check import check
from hnefi.errors import RecordError, VariantError
from hnefi.formats import RawGame
from hnefi.formats.game_types import GameType, game_types
from hnefi.formats.jsonl import number_of
from hnefi.record import Record
from hnefi.variants.model import Variant

__all__ = ["CheckedGame", "Checker", "Place", "Tally"]

_LONGEST_NUMBER = 10
_WITHOUT_RULES = frozenset({FindingKind.OTHER_GAME, FindingKind.UNKNOWN_RULES})


@dataclass(frozen=True, slots=True)
class Place:
    """Where a game stands."""

    file: str
    line: int
    game: int
    id: str = ""


@dataclass(slots=True)
class Tally:
    """Everything about the games of one type, or of one variant."""

    name: str
    number: int = 0
    """The number of the type at its site, 0 where there is none."""

    variant: str = ""
    games: int = 0
    plies: int = 0
    clean: int = 0
    """Games without a fault or a remark."""

    replayed: int = 0
    """Games without a fault."""

    broken: int = 0
    """Games with a fault in the writing itself."""

    without_rules: int = 0
    """Games whose rules are not known, or that are no tafl."""

    ended: int = 0
    """Games that ended on the board, and whose result is written."""

    agreed: int = 0
    """Those of them whose result agrees."""

    kinds: Counter[FindingKind] = field(default_factory=Counter)
    examples: dict[FindingKind, tuple[Place, Finding]] = field(default_factory=dict)

    def add(self, place: Place, result: CheckResult) -> None:
        """Counts a game."""
        fault = result.fault
        self.games += 1
        self.plies += result.plies
        self.clean += not result.findings
        self.replayed += fault is None
        self.broken += fault is not None and fault.kind in BROKEN
        self.without_rules += fault is not None and fault.kind in _WITHOUT_RULES
        self.ended += result.agrees is not None
        self.agreed += result.agrees is True
        for kind in {found.kind for found in ((fault,) if fault else result.findings)}:
            self.kinds[kind] += 1
        for found in (fault,) if fault else result.findings:
            self.examples.setdefault(found.kind, (place, found))

    def merge(self, other: "Tally") -> None:
        """Counts the games of another row too."""
        for name in ("games", "plies", "clean", "replayed", "broken", "without_rules", "ended", "agreed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.kinds += other.kinds
        for kind, example in other.examples.items():
            self.examples.setdefault(kind, example)

    @property
    def share(self) -> float | None:
        """Which part was replayed of the games that are not broken in themselves, from 0 to 1."""
        whole = self.games - self.broken - self.without_rules
        return self.replayed / whole if whole else None


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """One game that was looked at."""

    place: Place
    row: Tally
    result: CheckResult


class Checker:
    """Checks games one after the other, and keeps the counts."""

    def __init__(
        self,
        types: Mapping[int, GameType] | None = None,
        default: Variant | None = None,
        own: Mapping[str, Variant] | None = None,
        ignored: frozenset[FindingKind] = frozenset(),
    ) -> None:
        """Begins with nothing counted.

        Args:
            types: What is played in which game type of the site; what Hnefi knows if None.
            default: What is played where a game does not say it.
            own: Variants that Hnefi does not bring, by id.
            ignored: Kinds of findings that are not told.
        """
        self.rows: dict[tuple[int, str], Tally] = {}
        self._types = game_types() if types is None else types
        self._default = default
        self._own = own or {}
        self._ignored = ignored

    def see(self, file: str, found: RawGame | RecordError) -> CheckedGame:
        """Checks a game."""
        if isinstance(found, RecordError):
            facts = found.parameters
            place = Place(file, found.line, int(facts.get("game", "0")), facts.get("id", ""))
            row, result = self._unread(found)
        else:
            place = Place(file, found.line, found.game, found.header("Id") or "")
            row, result = self._verdict(found)
        if not {one.kind for one in result.findings} & self._ignored & _WITHOUT_RULES:
            result = self._kept(result)
            row.add(place, result)
        return CheckedGame(place, row, result)

    def _unread(self, error: RecordError) -> tuple[Tally, CheckResult]:
        """Finds what is said of a game that cannot be read; where its type is no tafl, that."""
        number = error.parameters.get("type", "")
        known = self._types.get(int(number)) if number.isdecimal() and len(number) < _LONGEST_NUMBER else None
        kind = FindingKind.NOT_A_MOVE if error.code == "bad_move" else FindingKind.UNREADABLE
        if known is not None and not known.variant_id:
            kind = _missing(known)
        facts = {"code": error.code, **error.parameters}
        found = Finding(kind, move=error.parameters.get("text", ""), facts=facts)
        row = (
            self._row(0, "-", "")
            if known is None
            else self._row(known.number, known.name, known.variant_id or "")
        )
        return row, CheckResult(0, (found,))

    def _verdict(self, raw: RawGame) -> tuple[Tally, CheckResult]:
        number, name = number_of(raw)
        kind = self._types.get(number)
        if number and kind is not None:
            readings = kind.readings()
            row = self._row(number, kind.name, readings[0].id if readings else "")
            missing = _missing(kind)
        else:
            readings = self._named(raw)
            variant_id = readings[0].id if readings else ""
            row = self._row(number, name or variant_id or "-", variant_id)
            missing = FindingKind.UNKNOWN_RULES
        if not readings:
            return row, CheckResult(0, (Finding(missing),))
        return row, check(raw, readings)

    def _named(self, raw: RawGame) -> tuple[Variant, ...]:
        named = raw.header("Variant")
        if named is not None and named in self._own:
            return (self._own[named],)
        if self._default is not None:
            return (self._default,)
        return _stated(raw, named) if named is not None else ()

    def _kept(self, result: CheckResult) -> CheckResult:
        if not self._ignored:
            return result
        kept = tuple(found for found in result.findings if found.kind not in self._ignored)
        return replace(result, findings=kept)

    def _row(self, number: int, name: str, variant_id: str) -> Tally:
        return self.rows.setdefault((number, name), Tally(name, number, variant_id))


def _missing(kind: GameType) -> FindingKind:
    return FindingKind.OTHER_GAME if kind.status == "other_game" else FindingKind.UNKNOWN_RULES


def _stated(raw: RawGame, name: str) -> tuple[Variant, ...]:
    """Returns what the headers of a game say is played; nothing if Hnefi does not know it."""
    try:
        found = raw.lookup()(name)
        switches = Record(raw.headers).switches
        return (found.with_switches(switches) if switches else found,)
    except VariantError:
        return ()
