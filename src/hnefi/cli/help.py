"""The command `hnefi help`: the help of a command, or of all as a manual page."""

from collections.abc import Iterator, Sequence

import click

from hnefi.cli.commands import CommandGroup, argument, command, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.texts import translate

_EXAMPLES = (
    ("help play", "command"),
    ("help lab arena", "member"),
    ("help --man", "man"),
)
# A manual page is shown in 80 columns, with a margin.
_MANUAL_WIDTH = 72


@command("help", _EXAMPLES)
@argument("names", key="command", nargs=-1)
@option("--man", is_flag=True)
@click.pass_context
def show_help(ctx: click.Context, names: tuple[str, ...], man: bool) -> None:
    """Prints the help of a command, or of all commands as a manual page."""
    wanted = _context_of(ctx.find_root(), names)
    click.echo("\n".join(_manual(wanted)) if man else wanted.get_help())


def _context_of(ctx: click.Context, names: Sequence[str]) -> click.Context:
    """Returns the context of the command with these names."""
    for name in names:
        if not isinstance(ctx.command, CommandGroup):
            raise bad_usage("extra", found=name)
        _, found, _ = ctx.command.resolve_command(ctx, [name])
        assert found is not None
        ctx = found.make_context(name, [], ctx, resilient_parsing=True)
        ctx.resilient_parsing = False  # `resolve_command` refuses unknown names then
    return ctx


def _manual(ctx: click.Context) -> Iterator[str]:
    """Iterates over the lines of a manual page in roff, with a section for each command."""
    from hnefi import __version__

    name = ctx.command_path.replace(" ", "-")
    yield f'.TH {name.upper()} 1 "" "hnefi {__version__}"'
    yield f'.SH "{translate("cli.man.name")}"'
    yield f"{name} \\- {_roff(translate('cli.man.summary'))}"
    yield from _sections(ctx)


def _sections(ctx: click.Context) -> Iterator[str]:
    ctx.terminal_width = _MANUAL_WIDTH
    yield from (f'.SH "{ctx.command_path}"', ".nf", *map(_roff, ctx.get_help().splitlines()), ".fi")
    if isinstance(ctx.command, CommandGroup):
        for name in ctx.command.members:
            yield from _sections(_context_of(ctx, [name]))


def _roff(line: str) -> str:
    r"""Returns a line for roff, in which a backslash, or a dot or an apostrophe in front, begins a command.

    >>> print(_roff(".toml --to \\"))
    \&.toml \-\-to \e
    """
    escaped = line.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
