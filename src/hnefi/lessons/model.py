"""The structure of lessons: a position, and moves to find, each with its goal."""

from dataclasses import dataclass

from hnefi._core import Move, Setup, Square


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """The conditions after a move; all that are given must hold.

    Attributes:
        to: The allowed targets.
        captures: The exact captures, without the king's square.
        winner: The winner: `attackers`, `defenders`, or `none` for a draw.
        reason: The reason the game ended, such as `corner`; given whenever `winner` is.
        roads: The number of open roads.
        threatened: Whether the attackers could take the king with their next move.
        passed: Whether the other side cannot move and passes.
    """

    to: tuple[Square, ...] = ()
    captures: tuple[Square, ...] = ()
    winner: str | None = None
    reason: str | None = None
    roads: int | None = None
    threatened: bool = False
    passed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One move to find.

    Attributes:
        goal: The goal.
        call: The call to make with it, 1 or 2 exits; None if there is none.
        reply: The other side's reply; None after the last move.
        forced: Whether the next step must be possible after any reply.
    """

    goal: Goal
    call: int | None = None
    reply: Move | None = None
    forced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson.

    Attributes:
        id: Its name within the variant.
        topic: The prefix of its text keys: `lesson.TOPIC.task` and so on.
        setup: The position.
        marks: Squares to light up besides those that its texts name, such as the throne.
        before: Moves played from it before the lesson begins, without calls.
        calls: The call mode: `auto` or `manual`.
        steps: The moves to find.
    """

    id: str
    topic: str
    setup: Setup
    marks: tuple[Square, ...]
    before: tuple[Move, ...]
    calls: str
    steps: tuple[Step, ...]
