"""The table at which a game is played: lines are typed, moves made, and everything is shown and kept."""

from typing import TYPE_CHECKING

from hnefi import i18n
from hnefi._core import Square, format_move
from hnefi.cli.faults import CommandError
from hnefi.cli.play.keeping import Keeper
from hnefi.cli.play.keyboard import Keyboard
from hnefi.cli.play.orders import Next, destinations, obey
from hnefi.cli.play.screen import Screen, happened_lines
from hnefi.cli.play.seat import Seat
from hnefi.cli.play.session import CallRefused
from hnefi.cli.play.typed import AskedSquare, Nothing, Order, TypedMove, Unclear, call_words, read_line
from hnefi.cli.speech import say, say_error
from hnefi.errors import EngineError, IllegalMove
from hnefi.pieces import Side

if TYPE_CHECKING:
    from hnefi.cli.play.opponent import Opponent
    from hnefi.engine import AnalysisLine

__all__ = ["Table"]


class Table:
    """Keyboard, screen, and the file in which games are kept."""

    def __init__(
        self, keyboard: Keyboard, screen: Screen, keeper: Keeper, opponent: "Opponent | None" = None
    ) -> None:
        self.keyboard = keyboard
        self.screen = screen
        self.keeper = keeper
        self.opponent = opponent
        self._interrupted = False
        self._opponent_waits = False

    def play(self, seat: Seat) -> bool:
        """Plays a game to its end; tells whether the players stay, and do not leave."""
        self.keep(seat)
        game = seat.session.game
        if game.passed and game.turn and not game.ply_count:
            self.screen.tell(say(f"play.passed.{game.turn.opponent.value}"))
        if (moves := seat.session.called.legal_moves()) and not seat.session.outcome:
            self.screen.tell(say("play.hint", move=format_move(moves[0])))
        self._show(seat)
        while True:
            if self.is_computers_turn(seat) and not self._opponent_waits:
                self._let_opponent_move(seat)
                continue
            line = self._ask(seat)
            self._opponent_waits = False
            if line is None:
                return False
            typed = read_line(line, seat.session.variant)
            if isinstance(typed, Nothing) and seat.session.outcome is not None:
                return True
            follows = self._take(seat, typed, line)
            if follows is Next.LEAVE:
                return False
            if follows is Next.POSITION:
                seat.chosen = None
            if follows is Next.POSITION or self.screen.redraws:
                self._show(seat)

    def keep(self, seat: Seat) -> None:
        """Keeps the game in its file; if that fails it is said, and the game goes on."""
        try:
            self.keeper.keep(seat.records)
        except CommandError as error:
            self.screen.tell(self.screen.loss(say_error(error)))

    def is_computers_turn(self, seat: Seat) -> bool:
        """Tells whether the computer is to move."""
        turn = seat.session.turn
        if self.opponent is None or turn is None or seat.sides is None:
            return False
        return seat.sides.player(turn) == self.opponent.name

    def agrees_to_draw(self, seat: Seat, side: Side) -> bool:
        """Asks the player of a side, or the computer, whether he agrees to a draw."""
        if self.opponent is not None and seat.sides and seat.sides.player(side) == self.opponent.name:
            try:
                return self.opponent.accepts_draw(seat.session.called, side)
            except EngineError as error:
                self.screen.tell(self.screen.loss(say_error(error)))
                return False
        return self.confirms(say("play.draw.question", who=seat.name(side)))

    def hint(self, seat: Seat) -> "AnalysisLine | None":
        """Looks for a good move; None if that was interrupted, or failed."""
        from hnefi.cli.play.opponent import Opponent

        helper = self.opponent or Opponent.at_level(1)
        try:
            self.screen.passing(say("play.thinking.hint"))
            return helper.hint(seat.session.called)
        except KeyboardInterrupt:
            return None
        except EngineError as error:
            self.screen.tell(self.screen.loss(say_error(error)))
            return None
        finally:
            if helper is not self.opponent:
                helper.close()

    def _let_opponent_move(self, seat: Seat) -> None:
        """Has the computer move; Ctrl-C makes it wait."""
        assert self.opponent is not None
        try:
            self.screen.passing(say("play.thinking", name=self.opponent.name))
            typed = self.opponent.choose(seat.session.variant, seat.session.called)
        except KeyboardInterrupt:
            self._opponent_waits = True
            self.screen.tell(say("play.thinking.interrupted"))
            self.screen.flush()
            return
        except EngineError as error:
            self._opponent_waits = True
            self.screen.tell(self.screen.loss(say_error(error)))
            self.screen.tell(say("play.thinking.failed"))
            self.screen.flush()
            return
        self._move(seat, typed)
        seat.chosen = None
        self._show(seat)

    def confirms(self, question: str) -> bool:
        """Asks a question that is answered by yes or no; whatever is not yes is no."""
        try:
            answer = self.keyboard.ask(f"{question} ")
        except KeyboardInterrupt:
            return False
        yes = ",".join(i18n.text("play.yes", code) for code in i18n.languages())
        return answer is not None and answer.strip().casefold() in [word.strip() for word in yes.split(",")]

    def _show(self, seat: Seat) -> None:
        self.screen.position(seat.session, seat.title)

    def _ask(self, seat: Seat) -> str | None:
        """Asks for a line; Ctrl-C is answered once with how to leave, the second time it leaves."""
        while True:
            try:
                line = self.keyboard.ask(seat.prompt, seat.session)
            except KeyboardInterrupt:
                if self._interrupted:
                    return None
                self._interrupted = True
                self.screen.tell(say("play.interrupted"))
                self.screen.flush()
            else:
                self._interrupted = False
                return line

    def _take(self, seat: Seat, typed: object, line: str) -> Next:
        position = seat.session.game.position
        if position.may_end_turn and position.going and line.strip(" !\n").casefold() == "stop":
            typed = TypedMove(f"{position.going.name}-{position.going.name}")
        if isinstance(typed, Order):
            return obey(self, seat, typed)
        if isinstance(typed, Nothing):
            return Next.POSITION
        if seat.session.outcome is not None:
            self.screen.tell(say("play.is_over"))
            return Next.MESSAGE
        if self.is_computers_turn(seat) and not isinstance(typed, Unclear):
            self.screen.tell(say("play.thinking.its_turn"))
            return Next.MESSAGE
        if isinstance(typed, TypedMove):
            return self._move(seat, typed)
        if isinstance(typed, AskedSquare):
            return self._square(seat, typed)
        assert isinstance(typed, Unclear)
        self.screen.tell(say_error(typed.error))
        if line.strip(" !\n").casefold() in call_words(seat.session.variant):
            self.screen.tell(say("play.call.alone"))
        elif typed.near is not None:
            self.screen.tell(say("play.unclear", word=typed.near))
        return Next.MESSAGE

    def _move(self, seat: Seat, typed: TypedMove) -> Next:
        try:
            happened = seat.session.play(typed.text, typed.call, warns=typed.warns)
        except CallRefused as error:
            self.screen.tell(say(f"play.{error.code}"))
            return Next.MESSAGE
        except IllegalMove as error:
            self.screen.tell(self.screen.loss(say_error(error)))
            return Next.MESSAGE
        self.keep(seat)
        self.screen.tell(happened_lines(happened, seat.session, self.screen))
        return Next.POSITION

    def _square(self, seat: Seat, typed: AskedSquare) -> Next:
        """Goes to a square with the piece that was chosen, or tells what can be done there."""
        chosen, square = seat.chosen, typed.square
        if chosen and any(move.to_square == square for move in seat.session.moves_from(chosen)):
            return self._move(seat, TypedMove(f"{chosen.name}-{square.name}", typed.call, typed.warns))
        if seat.session.moves_from(square):
            seat.chosen = square
            self.screen.tell(say("play.destinations", square=square.name, squares=destinations(seat, square)))
            self.screen.tell(say("play.destinations.choose"))
        else:
            self.screen.tell(_about(seat, square))
        return Next.MESSAGE


def _about(seat: Seat, square: Square) -> str:
    """Tells what a square is good for from which nothing can be played."""
    session = seat.session
    size = session.variant.rules.size
    if square.file >= size or square.rank >= size:
        return say("error.not_on_board", square=square.name)
    piece = session.game.position.piece_at(square)
    if piece is None:
        origins = sorted({move.from_square.name for move in session.moves_to(square)})
        if origins:
            return say("play.square.reached", square=square.name, squares=", ".join(origins))
        return say("play.square.empty", square=square.name)
    key = "play.square.stuck" if piece.side is session.turn else "play.square.theirs"
    return say(key, square=square.name, a_piece=say(f"a_piece.{piece.value}"))
