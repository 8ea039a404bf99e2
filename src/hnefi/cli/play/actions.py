"""Actions of the players besides moves: help, undo, rules, language, draw, resign."""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from hnefi import i18n
from hnefi._core import Outcome, Square
from hnefi.cli.faults import CommandError
from hnefi.cli.play.current_game import CurrentGame
from hnefi.cli.play.game_files import GameFile
from hnefi.cli.play.line_input import ACTIONS, Action, call_word
from hnefi.cli.play.session import Session
from hnefi.cli.rules import rules_as_text
from hnefi.cli.texts import error_text, language, outcome_text, set_language, translate, translate_plural
from hnefi.errors import SetupError
from hnefi.pieces import Reason
from hnefi.record import format_records

if TYPE_CHECKING:
    from hnefi.cli.play.game_loop import GameLoop


class AfterLine(Enum):
    """What the game loop does after an input line."""

    MESSAGE = auto()
    """The position is unchanged; a message may have been printed."""

    POSITION = auto()
    """The position changed, or has to be drawn again."""

    LEAVE = auto()
    """The players leave."""


def perform(loop: "GameLoop", current: CurrentGame, action: Action) -> AfterLine:
    """Performs an action."""
    return _ACTIONS[action.name](loop, current, action.rest)


def _help(loop: "GameLoop", current: CurrentGame, _: str) -> AfterLine:
    lines = [translate("play.help.moves"), translate("play.help.square"), *_call_lines(current.session)]
    if not loop.screen.plain:
        lines.append(loop.screen.legend(current.session))
    lines.append("")
    for action in ACTIONS:
        word = translate(f"play.words.{action}").split(",")[0]
        lines.append(f"  {word:<12} {translate(f'play.order.{action}')}")
    return loop.tell(lines)


def _call_lines(session: Session) -> list[str]:
    """Returns the lines about the calls of a game: who makes them, and how each is typed."""
    variant, mode = session.variant, session.called.mode
    if variant.calls is None:
        return []
    one, two, danger = (call_word(variant, key) for key in ("one_exit", "two_exits", "king_in_danger"))
    lines = [translate(f"play.help.calls.{mode}", one_exit=one, two_exits=two)]
    if mode == "manual" and danger:
        lines.append(translate("play.help.calls.danger", king_in_danger=danger))
    return lines


def _moves(loop: "GameLoop", current: CurrentGame, rest: str) -> AfterLine:
    session = current.session
    wanted: Square | None = None
    if rest:
        try:
            wanted = Square(rest)
        except SetupError as error:
            return loop.tell(error_text(error))
    origins = sorted({move.from_square for move in session.called.legal_moves()})
    shown = [square for square in origins if wanted in (None, square)]
    lines = [
        translate("play.destinations", square=square.name, squares=destinations(current, square))
        for square in shown
    ]
    return loop.tell(lines or [translate("play.moves.none")])


def destinations(current: CurrentGame, square: Square) -> str:
    """Returns where the piece on a square may go, and what it captures there."""
    position = current.session.game.position
    written = (str(position.describe(move)) for move in sorted(current.session.moves_from(square)))
    return ", ".join(text.partition("-")[2] for text in written)


def _hint(loop: "GameLoop", current: CurrentGame, _: str) -> AfterLine:
    if current.session.turn is None:
        return loop.tell(translate("play.is_over"))
    best = loop.hint(current)
    if best is None:
        return AfterLine.MESSAGE
    from hnefi.cli.scores import attackers_text, line_text, score_text

    move = line_text(current.session.game, best.moves[:1])
    facts = {"meaning": score_text(best.score), "attackers": attackers_text(best.score)}
    return loop.tell(translate("cli.hint.move", move=move, **facts))


def _undo(loop: "GameLoop", current: CurrentGame, rest: str) -> AfterLine:
    return _step(loop, current, rest, current.session.undo, "undone")


def _redo(loop: "GameLoop", current: CurrentGame, rest: str) -> AfterLine:
    return _step(loop, current, rest, current.session.redo, "redone")


def _step(loop: "GameLoop", current: CurrentGame, rest: str, step: Callable[[], bool], key: str) -> AfterLine:
    """Undoes or redoes one move, or the given number of moves."""
    if rest and not (rest.isascii() and rest.isdigit() and len(rest) < 5):
        return loop.tell(translate("play.step.number", command="undo" if key == "undone" else "redo"))
    wanted, done = int(rest or 1), 0
    while done < wanted and step():
        done += 1
    # The computer would play at once what was just taken back.
    while done and loop.is_computers_turn(current) and step():
        done += 1
    if not done:
        return loop.tell(translate(f"play.{key}.none"))
    loop.save(current)
    loop.screen.write(translate_plural(f"play.{key}", done))
    return AfterLine.POSITION


def _board(loop: "GameLoop", current: CurrentGame, _: str) -> AfterLine:
    if loop.screen.plain:
        return loop.tell(loop.screen.board(current.session))
    return AfterLine.POSITION


def _turn(loop: "GameLoop", *_: object) -> AfterLine:
    loop.screen.turned = not loop.screen.turned
    return AfterLine.POSITION


def _record(loop: "GameLoop", current: CurrentGame, _: str) -> AfterLine:
    return loop.tell(format_records(current.records[-1:]).rstrip().splitlines())


def _rules(loop: "GameLoop", current: CurrentGame, _: str) -> AfterLine:
    text = rules_as_text(current.session.variant, pictures=not loop.screen.plain, only_rules=True)
    loop.screen.show(text)
    return AfterLine.MESSAGE


def _language(loop: "GameLoop", _: CurrentGame, rest: str) -> AfterLine:
    known = i18n.languages()
    wanted = rest.casefold() or known[(known.index(language()) + 1) % len(known)]
    if wanted not in known:
        return loop.tell(translate("play.language.unknown", expected=" | ".join(known)))
    set_language(wanted)
    loop.screen.write(translate("play.language"))
    return AfterLine.POSITION


def _save(loop: "GameLoop", current: CurrentGame, rest: str) -> AfterLine:
    if rest:
        try:
            game_file = GameFile.into(Path(rest).expanduser(), loop.game_file)
            game_file.save(current.records)
        except (CommandError, RuntimeError) as error:
            told = error_text(error) if isinstance(error, CommandError) else str(error)
            return loop.tell(loop.screen.loss(told))
        loop.game_file = game_file
    if loop.game_file.path is None:
        return loop.tell(translate("play.save.nowhere"))
    loop.save(current)
    return loop.tell(translate("play.save", path=loop.game_file.path))


def _draw(loop: "GameLoop", current: CurrentGame, _: str) -> AfterLine:
    turn = current.session.turn
    if turn is None:
        return loop.tell(translate("play.is_over"))
    if not loop.agrees_to_draw(current, turn.opponent):
        return loop.tell(translate("play.draw.refused"))
    return _end(loop, current, Outcome(None, Reason.AGREEMENT))


def _resign(loop: "GameLoop", current: CurrentGame, _: str) -> AfterLine:
    turn = current.session.turn
    if turn is None:
        return loop.tell(translate("play.is_over"))
    if not loop.confirms(translate("play.resign.question", who=current.name(turn))):
        return loop.tell(translate("play.resign.not"))
    return _end(loop, current, Outcome(turn.opponent, Reason.RESIGNATION))


def _end(loop: "GameLoop", current: CurrentGame, outcome: Outcome) -> AfterLine:
    current.session.agreed = outcome
    loop.save(current)
    loop.screen.write(loop.screen.strong(outcome_text(outcome)))
    return AfterLine.POSITION


def _quit(*_: object) -> AfterLine:
    return AfterLine.LEAVE


_ACTIONS: Mapping[str, Callable[["GameLoop", CurrentGame, str], AfterLine]] = {
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
