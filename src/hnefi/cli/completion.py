"""The command `hnefi completion`: prints the script with which a shell completes command lines."""

import click
from click.shell_completion import get_completion_class

from hnefi.cli.commands import argument, command
from hnefi.cli.values import Choice

_EXAMPLES = (
    ("completion bash", "bash"),
    ("completion zsh", "zsh"),
    ("completion fish", "fish"),
)


@command("completion", _EXAMPLES)
@argument("shell", key="shell", type=Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Prints the completion script of a shell."""
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "hnefi", "_HNEFI_COMPLETE").source())
