"""Screen output: the board, what the last move did, and the state of the game."""

import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Sequence

import click

from hnefi._core import CalledGame, Game
from hnefi.cli.output import colour_depth, needs_ascii
from hnefi.cli.play.keyboard import MENU_LINES
from hnefi.cli.play.line_input import call_word
from hnefi.cli.play.session import MoveReport, Session
from hnefi.cli.texts import language, outcome_text, translate, translate_plural
from hnefi.diagram import text as board_text
from hnefi.diagram.alt import board_sentences
from hnefi.diagram.scene import scene_of
from hnefi.pieces import Piece, Side
from hnefi.variants.model import Variant
from hnefi.words.nouns import capitalised

_HOME_AND_CLEAR = "\x1b[H\x1b[2J"
# Calls have a yellow background, losses are red; the text states both.
_CALL, _STRONG, _LOSS, _END = "\x1b[48;5;179;38;5;233m", "\x1b[1m", "\x1b[38;5;167m", "\x1b[0m"
_SIGNS = {"attacker": "▲", "defender": "○", "king": "♔", "throne": "×", "corner": "□", "camp": ":"}
_SIGNS |= {"attacker_commander": "▼", "attacker_knight": "◆"}
_SIGNS |= {"defender_commander": "▽", "defender_knight": "◇"}
_SIGNS |= {"attacker_renegade": "★", "defender_renegade": "☆"}
_ASCII_SIGNS = {piece.value: piece.letter for piece in Piece} | {"throne": "+", "corner": "#", "camp": ":"}
# Texts of more lines than this replace the board on a small screen.
_LONG_TEXT = 6
# The quiet counter is spelled out this many moves before the draw.
_WARN_QUIET = 6


class Screen:
    """Writes to a terminal or a pipe.

    Attributes:
        plain: Whether to write words only, for screen readers.
        redraws: Whether the screen is cleared for each position.
        turned: Whether the board is seen from the other side.
    """

    def __init__(self, *, plain: bool, redraws: bool) -> None:
        self.plain = plain
        self.redraws = redraws and not plain
        self.turned = False
        self._colour = "none" if plain else colour_depth()
        self._ascii_only = needs_ascii()
        self._waiting: list[str] = []
        self._told_captures = ""

    def write(self, lines: str | Iterable[str]) -> None:
        """Writes lines at once, or under the next board if the screen is redrawn."""
        added = [lines] if isinstance(lines, str) else list(lines)
        if self.redraws:
            self._waiting += added
        else:
            self._print(added)

    def show(self, text: str) -> None:
        """Shows a long text: page by page in a terminal."""
        if self.redraws:
            # With None, click finds out whether the pager can show colours.
            click.echo_via_pager(text, color=None if self._colour != "none" else False)
        else:
            self._print([text])

    def write_transient(self, text: str) -> None:
        """Writes a text at once; a redraw removes it."""
        self._print([text])

    def position(self, session: Session, title: str) -> None:
        """Draws the position and its status lines; plain mode omits the board, and captures told before."""
        lines = list(status_lines(session))
        if self.plain:
            before, self._told_captures = self._told_captures, _captures_line(session)
            self._print([line for line in lines if line != before])
            return
        drawn = [self.board(session), ""]
        if self.redraws:
            shown = self._fitting(self.strong(title), drawn, lines)
            self._print([f"{_HOME_AND_CLEAR}{shown[0]}", *shown[1:]])
            self._waiting = []
        else:
            self._print(["", *drawn, *lines])

    def _fitting(self, title: str, drawn: list[str], status: list[str]) -> list[str]:
        """Returns the lines that fit the screen; a long text replaces the board."""
        room = shutil.get_terminal_size().lines - MENU_LINES - 1
        below = [*status, "", *self._waiting] if status else self._waiting
        whole = [title, "", *drawn, *below]
        if len("\n".join(whole).split("\n")) <= room:
            return whole
        return self._waiting if len(self._waiting) > _LONG_TEXT else [*drawn[:1], *below]

    def flush(self) -> None:
        """Writes the lines that wait for the next board."""
        self._print(self._waiting)
        self._waiting = []

    def board(self, session: Session) -> str:
        """Returns the drawn board; in plain mode the pieces and the captures in words."""
        if self.plain:
            sentences = (*board_sentences(scene_of(session.game), language()), _captures_line(session))
            return "\n".join(filter(None, sentences))
        return board_text(session.game, colour=self._colour, ascii_only=self._ascii_only, turned=self.turned)

    def legend(self, session: Session) -> str:
        """Returns the legend of the board signs."""
        rules = session.variant.rules
        there = {"throne": rules.throne, "corner": rules.corners, "camp": rules.camps}
        standing = set(rules.start.pieces.values())
        there_are = [piece.value for piece in Piece if piece in standing or piece.soldier is piece]
        names = [*there_are, *(name for name, squares in there.items() if squares)]
        signs = _ASCII_SIGNS if self._ascii_only else _SIGNS
        return ", ".join(f"{signs[name]} {translate(f'play.sign.{name}')}" for name in names)

    def strong(self, text: str) -> str:
        """Returns a text in bold, if the terminal has it."""
        return self._in(_STRONG, text)

    def style_call(self, text: str) -> str:
        """Returns a text styled as a call."""
        return self._in(_CALL, f" {text} ") if self._colour != "none" else text

    def loss(self, text: str) -> str:
        """Returns a text styled as a loss."""
        return self._in(_LOSS, text)

    def _in(self, style: str, text: str) -> str:
        return f"{style}{text}{_END}" if self._colour != "none" else text

    def _print(self, lines: Sequence[str]) -> None:
        for line in lines:
            click.echo(line, color=True)
        if sys.stdout is not None:
            sys.stdout.flush()


def report_lines(happened: MoveReport, session: Session, screen: Screen) -> list[str]:
    """Returns the lines that report a move."""
    side = happened.side.value
    if happened.refused:
        return _refusal_lines(session.called, session.variant, screen)
    captured = [square.name for square in happened.captures]
    lines = [translate(f"play.moved.{side}", move=happened.written)]
    if captured:
        taken = translate_plural(f"play.captured.{happened.side.opponent.value}", len(captured))
        lines.append(screen.loss(translate("play.captured", pieces=taken, squares=", ".join(captured))))
    if happened.passed:
        lines.append(translate(f"play.passed.{happened.side.opponent.value}"))
    # The sentence of the outcome repeats the call that wins.
    if happened.call and happened.outcome is None:
        lines.append(screen.style_call(_call_line(session, happened.call)))
    if happened.warned:
        lines.append(screen.style_call(_called_out(session.variant, "king_in_danger")))
    if happened.outcome:
        lines.append(screen.strong(outcome_text(happened.outcome)))
    return lines


def _refusal_lines(called: CalledGame, variant: Variant, screen: Screen) -> list[str]:
    """Returns the lines that report a refused escape and the missing call."""
    one, two = call_word(variant, "one_exit"), call_word(variant, "two_exits")
    if called.wrong_number == "forgotten":
        line = translate("play.refused.number", word=one if called.required == 1 else two)
    else:
        line = translate("play.refused", one=one, two=two)
    lines = [screen.style_call(line)]
    if called.must_replay:
        lines.append(translate("play.refused.same_piece", square=called.must_replay.name))
    else:
        lines.append(translate("play.refused.any_piece"))
    return lines


def _call_line(session: Session, call: int) -> str:
    key = "one_exit" if call == 1 else "two_exits"
    required = session.called.required
    meaning = f" {translate(f'play.roads.{required}')}" if required else ""
    return f"{_called_out(session.variant, key)}{meaning}"


def _called_out(variant: Variant, key: str) -> str:
    """Returns a call as it is announced: "Raichi!" """
    word = call_word(variant, key)
    return translate("play.called", word=capitalised(word))


def status_lines(session: Session) -> Iterable[str]:
    """Returns the lines about captures, counters and duties."""
    game, called = session.game, session.called
    if captures := _captures_line(session):
        yield captures
    if session.outcome is not None:
        return
    yield from _quiet_lines(game, session.variant)
    yield from _repetition_lines(game, session.variant)
    if game.position.going is not None:
        key = "play.going.may" if game.position.may_end_turn else "play.going.must"
        yield translate(key, square=game.position.going.name)
    if called.must_replay is not None:
        yield translate("play.must_replay", square=called.must_replay.name)
    if _is_advised(session):
        open_roads = game.position.open_roads
        if open_roads:
            squares = ", ".join(sorted(move.to_square.name for move in open_roads))
            yield translate_plural("play.exits", len(open_roads), squares=squares)
        if game.position.threatened_king:
            yield translate("play.king_in_danger")


def _is_advised(session: Session) -> bool:
    """Checks whether open roads and threats are shown; not with manual calls."""
    return session.called.mode == "auto" or (session.variant.calls is None and session.advises)


def _captures_line(session: Session) -> str:
    """Returns a line about the captures since the start; an empty one without captures."""
    before = Counter(piece.soldier for piece in session.start.game.position.pieces.values())
    now = Counter(piece.soldier for piece in session.game.position.pieces.values())
    parts = []
    for piece, side in ((Piece.ATTACKER, Side.ATTACKERS), (Piece.DEFENDER, Side.DEFENDERS)):
        gone = before[piece] - now[piece]
        if gone > 0:
            parts.append(translate_plural(f"play.captured.{side.value}", gone))
    return translate("play.taken", pieces=", ".join(parts)) if parts else ""


def _quiet_lines(game: Game, variant: Variant) -> Iterable[str]:
    limit = variant.tree.ends.quiet_limit
    if not limit:
        return
    left = limit - game.quiet
    if left <= _WARN_QUIET:
        yield translate_plural("play.quiet_warning", left, quiet=game.quiet)
    elif game.quiet:
        yield translate("play.quiet", quiet=game.quiet, limit=limit)


def _repetition_lines(game: Game, variant: Variant) -> Iterable[str]:
    repetition = variant.tree.ends.repetition
    if repetition.count and game.repetitions > 1:
        yield translate(
            f"play.repetition.{repetition.result}", times=game.repetitions, count=repetition.count
        )
