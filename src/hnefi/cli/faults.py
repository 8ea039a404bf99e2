"""Errors of the command line: wrong usage, and files that cannot be read or written."""

from hnefi.errors import HnefiError

__all__ = ["CommandError", "bad_usage", "file_error", "printable"]

_LONGEST = 80


class CommandError(HnefiError):
    """Raised if a command cannot run as it was typed."""


def bad_usage(part: str, **facts: object) -> CommandError:
    """Returns the error of a malformed command line; `part` names the kind of mistake."""
    parameters = {name: printable(str(value)) for name, value in facts.items()}
    line = ", ".join(f"{name}={value}" for name, value in parameters.items())
    return CommandError("bad_usage", f"{part}: {line}", {"part": part, **parameters})


def file_error(code: str, path: object, why: str) -> CommandError:
    """Returns the error of a file: `cannot_read` or `cannot_write`, with the reason of the system."""
    facts = {"path": printable(str(path), 300), "why": why}
    return CommandError(code, f"{facts['path']}: {why}", facts)


def printable(text: str, longest: int = _LONGEST) -> str:
    """Returns a text fit for a message: one line, shortened, without invisible characters.

    >>> printable("a\\x1b[31m b")
    'a�[31m b'
    """
    line = "".join(sign if sign.isprintable() else "�" for sign in " ".join(text.split()))
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
