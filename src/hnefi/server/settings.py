"""Settings of a server."""

from dataclasses import dataclass, field
from pathlib import Path

from hnefi.places import data_folder

__all__ = ["DEFAULT_PORT", "Settings"]

DEFAULT_PORT = 8730


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a server.

    Attributes:
        host: The address it listens on.
        port: The port it listens on; 0 for a free one.
        database: The URL of the database; None for a file in the data folder.
        folder: The data folder.
        hosts: Host names besides those of the machine itself; `*` for any.
        origins: The origins of its pages behind a proxy, such as `https://tafl.example`.
        library: The file of a library of games that everybody may read; None for none.
        docs: The folder of the built documentation, served at `/docs`; None for none.
        metrics_port: The local port of the metrics; None for none.
        engine_workers: How many processes search for computer opponents and analyses.
        engine_worker_mib: The memory limit of each.
        sockets_per_address: The most connections from one address.
        sockets_per_visitor: The most connections of one visitor.
        requests_per_minute: The most requests from one address that change something.
        games_per_hour: The most games created from one address.
    """

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    database: str | None = None
    folder: Path = field(default_factory=data_folder)
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    library: Path | None = None
    docs: Path | None = None
    metrics_port: int | None = None
    engine_workers: int = 1
    engine_worker_mib: int = 768
    sockets_per_address: int = 50
    sockets_per_visitor: int = 10
    requests_per_minute: int = 240
    games_per_hour: int = 120

    @property
    def url(self) -> str:
        """The URL of the database."""
        from hnefi.server.store.database import sqlite_url

        return self.database or sqlite_url(self.folder / "games.db")

    @property
    def has_library(self) -> bool:
        """Whether the file of the library exists; it may be created while the server runs."""
        return self.library is not None and self.library.is_file()
