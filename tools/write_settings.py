"""Writes the table of settings in the server guide, from their declarations."""

import sys
from pathlib import Path

from generated_tables import with_table

from hnefi import i18n
from hnefi.server.settings import SETTINGS, Setting, format_value

TARGET = Path(__file__).parents[1] / "docs" / "guide" / "server.md"
BEGIN, END = "<!-- settings: written by tools/write_settings.py -->\n", "<!-- end of settings -->\n"
HEAD = "| setting | default | unit | values | what it is |\n|---|---|---|---|---|\n"


def main() -> int:
    """Writes the table."""
    TARGET.write_text(text(), encoding="utf-8")
    return 0


def text() -> str:
    """Returns the page with the table."""
    table = HEAD + "".join(map(_row, SETTINGS))
    return with_table(TARGET.read_text(encoding="utf-8"), BEGIN, END, table)


def _row(setting: Setting) -> str:
    default = "" if setting.default is None else f"`{format_value(setting.default)}`"
    is_listed = setting.kind in ("number", "flag", "choice")
    values = setting.expected.replace("|", "or") if is_listed else setting.kind
    cells = (f"`{setting.name}`", default, setting.unit, values, i18n.text(setting.help, "en"))
    return f"| {' | '.join(cells)} |\n".replace("|  |", "| |").replace("|  |", "| |")


if __name__ == "__main__":
    sys.exit(main())
