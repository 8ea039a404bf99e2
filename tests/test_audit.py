"""`make audit`: reports of the audit tools, and results that were not obtained."""

import json
from pathlib import Path
from typing import Any

import audit
import pytest
from audit import Report


def pip_report(**changes: Any) -> str:
    clean = {"name": "uvicorn", "version": "0.54.0", "vulns": []}
    return json.dumps({"dependencies": [clean, {**clean, "name": "starlette", **changes}], "fixes": []})


def test_a_vulnerable_python_package_is_named() -> None:
    fault = {"id": "PYSEC-2026-1", "fix_versions": ["1.2"], "aliases": []}
    report = audit.read_pip(pip_report(vulns=[fault]))
    assert report == Report(("starlette 0.54.0: PYSEC-2026-1, fixed in 1.2",), 2)
    assert audit.read_pip(pip_report()) == Report((), 2)


def test_packages_without_advisories_are_not_free_of_vulnerabilities() -> None:
    """pip-audit reports success if the package index knows nothing of advisories."""
    report = audit.read_pip(pip_report(skip_reason="Dependency not found on PyPI"))
    assert report.checked == 1
    assert "1 of 2 packages (starlette)" in report.missing


def test_reports_of_npm() -> None:
    found = {"vulnerabilities": {"esbuild": {"severity": "high"}}, "metadata": {"dependencies": {"total": 9}}}
    assert audit.read_npm(json.dumps(found)) == Report(("esbuild: high",), 9)
    assert audit.read_npm(json.dumps({**found, "vulnerabilities": {}})) == Report((), 9)
    offline = {"error": {"code": "ENOTFOUND", "summary": "getaddrinfo ENOTFOUND"}}
    assert audit.read_npm(json.dumps(offline)).missing == "getaddrinfo ENOTFOUND"


def test_reports_of_cargo() -> None:
    one = {"package": {"name": "pyo3", "version": "0.1.0"}, "advisory": {"id": "RUSTSEC-2026-0001"}}
    found = {"lockfile": {"dependency-count": 7}, "vulnerabilities": {"list": [one]}}
    assert audit.read_cargo(json.dumps(found)) == Report(("pyo3 0.1.0: RUSTSEC-2026-0001",), 7)


@pytest.mark.parametrize(
    ("reports", "code"),
    [
        ([Report(checked=3), Report()], 0),
        ([Report(missing="offline"), Report()], 2),
        ([Report(("bad",)), Report(missing="offline")], 1),
        ([Report(missing="offline"), Report(("bad",))], 1),
    ],
)
def test_the_exit_code_reports_found_and_not_checked(
    reports: list[Report], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    audits = {str(number): lambda report=report: report for number, report in enumerate(reports)}
    assert audit.main(audits) == code
    printed = capsys.readouterr().out
    assert ("NOT CHECKED: offline" in printed) == any(report.missing for report in reports)
    assert ("VULNERABLE: bad" in printed) == any(report.found for report in reports)


def test_a_tool_without_a_report_checked_nothing(tmp_path: Path) -> None:
    report = audit._audit(audit.read_npm, ["sh", "-c", "echo no network >&2"], tmp_path)
    assert report == Report(missing="no network")
