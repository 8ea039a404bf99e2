"""The errors Hnefi raises. Each says where, what was found and what was expected, and has a stable code."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


def shown(value: object, longest: int = 60) -> str:
    """Makes a piece of input fit for a message: short, on one line, every character to be seen.

    >>> shown("one\\ntwo"), shown("long" * 9, longest=6)
    ('one�two', 'longlo…')
    """
    text = str(value)
    short = text if len(text) <= longest else text[:longest] + "…"
    return "".join(letter if letter.isprintable() else "�" for letter in short)


class HnefiError(Exception):
    """Any error that a user of Hnefi can cause.

    Attributes:
        code: A stable snake_case word, for programs.
        parameters: The facts of the message, by name; all values are text.
    """

    def __init__(self, code: str, message: str, parameters: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.parameters: dict[str, str] = dict(parameters or {})

    def __reduce__(self) -> tuple[type["HnefiError"], tuple[str, str, dict[str, str]]]:
        return type(self), (self.code, str(self), self.parameters)


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a rules tree or a variant file. `found` and `expected` are data, not sentences."""

    code: str
    path: str
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.path}: {self.found}, expected {self.expected}"


class VariantError(HnefiError):
    """A variant that does not exist, or a variant file or rules tree with faults: all of them."""

    def __init__(
        self,
        code: str,
        message: str,
        parameters: Mapping[str, str] | None = None,
        faults: Sequence[Fault] = (),
    ) -> None:
        super().__init__(code, message, parameters)
        self.faults: tuple[Fault, ...] = tuple(faults)

    def __reduce__(self) -> tuple[type["HnefiError"], tuple[str, str, dict[str, str], tuple[Fault, ...]]]:  # type: ignore[override]
        return type(self), (self.code, str(self), self.parameters, self.faults)


class SetupError(HnefiError):
    """A square, a position text or a setup that cannot be used."""


class IllegalMove(HnefiError):
    """A text that is no move, or a move that the rules refuse; the code says which rule."""


class EngineError(HnefiError):
    """An engine that does not answer, breaks off, or says what makes no sense."""


class RecordError(HnefiError):
    """A record that cannot be read. `line` and `column` count from 1."""

    def __init__(
        self,
        code: str,
        message: str,
        parameters: Mapping[str, str] | None = None,
        *,
        line: int = 0,
        column: int = 0,
    ) -> None:
        super().__init__(code, message, parameters)
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type["HnefiError"], tuple[str, str, dict[str, str]], dict[str, int]]:  # type: ignore[override]
        arguments = (self.code, str(self), self.parameters)
        return type(self), arguments, {"line": self.line, "column": self.column}
