"""The commands of docs/guide/upgrade.md, run with a version that has one more revision of the tables."""

import asyncio
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hnefi.server.backup import back_up
from hnefi.server.store import database
from tests.server.kills import ClientGame, new_client_game, play_until_killed
from tests.server.serving import ROOT, HttpClient, RunningServer, environment, free_port
from tests.server.sqlite_files import execute
from tests.server.test_migrations import newer_sources
from tests.server.test_serve import events_of
from tests.timeouts import timeout_s, wait_until

PAGE = ROOT / "docs" / "guide" / "upgrade.md"
OLD_REVISION = "0009"

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(
        sys.platform == "win32" or shutil.which("curl") is None, reason="needs a shell and curl"
    ),
]


class Site:
    """A site in a temporary folder, which stands for `/`; its service is a process of this test."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.data = root / "var" / "lib" / "hnefi"
        self.backup = root / "srv" / "backup" / "before-upgrade.backup"
        for folder in (self.data, root / "srv" / "backup"):
            folder.mkdir(parents=True)
        for version in ("old", "new"):
            program = root / "opt" / f"hnefi-{version}" / "bin" / "hnefi"
            program.parent.mkdir(parents=True)
            command = f'"{sys.executable}" -c "from hnefi.cli import main; main()" "$@" --lang en'
            sources = f"{newer_sources(self.root / 'sources')}:" if version == "new" else ""
            program.write_text(f'#!/bin/sh\nPYTHONPATH="{sources}$PYTHONPATH" exec {command}\n')
            program.chmod(0o755)
        (root / "opt" / "hnefi").symlink_to(root / "opt" / "hnefi-old")

    @property
    def version(self) -> str:
        """The version that the link leads to."""
        return (self.root / "opt" / "hnefi").readlink().name

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def run(self, block: str) -> list[str]:
        """Runs a block of the page line by line; returns the output of each line."""
        return [self._run_line(line) for line in block.splitlines()]

    def _run_line(self, line: str) -> str:
        if line.startswith("systemctl "):
            {"start": self.start, "stop": self.stop}[line.split()[1]]()
            return ""
        line = line.replace("127.0.0.1:8730", f"127.0.0.1:{self.port}")
        line = re.sub(r"(?<=\s)/(opt|var|srv)/", rf"{self.root}/\1/", f" {line}").strip()
        words = ["sh", "-ec", line]
        done = subprocess.run(
            words, capture_output=True, text=True, check=False, timeout=timeout_s(), env=environment()
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout

    def start(self) -> None:
        """Starts the service, as `systemctl start` does: without waiting until it is ready."""
        program = self.root / "opt" / "hnefi" / "bin" / "hnefi"
        words = [str(program), "serve", "--port", str(self.port), "--data", str(self.data)]
        with (self.root / "log").open("ab") as log:
            self.process = subprocess.Popen(words, stdout=log, stderr=log, env=environment())

    def stop(self) -> None:
        """Stops the service."""
        assert self.process is not None
        self.process.terminate()
        assert self.process.wait(timeout_s()) == 0

    def seq(self, game: ClientGame) -> int:
        """Returns the number of the last event of a game."""
        view = HttpClient(self.address, game.tokens[0]).request("GET", f"/api/games/{game.id}")
        return int(view["seq"])

    def revision(self) -> str:
        return str(execute(self.data / "games.db", "SELECT version_num FROM alembic_version")[0][0])


def blocks() -> list[str]:
    """Returns the blocks of the page that are run."""
    return re.findall(r"^```sh\n(.*?)\n```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def played(tmp_path: Path) -> tuple[Site, list[ClientGame]]:
    """A site with a database of the old revision, and the games in it."""
    folder = tmp_path / "played"
    folder.mkdir()
    with RunningServer(folder) as server:
        games = [new_client_game(server, seed) for seed in range(3)]
        asyncio.run(play_until_killed(server, games, 20, lambda: None))
    site = Site(tmp_path / "site")
    back_up(database.sqlite_url(folder / "games.db"), site.data / "games.db")
    return site, games


def test_the_commands_of_the_page(played: tuple[Site, list[ClientGame]]) -> None:
    site, games = played
    trial, upgrade, check, compare, roll_back_program, roll_back = blocks()
    assert site.revision() == OLD_REVISION
    before = events_of(site.data / "games.db")
    assert len(before) > 20
    try:
        site.run(trial)
        assert site.revision() == OLD_REVISION
        # With the same tables only the program goes back.
        site.start()
        site.run(check)
        site.run(roll_back_program)
        assert site.version == "hnefi-old"
        site.run(check)
        site.run(upgrade)
        assert site.version == "hnefi-new"
        ready, verified = site.run(check)
        assert json.loads(ready) == {"status": "ok"}
        assert "games 3" in verified
        # What is played after the upgrade is what the roll-back loses.
        ana = HttpClient(site.address)
        wish = {"variant": "brandub-globe", "opponent": "same_device", "side": "attackers"}
        made = ana.request("POST", "/api/games", wish)["game"]
        revisions = [json.loads(line)["revision"] for line in site.run(compare)]
        assert revisions[0] == OLD_REVISION < revisions[1]

        stop, *rest, start = roll_back.splitlines()
        site.run("\n".join([stop, *rest]))
        assert site.version == "hnefi-old"
        assert site.revision() == OLD_REVISION
        assert events_of(site.data / "games.db") == before
        copies = {path.name for path in site.data.glob("games.db.*")}
        assert copies >= {"games.db.before", f"games.db.{OLD_REVISION}"}
        site.run(start)
        site.run(check)
        ana.request("GET", f"/api/games/{made}", expect=404)
        assert {game.id: site.seq(game) for game in games} == {row[0]: row[1] for row in before}
        site.stop()
    finally:
        if site.process is not None and site.process.poll() is None:
            site.process.kill()
            site.process.wait()


def test_an_old_version_refuses_a_newer_database(played: tuple[Site, list[ClientGame]]) -> None:
    site, _ = played
    execute(site.data / "games.db", "UPDATE alembic_version SET version_num = '9999'")
    site.start()
    assert site.process is not None
    wait_until(lambda: site.process is None or site.process.poll() is not None, "the server ends")
    assert site.process.returncode == 2
    assert "another version" in (site.root / "log").read_text()
    assert site.revision() == "9999"
