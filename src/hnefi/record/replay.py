"""Plays a record by its rules and lists every contradiction. Nothing is repaired."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from hnefi._core import CalledGame, Game, Move, Outcome, Rules, Setup, format_move
from hnefi.errors import Fault, HnefiError, IllegalMove, RecordError, SetupError, VariantError
from hnefi.i18n import explain, text
from hnefi.pieces import Reason, Side
from hnefi.record.escapes import encodable
from hnefi.record.faults import record_error
from hnefi.record.headers import DRAW, UNFINISHED, misspelt, parse_base, result_word
from hnefi.record.model import Node, Record, Status, number_after
from hnefi.record.turn_ends import stop_before
from hnefi.variants.built_in import built_in_ids
from hnefi.variants.custom import earlier_variants
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

VariationPath = tuple[tuple[int, int], ...]
"""For each variation from the outside in: the ply it branches off at, and its number there, from 1."""

# Reasons that come from outside the rules, and whether there is a winner (None: either).
REASONS_BY_PLAYERS = {
    Reason.AGREEMENT: False,
    Reason.RESIGNATION: True,
    Reason.TIME: True,
    Reason.ABANDONED: None,
    Reason.ADJUDICATION: None,
}
_OMISSIONS = {"missing_rules", "missing_reason", "missing_pass", "misspelt_header"}
REPAIRS = {"tried", "twice", "captured_twice", "hops", "other_side", "went_on"}
"""How the moves of a collection had to be read to be played to their end (decision 31)."""


@dataclass(frozen=True, slots=True)
class ReplayFault:
    """One contradiction between a record and its rules; `record.explain_fault` returns its sentence.

    Attributes:
        ply: The number of the ply in the record; 0 for the headers.
        code: The stable code; for an illegal move, the code of the refusal.
        parameters: The parameters of the message, by name.
        path: The variation that contains it; empty for the main line.
        faults: The faults of the rules, where the switches contradict them.
        line: The line of the text that the move was parsed from; 0 for none, or for the headers.
    """

    ply: int
    code: str
    parameters: Mapping[str, str] = field(default_factory=dict, hash=False)
    path: VariationPath = ()
    faults: tuple[Fault, ...] = ()
    line: int = field(default=0, compare=False)

    @property
    def is_remark(self) -> bool:
        """Checks whether something only lacks or was repaired, and nothing contradicts the rules."""
        return self.code in _OMISSIONS or self.code in REPAIRS

    @property
    def error(self) -> HnefiError:
        """The fault as an error, to raise or to explain."""
        message = str(record_error(self.code, **self.parameters))
        if self.faults:
            return VariantError(self.code, message, self.parameters, self.faults)
        return RecordError(self.code, message, self.parameters)

    @classmethod
    def of(cls, error: HnefiError, ply: int = 0, path: VariationPath = (), line: int = 0) -> "ReplayFault":
        """Returns the fault for an error."""
        faults = error.faults if isinstance(error, VariantError) else ()
        return cls(ply, error.code, error.parameters, path, faults, line)


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of replaying a record.

    Attributes:
        record: The record.
        called: The end of the playable part of the main line; None if the headers define no game.
        outcome: The outcome by the rules or the players; None if the game goes on or cannot be played.
        faults: All contradictions, and the remarks (`ReplayFault.is_remark`).
        variant: The variant that the headers name, with their switches; None if there is no such variant.
        start: The game before the first move; None if the headers define no game.
    """

    record: Record
    called: CalledGame | None
    outcome: Outcome | None
    faults: tuple[ReplayFault, ...]
    variant: Variant | None = None
    start: CalledGame | None = None

    @property
    def fault(self) -> ReplayFault | None:
        """The first fault that is no remark, None if there is none."""
        return next((fault for fault in self.faults if not fault.is_remark), None)

    @property
    def ok(self) -> bool:
        """Whether there are no faults but remarks."""
        return self.fault is None

    @property
    def game(self) -> Game | None:
        """The game of the main line with the outcome; None if the headers define no game."""
        if self.called is None:
            return None
        game = self.called.game
        return game if self.outcome is None or game.outcome is not None else game.end(self.outcome)


def replay(record: Record, lookup: Callable[[str], Variant] | None = None) -> Replay:
    """Plays a record by its rules; see `Record.replay`."""
    return _Replayer(record, variant if lookup is None else lookup).replay()


def with_switches_of(record: Record, lookup: Callable[[str], Variant]) -> Variant:
    """Returns the variant that the headers of a record name, with their switches.

    Of a variant that the user has replaced it is the one whose rules they name, if there was such a one.
    Rules that are nowhere else are those of the header `Base`.

    Raises:
        RecordError: `missing_header`, or a fault of the header of the switches.
        VariantError: If there is no such variant or switch.
    """
    name = record.header("Variant")
    if name is None:
        raise record_error("missing_header", name="Variant")
    switches, rules, base = record.switches, record.header("Rules"), record.header("Base")
    try:
        found = lookup(name)
    except VariantError:
        if base is None:
            raise
        return _of_base(base)
    found = found.with_switches(switches) if switches else found
    if rules in (None, found.rules.hash) or found.id in built_in_ids():
        return found
    for one in earlier_variants(found.id):
        with suppress(VariantError):
            if (earlier := one.with_switches(switches)).rules.hash == rules:
                return earlier
    with suppress(VariantError):
        if base is not None and (other := _of_base(base)).rules.hash == rules:
            return other
    return found


def _of_base(base: str) -> Variant:
    parsed = parse_base(base)
    assert parsed is not None  # it was checked when it was read
    return variant(parsed[0]).with_switches(parsed[1])


def called_game(record: Record, game: Game, played: Variant) -> CalledGame:
    """Returns a game with the calls that the headers of its record, or else its variant, ask for."""
    defaults = played.calls or {}
    return CalledGame(
        game,
        record.header("Calls") or "off",
        sanction=record.header("Sanction") or str(defaults.get("sanction", "none")),
        replay=record.header("Replay") or str(defaults.get("replay", "same_piece")),
        # Records are without this header where a wrong number is a call, whatever the variant says now.
        wrong_number=record.header("WrongNumber") or played.switches.get("wrong_number", "call"),
    )


class _Replayer:
    def __init__(self, record: Record, lookup: Callable[[str], Variant]) -> None:
        self._record = record
        self._lookup = lookup
        self._faults: list[ReplayFault] = []
        self._variant: Variant | None = None
        self._line = 0

    def replay(self) -> Replay:
        outcome: Outcome | None = None
        for name, _ in self._record.headers:
            known = misspelt(name)
            if known is not None and self._record.header(known) is None:
                self._add("misspelt_header", found=name, expected=known)
        start = called = self._begin()
        if called is not None:
            line = _LineReplayer(self._faults, called, 1, ())
            line.play(self._record.nodes)
            called, self._line = line.called, line.line
            if line.is_complete:
                outcome = self._check_result(called.game, line.ply)
        return Replay(self._record, called, outcome, tuple(self._faults), self._variant, start)

    def _begin(self) -> CalledGame | None:
        """Returns the game that the headers define; None if they do not define one."""
        try:
            self._variant = played = with_switches_of(self._record, self._lookup)
            rules = played.rules
            start = self._record.header("Start")
            game = Game(rules) if start is None else Game(rules, Setup(encodable(start)))
        except (VariantError, SetupError, RecordError) as error:
            self._faults.append(ReplayFault.of(error))
            return None
        self._check_rules(rules, played.revision)
        return called_game(self._record, game, played)

    def _check_rules(self, rules: Rules, revision: int) -> None:
        """Compares the hash of the rules. If it agrees, the revision is irrelevant."""
        written = self._record.header("Rules")
        if written is None:
            self._add("missing_rules", expected=rules.hash)
        elif written != rules.hash:
            self._add("rules_mismatch", found=written, expected=rules.hash, revision=revision)

    def _check_result(self, game: Game, ply: int) -> Outcome | None:
        """Compares result and reason with the rules; returns the outcome."""
        written, reason = self._record.result, self._record.reason
        if game.outcome is not None:
            winner = result_word(game.outcome.winner)
            if written not in (winner, UNFINISHED):
                self._add("wrong_result", ply, found=written, expected=winner)
            if reason is not None and reason is not game.outcome.reason:
                self._add("wrong_reason", ply, found=reason.value, expected=game.outcome.reason.value)
            return game.outcome
        if written == UNFINISHED:
            if reason is not None:
                self._add("reason_without_result", ply, reason=reason.value)
            return None
        if reason is None:
            self._add("missing_reason", ply, result=written)
        elif reason not in REASONS_BY_PLAYERS:
            self._add("end_not_reached", ply, reason=reason.value)
        elif REASONS_BY_PLAYERS[reason] not in (None, written != DRAW):
            self._add("reason_contradicts_result", ply, reason=reason.value, result=written)
        else:
            return self._record.outcome
        return None

    def _add(self, code: str, ply: int = 0, /, **facts: object) -> None:
        self._faults.append(ReplayFault.of(record_error(code, **facts), ply, line=self._line))


class _LineReplayer:
    """Plays one line with its variations."""

    def __init__(
        self, faults: list[ReplayFault], called: CalledGame, number: int, path: VariationPath
    ) -> None:
        self._faults = faults
        self._number = number
        self._path = path
        self._previous: Node | None = None  # the previous ply of this line
        self.line = 0  # of the text, for the node being played
        self.pass_is_due = called.game.passed
        self.called = called
        self.is_complete = True
        self.ply = 0

    def play(self, nodes: tuple[Node, ...]) -> None:
        """Plays the nodes in order, up to the first that cannot be played."""
        for node in nodes:
            self.line = node.line
            if node.move is not None:
                self.ply = self._number
                self._expect_no_pass()
            self._play_variations(node)
            if node.move is None:
                self._pass()
            elif not self._play_ply(node, node.move):
                self.is_complete = False
                return
        self._expect_no_pass()
        if self._previous is not None and self._previous.status is Status.TAKEN_BACK:
            self._add("move_not_taken_back")

    def _play_variations(self, node: Node) -> None:
        for index, variation in enumerate(node.variations, start=1):
            path = (*self._path, (self._number, index))
            line = _LineReplayer(self._faults, self.called, self._number, path)
            line.pass_is_due = self.pass_is_due
            line.play(variation.nodes)

    def _expect_no_pass(self) -> None:
        if self.pass_is_due:
            self._add("missing_pass")
        self.pass_is_due = False

    def _pass(self) -> None:
        if not self.pass_is_due:
            self._add("unexpected_pass")
        self.pass_is_due = False

    def _play_ply(self, node: Node, move: Move) -> bool:
        """Plays a move; returns whether it is legal."""
        before = self.called
        try:
            # A move of the other side ends a turn of several captures.
            stop = stop_before(before.game.position, move)
            if stop is not None:
                self.called = self.called.play(stop)
            after = self._played(node, move)
        except IllegalMove as error:
            self._add(error.code, 0, **error.parameters)
            return False
        self._check_refusal(node, after)
        if node.call:
            self._check_call(node, before, after)
        self.called = after
        self.pass_is_due = after.game.passed and not after.refused
        self._previous = node
        self._number = number_after(self._number, node.status)
        return True

    def _played(self, node: Node, move: Move) -> CalledGame:
        if not node.captures:
            return self.called.play(move, node.call)
        try:
            return self.called.play(format_move(move, node.captures), node.call)
        except IllegalMove as error:
            if error.code != "wrong_captures":
                raise
            self._add(error.code, 0, **error.parameters)
            return self.called.play(move, node.call)

    def _check_refusal(self, node: Node, after: CalledGame) -> None:
        """Compares the marks of refusals with the calls' sanction."""
        if after.refused and node.status is not Status.REFUSED:
            self._add("escape_refused")
        elif not after.refused and node.status is Status.REFUSED:
            self._add("escape_not_refused")
        if self._previous is None:
            return
        was_taken_back = self._previous.status is Status.TAKEN_BACK
        if after.refused and not was_taken_back:
            self._add("move_taken_back", 1)
        elif was_taken_back and not after.refused:
            self._add("move_not_taken_back", 1)

    def _check_call(self, node: Node, before: CalledGame, after: CalledGame) -> None:
        """Reports calls that could not be made. A player may call a wrong number."""
        if after.mode == "off":
            self._add("call_not_expected", call=node.call)
        elif before.game.turn is Side.ATTACKERS:
            self._add("call_by_attackers", call=node.call)
        elif after.required == 0:
            self._add("false_call", call=node.call)
        elif after.mode == "auto" and node.call != after.required:
            self._add("wrong_call", found=node.call, expected=after.required)

    def _add(self, code: str, before: int = 0, /, **facts: object) -> None:
        """Reports a fault of the current ply, or of the ply `before` plies earlier."""
        ply = max(self.ply - before, 0)
        line = self._previous.line if before and self._previous else self.line
        self._faults.append(ReplayFault.of(record_error(code, **facts), ply, self._path, line))


def explain_fault(fault: RecordError | ReplayFault, lang: str | None = None, /) -> str:
    """Returns the message of a fault with its place: line and column, or ply and variation.

    >>> from hnefi.record import read_records
    >>> explain_fault(read_records("1. d2-c2 }").faults[0], "en")
    'Line 1, column 10: “}” is not expected here.'
    """
    if isinstance(fault, RecordError):
        message = explain(fault, lang)
        if not fault.line:
            return message
        return text("record.at", lang, line=fault.line, column=fault.column, message=message)
    message = explain(fault.error, lang)
    if fault.path:
        path = "/".join(f"{ply}.{number}" for ply, number in fault.path)
        return text("record.side_line", lang, ply=fault.ply, path=path, message=message)
    return text("record.ply", lang, ply=fault.ply, message=message) if fault.ply else message
