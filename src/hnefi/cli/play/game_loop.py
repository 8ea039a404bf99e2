"""The game loop: reads lines, plays moves, draws the board, saves the game."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hnefi import i18n
from hnefi._core import Square, format_move
from hnefi.cli.faults import CommandError
from hnefi.cli.play.actions import AfterLine, destinations, perform
from hnefi.cli.play.current_game import CurrentGame
from hnefi.cli.play.game_files import GameFile
from hnefi.cli.play.keyboard import Keyboard
from hnefi.cli.play.line_input import (
    Action,
    InvalidLine,
    ParsedLine,
    TypedMove,
    TypedSquare,
    call_words,
    parse_line,
)
from hnefi.cli.play.names import displayed_name
from hnefi.cli.play.screen import Screen, report_lines
from hnefi.cli.play.session import CallRefused
from hnefi.cli.texts import error_text, translate
from hnefi.errors import EngineError, IllegalMove
from hnefi.pieces import Side

if TYPE_CHECKING:
    from hnefi.cli.play.opponent import Opponent
    from hnefi.engine import AnalysisLine


class GameLoop:
    """Connects keyboard, screen, game file and opponent."""

    def __init__(
        self, keyboard: Keyboard, screen: Screen, game_file: GameFile, opponent: "Opponent | None" = None
    ) -> None:
        self.keyboard = keyboard
        self.screen = screen
        self.game_file = game_file
        self.opponent = opponent
        self._interrupted = False
        self._opponent_waits = False

    def play(self, current: CurrentGame) -> bool:
        """Plays a game to its end; returns whether the players go on."""
        self.save(current)
        game = current.session.game
        if game.passed and game.turn and not game.ply_count:
            self.screen.write(translate(f"play.passed.{game.turn.opponent.value}"))
        if (moves := current.session.called.legal_moves()) and not current.session.outcome:
            self.screen.write(translate("play.hint", move=format_move(moves[0])))
        self._show(current)
        while True:
            if self.is_computers_turn(current) and not self._opponent_waits:
                self._let_opponent_move(current)
                continue
            line = self._ask(current)
            self._opponent_waits = False
            if line is None:
                return False
            typed = parse_line(line, current.session.variant)
            if typed is None and current.session.outcome is not None:
                return True
            follows = self._take(current, typed, line)
            if follows is AfterLine.LEAVE:
                return False
            if follows is AfterLine.POSITION:
                current.chosen = None
            if follows is AfterLine.POSITION or self.screen.redraws:
                self._show(current)

    def save(self, current: CurrentGame) -> None:
        """Saves the game; prints the error if that fails, and the game goes on."""
        try:
            self.game_file.save(current.records)
        except CommandError as error:
            self.screen.write(self.screen.loss(error_text(error)))

    def tell(self, lines: str | Iterable[str]) -> AfterLine:
        """Writes lines under the position, which is unchanged."""
        self.screen.write(lines)
        return AfterLine.MESSAGE

    def is_computers_turn(self, current: CurrentGame) -> bool:
        """Checks whether the computer is to move."""
        turn = current.session.turn
        if self.opponent is None or turn is None or current.sides is None:
            return False
        return current.sides.player(turn) == self.opponent.name

    def agrees_to_draw(self, current: CurrentGame, side: Side) -> bool:
        """Asks the opponent, a person or the computer, to accept a draw."""
        if self.opponent is not None and current.sides and current.sides.player(side) == self.opponent.name:
            try:
                return self.opponent.accepts_draw(current.session.called, side)
            except EngineError as error:
                self.screen.write(self.screen.loss(error_text(error)))
                return False
        return self.confirms(translate("play.draw.question", who=current.name(side)))

    def hint(self, current: CurrentGame) -> "AnalysisLine | None":
        """Searches for a good move; returns None if interrupted or failed."""
        from hnefi.cli.play.opponent import Opponent

        helper = self.opponent or Opponent.at_level(1)
        try:
            self.screen.write_transient(translate("play.thinking.hint"))
            return helper.hint(current.session.called)
        except KeyboardInterrupt:
            return None
        except EngineError as error:
            self.screen.write(self.screen.loss(error_text(error)))
            return None
        finally:
            if helper is not self.opponent:
                helper.close()

    def _let_opponent_move(self, current: CurrentGame) -> None:
        """Plays the computer's move; Ctrl-C interrupts it."""
        assert self.opponent is not None
        try:
            self.screen.write_transient(translate("play.thinking", name=displayed_name(self.opponent.name)))
            typed = self.opponent.choose(current.session.variant, current.session.called)
        except KeyboardInterrupt:
            self._opponent_waits = True
            self.screen.write(translate("play.thinking.interrupted"))
            self.screen.flush()
            return
        except EngineError as error:
            self._opponent_waits = True
            self.screen.write(self.screen.loss(error_text(error)))
            self.screen.write(translate("play.thinking.failed"))
            self.screen.flush()
            return
        self._move(current, typed)
        current.chosen = None
        self._show(current)

    def confirms(self, question: str) -> bool:
        """Asks a yes-or-no question; anything but yes is no."""
        try:
            answer = self.keyboard.ask(f"{question} ")
        except KeyboardInterrupt:
            return False
        yes = ",".join(i18n.text("play.yes", code) for code in i18n.languages())
        return answer is not None and answer.strip().casefold() in [word.strip() for word in yes.split(",")]

    def _show(self, current: CurrentGame) -> None:
        self.screen.position(current.session, current.title)

    def _ask(self, current: CurrentGame) -> str | None:
        """Reads a line; the first Ctrl-C explains how to leave, the second leaves."""
        while True:
            try:
                line = self.keyboard.ask(current.prompt, current.session)
            except KeyboardInterrupt:
                if self._interrupted:
                    return None
                self._interrupted = True
                self.screen.write(translate("play.interrupted"))
                self.screen.flush()
            else:
                self._interrupted = False
                return line

    def _take(self, current: CurrentGame, typed: ParsedLine | None, line: str) -> AfterLine:
        position = current.session.game.position
        if position.may_end_turn and position.going and line.strip(" !\n").casefold() == "stop":
            typed = TypedMove(f"{position.going.name}-{position.going.name}")
        if isinstance(typed, Action):
            return perform(self, current, typed)
        if typed is None:
            return AfterLine.POSITION
        if current.session.outcome is not None:
            return self.tell(translate("play.is_over"))
        if self.is_computers_turn(current) and not isinstance(typed, InvalidLine):
            return self.tell(translate("play.thinking.its_turn"))
        if isinstance(typed, TypedMove):
            return self._move(current, typed)
        if isinstance(typed, TypedSquare):
            return self._square(current, typed)
        lines = [error_text(typed.error)]
        if line.strip(" !\n").casefold() in call_words(current.session.variant):
            lines.append(translate("play.call.alone"))
        elif typed.near is not None:
            lines.append(translate("play.unclear", word=typed.near))
        return self.tell(lines)

    def _move(self, current: CurrentGame, typed: TypedMove) -> AfterLine:
        try:
            happened = current.session.play(typed.text, typed.call, warns=typed.warns)
        except CallRefused as error:
            return self.tell(translate(f"play.{error.code}"))
        except IllegalMove as error:
            return self.tell(self.screen.loss(error_text(error)))
        self.save(current)
        self.screen.write(report_lines(happened, current.session, self.screen))
        return AfterLine.POSITION

    def _square(self, current: CurrentGame, typed: TypedSquare) -> AfterLine:
        """Moves the chosen piece to a square, or lists the moves of the piece on it."""
        chosen, square = current.chosen, typed.square
        if chosen and any(move.to_square == square for move in current.session.moves_from(chosen)):
            return self._move(current, TypedMove(f"{chosen.name}-{square.name}", typed.call, typed.warns))
        if current.session.moves_from(square):
            current.chosen = square
            squares = destinations(current, square)
            lines = [translate("play.destinations", square=square.name, squares=squares)]
            return self.tell([*lines, translate("play.destinations.choose")])
        return self.tell(_about(current, square))


def _about(current: CurrentGame, square: Square) -> str:
    """Returns a sentence about a square from which no move starts."""
    session = current.session
    size = session.variant.rules.size
    if square.file >= size or square.rank >= size:
        return translate("error.not_on_board", square=square.name)
    piece = session.game.position.piece_at(square)
    if piece is None:
        origins = sorted({move.from_square.name for move in session.moves_to(square)})
        if origins:
            return translate("play.square.reached", square=square.name, squares=", ".join(origins))
        return translate("play.square.empty", square=square.name)
    key = "play.square.stuck" if piece.side is session.turn else "play.square.theirs"
    return translate(key, square=square.name, a_piece=translate(f"a_piece.{piece.value}"))
