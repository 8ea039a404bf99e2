"""`hnefi play` against the computer."""

import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest

from hnefi import CalledGame, Game, Setup, variant
from hnefi.cli.play.opponent import Opponent, opponent_among
from hnefi.record import load_records
from tests import fake_engine
from tests.cli_runs import COMMAND, complaint, play, run, started
from tests.test_play import EXITS
from tests.timeouts import timeout_s

AGAINST = ("--against", "computer", "--level", "2")


pytestmark = pytest.mark.usefixtures("plain_play")


def test_the_computer_answers_and_is_named_in_the_record() -> None:
    out = play(
        "brandub-globe",
        *AGAINST,
        "--side",
        "attackers",
        "--attackers",
        "Ana",
        "-o",
        "game.tafl",
        lines="d2-c2",
    )
    assert "Hare (computer, level 2) is thinking" in out
    assert re.search(r"^Defenders: \w\d-\w\d", out, re.MULTILINE)
    record = load_records("game.tafl").records[0]
    assert (record.header("Attackers"), record.header("Defenders")) == ("Ana", "Hnefi (2)")
    assert len(record.nodes) == 2
    assert record.replay().ok


def test_the_computer_begins_where_it_has_the_first_move() -> None:
    out = play("brandub-globe", *AGAINST, "--side", "defenders", lines="moves")
    assert out.index("is thinking") < out.index("You (defenders), move 2")


def test_sides_are_drawn_and_the_seed_is_printed() -> None:
    seeds = [play("brandub-globe", "--against", "computer", "--seed", f"{n}", lines="quit") for n in range(6)]
    assert len({"you play the attackers" in out for out in seeds}) == 2
    for out in seeds:
        assert ("is thinking" in out) == ("you play the defenders" in out)


def test_undo_takes_back_the_answer_too() -> None:
    out = play("brandub-globe", *AGAINST, "--side", "attackers", lines="d2-c2;undo;d2-b2")
    assert out.count("You (attackers), move 1") == 2
    assert out.count("You (attackers), move 3") == 2


def test_a_hint_is_given_and_can_be_played() -> None:
    out = play("brandub-globe", *AGAINST, "--side", "attackers", lines="hint")
    found = re.search(r"A good move is (\w\d-\w\d\S*): ", out)
    assert found
    assert variant("brandub-globe").new_game().play(found[1]).ply_count == 1
    assert "Un bon coup :" in play("brandub-globe", "--lang", "fr", lines="indice")


def test_a_game_against_the_computer_is_resumed() -> None:
    play("brandub-globe", *AGAINST, "--side", "attackers", "-o", "game.tafl", lines="d2-c2")
    out = play("--resume", "game.tafl", lines="d1-c1")
    assert "Hare (computer, level 2) is thinking" in out
    assert len(load_records("game.tafl").records[0].nodes) == 4


def test_a_match_swaps_the_sides() -> None:
    args = ("brandub-globe", *AGAINST, "--side", "attackers", "--match", "-o", "match.tafl")
    out = play(*args, lines="resign;yes;;resign;yes;")
    records = load_records("match.tafl").records
    assert [record.header("Attackers") for record in records] == ["You", "Hnefi (2)"]
    assert "Hare (computer, level 2) wins the match." in out
    assert "Hnefi (2)" not in out


def test_a_game_against_the_computer_that_is_over_is_not_to_be_resumed() -> None:
    options = ("--against", "computer", "--level", "1", "--side", "attackers", "-o", "over.tafl")
    out = play("brandub-globe", *options, lines="resign;y")
    assert out.rstrip().endswith("Game saved to over.tafl.")


@pytest.mark.parametrize(
    "args",
    [
        ("brandub-globe", "--against", "nobody"),
        ("brandub-globe", *AGAINST[:3], "11"),
        ("brandub-globe", *AGAINST, "--attackers", "Ana", "--defenders", "Bran"),
        ("--resume", "x.tafl", "--against", "computer"),
    ],
)
def test_wrong_usage_is_refused(args: tuple[str, ...]) -> None:
    assert run("play", *args, stdin="")[0] == 2


@pytest.mark.parametrize("name", ["Computr", "no-such-engine"])
def test_a_mistyped_opponent_is_told_the_others(name: str) -> None:
    told = run("play", "brandub-globe", "--against", name, "--level", "1", stdin="")[2]
    expected = "expected `computer`, or the command line of an engine"
    assert told == f"There is no opponent “{name}”; {expected}.\n"


def test_the_computer_calls_as_the_rules_ask() -> None:
    one = variant("gwezboell-globe")
    called = CalledGame(Game(one.rules, Setup(EXITS)), "manual", sanction="replay")
    with Opponent.at_level(7) as opponent:
        typed = opponent.choose(one, called)
        after = called.play(typed.text, typed.call)
        if after.game.outcome is None:
            assert typed.call == after.required
            assert after.called or not after.required
        # Attackers who can take the king next say so.
        danger = CalledGame(Game(one.rules, Setup("9/9/9/9/2K1t4/2t6/9/9/9 a")), "manual")
        warning = opponent.choose(one, danger)
        after = danger.play(warning.text)
        assert warning.warns == (
            after.game.outcome is None
            and after.game.position.threatened_king
            and bool(one.calls and one.calls["king_in_danger"])
        )
        assert warning.call == 0


def test_it_is_known_again_by_its_name() -> None:
    found = opponent_among(("Ana", "Hnefi (10)"))
    assert found is not None
    assert found.name == "Hnefi (10)"
    found.close()
    assert opponent_among(("Ana", "Bran")) is None
    assert opponent_among(("Hnefi (1)", "Hnefi (2)")) is None
    assert opponent_among(("Ana", "Hnefi (11)")) is None


def test_the_computer_agrees_to_a_draw_only_where_it_is_behind() -> None:
    one = variant("brandub-globe")
    lost = CalledGame(Game(one.rules, Setup("7/7/7/K6/7/7/t5t d")), "off")
    with Opponent.at_level(1) as opponent:
        from hnefi import Side

        assert opponent.accepts_draw(lost, Side.ATTACKERS)
        assert not opponent.accepts_draw(lost, Side.DEFENDERS)


def test_ctrl_c_makes_it_wait() -> None:
    args = ("play", "tablut-kouvia", "--against", "computer", "--level", "10", "--side", "defenders")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started(*args, **pipes) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if b"is thinking" in line:
                break
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(b"b5-b8\nquit\n", timeout=timeout_s())
    assert (process.returncode, err) == (0, b"")
    assert "The computer is paused." in out.decode()
    assert "It is the computer’s turn." in out.decode()


# --- Other engines --------------------------------------------------------------------------------------

FAKE = f"{fake_engine.COMMAND} "


def against(command: str, path: Path, lines: str, *more: str) -> str:
    """Plays the defenders of Brandub against an engine."""
    return play(
        *("brandub-globe", "--against", command, "--side", "defenders", "-o", str(path), *more), lines=lines
    )


def test_another_engine_plays_and_is_named_in_the_record(tmp_path: Path) -> None:
    path = tmp_path / "game.tafl"
    settings = ("--nodes", "500", "--engine-option", "hash=2")
    out = against(f"{COMMAND} engine", path, "quit", *settings)
    assert re.search(r"^Attackers: \w\d-\w\d", out, re.MULTILINE)
    record = load_records(path).records[0]
    name = record.header("Attackers") or ""
    assert name.startswith("Hnefi 0.")
    assert len(record.nodes) == 1
    # What is said at the end is what takes the game up again.
    command = shlex.split(out.split("To resume it: ")[1])
    assert command[:2] == ["hnefi", "play"]
    out = play(*command[2:], lines="c4-c3")
    assert f"{name} is thinking" in out
    assert len(load_records(path).records[0].nodes) == 3


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("crashes", "Fake exited with status 7."),
        ("illegal", "Fake played a1-a9, which is not a legal move."),
        ("nonsense", "Fake played -, which is not a legal move."),
    ],
)
def test_an_engine_that_fails_leaves_the_game_as_it_is(mode: str, message: str) -> None:
    out = against(FAKE + mode, Path("game.tafl"), "c4-c3;hint;quit")
    assert message in out
    assert "The game is unchanged." in out
    assert "It is the computer’s turn." in out
    record = load_records("game.tafl").records[0]
    assert (len(record.nodes), record.result) == (0, "*")


def test_an_engine_that_failed_is_started_anew(tmp_path: Path) -> None:
    out = against(f"{FAKE} crashes {shlex.quote(str(tmp_path / 'note'))}", Path("game.tafl"), ";quit")
    assert out.index("Fake exited with status") < out.index("Attackers: d2-c2")
    assert len(load_records("game.tafl").records[0].nodes) == 1


def test_an_engine_may_agree_to_a_draw_or_fail_to(tmp_path: Path) -> None:
    note = shlex.quote(str(tmp_path / "note"))
    out = play("brandub-globe", "--against", f"{FAKE} well", "--side", "attackers", lines="draw;quit")
    assert "Draw declined; the game goes on." in out
    out = play(
        *("brandub-globe", "--against", f"{FAKE} crashes {note}", "--side", "attackers"), lines="draw;quit"
    )
    assert "Fake exited with status 7." in out


def test_an_odd_name_does_no_harm(tmp_path: Path) -> None:
    out = against(f"{FAKE} coloured", tmp_path / "game.tafl", "quit")
    assert "\x1b" not in out
    out = against(f"{FAKE} nameless", tmp_path / "other.tafl", "quit")
    assert "is thinking" in out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--against", "/nowhere/engine"), "cannot be started: there is no such file or folder."),
        (("--against", "engine 'left open"), "cannot be started: "),
        (("--against", " "), "--against is empty."),
        (("--against", FAKE + "dies"), "exited with status 3."),
        (("--against", FAKE + "well", "--engine-option", "Depth=3"), "Fake has no option Depth."),
        (
            ("--against", FAKE + "well", "--engine-option", "Style"),
            "--engine-option is “Style”; expected NAME",
        ),
        (("--against", FAKE + "well", "--level", "3"), "--level and --against cannot be combined."),
        (("--against", FAKE + "poor"), "Fake has neither the option Variant nor the option Rules"),
        (("--against", FAKE + "well", "--switch", "quiet_limit=40"), "Fake has no option Rules: it cannot"),
        (("--against", "computer", "--time", "3"), "--time needs --against COMMAND."),
        (("--engine-option", "Style=x"), "--engine-option needs --against COMMAND."),
    ],
)
def test_an_engine_that_cannot_be_used_is_refused(args: tuple[str, ...], message: str) -> None:
    err = complaint("play", "brandub-globe", *args, stdin="")
    assert message in err


def test_an_engine_that_does_not_play_in_a_game_cannot_take_it_up() -> None:
    play("brandub-globe", *AGAINST, "--side", "attackers", "-o", "game.tafl", lines="d2-c2")
    code, _, err = run("play", "--resume", "game.tafl", "--against", FAKE + "well", stdin="")
    assert (code, "Fake does not play in this game." in err) == (2, True)
    out = play("--resume", "game.tafl", *AGAINST, lines="d1-c1")
    assert "Hare (computer, level 2) is thinking" in out
