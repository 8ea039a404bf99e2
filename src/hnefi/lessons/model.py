"""What a lesson is: a position, and one or more moves to find, each with the goal that it has to reach."""

from dataclasses import dataclass

from hnefi._core import Move, Setup, Square

__all__ = ["Goal", "Lesson", "Step"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What has to be true after a move; everything that is given.

    Attributes:
        to: Where the piece may have gone.
        captures: What the move has to take, and nothing else; the king's square is not among them.
        winner: Who has won: `attackers`, `defenders`, or `none` for a draw.
        reason: What has ended the game, such as `corner`; given whenever `winner` is.
        roads: How many roads to a goal are open to the king.
        threatened: Whether the attackers could take the king with their next move.
        passed: Whether the other side cannot move and has to pass.
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
        goal: What it has to reach.
        call: What has to be called with it, 1 or 2 exits; None if nothing is asked.
        reply: What the other side then plays; None after the last move.
        forced: Whether the next step has to be possible whatever the other side plays.
    """

    goal: Goal
    call: int | None = None
    reply: Move | None = None
    forced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One thing to learn.

    Attributes:
        id: Its name within the variant.
        topic: With which its texts begin in the catalogue: `lesson.TOPIC.task` and so on.
        setup: The position.
        before: Moves played from it before the lesson begins, nothing being called.
        calls: Who calls: `auto` or `manual`.
        steps: The moves to find.
    """

    id: str
    topic: str
    setup: Setup
    before: tuple[Move, ...]
    calls: str
    steps: tuple[Step, ...]
