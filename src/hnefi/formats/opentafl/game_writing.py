"""Formats records as OpenTafl reads them."""

from collections.abc import Iterator
from dataclasses import replace

from hnefi._core import Game, Setup
from hnefi.errors import HnefiError, VariantError
from hnefi.formats.format import Written
from hnefi.formats.opentafl.position import position_of, setup_of
from hnefi.formats.opentafl.rules_text import RulesText, format_rules_text, parse_rules_text
from hnefi.formats.opentafl.rules_writing import diagram_of, variant_rules_text
from hnefi.formats.opentafl.tags import HEADERS, RESULTS, reason_in, tag_date, tag_time_control, termination
from hnefi.formats.opentafl.turn_writing import Annotations, Turns
from hnefi.formats.raw_game import RawGame
from hnefi.pieces import Reason, Side
from hnefi.record.faults import record_error
from hnefi.record.headers import format_switches
from hnefi.record.replay import with_switches_of
from hnefi.variants.finding import variant_ids
from hnefi.variants.model import Variant

# Headers that have a tag of another name, or follow from the rules string and the moves.
_IMPLIED = {"Revision", "Rules", "Switches", "Base", "Start", "OpenTaflRules"}
_RESULT_OF = {result: written for written, result in RESULTS.items()}


def write_otg(raw: RawGame) -> Written:
    """Formats a game.

    Raises:
        RecordError: `missing_header` if it names no variant; `forced_pass` if a side has to pass;
            `long_turns` if the end of a turn would have to be written, which the notation cannot do.
        VariantError: If its variant is unknown.
    """
    return _Writer(raw).written()


class _Writer:
    def __init__(self, raw: RawGame) -> None:
        self._raw_game = raw
        self._record = raw.record()
        self._annotations = Annotations(has_clocks=self._record.header("TimeControl") is not None)
        self._variant = self._find_variant()
        start = self._record.header("Start")
        self._start = self._variant.rules.start if start is None else Setup(start)
        self._original = self._fitting_rules()

    def written(self) -> Written:
        if self._start.going is not None:
            raise record_error("long_turns")
        tags = [f"[{name}:{value}]" for name, value in self._tags()]
        tags.append(f"[rules:{self._rules()}]")
        turns = Turns(self._annotations, self._start.turn)
        turns.write(tuple(node for node in self._record.nodes if not node.is_undone), self._game())
        if any(node.is_undone for node in self._record.nodes):
            self._annotations.gap("refused_escapes")
        blocks = ["\n".join(tags), *turns.blocks]
        gaps = tuple(self._annotations.gaps)
        return Written("\n\n".join(blocks) + "\n\n", gaps, has_rules_text=self._original is not None)

    def _find_variant(self) -> Variant:
        if self._record.header("Variant") is None:
            raise record_error("missing_header", (self._raw_game.line, 1), name="Variant")
        return with_switches_of(self._record, self._raw_game.lookup())

    # --- Tags ---

    def _tags(self) -> Iterator[tuple[str, str]]:
        record = self._record
        for tag, name in HEADERS.items():
            value = record.header(name)
            if tag == "result":
                yield tag, _RESULT_OF[record.result]
            elif tag == "variant":
                if name_text := value or self._variant_tag():
                    yield tag, self._one_line(name_text)
            elif value:
                converted = {"date": tag_date, "time-control": tag_time_control}.get(tag, str)(value)
                yield tag, self._one_line(converted)
            elif tag == "termination" and (words := self._termination()):
                yield tag, words
        ends = record.header("Termination") or self._termination() or ""
        is_known = self._variant.id in variant_ids() or record.header("OpenTaflRules")
        kept = {*HEADERS.values(), *_IMPLIED, *(["Variant"] if is_known else [])}
        for name, value in record.headers:
            if name not in kept and (name != "Reason" or reason_in(ends) is not Reason(value)):
                self._annotations.gap("header", name=name)
        if record.comments:
            yield "start-comment", self._annotations.joined(record.comments, may_split=True)
        if (position := self._position()) is not None:
            yield "position", position

    def _termination(self) -> str | None:
        outcome = self._record.outcome
        return termination(outcome.reason, outcome.winner) if outcome else None

    def _variant_tag(self) -> str | None:
        """Returns variant and switches, so that readers who know it have what the rules cannot express."""
        if self._variant.id not in variant_ids() or self._record.header("OpenTaflRules"):
            return None
        switches = self._variant.switches
        return f"{self._variant.id}; {format_switches(switches)}" if switches else self._variant.id

    def _one_line(self, value: str) -> str:
        line = " ".join(value.replace("]", ")").split())
        if line != value:
            self._annotations.gap("signs")
        return line

    def _rules(self) -> str:
        """Returns the rules string: the one in the record, or that of the variant with the start position."""
        if self._original is not None:
            return " ".join((self._record.header("OpenTaflRules") or "").split())
        rules, gaps = variant_rules_text(self._variant)
        for gap in gaps:
            self._annotations.gap(gap.code, **gap.facts)
        start = self._start
        if start.quiet:
            self._annotations.gap("quiet_counter", plies=str(start.quiet))
        return format_rules_text(
            replace(rules, start=diagram_of(start), atkf=start.turn is Side.ATTACKERS)
        ).replace("]", ")")

    def _fitting_rules(self) -> RulesText | None:
        """Returns the rules string of the record if it fits its board and the side that begins."""
        try:
            rules = parse_rules_text(self._record.header("OpenTaflRules") or "")
        except VariantError:
            return None
        begins = rules.atkf == (self._start.turn is Side.ATTACKERS)
        return rules if begins and rules.dim == self._start.size else None

    def _position(self) -> str | None:
        """Returns the start position if it differs from that of the record's rules string."""
        if self._original is None:
            return None
        rules_start = setup_of(self._original.start, self._start.turn)
        return None if rules_start.pieces == self._start.pieces else position_of(diagram_of(self._start))

    def _game(self) -> Game | None:
        try:
            return Game(self._variant.rules, self._start)
        except HnefiError:
            return None
