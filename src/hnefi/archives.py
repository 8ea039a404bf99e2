"""Files that may be compressed with gzip: reading them, and the errors of damaged ones."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

ARCHIVE_ERRORS = (EOFError, zlib.error, gzip.BadGzipFile)
"""The errors of a compressed file that is damaged or truncated."""

_GZIP = b"\x1f\x8b"


@contextmanager
def opened(source: str | Path | BinaryIO) -> Iterator[BinaryIO]:
    """Opens a file or a stream for reading and decompresses gzip.

    Raises:
        OSError: If it cannot be opened.
    """
    if isinstance(source, str | Path):
        with Path(source).open("rb") as file, opened(file) as stream:
            yield stream
        return
    # Streams without look-ahead, such as pipes, get a buffer.
    buffered = (
        source if isinstance(source, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", source))
    )
    if buffered.peek(2)[:2] == _GZIP:
        # Not buffered once more: a damaged file is read up to the damage.
        with gzip.GzipFile(fileobj=buffered) as unpacked:
            yield cast("BinaryIO", unpacked)
    else:
        yield buffered
