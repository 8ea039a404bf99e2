"""A rehearsed restore: a server on a copy of the backup, compared with the backup."""

import asyncio
import json
import multiprocessing
import re
import signal
import sqlite3
import tempfile
from pathlib import Path

import pytest

from hnefi.server import backup, rehearsal
from hnefi.server.backup import restore
from tests.cli_runs import run
from tests.server.kills import new_client_game, play_until_killed
from tests.server.serving import HttpClient, RunningServer


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of three games against friends, and one against the computer that is to move."""
    folder = tmp_path_factory.mktemp("played")
    target = folder / "games.backup"
    with RunningServer(folder) as server:
        games = [new_client_game(server, seed) for seed in range(3)]
        asyncio.run(play_until_killed(server, games, 30, lambda: None))
        ana = HttpClient(server.address)
        wish = {"variant": "brandub-globe", "opponent": "computer", "level": 10, "side": "defenders"}
        ana.request("POST", "/api/games", wish)
        backup.back_up(f"sqlite:///{folder / 'games.db'}", target)
    return target


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_backup_is_rehearsed(copy: Path, temporary: Path) -> None:
    before = copy.read_bytes()
    code, out, err = run("restore", str(copy), "--rehearse", "--json")
    assert code == 0, err
    answer = json.loads(out)
    assert (answer["ok"], answer["games"], answer["games_read"]) == (True, 4, 4)
    assert (answer["damage"], answer["differences"]) == ([], [])
    assert answer["newest_age_s"] >= 0
    assert copy.read_bytes() == before
    assert [*temporary.iterdir()] == []


@pytest.mark.deep
def test_a_damaged_game_is_reported_and_the_others_are_read(
    copy: Path, temporary: Path, tmp_path: Path
) -> None:
    damaged = tmp_path / "damaged.backup"
    damaged.write_bytes(copy.read_bytes())
    with sqlite3.connect(damaged) as connection:
        (game,) = connection.execute("SELECT game FROM event WHERE seq = 10 LIMIT 1").fetchone()
        connection.execute("UPDATE event SET body = 'x' WHERE game = ? AND seq = 4", (game,))
    connection.close()
    code, out, _ = run("restore", str(damaged), "--rehearse")
    assert code == 1
    assert f"game {game}: event 4 cannot be read" in out
    assert "games read from the server 3" in out
    assert "not reliable as it is" in out
    assert [*temporary.iterdir()] == []


@pytest.mark.deep
def test_a_server_without_a_game_of_the_backup_is_noticed(
    copy: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def restore_half(source: Path, url: str, **settings: object) -> object:
        done = restore(source, url, **settings)  # type: ignore[arg-type]
        file = Path(url.removeprefix("sqlite:///"))
        with sqlite3.connect(file) as connection:
            (game,) = connection.execute("SELECT min(game) FROM event").fetchone()
            for table, column in (("event", "game"), ("seat", "game"), ("game", "id")):
                connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (game,))
        connection.close()
        return done

    monkeypatch.setattr(rehearsal, "restore", restore_half)
    code, out, _ = run("restore", str(copy), "--rehearse", "--json")
    assert code == 1
    assert "game_count" in {one["code"] for one in json.loads(out)["differences"]}
    assert [*temporary.iterdir()] == []


def test_a_server_that_does_not_start_is_an_error(copy: Path, temporary: Path, tmp_path: Path) -> None:
    newer = tmp_path / "newer.backup"
    newer.write_bytes(copy.read_bytes())
    with sqlite3.connect(newer) as connection:
        connection.execute("DROP TABLE process")
    connection.close()
    code, out, _ = run("restore", str(newer), "--rehearse", "--json")
    assert code == 2
    assert json.loads(out)["error"]["code"] == "server_not_started"
    assert [*temporary.iterdir()] == []


@pytest.mark.deep
def test_an_interrupted_rehearsal_leaves_neither_files_nor_processes(
    copy: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl+C reaches the whole group of processes; only the command itself ends by it."""
    masks = []
    before = set(multiprocessing.active_children())  # workers of other tests

    def interrupt(*_: object) -> None:
        (server,) = set(multiprocessing.active_children()) - before
        status = Path(f"/proc/{server.pid}/status")
        if status.exists():
            masks.append(re.findall(r"^SigBlk:\s*(\w+)$", status.read_text(), re.MULTILINE)[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(rehearsal, "_compare_stored", interrupt)
    with pytest.raises(KeyboardInterrupt):
        rehearsal.rehearse(copy)
    assert [*temporary.iterdir()] == []
    assert set(multiprocessing.active_children()) <= before
    assert all(int(mask, 16) & (1 << (signal.SIGINT - 1)) for mask in masks)


def test_a_rehearsal_has_no_other_target(tmp_path: Path) -> None:
    for other in (["--replace"], ["--data", str(tmp_path)], ["--database", "postgresql://x"]):
        assert run("restore", str(tmp_path), "--rehearse", *other)[0] == 2
