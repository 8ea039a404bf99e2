"""Which forms there are, which one a file is written in, and files read whatever their form."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, cast

from hnefi.errors import HnefiError, RecordError, shown
from hnefi.formats.bare import BareFormat
from hnefi.formats.csv_table import TableFormat
from hnefi.formats.format import Format, ReadOptions
from hnefi.formats.jsonl import SiteFormat
from hnefi.formats.native import TaflFormat
from hnefi.formats.numbered import NumberedFormat
from hnefi.formats.opentafl.format import OtgFormat
from hnefi.formats.raw_game import RawGame

__all__ = ["FORMATS", "FormatError", "find_format", "opened", "read_games", "recognise"]

FORMATS: tuple[Format, ...] = (
    TaflFormat(),
    OtgFormat(),
    NumberedFormat(),
    SiteFormat(),
    TableFormat(),
    BareFormat(),
)
"""All forms, ours first. Of two that are equally sure of a file, the first reads it."""

_HEAD = 65_536
_GZIP = b"\x1f\x8b"


class FormatError(HnefiError):
    """A form that is not known, or a file in none that is."""


def find_format(name: str) -> Format:
    """Returns a form by its name, or by how the names of its files end.

    Raises:
        FormatError: `unknown_format`.

    >>> find_format("csv").name, find_format(".tafl").name
    ('csv', 'tafl')
    """
    wanted = name.strip().lower()
    for form in FORMATS:
        if wanted == form.name or wanted in form.extensions:
            return form
    known = " | ".join(form.name for form in FORMATS)
    facts = {"name": shown(name), "expected": known}
    raise FormatError("unknown_format", f"format {facts['name']}: unknown, expected {known}", facts)


def recognise(head: bytes, path: str | Path = "") -> Format:
    """Tells in which form a file is written, from its beginning; its name only settles what that leaves open.

    Raises:
        FormatError: `unrecognised`, with the first line.
    """
    whole = head.rpartition(b"\n")[0] if len(head) >= _HEAD else head
    text = (whole or head).decode("utf-8", "replace").removeprefix("\ufeff")
    name = str(path).lower().removesuffix(".gz")
    sure = {form: form.recognise(text) for form in FORMATS}
    for form in FORMATS:
        if name.endswith(form.extensions):
            sure[form] = sure[form] + 0.15 if text.strip() else 1.0
    best = max(sure, key=lambda form: sure[form])
    if sure[best] >= 0.4:
        return best
    known = " | ".join(form.name for form in FORMATS)
    first = shown(next((line for line in text.splitlines() if line.strip()), ""))
    facts = {"path": shown(path, 200) or "-", "found": first, "expected": known}
    raise FormatError("unrecognised", f"{facts['path']}: {first}, expected {known}", facts)


@contextmanager
def opened(source: str | Path | BinaryIO) -> Iterator[BinaryIO]:
    """Opens a file, or takes a stream, for reading; what is packed with gzip is unpacked on the way.

    Raises:
        OSError: If it cannot be opened.
    """
    if isinstance(source, str | Path):
        with Path(source).open("rb") as file, opened(file) as stream:
            yield stream
        return
    # Streams without a look-ahead (pipes among them) get one.
    ahead = (
        source if isinstance(source, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", source))
    )
    if ahead.peek(2)[:2] == _GZIP:
        with gzip.GzipFile(fileobj=ahead) as unpacked:
            yield io.BufferedReader(cast("io.RawIOBase", unpacked), _HEAD)
    else:
        yield ahead


def head_of(stream: BinaryIO) -> tuple[bytes, BinaryIO]:
    """Returns the beginning of a stream, and the stream with its beginning."""
    head = stream.read(_HEAD)
    return head, io.BufferedReader(_Rejoined(head, stream), _HEAD)


def read_games(
    source: str | Path | BinaryIO,
    options: ReadOptions | None = None,
    form: Format | None = None,
    *,
    name: str = "",
) -> Iterator[RawGame | RecordError]:
    """Returns the games of a file in any form, one after the other, or what is wrong with them.

    Args:
        source: A path, or a stream of bytes; what is packed with gzip is unpacked.
        options: How to read it.
        form: The form; found out if None.
        name: What a stream is called, for messages and for what its end tells of the form.

    Raises:
        FormatError: `unrecognised`.
        OSError: If it cannot be read.
    """
    name = str(source) if isinstance(source, str | Path) else name
    wanted = options or ReadOptions()
    try:
        with opened(source) as stream:
            head, whole = head_of(stream)
            chosen = form or recognise(head, name)
            yield from _with_own(chosen.read(whole, wanted), wanted)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        facts = {"path": shown(name, 200) or "-"}
        raise FormatError("broken_archive", f"{facts['path']}: {error}", facts) from error


def _with_own(
    games: Iterator[RawGame | RecordError], options: ReadOptions
) -> Iterator[RawGame | RecordError]:
    """Hands the variant that was named on to the games played by it: it may be one of the user's own."""
    own = options.variant
    for one in games:
        if own is None or isinstance(one, RecordError) or one.variant or one.header("Variant") != own.id:
            yield one
        else:
            yield replace(one, variant=own)


class _Rejoined(io.RawIOBase):
    """A stream whose beginning was read already."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head = memoryview(head)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        target = memoryview(cast("bytearray", buffer))
        piece = self._head[: len(target)] or self._rest.read(len(target))
        self._head = self._head[len(target) :]
        target[: len(piece)] = piece
        return len(piece)
