"""Looks for known vulnerabilities in the locked packages: Python, Rust and npm.

`make audit` runs it. Each ecosystem has an advisory database on the network; one that cannot be reached is
reported as not checked, never as free of vulnerabilities. Exit code: 0 if everything was checked and nothing
found, 1 if something was found, 2 if something was not checked.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import node

ROOT = Path(__file__).parents[1]
TOOLS = ROOT / "target" / "audit"
PIP_AUDIT = "pip-audit>=2.10,<3"
_MOST_SHOWN = 300


@dataclass(frozen=True, slots=True)
class Report:
    """The result of one audit.

    Attributes:
        found: The vulnerabilities, a line each.
        checked: How many packages were checked, None if the tool does not say.
        missing: Why something was not checked; empty if everything was.
    """

    found: tuple[str, ...] = ()
    checked: int | None = None
    missing: str = ""


def read_pip(output: str) -> Report:
    """Reads the report of pip-audit. It passes over packages that it does not find, which happens offline."""
    packages = json.loads(output)["dependencies"]
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    found = [
        f"{package['name']} {package['version']}: {fault['id']}, fixed in {', '.join(fault['fix_versions'])}"
        for package in packages
        for fault in package.get("vulns", ())
    ]
    names = ", ".join(skipped[:5]) + (" …" if len(skipped) > 5 else "")
    missing = f"no advisories were found for {len(skipped)} of {len(packages)} packages ({names})"
    return Report(tuple(found), len(packages) - len(skipped), missing if skipped else "")


def read_npm(output: str) -> Report:
    """Reads the report of npm audit."""
    report = json.loads(output)
    if "vulnerabilities" not in report:
        error = report.get("error")
        why = error.get("summary") if isinstance(error, dict) else error
        return Report(missing=str(why or report.get("message") or "npm gave no report"))
    found = [f"{name}: {fault['severity']}" for name, fault in report["vulnerabilities"].items()]
    return Report(tuple(found), report.get("metadata", {}).get("dependencies", {}).get("total"))


def read_cargo(output: str) -> Report:
    """Reads the report of cargo audit."""
    report = json.loads(output)
    found = [
        f"{one['package']['name']} {one['package']['version']}: {one['advisory']['id']}"
        for one in report["vulnerabilities"]["list"]
    ]
    return Report(tuple(found), report.get("lockfile", {}).get("dependency-count"))


def _audit(
    read: Callable[[str], Report],
    command: list[str],
    folder: Path = ROOT,
    environment: Mapping[str, str] | None = None,
) -> Report:
    """Runs a tool, and reads its report; without one, nothing was checked."""
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    try:
        return read(done.stdout)
    except (ValueError, KeyError, TypeError):
        return Report(missing=_last_line(done.stderr) or f"{shlex.join(command[:2])} gave no report")


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")[:_MOST_SHOWN]


def audit_python() -> Report:
    """Audits what a server installs, with pip-audit in an environment of its own."""
    program = TOOLS / "bin" / "pip-audit"
    if not program.exists():
        venv.create(TOOLS, with_pip=True)
        install = [str(TOOLS / "bin" / "python"), "-m", "pip", "install", "--quiet", PIP_AUDIT]
        done = subprocess.run(install, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return Report(missing=f"pip-audit could not be installed: {_last_line(done.stderr)}")
    words = "--require-hashes --disable-pip --progress-spinner off --format json -r requirements/server.txt"
    return _audit(read_pip, [str(program), *words.split()])


def audit_rust() -> Report:
    """Audits Cargo.lock with cargo-audit, if it is installed."""
    if shutil.which("cargo-audit") is None:
        return Report(missing="cargo-audit is not installed: `cargo install --locked cargo-audit`")
    return _audit(read_cargo, ["cargo", "audit", "--json"])


def audit_npm() -> Report:
    """Audits the packages that the pages are built with and made of."""
    environment = node.node_environment(dict(os.environ), may_install=False)
    command = ["node", environment["HNEFI_NPM"], "audit", "--package-lock-only", "--json"]
    return _audit(read_npm, command, ROOT / "web", environment)


AUDITS: dict[str, Callable[[], Report]] = {
    "requirements/server.txt": audit_python,
    "Cargo.lock": audit_rust,
    "web/package-lock.json": audit_npm,
}


def main(audits: Mapping[str, Callable[[], Report]] = AUDITS) -> int:
    """Runs all audits, prints their results, and returns the exit code."""
    code = 0
    for name, audit in audits.items():
        report = audit()
        count = "" if report.checked is None else f", {report.checked} packages"
        for line in report.found:
            print(f"{name}: VULNERABLE: {line}")
        if report.missing:
            print(f"{name}: NOT CHECKED: {report.missing}")
        elif not report.found:
            print(f"{name}: no known vulnerabilities{count}")
        if report.found:
            code = 1
        elif report.missing:
            code = code or 2
    if code == 2:
        print("Without the network, or the tools named above, this says nothing about vulnerabilities.")
    return code


if __name__ == "__main__":
    sys.exit(main())
