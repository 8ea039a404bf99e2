"""The base class of all file formats, and the options for reading."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO, ClassVar

from hnefi.errors import RecordError, VariantError
from hnefi.formats.gaps import Gap
from hnefi.formats.raw_game import RawGame
from hnefi.record import variant_headers
from hnefi.record.escapes import encodable
from hnefi.record.headers import Headers, parse_switches
from hnefi.variants.finding import variant as find_variant
from hnefi.variants.model import Variant


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options for reading games.

    Attributes:
        variant: The variant of games whose file does not name one, or its id.
        lenient: Whether the readable part of a game is kept when another part has a fault.
        follow_specification: Whether OpenTafl's rules follow its specification where the program differs from
            it.
    """

    variant: Variant | str | None = None
    lenient: bool = False
    follow_specification: bool = False

    @property
    def played(self) -> Variant | None:
        """The variant of games whose file does not name one.

        Raises:
            VariantError: If there is none of that id.
        """
        return None if self.variant is None else find_variant(self.variant)


@dataclass(frozen=True, slots=True)
class Written:
    """The text of one game in a format, and what the format cannot express.

    Attributes:
        text: The text.
        gaps: What the format cannot express.
        has_rules_text: Whether the rules stand in it as the file had them, with what Hnefi cannot express of
            them.
    """

    text: str
    gaps: tuple[Gap, ...] = ()
    has_rules_text: bool = False


class Format(ABC):
    """A file format for games.

    Attributes:
        name: Its name in commands.
        extensions: The extensions of its files, the usual one first.
        has_rules: Whether its games state the rules by which they were played.
        is_collection: Whether it has a game on each line: `hnefi replay` counts such games by their types.
    """

    name: ClassVar[str]
    extensions: ClassVar[tuple[str, ...]]
    has_rules: ClassVar[bool] = False
    is_collection: ClassVar[bool] = False

    @abstractmethod
    def recognise(self, head: str) -> float:
        """Returns how likely a file with this beginning has the format, from 0 (no) to 1 (yes)."""

    @abstractmethod
    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawGame | RecordError]:
        """Iterates over the games of a stream; a game that cannot be parsed is its error.

        At most one game is kept in memory.
        """

    @abstractmethod
    def write(self, raw: RawGame) -> Written:
        """Formats one game.

        Raises:
            HnefiError: If the format cannot express it at all.
        """


def with_variant(headers: Sequence[tuple[str, str]], options: ReadOptions) -> Headers:
    """Adds the headers of the variant of `options`, switched as the game is, unless they name another.

    Lone surrogates become question marks, since a header is stored and sent in UTF-8.
    """
    headers = tuple((encodable(name), encodable(value)) for name, value in headers)
    chosen, present = options.played, dict(headers)
    if chosen is None or present.get("Variant", chosen.id) != chosen.id:
        return headers
    # Replaying names a switch that does not exist.
    with suppress(VariantError):
        chosen = chosen.with_switches(parse_switches(present.get("Switches", "")) or {})
    return (*headers, *(pair for pair in variant_headers(chosen) if pair[0] not in present))
