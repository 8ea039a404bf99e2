"""What a server is told when it starts."""

from dataclasses import dataclass, field
from pathlib import Path

from hnefi.places import data_folder

__all__ = ["DEFAULT_PORT", "Settings"]

DEFAULT_PORT = 8730


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is to run.

    Attributes:
        host: The address it listens on; the machine itself alone, unless told otherwise.
        port: The port it listens on; 0 for any that is free.
        database: The URL of the database; None for a file in the data folder.
        folder: The data folder.
        hosts: Names under which browsers may reach it, besides those of the machine itself; `*` for any.
        origins: Where its pages come from if a proxy is before it, such as `https://tafl.example`.
        library: The file of a library of games, to be looked into by everybody; None for none.
        docs: The folder of the built documentation, served at `/docs`; None for none.
        metrics_port: The port on which metrics are told to this machine; None for nowhere.
        thinkers: How many processes think for computer opponents and analyses.
        thinker_mib: The memory each of them may take.
        sockets_per_address: The most connections from one address.
        sockets_per_visitor: The most connections of one visitor.
        requests_per_minute: The most requests that change something, from one address.
        games_per_hour: The most games made from one address.
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
    thinkers: int = 1
    thinker_mib: int = 768
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
        """Whether there is a library of games now; its file may come while the server runs."""
        return self.library is not None and self.library.is_file()
