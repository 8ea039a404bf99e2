"""`hnefi analyse` and `hnefi hint`: text and JSON output of positions, annotated games."""

import gzip
import json
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hnefi import Game, Setup, variant
from hnefi.record import Node, Record, Variation, format_records, parse_records
from tests import fake_engine
from tests.cli_runs import COMMAND, answer, printed, refusal, run, started
from tests.timeouts import HAS_PROC_STAT, timeout_s, wait_for_cpu_time, wait_until

GAME = Path(__file__).parent / "records" / "brandub-globe.tafl"
REFUSED = Path(__file__).parent / "records" / "refused-escape.tafl"
WON = "7/7/7/K6/7/7/t5t d"


pytestmark = pytest.mark.usefixtures("plain_cli")


def moves_of(record: Record) -> list[str]:
    return [str(node.move) for node in record.nodes]


def test_a_position_is_judged_in_words() -> None:
    out = printed("analyse", "brandub-globe", "start", "--depth", "3", "--lines", "2")
    assert out.startswith("Attackers to move. Depth 3, ")
    assert sum("defenders better" in line for line in out.splitlines()) == 2  # as games show
    out = printed("analyse", "brandub-globe", WON, "--depth", "3", "--lang", "fr")
    assert out.startswith("Défenseurs au trait. Profondeur")
    assert "les défenseurs gagnent en 1 demi-coup " in out


def test_the_answer_for_programs() -> None:
    found = answer("analyse", "brandub-globe", "start", "d2-c2", "--nodes", "3000", "--lines", "2")
    assert (found["variant"], found["turn"], len(found["lines"])) == ("brandub-globe", "defenders", 2)
    game = variant("brandub-globe").new_game().play("d2-c2")
    for line in found["lines"]:
        assert list(line) == ["move", "score", "chances", "spread", "winner", "wins_in", "line"]
        assert game.is_legal(game.play(line["move"]).plies[-1].move)
        assert 0 < line["chances"] < 1
    best = answer("analyse", "brandub-globe", WON, "--depth", "2", "--lines", "1")["lines"][0]
    assert (best["winner"], best["wins_in"], best["chances"]) == ("defenders", 1, 0.0)
    assert answer("analyse", "brandub-globe", "K6/7/7/7/7/7/t6 a")["lines"] == []


def test_millions_of_nodes_may_be_asked_for() -> None:
    limits = ("--depth", "1", "--nodes")
    assert answer("analyse", "brandub-globe", WON, *limits, "20000000")["lines"]
    found = refusal("analyse", "brandub-globe", WON, *limits, "2000000000000")
    assert found["message"].startswith("--nodes is “2000000000000”; expected a whole number")


def test_a_record_against_its_rules_is_refused() -> None:
    assert "faulty.tafl" in refusal("analyse", str(GAME.with_name("faulty.tafl")))["message"]


def test_a_hint_is_a_legal_move() -> None:
    found = answer("hint", "gwezboell-globe", "start", "--depth", "2")
    assert variant("gwezboell-globe").new_game().play(found["move"]).ply_count == 1
    out = printed("hint", "brandub-globe", WON, "--depth", "2")
    assert out.startswith("A good move is a4-")
    assert "defenders win in 1 ply" in out
    over = run("hint", "brandub-globe", "K6/7/7/7/7/7/t6 a")
    assert over[0] == 0
    assert "The king’s side wins" in over[1]


def test_another_engine_may_be_asked() -> None:
    found = answer("hint", "brandub-globe", "start", "--depth", "2", "--engine", f"{COMMAND} engine")
    assert variant("brandub-globe").new_game().play(found["move"]).ply_count == 1
    error = refusal("hint", "brandub-globe", "start", "--engine", "/nowhere/engine")
    assert error["code"] == "engine_not_started"


@pytest.mark.parametrize(
    "args",
    [
        ("analyse",),
        ("analyse", "brandub-globe", "start", "--time", "0"),
        ("analyse", "brandub-globe", "start", "--time", "soon"),
        ("analyse", "brandub-globe", "start", "--lines", "0"),
        ("analyse", "brandub-globe", "start", "--output", "x.tafl"),
        ("analyse", "brandub-globe", "start", "d4-a4"),
        ("analyse", "brandub-globe", "7/7"),
        ("analyse", str(GAME), "--json", "--output", "x.tafl"),
        ("analyse", str(GAME), "--output", "x.otg"),
        ("analyse", str(GAME), "--output", "x.otg.gz"),
        ("analyse", str(GAME), "--record", str(GAME)),
        ("analyse", str(GAME), "7/7/7/7/7/7/7 a"),
        ("analyse", str(GAME), "--switch", "quiet_limit=30"),
        ("analyse", "/nowhere.tafl"),
        ("analyse", "brandub-globe", "start", "--engine-option", "Hash=2"),
        ("analyse", "brandub-globe", "7/7/7/7/7/7/7 a", "--record", str(GAME)),
        ("analyse", "--record", "/nowhere.tafl"),
        ("hint",),
    ],
)
def test_wrong_usage_is_refused(args: tuple[str, ...]) -> None:
    code, out, err = run(*args)
    assert code == 2
    assert err.strip() or out.startswith('{"error"')
    assert "Traceback" not in err


@pytest.mark.parametrize("second", ["other.tafl", "7/7/7/7/7/7/7 a"])
def test_one_record_is_analysed_at_a_time(second: str) -> None:
    told = refusal("analyse", str(GAME), second)["message"]
    expected = f"“{second}” cannot be combined with {GAME}."
    assert told == f"One record is analysed at a time, and no position with it: {expected}"


def test_a_game_comes_back_annotated_and_still_replays(tmp_path: Path) -> None:
    output = tmp_path / "annotated.tafl.gz"
    written = set()
    for _ in range(2):
        # The second time there is nothing left to annotate.
        code, out, err = run("analyse", "--record", str(GAME), "--depth", "5", "--output", str(output))
        assert (code, out) == (0, "")
        assert str(output) in err
        written.add(gzip.decompress(output.read_bytes()))
    before, after = (parse_records(one)[0] for one in (GAME.read_bytes(), *written))
    assert moves_of(after) == moves_of(before)
    assert after.replay().ok
    assert after.header("AnnotatedPlies") == str(len(before.nodes))
    for old, new in zip(before.nodes, after.nodes, strict=True):
        assert new.comments[: len(old.comments)] == old.comments
        assert len(new.comments) == len(old.comments) + 1
    # The last move ended the game; one before it a better one is shown.
    assert "The king’s side wins" in after.nodes[-1].comments[-1]
    assert any(
        len(new.variations) > len(old.variations) for old, new in zip(before.nodes, after.nodes, strict=True)
    )
    assert any("Turning point" in node.comments[-1] for node in after.nodes)
    lines = [line for node in after.nodes for line in node.variations if line.comments]
    begun = [line.comments[-1] for line in lines] + [node.comments[-1] for node in after.nodes]
    assert [comment for comment in begun if not comment[0].isupper()] == []


def with_variation(record: Record, index: int, nodes: tuple[Node, ...]) -> Record:
    """Returns a record whose only variation is one with these moves."""
    bare = [replace(node, variations=()) for node in record.nodes]
    bare[index] = replace(bare[index], variations=(Variation(nodes, ("mine",)),))
    return replace(record, nodes=tuple(bare))


def test_a_better_line_continues_the_variation_that_begins_with_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.tafl"

    def reviewed(record: Record) -> Record:
        path.write_text(format_records([record]), "utf-8")
        return parse_records(printed("analyse", str(path), "--nodes", "2000"))[0]

    (plain,) = parse_records(GAME.read_text("utf-8"))
    plain = replace(plain, nodes=tuple(replace(node, variations=()) for node in plain.nodes))
    index, line = next(
        (index, node.variations[0])
        for index, node in enumerate(reviewed(plain).nodes)
        if node.variations and len(node.variations[0].nodes) > 2
    )
    score, moves = line.comments, [node.move for node in line.nodes]
    for length in (1, 2, len(moves)):
        (own,) = reviewed(with_variation(plain, index, line.nodes[:length])).nodes[index].variations
        assert [node.move for node in own.nodes] == moves, length
        assert own.comments == ("mine", *score)
    start = plain.replay().called
    assert start is not None
    game = Game(start.game.rules, start.game.start)
    for node in (*plain.counted[:index], *line.nodes[:1]):
        game = game.play(str(node.move))
    other = next(move for move in game.legal_moves() if move != moves[1])
    parted = with_variation(plain, index, (line.nodes[0], Node(other)))
    (own,) = reviewed(parted).nodes[index].variations
    assert [node.move for node in own.nodes] == [moves[0], other]
    assert [node.move for node in own.nodes[1].variations[0].nodes] == moves[1:]


def test_a_review_answers_programs() -> None:
    found = answer("analyse", str(GAME), "--depth", "3")
    assert list(found) == ["engine", "complete", "games"]
    assert (found["engine"], found["complete"]) == ("Hnefi", True)
    record = parse_records(GAME.read_bytes())[0]
    (game,) = found["games"]
    assert list(game) == ["variant", "headers", "result", "moves"]
    assert (game["variant"], game["result"]) == ("brandub-globe", record.result)
    assert game["headers"] == dict(record.headers)
    replayed = variant("brandub-globe").new_game()
    for ply, one in enumerate(game["moves"], start=1):
        assert list(one) == [
            *("ply", "turn", "position", "move", "captures", "after", "outcome"),
            *("best", "loss", "has_better", "turning_point"),
        ]
        assert replayed.turn is not None
        assert (one["ply"], one["turn"]) == (ply, replayed.turn.value)
        assert one["position"] == str(replayed.position.setup)
        assert replayed.play(one["best"]["move"]).ply_count == ply
        replayed = replayed.play(one["move"])
        assert replayed.last is not None
        assert one["captures"] == [square.name for square in replayed.last.captures]
        assert 0 <= one["loss"] <= 1
        assert (one["after"] is None) == (replayed.outcome is not None) == (one["outcome"] is not None)
    assert len(game["moves"]) == len(record.nodes)
    assert game["moves"][-1]["outcome"]["winner"] == record.result
    assert list(game["moves"][0]["after"]) == ["score", "chances", "spread", "winner", "wins_in"]
    assert any(one["turning_point"] for one in game["moves"])


def interrupted_at(answer: int, note: Path, *args: str) -> tuple[int, bytes, bytes]:
    """Interrupts an analysis before a given answer of its engine; returns exit code, stdout and stderr."""
    stalling = shlex.join([sys.executable, fake_engine.__file__, f"stalls {answer - 1}", str(note)])
    words = ("analyse", *args, "--nodes", "200", "--engine", stalling)
    with started(*words, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        wait_until(lambda: note.exists() or process.poll() is not None, "it thinks")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=timeout_s())
    return process.returncode, out, err


def test_an_interrupted_answer_holds_what_was_found(tmp_path: Path) -> None:
    code, out, err = interrupted_at(4, tmp_path / "thinks", str(GAME), "--json")
    assert (code, err) == (130, b"")
    found = json.loads(out)
    assert found["complete"] is False
    # Two judgements for the first move, one for each further one.
    assert len(found["games"][0]["moves"]) == 2


def test_another_engine_reviews_a_game_and_its_failure_is_reported(tmp_path: Path) -> None:
    found = answer("analyse", str(GAME), "--nodes", "200", "--engine", f"{COMMAND} engine", "--hash", "2")
    assert found["engine"].startswith("Hnefi ")
    assert found["complete"]
    output = tmp_path / "annotated.tafl"
    args = ("analyse", str(GAME), "--time", "600", "--engine", f"{fake_engine.COMMAND} crashes")
    assert refusal(*args)["code"] == "engine_died"
    code, _, err = run(*args, "--output", str(output))
    assert (code, "Fake exited with status 7." in err) == (2, True)
    options = ("--engine-option", "Style=bold", "--engine-option", "Depth=2")
    assert refusal(*args, *options)["code"] == "engine_lacks_option"


def test_an_interrupted_review_can_be_resumed(tmp_path: Path) -> None:
    output = tmp_path / "annotated.tafl"
    args = ("--record", str(GAME), "--output", str(output), "--lang", "en")
    code, _, err = interrupted_at(4, tmp_path / "thinks", *args)
    assert code == 130
    assert b"run the same command to continue" in err
    part = parse_records(output.read_bytes())[0]
    done = int(part.header("AnnotatedPlies") or "0")
    assert done == 2
    assert run("analyse", "--record", str(GAME), "--depth", "3", "--output", str(output))[0] == 0
    whole = parse_records(output.read_bytes())[0]
    assert whole.header("AnnotatedPlies") == str(len(whole.nodes))
    assert whole.nodes[:done] == part.nodes[:done]


def test_a_refused_escape_is_passed_over() -> None:
    out = printed("analyse", "--record", str(REFUSED), "--depth", "2")
    record = parse_records(out)[0]
    assert record.replay().faults == parse_records(REFUSED.read_bytes())[0].replay().faults == ()
    assert [bool(node.comments) for node in record.nodes if node.is_undone] == [
        bool(node.comments) for node in parse_records(REFUSED.read_bytes())[0].nodes if node.is_undone
    ]


@pytest.mark.skipif(not HAS_PROC_STAT, reason="needs /proc/PID/stat")
@pytest.mark.parametrize(
    ("args", "begin", "said"),
    [
        (
            "analyse tablut-kouvia start",
            b"Attackers to move.",
            b"Interrupted: these are the results so far.\n",
        ),
        pytest.param("hint tablut-kouvia start --json", b'{"move": "', b"", marks=pytest.mark.deep),
    ],
)
def test_ctrl_c_ends_a_search_with_what_is_known(args: str, begin: bytes, said: bytes) -> None:
    limits = ("--time", "600", "--lang", "en")
    with started(*args.split(), *limits, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_for_cpu_time(process, 2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=timeout_s())
    assert (process.returncode, err) == (130, said)
    assert out.startswith(begin)


def test_review_finds_the_thrown_away_win() -> None:
    from hnefi._core import Move
    from hnefi.engine import Engine, Limit
    from hnefi.engine.review import RecordedPly, review

    game = Game(variant("brandub-globe").rules, Setup(WON))
    with Engine(table_mib=4) as engine:
        found = next(review(engine, [RecordedPly(0, game, Move("a4-b4"))], Limit(depth=4)))
        assert (found.chances_before, found.best.score.wins_in) == (1.0, 1)
        assert found.loss == pytest.approx(1.0 - found.chances_after)
        good = next(review(engine, [RecordedPly(0, game, found.best.move)], Limit(depth=4)))
    assert (good.loss, good.chances_after, good.has_better) == (0.0, 1.0, False)


def test_several_games_are_annotated_in_place_and_none_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "games.tafl"
    path.write_bytes(GAME.read_bytes() + b"\n" + REFUSED.read_bytes())
    before = parse_records(path.read_bytes())
    args = ("--record", str(path), "--output", str(path), "--lang", "en")
    first = len(before[0].nodes)
    assert interrupted_at(first + 2, tmp_path / "thinks", *args)[0] == 130
    assert [moves_of(one) for one in parse_records(path.read_bytes())] == [moves_of(one) for one in before]
    assert run("analyse", *args, "--depth", "2")[0] == 0
    after = parse_records(path.read_bytes())
    assert [moves_of(one) for one in after] == [moves_of(one) for one in before]
    assert all(one.header("AnnotatedPlies") for one in after)


def test_a_file_with_other_games_is_not_written_over(tmp_path: Path) -> None:
    other = tmp_path / "other.tafl"
    other.write_bytes(REFUSED.read_bytes())
    code, _, err = run("analyse", "--record", str(GAME), "--depth", "1", "--output", str(other))
    assert (code, "other games" in err) == (2, True)
    assert other.read_bytes() == REFUSED.read_bytes()


def test_percentages_are_shown_for_measured_rules_alone() -> None:
    limit = ("start", "--nodes", "500")
    code, out, _ = run("analyse", "brandub-globe", *limit)
    assert (code, "%" in out, "score" in out) == (0, True, False)
    code, out, _ = run("analyse", "magpie-7", *limit)
    assert (code, "%" in out, bool(re.search(r" [+−]\d\.\d ", out))) == (0, False, True)
    for lang, words in (("en", "score for the attackers: "), ("fr", "score des attaquants\u00a0: ")):
        assert f"({words}+" in run("hint", "magpie-7", *limit, "--lang", lang)[1]
    assert {line["spread"] for line in answer("analyse", "magpie-7", *limit)["lines"]} == {None}
