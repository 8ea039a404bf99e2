"""Creates record errors: a code, its facts, and a technical message for logs."""

from hnefi.errors import RecordError

_LONGEST = 80


def record_error(code: str, place: tuple[int, int] | None = None, /, **facts: object) -> RecordError:
    """Returns the error with a code and facts; line and column, if there is a place, are facts too.

    >>> str(record_error("bad_clock", (3, 7), found="@9"))
    'bad_clock: line=3, column=7, found=@9'
    """
    line, column = place or (0, 0)
    where = {"line": line, "column": column} if place else {}
    parameters = {name: shortened(str(value)) for name, value in (where | facts).items()}
    technical = ", ".join(f"{name}={value}" for name, value in parameters.items())
    message = f"{code}: {technical}" if technical else code
    return RecordError(code, message, parameters, line=line, column=column)


def shortened(text: str) -> str:
    """Returns a text that is safe to quote in a message: short, on one line, without control characters.

    >>> shortened("two\\nlines \\x1b[1m")
    'two lines �[1m'
    """
    line = " ".join(text[: 2 * _LONGEST].split())
    visible = "".join(letter if letter.isprintable() else "�" for letter in line)
    return visible if len(visible) <= _LONGEST else f"{visible[: _LONGEST - 1]}…"
