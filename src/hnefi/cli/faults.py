"""Errors of the command line: wrong usage, and files that cannot be read or written."""

from hnefi.errors import HnefiError, shorten

__all__ = ["CommandError", "bad_usage", "file_error", "path_text"]

_LONGEST = 80
_LONGEST_PATH = 300


class CommandError(HnefiError):
    """Raised if a command cannot run as it was typed."""


def bad_usage(part: str, **facts: object) -> CommandError:
    """Returns the error of a malformed command line; `part` names the kind of mistake."""
    parameters = {name: shorten(value, _LONGEST, collapses_spaces=True) for name, value in facts.items()}
    line = ", ".join(f"{name}={value}" for name, value in parameters.items())
    return CommandError("bad_usage", f"{part}: {line}", {"part": part, **parameters})


def file_error(code: str, path: object, why: str) -> CommandError:
    """Returns the error of a file: `cannot_read` or `cannot_write`, with the reason of the system."""
    facts = {"path": path_text(path), "why": why}
    return CommandError(code, f"{facts['path']}: {why}", facts)


def path_text(path: object) -> str:
    """Formats a path for a message: one line, without invisible characters.

    >>> path_text("a\\x1b[31m b")
    'a�[31m b'
    """
    return shorten(path, _LONGEST_PATH, collapses_spaces=True)
