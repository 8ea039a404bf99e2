"""The files of `hosting/` and the lock files of production: what nginx, systemd, a container and Prometheus
read, checked by them where they are."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path, PurePath
from typing import Any

import click
import pytest
import yaml
from programs import find_program

from hnefi.cli.serve import serve
from hnefi.server import backup
from hnefi.server.metrics import METRICS, ROUTES, Metrics, known_codes
from tests.server.serving import ROOT, RunningServer, free_port
from tests.timeouts import timeout_s

HOSTING = ROOT / "hosting"
SOCKETS = 20_000
"""How many WebSockets the files are made for."""

MOST_EXPOSURE = 2.0
"""The exposure that `systemd-analyze security` may find, from 0 to 10."""

PIN = re.compile(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==(\S+)", re.MULTILINE)
NEWER_KEYS = ("RestartSteps", "RestartMaxDelaySec")
"""Settings of systemd 254, which older ones ignore."""


def run(*command: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout_s(), **more)


def pins(name: str) -> dict[str, str]:
    return dict(PIN.findall((ROOT / "requirements" / name).read_text("utf-8")))


@pytest.mark.parametrize("name", ["server.txt", "build.txt"])
def test_production_uses_the_versions_that_are_tested_with_hashes(name: str) -> None:
    tested, locked = pins("dev.txt"), pins(name)
    assert {package: tested.get(package) for package in locked} == locked
    blocks = re.split(r"\n(?=[a-z])", (ROOT / "requirements" / name).read_text("utf-8"))
    assert len(blocks) == len(locked)
    assert all("--hash=sha256:" in block for block in blocks)


def test_the_lock_file_of_the_server_has_what_its_extras_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*extras["app"], *extras["server"], *extras["postgres"]]
    named = {re.split(r"[\[<>=;]", one)[0] for one in wanted}
    assert named - {"hnefi"} <= set(pins("server.txt"))


def test_images_are_named_by_version() -> None:
    text = (HOSTING / "Containerfile").read_text("utf-8")
    (version,) = re.findall(r"^ARG PYTHON=(\S+)$", text, re.MULTILINE)
    assert re.match(r"\d+\.\d+\.\d+-", version)
    images = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
    assert set(images) == {"docker.io/library/python:${PYTHON}"}
    assert text.count("--require-hashes") == 2


def test_the_unit_has_files_for_its_sockets_and_restarts_with_pauses() -> None:
    text = (HOSTING / "hnefi.service").read_text("utf-8")
    settings = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))
    assert int(settings["LimitNOFILE"]) >= 2 * SOCKETS
    assert settings["Restart"] == "on-failure"
    assert int(settings["RestartMaxDelaySec"]) > int(settings["RestartSec"])
    assert settings["StartLimitIntervalSec"] == "0"


@pytest.mark.deep
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd")
@pytest.mark.parametrize("name", ["hnefi.service", "hnefi-backup.timer"])
def test_systemd_accepts_the_units(tmp_path: Path, name: str) -> None:
    for unit in ("hnefi.service", "hnefi-backup.service", "hnefi-backup.timer"):
        text = (HOSTING / unit).read_text("utf-8")
        program = shutil.which("true") or "/bin/true"
        (tmp_path / unit).write_text(text.replace("/opt/hnefi/bin/hnefi", program), "utf-8")
    done = run("systemd-analyze", "verify", str(tmp_path / name))
    faults = [line for line in done.stderr.splitlines() if not any(key in line for key in NEWER_KEYS)]
    assert (done.returncode, [line for line in faults if name.partition(".")[0] in line]) == (0, [])


@pytest.mark.deep
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd")
def test_the_unit_is_sandboxed() -> None:
    done = run("systemd-analyze", "security", "--offline=true", str(HOSTING / "hnefi.service"))
    if "Unknown" in done.stderr and not done.stdout:
        pytest.skip("this systemd cannot examine files")
    (exposure,) = re.findall(r"exposure level for .*: ([0-9.]+)", done.stdout)
    assert float(exposure) <= MOST_EXPOSURE


def test_the_commands_of_the_guide_give_nginx_its_connections(tmp_path: Path) -> None:
    main = tmp_path / "nginx.conf"
    main.write_text("user www-data;\nevents {\n\tworker_connections 768;\n\t# multi_accept on;\n}\n")
    (tmp_path / "modules-enabled").mkdir()
    guide = (ROOT / "docs" / "guide" / "server.md").read_text("utf-8")
    commands = re.findall(r"^\s*((?:sed|echo) .*/etc/nginx.*)$", guide, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        subprocess.run(["sh", "-c", command.replace("/etc/nginx", str(tmp_path))], check=True)
    (connections,) = re.findall(r"^\s*worker_connections (\d+);$", main.read_text(), re.MULTILINE)
    (files,) = (path.read_text() for path in (tmp_path / "modules-enabled").iterdir())
    # A WebSocket takes two connections of the proxy. All may be at one worker.
    assert int(connections) >= 2 * SOCKETS
    assert int(re.findall(r"^worker_rlimit_nofile (\d+);$", files.strip())[0]) >= int(connections)


def test_nginx_accepts_the_site_which_listens_on_both_protocols(tmp_path: Path) -> None:
    key, certificate, config = (tmp_path / name for name in ("key.pem", "certificate.pem", "nginx.conf"))
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=tafl.example"
    made = run("openssl", *words.split(), "-keyout", str(key), "-out", str(certificate))
    assert made.returncode == 0, made.stderr
    site = (HOSTING / "nginx.conf").read_text("utf-8")
    four, six = (re.findall(rf"listen {host}(\d+.*);", site) for host in ("", r"\[::\]:"))
    assert four == six == ["443 ssl http2", "80"]
    site = re.sub(r"/etc/letsencrypt/live/\S+/fullchain.pem", str(certificate), site)
    site = re.sub(r"/etc/letsencrypt/live/\S+/privkey.pem", str(key), site)
    (tmp_path / "site.conf").write_text(site, "utf-8")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = " ".join(f"{kind}_temp_path {tmp_path / kind};" for kind in kinds)
    config.write_text(
        f"pid {tmp_path / 'pid'}; error_log stderr; worker_rlimit_nofile 100000;\n"
        "events { worker_connections 50000; }\n"
        f"http {{ access_log off; {folders} include {tmp_path / 'site.conf'}; }}\n"
    )
    done = run(str(find_program("nginx")), "-t", "-p", str(tmp_path), "-c", str(config))
    assert done.returncode == 0, done.stderr


PORT = "8730"


def lines() -> list[str]:
    """Returns the instructions of the file, each in one line."""
    text = (HOSTING / "Containerfile").read_text("utf-8")
    return text.replace("\\\n", " ").splitlines()


def program(instruction: str) -> list[str]:
    """Returns the command of an instruction in JSON form."""
    (line,) = (line for line in lines() if line.startswith(instruction))
    found: list[str] = json.loads(line[line.index("[") :])
    return found


def started(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the command of a container with a stub `hnefi` that prints its arguments."""
    (tmp_path / "hnefi").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (tmp_path / "hnefi").chmod(0o755)
    environment["PATH"] = f"{tmp_path}:{os.environ['PATH']}"
    return run(*program("CMD"), env=environment)


def test_a_container_starts_a_server_as_the_command_understands_it(tmp_path: Path) -> None:
    (proxies,) = (line.partition("=")[2] for line in lines() if line.startswith("ENV PROXY="))
    done = started(tmp_path, ORIGIN="https://games.example", PROXY=proxies)
    assert done.returncode == 0, done.stderr
    command, *words = done.stdout.splitlines()
    assert command == "serve"
    assert isinstance(serve, click.Command)
    params = serve.make_context("serve", words).params
    assert (params["host"], params["data"]) == ("0.0.0.0", "/data")
    assert (params["origin"], params["proxy"]) == ("https://games.example", proxies)
    assert params["log_format"] == "json"
    assert f"EXPOSE {params['port']}" in lines()
    done = started(tmp_path, PROXY=proxies)
    assert done.returncode != 0
    assert "ORIGIN: is not set, such as https://" in done.stderr


def test_health_check_succeeds_when_games_can_be_played(tmp_path: Path) -> None:
    def is_well(port: int) -> bool:
        command = [sys.executable if word == "python" else word for word in program("HEALTHCHECK")]
        assert sum(word.count(PORT) for word in command) == 1
        command = [word.replace(PORT, str(port)) for word in command]
        return run(*command).returncode == 0

    with RunningServer(tmp_path) as server:
        assert is_well(server.port)
    assert not is_well(free_port())


def test_an_image_is_built_from_the_sources_and_all_that_the_manifests_name() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    allowed = {PurePath(line[1:]) for line in ignored if line.startswith("!")}
    assert all((ROOT / path).exists() for path in allowed)
    cargo, project = (tomllib.loads((ROOT / f).read_text("utf-8")) for f in ("Cargo.toml", "pyproject.toml"))
    for name in (
        *("Cargo.toml", "Cargo.lock", "pyproject.toml", "src", "tools", "web/src"),
        *cargo["workspace"]["members"],
        *project["build-system"]["backend-path"],
        project["project"]["readme"],
        *project["project"]["license-files"],
    ):
        assert allowed & {PurePath(name), *PurePath(name).parents}, name


ALERTS = HOSTING / "alerts.yml"

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
    done = run("promtool", "check", "rules", str(ALERTS))
    assert done.returncode == 0, done.stdout + done.stderr
