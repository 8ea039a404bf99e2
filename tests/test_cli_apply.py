"""`hnefi apply`: every worked position through the real command, and the form of its answers."""

import importlib
from pathlib import Path
from typing import Any

import pytest

from hnefi import variant, variant_ids
from tests import cli_runs
from tests.cli_runs import run, run_installed
from tests.facts import TOLD, expected, told
from tests.worked import Worked, load_worked

WORKED = load_worked()
KEYS = ["position", "turn", "captures", "legal_moves", "moves", "exits", "king_in_danger", "outcome"]
CALL_KEYS = ["owed", "called", "must_replay", "refused"]
UNREADABLE = ("bad_move", "bad_switch", "bad_position", "bad_usage")


pytestmark = pytest.mark.usefixtures("plain_cli")


def answer(*args: str) -> dict[str, Any]:
    return cli_runs.answer("apply", *args)


def refusal(*args: str) -> dict[str, str]:
    return cli_runs.refusal("apply", *args)


def arguments(worked: Worked) -> list[str]:
    """The command line of a worked position."""
    args = [worked.rules, worked.position, *worked.moves]
    for switch in worked.switches:
        args += ["--switch", switch]
    mode, *rest = worked.calls or ("off",)
    for key, value in zip(("sanction", "replay", "wrong_number"), rest, strict=False):
        args += ["--switch", f"{key}={value}"]
    return [*args, "--calls", mode]


@pytest.mark.parametrize("worked", WORKED[::10], ids=lambda worked: worked.id)
def test_worked_position(worked: Worked) -> None:
    if worked.illegal:
        assert refusal(*arguments(worked))["code"] not in UNREADABLE
        return
    found = answer(*arguments(worked))
    assert list(found) == KEYS + (CALL_KEYS if worked.calls[:1] == ("manual",) else [])
    assert found["legal_moves"] == len(found["moves"])
    assert found["moves"] == sorted(found["moves"])
    assert (found["turn"] is None) == (found["outcome"] is not None)
    outcome = found["outcome"]
    found |= {
        "danger": found["king_in_danger"],
        "outcome": outcome and (outcome["winner"], outcome["reason"]),
    }
    facts = expected(worked)
    # It does not tell these, and the state of the calls only if they are manual.
    untold = dict.fromkeys({*TOLD, "passed"} - found.keys())
    answered = {*facts} - {"passed", "required"} - (untold.keys() & {*CALL_KEYS})
    seen = told(worked, untold | found)
    assert {key: seen[key] for key in answered} == {key: facts[key] for key in answered}


@pytest.mark.parametrize("worked", [one for one in WORKED if one.moves][::150], ids=lambda worked: worked.id)
def test_the_installed_command_gives_the_same_answer(worked: Worked) -> None:
    args = ["apply", *arguments(worked), "--json"]
    done = run_installed(*args)
    assert (done.returncode, done.stdout.decode(), done.stderr.decode()) == run(*args)


@pytest.mark.parametrize("identity", variant_ids())
def test_start_is_described_without_a_move(identity: str) -> None:
    found = answer(identity, "start")
    start = variant(identity).rules.start
    assert found["position"] == str(start)
    assert found["turn"] == start.turn.value
    assert (found["captures"], found["exits"], found["outcome"]) == ([], 0, None)


def test_an_id_is_read_in_either_case() -> None:
    assert answer("Brandub-GLOBE", "START") == answer("brandub-globe", "start")


def test_a_quiet_counter_may_be_left_out() -> None:
    assert answer("brandub-globe", "7/7/7/3K3/7/2t4/7 a")["position"] == "7/7/7/3K3/7/2t4/7 a 0"
    assert answer("brandub-globe", "7/7/7/3K3/7/2t4/7 a 19")["position"] == "7/7/7/3K3/7/2t4/7 a 19"


@pytest.mark.parametrize(
    ("position", "winner", "reason"),
    [
        ("7/7/7/7/7/2t4/7 d", "attackers", "king_captured"),
        ("K6/7/7/7/7/2t4/7 a", "defenders", "corner"),
        ("7/7/7/3K3/7/7/7 a", "defenders", "attackers_captured"),
        ("7/7/7/3K3/7/2t4/7 a 20", None, "quiet_moves"),
    ],
)
def test_a_loaded_position_that_is_over_is_reported(position: str, winner: str | None, reason: str) -> None:
    found = answer("brandub-globe", position)
    assert found["outcome"] == {"winner": winner, "reason": reason}
    assert (found["turn"], found["moves"], found["legal_moves"], found["captures"]) == (None, [], 0, [])
    assert refusal("brandub-globe", position, "d4-d5")["code"] == "game_over"


def test_captures_are_sorted_by_file_then_rank() -> None:
    large = "12t/12K/13/13/13/13/13/13/13/13/13/13/13 a"
    assert refusal("brandub-globe", large)["code"] == "bad_position"
    for letter in "cQ":
        assert "Row 2 " in refusal("brandub-globe", f"7/2{letter}4/7/3K3/7/7/7 a")["message"]
    before = "7/7/3T3/1K1t3/1Tt1tT1/7/3T3 d"
    assert answer("brandub-globe", before, "d1-d3")["captures"] == ["c3", "d4", "e3"]


@pytest.mark.parametrize("written", ["d2-c2", "d2c2", "D2-C2", "d2c2!2", "d2 c2", "d2xc2"])
def test_moves_are_read_in_the_usual_forms(written: str) -> None:
    assert answer("brandub-globe", "start", written)["position"] == "3t3/3t3/3T3/ttTKTtt/3T3/2t4/3t3 d 1"


# What the system may answer at any time.
FAILING: dict[str, Exception] = {
    "cannot_write": OSError(28, "No space left on device"),
    "out_of_memory": MemoryError(),
}


@pytest.mark.parametrize("code", FAILING)
def test_a_failure_of_the_system_is_told(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise FAILING[code]

    monkeypatch.setattr(importlib.import_module("hnefi.cli.app"), "drop_output", lambda: None)
    monkeypatch.setattr(importlib.import_module("hnefi.cli.apply"), "game_after", fail)
    if code == "cannot_write":  # Standard output takes no answer.
        told = (2, "stdout cannot be written: the disk is full.\n")
        assert run("apply", "brandub-globe", "start", "--json")[::2] == told
    else:
        assert refusal("brandub-globe", "start")["code"] == code


@pytest.mark.parametrize("call", ["!3", "!", "!x", "!12"])
def test_a_call_that_is_none_is_no_move(call: str) -> None:
    assert refusal("gwezboell-globe", "9/9/9/9/2K6/9/9/9/6t2 d", f"c5-a5{call}")["code"] == "bad_move"


def test_an_invalid_switch_error_lists_expected_values() -> None:
    error = refusal("brandub-globe", "start", "--switch", "quiet_limit=many")
    assert error["code"] == "bad_switch"
    assert "quiet_limit" in error["message"]
    assert refusal("brandub-globe", "start", "--switch", "nonsense") == {
        "code": "bad_switch",
        "message": "“nonsense” is not a switch; expected: KEY=VALUE.",
    }
    error = refusal("brandub-globe", "start", "--switch", "throne_stops=king")
    assert error["message"].startswith("There is no switch throne_stops; expected: size | start | ")
    error = refusal("brandub-globe", "start", "--switch", "throne_hostile.queen=always")
    assert error["message"].endswith("expected: attackers | defenders | king.")
    error = refusal("brandub-breyer", "start", "--switch", "sanction=replay")
    assert error["message"] == "The switch sanction changes calls, but brandub-breyer has none."


def test_all_invalid_switches_are_reported() -> None:
    switches = ("quiet_limit=many", "throne_stops=king", "goal=edge", "throne_hostile.K=7")
    error = refusal("brandub-globe", "start", *(part for one in switches for part in ("--switch", one)))
    assert error["code"] == "bad_switch"
    first, second, *others = error["message"].splitlines()
    assert first == "The switch quiet_limit cannot be “many”; expected: 0…999999."
    assert second.startswith("throne_stops: unknown key; expected: size | start | ")
    assert others == []


def test_a_switch_changes_the_rules() -> None:
    start = "7/7/7/3K3/7/2t4/7 a 19"
    assert answer("brandub-globe", start, "c2-c3")["outcome"] == {"winner": None, "reason": "quiet_moves"}
    assert answer("brandub-globe", start, "c2-c3", "--switch", "quiet_limit=40")["outcome"] is None


def test_calls_by_hand_where_the_text_has_none_are_owed_but_never_punished() -> None:
    position = "7/7/7/3K3/2T4/7/4t2 d"
    found = answer("brandub-breyer", position, "d4-a4", "--calls", "manual")
    assert (found["owed"], found["called"]) == (["a1", "a7"], False)
    found = answer("brandub-breyer", position, "d4-a4", "e1-e2", "a4-a7", "--calls", "manual")
    assert found["outcome"] == {"winner": "defenders", "reason": "corner"}
    assert found["refused"] is False


def test_a_refused_escape_gives_the_position_back() -> None:
    position = "9/9/9/9/2K6/9/9/9/6t2 d"
    moves = ["c5-a5", "g1-g2", "a5-a9"]
    found = answer("gwezboell-globe", position, *moves, "--calls", "manual")
    assert found["position"] == "9/9/9/9/K8/9/9/9/6t2 a 1"
    assert (found["refused"], found["must_replay"], found["captures"]) == (True, "g1", [])
    assert {move[:2] for move in found["moves"]} == {"g1"}
    # The refused escape has shown the roads: they count as announced from then on.
    assert found["called"]
    again = ("--calls", "manual", "--switch", "sanction=until_called")
    assert not answer("gwezboell-globe", position, *moves, *again)["called"]
    warned = answer("gwezboell-globe", position, *moves, "g1-b1", "a5-a9", "--calls", "manual")
    assert warned["outcome"] == {"winner": "defenders", "reason": "corner"}
    called = answer("gwezboell-globe", position, "c5-a5!2", *moves[1:], "--calls", "manual")
    assert called["outcome"] == {"winner": "defenders", "reason": "corner"}
    by_itself = answer("gwezboell-globe", position, *moves)
    assert by_itself["outcome"] == {"winner": "defenders", "reason": "corner"}
    assert "owed" not in by_itself


def test_text_output_is_translated() -> None:
    args = ("gwezboell-globe", "9/9/9/9/2K6/9/9/9/6t2 d", "c5-a5", "g1-g2", "a5-a9", "--calls", "manual")
    _, english, _ = run("apply", *args)
    _, french, _ = run("apply", *args, "--lang", "fr")
    assert "The piece on g1 must be replayed." in english
    assert "La pièce en g1 doit être rejouée." in french
    assert "♔" in english


def test_a_custom_variant_file_is_accepted(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    source = Path(__file__).parents[1] / "src/hnefi/variants/data/brandub-globe.toml"
    own.write_text(source.read_text("utf-8").replace("quiet_limit = 20", "quiet_limit = 1"), encoding="utf-8")
    assert answer(str(own), "start", "d2-c2")["outcome"] == {"winner": None, "reason": "quiet_moves"}
    own.write_text("id = 1", encoding="utf-8")
    assert refusal(str(own), "start")["code"] == "bad_variant"
    own.write_bytes(b"\xff\xfe\x00")
    assert refusal(str(own), "start")["code"] == "bad_variant"
    own.unlink()
    assert refusal(str(own), "start")["code"] == "cannot_read"


def test_moves_may_follow_the_variant_at_once() -> None:
    assert cli_runs.answer("apply", "brandub-globe", "d2-c2", "d3-d2") == cli_runs.answer(
        "apply", "brandub-globe", "start", "d2-c2", "d3-d2"
    )
    short = ("--depth", "1")
    for command, extra in (("analyse", short), ("hint", short), ("show", ())):
        assert run(command, "brandub-globe", "d2-c2", *extra)[0] == 0
    assert cli_runs.refusal("apply", "brandub-globe", "d2-d5")["code"] == "path_blocked"


def test_roads_and_threats_are_printed_with_the_calls_of_the_variant() -> None:
    threat = ("apply", "tablut-geoludie", "9/9/2t6/1tK6/2t6/9/9/5t3/9 a", "f2-f6")
    printed = "The attackers could capture the king with their next move"
    assert f"{printed}: “watch your king” (“gare au roi”).\n" in run(*threat)[1]
    assert "prochain coup\u00a0: «\u00a0gare au roi\u00a0».\n" in run("--lang", "fr", *threat)[1]
    assert f"{printed}.\n" in run(*threat, "--calls", "off")[1]
    assert printed not in run("apply", "tablut-geoludie", "start")[1]
    roads = run("apply", "brandub-globe", "7/7/2K4/7/7/7/3t3 d", "c5-a5")[1]
    assert "2 open roads for the king: “two exits” (“deux sorties”).\n" in roads
