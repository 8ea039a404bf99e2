"""Writes records as OpenTafl reads them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hnefi._core import Game, Setup
from hnefi.errors import HnefiError, IllegalMove, VariantError
from hnefi.formats.face import Gap, Sheet, Written
from hnefi.formats.opentafl.move import PLACEHOLDER
from hnefi.formats.opentafl.position import position_of, setup_of
from hnefi.formats.opentafl.rules_text import format_rules_text, parse_rules_text
from hnefi.formats.opentafl.rules_writing import diagram_of, variant_rules_text
from hnefi.formats.opentafl.tags import HEADERS, RESULTS, tag_date, tag_time_control, termination
from hnefi.pieces import Piece, Reason, Side
from hnefi.record import Node, Variation
from hnefi.record.faults import record_error
from hnefi.record.headers import format_switches
from hnefi.variant import Variant, variant_ids

__all__ = ["write_otg"]

# Headers that stand in tags of another name, or that rules string and moves imply.
_TOLD = {"Variant", "Revision", "Rules", "Switches", "Start", "Reason", "OpenTaflRules"}
_MOST_CAPTURES = 4
_RESULT_OF = {result: written for written, result in RESULTS.items()}


def write_otg(sheet: Sheet) -> Written:
    """Writes a game.

    Raises:
        RecordError: `missing_header` if it does not say by which rules it is played, `forced_pass` if a side
            has to pass, which this form has no word for.
        VariantError: If its variant is not known.
    """
    return _Writing(sheet).written()


class _Writing:
    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._record = sheet.record()
        self._gaps: list[Gap] = []
        self._variant = self._found_variant()
        self._has_clocks = self._record.header("TimeControl") is not None

    def written(self) -> Written:
        if self._variant.tree.get("special", {}).get("berserk", "none") != "none":
            raise record_error("long_turns", (self._sheet.line, 1), name=self._variant.id)
        tags = [f"[{name}:{value}]" for name, value in self._tags()]
        tags.append(f"[rules:{self._rules()}]")
        turns = _Turns(self, self._game())
        turns.line(tuple(node for node in self._record.nodes if not node.is_undone), "", 0, turns.start)
        if any(node.is_undone for node in self._record.nodes):
            self.gap("refused_escapes")
        blocks = ["\n".join(tags), *turns.blocks]
        return Written("\n\n".join(blocks) + "\n\n", tuple(self._gaps))

    def gap(self, code: str, **facts: str) -> None:
        """Notes something that is not said, once."""
        gap = Gap(code, facts)
        if gap not in self._gaps:
            self._gaps.append(gap)

    def _found_variant(self) -> Variant:
        name = self._record.header("Variant")
        if name is None:
            raise record_error("missing_header", (self._sheet.line, 1), name="Variant")
        found = self._sheet.lookup()(name)
        return found.with_switches(self._record.switches) if self._record.switches else found

    # --- Tags ---

    def _tags(self) -> Iterator[tuple[str, str]]:
        record = self._record
        for tag, name in HEADERS.items():
            value = record.header(name)
            if tag == "result":
                yield tag, _RESULT_OF[record.result]
            elif tag == "variant":
                if told := value or self._variant_tag():
                    yield tag, self._one_line(told)
            elif value:
                yield (
                    tag,
                    self._one_line({"date": tag_date, "time-control": tag_time_control}.get(tag, str)(value)),
                )
            elif tag == "termination" and (told := self._termination()):
                yield tag, told
        for name, _ in record.headers:
            if name not in {*HEADERS.values(), *_TOLD}:
                self.gap("header", name=name)
        if record.comments:
            yield "start-comment", self.comment("\n\n".join(record.comments), may_split=True)
        if (position := self._position()) is not None:
            yield "position", position

    def _termination(self) -> str | None:
        outcome = self._record.outcome
        return termination(outcome.reason, outcome.winner) if outcome else None

    def _variant_tag(self) -> str | None:
        """Names the variant and its switches, so that a reader who knows it has what the rules cannot say."""
        if self._variant.id not in variant_ids() or self._record.header("OpenTaflRules"):
            return None
        switches = self._variant.switches
        return f"{self._variant.id}; {format_switches(switches)}" if switches else self._variant.id

    def _one_line(self, value: str) -> str:
        line = " ".join(value.replace("]", ")").split())
        if line != value:
            self.gap("signs")
        return line

    def _start(self) -> Setup:
        start = self._record.header("Start")
        return self._variant.rules.start if start is None else Setup(start)

    def _rules(self) -> str:
        """Gives the rules string: the one the game came with, or that of its variant from where it begins."""
        brought = self._record.header("OpenTaflRules")
        if brought is not None and self._brings(brought):
            return " ".join(brought.split())
        rules, gaps = variant_rules_text(self._variant)
        for gap in gaps:
            self.gap(gap.code, **gap.facts)
        start = self._start()
        if start.quiet:
            self.gap("quiet_counter", plies=str(start.quiet))
        return format_rules_text(
            replace(rules, start=diagram_of(start), atkf=start.turn is Side.ATTACKERS)
        ).replace("]", ")")

    def _brings(self, text: str) -> bool:
        """Tells whether a rules string begins with the side that moves first in this game."""
        try:
            rules = parse_rules_text(text)
        except VariantError:
            return False
        return rules.dim == self._start().size and rules.atkf == (self._start().turn is Side.ATTACKERS)

    def _position(self) -> str | None:
        """Gives the position to begin from where the rules string that the game came with has another."""
        brought = self._record.header("OpenTaflRules")
        if brought is None or not self._brings(brought):
            return None
        start, rules = self._start(), parse_rules_text(brought)
        theirs = setup_of(rules.start, start.turn)
        return None if theirs.pieces == start.pieces else position_of(diagram_of(start))

    def _game(self) -> Game | None:
        try:
            return Game(self._variant.rules, self._start())
        except HnefiError:
            return None

    # --- Comments ---

    def comments_of(self, node: Node) -> str:
        """Gives what is said about a move, its clock first."""
        told = self.comment("\n\n".join(node.comments))
        if len(node.comments) > 1:
            self.gap("joined_comments")
        if node.clock_ms is None:
            if self._has_clocks and told[:1].isdigit():
                self.gap("comment_as_clock")
            return told
        if not self._has_clocks:
            self.gap("clocks")
            return told
        if node.clock_ms % 1000:
            self.gap("clock_fractions")
        return f"{node.clock_ms // 1000} {told}".rstrip()

    def comment(self, text: str, *, may_split: bool = False) -> str:
        """Gives a comment without the signs that end one."""
        plain = text.replace("]", ")")
        plain = plain if may_split else plain.replace("|", "/")
        if plain.strip() != text:
            self.gap("signs")
        return plain.strip()


class _Turns:
    """The turns of all lines, each with its comments, as blocks of text."""

    def __init__(self, writing: _Writing, game: Game | None) -> None:
        self._writing = writing
        self.start = game
        self.blocks: list[str] = []

    def line(
        self, nodes: Sequence[Node], prefix: str, skipped: int, game: Game | None, before: Sequence[str] = ()
    ) -> None:
        """Writes a line that begins within a turn after so many moves of it, and then its side lines."""
        if any(node.is_pass for node in nodes):
            raise record_error("forced_pass")
        at, turn = 0, 1
        while at < len(nodes):
            size = 2 - skipped if turn == 1 else 2
            members = nodes[at : at + size]
            game = self._turn(
                members, f"{prefix}{turn}", bool(prefix), skipped if turn == 1 else 0, game, before
            )
            at, turn, before = at + size, turn + 1, ()

    def _turn(
        self,
        members: Sequence[Node],
        address: str,
        is_side_line: bool,
        skipped: int,
        game: Game | None,
        before: Sequence[str],
    ) -> Game | None:
        words, comments = [PLACEHOLDER] * skipped, [""] * skipped
        games: list[Game | None] = []
        for node in members:
            games.append(game)
            word, game = self._word(node, game)
            words.append(word)
            comments.append(self._writing.comments_of(node))
        if before:
            self._say_before("\n\n".join(before), comments, skipped)
        mark = "a" if is_side_line else ""
        self.blocks.append(f"{address}{mark}. {' '.join(words)}\n[{'|'.join(comments)}]")
        for place, (node, earlier) in enumerate(zip(members, games, strict=True), skipped):
            for number, variation in enumerate(node.variations, 1):
                self._side_line(variation, f"{address}{chr(97 + place)}.{number}.", place, earlier)
        return game

    def _say_before(self, text: str, comments: list[str], skipped: int) -> None:
        """Puts what is said before a line where a move is left out, or in front of its first comment."""
        told = self._writing.comment(text)
        if not skipped:
            self._writing.gap("joined_comments")
            told = f"{told}\n\n{comments[0]}".rstrip()
        comments[0] = told

    def _side_line(self, variation: Variation, prefix: str, skipped: int, game: Game | None) -> None:
        nodes = tuple(node for node in variation.nodes if not node.is_undone)
        self.line(nodes, prefix, skipped, game, variation.comments)

    def _word(self, node: Node, game: Game | None) -> tuple[str, Game | None]:
        """Writes a move; the king, what is captured and what threatens are known from the rules."""
        assert node.move is not None
        if node.call:
            self._writing.gap("calls")
        text = f"{node.move.from_square.name}-{node.move.to_square.name}"
        captures = [square.name for square in node.captures]
        if game is None or game.outcome is not None:
            self._writing.gap("unplayed")
            return text + _taken(captures), None
        king = game.position.king
        try:
            after = game.play(node.move)
        except IllegalMove:
            self._writing.gap("unplayed")
            return text + _taken(captures), None
        assert after.last is not None
        if game.position.piece_at(node.move.from_square) is Piece.KING:
            text = f"K{text}"
        taken = captures or [square.name for square in after.last.captures]
        if after.outcome is not None and after.outcome.reason is Reason.KING_CAPTURED and king is not None:
            taken.append(f"K{king.name}")
        if len(taken) > _MOST_CAPTURES:
            self._writing.gap("many_captures", ply=str(after.ply_count))
        if after.last.passed:
            raise record_error("forced_pass")
        return text + _taken(taken) + _info(after), after


def _taken(names: Sequence[str]) -> str:
    return f"x{'/'.join(names)}" if names else ""


def _info(game: Game) -> str:
    """Gives what a move threatens or ends: the king captured or in danger, escaped or able to."""
    if game.outcome is not None:
        reason = game.outcome.reason
        escapes = (Reason.CORNER, Reason.EDGE)
        return "++" if reason is Reason.KING_CAPTURED else "--" if reason in escapes else ""
    if game.position.threatened_king:
        return "+"
    return "-" if game.position.exits else ""
