"""The format `otg`: the records of OpenTafl."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from hnefi.errors import RecordError
from hnefi.formats.format import Format, ReadOptions, Written
from hnefi.formats.opentafl.game_reading import read_otg
from hnefi.formats.opentafl.game_writing import write_otg
from hnefi.formats.opentafl.tags import TAGS
from hnefi.formats.raw_game import RawGame

_TAG = re.compile(rf"^\[(?:{'|'.join(sorted(TAGS))}):", re.MULTILINE)
_TURN = re.compile(r"^\s*1\.\s+[a-zA-Z]{1,2}[0-9]{1,2}[-=^][a-z]", re.MULTILINE)


class OtgFormat(Format):
    """The records of OpenTafl: tags, turns with addresses, comments, puzzles."""

    name = "otg"
    extensions = (".otg",)
    has_rules = True

    def recognise(self, head: str) -> float:
        """Checks for the tags of OpenTafl."""
        tags = len(_TAG.findall(head))
        if "[rules:" in head and "dim:" in head:
            return 1.0
        return 0.9 if tags > 1 else 0.6 if tags and _TURN.search(head) else 0.0

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawGame | RecordError]:
        """Iterates over the games; a file usually has one."""
        return read_otg(stream, options)

    def write(self, raw: RawGame) -> Written:
        """Formats a game with its rules."""
        return write_otg(raw)
