"""`hnefi site serve`: serves the files of a folder on this machine."""

import webbrowser
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click

from hnefi.cli.commands import argument, command, option
from hnefi.cli.faults import CommandError, bad_usage, port_error
from hnefi.cli.texts import translate
from hnefi.cli.values import Text, WholeNumber
from hnefi.server.assets import MEDIA_TYPES

_EXAMPLES = (
    ("site serve tafl", "plain"),
    ("site serve tafl --port 9000 --open", "open"),
)
_HOST, _PORT, _LAST_PORT = "127.0.0.1", 8000, 65535


@command("serve", _EXAMPLES, group="site")
@argument("folder", key="site_folder", type=Text())
@option("--port", type=WholeNumber(0, _LAST_PORT), default=_PORT, metavar="port")
@option("--open", "opens", is_flag=True, help="site_open")
def serve(folder: str, port: int, opens: bool) -> None:
    """Serves a folder of static files until it is interrupted."""
    if Path(folder).is_file():
        raise CommandError.of_facts("not_a_folder", path=folder)
    if not (Path(folder) / "index.html").is_file():
        raise bad_usage("site_folder", found=folder)
    try:
        server = ThreadingHTTPServer((_HOST, port), partial(FileHandler, directory=folder))
    except OSError as error:
        raise port_error(_HOST, port, error) from None
    with server:
        address = f"http://{_HOST}:{server.server_port}/"
        click.echo(translate("cli.site.serve.running", address=address))
        if opens:
            webbrowser.open(address)
        server.serve_forever()


class FileHandler(SimpleHTTPRequestHandler):
    """Serves files, with the types that browsers expect, and logs nothing."""

    extensions_map = {  # noqa: RUF012
        **SimpleHTTPRequestHandler.extensions_map,
        **MEDIA_TYPES,
    }

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answers an address that leads nowhere with the page that the site has for it."""
        page = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page.read_bytes())

    def log_message(self, *args: object) -> None:
        """Logs nothing."""
