"""What a page shows of a class: its members, its games and the boards on its wall."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from hnefi.server.games.classroom import ClassGame, Classroom, Ending
from hnefi.server.games.state import State, Status
from hnefi.server.games.time import Leads
from hnefi.server.messages.classrooms import ClassGameView, ClassMemberView, ClassView
from hnefi.server.messages.rules import ShapeView, shape_of
from hnefi.server.messages.views import outcome_view


class Board(NamedTuple):
    """A game of a class as it was read, up to an event."""

    seq: int
    position: str
    shape: ShapeView
    turn: str | None
    moves: int
    ending: Ending | None


def games_on_wall(classroom: Classroom) -> list[str]:
    """Returns the games that are played, and those after which nobody of its two has begun another one."""
    last: dict[int, str] = {}
    wanted: dict[str, None] = {}
    for one in classroom.games:
        if one.result is None:
            wanted[one.game] = None
        if one.result != "void":
            last |= dict.fromkeys(one.players, one.game)
    return [*wanted, *(game for game in dict.fromkeys(last.values()) if game not in wanted)]


def board_of(state: State) -> Board | None:
    """Returns what is shown of a game; None if it has not begun, which only a damaged one has not."""
    if not state.legs:
        return None
    leg = state.leg
    ending = None
    if state.status is Status.ABORTED:
        ending = Ending("void", None, leg.ply_count)
    elif leg.outcome is not None:
        outcome = outcome_view(leg.outcome)
        assert outcome is not None
        ending = Ending(outcome.winner or "draw", outcome.reason, leg.ply_count)
    turn = None if leg.turn is None else leg.turn.value
    return Board(state.seq, str(leg.game.position.setup), shape_of(state.rules), turn, leg.ply_count, ending)


def class_view(
    classroom: Classroom,
    boards: Mapping[str, Board],
    visitor: str | None,
    here: Collection[int],
    *,
    most_members: int,
    deleted_us: int,
    now_us: int,
    leads: Leads,
) -> ClassView:
    """Returns what a visitor sees of a class: a host everything, a member what is about the member.

    Args:
        classroom: The class.
        boards: The games on the wall, as they were read.
        visitor: Who looks.
        here: The members who have a page of the class, or a game, open.
        most_members: How many members it has at most.
        deleted_us: When it is deleted.
        now_us: The time.
        leads: How far the times are ahead of the clock of the machine.
    """
    own, is_host = classroom.member_of(visitor), classroom.is_host(visitor)
    members = classroom.present_members if is_host else [own] if own is not None else []
    busy, standings = classroom.busy, classroom.standings()
    names = {one.number: one.name for one in classroom.members}
    return ClassView(
        code=classroom.code,
        name=classroom.name,
        variants=list(classroom.variants),
        clock=classroom.clock,
        is_host=is_host,
        is_locked=classroom.is_locked,
        is_closed=classroom.is_closed,
        you=None if own is None else own.number,
        rounds=classroom.rounds,
        members=[
            ClassMemberView(
                number=one.number,
                name=one.name,
                here=one.number in here,
                playing=one.number in busy,
                sits_out=one.number == classroom.sits_out,
                has_device=one.has_device,
                open_ms=_shown_ms(leads, one.open_until_us, now_us),
                played=standings[one.number].played,
                won=standings[one.number].won,
                drawn=standings[one.number].drawn,
                points=standings[one.number].half_points / 2,
            )
            for one in members
        ],
        games=[
            _game_view(one, names, boards.get(one.game))
            for one in classroom.games
            if is_host or (own is not None and own.number in one.players)
        ],
        most_members=most_members,
        deleted_ms=leads.shown_us(deleted_us) // 1000,
    )


def _shown_ms(leads: Leads, until_us: int, now_us: int) -> int | None:
    """Returns a time as messages show it; None once it is over."""
    return leads.shown_us(until_us) // 1000 if until_us > now_us else None


def _game_view(one: ClassGame, names: Mapping[int, str], board: Board | None) -> ClassGameView:
    is_played = one.result is None
    return ClassGameView(
        game=one.game,
        round=one.round,
        variant=one.variant,
        attackers=one.attackers,
        defenders=one.defenders,
        names=[names[number] for number in one.players],
        result=one.result,
        reason=one.reason,
        moves=board.moves if is_played and board else one.moves,
        turn=board.turn if is_played and board else None,  # type: ignore[arg-type]
        position=None if board is None else board.position,
        shape=None if board is None else board.shape,
    )
