"""Writes the table of metrics in the guide to monitoring, from their declarations."""

import sys
from pathlib import Path

from generated_tables import with_table

from hnefi.server.metrics import METRICS, Metric

TARGET = Path(__file__).parents[1] / "docs" / "guide" / "monitoring.md"
BEGIN, END = "<!-- metrics: written by tools/write_metrics.py -->\n", "<!-- end of metrics -->\n"
HEAD = "| metric | kind | unit | labels | what it is |\n|---|---|---|---|---|\n"


def main() -> int:
    """Writes the table."""
    TARGET.write_text(text(), encoding="utf-8")
    return 0


def text() -> str:
    """Returns the page with the table."""
    table = HEAD + "".join(map(_row, METRICS))
    return with_table(TARGET.read_text(encoding="utf-8"), BEGIN, END, table)


def _row(metric: Metric) -> str:
    labels = ", ".join(f"`{name}`" for name in metric.labels)
    cells = (f"`{metric.name}`", metric.kind, metric.unit, labels, metric.help)
    return f"| {' | '.join(cells)} |\n".replace("|  |", "| |")


if __name__ == "__main__":
    sys.exit(main())
