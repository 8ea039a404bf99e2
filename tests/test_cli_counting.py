"""`hnefi lab perft` and `hnefi variants`."""

import signal
import subprocess
from pathlib import Path

import pytest

from hnefi import Game, Setup, variant, variant_ids
from hnefi.cli.lab.perft import count_by_move
from hnefi.variants.switches import parse_switches
from tests.cli_runs import answer, printed, refusal, run, started
from tests.timeouts import HAS_PROC_STAT, timeout_s, wait_for_cpu_time
from tests.worked import Worked, load_worked

pytestmark = pytest.mark.usefixtures("plain_cli")


def test_start_has_the_known_count() -> None:
    found = answer("lab", "perft", "brandub-globe", "3")
    assert " ".join(found) == "variant position depth complete nodes seconds nodes_per_second"
    assert (found["variant"], found["depth"], found["nodes"]) == ("brandub-globe", 3, 39512)
    assert found["position"] == str(variant("brandub-globe").rules.start)
    assert found["seconds"] > 0


def test_divide_adds_up() -> None:
    found = answer("lab", "perft", "brandub-globe", "3", "--divide")
    assert sum(found["divide"].values()) == found["nodes"]
    assert list(found["divide"]) == sorted(found["divide"])
    out = printed("lab", "perft", "brandub-globe", "3", "--divide")
    lines = out.splitlines()
    assert lines[:-1] == [f"{move}: {count}" for move, count in found["divide"].items()]
    assert lines[-1].startswith("Depth 3: 39,512 (")


def test_depth_nought_is_one_position() -> None:
    assert answer("lab", "perft", "brandub-globe", "0")["nodes"] == 1


@pytest.mark.parametrize("worked", load_worked()[::20], ids=lambda worked: worked.id)
def test_counting_move_by_move_is_counting_at_once(worked: Worked) -> None:
    chosen = variant(worked.rules).with_switches(parse_switches(worked.switches))
    position = Game(chosen.rules, Setup(worked.position)).position
    counts, _ = count_by_move(position, 2)
    assert counts == position.divide(2)
    assert sum(counts.values()) == position.perft(2)


def test_a_forced_pass_is_counted_through() -> None:
    blocked = [worked for worked in load_worked() if worked.passed and len(worked.moves) == 1]
    assert blocked
    for worked in blocked:
        position = Game(variant(worked.rules).rules, Setup(worked.position)).position
        assert sum(count_by_move(position, 3)[0].values()) == position.perft(3)


def test_a_position_that_is_over_has_no_sequences() -> None:
    assert answer("lab", "perft", "brandub-globe", "2", "--position", "K6/7/7/7/7/2t4/7 a")["nodes"] == 0


@pytest.mark.parametrize("depth", ["-1", "x", "31", "1.5", "٣", "9" * 5000])
def test_a_depth_that_is_none_is_refused(depth: str) -> None:
    assert refusal("lab", "perft", "brandub-globe", depth)["code"] == "bad_usage"


@pytest.mark.skipif(not HAS_PROC_STAT, reason="needs /proc/PID/stat")
def test_a_deep_count_stops_when_interrupted() -> None:
    """Uninterrupted, it would take for days."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started("lab", "perft", "gwezboell-globe", "9", **pipes) as process:
        wait_for_cpu_time(process, 1.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=timeout_s())
    assert process.returncode == 130
    # Not even the first of its moves is done.
    assert (out, err) == (b"", b"Interrupted: there is no result yet.\n")


@pytest.mark.parametrize(
    ("args", "counting", "shown"),
    [
        ("perft brandub-globe 2", "perft._count", "Depth 2, 2 of 40 first moves: 12 ("),
        ("signature -o signature.txt", "signature.signature_of", "12"),
    ],
)
def test_an_interruption_keeps_and_reports_the_counts(
    args: str, counting: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = iter([7, 5, None] * 2)

    def next_count(*_: object) -> int:
        if (count := next(left)) is None:
            raise KeyboardInterrupt
        return count

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(f"hnefi.cli.lab.{counting}", next_count)
    found = answer("lab", *args.split(), code=130)
    assert (found["complete"], found["nodes"]) == (False, 12)
    code, out, err = run("lab", *args.split())
    assert (code, err) == (130, "Interrupted: these are the results so far.\n")
    assert shown in out.splitlines()[-1]
    assert not Path("signature.txt").exists()


def test_variants_are_listed_with_their_facts() -> None:
    found = {one["id"]: one for one in answer("variants")["variants"]}
    assert tuple(found) == variant_ids()
    brandub = found["brandub-globe"]
    assert (brandub["size"], brandub["attackers"], brandub["defenders"]) == (7, 8, 4)
    assert (brandub["first"], brandub["goal"], brandub["quiet_limit"]) == ("attackers", "corner", 20)
    assert brandub["names"]["fr"] == "Brandub (Le Globe Joueur)"
    assert brandub["rules_hash"] == variant("brandub-globe").rules.hash
    assert brandub["region"] == {"en": "Ireland", "fr": "Irlande"}
    assert found["tablut-geoludie"]["legs"] == 2
    assert not found["ard-ri-globe"]["calls"]


def test_variants_are_found_by_words() -> None:
    assert [one["id"] for one in answer("variants", "brannumh")["variants"]] == [
        "brandub-breyer",
        "brandub-globe",
        "brandub-kouvia-7",
    ]
    assert answer("variants", "chess")["variants"] == []
    code, out, err = run("variants", "chess")
    assert (code, out) == (0, "")
    assert "chess" in err


def test_the_table_is_for_people_of_both_languages() -> None:
    _, english, _ = run("variants")
    _, french, _ = run("variants", "--lang", "fr")
    for identity in variant_ids():
        assert identity in english
        assert identity in french
    assert "8–5" in english
    assert "attaquants" in french
