"""Sites of static files for tests: built once, and served from a subfolder by a plain file server."""

import datetime as dt
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from hnefi.paper import Imprint
from hnefi.server.site.building import build_site
from hnefi.server.site.plan import SitePlan

DAY = dt.date(2026, 11, 23)
VARIANTS = ("brandub-globe", "gwezboell-globe")


def built_site(
    folder: Path,
    *variants: str,
    languages: tuple[str, ...] = ("en", "fr"),
    address: str = "",
    imprint: Imprint | None = None,
    idle: int = 0,
) -> Path:
    """Builds a site; returns its folder."""
    plan = SitePlan(variants or VARIANTS, languages, DAY, address, imprint, idle)
    build_site(folder, plan, lambda _done, _total: None)
    return folder


class _Handler(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Logs nothing: the tests print what fails."""


@contextmanager
def file_server(folder: Path, handler: type[SimpleHTTPRequestHandler] = _Handler) -> Iterator[str]:
    """Serves a folder, as any host does if nothing is said; yields its address without the last slash."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
