"""Game files of `hnefi play`: crashes, leaving, resuming, concurrent games."""

import gzip
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from hnefi import Side
from hnefi.cli.faults import CommandError
from hnefi.cli.play.game_files import GameFile, default_path, latest_path, make_record, resume
from hnefi.cli.play.session import Session
from hnefi.record import load_records
from hnefi.variants.finding import variant
from tests.cli_runs import complaint, play, run, started
from tests.test_play import EXITS, moves_of
from tests.timeouts import timeout_s, wait_until
from tests.variant_files import renamed

pytestmark = pytest.mark.usefixtures("plain_play")


def wait_for(path: Path, text: str, process: "subprocess.Popen[bytes]") -> None:
    """Waits until a file holds a text."""

    def holds() -> bool:
        assert process.poll() is None
        return path.exists() and text in path.read_text("utf-8")

    wait_until(holds, f"{text!r} in {path}")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_a_game_that_is_killed_is_taken_up_where_it_was(how: signal.Signals, tmp_path: Path) -> None:
    path = tmp_path / "game.tafl"
    args = ("play", "gwezboell-globe", "--calls", "manual", "--position", EXITS, "-o", str(path))
    with started(*args, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        process.stdin.write(b"c5-a5\ng1-g2\na5-a9\ng1-b1\n")
        process.stdin.flush()
        wait_for(path, "g1-b1", process)
        process.send_signal(how)
        assert process.wait(timeout_s()) == -how
    assert [entry.name for entry in tmp_path.iterdir() if entry.is_file()] == ["game.tafl"]
    assert moves_of(path) == "1. c5-a5 2. g1-g2 taken_back 3. a5-a9 refused 2. g1-b1 *"
    out = play("--resume", str(path), lines="a5-a9;")
    assert "Defenders, move 3:" in out
    assert "The king’s side wins." in out
    assert moves_of(path).endswith("2. g1-b1 3. a5-a9 defenders")
    assert load_records(path).records[0].replay().ok


def test_leaving_prints_the_command_to_resume() -> None:
    out = play("brandub-globe", "-o", "my game.tafl", lines="d2-c2;quit")
    assert "hnefi play --resume 'my game.tafl'" in out
    assert moves_of("my game.tafl") == "1. d2-c2 *"


def test_a_game_is_added_to_those_a_file_holds(tmp_path: Path) -> None:
    for move in ("d2-c2", "d1-c1"):
        play("brandub-globe", "-o", "evening.tafl", lines=move)
    assert [str(record.nodes[0].move) for record in load_records("evening.tafl").records] == [
        "d2-c2",
        "d1-c1",
    ]
    play("--resume", "evening.tafl", lines="c4-c6")
    assert [len(record.nodes) for record in load_records("evening.tafl").records] == [1, 2]
    play("brandub-globe", "-o", "evening.tafl.gz", lines="d2-c2;quit")
    assert gzip.decompress((tmp_path / "evening.tafl.gz").read_bytes()).endswith(b"1. d2-c2 *\n")


def test_headers_and_comments_of_a_record_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.tafl"
    headers = (
        f'[Event "Spring fair"]\n[Variant "brandub-globe"]\n[Rules "{variant("brandub-globe").rules.hash}"]'
    )
    text = f'{headers}\n[Result "*"]\n\n{{First}} 1. d2-c2 {{bold}} @0:10:00 (1. d1-c1) 2. c4-c6 *\n'
    path.write_text(text, encoding="utf-8")
    play("--load", str(path), lines="undo;c4-c3")
    record = load_records(path).records[0]
    assert record.header("Event") == "Spring fair"
    assert record.comments == ("First",)
    assert record.nodes[0].comments == ("bold",)
    assert record.nodes[0].clock_ms == 600_000
    assert len(record.nodes[0].variations) == 1
    assert moves_of(path).endswith("2. c4-c3 *")


def test_switches_and_positions_are_taken_up() -> None:
    args = ("brandub-globe", "-s", "quiet_limit=40", "--position", "7/7/7/3K3/7/2t4/7 a 25")
    play(*args, "-o", "game.tafl", lines="c2-c3")
    assert "Moves without a capture: 27 (draw at 40)." in play("--resume", "game.tafl", lines="d4-d5")


def test_a_match_continues_with_its_second_leg() -> None:
    args = ("tablut-geoludie", "--match", "--attackers", "Ana", "--defenders", "Bran", "-o", "match.tafl")
    play(*args, lines="resign;yes")
    out = play("--resume", "match.tafl", lines="resign;yes;")
    assert "Ana (defenders), move 1:" in out
    assert "The match is drawn." in out
    assert [record.header("Leg") for record in load_records("match.tafl").records] == ["1", "2"]
    assert "no game to resume" in refused("--resume", "match.tafl")


def test_a_match_is_resumed_in_its_second_leg() -> None:
    args = ("tablut-geoludie", "--match", "--attackers", "Ana", "--defenders", "Bran", "-o", "match.tafl")
    play(*args, lines="resign;yes;;e3-d3")
    out = play("--resume", "match.tafl", lines="resign;yes;")
    assert "Bran (attackers), move 2:" in out
    assert "Ana wins the match." in out
    assert "Ana: 2 (0 pieces captured)" in out


def refused(*args: str) -> str:
    err = complaint("play", *args, stdin="")
    assert err.count("\n") == 1
    return err


def test_games_that_cannot_be_resumed_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "game.tafl"
    assert "cannot be read" in refused("--resume", str(path))
    path.write_text("", encoding="utf-8")
    assert "is empty" in refused("--resume", str(path))
    play("brandub-globe", "-o", str(path), lines="resign;yes;")
    assert "no game to resume" in refused("--resume", str(path))
    path.write_bytes(b"[\xff] *")
    assert "cannot be used" in refused("--resume", str(path))
    assert "cannot be used" in refused("brandub-globe", "-o", str(path))
    assert path.read_bytes() == b"[\xff] *"
    assert "cannot be written" in refused("brandub-globe", "-o", str(tmp_path))
    assert "cannot be written" in refused("brandub-globe", "-o", str(tmp_path / "none" / "game.tafl"))
    assert "no game to resume" in refused("--resume")
    for more in (["--draw"], ["--calls", "off"], ["--position", "start"], ["-s", "quiet_limit=1"]):
        assert "cannot be combined" in refused("--resume", str(path), *more)


def test_a_record_of_other_rules_is_not_taken_up(tmp_path: Path) -> None:
    path = tmp_path / "game.tafl"
    play("brandub-globe", "-o", str(path), lines="d2-c2")
    text = path.read_text("utf-8").replace(variant("brandub-globe").rules.hash, "0" * 64)
    path.write_text(text, encoding="utf-8")
    assert "cannot be used" in refused("--resume", str(path))
    assert path.read_text("utf-8") == text


def test_a_game_of_a_custom_variant_is_resumed() -> None:
    Path("own.toml").write_text(renamed("brandub-globe", "ours"), encoding="utf-8")
    out = play("own.toml", "-o", "game.tafl", lines="d2-c2")
    # Without the file of the variant it goes on by the rules that the record holds.
    shutil.copy("game.tafl", "elsewhere.tafl")
    play("--resume", "elsewhere.tafl", lines="c4-c6")
    assert moves_of("elsewhere.tafl") == "1. d2-c2 2. c4-c6 *"
    # What is said at the end names the file of the variant.
    command = shlex.split(out.split("To resume it: ")[1])
    play(*command[2:], lines="c4-c6")
    assert moves_of("game.tafl") == "1. d2-c2 2. c4-c6 *"


def test_a_file_that_cannot_be_written_any_more_does_not_end_the_game(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    path = folder / "game.tafl"
    session = Session(variant("brandub-globe"), variant("brandub-globe").new_called_game())
    game_file = GameFile.into(path)
    game_file.save([make_record(session, ())])
    path.unlink()
    folder.rmdir()
    with pytest.raises(CommandError):
        game_file.save([make_record(session, ())])
    out = play("brandub-globe", lines=f"save {folder / 'x.tafl'};d2-c2")
    assert "cannot be written" in out
    assert "Attackers: d2-c2" in out


def test_a_game_is_kept_from_now_on_when_asked() -> None:
    out = play("brandub-globe", lines="d2-c2;save;save later.tafl;c4-c6;save")
    assert "The game is not being saved" in out
    assert "Saved to later.tafl." in out
    assert moves_of("later.tafl") == "1. d2-c2 2. c4-c6 *"
    # The file before it stays up to date: it may be the one that is resumed.
    play("brandub-globe", "-o", "first.tafl", lines="d2-c2;save second.tafl;c4-c6")
    assert moves_of("first.tafl") == moves_of("second.tafl") == "1. d2-c2 2. c4-c6 *"


def test_games_at_a_terminal_get_separate_files(tmp_path: Path) -> None:
    from datetime import UTC, datetime

    now = datetime(2027, 1, 6, 20, 15, 7, tzinfo=UTC)
    first = default_path("brandub-globe", now)
    assert first == tmp_path / "state" / "hnefi" / "2027-01-06-201507-brandub-globe.tafl"
    session = Session(variant("brandub-globe"), variant("brandub-globe").new_called_game())
    game_file = GameFile(first, waits=True)
    game_file.save([make_record(session, ())])
    assert not first.exists()
    session.play("d2-c2")
    game_file.save([make_record(session, ())])
    assert moves_of(first) == "1. d2-c2 *"
    assert default_path("brandub-globe", now).name == "2027-01-06-201507-brandub-globe-1.tafl"
    assert latest_path() == first


def test_a_resumed_game_is_the_game_that_was_left() -> None:
    args = ("gwezboell-globe", "--calls", "manual", "--position", EXITS, "-o", "game.tafl")
    play(*args, lines="c5-a5;g1-g2;a5-a9")
    session = resume(Path("game.tafl")).session
    assert session is not None
    assert session.called.refused
    assert {move.from_square.name for move in session.called.legal_moves()} == {"g1"}
    turns = [session.turn, session.undo() and session.turn, session.undo() and session.turn]
    assert turns == [Side.ATTACKERS, Side.DEFENDERS, Side.ATTACKERS]


def test_a_game_of_another_format_is_saved_where_no_game_was_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    play("brandub-globe", "-o", str(tmp_path / "game.tafl"), lines="d2-c2")
    Path("game.moves").write_text("d2-c2 d3-e3\n")
    play("brandub-globe", "--resume", "game.moves", lines="d1-c1")
    (saved,) = (tmp_path / "state" / "hnefi").glob("*.tafl")
    assert "d1-c1" in moves_of(saved)


BAD = '[Variant "brandub-globe"]\n\n1. d2-c2 *\n\n[Variant "brandub-globe"]\n\n1. d2-d9 *\n'


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("many.moves", "d2-c2\n" * 10_001, "more than 10000 games or 500000 moves"),
        ("bad.tafl", BAD, "line 7, game 2: "),
    ],
)
@pytest.mark.parametrize("command", ["play brandub-globe --resume", "analyse brandub-globe --record"])
def test_games_too_many_for_memory_or_against_the_rules_are_refused(
    command: str, name: str, text: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text)
    code, _, err = run(*command.split(), str(path))
    assert (code, said in err) == (2, True), err
