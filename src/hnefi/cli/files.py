"""Files named on the command line: read with a size limit, written atomically."""

import contextlib
import os
import sys
import tempfile
from pathlib import Path

from hnefi.cli.faults import file_error
from hnefi.cli.texts import say

__all__ = ["SUFFIX", "make_folder", "read_file", "write_file"]

SUFFIX = ".tafl"
"""How the names of files of games end."""

_MEGABYTE = 1_000_000


def read_file(path: str, limit_mb: int) -> bytes:
    """Reads a file, or standard input for `-`.

    Raises:
        CommandError: `cannot_read`, also if it is larger than the limit.
    """
    limit = limit_mb * _MEGABYTE
    try:
        if path == "-":
            content = sys.stdin.buffer.read(limit + 1) if sys.stdin is not None else b""
        else:
            with Path(path).open("rb") as file:
                content = file.read(limit + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise file_error("cannot_read", path, why) from None
    if len(content) > limit:
        raise file_error("cannot_read", path, say("cli.file.too_large", megabytes=limit_mb))
    return content


def write_file(path: Path, content: str) -> None:
    """Writes a file atomically and flushes it to disk; an interruption leaves the old file.

    Raises:
        CommandError: `cannot_write`.
    """
    try:
        target = path.resolve() if path.is_symlink() else path
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(_mode_of(target))
            Path(name).replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
        _settle(target.parent)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise file_error("cannot_write", path, why) from None


def make_folder(path: Path) -> None:
    """Creates a folder with its parents, if missing.

    Raises:
        CommandError: `cannot_write`.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_error("cannot_write", path, error.strerror or str(error)) from None


def _mode_of(path: Path) -> int:
    """Returns the permissions of a file, or those of a new one."""
    try:
        return path.stat().st_mode & 0o7777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _settle(folder: Path) -> None:
    """Flushes the folder entry to disk, where the system supports it."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
