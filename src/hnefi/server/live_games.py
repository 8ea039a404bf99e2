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


class LiveGames:
    """The list of games to watch, whose messages are made anew only after a new event."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._views: dict[str, tuple[int, LiveGameView]] = {}

    async def read(self) -> list[LiveGameView]:
        """Returns the games to watch: both players are there, or there was a move lately."""
        now_us = self._process.time.now_us()
        found = await self._process.store.read(reading.live_games, now_us - _LIVE_US[0], _MOST_LIVE)
        rooms = [room for game, _ in found if (room := await self._process.rooms.load_quietly(game))]
        if (sharing := self._process.rooms.sharing) is not None:
            await sharing.check_all([room.id for room in rooms])
        live = {}
        for room in rooms:
            away = sum(map(bool, room.audience.attendance().away_us))
            is_live = room.state.legs and (away == 0 or room.state.leg.ply_count > 0)
            if is_live and room.state.t_us >= now_us - _LIVE_US[away]:
                live[room.id] = self._view(room)
        self._views = live
        return [view for _, view in live.values()][:_MOST_GAMES]

    def _view(self, room: Room) -> tuple[int, LiveGameView]:
        """Returns the message of a game with the number of its last event; made anew after a new one."""
        state = room.state
        known = self._views.get(room.id)
        if known is not None and known[0] == state.seq:
            return known
        leg = state.leg
        view = LiveGameView(
            game=room.id,
            variant=state.created.variant,
            title=state.created.title,
            names=list(state.names),
            attackers=leg.attackers,
            position=str(leg.game.position.setup),
            shape=shape_of(state.rules),
            turn=None if leg.turn is None else leg.turn.value,
            moves=leg.ply_count,
        )
        return state.seq, view
