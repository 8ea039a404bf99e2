"""The errors that Hnefi raises: each with a stable code, a place, and the values found and expected."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Self


def shorten(value: object, longest: int = 60, *, collapses_spaces: bool = False) -> str:
    """Formats a piece of input for a message: shortened, on one line, with visible characters only.

    Args:
        longest: How many characters are kept.
        collapses_spaces: Whether spaces and line ends in a row become one space.

    >>> shorten("one\\ntwo"), shorten("long" * 9, longest=6), shorten("one \\ntwo", collapses_spaces=True)
    ('one�two', 'longlo…', 'one two')
    """
    text = str(value)
    if collapses_spaces:
        text = " ".join(text[: 2 * longest].split())
    short = text if len(text) <= longest else text[:longest] + "…"
    return "".join(letter if letter.isprintable() else "�" for letter in short)


def nearest_choices(found: str, choices: Collection[str]) -> str:
    """Formats what is expected for a message: all choices, or those most like what was found.

    >>> nearest_choices("won", ("won", "lost"))
    'won | lost'
    >>> nearest_choices("twelv", ("one", "twelve", *map(str, range(20))))
    'twelve | …'
    """
    whole = " | ".join(choices)
    if len(whole) <= 60:
        return whole
    # Only an error needs it.
    from difflib import get_close_matches

    return " | ".join((*get_close_matches(found, choices, cutoff=0.3), "…"))


def checked_choice(what: str, value: str, choices: Collection[str]) -> str:
    """Returns a value that is one of some choices.

    Raises:
        ValueError: If it is none of them; the message begins with what it is.
    """
    if value not in choices:
        raise ValueError(f"{what}: {value!r}, expected one of {', '.join(choices)}")
    return value


class HnefiError(Exception):
    """Any error that a user of Hnefi can cause. Its text is a sentence in the language of the process.

    Attributes:
        code: A stable snake_case word, for programs.
        parameters: The facts of the sentence, by name; all values are text.
        detail: What was found and expected, in English, for logs; the sentence where there is no better one.

    >>> from hnefi import variant
    >>> try:
    ...     variant("brandub-globe").new_game().play("d1-d9")
    ... except HnefiError as error:
    ...     print(f"{error.code}: {error}")
    not_on_board: d9 is not on this board.
    """

    def __init__(self, code: str, message: str, parameters: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.detail = message
        self.parameters: dict[str, str] = dict(parameters or {})

    @classmethod
    def of_facts(cls, code: str, /, **facts: object) -> Self:
        """Creates the error of a code with its facts, each as one line of text.

        That of an error of the system is its reason, without the number and the path.
        """
        texts = {name: getattr(fact, "strerror", None) or fact for name, fact in facts.items()}
        parameters = {name: shorten(fact, 300, collapses_spaces=True) for name, fact in texts.items()}
        line = ", ".join(f"{name}={value}" for name, value in parameters.items())
        return cls(code, f"{code}: {line}" if line else code, parameters)

    def __str__(self) -> str:
        # Imported on use: the texts are a layer above the errors.
        return str(import_module("hnefi.i18n").explain(self))

    def __reduce__(self) -> tuple[type["HnefiError"], tuple[str, str, dict[str, str]]]:
        return type(self), (self.code, self.detail, self.parameters)


# Found and expected of each kind of fault, made from its facts.
FOUND_AND_EXPECTED = {
    "needs_throne": ("{key} = {value}", "board.throne = centre"),
    "zones_need_throne": ("{key} = {value}", "on_throne = beside_throne = elsewhere"),
    "needs_corners": ("{key} = {value}", "board.corners = 1x1 | 2x2"),
    "king_kept_out": ("{key} = {value}", "king"),
    "needs_camps": ("{key} = {value}", "board.camps = [[…]]"),
    "needs_hostile_camps": ("{key}", "attackers"),
    "camp_off_board": ("{square}", "board.size = {size}"),
    "camp_taken": ("{square}", "≠ throne, corners, camps"),
    "repetition_count": (
        "count = {count}, result = {result}",
        "count = 0, result = none | count = 2…, result = draw | draw_in_a_row | defenders_lose | mover_loses",
    ),
    "king_count": ("K × {count}", "K × 1"),
    "king_on_goal": ("K{square}", "K: ≠ ends.goal"),
    "no_attackers": ("t × 0", "t × 1…"),
    "no_defenders": ("T × 0", "T × 1…"),
    "start_text": ("{part} {row}: {found}", "{expected}"),
    "start_size": ("rows: {rows}", "rows: {size}"),
    "stuck_side": ("{side}: 0", "1…"),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a rule tree or a variant file. `found` and `expected` are data, not sentences.

    Attributes:
        code: The family of the fault, such as `contradiction`.
        path: The key or the element at fault.
        found: The value found, or the one that contradicts it.
        expected: The allowed values.
        kind: The exact fault, such as `needs_throne`; equal to `code` for faults without kinds.
        facts: Numbers, squares and values, by name; all values are text.
    """

    code: str
    path: str
    found: str
    expected: str
    kind: str = ""
    facts: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not self.kind:
            object.__setattr__(self, "kind", self.code)

    @classmethod
    def from_facts(cls, code: str, kind: str, path: str, facts: Mapping[str, str]) -> "Fault":
        """Creates the fault that the compiled core reports.

        >>> fault = Fault.from_facts("wrong_start", "king_count", "board.start", {"count": "2"})
        >>> fault.found, fault.expected
        ('K × 2', 'K × 1')
        """
        found, expected = FOUND_AND_EXPECTED.get(kind, ("{found}", "{expected}"))
        # A fact about the whole start has no row.
        found = found.replace(" {row}:", ":") if facts.get("row") == "" else found
        return cls(code, path, found.format(**facts), expected.format(**facts), kind, facts)

    def __str__(self) -> str:
        return f"{self.path}: {self.found}, expected {self.expected}"


class FaultyInput(HnefiError):
    """Input with faults: all of them."""

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
        return type(self), (self.code, self.detail, self.parameters, self.faults)

    @classmethod
    def of_faults(cls, code: str, faults: Sequence[Fault]) -> Self:
        """Creates the error of a code with these faults."""
        return cls(code, "\n".join(map(str, faults)), None, faults)

    def of_file(self, path: str) -> Self:
        """Returns the error with the path of its file, also in the faults of its text as a whole."""
        faults = [replace(fault, path=path) if fault.path == "-" else fault for fault in self.faults]
        parameters = {**self.parameters, "part": "file", "path": path}
        return type(self)(self.code, "\n".join(map(str, faults)), parameters, faults)


class SettingsError(FaultyInput):
    """A configuration file of the server with faults."""


class VariantError(FaultyInput):
    """An unknown variant, or a variant file or rule tree with faults: all of them."""

    @classmethod
    def of_rules(cls, faults: Sequence[Fault]) -> "VariantError":
        """Creates the error of a faulty rule tree."""
        return cls.of_faults("bad_rules", faults)


class SetupError(HnefiError):
    """A square, a position text or a setup that cannot be used."""


class IllegalMove(HnefiError):
    """A text that is not a move, or a move that the rules refuse; the code names the rule."""


class EngineError(HnefiError):
    """An engine that does not answer, stops, or answers with nonsense."""


class RecordError(HnefiError):
    """A record that cannot be read. `line` and `column` count from 1, and its text begins with them."""

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

    def __str__(self) -> str:
        return str(import_module("hnefi.record").explain_fault(self))

    def __reduce__(self) -> tuple[type["HnefiError"], tuple[str, str, dict[str, str]], dict[str, int]]:  # type: ignore[override]
        arguments = (self.code, self.detail, self.parameters)
        return type(self), arguments, {"line": self.line, "column": self.column}
