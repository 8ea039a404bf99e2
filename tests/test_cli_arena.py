"""Tests of `hnefi lab arena` and `hnefi lab balance`: output, stored games, interruption."""

import json
import os
import re
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import pytest

from hnefi import variant
from hnefi.i18n import text
from hnefi.record import parse_records
from tests import fake_engine
from tests.cli_runs import COMMAND, answer, refusal, run, started
from tests.timeouts import timeout_s, wait_until

MATCH = ("lab", "arena", "nodes:1500", "nodes:1000", "tablut-kouvia", "--jobs", "2", "--games")
LONG = (*MATCH, "1000")
SHORT = ("lab", "arena", "nodes:50", "nodes:60", "ard-ri-globe", "--games", "2")


pytestmark = pytest.mark.usefixtures("plain_cli")


@contextmanager
def marking(mark: str, *args: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Starts a command in a new session; its processes have a mark in their environment."""
    environment = {**os.environ, "HNEFI_TEST_MARK": mark}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started(*args, **pipes, env=environment, start_new_session=True) as process:
        yield process


def wait_for_games(folder: Path, games: int) -> None:
    kept = folder / "games.jsonl"
    wait_until(lambda: kept.exists() and kept.read_bytes().count(b"\n") >= games, "games are kept")


def marked(mark: str) -> list[int]:
    """Returns the processes with a mark."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"HNEFI_TEST_MARK={mark}".encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_games_survive_a_kill_and_are_continued(tmp_path: Path) -> None:
    mark = uuid.uuid4().hex
    with marking(mark, *LONG, "--resume", str(tmp_path / "killed")) as process:
        wait_for_games(tmp_path / "killed", 3)
        process.kill()
        process.communicate(timeout=timeout_s())
    assert process.returncode == -signal.SIGKILL
    if Path("/proc").is_dir():
        wait_until(lambda: not marked(mark), "all processes are gone")
    games = tmp_path / "killed" / "games.jsonl"
    before = games.read_bytes()
    kept = before.count(b"\n")
    assert 3 <= kept < 1000
    games.write_bytes(before + b'{"game": 23, "pair"')
    whole = (*MATCH, str(2 * kept))
    resumed = answer(*whole, "--resume", str(tmp_path / "killed"))
    assert games.read_bytes().startswith(before)
    straight = answer(*whole, "--resume", str(tmp_path / "straight"))
    assert resumed == straight
    assert sorted(games.read_bytes().splitlines()) == sorted(
        (tmp_path / "straight" / "games.jsonl").read_bytes().splitlines()
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_an_interruption_keeps_and_reports_the_games(tmp_path: Path) -> None:
    mark = uuid.uuid4().hex
    with marking(mark, *LONG, "--resume", str(tmp_path)) as process:
        wait_for_games(tmp_path, 2)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=timeout_s())
    assert process.returncode == 130
    assert "Traceback" not in err.decode() + out.decode()
    assert f"What was done is in {tmp_path}" in err.decode()
    assert "nodes:1500" in out.decode()
    if Path("/proc").is_dir():
        assert marked(mark) == []


def test_a_match_is_printed_as_json(tmp_path: Path) -> None:
    records = tmp_path / "games.tafl.gz"
    match = ("nodes:500", "level:1", "brandub-globe", "--games", "8", "--jobs", "2")
    found = answer("lab", "arena", *match, "--output", str(records))
    assert found["complete"]
    assert found["experiment"]["rules"] == variant("brandub-globe").rules.hash
    assert [one["player"] for one in found["experiment"]["players"]] == ["nodes:500", "level:1"]
    assert found["first"]["games"] == 8
    assert sum(found["pairs"]) == 4
    assert found["first_with"]["attackers"]["games"] == found["second_with"]["attackers"]["games"] == 4
    assert found["first"]["score_bounds"][0] <= found["first"]["score"] <= found["first"]["score_bounds"][1]
    assert sum(one["games"] for one in found["endings"]) == 8
    assert found["faults"] == {}
    assert records.read_bytes().startswith(b"\x1f\x8b")
    replayed = answer("replay", str(records))
    assert (replayed["games"], replayed["ok"]) == (8, 8)


def test_an_interruption_before_the_first_game_leaves_the_file_of_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hnefi.cli.lab.arena.play_games", stop)
    records = tmp_path / "games.tafl"
    records.write_text("before", encoding="utf-8")
    assert run("lab", "arena", "nodes:5", "nodes:5", "brandub-globe", "-o", str(records))[0] == 130
    assert records.read_text(encoding="utf-8") == "before"


def test_an_odd_number_of_games_is_refused() -> None:
    error = refusal("lab", "arena", "nodes:50", "nodes:50", "ard-ri-globe", "--games", "3")
    assert error["code"] == "bad_usage"
    assert "--games is 3" in error["message"]


def test_help_and_guide_name_every_player_that_a_refusal_names() -> None:
    message = refusal("lab", "arena", "level:0", "nodes:5", "brandub-globe")["message"]
    forms = message.split("expected ")[1].split(", or ")[0].replace("1…10", "N").split(" | ")
    assert "weights:FILE:Nms" in forms
    guide = (Path(__file__).parents[1] / "docs" / "guide" / "measure-balance.md").read_text("utf-8")
    for form in forms:
        assert f"`{form}`" in text("cli.argument.first_player", "en")
        assert f"| `{form}` |" in guide


def test_equal_players_score_half() -> None:
    """The same player twice: both win the same games with the same side."""
    found = answer("lab", "arena", "nodes:200", "nodes:200", "tablut-geoludie", "--games", "6")
    assert found["pairs"] == [0, 0, 3, 0, 0]
    assert found["first"]["score"] == 0.5


def test_a_test_stops_when_it_is_decided() -> None:
    limits = ("ard-ri-globe", "--games", "400", "--sprt", "0", "200")
    found = answer("lab", "arena", "nodes:1000", "level:1", *limits, "--jobs", "2")
    assert found["sprt"]["accepted"] is True
    assert found["sprt"]["llr"] >= found["sprt"]["bounds"][1]
    assert found["first"]["games"] < 400
    code, out, err = run("lab", "arena", "level:1", "nodes:1000", *limits)
    assert (code, err) == (0, "")
    assert "stronger by 0.0 Elo rather than 200.0" in out


def test_an_external_engine_plays_a_match() -> None:
    command = f"{COMMAND} engine"
    found = answer("lab", "arena", "nodes:300", command, "brandub-globe", "--games", "2", "--nodes", "300")
    assert found["faults"] == {}
    assert found["experiment"]["players"][1] == {"player": command, "nodes": 300}
    assert found["first"]["games"] == 2


CRASHING = f"{fake_engine.COMMAND} crashes"
DIED = "Fake exited with status 7. Its last words: no more of this"


@pytest.mark.parametrize("is_alone", [True, False])
def test_records_have_the_names_of_engines_and_keep_two_of_one_name_apart(
    is_alone: bool, tmp_path: Path
) -> None:
    players, names = (
        ((CRASHING, "beginner"), {"Fake", "beginner"})
        if is_alone
        else ((CRASHING,) * 2, {"Fake (1)", "Fake (2)"})
    )
    match = ("lab", "arena", *players, "brandub-globe", "--games", "2", "--resume", str(tmp_path / "kept"))
    for _ in range(2):
        told = answer(*match, "-o", str(tmp_path / "games.tafl"))
        assert told["failures"] == [
            {"player": player, "code": "engine_died", "games": n, "message": DIED}
            for player, n in ((("first", 2),) if is_alone else (("first", 1), ("second", 1)))
        ]
        found = parse_records((tmp_path / "games.tafl").read_text("utf-8"))
        assert [{one.header("Attackers"), one.header("Defenders")} for one in found] == [names, names]


def test_the_errors_of_each_player_are_told_with_the_first_sentence() -> None:
    code, out, err = run("lab", "arena", "beginner", CRASHING, "brandub-globe", "--games", "2")
    assert (code, err) == (0, "")
    assert f"{CRASHING} lost 2 games by an error (engine_died). The first: {DIED}\n" in out


DYING = """
import pathlib, sys
played = pathlib.Path(__file__).with_name("played")
if played.exists() and not {starts_again}: sys.exit()
for line in sys.stdin:
    word = line.split()[0]
    if word == "ugi": print("option name Rules type string", "ugiok", sep="\\n", flush=True)
    if word == "isready": print("readyok", flush=True)
    if word == "go": played.touch()
    if word in ("go", "quit"): sys.exit()
"""


def match_of_a_dying_engine(folder: Path, *, starts_again: bool) -> tuple[str, ...]:
    script = folder / "dying.py"
    script.write_text(DYING.format(starts_again=starts_again))
    return "lab", "arena", f"{sys.executable} {script}", "nodes:50", "brandub-globe", "--games", "4"


def test_an_engine_that_dies_loses_and_the_match_continues(tmp_path: Path) -> None:
    found = answer(*match_of_a_dying_engine(tmp_path, starts_again=True))
    assert found["first"]["losses"] == 4
    assert found["faults"] == {"engine_died": 4}


def test_an_engine_that_does_not_start_again_ends_the_match(tmp_path: Path) -> None:
    match = match_of_a_dying_engine(tmp_path, starts_again=False)
    assert refusal(*match)["code"] == "engine_died"


@pytest.mark.parametrize(("mode", "switches"), [("poor", ()), ("well", ("-s", "quiet_limit=40"))])
@pytest.mark.parametrize("is_first", [True, False])
def test_an_engine_that_cannot_learn_the_rules_ends_the_match(
    mode: str, switches: tuple[str, ...], is_first: bool, tmp_path: Path
) -> None:
    players = (f"{fake_engine.COMMAND} {mode}", "beginner")[:: 1 if is_first else -1]
    match = ("lab", "arena", *players, "brandub-globe", *switches, "--games", "4", "--jobs", "2")
    assert refusal(*match, "--resume", str(tmp_path))["code"] == "engine_lacks_option"
    assert (tmp_path / "games.jsonl").read_bytes() == b""


def test_the_bounds_of_a_sequential_test_are_named_as_typed() -> None:
    told = refusal("lab", "arena", "level:1", "level:2", "brandub-globe", "--sprt", "10", "0")["message"]
    assert told == "--sprt is “10 0”; expected ELO0 < ELO1."


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("level:11", "level:1", "brandub-globe"), "bad_player"),
        (("Level:1", "level:1", "brandub-globe"), "bad_player"),
        (("level:1", "weights:none.json:5", "brandub-globe"), "bad_weights"),
        (("level:1", "no-such-engine-anywhere", "brandub-globe"), "bad_player"),
        (("level:1", "./no-such-engine", "brandub-globe"), "engine_not_started"),
        (("level:1", "level:2", "nonsense"), "unknown_variant"),
        (("level:1", "level:2", "brandub-globe", "--sprt", "5", "5"), "bad_usage"),
        (("level:1", "level:2", "brandub-globe", "--sprt", "x", "5"), "bad_usage"),
        (("level:1", "level:2", "brandub-globe", "--nodes", "5", "--time", "5"), "bad_usage"),
        (("level:1", "level:2", "brandub-globe", "--games", "0"), "bad_usage"),
        (("level:1", "level:2", "brandub-globe", "--output", "/no/such/folder/x.tafl"), "cannot_write"),
        (("level:1", "level:2", "brandub-globe", "--output", "/proc/x.tafl"), "cannot_write"),
        (("level:1", "level:2", "brandub-globe", "--output", "."), "cannot_write"),
        (("level:1", "level:2", "brandub-globe", "--output", "-"), "cannot_write"),
    ],
)
def test_invalid_matches_are_refused(args: tuple[str, ...], code: str) -> None:
    assert refusal("lab", "arena", *args)["code"] == code


@pytest.mark.parametrize(
    ("args", "needed"),
    [
        (("balance", "--output", "x.md"), "--resume"),
        (("balance", "--resume", "x"), "--output"),
        (("levels", "--resume", "x"), "--document"),
    ],
)
def test_zero_games_rewrite_a_document_of_kept_games(args: tuple[str, ...], needed: str) -> None:
    found = refusal("lab", *args, "--games", "0")
    assert found["code"] == "bad_usage"
    assert found["message"] == f"--games 0 needs {needed}."


@pytest.mark.parametrize("language", ["en", "fr"])
def test_errors_of_experiments_are_sentences(language: str, tmp_path: Path) -> None:
    kept = ("--resume", str(tmp_path))
    assert answer(*SHORT, *kept)
    code, out, err = run(*SHORT, *kept, "--seed", "2", "--lang", language)
    assert (code, out) == (2, "")
    assert {"en": "holds another experiment", "fr": "contient une autre expérience"}[language] in err


def test_the_help_of_a_match_is_in_its_tables_too() -> None:
    code, out, err = run(*SHORT, "--lang", "fr")
    assert (code, err) == (0, "")
    assert re.search(r"^nodes:50 +attaquants +\d/\d/\d ", out, re.MULTILINE)
    assert all(len(line) <= 80 for line in out.splitlines())
    assert "score [95\u202f%]" in out


def test_balance_prints_and_writes_a_document(tmp_path: Path) -> None:
    document = tmp_path / "balance.md"
    args = ("lab", "balance", "brandub-globe", "ard-ri-globe", "--player", "nodes:100", "--games", "6")
    folder = ("--resume", str(tmp_path / "kept"))
    found = answer(*args, *folder, "--output", str(document))
    assert found["complete"]
    assert [one["experiment"]["variant"] for one in found["variants"]] == ["brandub-globe", "ard-ri-globe"]
    for one in found["variants"]:
        assert one["attackers"]["games"] == one["defenders"]["games"] == 6
        assert one["attackers"]["wins"] == one["defenders"]["losses"]
        assert one["experiment"]["both_sides"] is False
    text = document.read_text(encoding="utf-8")
    assert text.startswith("# Balance of the games\n")
    assert "## Player `nodes:100`" in text
    assert (
        json.loads((tmp_path / "kept" / "ard-ri-globe-nodes-100" / "manifest.json").read_text())["command"]
        in text
    )
    assert answer(*args, *folder) == found
    document.unlink()
    assert answer("lab", "balance", "--games", "0", *folder, "--output", str(document)) == {
        "complete": True,
        "variants": [],
    }
    assert document.read_text(encoding="utf-8") == text
    run(*args, *folder, "--output", str(document), "--lang", "fr")
    assert document.read_text(encoding="utf-8").startswith("# Équilibre des jeux\n")
    code, out, err = run(*args, *folder)
    assert code == 0, err
    assert "king’s score [95%]" in out
    assert all(len(line) <= 96 for line in out.splitlines())


def test_balance_writes_a_document_about_rules_that_are_not_installed(tmp_path: Path) -> None:
    source = Path(str(files("hnefi"))) / "variants" / "data" / "brandub-globe.toml"
    own, document = tmp_path / "mine.toml", tmp_path / "balance.md"
    own.write_text(source.read_text("utf-8").replace('id = "brandub-globe"', 'id = "mine"'), "utf-8")
    args = ("lab", "balance", str(own), "--player", "nodes:20", "--resume", str(tmp_path / "kept"))
    answer(*args, "--games", "2", "--output", str(document))
    assert "| mine | 2 |" in document.read_text("utf-8")
    assert answer(*args, "--games", "2", "-s", "quiet_limit=40", "--output", str(document))["complete"]
    assert "| mine quiet_limit=40 | 2 |" in document.read_text("utf-8")


def test_a_match_begins_at_positions_of_the_book() -> None:
    match = ("lab", "arena", "book:10", "nodes:10", "brandub-globe", "--games", "4", "--book-openings")
    found = answer(*match)
    assert found["experiment"]["openings"]["from_book"]
    assert found["experiment"]["book"]
    assert found["first"]["games"] == 4
