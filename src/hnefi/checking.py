"""Checks many recorded games by their rules and counts the results (docs/guide/recorded-games.md)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from hnefi._core import Game
from hnefi.errors import RecordError, VariantError
from hnefi.formats import BROKEN, CheckResult, Finding, FindingKind, RawGame, check
from hnefi.formats.game_check import REFUSALS
from hnefi.formats.game_types import GameType, game_types, number_of
from hnefi.record import Record, ReplayFault
from hnefi.record.headers import UNFINISHED
from hnefi.record.replay import with_switches_of
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

_LONGEST_NUMBER = 10
_KINDS = {
    **REFUSALS,
    "wrong_captures": FindingKind.CAPTURE_NOT_MADE,
    "wrong_result": FindingKind.WINNER,
    "bad_position": FindingKind.UNREADABLE,
}
_WITHOUT_RULES = frozenset({FindingKind.OTHER_GAME, FindingKind.UNKNOWN_RULES})


@dataclass(frozen=True, slots=True)
class GameLocation:
    """The location of a game: its file, line, number and id.

    Attributes:
        file: The file.
        line: The line on which the game begins.
        id: The id in its header, empty without one.
    """

    file: str
    line: int
    game: int
    id: str = ""


@dataclass(slots=True)
class Tally:
    """The counts of the games of one type or variant.

    Attributes:
        name: The name of the type or variant.
        number: The number of the type at its site, 0 without one.
        variant: The id of the variant by which its games are played, empty without one.
        games: The games.
        plies: Their moves.
        clean: Games without faults and remarks.
        replayed: Games without faults.
        broken: Games with a fault in the text itself.
        without_rules: Games whose rules are unknown, or that are not tafl games.
        ended: Games that ended on the board and have a written result.
        agreed: Those of them whose written result agrees.
        kinds: The games with findings of each kind.
        examples: The first finding of each kind, and its game.
    """

    name: str
    number: int = 0
    variant: str = ""
    games: int = 0
    plies: int = 0
    clean: int = 0
    replayed: int = 0
    broken: int = 0
    without_rules: int = 0
    ended: int = 0
    agreed: int = 0
    kinds: Counter[FindingKind] = field(default_factory=Counter)
    examples: dict[FindingKind, tuple[GameLocation, Finding]] = field(default_factory=dict)

    def add(self, place: GameLocation, result: CheckResult, *, is_further: bool = False) -> None:
        """Counts one game, but the findings alone if it `is_further` an error of the game before."""
        fault = result.fault
        if not is_further:
            self._count(result)
        findings = (fault,) if fault else result.findings
        for kind in {finding.kind for finding in findings}:
            self.kinds[kind] += 1
        for finding in findings:
            self.examples.setdefault(finding.kind, (place, finding))

    def _count(self, result: CheckResult) -> None:
        fault = result.fault
        self.games += 1
        self.plies += result.plies
        self.clean += not result.findings
        self.replayed += fault is None
        self.broken += fault is not None and fault.kind in BROKEN
        self.without_rules += fault is not None and fault.kind in _WITHOUT_RULES
        self.ended += result.agrees is not None
        self.agreed += result.agrees is True

    def merge(self, other: "Tally") -> None:
        """Adds the counts of another tally."""
        for name in ("games", "plies", "clean", "replayed", "broken", "without_rules", "ended", "agreed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.kinds += other.kinds
        for kind, example in other.examples.items():
            self.examples.setdefault(kind, example)

    @property
    def share(self) -> float | None:
        """The share of games without faults among those with rules and a sound text, from 0 to 1."""
        whole = self.replayed + self.contradicting
        return self.replayed / whole if whole else None

    @property
    def contradicting(self) -> int:
        """The games that can be read and have rules, and contradict them."""
        return self.games - self.replayed - self.broken - self.without_rules


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """One checked game.

    Attributes:
        place: Where the game stands.
        tally: The counts of its type or variant.
        result: What was found.
        is_further: Whether it is a further error of a game that cannot be parsed.
    """

    place: GameLocation
    tally: Tally
    result: CheckResult
    is_further: bool = False


class Checker:
    """Checks games one by one and keeps the tallies."""

    def __init__(
        self,
        types: Mapping[int, GameType] | None = None,
        default: Variant | None = None,
        custom: Mapping[str, Variant] | None = None,
        ignored: frozenset[FindingKind] = frozenset(),
    ) -> None:
        """Creates a checker without tallies.

        Args:
            types: The game types by number; the known ones if None.
            default: The variant of games that do not name one.
            custom: Custom variants, by id.
            ignored: Kinds of findings that are left out.
        """
        self.tallies: dict[tuple[int, str], Tally] = {}
        """The tallies, by number and name of the game type or by variant."""
        self._types = game_types() if types is None else types
        self._default = default
        self._custom = custom or {}
        self._ignored = ignored
        self._unparsed = ("", 0)
        self._found: set[FindingKind] = set()

    def check_game(self, file: str, parsed: RawGame | RecordError) -> CheckedGame:
        """Checks one game, or counts the error of one that could not be parsed."""
        if isinstance(parsed, RecordError):
            facts = parsed.parameters
            place = GameLocation(file, parsed.line, int(facts.get("game", "0")), facts.get("id", ""))
            is_further = place.game > 0 and (file, place.game) == self._unparsed
            self._unparsed = file, place.game
            tally, result = self._unreadable(parsed)
        else:
            is_further = False
            place = GameLocation(file, parsed.line, parsed.game, parsed.header("Id") or "")
            tally, result = self._checked(parsed)
        if not {one.kind for one in result.findings} & self._ignored & _WITHOUT_RULES:
            found = tuple(one for one in result.findings if one.kind not in self._ignored)
            result = replace(result, findings=found) if self._ignored else result
            kinds = {one.kind for one in result.findings}
            self._found = self._found if is_further else set()
            if not is_further or kinds - self._found:
                tally.add(place, result, is_further=is_further)
            self._found |= kinds
        return CheckedGame(place, tally, result, is_further)

    def _unreadable(self, error: RecordError) -> tuple[Tally, CheckResult]:
        """Returns tally and result of a game that cannot be parsed; its type may still be known."""
        number = error.parameters.get("type", "")
        known = self._types.get(int(number)) if number.isdecimal() and len(number) < _LONGEST_NUMBER else None
        finding = _finding_of(error)
        if known is not None and not known.variant_id:
            finding = replace(finding, kind=_missing(known))
        names = (known.number, known.name, known.variant_id or "") if known else (0, "-", "")
        return self._tally(*names), CheckResult(0, (finding,))

    def _checked(self, raw: RawGame) -> tuple[Tally, CheckResult]:
        number, name = number_of(raw)
        kind = self._types.get(number)
        if number and kind is not None:
            readings = kind.readings()
            tally = self._tally(number, kind.name, readings[0].id if readings else "")
            missing = _missing(kind)
        else:
            readings = self._variants_of(raw)
            variant_id = readings[0].id if readings else ""
            tally = self._tally(number, name or variant_id or "-", variant_id)
            missing = FindingKind.UNKNOWN_RULES
        if not readings:
            return tally, CheckResult(0, (Finding(missing),))
        result = check(raw, readings) if raw.full_record is None else self._replayed(raw)
        if raw.is_cut:
            finding = replace(_finding_of(raw.faults[-1]), ply=len(raw.moves) + 1)
            result = replace(result, findings=(*result.findings, finding))
        return tally, result

    def _variants_of(self, raw: RawGame) -> tuple[Variant, ...]:
        named = raw.header("Variant")
        if named is None:
            return () if self._default is None else (self._default,)
        try:
            return (with_switches_of(Record(raw.headers), raw.lookup(self._lookup)),)
        except (RecordError, VariantError):
            return ()

    def _lookup(self, name: str) -> Variant:
        return self._custom[name] if name in self._custom else variant(name)

    def _replayed(self, raw: RawGame) -> CheckResult:
        """Returns what a replay of a record finds."""
        replay = raw.replay(self._lookup)
        game, agrees = replay.called and replay.called.game, None
        faults = [one for one in replay.faults if not one.is_remark]
        findings = tuple(_finding_of_fault(one, raw.moves, game) for one in faults)
        if game is None:
            return CheckResult(0, findings)
        if game.outcome is not None and replay.record.result != UNFINISHED:
            agrees = all(one.kind is not FindingKind.WINNER for one in findings)
        return CheckResult(game.ply_count, findings, replay.variant, game.outcome, agrees, game)

    def _tally(self, number: int, name: str, variant_id: str) -> Tally:
        return self.tallies.setdefault((number, name), Tally(name, number, variant_id))


def _finding_of(error: RecordError) -> Finding:
    """Returns the finding for text that cannot be parsed."""
    kind = FindingKind.NOT_A_MOVE if error.code == "bad_move" else FindingKind.UNREADABLE
    facts = {"code": error.code, **error.parameters}
    return Finding(kind, move=error.parameters.get("text", ""), facts=facts)


def _finding_of_fault(fault: ReplayFault, moves: Sequence[str], game: Game | None) -> Finding:
    """Returns the finding for a fault of a record with these moves, played as far as they are legal."""
    is_refused = game is not None and fault.ply > game.ply_count
    kind = FindingKind.AGAINST_RULES if is_refused else FindingKind.CONTRADICTION
    kind = FindingKind.CONTRADICTION if fault.path else _KINDS.get(fault.code, kind)
    move = moves[fault.ply - 1] if 0 < fault.ply <= len(moves) and not fault.path else ""
    facts = {"code": fault.code, **fault.parameters}
    return Finding(kind, fault.ply if move else 0, move, facts, fault.line)


def _missing(kind: GameType) -> FindingKind:
    return FindingKind.OTHER_GAME if kind.status == "other_game" else FindingKind.UNKNOWN_RULES
