"""Evaluates every answer to a lesson by its effect under the rules."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hnefi._core import CalledGame, Game, Move, Outcome, Square
from hnefi.lessons.model import Goal, Lesson, Step
from hnefi.pieces import Piece
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant


@dataclass(frozen=True, slots=True)
class Wrong:
    """The reason a legal move is wrong: the suffix of its text key, and the parameters."""

    code: str
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """All answers to one step of a lesson, by move text.

    Attributes:
        right: The moves that reach the goal, each with the next step; None after the last.
        wrong: The other legal moves, with the reasons.
    """

    right: dict[str, "Node | None"]
    wrong: dict[str, Wrong]


def begin(of: Variant | str, lesson: Lesson) -> CalledGame:
    """Returns the game at the beginning of the lesson, of a variant or its id or name."""
    game = variant(of).new_called_game(lesson.calls, lesson.setup)
    for move in lesson.before:
        game = game.play(move)
    return game


def answers(of: Variant | str, lesson: Lesson) -> Node:
    """Evaluates every legal move of a lesson, and after each right one those of the next step."""
    return _answers(begin(of, lesson), lesson.steps)


def play_step(game: CalledGame, step: Step, move: Move) -> CalledGame:
    """Returns the game after a right move and its reply."""
    after = game.play(move, step.call or 0)
    return after if step.reply is None else after.play(step.reply)


def _answers(game: CalledGame, steps: tuple[Step, ...]) -> Node:
    step, rest = steps[0], steps[1:]
    right: dict[str, Node | None] = {}
    wrong: dict[str, Wrong] = {}
    for move in game.legal_moves():
        text = str(move)
        fault = _evaluate(game, steps, move)
        if fault is not None:
            wrong[text] = fault
        else:
            right[text] = _answers(play_step(game, step, move), rest) if rest else None
    return Node(right, wrong)


def _evaluate(game: CalledGame, steps: tuple[Step, ...], move: Move) -> Wrong | None:
    """Returns why a move is wrong; None if it reaches the goal of the step."""
    step = steps[0]
    after = game.play(move, step.call or 0)
    fault = next(_faults(game.game, step.goal, move, after.game), None)
    return _stopped(after, steps[1:]) if fault is None and step.forced else fault


def _stopped(game: CalledGame, steps: tuple[Step, ...]) -> Wrong | None:
    """Returns the reply that makes the next step impossible, as a reason; None if there is none."""
    for reply in game.legal_moves():
        later = game.play(reply)
        if all(_evaluate(later, steps, move) for move in later.legal_moves()):
            return Wrong("stopped", (("move", str(reply)),))
    return None


def _faults(before: Game, goal: Goal, move: Move, after: Game) -> Iterator[Wrong]:
    yield from _other_end(after.outcome, goal)
    taken = _taken(before, move)
    if goal.captures and taken != set(goal.captures):
        yield _other_captures(taken, set(goal.captures))
    if goal.roads is not None and len(after.position.open_roads) != goal.roads:
        yield _other_roads(after, goal.roads)
    if goal.threatened and not after.position.threatened_king:
        yield Wrong("no_threat")
    if goal.passed and not after.passed:
        yield Wrong("can_move")
    if goal.to and move.to_square not in goal.to:
        yield Wrong("not_there", (("to", _list(goal.to)),))


def _taken(game: Game, move: Move) -> set[Square]:
    captures = game.position.describe(move).captures
    return {capture.square for capture in captures if capture.piece is not Piece.KING}


def _other_end(outcome: Outcome | None, goal: Goal) -> Iterator[Wrong]:
    if outcome is None:
        if goal.reason is not None:
            yield Wrong(f"not_{goal.reason}")
        return
    winner = "none" if outcome.winner is None else outcome.winner.value
    if (winner, outcome.reason.value) != (goal.winner, goal.reason):
        yield Wrong("ended", (("winner", winner), ("reason", outcome.reason.value)))


def _other_captures(taken: set[Square], expected: set[Square]) -> Wrong:
    wanted = ("wanted", _list(expected))
    if not taken:
        return Wrong("nothing_taken", (wanted,))
    code = "not_all" if taken < expected else "too_many" if taken > expected else "other_taken"
    return Wrong(code, (("taken", _list(taken)), wanted))


def _other_roads(game: Game, expected: int) -> Wrong:
    roads = game.position.open_roads
    if len(roads) < expected:
        return Wrong(f"roads_{min(len(roads), 1)}")
    return Wrong("road_open", (("road", _list(road.to_square for road in roads)),))


def _list(squares: Iterable[Square]) -> str:
    return ", ".join(square.name for square in sorted(squares))
