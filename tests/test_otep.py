"""Tests of OpenTafl's engine protocol (OTEP): the native engine as a server, and other engines as clients."""

import io
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hnefi import variant
from hnefi._core import Game, Move, Setup
from hnefi.engine import Clock, EngineError, Limit, OtepEngine, level, start_engine
from hnefi.engine.otep import board_words, clock_words, read_clock, read_moves
from hnefi.engine.otep_server import OtepServer
from hnefi.engine.settings import Settings
from hnefi.errors import IllegalMove
from hnefi.formats.opentafl import format_rules_text, variant_rules_text
from hnefi.i18n import explain
from hnefi.pieces import Side
from tests import cli_runs
from tests.codes import has_code
from tests.fake_otep import COMMAND
from tests.timeouts import timeout_s

WALKER = variant("brandub-walker-7")
RULES = format_rules_text(variant_rules_text(WALKER)[0])
GENEROUS = Limit(time_ms=3_600_000)
"""The protocol knows nothing but time: so much that it never expires."""


class Host:
    """Sends messages like OpenTafl, and collects the responses of the engine."""

    def __init__(self, **settings: int) -> None:
        self.lines: list[str] = []
        self._came = threading.Condition()
        configured = Settings(WALKER, **settings)
        configured.seed = "1"
        self.server = OtepServer(configured, self._take)

    def _take(self, line: str) -> None:
        with self._came:
            self.lines.append(line)
            self._came.notify_all()

    def send(self, *lines: str) -> None:
        for line in lines:
            self.server.handle(line)

    def until(self, word: str) -> str:
        """Waits for a line that begins with a word, and returns it."""
        with self._came:
            assert self._came.wait_for(
                lambda: any(line.split()[0] == word for line in self.lines), timeout_s()
            )
            found = next(line for line in self.lines if line.split()[0] == word)
            self.lines.remove(found)
            return found


@contextmanager
def host(**settings: int) -> Iterator[Host]:
    found = Host(**settings)
    try:
        yield found
    finally:
        found.server.serve([])


# --- Our engine inside OpenTafl -------------------------------------------------------------------------


def test_otep_server_sends_hello_and_quits() -> None:
    done = cli_runs.run_installed("engine", "--protocol", "otep", input=b"hello\ngoodbye\nplay attackers\n")
    assert done.returncode == 0
    assert done.stdout.decode().splitlines()[0] == "hello"
    assert done.stderr == b""


def test_two_servers_play_a_game_against_each_other() -> None:
    with host(level=1) as attackers, host(level=1) as defenders:
        game = WALKER.new_game()
        both = {Side.ATTACKERS: attackers, Side.DEFENDERS: defenders}
        for side, one in both.items():
            one.send(f"rules {RULES}", f"side {side.value}", "start")
        while game.turn is not None and game.ply_count < 30:
            mover = both[game.turn]
            mover.send(f"play {game.turn.value}", "clock 5000 5000 0 0 0")
            move = Move(mover.until("move").split()[1])
            game = game.play(move)
            mover.send(f"move {board_words(game)}")
            other = both[mover_side(game).opponent]
            other.send(f"opponent-move {move.from_square.name}-{move.to_square.name} {board_words(game)}")
        assert game.ply_count > 3


def mover_side(game: Game) -> Side:
    assert game.last is not None
    return game.last.side


def test_a_refused_move_is_not_played_again() -> None:
    with host() as one:
        one.send(f"rules {RULES}", "side attackers", "play attackers", "clock 400 400 0 0 0")
        first = one.until("move")
        one.send("error 2", "play attackers", "clock 400 400 0 0 0")
        second = one.until("move")
        assert second != first
        game = WALKER.new_game().play(Move(second.split()[1]))
        one.send(f"move {board_words(game)}")
        answer = random.Random(1).choice(game.legal_moves())
        after = game.play(answer)
        message = f"opponent-move {answer.from_square.name}-{answer.to_square.name} {board_words(after)}"
        one.send(message, "play attackers", "clock 400 400 0 0 0")
        third = Move(one.until("move").split()[1])
        one.send("error 2", message, "play attackers", "clock 400 400 0 0 0")
        fourth = Move(one.until("move").split()[1])
        assert third != fourth
        assert after.is_legal(third)
        assert after.is_legal(fourth)


def test_the_board_of_opentafl_decides() -> None:
    with host() as one:
        one.send(f"rules {RULES}", "side defenders")
        game = Game(WALKER.rules, Setup("7/7/7/t2K2t/7/7/3t3 d"))
        one.send(f"opponent-move d2-c2 {board_words(game)}", "play defenders", "clock 300 300 0 0 0")
        assert game.is_legal(Move(one.until("move").split()[1]))


def test_any_position_is_analysed() -> None:
    with host() as one:
        game = Game(WALKER.rules, Setup("7/7/7/t2K2t/7/7/3t3 d"))
        one.send(f"rules {RULES}", "side defenders", f"position {board_words(game)}", "analyze 3 1")
        words = one.until("analysis").split()
        assert words[1] == "3"
        lines = words[2::2]
        assert len({line.split("|")[0] for line in lines}) == 3
        for line in lines:
            after = game
            for move in read_moves(line):
                after = after.play(move)
        assert all(value.lstrip("-").isdigit() for value in words[3::2])


def test_the_end_of_the_game_stops_the_search() -> None:
    with host() as one:
        one.send(
            f"rules {RULES}", "side attackers", "play attackers", "clock 600000 600000 0 0 0", "finish 2"
        )
        one.send("analyze 1 1")
        one.until("analysis")
        assert not [line for line in one.lines if line.startswith("move")]


@pytest.mark.parametrize(
    "line",
    [
        *("rules dim:7 nonsense", "rules dim:5 esc:e start:/2g2/5/2K2/5/2t2/", "position /7/7/"),
        *("play attackers", "opponent-move x-y /7/", "analyze", "clock", "clock a b c", "side nobody"),
        *("nonsense \x00", ""),
    ],
)
def test_no_input_makes_the_server_fail(line: str) -> None:
    with host() as one:
        one.send(line, f"rules {RULES}", "side attackers", "play attackers", "clock 300 300 0 0 0")
        assert WALKER.new_game().is_legal(Move(one.until("move").split()[1]))
        assert all(line.isascii() for line in one.lines)


def test_gaps_of_the_rules_are_reported() -> None:
    with host() as one:
        one.send(f"rules {RULES.replace('dim:7', 'dim:7 zzz:1')}")
        assert "zzz" in one.until("error")


def test_clocks_are_parsed_and_formatted() -> None:
    main = read_clock(["60000", "45000", "30", "3", "2"], Side.ATTACKERS)
    assert main == Limit(clock=Clock(60_000))
    over = read_clock(["60000", "9000*", "30", "3", "2"], Side.DEFENDERS)
    assert over == Limit(clock=Clock(9_000, moves_to_go=1))
    none = read_clock(["-1", "-1"], Side.ATTACKERS)
    assert none == Limit()
    assert clock_words(Limit(clock=Clock(5000))) == "clock 5000 5000 0 0 0"
    assert clock_words(Limit(time_ms=2000)) == "clock 2000* 2000* 2 3 3"
    assert clock_words(Limit(nodes=9)) is None


# --- Its engines here -----------------------------------------------------------------------------------


@contextmanager
def fake(mode: str, log: Path | None = None, **settings: float) -> Iterator[OtepEngine]:
    command = f"{COMMAND.removeprefix('otep:')} {mode}" + (f" {log}" if log else "")
    engine = OtepEngine(command, **settings)
    try:
        yield engine
    finally:
        engine.close()


def test_an_otep_engine_plays_a_game(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with fake("well", log, start_s=timeout_s()) as engine:
        game = WALKER.new_game()
        chance = random.Random(3)
        while game.turn is not None and game.ply_count < 9:
            if game.turn is Side.ATTACKERS:
                game = game.play(engine.play(game, GENEROUS))
            else:
                game = game.play(chance.choice(game.legal_moves()))
    sent = [line.split()[0] for line in log.read_text(encoding="utf-8").splitlines()]
    assert sent[:6] == ["hello", "rules", "side", "start", "play", "clock"]
    assert sent.count("rules") == 1
    assert sent.count("opponent-move") == sent.count("play") - 1


def test_an_otep_engine_analyses_any_position() -> None:
    game = Game(WALKER.rules, Setup("7/7/7/t2K2t/7/7/3t3 d"))
    with fake("well", start_s=timeout_s()) as engine:
        assert game.is_legal(engine.play(game, GENEROUS))
        found = engine.analyse(game, GENEROUS, lines=3).last()
        assert len(found.lines) == 3
        assert found.lines[0].score.value <= found.lines[1].score.value
        assert game.is_legal(engine.play(game, level(3)))


@pytest.mark.parametrize(
    ("mode", "code"),
    [
        ("illegal", "engine_illegal_move"),
        ("nonsense", "engine_illegal_move"),
        ("critical", "engine_refused"),
        ("crashes", "engine_died"),
        ("hangs", "engine_silent"),
    ],
)
def test_a_failing_engine_is_reported_and_restarted(mode: str, code: str) -> None:
    # Of a limit that expires, the silent engine alone has to be found.
    limit, grace_s = (Limit(time_ms=50), 0.2) if mode == "hangs" else (GENEROUS, timeout_s())
    with fake(mode, start_s=timeout_s(), grace_s=grace_s) as engine:
        for _ in range(2):
            with pytest.raises(EngineError) as failed:
                engine.play(WALKER.new_game(), limit)
            assert failed.value.code == code
            assert "{" not in explain(failed.value, "fr")


@pytest.mark.parametrize(("mode", "code"), [("silent", "engine_silent"), ("dies", "engine_died")])
def test_an_engine_that_does_not_start_is_reported(mode: str, code: str) -> None:
    with pytest.raises(EngineError) as failed, fake(mode, start_s=0.2 if mode == "silent" else timeout_s()):
        pass
    assert failed.value.code == code


def test_rules_the_protocol_lacks_are_refused() -> None:
    with fake("well", start_s=timeout_s()) as engine:
        with pytest.raises(EngineError, check=has_code("engine_lacks_rules")):
            engine.play(variant("brandub-breyer").new_game(), GENEROUS)
        game = WALKER.new_game()
        assert game.is_legal(engine.play(game, GENEROUS))


def test_turns_of_several_captures_go_over_the_protocol_both_ways() -> None:
    switches = {"berserk": "must", "commander_pair": "open", "repetition": "3,draw"}
    berserk = variant("berserk-11").with_switches(switches)
    brief = Limit(time_ms=200)  # these moves are the best ones at each depth from the first
    command = [cli_runs.COMMAND, "engine", "--protocol", "otep"]
    start = Game(berserk.rules, Setup("11/11/11/11/11/5K5/3t2t4/3T2T4/t10/11/11 a"))

    with OtepEngine(command, start_s=timeout_s(), grace_s=timeout_s()) as engine:
        game = start
        for _ in range(2):  # two soldiers in one turn leave the king alone
            game = game.play(engine.play(game, brief))
        assert [ply.side for ply in game.plies] == [Side.ATTACKERS] * 2
        game = game.play("f6-f9")
        assert game.is_legal(engine.play(game, brief))

    with OtepEngine(command, start_s=timeout_s(), grace_s=timeout_s()) as engine:
        # Two soldiers above and two below: a move of the defenders saves one pair at most.
        both = "11/11/t10/3T2T4/3t2t4/5K5/3t2t4/3T2T4/t10/11/11 d"
        game = Game(berserk.rules, Setup(both))
        game = game.play(engine.play(game, brief))
        pair = next(
            hops
            for hops in (("a9-d9", "d9-g9"), ("a3-d3", "d3-g3"))
            if game.is_legal(Move(hops[0])) and game.play(hops[0]).is_legal(Move(hops[1]))
        )
        game = game.play(pair[0]).play(pair[1])
        assert game.turn is Side.DEFENDERS
        assert game.is_legal(engine.play(game, brief))


def test_a_position_in_mid_turn_cannot_be_sent() -> None:
    berserk = variant("berserk-11").with_switches({"berserk": "must", "commander_pair": "open"})
    midway = Game(berserk.rules, Setup("11/11/11/11/11/5K5/3t2t4/6T4/3t7/11/11 a 0 d3"))
    with fake("well", start_s=timeout_s()) as engine:
        for game in (midway, variant("berserk-11").new_game()):
            with pytest.raises(EngineError, check=has_code("engine_lacks_rules")):
                engine.play(game, GENEROUS)


def test_the_prefix_chooses_the_protocol() -> None:
    engine = start_engine(f"{COMMAND} well")
    assert isinstance(engine, OtepEngine)
    engine.close()
    with pytest.raises(EngineError, match="has no option"):
        start_engine(f"{COMMAND} well", options={"Hash": "1"})


def test_the_native_engine_plays_over_otep() -> None:
    command = [cli_runs.COMMAND, "engine", "--protocol", "otep", "--level", "2"]
    with OtepEngine(command, start_s=timeout_s()) as engine:
        game = WALKER.new_game()
        for _ in range(4):
            game = game.play(engine.play(game, GENEROUS))
        assert game.ply_count == 4


def test_guards_are_refused() -> None:
    with pytest.raises(IllegalMove):
        read_moves("Ge6-e8")


def test_streams_of_bytes_are_not_needed() -> None:
    output: list[str] = []
    OtepServer(Settings(WALKER), output.append).serve(
        io.StringIO(f"rules {RULES}\nside attackers\nplay attackers\nclock 300 300 0 0 0\n")
    )
    assert output[-1].startswith("move ")
