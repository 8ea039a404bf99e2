"""Tests of UGI: the native engine as a server, and other programs as engines."""

import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

import pytest

from hnefi import Game, Move, Rules, Setup, Side, random_game, variant
from hnefi.engine import Clock, EngineError, ExternalEngine, Limit, level
from tests import fake_engine
from tests.cli_runs import COMMAND
from tests.reference.random_rules import random_tree
from tests.timeouts import timeout_s

# A search looks at its limits after so many positions.
POLL_INTERVAL = 512


class EngineSession:
    """A running `hnefi engine` with its standard streams."""

    def __init__(self, *args: str) -> None:
        self.process = subprocess.Popen(
            [COMMAND, "engine", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def send(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def until(self, word: str) -> list[str]:
        """Returns the output lines up to the first that begins with a word."""
        assert self.process.stdout is not None
        found: list[str] = []
        for line in self.process.stdout:
            found.append(line.rstrip("\n"))
            if line.split()[:1] == [word]:
                return found
        raise AssertionError(f"no {word} in {found}")

    def leave(self) -> tuple[int, str]:
        _, err = self.process.communicate(timeout=timeout_s())
        return self.process.returncode, err

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


def engine_output(*lines: str, args: tuple[str, ...] = ()) -> list[str]:
    """Returns the output of the engine for a script."""
    done = subprocess.run(
        [COMMAND, "engine", *args],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout_s(),
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_ugi_introduction_lists_name_and_options() -> None:
    lines = engine_output("ugi", "isready", "quit")
    assert lines[0].startswith("id name Hnefi ")
    assert lines[1].startswith("id author ")
    assert lines[-2:] == ["ugiok", "readyok"]
    names = [line.split(" type ")[0].removeprefix("option name ") for line in lines[2:-2]]
    document = Path(__file__).parents[1] / "docs" / "explanation" / "decisions" / "0016-engine-protocol.md"
    assert [name for name in names if f"`{name}`" not in document.read_text(encoding="utf-8")] == []


def test_a_search_sends_info_and_a_legal_bestmove() -> None:
    lines = engine_output("setoption name MultiPV value 2", "position startpos moves d2-c2", "go depth 3")
    game = variant("brandub-globe").new_game().play("d2-c2")
    infos, best = lines[:-1], lines[-1].split()
    assert best[0] == "bestmove"
    assert str(game.play(best[1]).last).startswith(best[1])
    assert [line.split()[6] for line in infos[-2:]] == ["1", "2"]
    for line in infos:
        words = line.split()
        assert words[:2] == ["info", "depth"]
        assert {"seldepth", "multipv", "score", "nodes", "nps", "time", "pv"} <= set(words)
        after = game
        for move in words[words.index("pv") + 1 :]:
            after = after.play(move)


def test_scores_are_those_of_the_side_to_move() -> None:
    setup = "7/7/7/K6/7/7/t5t d"
    won = engine_output(f"position fen {setup}", "go depth 4")
    assert "score mate 1 " in won[-2]
    game = Game(variant("brandub-globe").rules, Setup("7/7/7/1K5/7/7/t3t2 a"))
    assert game.turn is Side.ATTACKERS
    lost = engine_output("position fen 7/7/7/1K5/7/7/t3t2 a", "go depth 6")
    assert "score mate -" in lost[-2]


def test_queries_are_answered() -> None:
    over = "position fen K6/7/7/7/7/7/t6 a"
    first = ("p1turn", "gameover", "result", "fen", "variant")
    lines = engine_output(
        *(f"query {one}" for one in first),
        *("position startpos moves d2-c2", "query p1turn"),
        *(over, "query gameover", "query result", "go depth 2"),
    )
    start = str(variant("brandub-globe").rules.start)
    assert lines[:6] == [
        f"response {one}" for one in ("true", "false", "none", start, "brandub-globe", "false")
    ]
    assert lines[6:8] == ["response true", "response p2win"]
    assert lines[-1] == "bestmove none"


def test_stop_ends_an_endless_search() -> None:
    with EngineSession("tablut-kouvia") as session:
        session.send("position startpos", "go infinite")
        session.until("info")
        session.send("isready")
        session.until("readyok")
        session.send("stop")
        session.until("bestmove")
        session.send("go infinite", "stop")
        session.until("bestmove")
        session.send("go infinite", "quit")
        assert session.leave() == (0, "")


def test_the_end_of_input_ends_the_server() -> None:
    assert engine_output("go infinite")[-1].startswith("bestmove ")
    assert (
        engine_output("go depth 4", "position startpos moves d2-c2", "go depth 2", "query p1turn")[-1]
        == "response false"
    )


def test_the_time_limit_is_kept() -> None:
    """The first two would never end without a limit; the last one is limited by positions."""
    lines = engine_output("go movetime 50", "go p1time 500 p2time 1 p1inc 0 p2inc 0", "go p1time 1 p2time 1")
    assert sum(line.startswith("bestmove ") for line in lines) == 3
    words = [line for line in lines if line.startswith("info ")][-1].split()
    assert int(words[words.index("nodes") + 1]) <= 50 + POLL_INTERVAL


def test_options_change_the_rules() -> None:
    lines = engine_output(
        "setoption name variant value tablut-kouvia",
        "query fen",
        "setoption name Switches value quiet_limit=8",
        "position fen 4t4/9/9/9/4K4/9/9/9/4t4 a 8",
        "query result",
        "setoption name Switches value <empty>",
        "position fen 4t4/9/9/9/4K4/9/9/9/4t4 a 8",
        "query result",
    )
    assert lines == [f"response {variant('tablut-kouvia').rules.start}", "response draw", "response none"]


def test_custom_rules_can_be_played() -> None:
    import json

    rules = Rules(json.dumps(random_tree(random.Random(5), 9)))
    lines = engine_output(
        f"setoption name Rules value {rules.to_json()}", "query fen", "query variant", "go nodes 500"
    )
    assert lines[:2] == [f"response {rules.start}", "response custom"]
    assert Game(rules).play(lines[-1].split()[1]).ply_count == 1


def test_levels_and_seeds_choose_moves() -> None:
    script = ("setoption name Level value 2", "setoption name Seed value 7", "go depth 9")
    assert engine_output(*script) == engine_output(*script)
    many = {
        engine_output("setoption name Level value 1", f"setoption name Seed value {n}", "go depth 1")[-1]
        for n in range(3)
    }
    assert len(many) > 1


BAD_OPTIONS = ("Threads value 0", "Threads value x", "Variant value chess", "Switches value nonsense")
BAD = [
    *("position", "position fen", "position fen zz", "moves", "query", "query weather", "\x00\x01"),
    *(f"position startpos moves {moves}" for moves in ("z9", "d4-a4", "d2 c2", "d2xc2")),
    *(f"go searchmoves {move}" for move in ("d2xc2", "z9", "d4-a4")),
    *(
        "go ponder",
        "go searchmoves",
        "go depth",
        "go depth x",
        "go wtime 1000 btime 1000",
        "go nodes -5",
        "go depth 99999999999999999999",
    ),
    *("setoption", "setoption name", *(f"setoption name {option}" for option in BAD_OPTIONS)),
    *(f"setoption name {option}" for option in ("Rules value {", "Proofs value maybe", "Nothing value 1")),
]


def test_invalid_input_is_reported_and_ignored() -> None:
    """Each line gets an answer of its own, and after it the engine plays as before."""
    with EngineSession() as session:
        for line in BAD:
            session.send(line, "position startpos", "go depth 1")
            found = session.until("bestmove")
            assert found[0].startswith("info string "), (line, found)
            assert found[-1] != "bestmove none", line
        session.send("quit")
        assert session.leave() == (0, "")


def test_garbage_is_ignored() -> None:
    rng = random.Random(4)
    words = [
        *("go", "position", "fen", "startpos", "moves", "setoption", "name", "value"),
        *("query", "depth", "1", "-1", "d2-c2", "é"),
    ]
    lines = [" ".join(rng.choice(words) for _ in range(rng.randrange(1, 7))) for _ in range(300)]
    lines = [line for line in lines if not line.startswith("go") or "depth 1" in line]
    done = subprocess.run(
        [COMMAND, "engine"],
        input=b"\n".join(
            [*(line.encode() for line in lines), b"\xff\xfe\x00", b"x" * 4_100_000, b"isready", b""]
        ),
        capture_output=True,
        timeout=timeout_s(),
        check=True,
    )
    assert done.stderr == b""
    assert b"readyok" in done.stdout


@pytest.mark.skipif(os.name != "posix", reason="there are no such terminals elsewhere")
def test_a_terminal_shows_a_hint_about_the_protocol() -> None:
    import pty

    outer, inner = pty.openpty()
    with subprocess.Popen(
        [COMMAND, "engine"], stdin=inner, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as one:
        os.write(outer, b"isready\nquit\n")
        out, err = one.communicate(timeout=timeout_s())
    os.close(inner)
    os.close(outer)
    assert (one.returncode, out) == (0, b"readyok\n")
    assert err.startswith((b"Waiting for UGI commands", b"En attente de commandes UGI"))


def test_a_closed_output_ends_the_server() -> None:
    with EngineSession() as session:
        session.send("go infinite")
        session.until("info")
        assert session.process.stdout is not None
        assert session.process.stdin is not None
        session.process.stdout.close()
        session.process.stdin.close()
        assert session.process.wait(timeout_s()) == 0
        assert session.process.stderr is not None
        assert session.process.stderr.read() == ""


@pytest.fixture(name="other", scope="module")
def _other() -> Iterator[ExternalEngine]:
    with ExternalEngine([COMMAND, "engine"], options={"hash": "4"}) as engine:
        yield engine


def test_an_external_engine_is_used_like_the_native_one(other: ExternalEngine) -> None:
    assert other.name.startswith("Hnefi ")
    # The name of an option is taken in any case.
    assert {"MultiPV", "Hash"} <= other.options
    plain = variant("brandub-globe")
    for one in (plain, variant("tablut-geoludie"), plain.with_switches({"quiet_limit": "30"})):
        game = random_game(one.rules, 1, 5)
        assert game.turn is not None
        found = list(other.analyse(game, Limit(depth=4), lines=3))
        assert found[-1].is_final
        assert len(found[-1].lines) == 3
        assert found[-1].depth == 4
        assert game.is_legal(other.play(game, Limit(nodes=2_000)))
        assert game.is_legal(other.play(game, level(2), seed=3))
        assert game.is_legal(other.play(game, Limit(clock=Clock(2_000))))


def test_an_external_engine_returns_the_same_analysis(other: ExternalEngine) -> None:
    game = Game(variant("brandub-globe").rules, Setup("7/7/7/K6/7/7/t5t d"))
    best = other.analyse(game, Limit(depth=3), lines=1).last().best
    assert best is not None
    assert (best.score.winner, best.score.wins_in) == (Side.DEFENDERS, 1)


def test_an_external_engine_stops_at_once(other: ExternalEngine) -> None:
    game = variant("tablut-kouvia").new_game()
    for one in other.analyse(game):
        if one.depth >= 2:
            break
    has_played = threading.Event()

    def stop() -> None:
        # The first stop may come before the search has started.
        while not has_played.wait(0.05):
            other.stop()

    stopping = threading.Thread(target=stop)
    stopping.start()
    assert game.is_legal(other.play(game, Limit(time_ms=3_600_000)))
    has_played.set()
    stopping.join()


def fake(mode: str, **settings: float) -> ExternalEngine:
    return ExternalEngine([sys.executable, fake_engine.__file__, mode], **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mode", "code"),
    [
        ("illegal", "engine_illegal_move"),
        ("nonsense", "engine_illegal_move"),
        ("never ends", "engine_silent"),
        ("crashes", "engine_died"),
        ("hangs", "engine_silent"),
        ("poor", "engine_lacks_option"),
    ],
)
def test_a_failing_engine_is_reported_and_killed(mode: str, code: str) -> None:
    from hnefi import i18n

    with fake(mode, grace_s=0.2 if code == "engine_silent" else timeout_s(), start_s=timeout_s()) as engine:
        with pytest.raises(EngineError) as caught:
            engine.play(variant("brandub-globe").new_game(), Limit(time_ms=50))
        assert caught.value.code == code
        assert "Fake" in i18n.explain(caught.value, "fr")
        assert ("no more of this" in i18n.explain(caught.value, "en")) == (mode == "crashes")
        with pytest.raises(EngineError):
            engine.play(variant("brandub-globe").new_game(), Limit(time_ms=50))


@pytest.mark.parametrize(
    ("code", "start"),
    [
        ("engine_died", lambda: fake("dies", start_s=timeout_s())),
        ("engine_silent", lambda: fake("silent", start_s=0.3)),
        ("engine_lacks_option", lambda: ExternalEngine([COMMAND, "engine"], options={"Contempt": "1"})),
        ("engine_not_started", lambda: ExternalEngine("/nowhere/engine --fast")),
        ("engine_not_started", lambda: ExternalEngine([])),
        ("engine_not_started", lambda: ExternalEngine("")),
        ("engine_not_started", lambda: ExternalEngine("engine 'left open")),
    ],
)
def test_an_engine_that_does_not_start_is_reported(code: str, start: Callable[[], ExternalEngine]) -> None:
    with pytest.raises(EngineError) as caught:
        start()
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("mode", "switches", "told"),
    [
        ("poor", {}, "Fake has neither the option Variant nor the option Rules"),
        ("well", {"quiet_limit": "40"}, "Fake has no option Rules: it cannot learn rules that no variant"),
    ],
)
def test_an_engine_that_cannot_learn_the_rules_is_told_which_option_would_do(
    mode: str, switches: dict[str, str], told: str
) -> None:
    game = variant("brandub-globe").with_switches(switches).new_game()
    with fake(mode) as engine, pytest.raises(EngineError, match=told) as caught:
        engine.play(game, Limit(time_ms=50))
    assert caught.value.code == "engine_lacks_option"


def test_invalid_output_is_ignored() -> None:
    with fake("babbles") as engine:
        last = engine.analyse(variant("brandub-globe").new_game(), Limit(depth=1)).last()
        assert [line.moves for line in last.lines] == [(Move("d2-c2"),)]
