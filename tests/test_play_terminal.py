"""`hnefi play`: calls typed, forgotten and wrong, and a pseudo-terminal with drawing, completion, exit."""

import os
import re
import select
import signal
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from hnefi import Setup, variant
from hnefi.cli.play.keyboard import MoveCompleter
from hnefi.cli.play.line_input import Action, InvalidLine, TypedMove, TypedSquare, parse_line
from hnefi.cli.play.session import Session
from hnefi.record import load_records
from tests.cli_runs import COMMAND, play
from tests.samples import deep
from tests.test_play import EXITS, moves_of
from tests.timeouts import timeout_s

pytestmark = pytest.mark.usefixtures("plain_play")

fcntl = pytest.importorskip("fcntl")
pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")


def bare(text: str) -> str:
    """Returns a text without escape sequences; no-break spaces become blanks."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\u00a0", " ")


class Terminal:
    """A `hnefi play` process in a pseudo-terminal."""

    def __init__(self, *args: str, folder: Path, **settings: str) -> None:
        self.descriptor, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 90, 0, 0))
        clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
        usual = {"TERM": "xterm-256color", "HNEFI_LANG": "fr"}
        self.process = subprocess.Popen(
            [COMMAND, "play", *args],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env={**clean, **usual, "XDG_STATE_HOME": str(folder), **settings},
            start_new_session=True,
        )
        os.close(inner)
        self.seen = ""
        self.is_closed = False

    def read(self, wanted: str) -> str:
        """Reads until a text appears, and returns the output since the last call."""
        found = ""
        end = time.monotonic() + timeout_s()
        while wanted not in bare(found):
            assert time.monotonic() < end, f"{wanted!r} did not appear in {found!r}"
            ready, _, _ = select.select([self.descriptor], [], [], 0.1)
            if ready:
                try:
                    found += os.read(self.descriptor, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        self.seen += found
        return found

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def close(self) -> int:
        """Waits for the end of the process and returns the exit code."""
        code = self.process.wait(timeout_s())
        os.close(self.descriptor)
        self.is_closed = True
        return code


Opening = Callable[..., Terminal]


@pytest.fixture
def terminal_of(tmp_path: Path) -> Iterator[Opening]:
    """Returns a function that opens terminals; they are closed after the test."""
    opened: list[Terminal] = []

    def open_terminal(*args: str, **settings: str) -> Terminal:
        opened.append(Terminal(*args, folder=tmp_path, **settings))
        return opened[-1]

    yield open_terminal
    for terminal in opened:
        terminal.process.kill()
        terminal.process.wait()
        if not terminal.is_closed:
            os.close(terminal.descriptor)


def test_a_game_in_a_terminal(terminal_of: Opening, tmp_path: Path) -> None:
    terminal = terminal_of("brandub-globe")
    first = terminal.read("coup 1 :")
    assert "\x1b[H\x1b[2J" in first
    assert "\x1b[48;5;66" in first
    assert "♔" in first
    terminal.type("d2-")
    terminal.read("d2-c2")
    # The Tab key completes a move: the first target is a2.
    terminal.type("\t\t\t\r")
    second = terminal.read("coup 2 :")
    assert "(·)" in bare(second)
    # Ctrl-C explains itself, and then leaves.
    terminal.type("\x03")
    terminal.read("`quitter`")
    terminal.read("coup 2 :")
    terminal.type("\x03")
    terminal.read("--resume")
    assert terminal.close() == 0
    kept = list(tmp_path.rglob("*.tafl"))
    assert len(kept) == 1
    assert str(load_records(kept[0]).records[0].nodes[0].move) == "d2-c2"


def test_a_game_is_left_by_its_command(terminal_of: Opening, tmp_path: Path) -> None:
    terminal = terminal_of("brandub-globe", "--plain")
    terminal.read("coup 1 :")
    terminal.type("plateau\n")
    terminal.read("Attaquants : a4, b4")
    terminal.type("d2-c2\n")
    terminal.read("coup 2 :")
    terminal.type("quitter\n")
    terminal.read("--resume")
    assert terminal.close() == 0
    # Plain mode draws nothing.
    assert "\x1b" not in terminal.seen
    assert len(list(tmp_path.rglob("*.tafl"))) == 1


@pytest.mark.parametrize("settings", [{"TERM": "dumb"}, *deep({"TERM": ""})])
def test_a_terminal_without_skills_gets_lines(
    terminal_of: Opening, settings: dict[str, str], tmp_path: Path
) -> None:
    terminal = terminal_of("brandub-globe", **settings)
    terminal.read("coup 1 :")
    terminal.type("d2-c2\n")
    terminal.read("coup 2 :")
    terminal.type("\x04")
    assert terminal.close() == 0
    assert "\x1b" not in terminal.seen
    assert list(tmp_path.rglob("*.tafl"))


def test_the_game_that_was_played_last_is_taken_up(terminal_of: Opening) -> None:
    terminal = terminal_of("brandub-globe")
    terminal.read("coup 1 :")
    terminal.type("d2-c2\r")
    terminal.read("coup 2 :")
    terminal.process.send_signal(signal.SIGKILL)
    assert terminal.close() == -signal.SIGKILL
    # No colour is shown where none is wanted.
    assert "48;5;" in terminal.seen
    again = terminal_of("--resume", NO_COLOR="1")
    assert "48;5;" not in again.read("coup 2 :")
    again.type("\x04")
    assert again.close() == 0


def session(identity: str, position: str | None = None, mode: str = "auto") -> Session:
    found = variant(identity)
    return Session(found, found.new_called_game(mode, Setup(position) if position else None))


def completions(here: Session, text: str) -> list[str]:
    found = MoveCompleter(here).get_completions(Document(text), CompleteEvent())
    return [one.text for one in found]


def test_completion_goes_square_by_square(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HNEFI_LANG", "en")
    here = session("brandub-globe")
    assert completions(here, "") == []
    assert completions(here, "a") == ["a4"]
    assert completions(here, "d") == ["d1", "d2", "d6", "d7"]
    assert completions(here, "d2") == [f"d2-{target}" for target in ("a2", "b2", "c2", "e2", "f2", "g2")]
    assert completions(here, "d2-g") == completions(here, "D2g") == ["d2-g2"]
    assert completions(here, "e4") == []
    assert completions(here, "un") == ["undo"]
    assert completions(here, "dr") == ["draw"]


def test_completion_is_translated_and_includes_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HNEFI_LANG", "fr")
    assert completions(session("brandub-globe"), "ann") == ["annuler"]
    here = session("gwezboell-globe", "9/9/9/9/2K6/9/9/9/6t2 d", "manual")
    assert completions(here, "c5-a5 ") == ["raichi", "tuichi"]
    assert completions(here, "c5-a5 t") == ["tuichi"]
    assert completions(session("gwezboell-globe"), "d1-c1 ") == []
    assert completions(session("brandub-globe", "7/7/7/3K3/7/7/4t2 d", "manual"), "d4a4 une") == [
        "une sortie"
    ]


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("", None),
        ("   ", None),
        ("d2-c2", TypedMove("d2-c2")),
        ("d2 c2", TypedMove("d2-c2")),
        ("d2 → c2", TypedMove("d2-c2")),
        ("d2-c2xc3", TypedMove("d2-c2xc3")),
        ("c5-a5!1", TypedMove("c5-a5", 1)),
        ("c5-a5 !2", TypedMove("c5-a5", 2)),
        ("c5 a5 Raichi !", TypedMove("c5-a5", 1)),
        ("c5-a5 tuichi!", TypedMove("c5-a5", 2)),
        ("h2-h3 Gare au roi !", TypedMove("h2-h3", 0, warns=True)),
        ("undo 3", Action("undo", "3")),
        ("/HELP", Action("help")),
        ("?", Action("help")),
    ],
)
def test_typed_input_is_parsed(line: str, typed: object) -> None:
    assert parse_line(line, variant("tablut-geoludie")) == typed


def test_squares_and_invalid_input_are_distinguished() -> None:
    here = variant("tablut-geoludie")
    square = parse_line("E5 tuichi", here)
    assert isinstance(square, TypedSquare)
    assert (square.square.name, square.call) == ("e5", 2)
    for line in ("e5-e6 nonsense", "e5-", "zz", "!", "e5!e6", "raichi"):
        assert isinstance(parse_line(line, here), InvalidLine), line


def test_the_computer_shows_that_it_thinks_and_waits_on_ctrl_c(terminal_of: Opening) -> None:
    terminal = terminal_of("tablut-kouvia", "--against", "computer", "--level", "10", "--side", "defenders")
    terminal.read("Aigle (ordinateur, niveau 10) réfléchit")
    terminal.process.send_signal(signal.SIGINT)
    terminal.read("L’ordinateur est en pause.")
    terminal.type("\r")
    terminal.read("Aigle (ordinateur, niveau 10) réfléchit")
    terminal.read("coup 2 :")
    terminal.type("quitter\r")
    terminal.read("--resume")
    assert terminal.close() == 0


def test_the_program_announces_roads_in_the_words_of_the_text() -> None:
    out = play("gwezboell-globe", "--position", EXITS, lines="c5-a5")
    assert "Tuichi! Two roads: only one can be shut." in out
    assert "2 open roads for the king: a1, a9." in out
    french = play("gwezboell-globe", "--position", EXITS, "--lang", "fr", lines="c5-a5;g1-a1")
    assert "Tuichi ! Deux routes : on n’en ferme qu’une." in french
    brandub = play("brandub-globe", "--position", "7/7/7/3K3/7/7/t6 d", "--lang", "fr", lines="d4-a4")
    assert "Une sortie ! Une route est ouverte." in brandub
    assert "1 route ouverte pour le roi : a7." in brandub


def test_threats_to_the_king_are_announced_if_the_variant_has_them() -> None:
    position = "9/9/2t6/1tK6/2t6/9/9/5t3/9 a"
    assert "Watch your king!" in play("tablut-geoludie", "--position", position, lines="f2-f6")
    french = play("tablut-geoludie", "--position", position, "--lang", "fr", lines="f2-f6")
    assert "Gare au roi !" in french
    assert "Le roi est en danger." in french
    assert "Watch" not in play("tablut-geoludie", "--position", position, "--calls", "off", lines="f2-f6")
    by_hand = play("tablut-geoludie", "--position", position, "--calls", "manual", lines="f2-f6 gare au roi")
    assert "Watch your king!" in by_hand
    assert "in danger" not in by_hand


def test_a_forgotten_call_is_punished_and_the_record_shows_it(tmp_path: Path) -> None:
    args = ("gwezboell-globe", "--calls", "manual", "--position", EXITS, "-o", "game.tafl")
    out = play(*args, lines="c5-a5;g1-g2;a5-a9;g1-b1;a5-a9;")
    assert "Neither “raichi” nor “tuichi” was called: the escape does not count. The attackers replay." in out
    assert "The piece on g1 must be replayed." in out
    assert "open" not in out.replace(str(tmp_path), "")
    assert "The king has escaped. The king’s side wins." in out
    assert (
        moves_of("game.tafl") == "1. c5-a5 2. g1-g2 taken_back 3. a5-a9 refused 2. g1-b1 3. a5-a9 defenders"
    )
    assert load_records("game.tafl").records[0].replay().ok


def test_a_wrong_number_is_punished_where_it_counts_as_forgotten() -> None:
    position = "7/7/2K4/7/7/7/3t3 d"
    args = ("brandub-globe", "--calls", "manual", "--position", position, "-o", "game.tafl")
    out = play(*args, lines="c5-a5 one exit;d1-d2;a5-a7;d1-b1;a5-a7;")
    assert "“two exits” was not called: the escape does not count. The attackers replay." in out
    assert moves_of("game.tafl").startswith("1. c5-a5!1 2. d1-d2 taken_back 3. a5-a7 refused 2. d1-b1")
    assert load_records("game.tafl").records[0].replay().ok
    lenient = play(*args[:-2], "--switch", "wrong_number=call", lines="c5-a5 one exit;d1-d2;a5-a7")
    assert "The king’s side wins." in lenient
    one_road = play(*args[:-3], "t6/7/2K4/7/7/7/3t3 d", lines="c5-a5 two exits;d1-d2;a5-a1")
    assert "“one exit” was not called" in one_road


@pytest.mark.parametrize("call", [" tuichi", "!2", " !2", "!", " deux", " TUICHI!", " raichi"])
def test_calls_are_typed_behind_the_move(call: str) -> None:
    args = ("gwezboell-globe", "--calls", "manual", "--position", EXITS, "-o", "game.tafl")
    out = play(*args, lines=f"c5-a5{call};g1-g2;a5-a9;")
    if call in ("!", " deux"):
        assert ("is not a move" in out) == (call == " deux")
    else:
        assert "The king has escaped. The king’s side wins." in out
        assert moves_of("game.tafl").startswith(f"1. c5-a5!{1 if 'raichi' in call else 2} 2. g1-g2 3. a5-a9")
    assert load_records("game.tafl").records[0].replay().ok


def test_brandub_calls_have_their_names() -> None:
    args = ("brandub-globe", "--calls", "manual", "--position", "7/7/7/3K3/7/7/4t2 d")
    for call in ("two exits", "deux sorties"):
        assert "Two exits!" in play(*args, lines=f"d4-a4 {call}")
    assert "Deux sorties !" in play(*args, "--lang", "fr", lines="d4-a4 two exits")


def test_invalid_calls_are_refused() -> None:
    args = ("gwezboell-globe", "--calls", "manual", "--position", EXITS)
    out = play(*args, lines="c5-d5 raichi;raichi;c5-d5 gare;c5-a5;g1-g2 tuichi")
    assert "There is nothing to call after this move" in out
    assert "A call belongs to a move" in out
    assert "Only the king’s side calls open roads." in out
    off = play(
        "gwezboell-globe", "--calls", "off", "--position", EXITS, lines="c5-a5 tuichi;c5-a5;g1-g2;a5-a9"
    )
    assert "There are no calls in this game" in off
    assert "The king has escaped." in off
    auto = play("gwezboell-globe", "--position", EXITS, lines="c5-a5 raichi")
    assert "Tuichi!" in auto


@pytest.mark.parametrize(
    ("calls", "typed", "recorded"),
    [("auto", "", "!2"), ("manual", " tuichi", "!2"), ("manual", "", ""), ("off", "", "")],
)
def test_tuichi_is_reported_once_when_it_wins(calls: str, typed: str, recorded: str) -> None:
    args = ("tablut-kouvia", "--calls", calls, "--position", EXITS, "-o", "game.tafl")
    out = play(*args, lines=f"c5-a5{typed};")
    assert "Tuichi! Two roads are open, and only one can be shut. The king’s side wins." in out
    assert out.count("Tuichi!") == 1
    assert moves_of("game.tafl") == f"1. c5-a5{recorded} defenders"
    assert load_records("game.tafl").records[0].replay().ok
    french = play(*args[:-2], "--lang", "fr", lines=f"c5-a5{typed};")
    assert "Tuichi ! Deux routes sont ouvertes, on n’en ferme qu’une. Le camp du roi gagne." in french


@pytest.mark.parametrize(
    ("variant_id", "one", "two", "danger"),
    [
        ("tablut-geoludie", "raichi", "tuichi", "gare au roi"),
        ("gwezboell-globe", "raichi", "tuichi", None),
        ("brandub-globe", "une sortie", "deux sorties", None),
    ],
)
def test_the_help_lists_the_calls_of_the_variant(
    variant_id: str, one: str, two: str, danger: str | None
) -> None:
    out = play(variant_id, "--calls", "manual", "--lang", "fr", lines="?")
    assert f"`c5-a5 {one}` ou `c5-a5 !1`" in out
    assert f"`c5-a5 {two}` ou `c5-a5 !2`" in out
    assert ("Les attaquants annoncent aussi" in out) == (danger is not None)
    assert danger is None or f"`f2-f6 {danger}`" in out


def test_a_refusal_can_be_taken_back() -> None:
    args = ("gwezboell-globe", "--calls", "manual", "--position", EXITS)
    out = play(*args, lines="c5-a5;g1-g2;a5-a9;undo;a5-b5")
    assert "Defenders: a5-b5" in out
