"""The command `hnefi serve`: runs the web application locally, on the local network, or behind a proxy.

A value or a file of an option that cannot be used is a `CommandError`, a library a `LibraryError`.
"""

import errno
import io
import ipaddress
import os
import socket
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

from hnefi.cli.commands import Decorator, Option, command, joined, option
from hnefi.cli.faults import CommandError, bad_usage, check_writable, file_error, port_error
from hnefi.cli.files import read_file
from hnefi.cli.texts import language, translate
from hnefi.cli.values import Choice, FilePath, WholeNumber
from hnefi.places import data_folder
from hnefi.server.config_file import access_keys, format_config, read_config
from hnefi.server.settings import SETTINGS, Kind, Setting, Settings
from hnefi.workers.collector import without_collector

_EXAMPLES = (
    ("serve --open", "open"),
    ("serve --port 9000", "port"),
    ("serve --lan", "lan"),
    ("serve --library games.db", "library"),
    ("serve --origin https://tafl.example", "origin"),
    ("serve --write-config", "write_config"),
    ("serve --config hnefi.toml", "config"),
)
_LARGEST_READ_MB = 4
_HOST, _EVERYWHERE = "127.0.0.1", "0.0.0.0"
# Nothing is sent there: it only shows which of its addresses this machine would use.
_FAR_AWAY = ("192.0.2.1", 9)

_METAVARS = {
    "port": "port",
    "metrics_port": "port",
    "host": "address",
    "proxy": "address",
    "origin": "url",
    "database": "url",
    "data": "folder",
    "docs": "folder",
    "library": "file",
    "imprint": "file",
    "log_format": "format",
    "log_level": "level",
}
"""Placeholders of values that are not counts."""


def _option(setting: Setting) -> Decorator:
    """Returns the option of a setting."""
    negation = f"/--no-{setting.option[2:]}" if setting.kind == "flag" else ""
    kinds: dict[Kind, click.ParamType[Any]] = {
        "choice": Choice(setting.choices),
        "number": WholeNumber(setting.least, setting.most),
        "path": FilePath(),
    }
    return click.option(
        setting.option + negation,
        cls=Option,
        type=kinds.get(setting.kind),
        default=setting.default,
        metavar=f"cli.word.{_METAVARS.get(setting.name, 'count')}",
        help=setting.help,
    )


_OPTIONS = {setting.name: _option(setting) for setting in SETTINGS}
data_option, database_option = _OPTIONS["data"], _OPTIONS["database"]


@command("serve", _EXAMPLES)
@option("--open", "opens", is_flag=True, help="open")
@option("--config", type=FilePath())
@option("--write-config", "writes_config", is_flag=True, help="write_config")
@joined(*_OPTIONS.values())
def serve(
    *,
    opens: bool,
    config: str | None,
    writes_config: bool,
    **values: Any,
) -> None:
    """Starts the web application."""
    given = _given(config, values)
    if writes_config:
        click.echo(format_config(given, language()), nl=False)
        return
    _serve({**values, **given}, opens=opens)


def _given(config: str | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the settings of the configuration file and of the command line, which takes precedence."""
    context = click.get_current_context()
    typed = {
        name: value
        for name, value in values.items()
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    for setting in SETTINGS:
        if setting.name in typed:
            _check(setting, typed[setting.name])
    if config is None:
        return typed
    return {**read_config(read_file(config, _LARGEST_READ_MB), Path(config)), **typed}


def _check(setting: Setting, value: object) -> None:
    if setting.fault_of(value) is not None:
        # The message has quotation marks of its own.
        found = value if setting.kind == "origin" else setting.shown(value)
        raise bad_usage("choice", name=setting.option, found=found, expected=setting.expected)


def check_database(url: str) -> None:
    """Checks that the value of `database_option` is the URL of a database."""
    _check(next(one for one in SETTINGS if one.name == "database"), url)


def _serve(values: dict[str, Any], *, opens: bool) -> None:
    """Runs the server with these settings."""
    is_shared = str(values["database"]).startswith("postgresql")
    if values["engines_only"] and not is_shared:
        raise CommandError("engines_need_postgres", "--engines-only: needs --database postgresql://…")
    # The packages of the server take seconds to load.
    folder = Path(values["data"]) if values["data"] else data_folder()
    check_writable(folder)
    with packages_of_server(), without_collector():
        from hnefi.server.running import run_engines, run_server
    if values["engines_only"]:
        settings = _settings(values, {"folder": folder, "library": None, "keys": ()})
        run_engines(settings, lambda: click.echo(translate("cli.serve.engines")))
        return
    lan, origin = values["lan"], values["origin"]
    bound = _bound(values["host"], lan, origin)
    checked = {
        "host": bound,
        "folder": folder,
        "hosts": _own_addresses() if lan else (() if bound == _EVERYWHERE else (bound,)),
        "origins": ("{0.scheme}://{0.netloc}".format(urlsplit(origin)),) if origin else (),
        "proxy": values["proxy"] or (_HOST if origin else ""),
        "library": _library(values["library"], is_own=not lan and origin is None),
        "docs": _built_docs(values["docs"]),
        "imprint": _imprint(values["imprint"]),
        "keys": access_keys(values.get("keys", ())),
    }
    # Whatever is refused is refused before the port is opened.
    listening = _listen(bound, values["port"])
    port = checked["port"] = listening.getsockname()[1]
    settings = _settings(values, checked)
    address = origin or f"http://{_name(bound)}:{port}/"

    def ready() -> None:
        _announce(address, _own_addresses() if lan else (), port)
        if opens:
            webbrowser.open(address)

    run_server(settings, listening, on_ready=ready)


def _settings(values: Mapping[str, Any], checked: dict[str, Any]) -> Settings:
    """Returns settings of the values of options, of which some were checked."""
    names = {one.name for one in fields(Settings)}
    return Settings(**{name: value for name, value in values.items() if name in names} | checked)


def _library(named: str | None, *, is_own: bool) -> Path | None:
    """Returns the library to show: the named one, or the user's own if only this machine is served."""
    from hnefi.places import library_path

    if named is None:
        return library_path() if is_own else None
    from hnefi.library import Library

    Library(named).close()
    return Path(named).resolve()


def _built_docs(named: str | None) -> Path | None:
    """Returns the folder of the built documentation."""
    if named is None:
        return None
    if not (Path(named) / "index.html").is_file():
        raise file_error("cannot_read", str(Path(named) / "index.html"), os.strerror(errno.ENOENT))
    return Path(named).resolve()


def _imprint(named: str | None) -> str | None:
    """Returns the text of the operator's imprint; an empty one would be missing without a word."""
    if named is None:
        return None
    try:
        imprint = read_file(named, _LARGEST_READ_MB).decode("utf-8-sig")
        if not imprint.strip():
            raise file_error("cannot_read", named, translate("cli.file.empty"))
        return imprint
    except UnicodeDecodeError:
        raise file_error("cannot_read", named, translate("cli.file.not_utf8")) from None


@contextmanager
def packages_of_server() -> Iterator[None]:
    """Imports within the block what may not be installed.

    Raises:
        CommandError: `missing_package`, unless the missing module belongs to Hnefi.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "hnefi"):
            raise
        raise CommandError.of_facts("missing_package", package=package) from None


def _bound(host: str | None, lan: bool, origin: str | None) -> str:
    """Returns the address to listen on; refuses a public one without `--lan` or `--origin`."""
    if host is None:
        return _EVERYWHERE if lan else _HOST
    if not _is_own(host) and not lan and origin is None:
        raise CommandError.of_facts("open_to_all", host=host)
    return host


def _is_own(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


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
    # Only this option needs it.
    import segno

    drawn = io.StringIO()
    code: Any = segno.make(here, error="m")
    code.terminal(out=drawn, compact=True)
    click.echo(drawn.getvalue())


def _listen(host: str, port: int) -> socket.socket:
    """Binds the port; connections wait until the application runs."""
    from hnefi.server.running import listen

    try:
        return listen(host, port)
    except OSError as error:
        raise port_error(host, port, error) from None
