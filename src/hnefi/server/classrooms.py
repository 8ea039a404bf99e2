"""Classes: devices that play together under a code, paired by a host.

A class is a row of the store, and its games are ordinary ones, so that every process serves every class. A
change is refused if another process has changed the class meanwhile, and repeated then.
"""

import asyncio
import contextlib
import hashlib
import random
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from hnefi.server.events import Result
from hnefi.server.games.classroom import ClassGame, Classroom, Ending, Member, new_code
from hnefi.server.games.clocks import DAY_US
from hnefi.server.games.commands import NewGameRequest
from hnefi.server.games.new_game import Guest
from hnefi.server.games.pairing import Pairing, next_round, swapped_round
from hnefi.server.games.retention import CLASS_DAYS
from hnefi.server.games.state import State, Status
from hnefi.server.games.time import Leads
from hnefi.server.messages.classrooms import ClassGameView, ClassMemberView, ClassView, NewClassRequest
from hnefi.server.messages.rules import ShapeView, shape_of
from hnefi.server.messages.views import outcome_view
from hnefi.server.presence import HERE_S, Presence, person_of_visitor
from hnefi.server.process import Process
from hnefi.server.refusals import Refused, refused
from hnefi.server.secrets import hash_of, new_secret
from hnefi.server.store import ClassroomRow, Conflict, NotSaved
from hnefi.variants.finding import variant

_FRESH_S = 1.0
"""How old a class may be that is read for several devices."""

_ATTEMPTS, _PAUSE_S = 30, 0.05
_MOST_READ = 500
Change = Callable[[Classroom], Classroom]


class ClassMessage(NamedTuple):
    """The message about a class for a visitor.

    Attributes:
        text: The message.
        tag: Its `ETag`.
        is_inside: Whether the visitor is a member or a host.
    """

    text: str
    tag: str
    is_inside: bool


class _Board(NamedTuple):
    """A game of a class as it was read, up to an event."""

    seq: int
    position: str
    shape: ShapeView
    turn: str | None
    moves: int
    ending: Ending | None


class _Stored(NamedTuple):
    """A class as it is stored."""

    row: ClassroomRow
    classroom: Classroom


class _Entry:
    """What this process knows of a class."""

    def __init__(self) -> None:
        self.reading, self.changing, self.pairing = asyncio.Lock(), asyncio.Lock(), asyncio.Lock()
        self.read: _Stored | None = None
        self.read_s = 0.0
        self.revision = 0
        """What was written here last, so that nobody is shown an older one after it."""

        self.boards: dict[str, _Board] = {}


class Classrooms:
    """The classes of the site."""

    def __init__(
        self,
        backend: Process,
        connected: Callable[[], Collection[str]],
        most_members: int,
        most_games: int,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Creates it without having read anything.

        Args:
            backend: The games.
            connected: Returns the people with a connection, as `person_of` names them.
            most_members: How many members a class has at most.
            most_games: How many games a class has at most.
            now: Returns the time in seconds.
        """
        self._backend = backend
        self._presence = Presence(connected, now)
        self._most_members, self._most_games = most_members, most_games
        self._now = now
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    # Reading

    async def view(self, code: str, visitor: str | None) -> ClassMessage:
        """Returns the message about a class for a visitor, who counts as here.

        Raises:
            Refused: `unknown_class`.
        """
        if visitor is not None:
            self._presence.note(person_of_visitor(visitor))
        entry = self._entry(code)
        async with entry.reading:
            is_fresh = self._now() - entry.read_s < _FRESH_S
            if entry.read is None or not is_fresh or entry.read.row.revision < entry.revision:
                await self._refresh(code, entry)
            assert entry.read is not None
            view = self._view(entry.read, entry.boards, visitor)
        text = view.model_dump_json()
        tag = f'W/"{hashlib.sha256(text.encode()).hexdigest()[:24]}"'
        return ClassMessage(text, tag, view.is_host or view.you is not None)

    async def classroom(self, code: str) -> Classroom:
        """Returns a class with the results up to now.

        Raises:
            Refused: `unknown_class`.
        """
        entry = self._entry(code)
        async with entry.reading:
            await self._refresh(code, entry)
            assert entry.read is not None
            return entry.read.classroom

    def members_here(self) -> dict[str, list[int]]:
        """Returns the members of each class who are connected to this process."""
        since_s = self._now() - HERE_S
        known = [(code, one.read) for code, one in self._entries.items() if one.read and one.read_s > since_s]
        return {code: sorted(self._connected_here(read.classroom.present_members)) for code, read in known}

    def _here(self, code: str, members: Sequence[Member]) -> set[int]:
        """Returns the members who have a page of the class, or a game, open."""
        # Another process may not know yet that a device was handed over.
        elsewhere = {*self._backend.members_elsewhere(code)}
        return self._connected_here(members) | {
            one.number for one in members if one.has_device and one.number in elsewhere
        }

    def _connected_here(self, members: Sequence[Member]) -> set[int]:
        return {
            one.number
            for one in members
            if one.has_device and self._presence.is_here(person_of_visitor(one.visitor))
        }

    def _entry(self, code: str) -> _Entry:
        entry = self._entries.get(code)
        if entry is None:
            entry = self._entries[code] = _Entry()
            if len(self._entries) > _MOST_READ:
                self._entries.popitem(last=False)
        self._entries.move_to_end(code)
        return entry

    async def _load(self, code: str) -> _Stored:
        row = await self._backend.store.classroom(code)
        if row is None:
            self._entries.pop(code, None)
            raise refused("unknown_class")
        return _Stored(row, Classroom.model_validate_json(row.body))

    async def _refresh(self, code: str, entry: _Entry) -> None:
        """Reads a class and its boards, and notes the results of games that have ended."""
        at_s = self._now()
        stored = await self._load(code)
        entry.boards = await self._read_boards(stored.classroom, entry.boards)
        endings = {game: one.ending for game, one in entry.boards.items() if one.ending is not None}
        ended = stored.classroom.ended(endings)
        if ended is not stored.classroom:
            try:
                stored = await self._change(code, lambda one: one.ended(endings))
            except NotSaved:  # the next reader tries again
                stored = _Stored(stored.row, ended)
        entry.read, entry.read_s = stored, at_s

    async def _read_boards(self, classroom: Classroom, known: Mapping[str, _Board]) -> dict[str, _Board]:
        """Reads the games on the wall: those that are played, and the last one of each member."""
        wanted = _wall(classroom)
        last = await self._backend.store.last_events(wanted) if wanted else {}
        boards = {}
        for game, seq in last.items():
            board = known.get(game)
            if board is None or board.seq != seq:
                try:
                    board = _board((await self._backend.games.read(game)).state)
                except Refused:  # damaged, or deleted meanwhile
                    continue
            if board is not None:
                boards[game] = board
        return boards

    def _view(self, read: _Stored, boards: Mapping[str, _Board], visitor: str | None) -> ClassView:
        classroom = read.classroom
        own, is_host = classroom.member_of(visitor), classroom.is_host(visitor)
        members = classroom.present_members if is_host else [own] if own is not None else []
        here, busy, standings = self._here(classroom.code, members), classroom.busy, classroom.standings()
        names = {one.number: one.name for one in classroom.members}
        leads, now_us = self._backend.time.leads, self._backend.time.now_us()
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
            most_members=self._most_members,
            deleted_ms=leads.shown_us(read.row.changed_us + CLASS_DAYS * DAY_US) // 1000,
        )

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
            try:
                await self._write(classroom, 0)
            except Conflict:
                continue
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

        _, classroom = await self._change(code, join)
        self._presence.note(person_of_visitor(visitor))
        if former not in ("", visitor):
            await self._move_seats(classroom, former, visitor)

    async def rename(self, code: str, visitor: str, name: str) -> None:
        """Corrects the name of a member; see `Classroom.renamed`."""
        await self._change(code, lambda one: one.renamed(visitor, name))

    async def hand_over(self, code: str, visitor: str) -> None:
        """Frees the device of a member; see `Classroom.handed_over`."""
        await self._change(code, lambda one: one.handed_over(visitor))

    async def _move_seats(self, classroom: Classroom, former: str, visitor: str) -> None:
        """Lets the new device of a member play the member's games that are not over."""
        member = classroom.member_of(visitor)
        for one in classroom.games:
            if member is None or one.result is not None or member.number not in one.players:
                continue
            with contextlib.suppress(Refused):  # damaged, or deleted meanwhile
                secret, _ = await self._backend.games.create_link(one.game, former)
                await self._backend.games.use_link(secret, visitor)

    async def change(self, code: str, visitor: str, change: Change, *, is_closed_too: bool = False) -> None:
        """Changes a class for a host; one that is over only with `is_closed_too`.

        Raises:
            Refused: `unknown_class`, `not_host`, `class_closed`, and as the change.
        """

        def checked(classroom: Classroom) -> Classroom:
            classroom.check_host(visitor, is_closed_too=is_closed_too)
            return change(classroom)

        await self._change(code, checked)

    async def open_place(self, code: str, visitor: str, number: int) -> None:
        """Lets the next device that joins under a member's name take the place; see `Classroom.opened`."""
        now_us = self._backend.time.now_us()
        await self.change(code, visitor, lambda one: one.opened(number, now_us))

    async def enter_result(self, code: str, visitor: str, game: str, result: Result) -> None:
        """Sets the result of a game in the class and on its board, which takes no more moves.

        Raises:
            Refused: `unknown_class`, `not_host`, `class_closed`, `unknown_game`.
        """
        await self.change(code, visitor, lambda one: one.with_result(game, result))
        await self._adjudicate([game], result)

    async def remove(self, code: str, visitor: str, number: int) -> None:
        """Removes a member; the games that are not over do not count, and their boards close.

        Raises:
            Refused: `unknown_class`, `not_host`, `class_closed`, `unknown_member`.
        """
        left = list[str]()

        def remove(classroom: Classroom) -> Classroom:
            left[:] = [one.game for one in classroom.games if one.result is None and number in one.players]
            return classroom.removed(number)

        await self.change(code, visitor, remove)
        await self._adjudicate(left, "void")

    async def _adjudicate(self, games: Sequence[str], result: Result) -> None:
        for game in games:
            with contextlib.suppress(Refused):  # damaged, or deleted meanwhile
                await self._backend.games.adjudicate(game, result)

    async def create_link(self, code: str, visitor: str) -> tuple[str, int]:
        """Creates a link that makes another device a host; returns its secret, and until when."""
        secret, now_us = new_secret(), self._backend.time.now_us()
        _, classroom = await self._change(code, lambda one: _linked(one, visitor, hash_of(secret), now_us))
        assert classroom.link is not None
        return secret, self._backend.time.leads.shown_us(classroom.link[1])

    async def use_link(self, code: str, visitor: str, secret: str) -> None:
        """Makes a visitor a host; see `Classroom.with_host`."""
        now_us = self._backend.time.now_us()
        await self._change(code, lambda one: one.with_host(visitor, hash_of(secret), now_us))

    async def delete(self, code: str, visitor: str) -> None:
        """Deletes a class with its names and results.

        Raises:
            Refused: `unknown_class`, `not_host`.
        """

        await self._change(code, lambda one: one.check_host(visitor, is_closed_too=True))

    async def pair(
        self, code: str, visitor: str, pairing: Pairing, variant_id: str, charge: Callable[[int], None]
    ) -> None:
        """Creates a game of two members.

        Args:
            code: The class.
            visitor: Who pairs them, a host.
            pairing: The members.
            variant_id: The game.
            charge: Counts new games; raises `Refused` above the limit.
        """
        await self._pair(code, visitor, variant_id, charge, lambda _: ([pairing], None), in_round=False)

    async def pair_round(
        self,
        code: str,
        visitor: str,
        variant_id: str,
        charge: Callable[[int], None],
        *,
        swapped: bool,
        members: Collection[int] | None,
    ) -> None:
        """Creates the games of a round for all who are here and have no game.

        Args:
            code: The class.
            visitor: Who pairs them, a host.
            variant_id: The game.
            charge: As for `pair`.
            swapped: Whether the last round is repeated with the sides swapped.
            members: Only these; None for all who are here.
        """

        def choose(classroom: Classroom) -> tuple[list[Pairing], int | None]:
            here = self._here(code, classroom.present_members) if members is None else members
            free = classroom.free_members(here)
            if swapped:
                return swapped_round(classroom.last_round(), free), None
            return next_round(free, classroom.played)

        await self._pair(code, visitor, variant_id, charge, choose, in_round=True)

    async def _pair(
        self,
        code: str,
        visitor: str,
        variant_id: str,
        charge: Callable[[int], None],
        choose: Callable[[Classroom], tuple[list[Pairing], int | None]],
        *,
        in_round: bool,
    ) -> None:
        async with self._entry(code).pairing:
            classroom = await self.classroom(code)
            classroom.check_host(visitor)
            pairings, alone = choose(classroom)
            classroom.check_pairings(pairings, variant_id, self._most_games)
            charge(len(pairings))
            number = classroom.rounds + 1 if in_round else 0
            games = await asyncio.gather(
                *(self._create_game(classroom, one, variant_id, number) for one in pairings)
            )

            def add(found: Classroom) -> Classroom:
                found.check_host(visitor)
                found.check_pairings(pairings, variant_id, self._most_games)
                return found.with_games(games, alone)

            await self._change(code, add)

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

    async def _change(self, code: str, change: Callable[[Classroom], Classroom | None]) -> _Stored:
        """Changes a class, again if somebody else has changed it meanwhile; None deletes it."""
        entry = self._entry(code)
        async with entry.changing:
            for attempt in range(_ATTEMPTS):
                stored = await self._load(code)
                changed = change(stored.classroom)
                if changed is stored.classroom:
                    return stored
                revision, deletes = stored.row.revision, changed is None
                try:
                    written = await self._write(changed or stored.classroom, revision, deletes=deletes)
                except Conflict:
                    await asyncio.sleep(random.random() * _PAUSE_S * min(attempt, 4))
                    continue
                entry.revision = revision + 1
                return written
        raise NotSaved("others change the class all the time")

    async def _write(self, classroom: Classroom, revision: int, *, deletes: bool = False) -> _Stored:
        """Writes the revision after a known one.

        Raises:
            Conflict: If somebody else has written it.
        """
        written = classroom.model_copy(update={"token": new_secret()})
        body = "" if deletes else written.model_dump_json()
        row = ClassroomRow(classroom.code, revision + 1, self._backend.time.now_us(), body)
        try:
            await self._backend.games.write_classroom(row)
        except Conflict:
            # With several processes a write may be repeated after it was stored.
            found = await self._backend.store.classroom(classroom.code)
            is_done = found is None if deletes else found is not None and found.body == body
            if not is_done:
                raise
        return _Stored(row, written)


def _shown_ms(leads: Leads, until_us: int, now_us: int) -> int | None:
    """Returns a time as messages show it; None once it is over."""
    return leads.shown_us(until_us) // 1000 if until_us > now_us else None


def _linked(classroom: Classroom, visitor: str, secret: str, now_us: int) -> Classroom:
    classroom.check_host(visitor, is_closed_too=True)
    return classroom.with_link(secret, now_us)


def _wall(classroom: Classroom) -> list[str]:
    """Returns the games that are played, and those after which nobody of its two has begun another one."""
    last: dict[int, str] = {}
    wanted: dict[str, None] = {}
    for one in classroom.games:
        if one.result is None:
            wanted[one.game] = None
        if one.result != "void":
            last |= dict.fromkeys(one.players, one.game)
    return [*wanted, *(game for game in dict.fromkeys(last.values()) if game not in wanted)]


def _board(state: State) -> _Board | None:
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
    return _Board(state.seq, str(leg.game.position.setup), shape_of(state.rules), turn, leg.ply_count, ending)


def _game_view(one: ClassGame, names: Mapping[int, str], board: _Board | None) -> ClassGameView:
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
