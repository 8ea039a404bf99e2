"""People: who is here, open challenges, quick pairing, and games to watch.

Challenges are games in the store, so that every process lists the same ones.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from time import monotonic
from typing import NamedTuple

from hnefi.errors import VariantError
from hnefi.server import events as e
from hnefi.server.games.challenges import best_match, is_same
from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.commands import CommandRequest, NewGameRequest
from hnefi.server.games.room import Room
from hnefi.server.live_games import live_games
from hnefi.server.messages.people import ChallengeView, LiveGameView, Paired, PeopleView
from hnefi.server.messages.rules import shape_of
from hnefi.server.messages.views import game_view
from hnefi.server.presence import Presence, person_of_visitor
from hnefi.server.process import Process
from hnefi.server.refusals import Refused, refused
from hnefi.server.store import reading
from hnefi.server.store.rows import Challenge
from hnefi.variants.finding import variant

_FRESH_S = 1.0
"""How old a list may be that is read for several people."""

_AWAY_S = 10.0
"""After how long without a connection or a request the poster of a challenge is away."""

_RELOAD_S = 2.0
"""After how long without a connection a poster who had one is away: a page that is loaded again is back."""

_TOLD_S = 3.0
"""How long another process may take to tell that the poster of a new challenge is there."""

_MOST_CHALLENGES, _MOST_READ = 100, 500
_ROUNDS, _YIELD_S = 3, 0.4
_TAKEN = ("already_over", "seat_taken", "challenge_over", "own_game", "unknown_game", "damaged_game")
"""Why a challenge cannot be taken, so that the next one is tried."""


_Known = tuple[Challenge, e.Created, ChallengeView]
"""An open challenge, with its first event and its message."""


class _Listed(NamedTuple):
    """The list as it was read."""

    at_s: float
    challenges: list[_Known]
    games: list[LiveGameView]


class People:
    """The lists of open challenges and of games to watch, and the count of people."""

    def __init__(self, backend: Process, connected: Callable[[], Collection[str]], per_visitor: int) -> None:
        """Creates it; a visitor may have `per_visitor` challenges at the same time.

        `connected` returns the people with a connection, as `person_of` names them.
        """
        self._backend = backend
        self.presence = Presence(connected)
        self._per_visitor = per_visitor
        self._started_s = monotonic()
        self._connected = connected
        self._posters: dict[str, float] = {}
        self._sought: dict[str, str] = {}
        """The challenges of quick pairing, which end when their posters leave, and the posters."""

        self._listed: _Listed | None = None
        self._reading = asyncio.Lock()
        self._pairing = asyncio.Lock()
        self._challenge = lru_cache(_MOST_READ)(self._read_challenge)

    # Lists

    async def view(self, visitor: str | None) -> PeopleView:
        """Returns the message about people for a visitor."""
        await self._end_left()
        if visitor is not None:
            self._note_poster(visitor)
        listed = await self._list()
        challenges = [
            shown.model_copy(update={"yours": visitor in one.makers, "away": self._is_away(one)})
            for one, _, shown in listed.challenges
        ]
        return PeopleView(
            here=self.presence.count() + sum(one.people for one in self._backend.elsewhere),
            # One with a clock waits for its poster: nobody would play.
            challenges=[one for one in challenges if one.yours or not (one.away and _is_timed(one))],
            games=listed.games,
        )

    async def _list(self) -> _Listed:
        """Returns the list, which is read at most once a second."""
        async with self._reading:
            if self._listed is None or monotonic() - self._listed.at_s >= _FRESH_S:
                at_s, now_us = monotonic(), self._backend.time.now_us()
                found = await self._backend.store.read(reading.challenges, now_us, _MOST_CHALLENGES)
                challenges = [known for one in found if (known := self._challenge(one)) is not None]
                self._listed = _Listed(at_s, challenges, await live_games(self._backend))
            return self._listed

    # Who waits for an opponent

    def _note_poster(self, visitor: str) -> None:
        """Notes a sign of a visitor who may have posted a challenge, and forgets those who left."""
        self._posters.pop(visitor, None)
        self._posters[visitor] = monotonic()
        while self._posters[first := next(iter(self._posters))] < monotonic() - _AWAY_S:
            del self._posters[first]

    def posters_here(self) -> list[str]:
        """Returns the visitors at this process who posted a challenge and have not left."""
        listed = () if self._listed is None else self._listed.challenges
        return sorted(
            {
                maker
                for one, _, _ in listed
                for maker in one.makers
                if self._waits_here(maker) and not self._has_closed(one)
            }
        )

    def _is_connected(self, visitor: str) -> bool:
        return person_of_visitor(visitor) in self._connected()

    def _waits_here(self, visitor: str) -> bool:
        return self._posters.get(visitor, 0.0) > monotonic() - _AWAY_S or self._is_connected(visitor)

    def _closed_s(self, challenge: Challenge) -> float | None:
        """Returns how long ago the poster closed the page that waited; None if there was a sign since.

        The page is connected to the game, and the room knows of connections to other processes, too.
        """
        room = self._backend.rooms.loaded.get(challenge.game)
        if room is None or room.audience.left_us is None or any(map(self._is_connected, challenge.makers)):
            return None
        closed_s = (self._backend.time.now_us() - room.audience.left_us) / SECOND_US
        seen_s = max(self._posters.get(maker, 0.0) for maker in challenge.makers)
        return None if seen_s > monotonic() - closed_s else closed_s

    def _has_closed(self, challenge: Challenge) -> bool:
        closed_s = self._closed_s(challenge)
        return closed_s is not None and closed_s >= _RELOAD_S

    async def _await_reloads(self) -> None:
        """Waits until it is known of those who have just closed a page whether they load it again."""
        closed = (self._closed_s(one) for one, _, _ in (await self._list()).challenges)
        await asyncio.sleep(max((_RELOAD_S - one for one in closed if one is not None), default=0))

    def _is_away(self, challenge: Challenge) -> bool:
        """Checks whether the poster of a challenge has left.

        After a start of the process, posters have a moment to ask again. A new challenge is a sign by itself:
        its poster may be at another process, which has not told yet.
        """
        if any(not challenge.makers.isdisjoint(one.posters) for one in self._backend.elsewhere):
            return False
        if self._has_closed(challenge):
            return True
        if monotonic() < self._started_s + _AWAY_S:
            return False
        if self._backend.time.now_us() < challenge.posted_us + _TOLD_S * SECOND_US:
            return False
        return not any(map(self._waits_here, challenge.makers))

    async def _end_left(self) -> None:
        """Cancels the challenges of quick pairing whose posters have closed the page."""
        if not self._sought:
            return
        listed = {one.game: one for one, _, _ in (await self._list()).challenges}
        for game, visitor in list(self._sought.items()):
            if game not in listed:
                self._sought.pop(game, None)
            elif self._is_away(listed[game]):
                self._sought.pop(game, None)
                await self._cancel(game, visitor)
                self._forget_list()

    async def check_poster(self, game: str) -> None:
        """Checks before a challenge is taken that nobody who has left would have to play at once.

        Raises:
            Refused: `challenger_away`.
        """
        await self._end_left()
        for one, _, shown in (await self._list()).challenges:
            if one.game == game and _is_timed(shown) and self._is_away(one):
                raise refused("challenger_away")

    def _forget_list(self) -> None:
        """Has the next reader read the list again, since a challenge was posted or taken here."""
        if self._listed is not None:
            self._listed = self._listed._replace(at_s=-_FRESH_S)

    def _read_challenge(self, one: Challenge) -> _Known | None:
        """Returns a challenge with its first event and its message, which stay the same.

        None if the event is damaged, or if the variant exists no more.
        """
        try:
            created = e.read_body(one.created)
            assert isinstance(created, e.Created)
            played = variant(created.variant).with_switches(created.switches)
        except (VariantError, ValueError):
            return None
        leads = self._backend.time.leads
        view = ChallengeView(
            game=one.game,
            variant=created.variant,
            switches=created.switches,
            title=created.title,
            position=created.start or str(played.rules.start),
            shape=shape_of(played.rules),
            side=created.side,
            form=created.form,
            clock=created.clock,
            name=created.name,
            posted_ms=leads.shown_us(one.posted_us) // 1000,
            until_ms=leads.shown_us(one.until_us) // 1000,
            yours=False,
            away=False,
        )
        return one, created, view

    # Posting and pairing

    async def post(self, new: NewGameRequest, visitor: str) -> tuple[Room, str | None]:
        """Creates a game that is an open challenge.

        Raises:
            Refused: `too_many_challenges`, and as `Games.create`.
        """
        async with self._pairing:
            return await self._post(new, visitor)

    async def _post(self, new: NewGameRequest, visitor: str) -> tuple[Room, str | None]:
        now_us = self._backend.time.now_us()
        own = await self._backend.store.read(reading.challenges, now_us, self._per_visitor, visitor)
        if len(own) >= self._per_visitor:
            raise refused("too_many_challenges", limit=self._per_visitor)
        self._note_poster(visitor)
        created = await self._backend.games.create(new.model_copy(update={"open": True}), visitor)
        self._forget_list()
        return created

    async def pair(self, new: NewGameRequest, visitor: str, charge: Callable[[], None]) -> Paired:
        """Takes the oldest of the challenges that fit best, or posts one, unless the same one waits already.

        Only challenges are taken whose posters are there. One that is posted ends when its poster leaves.

        Two people who look for the same game at the same time meet, also at different processes: the one
        whose challenge is younger takes the other. `charge` counts a new game; it raises `Refused` above the
        limit.
        """
        await self._await_reloads()
        async with self._pairing:
            await self._end_left()
            if (taken := await self._take(new, visitor)) is not None:
                return taken
            if (posted := await self._same_challenge(new, visitor)) is not None:
                return _paired(await self._backend.games.read(posted), visitor, is_taken=False)
            charge()
            own, invite = await self._seek(new, visitor)
            for _ in range(_ROUNDS):
                if not await self._is_to_move(own.id, new, visitor):
                    break
                if not await self._cancel(own.id, visitor):
                    return _paired(own, visitor, is_taken=True)
                if (taken := await self._take(new, visitor)) is not None:
                    return taken
                own, invite = await self._seek(new, visitor)
            return _paired(own, visitor, is_taken=False, invite=invite)

    async def _seek(self, new: NewGameRequest, visitor: str) -> tuple[Room, str | None]:
        """Posts a challenge that ends when its poster leaves."""
        room, invite = await self._post(new, visitor)
        self._sought[room.id] = visitor
        return room, invite

    async def _is_to_move(self, own: str, new: NewGameRequest, visitor: str) -> bool:
        """Checks whether the visitor is to give up a challenge and take another one, posted elsewhere.

        The younger one does. If the older one still waits after a moment, its process did not see the other.
        """
        older, younger = await self._around(own, new, visitor)
        if not older and younger:
            await asyncio.sleep(_YIELD_S)
            older, younger = await self._around(own, new, visitor)
        return bool(older or younger)

    async def _around(self, own: str, new: NewGameRequest, visitor: str) -> tuple[list[str], list[str]]:
        """Returns the challenges that fit and are older than one's own, and those that are younger."""
        self._forget_list()
        listed = await self._oldest_first()
        at = next((place for place, (one, *_) in enumerate(listed) if one.game == own), len(listed))
        return self._fitting(listed[:at], new, visitor), self._fitting(listed[at + 1 :], new, visitor)

    async def _oldest_first(self) -> list[_Known]:
        listed = [known for known in (await self._list()).challenges if not self._is_away(known[0])]
        return sorted(listed, key=lambda known: (known[0].posted_us, known[0].game))

    @staticmethod
    def _fitting(listed: Sequence[_Known], new: NewGameRequest, visitor: str) -> list[str]:
        others = ((one.game, created) for one, created, _ in listed if visitor not in one.makers)
        return best_match(new, others)

    async def _same_challenge(self, new: NewGameRequest, visitor: str) -> str | None:
        """Returns the visitor's open challenge for the same game and side; None without one."""
        self._note_poster(visitor)
        for one, found, _ in await self._oldest_first():
            if visitor in one.makers and is_same(found, new):
                return one.game
        return None

    async def _cancel(self, game: str, visitor: str) -> bool:
        """Cancels one's own challenge; returns whether nobody had taken it."""
        games, now_us = self._backend.games, self._backend.time.now_us()
        cancel = CommandRequest(id="pairing", seq=1, do="abort")
        try:
            await games.act(game, visitor, cancel, now_us)
        except Refused:
            return False
        return True

    async def _take(self, new: NewGameRequest, visitor: str) -> Paired | None:
        """Takes the best challenge that fits; None if there is none."""
        self._forget_list()
        for game in self._fitting(await self._oldest_first(), new, visitor):
            try:
                room = await self._backend.games.join(game, visitor, None, new.name)
            except Refused as refusal:
                if refusal.code not in _TAKEN:
                    raise
            else:
                self._forget_list()
                return _paired(room, visitor, is_taken=True)
        return None


def _paired(room: Room, visitor: str, *, is_taken: bool, invite: str | None = None) -> Paired:
    state = game_view(room, room.players_of(visitor))
    return Paired(game=room.id, is_taken=is_taken, invite=invite, state=state)


def _is_timed(challenge: ChallengeView) -> bool:
    return challenge.clock.kind == "fischer"
