"""What the players can ask for besides moves: help, undo, rules, another language, an end."""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from hnefi import i18n
from hnefi._core import Outcome, Square
from hnefi.cli.faults import CommandError
from hnefi.cli.play.keeping import Keeper
from hnefi.cli.play.seat import Seat
from hnefi.cli.play.typed import ORDERS, Order
from hnefi.cli.rules import rules_as_text
from hnefi.cli.speech import language, say, say_error, say_outcome, speak
from hnefi.errors import SetupError
from hnefi.pieces import Reason
from hnefi.record import format_records

if TYPE_CHECKING:
    from hnefi.cli.play.table import Table

__all__ = ["Next", "destinations", "obey"]


class Next(Enum):
    """What follows a line that was typed."""

    MESSAGE = auto()
    """The position is as it was; something may have been said about it."""

    POSITION = auto()
    """The position is another one, or is to be seen again."""

    LEAVE = auto()
    """The players leave."""


def obey(table: "Table", seat: Seat, order: Order) -> Next:
    """Does what an order asks for."""
    return _ORDERS[order.name](table, seat, order.rest)


def _help(table: "Table", seat: Seat, rest: str) -> Next:
    del rest
    mode = seat.session.called.mode
    lines = [say("play.help.moves"), say("play.help.square")]
    if seat.session.variant.calls is not None:
        lines.append(say(f"play.help.calls.{mode}"))
    if not table.screen.plain:
        lines.append(table.screen.legend(seat.session))
    lines.append("")
    for order in ORDERS:
        word = say(f"play.words.{order}").split(",")[0]
        lines.append(f"  {word:<12} {say(f'play.order.{order}')}")
    table.screen.tell(lines)
    return Next.MESSAGE


def _moves(table: "Table", seat: Seat, rest: str) -> Next:
    session = seat.session
    wanted: Square | None = None
    if rest:
        try:
            wanted = Square(rest)
        except SetupError as error:
            table.screen.tell(say_error(error))
            return Next.MESSAGE
    origins = sorted({move.from_square for move in session.called.legal_moves()})
    shown = [square for square in origins if wanted in (None, square)]
    lines = [
        say("play.destinations", square=square.name, squares=destinations(seat, square)) for square in shown
    ]
    table.screen.tell(lines or [say("play.moves.none")])
    return Next.MESSAGE


def destinations(seat: Seat, square: Square) -> str:
    """Lists where the piece on a square may go, and what it captures there."""
    position = seat.session.game.position
    written = (str(position.describe(move)) for move in sorted(seat.session.moves_from(square)))
    return ", ".join(text.partition("-")[2] for text in written)


def _hint(table: "Table", seat: Seat, rest: str) -> Next:
    del rest
    if seat.session.turn is None:
        return _is_over(table)
    best = table.hint(seat)
    if best is not None:
        from hnefi.cli.judging import chances_words, line_words, score_words

        move = line_words(seat.session.game, best.moves[:1])
        facts = {"meaning": score_words(best.score), "chances": chances_words(best.score)}
        table.screen.tell(say("cli.hint.move", move=move, **facts))
    return Next.MESSAGE


def _undo(table: "Table", seat: Seat, rest: str) -> Next:
    return _step(table, seat, rest, seat.session.undo, "undone")


def _redo(table: "Table", seat: Seat, rest: str) -> Next:
    return _step(table, seat, rest, seat.session.redo, "redone")


def _step(table: "Table", seat: Seat, rest: str, step: Callable[[], bool], key: str) -> Next:
    """Goes a move back or forth, or as many as were asked for."""
    wanted = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 5 else 1
    done = 0
    while done < wanted and step():
        done += 1
    # The computer would play at once what was just taken back.
    while done and table.is_computers_turn(seat) and step():
        done += 1
    if not done:
        table.screen.tell(say(f"play.{key}.none"))
        return Next.MESSAGE
    table.keep(seat)
    table.screen.tell(say(f"play.{key}"))
    return Next.POSITION


def _board(table: "Table", seat: Seat, rest: str) -> Next:
    del rest
    if table.screen.plain:
        table.screen.tell(table.screen.board(seat.session))
        return Next.MESSAGE
    return Next.POSITION


def _turn(table: "Table", seat: Seat, rest: str) -> Next:
    del seat, rest
    table.screen.turned = not table.screen.turned
    return Next.POSITION


def _record(table: "Table", seat: Seat, rest: str) -> Next:
    del rest
    table.screen.tell(format_records(seat.records[-1:]).rstrip().splitlines())
    return Next.MESSAGE


def _rules(table: "Table", seat: Seat, rest: str) -> Next:
    del rest
    table.screen.show(rules_as_text(seat.session.variant, pictures=not table.screen.plain))
    return Next.MESSAGE


def _language(table: "Table", seat: Seat, rest: str) -> Next:
    del seat
    known = i18n.languages()
    wanted = rest.casefold() or known[(known.index(language()) + 1) % len(known)]
    if wanted not in known:
        table.screen.tell(say("play.language.unknown", expected=" | ".join(known)))
        return Next.MESSAGE
    speak(wanted)
    table.screen.tell(say("play.language"))
    return Next.POSITION


def _save(table: "Table", seat: Seat, rest: str) -> Next:
    if rest:
        try:
            keeper = Keeper.into(Path(rest).expanduser())
            keeper.keep(seat.records)
        except (CommandError, RuntimeError) as error:
            told = say_error(error) if isinstance(error, CommandError) else str(error)
            table.screen.tell(table.screen.loss(told))
            return Next.MESSAGE
        table.keeper = keeper
    if table.keeper.path is None:
        table.screen.tell(say("play.save.nowhere"))
    else:
        table.keep(seat)
        table.screen.tell(say("play.save", path=table.keeper.path))
    return Next.MESSAGE


def _draw(table: "Table", seat: Seat, rest: str) -> Next:
    del rest
    turn = seat.session.turn
    if turn is None:
        return _is_over(table)
    if not table.agrees_to_draw(seat, turn.opponent):
        table.screen.tell(say("play.draw.refused"))
        return Next.MESSAGE
    return _end(table, seat, Outcome(None, Reason.AGREEMENT))


def _resign(table: "Table", seat: Seat, rest: str) -> Next:
    del rest
    turn = seat.session.turn
    if turn is None:
        return _is_over(table)
    if not table.confirms(say("play.resign.question", who=seat.name(turn))):
        table.screen.tell(say("play.resign.not"))
        return Next.MESSAGE
    return _end(table, seat, Outcome(turn.opponent, Reason.RESIGNATION))


def _is_over(table: "Table") -> Next:
    table.screen.tell(say("play.is_over"))
    return Next.MESSAGE


def _end(table: "Table", seat: Seat, outcome: Outcome) -> Next:
    seat.session.end(outcome)
    table.keep(seat)
    table.screen.tell(table.screen.strong(say_outcome(outcome)))
    return Next.POSITION


def _quit(table: "Table", seat: Seat, rest: str) -> Next:
    del table, seat, rest
    return Next.LEAVE


_ORDERS: Mapping[str, Callable[["Table", Seat, str], Next]] = {
    "help": _help,
    "moves": _moves,
    "hint": _hint,
    "undo": _undo,
    "redo": _redo,
    "board": _board,
    "turn": _turn,
    "record": _record,
    "rules": _rules,
    "language": _language,
    "save": _save,
    "draw": _draw,
    "resign": _resign,
    "quit": _quit,
}
