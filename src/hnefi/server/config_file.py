"""The configuration file of `hnefi serve`: parses it with all its faults, and writes it with comments."""

import json
import textwrap
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from hnefi.errors import Fault, SettingsError, shorten
from hnefi.i18n import text
from hnefi.server.settings import GROUPS, SETTINGS, Setting, format_value

__all__ = ["format_config", "parse_config", "read_config"]

_WIDTH = 100
_DECLARED = {setting.name: setting for setting in SETTINGS}


def read_config(path: Path) -> dict[str, Any]:
    """Reads a configuration file: the settings that it has. Relative paths in it begin at its folder.

    Raises:
        SettingsError: With all faults of the file.
        OSError: If it cannot be read.
    """
    try:
        found = parse_config(path.read_text("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _faulty([Fault("bad_encoding", "-", str(error.start), "UTF-8")]) from error
    folder = path.resolve().parent
    return {
        name: str(folder / value) if _DECLARED[name].kind == "path" else value
        for name, value in found.items()
    }


def parse_config(content: str) -> dict[str, Any]:
    """Parses the TOML text of a configuration file.

    Raises:
        SettingsError: With all faults of the text; each has the key, what was found and what is expected.

    >>> parse_config("port = 9000  # that of the proxy")
    {'port': 9000}
    """
    try:
        data = tomllib.loads(content)
        # Hexadecimal integers may have more digits than Python converts to text, and `json` raises for them.
        json.dumps(data, default=str)
    except (ValueError, RecursionError) as error:
        raise _faulty([Fault("bad_toml", "-", shorten(error, 200), "TOML")]) from error
    faults = [fault for key, value in data.items() if (fault := _fault_of(key, value)) is not None]
    if faults:
        raise _faulty(faults)
    return data


def _fault_of(key: str, value: object) -> Fault | None:
    setting = _DECLARED.get(key)
    if setting is None:
        near = get_close_matches(key, _DECLARED, n=3, cutoff=0.6) or list(_DECLARED)
        return Fault("unknown_key", shorten(key), shorten(format_value(value)), " | ".join(near))
    code = setting.fault_of(value)
    if code is None:
        return None
    return Fault(code, key, shorten(format_value(value)), setting.expected)


def _faulty(faults: list[Fault]) -> SettingsError:
    return SettingsError("bad_settings", "\n".join(map(str, faults)), None, faults)


def format_config(given: Mapping[str, Any], lang: str | None = None) -> str:
    """Writes a configuration file in which every setting is described.

    Args:
        given: The settings that the file has; all others stand in it behind a `#`, with their defaults.
        lang: The language of the comments; that of the user if None.
    """
    parts = [_comment(text("setting.file", lang))]
    for group in GROUPS:
        parts.append(f"# ---- {text(f'setting.group.{group}', lang)}\n")
        parts += [
            _comment(_description(setting, lang)) + _line(setting, given)
            for setting in SETTINGS
            if setting.group == group
        ]
    return "\n".join(parts)


def _description(setting: Setting, lang: str | None) -> str:
    description = text(setting.help, lang)
    if setting.kind != "number":
        return description
    return f"{description} {text('setting.bounds', lang, least=setting.least, most=setting.most)}"


def _line(setting: Setting, given: Mapping[str, Any]) -> str:
    if setting.name in given:
        return f"{setting.name} = {format_value(given[setting.name])}\n"
    value = setting.example if setting.default is None else setting.default
    return f"#{setting.name} = {format_value(value)}\n"


def _comment(sentences: str) -> str:
    lines = [line for part in sentences.split("\n") for line in textwrap.wrap(part, _WIDTH)]
    return "".join(f"# {line}\n" for line in lines)
