"""`hosting/Containerfile` without a container: build context, start command, health check."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path, PurePath

import click

from hnefi.cli.serve import serve
from tests.server.serving import RunningServer, free_port
from tests.timeouts import timeout_s

ROOT = Path(__file__).parents[2]
PORT = "8730"


def lines() -> list[str]:
    """Returns the instructions of the file, each in one line."""
    text = (ROOT / "hosting" / "Containerfile").read_text(encoding="utf-8")
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
    return subprocess.run(program("CMD"), capture_output=True, text=True, check=False, env=environment)


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


def test_a_container_without_an_origin_names_the_missing_variable(tmp_path: Path) -> None:
    done = started(tmp_path, PROXY="10.0.0.0/8")
    assert done.returncode != 0
    assert "ORIGIN: is not set, such as https://" in done.stderr


def test_health_check_succeeds_when_games_can_be_played(tmp_path: Path) -> None:
    def is_well(port: int) -> bool:
        command = [sys.executable if word == "python" else word for word in program("HEALTHCHECK")]
        assert sum(word.count(PORT) for word in command) == 1
        command = [word.replace(PORT, str(port)) for word in command]
        done = subprocess.run(command, capture_output=True, check=False, timeout=timeout_s())
        return done.returncode == 0

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
