"""Commands, options and arguments whose help comes from the catalogue, in the language of the run."""

import math
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from hnefi.cli.faults import CommandError, bad_usage
from hnefi.cli.speech import say

__all__ = [
    "Argument",
    "Choice",
    "Command",
    "Family",
    "FilePath",
    "Number",
    "Option",
    "Text",
    "WholeNumber",
    "argument",
    "command",
    "counted",
    "option",
]

_WIDTH = 96


class Command(click.Command):
    """A command that is explained by the keys `cli.NAME.help`, and by examples that are tried by the tests.

    Attributes:
        examples: Command lines without the word `hnefi`, each with the key of what it does.
        key: What stands for its name in keys: with the name of its family for one of several.
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
        """Reads the arguments; one too many is refused in the user's language."""
        rest = super().parse_args(ctx, args)
        if ctx.args and not ctx.resilient_parsing:
            raise bad_usage("extra", found=ctx.args[0])
        return rest

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Gives `--help`, with a help text of ours."""
        return _help_option(super().get_help_option(ctx))

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes usage, explanation, arguments, options and examples."""
        _write_usage(self, ctx, formatter)
        _write_paragraphs(formatter, say(f"cli.{self.key}.help"))
        rows = {"arguments": list[tuple[str, str]](), "options": list[tuple[str, str]]()}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record:
                rows["arguments" if isinstance(parameter, Argument) else "options"].append(record)
        _write_table(formatter, say("cli.head.arguments"), rows["arguments"])
        _write_table(formatter, say("cli.head.options"), rows["options"])
        _write_examples(formatter, self.examples)


class Family(Command, click.Group):
    """A command that is a family of commands: its first argument says which; they are imported when used.

    Attributes:
        members: The names of its commands, in the order in which one meets them, each with its module, and
            `:name` where the function is called otherwise.
        default: The command that is meant where none is named.
    """

    def __init__(
        self, *args: Any, members: Mapping[str, str], default: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, callback=_explain_alone, invoke_without_command=True, **kwargs)
        self.members = members
        self.default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Leaves the arguments to the command they are for."""
        if self.default and not (args and (args[0] in self.members or args[0] in ctx.help_option_names)):
            args = [self.default, *args]
        return click.Group.parse_args(self, ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Lists its commands."""
        return list(self.members)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports a command."""
        if cmd_name not in self.members:
            return None
        module, _, function = self.members[cmd_name].partition(":")
        found: click.Command = getattr(import_module(module), function or cmd_name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command that is meant.

        Raises:
            CommandError: If there is none of that name.
        """
        found = self.get_command(ctx, args[0])
        if found is None and not ctx.resilient_parsing:
            near = get_close_matches(args[0], self.members, n=2, cutoff=0.6)
            raise bad_usage("command", found=args[0], near=", ".join(f"`{name}`" for name in near) or "-")
        return args[0], found, args[1:]

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes what it is for, its commands and examples."""
        _write_usage(self, ctx, formatter)
        _write_paragraphs(formatter, self.told_purpose())
        rows = [(name, self.told_member(name)) for name in self.members]
        _write_table(formatter, say("cli.head.commands"), rows)
        options = [parameter.get_help_record(ctx) for parameter in self.get_params(ctx)]
        _write_table(formatter, say("cli.head.options"), [record for record in options if record])
        _write_examples(formatter, self.examples)

    def told_purpose(self) -> str:
        """Says what it is for."""
        return say(f"cli.{self.key}.help")

    def told_member(self, name: str) -> str:
        """Says in a few words what one of its commands does."""
        return say(f"cli.{self.key}.{name}.short")


@click.pass_context
def _explain_alone(ctx: click.Context) -> None:
    """Says what there is, where no command of a group was named."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


class Option(click.Option):
    """An option whose help text is a key."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Gives how it is typed, and what it does."""
        record = super().get_help_record(ctx)
        return None if record is None else (record[0], say(self.help or f"cli.option.{self.name}"))

    def make_metavar(self, ctx: click.Context) -> str:
        """Gives the word for its value."""
        return say(self.metavar) if self.metavar else super().make_metavar(ctx)


class Argument(click.Argument):
    """An argument with a word and a help text of its own."""

    def __init__(self, *args: Any, key: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.key = key

    def make_metavar(self, ctx: click.Context | None = None) -> str:
        """Gives the word for its value, in brackets where it may be left out."""
        word = say(f"cli.word.{self.key}")
        shown = word if self.required else f"[{word}]"
        return shown if self.nargs == 1 else f"{shown} …"

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Gives its word, and what it is."""
        return say(f"cli.word.{self.key}"), say(f"cli.argument.{self.key}")


class FilePath(click.ParamType[str]):
    """The path of a file; whether there is one shows when it is opened."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Gives the path as it is."""
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Leaves it to the shell to list files."""
        return [CompletionItem(incomplete, type="file")]


class Text(click.ParamType[str]):
    """A text; bytes of the command line that are not UTF-8 are replaced, so that nothing chokes on them."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Gives the text without what cannot be written."""
        return str(value).encode("utf-8", "replace").decode("utf-8")


class WholeNumber(click.ParamType[int]):
    """A whole number within bounds."""

    name = "number"

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Reads the number.

        Raises:
            CommandError: If it is none, or out of bounds.
        """
        text = str(value)
        is_number = text.isascii() and text.isdigit() and len(text) <= len(str(self.most))
        number = int(text) if is_number else -1
        if not self.least <= number <= self.most:
            raise _out_of_bounds("number", self, text, param, ctx)
        return number


class Number(click.ParamType[float]):
    """A number within bounds, or just above the lower one if that is left out."""

    name = "number"

    def __init__(self, least: int, most: int, *, is_above: bool = False) -> None:
        self.least = least
        self.most = most
        self.is_above = is_above

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Reads the number.

        Raises:
            CommandError: If it is none, or out of bounds.
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
    name = "-"
    if param and ctx:
        name = param.make_metavar(ctx) if isinstance(param, click.Argument) else param.opts[-1]
    return bad_usage(part, name=name, found=found, least=bounds.least, most=bounds.most)


class Choice(click.Choice[str]):
    """One word of a closed list, in either case."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(words, case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Gives the word.

        Raises:
            CommandError: If it is not in the list.
        """
        word = str(value).lower()
        if word not in self.choices:
            name = param.opts[-1] if param else "-"
            raise bad_usage("choice", name=name, found=value, expected=" | ".join(self.choices))
        return word


def command(
    name: str, examples: Sequence[tuple[str, str]] = (), key: str | None = None
) -> Callable[[Callable[..., int | None]], Command]:
    """Makes a command of a function that gives its exit code, None for 0; `--lang` is understood by all."""

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
    """Adds an option that is a whole number within bounds."""
    return option(*names, type=WholeNumber(least, most), metavar="cli.word.count", **settings)


def argument(name: str, *, key: str, **settings: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds an argument; its word is the key `cli.word.KEY`, its help text `cli.argument.KEY`."""
    return click.argument(name, cls=Argument, key=key, **settings)


def _help_option(found: click.Option | None) -> click.Option | None:
    if found is not None:
        found.help = say("cli.option.help")
    return found


def _write_usage(one: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Writes the line that shows how a command is typed."""
    pieces = [found.make_metavar(ctx) for found in one.get_params(ctx) if isinstance(found, Argument)]
    if isinstance(one, click.Group):
        pieces.append(say("cli.word.command"))
    pieces.append(f"[{say('cli.word.options')}]")
    formatter.write_usage(ctx.command_path, " ".join(pieces), f"{say('cli.head.usage')} ")


def _write_paragraphs(formatter: click.HelpFormatter, text: str) -> None:
    """Writes a text, paragraph by paragraph."""
    for paragraph in text.split("\n"):
        formatter.write_paragraph()
        formatter.write_text(paragraph)


def _write_table(formatter: click.HelpFormatter, title: str, rows: Sequence[tuple[str, str]]) -> None:
    """Writes words with their explanations."""
    if rows:
        formatter.write_paragraph()
        formatter.write(f"{title}\n")
        with formatter.indentation():
            formatter.write_dl(rows)


def _write_examples(formatter: click.HelpFormatter, examples: Sequence[tuple[str, str]]) -> None:
    """Writes examples, what each does under it."""
    if not examples:
        return
    formatter.write_paragraph()
    formatter.write(f"{say('cli.head.examples')}\n")
    for line, key in examples:
        with formatter.indentation():
            formatter.write(f"  hnefi {line}\n")
            with formatter.indentation():
                formatter.write_text(say(key))
