"""The game in the terminal against the computer."""

import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from hnefi import CalledGame, Game, Setup, variant
from hnefi.cli.play.opponent import Opponent, opponent_in
from hnefi.record import load_records
from tests.cli_runs import COMMAND, run

EXITS = "9/9/9/9/2K6/9/9/9/6t2 d"
AGAINST = ("--against", "computer", "--level", "2")


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HNEFI_LANG", "en")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TERM", "dumb")


def play(*args: str, lines: str) -> str:
    """Plays the lines, divided by `;`, and gives what is seen."""
    code, out, err = run("play", *args, stdin="".join(f"{line.strip()}\n" for line in lines.split(";")))
    assert (code, err) == (0, "")
    return out.replace("\u202f", " ").replace("\u00a0", " ")


def test_the_computer_answers_and_is_named_in_the_record(tmp_path: Path) -> None:
    path = tmp_path / "game.tafl"
    out = play(
        "brandub-globe",
        *AGAINST,
        "--side",
        "attackers",
        "--attackers",
        "Ana",
        "--record",
        str(path),
        lines="d2-c2",
    )
    assert "Hnefi (2) is thinking" in out
    assert re.search(r"^Defenders: \w\d-\w\d", out, re.MULTILINE)
    record = load_records(path).records[0]
    assert (record.header("Attackers"), record.header("Defenders")) == ("Ana", "Hnefi (2)")
    assert len(record.nodes) == 2
    assert record.replay().ok


def test_the_computer_begins_where_it_has_the_first_move() -> None:
    out = play("brandub-globe", *AGAINST, "--side", "defenders", lines="moves")
    assert out.index("is thinking") < out.index("You (defenders), move 2")


def test_sides_are_drawn_and_the_seed_is_said() -> None:
    seeds = [play("brandub-globe", "--against", "computer", "--seed", f"{n}", lines="quit") for n in range(6)]
    assert len({"you have the attackers" in out for out in seeds}) == 2
    for out in seeds:
        assert ("is thinking" in out) == ("you have the defenders" in out)


def test_undo_takes_back_the_answer_too() -> None:
    out = play("brandub-globe", *AGAINST, "--side", "attackers", lines="d2-c2;undo;d2-b2")
    assert out.count("You (attackers), move 1") == 2
    assert out.count("You (attackers), move 3") == 2


def test_a_hint_is_given_and_can_be_played() -> None:
    out = play("brandub-globe", *AGAINST, "--side", "attackers", lines="hint")
    found = re.search(r"Good is (\w\d-\w\d\S*): ", out)
    assert found
    assert variant("brandub-globe").new_game().play(found[1]).ply_count == 1
    assert "Un bon coup est" in play("brandub-globe", "--lang", "fr", lines="indice")


def test_a_game_against_the_computer_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.tafl"
    play("brandub-globe", *AGAINST, "--side", "attackers", "--record", str(path), lines="d2-c2")
    out = play("--resume", str(path), lines="d1-c1")
    assert "Hnefi (2) is thinking" in out
    assert len(load_records(path).records[0].nodes) == 4


def test_a_match_swaps_the_sides(tmp_path: Path) -> None:
    path = tmp_path / "match.tafl"
    out = play(
        "brandub-globe",
        *AGAINST,
        "--side",
        "attackers",
        "--match",
        "--record",
        str(path),
        lines="resign;yes;;resign;yes;",
    )
    records = load_records(path).records
    assert [record.header("Attackers") for record in records] == ["You", "Hnefi (2)"]
    assert "Hnefi (2)" in out


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


def test_the_computer_calls_as_the_rules_ask() -> None:
    one = variant("gwezboell-globe")
    called = CalledGame(Game(one.rules, Setup(EXITS)), "manual", sanction="replay")
    with Opponent(7) as opponent:
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
    found = opponent_in(("Ana", "Hnefi (10)"))
    assert found is not None
    assert found.name == "Hnefi (10)"
    found.close()
    assert opponent_in(("Ana", "Bran")) is None
    assert opponent_in(("Hnefi (1)", "Hnefi (2)")) is None
    assert opponent_in(("Ana", "Hnefi (11)")) is None


def test_the_computer_agrees_to_a_draw_only_where_it_is_behind() -> None:
    one = variant("brandub-globe")
    lost = CalledGame(Game(one.rules, Setup("7/7/7/K6/7/7/t5t d")), "off")
    with Opponent(1) as opponent:
        from hnefi import Side

        assert opponent.accepts_draw(lost, Side.ATTACKERS)
        assert not opponent.accepts_draw(lost, Side.DEFENDERS)


def test_ctrl_c_makes_it_wait() -> None:
    args = [COMMAND, "play", "tablut-kouvia", "--against", "computer", "--level", "10", "--side", "defenders"]
    process = subprocess.Popen(
        args,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout is not None
    for line in process.stdout:
        if "is thinking" in line:
            break
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate("b5-b8\nquit\n", timeout=20)
    assert (process.returncode, err) == (0, "")
    assert "The computer waits." in out
    assert "It is the computer’s turn." in out
