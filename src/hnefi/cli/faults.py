"""Errors of the command line: wrong usage, files that cannot be read or written, and ports in use."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hnefi.errors import HnefiError, shorten

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended."""


_LONGEST = 80
_LONGEST_PATH = 300
_LONGEST_LIST = 1000


class CommandError(HnefiError):
    """Raised if a command cannot run as it was typed."""


def bad_usage(part: str, **facts: object) -> CommandError:
    """Returns the error of a malformed command line; `part` names the kind of mistake."""
    parameters = {
        name: shorten(value, _LONGEST_LIST if name == "expected" else _LONGEST, collapses_spaces=True)
        for name, value in facts.items()
    }
    line = ", ".join(f"{name}={value}" for name, value in parameters.items())
    return CommandError("bad_usage", f"{part}: {line}", {"part": part, **parameters})


def file_error(code: str, path: object, why: str | Exception) -> CommandError:
    """Returns the error of a file: `cannot_read` or `cannot_write`, with a reason or that of an exception."""
    return CommandError.of_facts(code, path=path, why=why)


@contextmanager
def file_errors(code: str, path: object) -> Iterator[None]:
    """Turns what fails in a `with` block into the error of a file, as `file_error` does."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise file_error(code, path, error) from None


def check_writable(folder: Path) -> None:
    """Creates a folder if it is missing, and checks that files can be written in it.

    Raises:
        CommandError: `not_a_folder` if it or a part of its path is a file, `cannot_write` if it cannot be
            written.
    """
    for part in (folder, *folder.parents):
        if part.exists() and not part.is_dir():
            raise CommandError.of_facts("not_a_folder", path=part)
    with file_errors("cannot_write", folder):
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()


def port_error(host: str, port: int, error: OSError) -> CommandError:
    """Returns the error of a port that cannot be listened on: `port_in_use` or `cannot_listen`."""
    if error.errno == errno.EADDRINUSE:
        return CommandError.of_facts("port_in_use", host=host, port=port)
    why = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
    return CommandError.of_facts("cannot_listen", host=host, port=port, why=why)


def path_text(path: object) -> str:
    """Formats a path for a message: one line, without invisible characters.

    >>> path_text("a\\x1b[31m b")
    'a�[31m b'
    """
    return shorten(path, _LONGEST_PATH, collapses_spaces=True)
