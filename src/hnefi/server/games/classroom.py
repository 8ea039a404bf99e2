"""A class: people who play together under a code, without accounts. A value, stored as JSON."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from hnefi.server.events import Clock, NoClock, Result
from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.pairing import Pairing
from hnefi.server.refusals import refused

_LINK_US = 15 * 60 * SECOND_US
_OPEN_US = 15 * 60 * SECOND_US
"""How long a host opens the place of a member to another device."""

_MOST_ON_DEVICE = 12
"""How many members one device may have joined, one after the other."""


class _Value(BaseModel):
    """The base of all parts: immutable; fields of newer versions are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)


class Member(_Value):
    """A person who has joined with a name, and the device that plays for that person."""

    number: int
    name: str
    visitor: str
    """The device, by the hash of its visitor's secret; empty after the person has handed it over."""

    is_removed: bool = False
    former: tuple[str, ...] = ()
    """The devices that were handed over, which may take the place again."""

    open_until_us: int = 0
    """Until when any device that joins under this name takes the place."""

    @property
    def has_device(self) -> bool:
        """Whether a device plays for the person."""
        return bool(self.visitor)

    def is_open_to(self, visitor: str, now_us: int) -> bool:
        """Checks whether a device may take the place: it had it before, or a host has opened it."""
        return now_us < self.open_until_us or (not self.has_device and visitor in self.former)


class ClassGame(_Value):
    """A game of two members."""

    game: str
    """Its id; the game is an ordinary one of the server."""

    round: int
    """The number of its round; 0 if it was paired by hand."""

    variant: str
    attackers: int
    defenders: int
    """The members, by their numbers."""

    result: Result | None = None
    """None while it is played."""

    reason: str | None = None
    """Why it ended; None if the host entered the result."""

    moves: int = 0
    """How many plies were played."""

    @property
    def players(self) -> Pairing:
        """Its members, by their numbers."""
        return Pairing(self.attackers, self.defenders)


class Ending(NamedTuple):
    """How a game ended."""

    result: Result
    reason: str | None
    moves: int


class Standing(NamedTuple):
    """What a member has achieved; a win is a point, a draw half a point."""

    played: int
    won: int
    drawn: int

    @property
    def lost(self) -> int:
        """How many games were lost."""
        return self.played - self.won - self.drawn

    @property
    def half_points(self) -> int:
        """Twice the points."""
        return 2 * self.won + self.drawn


class Classroom(_Value):
    """A class.

    Attributes:
        variants: The games that are played; the first one is suggested.
        hosts: The devices that lead it, by the hashes of their visitors' secrets.
        link: The hash of the secret that makes another device a host, and until when.
        members: Those who have joined, in order; a number is the place in this list, from 1.
        rounds: How many rounds were paired.
        sat_out: For each pause in a round, the member.
        sits_out: The member whom the last round left over, until the next game of that member.
        is_locked: Whether nobody else may join.
        is_closed: Whether it is over.
        token: A random text that tells this version from others.
    """

    code: str
    name: str
    variants: Annotated[tuple[str, ...], Field(min_length=1)]
    clock: Annotated[Clock, Field(discriminator="kind")] = NoClock()
    hosts: tuple[str, ...]
    link: tuple[str, int] | None = None
    members: tuple[Member, ...] = ()
    games: tuple[ClassGame, ...] = ()
    rounds: int = 0
    sat_out: tuple[int, ...] = ()
    sits_out: int | None = None
    is_locked: bool = False
    is_closed: bool = False
    token: str = ""

    # Who

    @property
    def present_members(self) -> list[Member]:
        """The members who were not removed."""
        return [one for one in self.members if not one.is_removed]

    def member_of(self, visitor: str | None) -> Member | None:
        """Returns the member of a visitor; None if the visitor is none, or was removed."""
        return next((one for one in self.present_members if visitor and one.visitor == visitor), None)

    def member(self, number: int) -> Member:
        """Returns a member by its number.

        Raises:
            Refused: `unknown_member`.
        """
        found = next((one for one in self.present_members if one.number == number), None)
        if found is None:
            raise refused("unknown_member", number=number)
        return found

    def is_host(self, visitor: str | None) -> bool:
        """Checks whether a visitor leads the class."""
        return visitor in self.hosts

    def check_host(self, visitor: str | None, *, is_closed_too: bool = False) -> None:
        """Checks that a visitor leads the class, and that it is not over unless `is_closed_too`.

        Raises:
            Refused: `not_host`, `class_closed`.
        """
        if not self.is_host(visitor):
            raise refused("not_host")
        if self.is_closed and not is_closed_too:
            raise refused("class_closed")

    @property
    def busy(self) -> set[int]:
        """The members who have a game that is not over."""
        return {number for one in self.games if one.result is None for number in one.players}

    def last_round(self) -> list[Pairing]:
        """Returns the pairings of the last round."""
        return [one.players for one in self.games if one.round == self.rounds > 0]

    def standings(self) -> Mapping[int, Standing]:
        """Returns what each member has achieved, by number."""
        counts = {one.number: [0, 0, 0] for one in self.members}
        for one in self.games:
            if one.result in (None, "void"):
                continue
            for number, side in ((one.attackers, "attackers"), (one.defenders, "defenders")):
                count = counts[number]
                count[0] += 1
                count[1] += one.result == side
                count[2] += one.result == "draw"
        return {number: Standing(*count) for number, count in counts.items()}

    # Changes: each returns the class after it, or the same one if nothing changes

    def joined(
        self, visitor: str, name: str, most: int, now_us: int, *, is_other: bool = False
    ) -> "Classroom":
        """Adds a visitor, or gives the place of that name back; changes nothing for a member of that name.

        If `is_other`, the device may be taken over from the member who has it.

        Raises:
            Refused: `class_closed`, `class_locked`, `class_full`, `name_missing`, `name_taken`,
                `already_member`, `device_playing`, `device_full`.
        """
        self._check_name(name)
        own = self.member_of(visitor)
        if own is not None and own.name.casefold() == name.casefold():
            return self
        if own is not None and not is_other:
            raise refused("already_member", name=own.name)
        known = self._named(name)
        if known is not None and not known.is_open_to(visitor, now_us):
            raise refused("name_taken", name=name)
        left = self if own is None else self.handed_over(visitor)
        if known is not None:
            return left.seated(known.number, visitor)
        if self.is_locked:
            raise refused("class_locked")
        # Those who were removed count too: nobody joins again and again with new visitors.
        if len(self.present_members) >= most or len(self.members) >= 4 * most:
            raise refused("class_full", limit=most)
        if sum(visitor in (one.visitor, *one.former) for one in self.members) >= _MOST_ON_DEVICE:
            raise refused("device_full", limit=_MOST_ON_DEVICE)
        return left._with_member(Member(number=len(self.members) + 1, name=name, visitor=visitor))

    def renamed(self, visitor: str, name: str) -> "Classroom":
        """Corrects the name of the member who has a device.

        Raises:
            Refused: `class_closed`, `name_missing`, `name_taken`, `unknown_member`.
        """
        self._check_name(name)
        own, known = self._own(visitor), self._named(name)
        if known not in (None, own):
            raise refused("name_taken", name=name)
        return self._with_member(own, name=name)

    def handed_over(self, visitor: str) -> "Classroom":
        """Frees a device from its member, whose name and results stay.

        Raises:
            Refused: `unknown_member`; `device_playing`, while the member has a game.
        """
        own = self._own(visitor)
        if own.number in self.busy:
            raise refused("device_playing", name=own.name)
        former = tuple(dict.fromkeys((*own.former, visitor)))
        return self._with_member(own, visitor="", former=former)

    def opened(self, number: int, now_us: int) -> "Classroom":
        """Lets the next device that joins under the name of a member take the place, for some minutes.

        Raises:
            Refused: `unknown_member`.
        """
        return self._with_member(self.member(number), open_until_us=now_us + _OPEN_US)

    def seated(self, number: int, visitor: str) -> "Classroom":
        """Moves the place of a member to a device; a device that had it loses it."""
        one = self.member(number)
        former = (*one.former, one.visitor) if one.has_device else one.former
        kept = tuple(device for device in dict.fromkeys(former) if device != visitor)
        return self._with_member(one, visitor=visitor, former=kept, open_until_us=0)

    def _check_name(self, name: str) -> None:
        if self.is_closed:
            raise refused("class_closed")
        if not name:
            raise refused("name_missing")

    def _own(self, visitor: str) -> Member:
        if (own := self.member_of(visitor)) is None:
            raise refused("unknown_member", number=0)
        return own

    def _named(self, name: str) -> Member | None:
        """Returns the member with a name; case does not count."""
        wanted = name.casefold()
        return next((one for one in self.present_members if one.name.casefold() == wanted), None)

    def removed(self, number: int) -> "Classroom":
        """Removes a member, whose games that are not over do not count.

        Raises:
            Refused: `unknown_member`.
        """
        after = self._with_member(self.member(number), is_removed=True, name="", open_until_us=0)
        left = [game for game in self.games if game.result is None and number in game.players]
        return after._with_endings({game.game: {"result": "void"} for game in left})

    def _with_member(self, one: Member, **changes: object) -> "Classroom":
        changed = one.model_copy(update=changes)
        members = (*self.members[: one.number - 1], changed, *self.members[one.number :])
        return self.model_copy(update={"members": members})

    def check_pairings(self, pairings: Sequence[Pairing], variant: str, most_games: int) -> None:
        """Checks that games can be paired, of which a class has only so many.

        Raises:
            Refused: `unknown_member`, `same_member`, `member_playing`, `not_a_class_game`,
                `member_without_device`, `too_few_members`, `class_games_full`.
        """
        if not pairings:
            raise refused("too_few_members")
        if variant not in self.variants:
            raise refused("not_a_class_game", variant=variant)
        if len(self.games) + len(pairings) > most_games:
            raise refused("class_games_full", limit=most_games)
        taken = self.busy
        for one in pairings:
            members = [self.member(number) for number in one]
            if one.attackers == one.defenders:
                raise refused("same_member")
            for member in members:
                if member.number in taken:
                    raise refused("member_playing", name=member.name)
                if not member.has_device:
                    raise refused("member_without_device", name=member.name)
            taken |= {*one}

    def with_games(self, games: Sequence[ClassGame], sat_out: int | None) -> "Classroom":
        """Adds games, and the member who sits out their round."""
        rounds = max((one.round for one in games), default=0)
        is_over = any(self.sits_out in one.players for one in games)
        return self.model_copy(
            update={
                "games": (*self.games, *games),
                "rounds": max(self.rounds, rounds),
                "sat_out": self.sat_out if sat_out is None else (*self.sat_out, sat_out),
                "sits_out": sat_out or (None if is_over else self.sits_out),
            }
        )

    def ended(self, endings: Mapping[str, Ending]) -> "Classroom":
        """Notes how games ended; those that have a result keep it."""
        ended = [one.game for one in self.games if one.result is None and one.game in endings]
        return self._with_endings({game: endings[game]._asdict() for game in ended})

    def _with_endings(self, changes: Mapping[str, dict[str, object]]) -> "Classroom":
        if not changes:
            return self
        games = (one.model_copy(update=changes.get(one.game)) for one in self.games)
        return self.model_copy(update={"games": tuple(games)})

    def with_result(self, game: str, result: Result, moves: int | None = None) -> "Classroom":
        """Enters the result of a game by hand, also instead of another one, and its moves if they are known.

        Raises:
            Refused: `unknown_game`.
        """
        if all(one.game != game for one in self.games):
            raise refused("unknown_game", game=game)
        counted = {} if moves is None else {"moves": moves}
        return self._with_endings({game: {"result": result, "reason": None, **counted}})

    def with_link(self, secret: str, now_us: int) -> "Classroom":
        """Lets the secret with this hash make another device a host, once."""
        return self.model_copy(update={"link": (secret, now_us + _LINK_US)})

    def with_host(self, visitor: str, secret: str, now_us: int) -> "Classroom":
        """Makes a visitor a host, by the hash of the secret of a link.

        Raises:
            Refused: `bad_link`.
        """
        if self.is_host(visitor):
            return self
        if self.link is None or not secrets.compare_digest(self.link[0], secret) or self.link[1] < now_us:
            raise refused("bad_link")
        return self.model_copy(update={"hosts": (*self.hosts, visitor), "link": None})

    def free_members(self, here: Collection[int]) -> list[int]:
        """Returns the members among some who have no game."""
        busy = self.busy
        return [
            one.number
            for one in self.present_members
            if one.has_device and one.number in here and one.number not in busy
        ]
