"""The example alerts: a rules file of Prometheus whose metrics and labels exist."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from hnefi.server import backup
from hnefi.server.metrics import METRICS, ROUTES, Metrics, known_codes

ALERTS = Path(__file__).parents[2] / "hosting" / "alerts.yml"

RULES: list[dict[str, Any]] = [
    rule for group in yaml.safe_load(ALERTS.read_text("utf-8"))["groups"] for rule in group["rules"]
]
EXPRESSIONS = " ".join(rule["expr"] for rule in RULES)
LABELS = {metric.name: set(metric.labels) | {"job"} for metric in METRICS}


def series() -> set[str]:
    """Returns the names of all series that a server or a backup writes."""
    histograms = {metric.name for metric in METRICS if metric.kind == "histogram"}
    buckets = {f"{name}_{part}" for name in histograms for part in ("bucket", "sum", "count")}
    backups = {f"hnefi_backup_{name}" for name, _ in backup._METRICS}
    return (set(LABELS) - histograms) | buckets | backups | {"up"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_an_alert_says_what_it_is_and_what_to_do_and_its_metrics_exist(rule: dict[str, Any]) -> None:
    assert set(rule) - {"for"} == {"alert", "expr", "labels", "annotations"}
    assert rule["labels"]["severity"] in ("critical", "warning")
    assert set(rule["annotations"]) == {"summary", "action"}
    assert all(sentence.endswith(".") for sentence in rule["annotations"].values())
    assert re.fullmatch(r"\d+[mh]", rule.get("for", "5m"))
    used = set(re.findall(r"\b(?:hnefi|process)_\w+|\bup\b", rule["expr"]))
    assert used
    assert used <= series()


def test_every_label_of_an_alert_has_such_values() -> None:
    used = re.findall(r"(\w+)\{([^}]*)\}", EXPRESSIONS)
    matchers = [(name, one) for name, inside in used for one in inside.split(",")]
    codes = known_codes()
    closes = {
        sample.labels["code"]
        for family in Metrics().registry.collect()
        for sample in family.samples
        if sample.name == "hnefi_socket_closes_total"
    }
    values = {"route": set(ROUTES), "status": {"5xx"}, "job": {"hnefi"}}
    for name, matcher in matchers:
        found = re.fullmatch(r'(\w+)(=|=~|!=)"([^"]+)"', matcher)
        assert found is not None, matcher
        label, _, value = found.groups()
        assert label in LABELS.get(name, {"job"})
        known = values.get(label) or (closes if name == "hnefi_socket_closes_total" else codes)
        for part in value.split("|"):
            assert any(re.fullmatch(part, one) for one in known), (name, part)


def test_alerts_are_different_and_cover_what_an_operator_fears() -> None:
    names = [rule["alert"] for rule in RULES]
    assert len(set(names)) == len(names)
    feared = (
        *("ready", "outage", "move_seconds_bucket", "loop_stall_seconds_bucket", "disk_free_bytes"),
        *("refusals_total", "damaged_games", "backup_verified_timestamp_seconds"),
    )
    for metric in ("up", *(f"hnefi_{name}" for name in feared)):
        assert re.search(rf"\b{metric}\b", EXPRESSIONS), metric


@pytest.mark.deep
@pytest.mark.skipif(shutil.which("promtool") is None, reason="there is no promtool")
def test_prometheus_accepts_the_rules() -> None:
    done = subprocess.run(
        ["promtool", "check", "rules", str(ALERTS)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
