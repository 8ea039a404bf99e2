"""The files of `hosting/` and the lock files of production, checked by nginx, and by systemd in `make
check-deep`."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from programs import find_program

from tests.timeouts import timeout_s

ROOT = Path(__file__).parents[2]
HOSTING = ROOT / "hosting"
SOCKETS = 20_000
"""How many WebSockets the files are made for."""

MOST_EXPOSURE = 2.0
"""The exposure that `systemd-analyze security` may find, from 0 to 10."""

PIN = re.compile(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==(\S+)", re.MULTILINE)
NEWER_KEYS = ("RestartSteps", "RestartMaxDelaySec")
"""Settings of systemd 254, which older ones ignore."""


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


def test_the_proxy_listens_on_both_protocols() -> None:
    text = (HOSTING / "nginx.conf").read_text("utf-8")
    four, six = (re.findall(rf"listen {host}(\d+.*);", text) for host in ("", r"\[::\]:"))
    assert four == six == ["443 ssl http2", "80"]


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


def test_nginx_accepts_the_site(tmp_path: Path) -> None:
    key, certificate, config = (tmp_path / name for name in ("key.pem", "certificate.pem", "nginx.conf"))
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=tafl.example"
    made = run("openssl", *words.split(), "-keyout", str(key), "-out", str(certificate))
    assert made.returncode == 0, made.stderr
    site = (HOSTING / "nginx.conf").read_text("utf-8")
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


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout_s())
