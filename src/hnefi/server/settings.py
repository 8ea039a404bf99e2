"""Settings of a server, each declared once for command line, configuration file and documentation."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from hnefi.places import data_folder

Kind = Literal["number", "flag", "text", "path", "origin", "database", "choice"]
Unit = Literal["", "MiB", "1/h", "1/min", "ms/s"]

GROUPS = ("network", "storage", "limits", "workers", "logs")
"""The sections of the configuration file and of the documentation."""

SECRET = re.compile(r"[A-Za-z0-9_-]{16,128}")
"""The secret of an access key."""

_MAX_TEXT = 1_000
_NETLOC = re.compile(r"[A-Za-z0-9._:\[\]-]+")


@dataclass(frozen=True, slots=True)
class Setting:
    """The declaration of a setting: an option of `hnefi serve`, and a key of its configuration file.

    Attributes:
        name: Its key in the file. The option has hyphens instead of underscores.
        group: Its section, one of `GROUPS`.
        kind: What its value is.
        default: Its value if nothing else is given; None for none.
        help: The key of the text that describes it.
        least: The smallest number.
        most: The largest number.
        unit: The unit of the number.
        example: What the configuration file shows if there is no default.
        choices: The values of a choice.
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
        is_right = _IS_URL.get(self.kind, bool)
        return None if is_text and is_right(value) else "wrong_value"

    def shown(self, value: object) -> str:
        """Formats a value for messages; that of a database may have a password, and is not shown."""
        return "…" if self.kind == "database" else format_value(value)


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


def _is_database(text: str) -> bool:
    """Checks whether a text is the URL of a database, such as `postgresql://hnefi@/hnefi`."""
    scheme, separator, _ = text.partition("://")
    return separator != "" and scheme.partition("+")[0] in ("postgresql", "sqlite")


_IS_URL: dict[str, Callable[[str], bool]] = {"origin": _is_origin, "database": _is_database}


def format_value(value: object) -> str:
    """Formats a value as the configuration file has it.

    >>> format_value(True), format_value(80), format_value("a b")
    ('true', '80', '"a b"')
    """
    import json

    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _text(name: str, group: str, kind: Kind, help_key: str, example: str) -> Setting:
    return Setting(name, group, kind, None, help_key, example=example)


def _number(
    name: str, group: str, default: int, bounds: tuple[int, int], unit: Unit = "", help_key: str = ""
) -> Setting:
    least, most = bounds
    return Setting(name, group, "number", default, help_key or f"setting.{name}", least, most, unit)


def _choice(name: str, group: str, default: str, choices: tuple[str, ...]) -> Setting:
    return Setting(name, group, "choice", default, f"setting.{name}", choices=choices)


SETTINGS = (
    _number("port", "network", 8730, (0, 65_535), help_key="cli.option.port"),
    _text("host", "network", "text", "cli.option.host", "127.0.0.1"),
    Setting("lan", "network", "flag", False, "cli.option.lan"),
    _text("origin", "network", "origin", "cli.option.origin", "https://tafl.example"),
    _text("proxy", "network", "text", "cli.option.proxy", "127.0.0.1"),
    Setting("metrics_port", "network", "number", None, "cli.option.metrics_port", 1, 65_535, example=9730),
    _text("data", "storage", "path", "cli.option.data", "/var/lib/hnefi"),
    _text("database", "storage", "database", "cli.option.database", "postgresql://hnefi@/hnefi"),
    _text("library", "storage", "path", "cli.option.serve_library", "games.db"),
    _text("docs", "storage", "path", "cli.option.docs", "target/docs/site"),
    _text("imprint", "storage", "path", "setting.imprint", "/etc/hnefi/imprint.txt"),
    _number("animations_mib", "storage", 256, (0, 1_000_000), "MiB"),
    _number("games_per_hour", "limits", 120, (1, 10_000_000), "1/h"),
    _number("challenges_per_visitor", "limits", 5, (1, 1_000)),
    _number("classes_per_hour", "limits", 12, (1, 10_000_000), "1/h"),
    _number("class_members", "limits", 60, (2, 1_000)),
    _number("class_games", "limits", 500, (1, 5_000)),
    _number("class_games_per_hour", "limits", 240, (1, 10_000_000), "1/h"),
    _number("class_codes_per_hour", "limits", 60, (1, 10_000_000), "1/h"),
    _number("requests_per_minute", "limits", 240, (1, 10_000_000), "1/min"),
    _number("reading_ms_per_second", "limits", 100, (1, 1_000_000), "ms/s"),
    _number("analyses_per_address", "limits", 8, (1, 1_000_000)),
    _number("sockets_per_address", "limits", 200, (1, 1_000_000)),
    _number("sockets_per_visitor", "limits", 10, (1, 1_000_000)),
    _number("engine_workers", "workers", 1, (1, 256)),
    _number("engine_worker_mib", "workers", 768, (384, 65_536), "MiB"),
    _number("rules_worker_mib", "workers", 512, (384, 65_536), "MiB"),
    _number("picture_worker_mib", "workers", 1024, (384, 65_536), "MiB"),
    Setting("engines_only", "workers", "flag", False, "cli.option.engines_only"),
    _choice("log_format", "logs", "text", ("text", "json")),
    _choice("log_level", "logs", "info", ("debug", "info", "warning", "error")),
)
"""Every setting, in the order of the command line."""

_DEFAULTS = {setting.name: setting.default for setting in SETTINGS}


def default_of(name: str) -> Any:
    """Returns the default of a setting.

    >>> default_of("port")
    8730
    """
    return _DEFAULTS[name]


@dataclass(frozen=True, slots=True)
class AccessKey:
    """A key of a school or club, whose devices are charged one by one and not together as one address.

    Attributes:
        name: Its name, for the operator.
        secret_hash: The SHA-256 of its secret, in hexadecimal digits.
        devices: How many devices it serves at the same time.
    """

    name: str
    secret_hash: str
    devices: int


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a server. `SETTINGS` describes those that are not listed here.

    Attributes:
        host: The address it listens on.
        database: The URL of the database; None for a file in the data folder. Several processes may share a
            PostgreSQL.
        folder: The data folder.
        hosts: Host names besides those of the machine itself; `*` for any.
        origins: The origins of its pages behind a proxy, such as `https://tafl.example`.
        library: The file of a library of games that everybody may read; None for none.
        docs: The folder of the built documentation, served at `/docs`; None for none.
        imprint: The text of the operator's imprint; None for none.
        engines_only: Whether it serves no pages, and only chooses moves of the computer.
        today: The date as the operator gives it, which confirms the clock of the machine.
        keys: The keys of schools and clubs.
    """

    host: str = "127.0.0.1"
    port: int = default_of("port")
    database: str | None = None
    folder: Path = field(default_factory=data_folder)
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    library: Path | None = None
    docs: Path | None = None
    imprint: str | None = None
    metrics_port: int | None = default_of("metrics_port")
    animations_mib: int = default_of("animations_mib")
    games_per_hour: int = default_of("games_per_hour")
    challenges_per_visitor: int = default_of("challenges_per_visitor")
    classes_per_hour: int = default_of("classes_per_hour")
    class_members: int = default_of("class_members")
    class_games: int = default_of("class_games")
    class_games_per_hour: int = default_of("class_games_per_hour")
    class_codes_per_hour: int = default_of("class_codes_per_hour")
    requests_per_minute: int = default_of("requests_per_minute")
    reading_ms_per_second: int = default_of("reading_ms_per_second")
    analyses_per_address: int = default_of("analyses_per_address")
    sockets_per_address: int = default_of("sockets_per_address")
    sockets_per_visitor: int = default_of("sockets_per_visitor")
    engine_workers: int = default_of("engine_workers")
    engine_worker_mib: int = default_of("engine_worker_mib")
    rules_worker_mib: int = default_of("rules_worker_mib")
    picture_worker_mib: int = default_of("picture_worker_mib")
    engines_only: bool = False
    log_format: str = default_of("log_format")
    log_level: str = default_of("log_level")
    today: date | None = None
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
