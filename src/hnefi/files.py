"""Atomic file writes: a file is replaced as a whole, or stays as it was."""

import contextlib
import io
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO, TextIO, cast

PACKED = ".gz"
"""How the names of compressed files end."""

_MAX_NAME = 100


def write_atomically(path: str | Path, content: str | bytes, *, mode: int | None = None) -> None:
    """Writes a file as a whole and flushes it to disk; an interruption leaves the old file.

    Args:
        content: Its text, or its bytes.
        mode: Its permissions; those of the old file if None.

    Raises:
        OSError: If it cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder) / "note.txt", "one line")
    ...     [path.name for path in Path(folder).iterdir()]
    ['note.txt']
    """
    with _replacement(path, mode) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextlib.contextmanager
def atomic_writer(path: str | Path) -> Iterator[TextIO]:
    r"""Opens a text file for writing that replaces the old one only when the block ends without an error.

    The text is UTF-8 with `\n` line endings, lone surrogates are question marks. It is packed with gzip if
    the name ends with `.gz`. The file is flushed to disk before it replaces the old one, and so is its folder
    afterwards. It keeps the permissions of the old file, and a symbolic link stays one. Pipes and other
    special files are written directly.

    Raises:
        OSError: If it cannot be written.
    """
    with _replacement(path) as raw, _packing(raw, path) as target:
        file = io.TextIOWrapper(target, encoding="utf-8", errors="replace", newline="\n")
        try:
            yield file
            file.flush()
        finally:
            file.detach()


def _packing(raw: BinaryIO, path: str | Path) -> AbstractContextManager[BinaryIO]:
    """Opens what compresses into a file, if its name says so; else the file."""
    if Path(path).suffix.lower() != PACKED:
        return contextlib.nullcontext(raw)
    import gzip

    # Without the time, the same text is the same bytes.
    return cast("AbstractContextManager[BinaryIO]", gzip.GzipFile("", "wb", fileobj=raw, mtime=0))


@contextlib.contextmanager
def _replacement(path: str | Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """Opens a file whose bytes replace the old one at the end of the block; see `atomic_writer`."""
    import tempfile

    # The real path of a pipe, such as that of `/dev/stdout`, names no file.
    if Path(path).exists() and not Path(path).is_file():
        with Path(path).open("wb") as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:_MAX_NAME]}.", dir=target.parent)
    except OSError as error:
        error.filename = os.fspath(path)
        raise
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode_of(target) if mode is None else mode)
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    # Some systems cannot flush a folder.
    with contextlib.suppress(OSError):
        sync(target.parent)


def sync(path: str | Path) -> None:
    """Flushes a file, or the entries of a folder, to disk.

    Raises:
        OSError: If it cannot be opened or flushed.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _mode_of(path: Path) -> int:
    """Returns the permissions of a file, or those of a new one."""
    try:
        return path.stat().st_mode & 0o7777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
