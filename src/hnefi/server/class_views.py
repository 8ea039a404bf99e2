"""What a page shows of a class: its members and its games."""

from collections.abc import Callable, Collection, Mapping, Sequence

from hnefi.server.class_store import Board
from hnefi.server.games.classroom import ClassGame, Classroom, Member
from hnefi.server.games.time import Leads
from hnefi.server.messages.classrooms import ClassGameView, ClassMemberView, ClassView


def class_view(
    classroom: Classroom,
    boards: Mapping[str, Board],
    visitor: str | None,
    here_of: Callable[[Sequence[Member]], Collection[int]],
    *,
    most_members: int,
    deleted_us: int,
    now_us: int,
    leads: Leads,
) -> ClassView:
    """Returns what a visitor sees of a class: a host everything, a member what is about the member.

    `here_of` returns which of some members have a page of the class, or a game, open.
    """
    own, is_host = classroom.member_of(visitor), classroom.is_host(visitor)
    members = classroom.present_members if is_host else [own] if own is not None else []
    here, busy, standings = here_of(members), classroom.busy, classroom.standings()
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
