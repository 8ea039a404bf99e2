"""The games as those who create, follow and play them know them: connections and the HTTP API."""

import hmac
from collections.abc import Callable
from functools import partial

from sqlalchemy import Connection

from hnefi.server import events as e
from hnefi.server.games.challenges import open_until_us
from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.commands import CommandRequest, MoveRequest, NewGameRequest, begin
from hnefi.server.games.new_game import Guest, created_event, new_game_row, playable_variant
from hnefi.server.games.room import Room
from hnefi.server.games.rooms import Rooms
from hnefi.server.games.state import Status
from hnefi.server.refusals import Refused, refused
from hnefi.server.secrets import hash_of, new_secret
from hnefi.server.store import changes, reading, schema
from hnefi.server.store.rows import Conflict, Link, Seat, StoredGame, Write

_LINK_US = 15 * 60 * SECOND_US


class Games:
    """All games of the site, in memory or not.

    Attributes:
        read: Returns the room of a game, as `Rooms.room`.
        note_address: Notes the address of a visitor.
    """

    def __init__(self, rooms: Rooms) -> None:
        """Creates it for the rooms of this process."""
        self._rooms, self._store, self._time = rooms, rooms.store, rooms.time
        self.read = rooms.room
        self.note_address = rooms.computer.note_address

    async def follow(self, game: str) -> Room:
        """Returns the room of a game for somebody who begins to follow it, as `Rooms.room`."""
        room = await self.read(game)
        if self._rooms.sharing is not None and not room.audience.is_empty:
            await self._rooms.sharing.check(room)
        return room

    async def act(
        self,
        game: str,
        visitor: str | None,
        command: MoveRequest | CommandRequest,
        received_us: int,
        charge_game: Callable[[], None] | None = None,
    ) -> int:
        """Carries out a command of a visitor without a connection, who is present at that moment.

        See `Room.act`.
        """
        room = await self.read(game)
        players = await self._players(room, visitor)
        room.audience.note_seen(players)
        return await room.act(players, command, received_us, charge_game)

    async def _players(self, room: Room, visitor: str | None) -> frozenset[int]:
        """Returns the seats of a visitor, who may have taken one at another process just now."""
        if not (players := room.players_of(visitor)) and self._rooms.sharing is not None:
            await room.catch_up()
            players = room.players_of(visitor)
        return players

    async def create(
        self, new: NewGameRequest, visitor: str, guest: Guest | None = None
    ) -> tuple[Room, str | None]:
        """Creates a game for a visitor, by the hash of the visitor's secret, and for a guest if one is given.

        Returns the room, and the secret of the invitation if a friend is to join.

        Raises:
            Refused: If it cannot be played like this.
            VariantError: If there is no such variant, or no such switch.
            SetupError: If the start position cannot be used.
        """
        invite = new_secret() if new.opponent == "friend" and guest is None else None
        played = playable_variant(new)
        seed = new_secret() if new.side == "lot" else None
        created = created_event(new, played, None if seed is None else hash_of(seed))
        self._rooms.rules.setdefault(created.rules, played.rules)
        row = new_game_row(
            created,
            played.rules,
            self._time.now_us(),
            {0: [visitor]} if guest is None else {0: [visitor], 1: [guest.visitor]},
            seed=seed,
            invite=None if invite is None else hash_of(invite),
            other_name=None if guest is None else guest.name,
        )
        await self._store.change(changes.add_game, row)
        room = await self.read(row.id)
        self._rooms.computer.begin(room)
        return room, invite

    async def rename(self, game: str, visitor: str, name: str) -> Room:
        """Sets the name of the creator of a game, as long as it waits for an invited friend.

        Raises:
            Refused: `no_seat`, `name_settled`, `unknown_game`.
        """
        room = await self.read(game)

        async def try_now() -> None:
            if 0 not in room.players_of(visitor):
                raise refused("no_seat")
            if room.state.status is not Status.WAITING or room.state.created.open:
                raise refused("name_settled")
            if room.state.names[0] != name:
                await room.add_events([e.Named(name=name)], actor=0)

        await room.attempt(try_now)
        return room

    async def join(self, game: str, visitor: str, invite: str | None, name: str) -> Room:
        """Assigns the free seat of a game to a visitor, by the secret of its invitation.

        An open challenge needs no invitation as long as it is listed.

        Raises:
            Refused: `already_over`, `seat_taken`, `bad_invite`, `challenge_over`, `own_game`, `unknown_game`.
        """
        room = await self.read(game)

        async def try_now() -> None:
            if 1 in room.players_of(visitor):
                return
            if room.state.status is Status.ABORTED:
                raise refused("already_over")
            if room.state.status is not Status.WAITING or room.invite is None:
                raise refused("seat_taken")
            if invite is None:
                created = room.state.created
                if not created.open:
                    raise refused("bad_invite", part="missing")
                if open_until_us(created, room.state.t_us) <= self._time.now_us():
                    raise refused("challenge_over")
            elif not hmac.compare_digest(room.invite, hash_of(invite)):
                raise refused("bad_invite")
            if room.players_of(visitor):
                raise refused("own_game")
            bodies: list[e.Body] = [e.Joined(name=name), *begin(room.state, room.seed)]

            def work(connection: Connection) -> None:
                changes.close_invite(connection, game)
                changes.add_seats(connection, [Seat(game, 1, visitor)])

            await room.add_events(bodies, actor=1, work=work)
            room.invite = room.seed = None
            room.add_seat(visitor, 1)

        await room.attempt(try_now)
        return room

    async def create_link(self, game: str, visitor: str) -> tuple[str, int]:
        """Creates a link that carries a visitor's seat to another device, once.

        Returns its secret, and until when it can be used.

        Raises:
            Refused: `no_seat`, `unknown_game`.
        """
        room = await self.read(game)
        seats = room.players_of(visitor)
        if not seats:
            raise refused("no_seat")
        secret, player = new_secret(), 2 if len(seats) > 1 else min(seats)
        link = Link(hash_of(secret), game, player, self._time.now_us() + _LINK_US)
        await self._store.change(changes.add_row, schema.link, link)
        return secret, link.until_us

    async def use_link(self, secret: str, visitor: str) -> Room:
        """Assigns the seat of a link to a visitor.

        Raises:
            Refused: `bad_link`, if it was used before or has expired.
        """
        link = await self._store.read(reading.find_link, hash_of(secret))
        if link is None or link.until_us < self._time.now_us():
            raise refused("bad_link")
        room = await self.read(link.game)
        players = (0, 1) if link.player == 2 else (link.player,)
        async with room.lock:
            seats = [Seat(link.game, player, visitor) for player in players]
            use = partial(changes.use_link, secret=link.secret, seats=seats)
            try:
                await self._store.submit(Write(link.game, work=use))
            except Conflict:
                raise refused("bad_link") from None
            for player in players:
                room.add_seat(visitor, player)
        return room

    async def own_games(self, visitor: str) -> tuple[list[Room], list[StoredGame]]:
        """Lists the games of a visitor, the newest first, and what can still be read of damaged ones."""
        games = dict.fromkeys(seat.game for seat in await self._store.read(reading.games_of, visitor))
        rooms, damaged = list[Room](), list[str]()
        for game in games:
            try:
                rooms.append(await self.read(game))
            except Refused:
                if game in self._rooms.set_aside:
                    damaged.append(game)
        parts = await self._store.read(reading.load_many, damaged, skips_unreadable=True) if damaged else []
        left = {one.id: one for one in parts}
        return rooms, [left[game] for game in damaged if game in left]
