"""The configuration file of `hnefi serve`: parses it with all its faults, and writes it with comments."""

import textwrap
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from hnefi.errors import Fault, SettingsError, shorten
from hnefi.i18n import text
from hnefi.server.secrets import hash_of
from hnefi.server.settings import GROUPS, SETTINGS, AccessKey, Setting, format_value
from hnefi.text_faults import encoding_fault, parse_toml, toml_fault

_WIDTH = 100
_DECLARED = {setting.name: setting for setting in SETTINGS}
_KEYS = "keys"
_KEY_PARTS = {
    part.name: part
    for part in (
        Setting("name", _KEYS, "text", None, "setting.keys", example="school"),
        Setting("secret", _KEYS, "secret", None, "setting.keys", example="16 to 128 letters"),
        Setting("secret_sha256", _KEYS, "digest", None, "setting.keys", example="64 hexadecimal digits"),
        Setting("devices", _KEYS, "number", 40, "setting.keys", 1, 10_000),
    )
}
"""What a table `[[keys]]` has; `secret_sha256` may take the place of `secret`."""


def read_config(content: bytes, path: Path) -> dict[str, Any]:
    """Returns the settings in the content of a configuration file. Relative paths begin at its folder.

    Raises:
        SettingsError: With all faults of the file.
    """
    try:
        found = parse_config(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        faults = [encoding_fault(error, str(path))]
        raise SettingsError.of_faults("bad_settings", faults).of_file(str(path)) from error
    except SettingsError as error:
        raise error.of_file(str(path)) from None
    folder = path.resolve().parent
    return {
        name: str(folder / value) if name != _KEYS and _DECLARED[name].kind == "path" else value
        for name, value in found.items()
    }


def access_keys(tables: Sequence[Mapping[str, Any]]) -> tuple[AccessKey, ...]:
    """Returns the keys of the tables `[[keys]]` of a file without faults."""
    return tuple(AccessKey(table["name"], _hash_in(table), table["devices"]) for table in tables)


def parse_config(content: str) -> dict[str, Any]:
    """Parses the TOML text of a configuration file.

    Raises:
        SettingsError: With all faults of the text; each has the key, what was found and what is expected.

    >>> parse_config("port = 9000  # that of the proxy")
    {'port': 9000}
    """
    try:
        data = parse_toml(content)
    except (ValueError, RecursionError) as error:
        raise SettingsError.of_faults("bad_settings", [toml_fault(error, content)]) from error
    faults = _faults_in({key: value for key, value in data.items() if key != _KEYS}, _DECLARED)
    faults += _key_faults(data.get(_KEYS, []))
    if faults:
        raise SettingsError.of_faults("bad_settings", faults)
    return data


def _faults_in(table: Mapping[str, Any], declared: Mapping[str, Setting], path: str = "") -> list[Fault]:
    """Returns the faults of single keys. Unknown parts of access keys may be secrets, and are not shown."""
    faults = []
    for key, value in table.items():
        setting = declared.get(key)
        if setting is None:
            known = [*declared] if path else [*declared, _KEYS]
            near = get_close_matches(key, known, n=3, cutoff=0.6) or known
            found = "-" if path else shorten(format_value(value))
            faults.append(Fault("unknown_key", f"{path}{shorten(key)}", found, " | ".join(near)))
        elif (code := setting.fault_of(value)) is not None:
            faults.append(Fault(code, f"{path}{key}", shorten(setting.shown(value)), setting.expected))
    return faults


def _key_faults(tables: object) -> list[Fault]:
    """Returns all faults of the tables of keys. Secrets are not shown."""
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        return [Fault("wrong_type", _KEYS, shorten(format_value(tables)), f"[[{_KEYS}]]")]
    faults, first = list[Fault](), dict[tuple[str, str], str]()
    for number, table in enumerate(tables, start=1):
        path = f"{_KEYS}.{number}"
        faults += _parts_faults(path, table)
        for part, value in (("name", table.get("name")), ("secret", _hash_in(table) or None)):
            if isinstance(value, str) and (other := first.setdefault((part, value), path)) != path:
                faults.append(Fault("contradiction", f"{path}.{part}", f"{other}.{part}", "≠"))
    return faults


def _parts_faults(path: str, table: dict[str, Any]) -> list[Fault]:
    faults = _faults_in(table, _KEY_PARTS, f"{path}.")
    if "secret" in table and "secret_sha256" in table:
        faults.append(Fault("contradiction", f"{path}.secret_sha256", "secret", "secret | secret_sha256"))
    missing = [name for name in ("name", "devices") if name not in table]
    if "secret" not in table and "secret_sha256" not in table:
        missing.append("secret")
    return faults + [
        Fault("missing_key", f"{path}.{name}", "-", _KEY_PARTS[name].expected) for name in missing
    ]


def _hash_in(table: Mapping[str, Any]) -> str:
    """Returns the hash of the secret of a key; an empty text if it has no usable one."""
    for name, hashed in (("secret", hash_of), ("secret_sha256", str.lower)):
        if name in table and _KEY_PARTS[name].fault_of(table[name]) is None:
            return hashed(table[name])
    return ""


def format_config(given: Mapping[str, Any], lang: str) -> str:
    """Writes a configuration file in which every setting is described.

    All settings that are not given stand in it behind a `#`, with their defaults.
    """
    parts = [_comment(text("setting.file", lang))]
    for group in GROUPS:
        parts.append(f"# ---- {text(f'setting.group.{group}', lang)}\n")
        parts += [
            _comment(_description(setting, lang)) + _line(setting, given)
            for setting in SETTINGS
            if setting.group == group
        ]
    parts.append(f"# ---- {text('setting.group.keys', lang)}\n")
    parts.append(_comment(text("setting.keys", lang)) + _key_lines(given.get(_KEYS, [])))
    return "\n".join(parts)


def _key_lines(tables: Sequence[Mapping[str, Any]]) -> str:
    """Returns the tables of keys, or one behind `#`, whose secret has to be replaced."""
    if tables:
        return "\n".join(
            f"[[{_KEYS}]]\n" + "".join(f"{name} = {format_value(value)}\n" for name, value in table.items())
            for table in tables
        )
    parts = [_line(part, {}) for name, part in _KEY_PARTS.items() if name != "secret_sha256"]
    return f"#[[{_KEYS}]]\n" + "".join(parts)


def _description(setting: Setting, lang: str) -> str:
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
