"""Commands, options and arguments whose help comes from the catalogue."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from hnefi.cli.faults import CommandError, bad_usage
from hnefi.cli.texts import translate

_WIDTH = 96


class Command(click.Command):
    """A command with the help text `cli.NAME.help` and with examples that the tests run.

    Attributes:
        examples: Command lines without the word `hnefi`, each with the key of its description.
        key: The name used in catalogue keys; it includes the group for a subcommand.
    """

    def __init__(
        self, *args: Any, examples: Sequence[tuple[str, str]] = (), key: str | None = None, **kwargs: Any
    ) -> None:
        settings = {"max_content_width": _WIDTH, "help_option_names": ["-h", "--help"]}
        kwargs["context_settings"] = {**settings, **kwargs.get("context_settings", {})}
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)
        self.key = key or str(self.name)
        self.allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses the arguments; refuses surplus ones with a translated error."""
        rest = super().parse_args(ctx, args)
        if ctx.args and not ctx.resilient_parsing:
            raise bad_usage("extra", found=ctx.args[0])
        return rest

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Returns the `--help` option with a translated help text."""
        return _help_option(super().get_help_option(ctx))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Returns the options that begin so, with their translated help texts."""
        items = click.Command.shell_complete(self, ctx, incomplete)
        options = [one for one in self.get_params(ctx) if isinstance(one, Option)]
        for item in items:
            one = next((one for one in options if item.value in one.opts), None)
            record = one.get_help_record(ctx) if one else None
            item.help = record[1] if record else item.help
        return items

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes usage, explanation, arguments, options and examples."""
        _write_usage(self, ctx, formatter)
        _write_paragraphs(formatter, translate(f"cli.{self.key}.help"))
        rows = {"arguments": list[tuple[str, str]](), "options": list[tuple[str, str]]()}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record:
                rows["arguments" if isinstance(parameter, Argument) else "options"].append(record)
        _write_table(formatter, translate("cli.head.arguments"), rows["arguments"])
        _write_table(formatter, translate("cli.head.options"), rows["options"])
        _write_examples(formatter, self.examples)


class CommandGroup(Command, click.Group):
    """A group of subcommands, each imported on first use.

    Attributes:
        members: Subcommands in the order of the help page, each with its module, and `:name` where
            the function has another name.
        default: The subcommand that runs if none is named.
        sections: The names of subcommands by the key of their heading on the help page.
    """

    def __init__(
        self,
        *args: Any,
        members: Mapping[str, str],
        default: str | None = None,
        sections: Mapping[str, Sequence[str]] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, callback=_print_group_help, invoke_without_command=True, **kwargs)
        self.members = members
        self.default = default
        self.sections = sections or {"cli.head.commands": tuple(members)}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses the arguments; inserts the default subcommand if none is named."""
        if self.default and not (args and (args[0] in self.members or args[0] in ctx.help_option_names)):
            args = [self.default, *args]
        return click.Group.parse_args(self, ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the names of the subcommands."""
        return list(self.members)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports a subcommand."""
        if cmd_name not in self.members:
            return None
        module, _, function = self.members[cmd_name].partition(":")
        found: click.Command = getattr(import_module(module), function or cmd_name)
        return found

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Returns the subcommands that begin so, with their summaries, without importing them."""
        names = [name for name in self.members if name.startswith(incomplete)]
        items = [CompletionItem(name, help=self.member_summary(name)) for name in names]
        return [*items, *super().shell_complete(ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the subcommand that the arguments name.

        Raises:
            CommandError: If there is none of that name.
        """
        found = self.get_command(ctx, args[0])
        if found is None and not ctx.resilient_parsing:
            near = get_close_matches(args[0], self.members, n=2, cutoff=0.6)
            raise bad_usage("command", found=args[0], near=", ".join(f"`{name}`" for name in near) or "-")
        return args[0], found, args[1:]

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes purpose, subcommands, options and examples."""
        _write_usage(self, ctx, formatter)
        _write_paragraphs(formatter, self.purpose())
        width = max(map(len, self.members))
        for heading, names in self.sections.items():
            rows = [(name.ljust(width), self.member_summary(name)) for name in names]
            _write_table(formatter, translate(heading), rows)
        options = [parameter.get_help_record(ctx) for parameter in self.get_params(ctx)]
        _write_table(formatter, translate("cli.head.options"), [record for record in options if record])
        _write_examples(formatter, self.examples)

    def purpose(self) -> str:
        """Returns the text that explains the group."""
        return translate(f"cli.{self.key}.help")

    def member_summary(self, name: str) -> str:
        """Returns the one-line summary of a subcommand."""
        return translate(f"cli.{self.key}.{name}.short")


@click.pass_context
def _print_group_help(ctx: click.Context) -> None:
    """Prints the help page if no subcommand was named."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


class Option(click.Option):
    """An option whose help text comes from the catalogue."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Returns its syntax and its help text."""
        record = super().get_help_record(ctx)
        if record is None:
            return None
        purpose = translate(self.help or f"cli.option.{self.name}")
        has_value = isinstance(self.default, int | float | str) and not isinstance(self.default, bool)
        if has_value and self.default != "":
            purpose += f" ({translate('cli.word.default', value=self.default)})"
        return record[0], purpose

    def make_metavar(self, ctx: click.Context) -> str:
        """Returns the placeholder for its value."""
        return translate(self.metavar) if self.metavar else super().make_metavar(ctx)


class Argument(click.Argument):
    """An argument whose placeholder and help text come from the catalogue."""

    def __init__(self, *args: Any, key: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.key = key

    def make_metavar(self, ctx: click.Context | None = None) -> str:
        """Returns its placeholder, in brackets if it is optional."""
        word = translate(f"cli.word.{self.key}")
        shown = word if self.required else f"[{word}]"
        return shown if self.nargs == 1 else f"{shown} …"

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Returns its placeholder and its help text."""
        return translate(f"cli.word.{self.key}"), translate(f"cli.argument.{self.key}")


class FilePath(click.ParamType[str]):
    """The path of a file; not checked before it is opened."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Returns the path unchanged."""
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


class Date(click.ParamType[str]):
    """A year, a month or a day: `2019`, `2019-05` or `2019-05-31`."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Checks the date.

        Raises:
            CommandError: If it is none.
        """
        text = str(value)
        try:
            if not re.fullmatch(r"\d{4}(-\d{2}){0,2}", text, re.ASCII):
                raise ValueError(text)
            date.fromisoformat(f"{text}-01-01"[:10])
        except ValueError:
            raise bad_usage("date", name=_name_of(param, ctx), found=text) from None
        return text


class WholeNumber(click.ParamType[int]):
    """A whole number within bounds."""

    name = "number"

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parses the number.

        Raises:
            CommandError: If it is not a number, or out of bounds.
        """
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
        """Parses the numbers.

        Raises:
            CommandError: If one is not a number, or out of bounds, or a range has no number.
        """
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
        """Parses the number.

        Raises:
            CommandError: If it is not a number, or out of bounds.
        """
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
        """Returns the word.

        Raises:
            CommandError: If it is not in the list.
        """
        word = str(value).lower()
        if word not in self.choices:
            name = param.opts[-1] if param else "-"
            raise bad_usage("choice", name=name, found=value, expected=" | ".join(self.choices))
        return word


class Choices(Choice):
    """Words of a closed list, separated by commas."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the words.

        Raises:
            CommandError: If one is not in the list.
        """
        words = [word.strip() for word in value.split(",")] if isinstance(value, str) else value
        return tuple(super(Choices, self).convert(word, param, ctx) for word in words)


def command(
    name: str, examples: Sequence[tuple[str, str]] = (), *, group: str | None = None
) -> Callable[[Callable[..., int | None]], Command]:
    """Creates a command from a function that returns the exit code (None for 0); adds `--lang`."""
    key = f"{group}.{name}" if group else name

    def decorate(function: Callable[..., int | None]) -> Command:
        taught = option("--lang", metavar="cli.word.language", expose_value=False)(function)
        return click.command(name, cls=Command, examples=examples, key=key)(taught)

    return decorate


def option(*names: str, **settings: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds an option; its help text is the key `cli.option.NAME`, or the one given as `help`."""
    return click.option(*names, cls=Option, **settings)


def counted(
    *names: str, least: int = 1, most: int = 999_999, **settings: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds an option that takes a whole number within bounds."""
    return option(*names, type=WholeNumber(least, most), metavar="cli.word.count", **settings)


def argument(name: str, *, key: str, **settings: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds an argument with the placeholder `cli.word.KEY` and the help text `cli.argument.KEY`."""
    return click.argument(name, cls=Argument, key=key, **settings)


def _help_option(found: click.Option | None) -> click.Option | None:
    if found is not None:
        found.help = translate("cli.option.help")
    return found


def _write_usage(one: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Writes the usage line."""
    pieces = [found.make_metavar(ctx) for found in one.get_params(ctx) if isinstance(found, Argument)]
    if isinstance(one, click.Group):
        pieces.append(translate("cli.word.command"))
    pieces.append(f"[{translate('cli.word.options')}]")
    formatter.write_usage(ctx.command_path, " ".join(pieces), f"{translate('cli.head.usage')} ")


def _write_paragraphs(formatter: click.HelpFormatter, text: str) -> None:
    """Writes a text, paragraph by paragraph."""
    for paragraph in text.split("\n"):
        formatter.write_paragraph()
        formatter.write_text(paragraph)


def _write_table(formatter: click.HelpFormatter, title: str, rows: Sequence[tuple[str, str]]) -> None:
    """Writes a two-column list of terms and explanations."""
    if rows:
        formatter.write_paragraph()
        formatter.write(f"{title}\n")
        with formatter.indentation():
            formatter.write_dl(rows)


def _write_examples(formatter: click.HelpFormatter, examples: Sequence[tuple[str, str]]) -> None:
    """Writes examples, each with its description below."""
    if not examples:
        return
    formatter.write_paragraph()
    formatter.write(f"{translate('cli.head.examples')}\n")
    for line, key in examples:
        with formatter.indentation():
            formatter.write(f"  hnefi {line}\n")
            with formatter.indentation():
                formatter.write_text(translate(key))
