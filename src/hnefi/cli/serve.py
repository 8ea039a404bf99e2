"""The command `hnefi serve`: runs the web application locally, on the local network, or behind a proxy."""

import errno
import ipaddress
import os
import socket
import webbrowser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from hnefi.cli.commands import FilePath, WholeNumber, command, option
from hnefi.cli.faults import CommandError, bad_usage, file_error
from hnefi.cli.texts import translate
from hnefi.places import data_folder

__all__ = ["data_option", "database_option", "missing_package", "serve"]

_EXAMPLES = (
    ("serve --open", "cli.serve.example.open"),
    ("serve --port 9000", "cli.serve.example.port"),
    ("serve --lan", "cli.serve.example.lan"),
    ("serve --library games.db", "cli.serve.example.library"),
    ("serve --origin https://tafl.example", "cli.serve.example.origin"),
)
_HOST, _EVERYWHERE, _PORT = "127.0.0.1", "0.0.0.0", 8730
# Nothing is sent there: it only shows which of its addresses this machine would use.
_FAR_AWAY = ("192.0.2.1", 9)

library_option = option(
    "--library", type=FilePath(), metavar="cli.word.file", help="cli.option.serve_library"
)
data_option = option("--data", metavar="cli.word.folder", help="cli.option.data")
database_option = option("--database", metavar="cli.word.url", help="cli.option.database")


@command("serve", _EXAMPLES)
@option("--port", type=WholeNumber(0, 65_535), default=_PORT, metavar="cli.word.port", help="cli.option.port")
@option("--open", "opens", is_flag=True, help="cli.option.open")
@option("--lan", is_flag=True, help="cli.option.lan")
@option("--host", metavar="cli.word.address", help="cli.option.host")
@option("--origin", metavar="cli.word.url", help="cli.option.origin")
@option("--proxy", metavar="cli.word.address", help="cli.option.proxy")
@data_option
@database_option
@library_option
@option("--docs", type=FilePath(), metavar="cli.word.folder", help="cli.option.docs")
@option(
    "--metrics-port", type=WholeNumber(1, 65_535), metavar="cli.word.port", help="cli.option.metrics_port"
)
def serve(
    port: int,
    opens: bool,
    lan: bool,
    host: str | None,
    origin: str | None,
    proxy: str | None,
    data: str | None,
    database: str | None,
    library: str | None,
    docs: str | None,
    metrics_port: int | None,
) -> None:
    """Starts the web application."""
    try:
        from hnefi.server.running import run_server
        from hnefi.server.settings import Settings
    except ModuleNotFoundError as error:
        raise missing_package(error) from None
    bound = _bound(host, lan, origin)
    listening = _listen(bound, port)
    port = listening.getsockname()[1]
    settings = Settings(
        host=bound,
        port=port,
        folder=Path(data) if data else data_folder(),
        database=database,
        hosts=_own_addresses() if lan else (() if bound == _EVERYWHERE else (bound,)),
        origins=(_checked_origin(origin),) if origin else (),
        library=_library(library, is_own=not lan and origin is None),
        docs=_built_docs(docs),
        metrics_port=metrics_port,
    )
    address = origin or f"http://{_name(bound)}:{port}/"

    def ready() -> None:
        _announce(address, _own_addresses() if lan else (), port)
        if opens:
            webbrowser.open(address)

    trusted = proxy or (_HOST if origin else "")
    run_server(settings, listening, trusted_proxies=trusted, on_ready=ready)


def _library(named: str | None, *, is_own: bool) -> Path | None:
    """Returns the library to show: the named one, or the user's own if only this machine is served.

    Raises:
        LibraryError: If the named library cannot be opened.
    """
    from hnefi.library import Library
    from hnefi.places import library_path

    if named is None:
        return library_path() if is_own else None
    Library(named).close()
    return Path(named).resolve()


def _built_docs(named: str | None) -> Path | None:
    """Returns the folder of the built documentation.

    Raises:
        CommandError: If there is no site in it.
    """
    if named is None:
        return None
    if not (Path(named) / "index.html").is_file():
        raise file_error("cannot_read", str(Path(named) / "index.html"), os.strerror(errno.ENOENT))
    return Path(named).resolve()


def missing_package(error: ModuleNotFoundError) -> CommandError:
    """Returns the error that names the extra to install.

    Raises:
        ModuleNotFoundError: If the missing module belongs to Hnefi.
    """
    package = (error.name or "").partition(".")[0]
    if package in ("", "hnefi"):
        raise error
    return CommandError("missing_package", f"{package}: not installed", {"package": package})


def _bound(host: str | None, lan: bool, origin: str | None) -> str:
    """Returns the address to listen on; refuses a public one without `--lan` or `--origin`.

    Raises:
        CommandError: If the address is public and neither option is given.
    """
    if host is None:
        return _EVERYWHERE if lan else _HOST
    if not _is_own(host) and not lan and origin is None:
        raise CommandError("open_to_all", f"--host {host}: needs --lan or --origin", {"host": host})
    return host


def _is_own(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _checked_origin(origin: str) -> str:
    parts = urlsplit(origin)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise bad_usage("choice", name="--origin", found=origin, expected="https://tafl.example")
    return f"{parts.scheme}://{parts.netloc}"


def _own_addresses() -> tuple[str, ...]:
    """Returns the addresses and names of this machine on the local network."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_FAR_AWAY)
            found.append(str(probe.getsockname()[0]))
        except OSError:
            pass
    name = socket.gethostname().lower()
    return (*found, name, f"{name}.local")


def _name(host: str) -> str:
    if host == _EVERYWHERE:
        return _HOST
    return f"[{host}]" if ":" in host else host


def _announce(address: str, others: tuple[str, ...], port: int) -> None:
    """Prints the address; on a local network also as a QR code."""
    click.echo(translate("cli.serve.listening", address=address))
    if not others:
        return
    here = f"http://{others[0]}:{port}/"
    click.echo(translate("cli.serve.lan", address=here))
    click.echo(_code(here))


def _code(address: str) -> str:
    import io

    import segno

    drawn = io.StringIO()
    code: Any = segno.make(address, error="m")
    code.terminal(out=drawn, compact=True)
    return drawn.getvalue()


def _listen(host: str, port: int) -> socket.socket:
    """Binds the port; connections wait until the application runs.

    Raises:
        CommandError: If the port is in use or not permitted.
    """
    from hnefi.server.running import listen

    try:
        return listen(host, port)
    except OSError as error:
        facts = {"host": host, "port": str(port), "why": error.strerror or type(error).__name__}
        raise CommandError("cannot_listen", f"{host}:{port}: {facts['why']}", facts) from None
