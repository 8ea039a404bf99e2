"""Writes the table of settings in the server guide, from their declarations."""

from generated_tables import DOCS, GeneratedTable

from hnefi import i18n
from hnefi.server.settings import SETTINGS, Setting, format_value

HEAD = "| setting | default | unit | values | what it is |\n|---|---|---|---|---|\n"


def _row(setting: Setting) -> str:
    default = "" if setting.default is None else f"`{format_value(setting.default)}`"
    is_listed = setting.kind in ("number", "flag", "choice")
    values = setting.expected.replace("|", "or") if is_listed else setting.kind
    cells = (f"`{setting.name}`", default, setting.unit, values, i18n.text(setting.help, "en"))
    return f"| {' | '.join(cells)} |\n".replace("|  |", "| |").replace("|  |", "| |")


TABLE = GeneratedTable(
    DOCS / "guide" / "server.md", "settings", "write_settings", lambda: HEAD + "".join(map(_row, SETTINGS))
)

if __name__ == "__main__":
    TABLE.write()
