"""Settings of a server, each declared once for command line, configuration file and documentation."""

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from hnefi.places import data_folder

Kind = Literal["number", "flag", "text", "path", "origin", "proxy", "database", "choice", "secret", "digest"]
Unit = Literal["", "MiB", "1/h", "1/min", "ms/s"]

GROUPS = ("network", "storage", "limits", "workers", "logs")
"""The sections of the configuration file and of the documentation."""

SECRET = re.compile(r"[A-Za-z0-9_-]{16,128}")
"""The secret of an access key."""

_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
_MAX_TEXT = 1_000
_NETLOC = re.compile(r"[A-Za-z0-9._:\[\]-]+")
# User and password may have any characters but those that end them; a host is a name, an address or none.
_DATABASE = re.compile(
    r"sqlite://.*|postgresql(\+psycopg)?://([^:/]*(:[^@]*)?@)?(\[[^/?\]]+\]|[^/:?\[\]]*)(:[0-9]+)?([/?].*)?"
)


@dataclass(frozen=True, slots=True)
class Setting:
    """The declaration of a setting: an option of `hnefi serve`, and a key of its configuration file.

    Attributes:
        name: Its key in the file. The option has hyphens instead of underscores.
        group: Its section, one of `GROUPS`.
        default: Its value if nothing else is given; None for none.
        help: The key of the text that describes it.
        example: What the configuration file shows if there is no default.
    """

    name: str
    group: str
    kind: Kind
    default: int | str | bool | None
    help: str
    least: int = 0
    most: int = 0
    unit: Unit = ""
    example: int | str = ""
    choices: tuple[str, ...] = ()

    @property
    def option(self) -> str:
        """Its option of `hnefi serve`."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def expected(self) -> str:
        """What its values are, without words."""
        match self.kind:
            case "number":
                return f"{self.least}…{self.most}"
            case "flag":
                return "true | false"
            case "choice":
                return " | ".join(map(format_value, self.choices))
            case "database":
                return f'"{self.example}" | "sqlite:///…"'
            case _:
                return f'"{self.example}"'

    def fault_of(self, value: object) -> Literal["wrong_type", "wrong_value"] | None:
        """Returns the code of what is wrong with a value, None if nothing is."""
        match self.kind:
            case "number":
                if type(value) is not int:
                    return "wrong_type"
                return None if self.least <= value <= self.most else "wrong_value"
            case "flag":
                return None if type(value) is bool else "wrong_type"
        if not isinstance(value, str):
            return "wrong_type"
        if self.kind == "choice":
            return None if value in self.choices else "wrong_value"
        is_text = 0 < len(value) <= _MAX_TEXT and value.isprintable()
        is_right = _IS_RIGHT.get(self.kind, bool)
        return None if is_text and bool(is_right(value)) else "wrong_value"

    def shown(self, value: object) -> str:
        """Formats a value for messages; secrets, such as the password of a database, are not shown."""
        is_secret = self.kind in ("database", "secret", "digest")
        return "…" if is_secret else format_value(value)


def _is_origin(text: str) -> bool:
    """Checks whether a text is the origin of pages, such as `https://tafl.example`."""
    try:
        parts = urlsplit(text)
        is_named = bool(parts.hostname) and _NETLOC.fullmatch(parts.netloc) is not None
        _ = parts.port  # raises if it is not a number
    except ValueError:
        return False
    rest = (parts.path.strip("/"), parts.query, parts.fragment)
    return parts.scheme in ("http", "https") and is_named and not any(rest)


def _is_proxy(text: str) -> bool:
    """Checks whether a text lists addresses and networks, or is `*` for all."""
    try:
        for part in text.split(","):
            ipaddress.ip_network("::/0" if part.strip() == "*" else part.strip(), strict=False)
    except ValueError:
        return False
    return True


_IS_RIGHT: dict[str, Callable[[str], object]] = {
    "origin": _is_origin,
    "database": _DATABASE.fullmatch,
    "proxy": _is_proxy,
    "secret": SECRET.fullmatch,
    "digest": _SHA256.fullmatch,
}


def format_value(value: object) -> str:
    """Formats a value as the configuration file has it.

    >>> format_value(True), format_value(80), format_value("a b")
    ('true', '80', '"a b"')
    """
    import json

    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _number(group: str, default: int | None, bounds: tuple[int, int], unit: Unit = "", **more: Any) -> Any:
    least, most = bounds
    return _field(default, group, "number", default, least=least, most=most, unit=unit, **more)


def _field(initial: Any, group: str, kind: Kind, default: Any = None, **more: Any) -> Any:
    """Returns the field of a setting.

    `initial` is its value in `Settings()`, or a function that returns it; all else is as in `Setting`. The
    setting has the name of the field unless another one is given.
    """
    metadata = {"group": group, "kind": kind, "default": default, **more}
    if callable(initial):
        return field(default_factory=initial, metadata=metadata)
    return field(default=initial, metadata=metadata)


@dataclass(frozen=True, slots=True)
class AccessKey:
    """A key of a school or club, whose devices are charged one by one and not together as one address.

    Attributes:
        secret_hash: The SHA-256 of its secret, in hexadecimal digits.
        devices: How many devices it serves at the same time.
    """

    name: str
    secret_hash: str
    devices: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a server. `SETTINGS` describes those that are not listed here.

    Attributes:
        hosts: Host names besides those of the machine itself; `*` for any.
        origins: The origins of its pages behind a proxy, such as `https://tafl.example`.
        proxy: The addresses of proxies whose `X-Forwarded` headers are trusted.
        database: The URL of the database; None for a file in the data folder. Several processes may share a
            PostgreSQL.
        library: The file of a library of games that everybody may read; None for none.
        docs: The folder of the built documentation, served at `/docs`; None for none.
        imprint: The text of the operator's imprint; None for none.
        engines_only: Whether it serves no pages, and only chooses moves of the computer.
    """

    port: int = _number("network", 8730, (0, 65_535), help="cli.option.port")
    host: str = _field("127.0.0.1", "network", "text", help="cli.option.host", example="127.0.0.1")
    hosts: tuple[str, ...] = _field((), "network", "flag", False, name="lan", help="cli.option.lan")
    origins: tuple[str, ...] = _field(
        (), "network", "origin", name="origin", help="cli.option.origin", example="https://tafl.example"
    )
    proxy: str = _field("", "network", "proxy", help="cli.option.proxy", example="127.0.0.1")
    metrics_port: int | None = _number(
        "network", None, (1, 65_535), help="cli.option.metrics_port", example=9730
    )
    folder: Path = _field(
        data_folder, "storage", "path", name="data", help="cli.option.data", example="/var/lib/hnefi"
    )
    database: str | None = _field(
        None, "storage", "database", help="cli.option.database", example="postgresql://hnefi@/hnefi"
    )
    library: Path | None = _field(
        None, "storage", "path", help="cli.option.serve_library", example="games.db"
    )
    docs: Path | None = _field(None, "storage", "path", help="cli.option.docs", example="target/docs/site")
    imprint: str | None = _field(None, "storage", "path", example="/etc/hnefi/imprint.txt")
    animations_mib: int = _number("storage", 256, (0, 1_000_000), "MiB")
    games_per_hour: int = _number("limits", 120, (1, 10_000_000), "1/h")
    challenges_per_visitor: int = _number("limits", 5, (1, 1_000))
    classes_per_hour: int = _number("limits", 12, (1, 10_000_000), "1/h")
    class_members: int = _number("limits", 60, (2, 1_000))
    class_games: int = _number("limits", 500, (1, 5_000))
    class_games_per_hour: int = _number("limits", 240, (1, 10_000_000), "1/h")
    class_codes_per_hour: int = _number("limits", 60, (1, 10_000_000), "1/h")
    requests_per_minute: int = _number("limits", 240, (1, 10_000_000), "1/min")
    reading_ms_per_second: int = _number("limits", 100, (1, 1_000_000), "ms/s")
    analyses_per_address: int = _number("limits", 8, (1, 1_000_000))
    sockets_per_address: int = _number("limits", 200, (1, 1_000_000))
    sockets_per_visitor: int = _number("limits", 10, (1, 1_000_000))
    engine_workers: int = _number("workers", 1, (1, 256))
    engine_worker_mib: int = _number("workers", 768, (384, 65_536), "MiB")
    rules_worker_mib: int = _number("workers", 512, (384, 65_536), "MiB")
    picture_worker_mib: int = _number("workers", 1024, (384, 65_536), "MiB")
    engines_only: bool = _field(False, "workers", "flag", False, help="cli.option.engines_only")
    log_format: str = _field("text", "logs", "choice", "text", choices=("text", "json"))
    log_level: str = _field("info", "logs", "choice", "info", choices=("debug", "info", "warning", "error"))
    keys: tuple[AccessKey, ...] = ()

    @property
    def url(self) -> str:
        """The URL of the database."""
        from hnefi.server.store.database import sqlite_url

        return self.database or sqlite_url(self.folder / "games.db")

    @property
    def has_library(self) -> bool:
        """Whether the file of the library exists; it may be created while the server runs."""
        return self.library is not None and self.library.is_file()


SETTINGS = tuple(
    Setting(**{"name": one.name, "help": f"setting.{one.name}", **one.metadata})
    for one in fields(Settings)
    if one.metadata
)
"""Every setting, in the order of the command line."""
