"""Commands, options and arguments whose help comes from the catalogue."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from importlib import import_module
from inspect import signature
from typing import Any

import click
from click.shell_completion import CompletionItem

from hnefi.cli.faults import bad_usage
from hnefi.cli.texts import translate
from hnefi.cli.values import WholeNumber

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
"""Adds an option or an argument to the function of a command."""

_WIDTH = 96
# Longer lists stand in the help text, or are told by a message.
_MOST_CHOICES = 6


class Command(click.Command):
    """A command with the help text `cli.NAME.help` and with examples that the tests run.

    Attributes:
        examples: Command lines without the word `hnefi`, each with the key of its description, which is
            given as `WORD` for `cli.KEY.example.WORD`, or with the name of another command: `lab arena WORD`.
        key: The name used in catalogue keys; it includes the group for a subcommand.
    """

    def __init__(
        self, *args: Any, examples: Sequence[tuple[str, str]] = (), key: str | None = None, **kwargs: Any
    ) -> None:
        settings = {"max_content_width": _WIDTH, "help_option_names": ["-h", "--help"]}
        kwargs["context_settings"] = {**settings, **kwargs.get("context_settings", {})}
        super().__init__(*args, **kwargs)
        self.key = key or str(self.name)
        ends = ((line, *word.rpartition(" ")[::2]) for line, word in examples)
        self.examples = tuple(
            (line, f"cli.{of.replace(' ', '.') or self.key}.example.{end}") for line, of, end in ends
        )
        self.allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses the arguments; refuses surplus ones with a translated error."""
        rest = super().parse_args(ctx, args)
        if ctx.args and not ctx.resilient_parsing:
            raise bad_usage("extra", found=ctx.args[0])
        return rest

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Returns the `--help` option with a translated help text."""
        found = super().get_help_option(ctx)
        if found is not None:
            found.help = translate("cli.option.help")
        return found

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
        """Writes usage, explanation, arguments or subcommands, options and examples."""
        _write_usage(self, ctx, formatter)
        _write_paragraphs(formatter, translate(f"cli.{self.key}.help"))
        if isinstance(self, CommandGroup):
            self.format_commands(ctx, formatter)
        rows = {"arguments": list[tuple[str, str]](), "options": list[tuple[str, str]]()}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record:
                rows["arguments" if isinstance(parameter, Argument) else "options"].append(record)
        _write_table(formatter, translate("cli.head.arguments"), rows["arguments"])
        _write_table(formatter, translate("cli.head.options"), rows["options"])
        _write_examples(formatter, self.examples)


# Words of other programs, which the spelling does not lead to the commands.
_OTHER_WORDS = {"find": "search", "list": "search", "import": "add", "delete": "remove", "view": "show"}


class CommandGroup(Command, click.Group):
    """A group of subcommands, each imported on first use, with the option `--lang`.

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
        params: Sequence[click.Parameter] = (),
        **kwargs: Any,
    ) -> None:
        language = Option(["--lang"], metavar="cli.word.language", expose_value=False)
        kwargs |= {"callback": _print_group_help, "invoke_without_command": True}
        super().__init__(*args, params=[language, *params], **kwargs)
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
            word = _OTHER_WORDS.get(args[0], args[0])
            near = get_close_matches(word, self.members, n=2, cutoff=0.6)
            raise bad_usage("command", found=args[0], near=", ".join(f"`{name}`" for name in near) or "-")
        return args[0], found, args[1:]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the subcommands by section."""
        width = max(map(len, self.members))
        for heading, names in self.sections.items():
            rows = [(name.ljust(width), self.member_summary(name)) for name in names]
            _write_table(formatter, translate(heading), rows)

    def member_summary(self, name: str) -> str:
        """Returns the one-line summary of a subcommand."""
        return translate(f"cli.{self.key}.{name}.short")


@click.pass_context
def _print_group_help(ctx: click.Context) -> None:
    """Prints the help page if no subcommand was named."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


class Option(click.Option):
    """An option whose placeholder and help text come from the catalogue.

    They are the keys `cli.word.TYPE` and `cli.option.NAME` unless others are given.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.help = self.help or f"cli.option.{self.name}"
        self.metavar = self.metavar or f"cli.word.{self.type.name}"

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Returns its syntax and its help text, with choices, default and least that it does not say."""
        record = super().get_help_record(ctx)
        if record is None:
            return None
        purpose = translate(str(self.help))
        facts: list[str] = []
        choices = [*self.type.choices] if isinstance(self.type, click.Choice) else []
        if len(choices) <= _MOST_CHOICES and sum(word not in purpose for word in choices) > 1:
            facts.append(" | ".join(choices))
        has_value = isinstance(self.default, int | float | str) and not isinstance(self.default, bool)
        if has_value and self.default != "":
            facts.append(translate("cli.word.default", value=self.default))
        if isinstance(self.type, WholeNumber) and self.type.least > 1:
            facts.append(translate("cli.word.least", least=self.type.least))
        return record[0], f"{purpose} ({', '.join(facts)})" if facts else purpose

    def make_metavar(self, ctx: click.Context) -> str:
        """Returns the placeholder for its value."""
        return translate(str(self.metavar))


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


def command(
    name: str, examples: Sequence[tuple[str, str]] = (), *, group: str | None = None
) -> Callable[[Callable[..., int | None]], Command]:
    """Creates a command from a function that returns the exit code (None for 0); adds `--lang`."""
    key = f"{group}.{name}" if group else name

    def decorate(function: Callable[..., int | None]) -> Command:
        taught = option("--lang", metavar="language", expose_value=False)(function)
        return click.command(name, cls=Command, examples=examples, key=key)(taught)

    return decorate


def option(*names: str, **settings: Any) -> Decorator:
    """Adds an option; `metavar` and `help` are the ends of keys: `cli.word.METAVAR`, `cli.option.HELP`."""
    if "metavar" in settings:
        settings["metavar"] = f"cli.word.{settings['metavar']}"
    if "help" in settings:
        settings["help"] = f"cli.option.{settings['help']}"
    return click.option(*names, **{"cls": Option, **settings})


def counted(*names: str, least: int = 1, most: int = 999_999, **settings: Any) -> Decorator:
    """Adds an option that takes a whole number within bounds."""
    return option(*names, type=WholeNumber(least, most), **settings)


def argument(name: str, *, key: str, **settings: Any) -> Decorator:
    """Adds an argument with the placeholder `cli.word.KEY` and the help text `cli.argument.KEY`."""
    return click.argument(name, cls=Argument, key=key, **settings)


def joined(*options: Decorator) -> Decorator:
    """Returns several options as one, in the order of the help page."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for add in reversed(options):
            function = add(function)
        return function

    return decorate


def gathered(name: str, make: Callable[..., object], *options: Decorator) -> Decorator:
    """Returns options whose values the function takes as one parameter: what `make` makes of them."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            made = make(**{part: given.pop(part) for part in signature(make).parameters})
            return function(*args, **{name: made}, **given)

        return joined(*options)(call)

    return decorate


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
