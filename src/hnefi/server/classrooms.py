"""Classes: devices that play together under a code, paired by a host.

Its games are ordinary ones; `ClassStore` reads and changes it.
"""

import asyncio
import contextlib
from collections.abc import Callable, Collection, Mapping, Sequence
from time import monotonic

from hnefi.server.class_store import Board, ClassStore
from hnefi.server.events import Result
from hnefi.server.games.class_codes import new_code
from hnefi.server.games.classroom import ClassGame, Classroom, Member
from hnefi.server.games.clocks import DAY_US
from hnefi.server.games.commands import NewGameRequest
from hnefi.server.games.new_game import Guest
from hnefi.server.games.pairing import Pairing, next_round, swapped_round
from hnefi.server.games.retention import CLASS_DAYS
from hnefi.server.messages.classrooms import (
    ClassGameRequest,
    ClassGameView,
    ClassMemberView,
    ClassRoundRequest,
    ClassView,
    NewClassRequest,
)
from hnefi.server.presence import HERE_S, Presence, person_of_visitor
from hnefi.server.process import Process
from hnefi.server.refusals import Refused
from hnefi.server.secrets import hash_of, new_secret
from hnefi.server.store.rows import Conflict
from hnefi.variants.finding import variant

Change = Callable[[Classroom], Classroom]


class Classrooms:
    """The classes of the site.

    Its methods raise `Refused`: `unknown_class`; those for hosts also `not_host` and `class_closed`; and as
    the changes of a `Classroom`.

    Attributes:
        classes: Reads and changes them.
    """

    def __init__(
        self,
        backend: Process,
        connected: Callable[[], Collection[str]],
        most_members: int,
        most_games: int,
    ) -> None:
        """Creates it, for so many members and games in a class at most.

        `connected` returns the people with a connection, as `person_of` names them.
        """
        self._backend = backend
        self._presence = Presence(connected)
        self._most_members, self._most_games = most_members, most_games
        self.classes = ClassStore(backend)

    # Reading

    async def view(self, code: str, visitor: str | None) -> ClassView:
        """Returns what a visitor, now here, sees of a class: a host all, a member what is its own."""
        if visitor is not None:
            self._presence.note(person_of_visitor(visitor))
        read, boards = await self.classes.read(code, is_fresh=False)
        classroom, leads = read.classroom, self._backend.time.leads
        own, is_host = classroom.member_of(visitor), classroom.is_host(visitor)
        members = classroom.present_members if is_host else [own] if own is not None else []
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
            members=self._member_views(classroom, members),
            games=[
                _game_view(one, names, boards.get(one.game))
                for one in classroom.games
                if is_host or (own is not None and own.number in one.players)
            ],
            most_members=self._most_members,
            deleted_ms=leads.shown_us(read.row.changed_us + CLASS_DAYS * DAY_US) // 1000,
        )

    def _member_views(self, classroom: Classroom, members: Sequence[Member]) -> list[ClassMemberView]:
        here, busy, standings = self._here(classroom.code, members), classroom.busy, classroom.standings()
        now_us, leads = self._backend.time.now_us(), self._backend.time.leads
        return [
            ClassMemberView(
                number=one.number,
                name=one.name,
                here=one.number in here,
                playing=one.number in busy,
                sits_out=one.number == classroom.sits_out,
                has_device=one.has_device,
                open_ms=leads.shown_us(one.open_until_us) // 1000 if one.open_until_us > now_us else None,
                **standings[one.number]._asdict(),
                points=standings[one.number].half_points / 2,
            )
            for one in members
        ]

    async def classroom(self, code: str) -> Classroom:
        """Returns a class with the results up to now."""
        return (await self.classes.read(code, is_fresh=True))[0].classroom

    def members_here(self) -> dict[str, list[int]]:
        """Returns the members of each class who are connected to this process."""
        since_s = monotonic() - HERE_S
        known = [
            (code, one.read) for code, one in self.classes.known.items() if one.read and one.read_s > since_s
        ]
        return {code: sorted(self._connected_here(read.classroom.present_members)) for code, read in known}

    def _here(self, code: str, members: Sequence[Member]) -> set[int]:
        """Returns the members who have a page of the class, or a game, open."""
        # Another process may not know yet that a device was handed over.
        elsewhere = {number for one in self._backend.elsewhere for number in one.members.get(code, ())}
        return self._connected_here(members) | {
            one.number for one in members if one.has_device and one.number in elsewhere
        }

    def _connected_here(self, members: Sequence[Member]) -> set[int]:
        return {
            one.number
            for one in members
            if one.has_device and self._presence.is_here(person_of_visitor(one.visitor))
        }

    # Changes

    async def create(self, wish: NewClassRequest, visitor: str) -> str:
        """Creates a class, which the visitor leads; returns its code.

        Raises:
            VariantError: If there is no such variant.
        """
        variants = tuple(dict.fromkeys(variant(one).id for one in wish.variants))
        while True:
            code = new_code()
            classroom = Classroom(
                code=code, name=wish.name, variants=variants, clock=wish.clock, hosts=(visitor,)
            )
            with contextlib.suppress(Conflict):
                await self.classes.write(classroom, 0)
                return code

    async def join(self, code: str, visitor: str, name: str, *, is_other: bool = False) -> None:
        """Adds a visitor to a class, or gives a place back; see `Classroom.joined`."""
        now_us, former = self._backend.time.now_us(), ""

        def join(classroom: Classroom) -> Classroom:
            nonlocal former
            joined = classroom.joined(visitor, name, self._most_members, now_us, is_other=is_other)
            member = joined.member_of(visitor)
            assert member is not None
            former = next((one.visitor for one in classroom.members if one.number == member.number), "")
            return joined

        _, classroom = await self.classes.change(code, join)
        self._presence.note(person_of_visitor(visitor))
        if former not in ("", visitor):
            await self._move_seats(classroom, former, visitor)

    async def _move_seats(self, classroom: Classroom, former: str, visitor: str) -> None:
        """Lets the new device of a member play the member's games that are not over."""
        member = classroom.member_of(visitor)
        for one in classroom.games:
            if member is None or one.result is not None or member.number not in one.players:
                continue
            with contextlib.suppress(Refused):  # damaged, or deleted meanwhile
                secret, _ = await self._backend.games.create_link(one.game, former)
                await self._backend.games.use_link(secret, visitor)

    async def change(
        self, code: str, visitor: str, change: Change, *, is_closed_too: bool = False
    ) -> Classroom:
        """Changes a class for a host, and returns it; one that is over only with `is_closed_too`."""

        def checked(classroom: Classroom) -> Classroom:
            classroom.check_host(visitor, is_closed_too=is_closed_too)
            return change(classroom)

        return (await self.classes.change(code, checked)).classroom

    async def enter_result(self, code: str, visitor: str, game: str, result: Result) -> None:
        """Sets the result of a game in the class and on its board, which takes no more moves."""
        board = (await self.classes.read(code, is_fresh=True))[1].get(game)
        moves = None if board is None else board.moves
        await self.change(code, visitor, lambda one: one.with_result(game, result, moves))
        await self._adjudicate([game], result)

    async def remove(self, code: str, visitor: str, number: int) -> None:
        """Removes a member; the games that are not over do not count, and their boards close."""
        left = list[str]()

        def remove(classroom: Classroom) -> Classroom:
            left[:] = [one.game for one in classroom.games if one.result is None and number in one.players]
            return classroom.removed(number)

        await self.change(code, visitor, remove)
        await self._adjudicate(left, "void")

    async def _adjudicate(self, games: Sequence[str], result: Result) -> None:
        for game in games:
            with contextlib.suppress(Refused):  # damaged, or deleted meanwhile
                await (await self._backend.games.read(game)).adjudicate(result)

    async def create_link(self, code: str, visitor: str) -> tuple[str, int]:
        """Creates a link that makes another device a host; returns its secret, and until when."""
        secret, now_us = new_secret(), self._backend.time.now_us()
        classroom = await self.change(
            code, visitor, lambda one: one.with_link(hash_of(secret), now_us), is_closed_too=True
        )
        assert classroom.link is not None
        return secret, self._backend.time.leads.shown_us(classroom.link[1])

    async def use_link(self, code: str, visitor: str, secret: str) -> None:
        """Makes a visitor a host; see `Classroom.with_host`."""
        now_us = self._backend.time.now_us()
        await self.classes.change(code, lambda one: one.with_host(visitor, hash_of(secret), now_us))

    async def delete(self, code: str, visitor: str) -> None:
        """Deletes a class with its names and results."""
        await self.classes.change(code, lambda one: one.check_host(visitor, is_closed_too=True))

    async def pair(
        self,
        code: str,
        visitor: str,
        wish: ClassGameRequest | ClassRoundRequest,
        charge: Callable[[int], None],
    ) -> None:
        """Creates a game of two members, or the games of a round, for a host.

        `charge` counts new games; it raises `Refused` above the limit.
        """
        async with self.classes.entry(code).pairing:
            classroom = await self.classroom(code)
            classroom.check_host(visitor)
            pairings, alone = self._chosen(classroom, wish)
            classroom.check_pairings(pairings, wish.variant, self._most_games)
            charge(len(pairings))
            number = classroom.rounds + 1 if isinstance(wish, ClassRoundRequest) else 0
            games = await asyncio.gather(
                *(self._create_game(classroom, one, wish.variant, number) for one in pairings)
            )

            def add(found: Classroom) -> Classroom:
                found.check_host(visitor)
                found.check_pairings(pairings, wish.variant, self._most_games)
                return found.with_games(games, alone)

            await self.classes.change(code, add)

    def _chosen(
        self, classroom: Classroom, wish: ClassGameRequest | ClassRoundRequest
    ) -> tuple[list[Pairing], int | None]:
        """Returns who plays whom, and who is left over: in a round those who are here and have no game."""
        if isinstance(wish, ClassGameRequest):
            return [Pairing(wish.attackers, wish.defenders)], None
        members = wish.members
        here = self._here(classroom.code, classroom.present_members) if members is None else members
        free = classroom.free_members(here)
        if wish.kind == "swapped":
            return swapped_round(classroom.last_round(), free), None
        played = [one.players for one in classroom.games if one.result != "void"]
        return next_round(free, played, classroom.sat_out)

    async def _create_game(
        self, classroom: Classroom, pairing: Pairing, variant_id: str, number: int
    ) -> ClassGame:
        """Creates a game in which both members have their seats."""
        attackers, defenders = (classroom.member(one) for one in pairing)
        new = NewGameRequest(
            variant=variant_id,
            switches={},
            opponent="friend",
            side="attackers",
            clock=classroom.clock,
            name=attackers.name,
        )
        guest = Guest(defenders.visitor, defenders.name)
        room, _ = await self._backend.games.create(new, attackers.visitor, guest)
        return ClassGame(
            game=room.id,
            round=number,
            variant=variant_id,
            attackers=attackers.number,
            defenders=defenders.number,
        )


def _game_view(one: ClassGame, names: Mapping[int, str], board: Board | None) -> ClassGameView:
    is_played = one.result is None
    return ClassGameView(
        **one.model_dump(exclude={"moves"}),
        names=[names[number] for number in one.players],
        moves=board.moves if is_played and board else one.moves,
        turn=board.turn if is_played and board else None,  # type: ignore[arg-type]
        position=None if board is None else board.position,
        shape=None if board is None else board.shape,
    )
