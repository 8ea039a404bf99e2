"""All file formats: find, recognise, and read files of any format."""

import io
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Literal, cast, overload

from hnefi.archives import ARCHIVE_ERRORS, opened
from hnefi.errors import HnefiError, RecordError, shorten
from hnefi.formats.bare import BareFormat
from hnefi.formats.csv_table import TableFormat
from hnefi.formats.format import Format, ReadOptions
from hnefi.formats.jsonl import SiteFormat
from hnefi.formats.native import TaflFormat
from hnefi.formats.numbered import NumberedFormat
from hnefi.formats.opentafl.format import OtgFormat
from hnefi.formats.raw_game import RawGame
from hnefi.variants.model import Variant

FORMATS: tuple[Format, ...] = (
    TaflFormat(),
    OtgFormat(),
    NumberedFormat(),
    SiteFormat(),
    TableFormat(),
    BareFormat(),
)
"""All formats, the native one first. If two recognise a file equally well, the first is used."""

_NAMES = " | ".join(one.name for one in FORMATS)
_HEAD = 65_536
_OWN_EXTENSIONS = (".tafl", ".otg", ".pgn")
# zip, bzip2, xz, 7-Zip, Zstandard
_OTHER_ARCHIVES = (b"PK\x03\x04", b"BZh", b"\xfd7zXZ\x00", b"7z\xbc\xaf\x27\x1c", b"\x28\xb5\x2f\xfd")
# Control characters, and bytes that are not UTF-8; in a text there are few, of another encoding.
_NO_LETTER = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffd]")
_MOST_NO_LETTERS = 0.3


class FormatError(HnefiError):
    """An unknown format, or a file in no known format."""


def find_format(name: str) -> Format:
    """Returns the format with a name or file extension.

    Raises:
        FormatError: `unknown_format`.

    >>> find_format("csv").name, find_format(".tafl").name
    ('csv', 'tafl')
    """
    wanted = name.strip().lower()
    for known_format in FORMATS:
        if wanted == known_format.name or wanted in known_format.extensions:
            return known_format
    raise FormatError.of_facts("unknown_format", name=shorten(name), expected=_NAMES)


def recognise(head: bytes, path: str | Path = "") -> Format:
    """Recognises the format of a file from its beginning; its name decides only between close candidates.

    Raises:
        FormatError: `unrecognised`, with the first line; `utf_16`.
    """
    text = checked_text(head, path)
    name = str(path).lower().removesuffix(".gz")
    named = next((one for one in FORMATS if name.endswith(one.extensions)), None)
    scores = {one: one.recognise(text) + (0.15 if one is named else 0.0) for one in FORMATS}
    best = max(scores, key=lambda one: scores[one])
    if scores[best] >= 0.4:
        return best
    # The names of no other files end so: what is wrong with the text is told by its faults.
    if named is not None and name.endswith(_OWN_EXTENSIONS):
        return named
    first = shorten(next((line for line in text.splitlines() if line.strip()), ""))
    raise FormatError.of_facts("unrecognised", path=path or "-", found=first, expected=_NAMES)


def checked_text(head: bytes, path: str | Path = "") -> str:
    """Returns the beginning of a file as text; a line that is cut off is left out.

    Raises:
        FormatError: `unrecognised`, if it is empty, binary or packed; `utf_16`.
    """
    shown = path or "-"
    if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE, BOM_UTF32_BE)):
        encoding = "UTF-32" if head.startswith((BOM_UTF32_LE, BOM_UTF32_BE)) else "UTF-16"
        raise FormatError.of_facts("utf_16", path=shown, encoding=encoding)
    whole = head.rpartition(b"\n")[0] if len(head) >= _HEAD else head
    text = (whole or head).decode("utf-8", "replace").removeprefix("\ufeff")
    if not text.strip():
        raise FormatError.of_facts("unrecognised", path=shown, found="")
    if head.startswith(_OTHER_ARCHIVES) or len(_NO_LETTER.findall(text)) > _MOST_NO_LETTERS * len(text):
        raise FormatError.of_facts("unrecognised", path=shown, part="binary")
    return text


def chosen_format(head: bytes, path: str | Path, file_format: Format | None) -> Format:
    """Returns the format that the user has named, or the one that `recognise` finds.

    Raises:
        FormatError: As `recognise`, or as `checked_text`.
    """
    if file_format is None:
        return recognise(head, path)
    checked_text(head, path)
    return file_format


def head_of(stream: BinaryIO) -> tuple[bytes, BinaryIO]:
    """Returns the beginning of a stream, and a stream that still contains it; it may fail behind it."""
    source = cast("io.BufferedReader", stream)
    head = b""
    try:
        while len(head) < _HEAD and (piece := source.read1(_HEAD - len(head))):
            head += piece
    except ARCHIVE_ERRORS:
        if not head:
            raise
    return head, io.BufferedReader(_Rejoined(head, source), _HEAD)


@overload
def read_games(
    source: str | Path | BinaryIO,
    options: ReadOptions | None = None,
    file_format: Format | None = None,
    *,
    name: str = "",
    errors: Literal["collect"] = "collect",
) -> Iterator[RawGame | RecordError]: ...
@overload
def read_games(
    source: str | Path | BinaryIO,
    options: ReadOptions | None = None,
    file_format: Format | None = None,
    *,
    name: str = "",
    errors: Literal["raise", "skip"],
) -> Iterator[RawGame]: ...
def read_games(
    source: str | Path | BinaryIO,
    options: ReadOptions | None = None,
    file_format: Format | None = None,
    *,
    name: str = "",
    errors: Literal["collect", "raise", "skip"] = "collect",
) -> Iterator[RawGame | RecordError]:
    """Iterates over the games of a file of any format.

    A compressed file may be truncated: the game that is cut has the error `archive_cut`.

    Args:
        source: A path or a stream of bytes, compressed with gzip or not.
        options: The options for reading.
        file_format: The format; recognised if None.
        name: The name of a stream, for messages and for its extension.
        errors: What becomes of a game that cannot be parsed: `collect` gives its error among the games,
            `raise` raises it, `skip` leaves the game out.

    Raises:
        RecordError: With `raise`, for the first such game.
        FormatError: `unrecognised`, `utf_16`, `broken_archive`.
        OSError: If it cannot be read.
        ValueError: If `errors` is none of the three.
    """
    if errors not in ("collect", "raise", "skip"):
        raise ValueError(f"errors: {shorten(errors)}, expected collect, raise or skip")
    name = str(source) if isinstance(source, str | Path) else name
    options = options or ReadOptions()
    with archive_errors(name), opened(source) as stream:
        head, whole = head_of(stream)
        chosen = chosen_format(head, name, file_format)
        custom = options.played
        for one in (_with_custom_variant(game, custom) for game in chosen.read(whole, options)):
            if errors == "collect" or not isinstance(one, RecordError):
                yield one
            elif errors == "raise":
                raise one


@contextmanager
def archive_errors(name: str) -> Iterator[None]:
    """Raises the error `broken_archive` where unpacking a file fails."""
    try:
        yield
    except ARCHIVE_ERRORS as error:
        raise FormatError.of_facts("broken_archive", path=name or "-") from error


def _with_custom_variant(one: RawGame | RecordError, custom: Variant | None) -> RawGame | RecordError:
    """Adds the variant of the options to a game that names it: it may be a custom one."""
    if custom is None or isinstance(one, RecordError) or one.variant or one.header("Variant") != custom.id:
        return one
    return replace(one, variant=custom)


class _Rejoined(io.RawIOBase):
    """A stream whose beginning was read before and is read again."""

    def __init__(self, head: bytes, rest: io.BufferedReader) -> None:
        self._head = memoryview(head)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        target = memoryview(cast("bytearray", buffer))
        piece = self._head[: len(target)] or self._rest.read1(len(target))
        self._head = self._head[len(target) :]
        target[: len(piece)] = piece
        return len(piece)
