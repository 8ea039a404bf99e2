"""`hnefi serve`: the web application on this machine."""

import socket
import webbrowser
from functools import partial

import click

from hnefi.cli.faults import CommandError
from hnefi.cli.frame import WholeNumber, command, option
from hnefi.cli.speech import say

__all__ = ["serve"]

_EXAMPLES = (("serve --open", "cli.serve.example.open"), ("serve --port 9000", "cli.serve.example.port"))
_HOST, _PORT = "127.0.0.1", 8730


@command("serve", _EXAMPLES)
@option("--port", type=WholeNumber(0, 65_535), default=_PORT, metavar="cli.word.port", help="cli.option.port")
@option("--open", "opens", is_flag=True, help="cli.option.open")
def serve(port: int, opens: bool) -> None:
    """Starts the web application."""
    try:
        from hnefi.server.running import run_server
        from hnefi.server.settings import Settings
    except ModuleNotFoundError as error:
        raise _missing_package(error) from None
    listening = _listen(_HOST, port)
    settings = Settings(host=_HOST, port=listening.getsockname()[1])
    address = f"http://{settings.host}:{settings.port}/"
    click.echo(say("cli.serve.listening", address=address))
    run_server(settings, listening, on_ready=partial(_show, address) if opens else None)


def _show(address: str) -> None:
    """Opens the browser, where there is one."""
    webbrowser.open(address)


def _missing_package(error: ModuleNotFoundError) -> CommandError:
    """Says what to install.

    Raises:
        ModuleNotFoundError: If it is a module of ours that is missing.
    """
    package = (error.name or "").partition(".")[0]
    if package in ("", "hnefi"):
        raise error
    return CommandError("missing_package", f"{package}: not installed", {"package": package})


def _listen(host: str, port: int) -> socket.socket:
    """Takes a port. From then on browsers can connect; they are answered as soon as the application runs.

    Raises:
        CommandError: If the port is taken, or not ours to take.
    """
    try:
        return socket.create_server((host, port))
    except OSError as error:
        facts = {"host": host, "port": str(port), "why": error.strerror or type(error).__name__}
        raise CommandError("cannot_listen", f"{host}:{port}: {facts['why']}", facts) from None
