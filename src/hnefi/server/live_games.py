"""Games to watch: those that began as open challenges and are being played."""

from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.room import Room
from hnefi.server.messages.people import LiveGameView
from hnefi.server.messages.rules import shape_of
from hnefi.server.process import Process
from hnefi.server.store import reading

_LIVE_US = (3_600 * SECOND_US, 600 * SECOND_US, 60 * SECOND_US)
"""Since when a game to watch has had an event: if both players are there, if one has left, if both have."""

_MOST_GAMES, _MOST_LIVE = 12, 40


async def live_games(process: Process) -> list[LiveGameView]:
    """Returns the games to watch: both players are there, or there was a move lately."""
    now_us = process.time.now_us()
    found = await process.store.read(reading.live_games, now_us - _LIVE_US[0], _MOST_LIVE)
    rooms = [room for game in found if (room := await process.rooms.load_quietly(game))]
    if (sharing := process.rooms.sharing) is not None:
        await sharing.check_all([room.id for room in rooms])
    return [_view(room) for room in rooms if _is_live(room, now_us)][:_MOST_GAMES]


def _is_live(room: Room, now_us: int) -> bool:
    away = sum(map(bool, room.audience.attendance().away_us))
    is_played = room.state.legs and (away == 0 or room.state.leg.ply_count > 0)
    return bool(is_played) and room.state.t_us >= now_us - _LIVE_US[away]


def _view(room: Room) -> LiveGameView:
    state, leg = room.state, room.state.leg
    return LiveGameView(
        game=room.id,
        variant=state.created.variant,
        switches=state.created.switches,
        title=state.created.title,
        names=list(state.names),
        attackers=leg.attackers,
        position=str(leg.game.position.setup),
        shape=shape_of(state.rules),
        turn=None if leg.turn is None else leg.turn.value,
        moves=leg.ply_count,
    )
