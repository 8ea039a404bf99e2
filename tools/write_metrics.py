"""Writes the table of metrics in the guide to monitoring, from their declarations."""

from generated_tables import DOCS, GeneratedTable

from hnefi.server.metrics import METRICS, Metric

HEAD = "| metric | kind | unit | labels | what it is |\n|---|---|---|---|---|\n"


def _row(metric: Metric) -> str:
    labels = ", ".join(f"`{name}`" for name in metric.labels)
    cells = (f"`{metric.name}`", metric.kind, metric.unit, labels, metric.help)
    return f"| {' | '.join(cells)} |\n".replace("|  |", "| |")


TABLE = GeneratedTable(
    DOCS / "guide" / "monitoring.md", "metrics", "write_metrics", lambda: HEAD + "".join(map(_row, METRICS))
)

if __name__ == "__main__":
    TABLE.write()
