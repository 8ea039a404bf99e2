"""Checks one recorded game against the rules its type may have, and returns the findings."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from hnefi._core import Outcome, Ply, Rules, Setup, Square, Trace, unwritten_hops
from hnefi.formats.findings import CheckResult, Finding, FindingKind
from hnefi.pieces import Reason, Side
from hnefi.record.headers import result_word
from hnefi.variants.model import Variant

if TYPE_CHECKING:
    from hnefi.formats.raw_game import RawGame

CLAIMED = (Reason.REPETITION, Reason.ENCLOSURE, Reason.EXIT_FORT, Reason.QUIET_MOVES)
"""Ends that a player has to claim: without a referee, games go on after them."""

_UNCLAIMED = {"repetition": "0,none", "enclosure": "none", "exit_fort": "none", "quiet_limit": "0"}
REFUSALS = {
    "bad_move": FindingKind.NOT_A_MOVE,
    "not_on_board": FindingKind.OFF_BOARD,
    "no_piece": FindingKind.NO_PIECE,
    "not_your_piece": FindingKind.WRONG_SIDE,
    "path_blocked": FindingKind.BLOCKED,
    "square_occupied": FindingKind.BLOCKED,
    "game_over": FindingKind.AFTER_END,
}
# The longest repeated block of moves that is recognised.
_LONGEST_BLOCK = 8
_MOST_REPAIRS = 40
# No move with two captures is as short: a1a2xb1 names one.
_LONGEST_SINGLE = 7
_RESULTS = {"attackers": Side.ATTACKERS, "defenders": Side.DEFENDERS, "draw": None}


def check(raw: "RawGame", readings: Sequence[Variant]) -> CheckResult:
    """Plays a game by each of its possible rules and returns the best result.

    Args:
        raw: The game.
        readings: The possible rules, at least one, the most likely first.

    >>> from hnefi import variant
    >>> from hnefi.formats import RawGame
    >>> check(RawGame((), ("d2-c2", "d3-c3", "d2-c2")), [variant("brandub-globe")]).fault.kind
    <FindingKind.NO_PIECE: 'no_piece'>
    """
    best: CheckResult | None = None
    for played in readings:
        result = _read(raw, played)
        if not result.findings:
            return result
        if best is None or _rank(result) > _rank(best):
            best = result
    if best is None:
        raise ValueError("readings: none, expected at least one variant")
    return best


def _read(raw: "RawGame", played: Variant) -> CheckResult:
    """Plays a game by the given rules; with the other side to move first if only that reaches the end."""
    result = _Reading(raw, played).result()
    fault = result.fault
    if fault is None or fault.kind is not FindingKind.WRONG_SIDE or fault.ply != 1:
        return result
    start = played.rules.start
    other_start = Setup.of(start.size, start.pieces, start.turn.opponent, start.quiet)
    other = _Reading(raw, played, other_start).result()
    return result if other.fault else other


def _rank(result: CheckResult) -> tuple[bool, int, int]:
    return result.fault is None, result.plies if result.fault else 0, -len(result.findings)


@lru_cache(maxsize=64)
def _has_turns(rules: Rules) -> bool:
    """Checks whether a piece may capture more than once in a turn."""
    return rules.tree.special.berserk != "none"


@cache
def unclaimed(played: Variant) -> Variant:
    """Returns the rules without the ends that a player has to claim, for games that went on after one."""
    return played.with_switches(_UNCLAIMED)


@dataclass
class _Reading:
    """One game, played by one set of rules; an illegal move is explained by repairs where possible."""

    raw: "RawGame"
    played: Variant
    setup: Setup | None = None
    is_claimed: bool = True
    moves: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def result(self) -> CheckResult:
        """Plays the game, again after each repair, and returns the result."""
        self.moves = list(self.raw.moves)
        if self.raw.omits_captures:
            self.moves = [move if "x" in move else move.replace("-", "") for move in self.moves]
        self.places = list(range(1, len(self.moves) + 1))
        if self.setup is not None:
            self._add(FindingKind.OTHER_SIDE, 0)
        if _has_turns(self.played.rules):
            self._expand_turns()
        trace = self._trace()
        for _ in range(_MOST_REPAIRS):
            if trace.refusal is None or not self._repair(trace):
                break
            trace = self._trace()
        if trace.refusal is not None:
            kind = REFUSALS.get(trace.refusal.code, FindingKind.AGAINST_RULES)
            facts = {"code": trace.refusal.code, **trace.refusal.parameters}
            self._add(kind, trace.game.ply_count, facts)
        self._compare_captures(trace)
        if trace.refusal is None:
            trace = self._end(trace)
        outcome = trace.game.outcome if trace.refusal is None else None
        agrees = None if outcome is None else self._agrees(outcome)
        if outcome is not None and agrees is False:
            facts = {"found": result_word(outcome.winner), "written": self.raw.header("Result") or "*"}
            self._add(FindingKind.WINNER, len(self.moves) - 1, facts)
        self._count_captures(trace)
        self.findings.sort(key=lambda finding: finding.ply)
        return CheckResult(
            trace.game.ply_count,
            tuple(self.findings),
            self.played,
            outcome,
            agrees,
            trace.game,
            is_refused=trace.refusal is not None,
        )

    def _expand_turns(self) -> None:
        """Adds the unwritten hops and stops of turns of several captures."""
        added = unwritten_hops(unclaimed(self.played).rules, self.setup, self.moves)
        hopped = [ply for ply, moves in added if not moves[0].is_stop]
        self.findings += [Finding(FindingKind.HOPS, ply, self.raw.moves[ply - 1]) for ply in hopped[:1]]
        for ply, moves in reversed(added):
            self.moves[ply:ply] = [str(move).replace("-", "") for move in moves]
            self.places[ply:ply] = [ply] * len(moves)

    def _trace(self, count: int | None = None) -> Trace:
        """Plays the moves, or the first so many."""
        rules = (self.played if self.is_claimed else unclaimed(self.played)).rules
        return Trace(rules, self.setup, self.moves[:count], marked=True)

    def _add(self, kind: FindingKind, index: int, facts: Mapping[str, str] | None = None) -> None:
        """Adds a finding about the move with an index."""
        is_move = 0 <= index < len(self.moves)
        ply, move = (self.places[index], self.moves[index]) if is_move else (0, "")
        self.findings.append(Finding(kind, ply, move, facts or {}))

    def _repair(self, trace: Trace) -> bool:
        """Repairs the illegal move; returns whether that was possible."""
        index, outcome = trace.game.ply_count, trace.game.outcome
        if outcome is not None:
            if outcome.reason not in CLAIMED:
                return False
            self._add(FindingKind.WENT_ON, index, {"reason": outcome.reason.value})
            self.is_claimed = False
            return True
        return self._drop_repeated(index)

    def _drop_repeated(self, index: int) -> bool:
        """Drops illegal moves that repeat the moves before them exactly; returns whether there were any."""
        plain = [move.partition("x")[0].replace("-", "") for move in self.moves[: index + _LONGEST_BLOCK]]
        for size in range(1, min(index, _LONGEST_BLOCK) + 1):
            if plain[index : index + size] == plain[index - size : index]:
                self._add(FindingKind.TWICE, index, {"count": str(size)})
                del self.moves[index : index + size], self.places[index : index + size]
                return True
        return False

    def _compare_captures(self, trace: Trace) -> None:
        """Adds findings for moves whose written captures differ from the rules."""
        if not trace.differences:
            return
        plies = trace.game.plies
        for ply, written in trace.differences:
            made = set(plies[ply - 1].captures)
            if set(written) <= made | self._by_hops(plies, ply) and made <= set(written):
                continue
            names = {"written": _names(written), "made": _names(made)}
            if made - set(written):
                self._add(FindingKind.CAPTURE_NOT_WRITTEN, ply - 1, names)
            elif self._could_be_tried(set(written) - made - self._by_hops(plies, ply), ply):
                self._add(FindingKind.TRIED, ply - 1, names)
            else:
                self._add(FindingKind.CAPTURE_NOT_MADE, ply - 1, names)

    def _by_hops(self, plies: Sequence[Ply], ply: int) -> set[Square]:
        """Returns the later captures of the turn that begins with a ply."""
        place = self.places[ply - 1]
        later = takewhile(lambda index: self.places[index] == place, range(ply, len(plies)))
        return {square for index in later for square in plies[index].captures}

    def _could_be_tried(self, captures: set[Square], ply: int) -> bool:
        """Checks whether all captures belong to other moves that the side could have tried."""
        position = self._trace(ply - 1).game.position
        possible = (one.square for move in position.legal_moves() for one in position.describe(move).captures)
        return captures <= set(possible)

    def _end(self, trace: Trace) -> Trace:
        """Plays on after an unclaimed end: a player resigned, or another result is written."""
        outcome = trace.game.outcome
        if outcome is None or outcome.reason not in CLAIMED or self._agrees(outcome) is not False:
            return trace
        self._add(FindingKind.WENT_ON, len(self.moves) - 1, {"reason": outcome.reason.value})
        self.is_claimed = False
        return self._trace()

    def _agrees(self, outcome: Outcome) -> bool | None:
        result = self.raw.header("Result")
        return outcome.winner is _RESULTS[result] if result in _RESULTS else None

    def _count_captures(self, trace: Trace) -> None:
        """Compares the numbers of captures, if the file states them; twice what is named twice may be."""
        again = Counter[Side]()
        moves = self.moves[: trace.game.ply_count]
        for index, move in [pair for pair in enumerate(moves) if len(pair[1]) > _LONGEST_SINGLE]:
            names = move.lower().replace("/", "x").split("x")[1:]
            if len(names) > len(set(names)):
                again[trace.game.plies[index].side] += len(names) - len(set(names))
                self._add(FindingKind.CAPTURED_TWICE, index)
        stated = self.raw.captures
        if stated is None or trace.refusal is not None:
            return
        counted = tuple(trace.game.captured_by(side) for side in Side)
        named = tuple(count + again[side] for count, side in zip(counted, Side, strict=True))
        if stated not in (counted, named):
            facts = {"written": "/".join(map(str, stated)), "made": "/".join(map(str, counted))}
            self.findings.append(Finding(FindingKind.CAPTURE_COUNT, facts=facts))


def _names(squares: Sequence[Square] | set[Square]) -> str:
    return " ".join(sorted(square.name for square in squares)) or "-"
