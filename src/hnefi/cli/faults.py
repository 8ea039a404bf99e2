"""The errors of the command line itself: wrong usage, and files that cannot be read or written."""

from hnefi.errors import HnefiError

__all__ = ["CommandError", "bad_usage", "file_error", "printable"]

_LONGEST = 80


class CommandError(HnefiError):
    """A command that cannot be carried out as it was typed."""


def bad_usage(part: str, **facts: object) -> CommandError:
    """Makes the error of a command line that cannot be understood; `part` says what is wrong with it."""
    parameters = {name: printable(str(value)) for name, value in facts.items()}
    line = ", ".join(f"{name}={value}" for name, value in parameters.items())
    return CommandError("bad_usage", f"{part}: {line}", {"part": part, **parameters})


def file_error(code: str, path: object, why: str) -> CommandError:
    """Makes the error of a file: `cannot_read` or `cannot_write`, with what the system says about it."""
    facts = {"path": printable(str(path), 300), "why": why}
    return CommandError(code, f"{facts['path']}: {why}", facts)


def printable(text: str, longest: int = _LONGEST) -> str:
    """Gives a text so that it can stand in a message: on one line, not too long, nothing invisible.

    >>> printable("a\\x1b[31m b")
    'a�[31m b'
    """
    line = "".join(sign if sign.isprintable() else "�" for sign in " ".join(text.split()))
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
