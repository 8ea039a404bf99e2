"""A game as a file has it, before any rule has checked it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from hnefi._core import format_move, parse_move
from hnefi.errors import IllegalMove, RecordError, VariantError
from hnefi.formats.gaps import Gap
from hnefi.formats.replaying import replay_moves
from hnefi.record import Node, Record, Replay
from hnefi.record.escapes import encodable
from hnefi.record.faults import record_error
from hnefi.record.headers import UNFINISHED, Headers
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant


@dataclass(frozen=True, slots=True)
class RawGame:
    """A parsed game that is not yet checked: headers, and moves as they are written.

    A move may be anything that is written like a move. `record` parses the moves, `replay` plays them.

    Attributes:
        headers: The headers, under the names that records use.
        written: The moves in order, for formats that have nothing besides them.
        lines: The lines of these moves, where a game has several; empty otherwise.
        full_record: The whole record, for formats with variations, comments or clocks.
        captures: The numbers of soldiers captured by attackers and by defenders, where the file states them.
        omits_captures: Whether a move like `d2-c2` may capture; otherwise its hyphen states that it does not.
        variant: The variant, where the file contains its rules or the user named a custom variant.
        game: The number of the game in its file, from 1.
        line: The line on which the game begins.
        gaps: The parts of the file that are not kept.
        rules_gaps: Those of them that are parts of the rules, which the header `OpenTaflRules` still has.
        faults: The faults in spite of which the game was kept, if it was read leniently.
        is_cut: Whether the game ends before the last of these faults: the rest is lost, and so is its result.

    >>> RawGame((("Result", "*"),), ("d2-e2", "c4-c5")).record().nodes[1].move
    Move('c4-c5')
    """

    headers: Headers = ()
    written: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    full_record: Record | None = None
    captures: tuple[int, int] | None = None
    omits_captures: bool = False
    variant: Variant | None = None
    game: int = 1
    line: int = 1
    gaps: tuple[Gap, ...] = ()
    rules_gaps: tuple[Gap, ...] = ()
    faults: tuple[RecordError, ...] = ()
    is_cut: bool = False

    @classmethod
    def of(cls, record: Record, *, game: int = 1, line: int = 1) -> "RawGame":
        """Returns the raw game with everything in a record."""
        return cls(record.headers, full_record=record, game=game, line=line)

    def header(self, name: str) -> str | None:
        """Returns the value of a header, None if there is none."""
        return next((value for known, value in self.headers if known == name), None)

    def cut_before(self, *faults: RecordError) -> "RawGame":
        """Returns the game as one that ends before a fault: only the rest could tell its result."""
        headers = tuple(
            (name, UNFINISHED if name == "Result" else value)
            for name, value in self.headers
            if name != "Reason"
        )
        record = self.full_record and replace(self.full_record, headers=headers)
        return replace(self, headers=headers, full_record=record, captures=None, faults=faults, is_cut=True)

    @property
    def is_truncated(self) -> bool:
        """Checks whether its compressed file ends inside this game: others may be lost."""
        return any(fault.code == "archive_cut" for fault in self.faults)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves of the main line as written, without forced passes and refused escapes."""
        if self.full_record is None:
            return self.written
        nodes = self.full_record.counted
        return tuple(format_move(node.move, node.captures) for node in nodes if node.move)

    def record(self) -> Record:
        """Returns the game as a record.

        Raises:
            RecordError: `bad_move` for the first text that is no move, or the fault of a header.
        """
        if self.full_record is not None:
            return self.full_record
        return Record(self.headers, tuple(self._node(ply, text) for ply, text in enumerate(self.written, 1)))

    def _node(self, ply: int, text: str) -> Node:
        line = self.lines[ply - 1] if self.lines else self.line
        try:
            move, captures = parse_move(encodable(text))
        except IllegalMove as error:
            raise record_error(error.code, (line, 1), game=self.game, ply=ply, text=text) from None
        return Node(move, captures or (), line=line)

    def replay(self, lookup: Callable[[str], Variant] | None = None) -> Replay:
        """Plays the game by its rules, and finds what `hnefi replay` finds.

        Of a format of moves alone the record in the result is as the game was played: what had to be repaired
        is a remark.

        Args:
            lookup: Finds a variant by its id; `hnefi.variant` if None. The variant read with the game comes
                first, the rules string of its header `OpenTaflRules` last.

        Raises:
            RecordError: As `record`.
        """
        find = self.lookup(lookup)
        return replay_moves(self, find) if self.full_record is None else self.full_record.replay(find)

    def lookup(self, lookup: Callable[[str], Variant] | None = None) -> Callable[[str], Variant]:
        """Returns a function that finds this game's variant by its id.

        First comes the variant that was read with the game, then `lookup`, then the header `OpenTaflRules`.
        """
        default_lookup = variant if lookup is None else lookup
        rules_text = self.header("OpenTaflRules")

        def find(name: str) -> Variant:
            if self.variant is not None and self.variant.id == name:
                return self.variant
            try:
                return default_lookup(name)
            except VariantError:
                if rules_text is None:
                    raise
                return _variant_in(rules_text, name)

        return find


def _variant_in(rules_text: str, name: str) -> Variant:
    """Returns the variant whose rules a record contains as an OpenTafl rules string.

    Raises:
        VariantError: If the string cannot be parsed, or its rules are not those of that name.
    """
    from hnefi.formats.opentafl.naming import named_rules
    from hnefi.formats.opentafl.rules_text import parse_rules_text

    found, _, _ = named_rules(parse_rules_text(rules_text))
    return found if found.id == name else variant(name)
