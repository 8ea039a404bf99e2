"""Test suites: positions with operations, such as the best move, one on each line (like EPD of chess)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hnefi._core import Game, Move, Setup
from hnefi.errors import HnefiError, RecordError
from hnefi.record.faults import record_error
from hnefi.variants.finding import variant
from hnefi.variants.switches import parse_switches

_POSITION = re.compile(r"\s*(\S+)\s+(\S+\s+[ad](?:\s+\d+(?:\s+[a-s]\d+(?!\s+\"))?)?)\s*")
_WORD = r'"[^"\n]*"|[^\s;"]+'
_PLIES = re.compile("[0-9]{1,4}")
_OPERATION = re.compile(rf"\s*([A-Za-z]\w*)((?:\s+(?:{_WORD}))*)\s*;\s*")


@dataclass(frozen=True, slots=True)
class SuiteEntry:
    """A position of a test suite with its operations.

    Attributes:
        variant: The id of the variant, one of the package.
        setup: The position.
        operations: The operands of each operation, without quotation marks. `bm` and `am` have the best moves
            and those to avoid, `dm` the plies to a win, `id` a name and `c0` a comment; `switches` change the
            rules (`quiet_limit=40`).

    >>> entry = SuiteEntry("brandub-globe", Setup("7/7/7/3K3/7/7/t6 d"), {"bm": ("d4-d7",), "id": ("x",)})
    >>> print(entry)
    brandub-globe 7/7/7/3K3/7/7/t6 d 0 bm d4-d7; id "x";
    """

    variant: str
    setup: Setup
    operations: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)

    @property
    def best_moves(self) -> tuple[Move, ...]:
        """The moves of `bm`, one of which solves it."""
        return tuple(map(Move, self.operations.get("bm", ())))

    @property
    def avoided_moves(self) -> tuple[Move, ...]:
        """The moves of `am`, none of which solves it."""
        return tuple(map(Move, self.operations.get("am", ())))

    @property
    def id(self) -> str:
        """The name; empty if it has none."""
        return " ".join(self.operations.get("id", ()))

    @property
    def can_be_solved(self) -> bool:
        """Checks whether there are best moves, or moves to avoid."""
        return bool(self.best_moves or self.avoided_moves)

    def new_game(self) -> Game:
        """Returns a game that begins with the position.

        Raises:
            VariantError: If there is no such variant or switch.
            SetupError: If the position is impossible.
        """
        switches = parse_switches(self.operations.get("switches", ()))
        return Game(variant(self.variant).with_switches(switches).rules, self.setup)

    def is_solved_by(self, move: Move | str) -> bool:
        """Checks whether a move is one of the best, or legal if none is named, and none of those to avoid."""
        move, best = Move(move), self.best_moves
        if not self.can_be_solved or move in self.avoided_moves:
            return False
        return move in best if best else self.new_game().position.is_legal(move)

    def __str__(self) -> str:
        """Formats the line.

        Raises:
            HnefiError: What `parse_suite` would find wrong with it.
        """
        line = " ".join([self.variant, str(self.setup), *map(_written, self.operations.items())])
        found = _read(line)
        if found.operations != self.operations or len(line.splitlines()) > 1:
            raise record_error("bad_operation", found=line)
        _checked(found)
        return line


@dataclass(frozen=True, slots=True)
class SuiteReading:
    """The entries and faults of a test suite, in the order of the text; each fault has its line.

    Attributes:
        entries: The positions in order.
        faults: The errors of lines that cannot be read.
    """

    entries: tuple[SuiteEntry, ...]
    faults: tuple[RecordError, ...]


def parse_suite(text: str) -> SuiteReading:
    """Parses a test suite and leaves out lines with faults.

    Lines that are empty or begin with `#` do not count. Positions have to be possible by the
    rules, and the moves of `bm` and `am` legal.

    >>> reading = parse_suite('brandub-globe 7/7/7/3K3/7/7/t6 d bm d4-d7;\\nbrandub-globe 7/7 d')
    >>> reading.entries[0].best_moves, [(fault.code, fault.line) for fault in reading.faults]
    ((Move('d4-d7'),), [('bad_position', 2)])
    """
    entries: list[SuiteEntry] = []
    faults: list[RecordError] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            entries.append(_checked(_read(line)))
        except HnefiError as error:
            place = (number, getattr(error, "column", 0) or 1)
            facts = {key: value for key, value in error.parameters.items() if key not in ("line", "column")}
            faults.append(record_error(error.code, place, **facts))
    return SuiteReading(tuple(entries), tuple(faults))


def format_suite(entries: Iterable[SuiteEntry]) -> str:
    """Formats a test suite, which `parse_suite` reads; see `SuiteEntry.__str__`."""
    return "".join(f"{entry}\n" for entry in entries)


def _read(line: str) -> SuiteEntry:
    begin = _POSITION.match(line)
    if begin is None:
        raise record_error("bad_suite_line", found=line)
    operations: dict[str, tuple[str, ...]] = {}
    at = begin.end()
    while at < len(line):
        found = _OPERATION.match(line, at)
        if found is None or found[1] in operations:
            raise record_error("bad_operation", (1, at + 1), found=line[at:])
        operations[found[1]] = tuple(word.strip('"') for word in re.findall(_WORD, found[2]))
        at = found.end()
    return SuiteEntry(begin[1], Setup(begin[2]), operations)


def _checked(entry: SuiteEntry) -> SuiteEntry:
    """Returns the entry, if its position is possible and its moves are legal."""
    position, operations = entry.new_game().position, entry.operations
    for name in ("bm", "am"):
        for move in operations.get(name, ()):
            position.check(move)
    is_empty = () in (operations.get("bm"), operations.get("am"))
    if is_empty or not _PLIES.fullmatch(" ".join(operations.get("dm", ("1",)))):
        raise record_error("bad_operation", found=" ".join(map(_written, operations.items())))
    return entry


def _written(operation: tuple[str, tuple[str, ...]]) -> str:
    """Formats an operation: numbers and moves as they are, all else in quotation marks."""
    name, operands = operation
    plain = name in ("bm", "am") or all(operand.isdecimal() for operand in operands)
    return " ".join([name, *(operands if plain else (f'"{operand}"' for operand in operands))]) + ";"
