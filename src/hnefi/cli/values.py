"""The values of options and arguments: files, dates, numbers with bounds, words of a list.

All types raise `CommandError` for a value that is none of theirs or out of bounds.
"""

import math
from collections.abc import Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from hnefi.cli.faults import CommandError, bad_usage


class FilePath(click.ParamType[str]):
    """The path of a file; not checked before it is opened, but not empty."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Returns the path unchanged."""
        if not value:
            raise bad_usage("missing", name=_name_of(param, ctx))
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Returns the completion item that makes the shell complete file names."""
        return [CompletionItem(incomplete, type="file")]


class Text(click.ParamType[str]):
    """A text; bytes that are not UTF-8 are replaced."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Returns the text with invalid bytes replaced."""
        return str(value).encode("utf-8", "replace").decode("utf-8")


class Words(Text):
    """A text that is not empty: one of an unset variable would select everything, or mean no option."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuses blanks."""
        text = super().convert(value, param, ctx)
        if not text.strip():
            raise bad_usage("empty", name=_name_of(param, ctx))
        return text


class Line(Words):
    """A text of at most so many letters on one line, which is not empty."""

    def __init__(self, most: int) -> None:
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Returns the text with its blanks collapsed."""
        line = " ".join(super().convert(value, param, ctx).split())
        if len(line) > self._most:
            raise bad_usage("long", name=_name_of(param, ctx), found=len(line), most=self._most)
        return line


class Date(click.ParamType[str]):
    """A year, a month or a day: `2019`, `2019-05` or `2019-05-31`."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Checks the date."""
        from hnefi.record.headers import is_date

        text = str(value)
        if not is_date(text):
            raise bad_usage("date", name=_name_of(param, ctx), found=text)
        return text


class WholeNumber(click.ParamType[int]):
    """A whole number within bounds."""

    name = "count"

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parses the number."""
        text = str(value)
        is_number = text.isascii() and text.isdigit() and len(text) <= len(str(self.most))
        number = int(text) if is_number else -1
        if not self.least <= number <= self.most:
            raise _out_of_bounds("number", self, text, param, ctx)
        return number


class WholeNumbers(click.ParamType[frozenset[int]]):
    """Whole numbers within bounds, and ranges of them, separated by commas: `7-9,13`."""

    name = "numbers"

    def __init__(self, least: int, most: int) -> None:
        self._one = WholeNumber(least, most)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> frozenset[int]:
        """Parses the numbers."""
        numbers: set[int] = set()
        for part in str(value).split(","):
            first, dash, last = part.partition("-")
            bounds = [self._one.convert(end, param, ctx) for end in ((first, last) if dash else (first,))]
            if bounds[0] > bounds[-1]:
                raise _out_of_bounds("number", WholeNumber(bounds[0], self._one.most), last, param, ctx)
            numbers.update(range(bounds[0], bounds[-1] + 1))
        return frozenset(numbers)


class Number(click.ParamType[float]):
    """A number within bounds; the lower bound may be exclusive."""

    name = "number"

    def __init__(self, least: int, most: int, *, is_above: bool = False) -> None:
        self.least = least
        self.most = most
        self.is_above = is_above

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Parses the number."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not self.least <= number <= self.most or (self.is_above and number == self.least):
            raise _out_of_bounds("amount", self, value, param, ctx)
        return number


def _out_of_bounds(
    part: str,
    bounds: WholeNumber | Number,
    found: object,
    param: click.Parameter | None,
    ctx: click.Context | None,
) -> CommandError:
    return bad_usage(part, name=_name_of(param, ctx), found=found, least=bounds.least, most=bounds.most)


def _name_of(param: click.Parameter | None, ctx: click.Context | None) -> str:
    """Returns the name of an option or argument for messages."""
    if not (param and ctx):
        return "-"
    return param.make_metavar(ctx) if isinstance(param, click.Argument) else param.opts[-1]


class Choice(click.Choice[str]):
    """One word of a closed list, in either case."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(words, case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Returns the word."""
        word = str(value).lower()
        if word not in self.choices:
            name = param.opts[-1] if param else "-"
            raise bad_usage("choice", name=name, found=value, expected=" | ".join(self.choices))
        return word


def listed(text: str) -> list[str]:
    """Returns the words of a text with commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


class Choices(Choice):
    """Words of a closed list, separated by commas."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the words, each once."""
        words = listed(value) or [value] if isinstance(value, str) else value
        return tuple(dict.fromkeys(super(Choices, self).convert(word, param, ctx) for word in words))
