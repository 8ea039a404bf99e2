"""Creates record errors: a code, its facts, and a technical message for logs."""

from hnefi.errors import RecordError, shorten

_LONGEST = 80
_PLACE = ("line", "column", "game")


def record_error(code: str, place: tuple[int, int] | None = None, /, **facts: object) -> RecordError:
    """Returns the error with a code and facts; line and column, if there is a place, are facts too.

    >>> error = record_error("bad_clock", (3, 7), found="@9")
    >>> error.code, error.line, error.column, error.parameters["found"]
    ('bad_clock', 3, 7, '@9')
    """
    line, column = place or (0, 0)
    where = {"line": line, "column": column} if place else {}
    found = where | facts
    parameters = {name: shorten(value, _LONGEST, collapses_spaces=True) for name, value in found.items()}
    technical = ", ".join(f"{name}={value}" for name, value in parameters.items())
    message = f"{code}: {technical}" if technical else code
    return RecordError(code, message, parameters, line=line, column=column)


def in_game(fault: RecordError, game: int) -> RecordError:
    """Returns a fault as one of the game with that number.

    >>> in_game(record_error("bad_encoding", (3, 7)), 2).parameters
    {'line': '3', 'column': '7', 'game': '2'}
    """
    facts = {name: value for name, value in fault.parameters.items() if name not in _PLACE}
    place = (fault.line, fault.column) if fault.line else None
    return record_error(fault.code, place, game=game, **facts)
