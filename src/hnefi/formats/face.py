"""What every form in which games are written has in common: it is recognised, read and written."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, ClassVar

from hnefi._core import format_move, parse_move
from hnefi.errors import IllegalMove, RecordError, VariantError
from hnefi.formats.gaps import Gap
from hnefi.record import Node, Record, Replay, variant_headers
from hnefi.record.escapes import encodable
from hnefi.record.faults import record_error
from hnefi.record.headers import Headers
from hnefi.variant import Variant, variant

__all__ = ["Format", "ReadOptions", "Sheet", "Written"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How games are to be read."""

    variant: Variant | None = None
    """What is played where a file does not say it."""

    lenient: bool = False
    """Whether what can be read of a game is kept where something in it cannot."""

    follow_specification: bool = False
    """Whether OpenTafl's rules are read as its specification says, and not as the program behaves."""


@dataclass(frozen=True, slots=True)
class Written:
    """The text of one game in some form, and what it does not say."""

    text: str
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A game as a file has it: what the file says about it, and its moves as they are written.

    No rule has been asked yet: the moves may be anything that is written like a move. `record` and `replay`
    go further.

    >>> Sheet((("Result", "*"),), ("d2-e2", "c4-c5")).record().nodes[1].move
    Move('c4-c5')
    """

    headers: Headers = ()
    """What it says, with the names that records use."""

    written: tuple[str, ...] = ()
    """The moves one after the other, where the form has nothing besides them."""

    tree: Record | None = None
    """The whole record, where the form has side lines, comments or clocks."""

    captures: tuple[int, int] | None = None
    """How many soldiers it says the attackers and the defenders captured."""

    variant: Variant | None = None
    """What is played, where the file brings rules of its own, or none that have a name here."""

    game: int = 1
    """Which game of its file it is."""

    line: int = 1
    """The line where it begins."""

    gaps: tuple[Gap, ...] = ()
    """What the file says that is not kept."""

    def header(self, name: str) -> str | None:
        """Gives the value of a header, None if there is none."""
        return next((value for known, value in self.headers if known == name), None)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves of the main line as they are written; forced passes and refused escapes are left out."""
        if self.tree is None:
            return self.written
        return tuple(
            format_move(node.move, node.captures)
            for node in self.tree.nodes
            if node.move is not None and not node.is_undone
        )

    def record(self) -> Record:
        """Gives the game as a record.

        Raises:
            RecordError: `bad_move` for the first move that is none, or what is wrong with a header.
        """
        if self.tree is not None:
            return self.tree
        return Record(self.headers, tuple(self._node(ply, text) for ply, text in enumerate(self.written, 1)))

    def _node(self, ply: int, text: str) -> Node:
        try:
            move, captures = parse_move(encodable(text))
        except IllegalMove as error:
            raise record_error(error.code, (self.line, 1), game=self.game, ply=ply, text=text) from None
        return Node(move, captures or ())

    def replay(self, lookup: Callable[[str], Variant] | None = None) -> Replay:
        """Plays the game by its rules.

        Args:
            lookup: Finds a variant by its id; those that Hnefi brings if None. Rules in the file come first.

        Raises:
            RecordError: As `record`.
        """
        return self.record().replay(self.lookup(lookup))

    def lookup(self, lookup: Callable[[str], Variant] | None = None) -> Callable[[str], Variant]:
        """Gives what finds the variant of this game by its id."""
        own, elsewhere = self.variant, variant if lookup is None else lookup
        brought = self.header("OpenTaflRules")

        def find(name: str) -> Variant:
            if own is not None and own.id == name:
                return own
            try:
                return elsewhere(name)
            except VariantError:
                if brought is None:
                    raise
                return _brought(name, brought)

        return find

    def numbered(self, game: int) -> "Sheet":
        """Gives the sheet as another game of a file."""
        return replace(self, game=game)


def _brought(name: str, text: str) -> Variant:
    """Gives the variant whose rules a record brings with it, in the words of OpenTafl.

    Raises:
        VariantError: If they cannot be read, or are not those of that name.
    """
    from hnefi.formats.opentafl.naming import named_rules
    from hnefi.formats.opentafl.rules_text import parse_rules_text

    found, _, _ = named_rules(parse_rules_text(text))
    return found if found.id == name else variant(name)


class Format(ABC):
    """A form in which games are written, of this program or another one.

    Attributes:
        name: The word for it in commands.
        extensions: How the names of its files end, the usual one first.
        tells_rules: Whether its games say by which rules they are played.
    """

    name: ClassVar[str]
    extensions: ClassVar[tuple[str, ...]]
    tells_rules: ClassVar[bool] = False

    @abstractmethod
    def recognise(self, head: str) -> float:
        """Tells from the beginning of a file how sure it is that this is the form: 0 no, 1 yes."""

    @abstractmethod
    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[Sheet | RecordError]:
        """Gives the games of a stream one after the other, or what is wrong with them.

        However long the stream is, no more than one game of it is kept.
        """

    @abstractmethod
    def write(self, sheet: Sheet) -> Written:
        """Writes one game.

        Raises:
            HnefiError: If it cannot be written in this form at all.
        """


def with_variant(headers: Sequence[tuple[str, str]], options: ReadOptions) -> Headers:
    """Adds what is played, where the headers do not say otherwise and the options say it."""
    chosen = options.variant
    if chosen is None or any(name == "Variant" and value != chosen.id for name, value in headers):
        return tuple(headers)
    said = {name for name, _ in headers}
    return (*headers, *(pair for pair in variant_headers(chosen) if pair[0] not in said))
