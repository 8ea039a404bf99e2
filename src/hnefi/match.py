"""Matches: a single game, or two legs with the sides swapped; and the drawing of sides.

A match is between two players, who are known by name. A drawn leg is worth half a point. The
tie-break of the variant decides between players who are level: captured soldiers in the Géoludie text
(clauses D17, D18), nothing in the others.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from hnefi._core import Game, Outcome, match_score
from hnefi.errors import HnefiError
from hnefi.pieces import Side
from hnefi.variants import finding
from hnefi.variants.model import Variant

_DRAWING = "hnefi sides 1"
_NOT_IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class MatchError(HnefiError):
    """A match that cannot exist: its names are not two players, or it has too many legs."""


class MatchFormat(Enum):
    """The number of games in a match."""

    SINGLE = "single"
    TWO_LEGS = "two_legs"

    @property
    def legs(self) -> int:
        """The number of games.

        >>> MatchFormat.TWO_LEGS.legs
        2
        """
        return 2 if self is MatchFormat.TWO_LEGS else 1

    @classmethod
    def of(cls, variant: Variant | str) -> "MatchFormat":
        """Returns the match format that a variant, or that of an id or name, prescribes."""
        return cls.TWO_LEGS if finding.variant(variant).match["legs"] == 2 else cls.SINGLE


class TieBreak(Enum):
    """The criterion that decides a match of two legs that is level on points."""

    NONE = "none"
    CAPTURES = "captures"

    @classmethod
    def of(cls, variant: Variant | str) -> "TieBreak":
        """Returns the tie-break that a variant, or that of an id or name, prescribes.

        >>> TieBreak.of("tablut-geoludie"), TieBreak.of("brandub-globe")
        (<TieBreak.CAPTURES: 'captures'>, <TieBreak.NONE: 'none'>)
        """
        return cls(finding.variant(variant).match["tie_break"])


class Decision(Enum):
    """The criterion that decided a match: points, captured soldiers, or none (a drawn match)."""

    POINTS = "points"
    CAPTURES = "captures"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True)
class Sides:
    """The assignment of two players to the sides.

    Attributes:
        attackers: The player with the attackers.
        defenders: The player with the defenders.
    """

    attackers: str
    defenders: str

    def __post_init__(self) -> None:
        for player in (self.attackers, self.defenders):
            _check_line(player)
        if self.attackers == self.defenders:
            raise MatchError.of_facts("same_player", player=self.attackers)

    @property
    def swapped(self) -> "Sides":
        """The same players on each other's side.

        >>> Sides("Ana", "Bran").swapped
        Sides(attackers='Bran', defenders='Ana')
        """
        return Sides(self.defenders, self.attackers)

    def player(self, side: Side) -> str:
        """Returns the player who has a side."""
        return self.attackers if side is Side.ATTACKERS else self.defenders

    def side(self, player: str) -> Side:
        """Returns the side of a player.

        Raises:
            MatchError: `unknown_player`.
        """
        if player not in (self.attackers, self.defenders):
            raise MatchError.of_facts("unknown_player", player=player)
        return Side.ATTACKERS if player == self.attackers else Side.DEFENDERS


def draw_sides(players: Sequence[str], seed: str) -> Sides:
    """Draws the sides of two players by lot, in a way that anyone can verify.

    The names are sorted by code point. The drawing is the SHA-256 of four lines in UTF-8: `hnefi sides 1`,
    the seed and the two names, without a line end after the last. If its first hexadecimal digit is 0 to
    7, the first player has the attackers, else the second.
    In a shell: `printf 'hnefi sides 1\\nSEED\\nANA\\nBRAN' | sha256sum`.

    Args:
        players: Two different names, in any order.
        seed: A text of one line that neither player can choose, such as a number published later.

    Raises:
        MatchError: `not_two_players`, `same_player`, or `bad_line` for a text that is empty or has two lines.

    >>> draw_sides(["Bran", "Ana"], "2027-01-06 41 7")
    Sides(attackers='Ana', defenders='Bran')
    """
    if len(players) != 2:
        raise MatchError.of_facts("not_two_players", found=len(players))
    _check_line(seed)
    sides = Sides(*sorted(players))
    drawn = hashlib.sha256(f"{_DRAWING}\n{seed}\n{sides.attackers}\n{sides.defenders}".encode())
    return sides if drawn.digest()[0] < 0x80 else sides.swapped


@dataclass(frozen=True, slots=True)
class Leg:
    """A finished leg: its outcome, and the soldiers each side captured (the king does not count)."""

    outcome: Outcome
    captured_by_attackers: int
    captured_by_defenders: int

    def __post_init__(self) -> None:
        if min(self.captured_by_attackers, self.captured_by_defenders) < 0:
            raise MatchError.of_facts("negative_captures")

    @classmethod
    def of(cls, game: Game) -> "Leg":
        """Returns the leg of a finished game.

        Raises:
            MatchError: `unfinished_game`.
        """
        if game.outcome is None:
            raise MatchError.of_facts("unfinished_game")
        return cls(game.outcome, game.captured_by(Side.ATTACKERS), game.captured_by(Side.DEFENDERS))

    def captured_by(self, side: Side) -> int:
        """Returns the number of soldiers that a side captured."""
        return self.captured_by_attackers if side is Side.ATTACKERS else self.captured_by_defenders

    def points(self, side: Side) -> Fraction:
        """Returns the points of a side: 1 for a win, ½ for a draw, 0 for a loss."""
        half_points, *_ = match_score([(0, self.outcome, 0, 0)], False)
        return Fraction(half_points[0 if side is Side.ATTACKERS else 1], 2)


@dataclass(frozen=True, slots=True)
class Standing:
    """The points and captures of one player in a match."""

    player: str
    points: Fraction
    captures: int
    """Soldiers captured in all legs, with either side."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a match: the winner, None for a draw, and what decided it."""

    winner: str | None
    decision: Decision


@dataclass(frozen=True, slots=True)
class Match:
    """A match between two players: their sides in each leg, and the legs played so far.

    Attributes:
        format: The number of legs.
        sides: The sides in the first leg.
        legs: The finished legs.
        tie_break: What decides two legs that are level on points; `TieBreak.of` returns a variant's.

    >>> from hnefi import Outcome, Reason
    >>> sides = Sides(attackers="Bran", defenders="Ana")
    >>> match = Match(MatchFormat.TWO_LEGS, sides, tie_break=TieBreak.CAPTURES)
    >>> match = match.play(Leg(Outcome(Side.DEFENDERS, Reason.CORNER), 2, 3))
    >>> match.next_sides
    Sides(attackers='Ana', defenders='Bran')
    >>> match.play(Leg(Outcome(Side.DEFENDERS, Reason.CORNER), 4, 4)).verdict
    Verdict(winner='Ana', decision=<Decision.CAPTURES: 'captures'>)
    """

    format: MatchFormat
    sides: Sides
    legs: tuple[Leg, ...] = ()
    tie_break: TieBreak = TieBreak.NONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "legs", tuple(self.legs))
        if len(self.legs) > self.format.legs:
            raise MatchError.of_facts("match_over")

    @property
    def players(self) -> tuple[str, str]:
        """The two players; the first has the attackers in the first leg."""
        return self.sides.attackers, self.sides.defenders

    @property
    def next_leg(self) -> int | None:
        """The number of the next leg, from 1; None when the match is over."""
        return None if self.is_over else len(self.legs) + 1

    @property
    def next_sides(self) -> Sides | None:
        """The sides in the next leg; None when the match is over."""
        return None if self.next_leg is None else self.sides_of(self.next_leg)

    @property
    def is_over(self) -> bool:
        """Whether all legs are finished. A match is never decided earlier."""
        return len(self.legs) == self.format.legs

    def sides_of(self, leg: int) -> Sides:
        """Returns the sides in a leg, counted from 1.

        Raises:
            MatchError: `no_such_leg`.
        """
        if not 1 <= leg <= self.format.legs:
            raise MatchError.of_facts("no_such_leg", leg=leg)
        return self.sides if leg == 1 else self.sides.swapped

    def play(self, leg: Leg) -> "Match":
        """Returns the match with one more leg played.

        Raises:
            MatchError: `match_over`.
        """
        return replace(self, legs=(*self.legs, leg))

    def standing(self, player: str) -> Standing:
        """Returns the points and captures of a player so far.

        Raises:
            MatchError: `unknown_player`.
        """
        half_points, captures, *_ = self._score
        number = 0 if self.sides.side(player) is Side.ATTACKERS else 1
        return Standing(player, Fraction(half_points[number], 2), captures[number])

    @property
    def standings(self) -> tuple[Standing, Standing]:
        """Both players, the leader first; in the order of `players` if they are level."""
        first, second = (self.standing(player) for player in self.players)
        leader = self._score[2]
        return (second, first) if leader == 1 else (first, second)

    @property
    def verdict(self) -> Verdict | None:
        """The result of the match; None while it goes on.

        The points decide. If they are equal in two legs, the tie-break decides; else the match is drawn.
        """
        if not self.is_over:
            return None
        _, _, leader, decision = self._score
        return Verdict(None if leader is None else self.players[leader], Decision(decision))

    @property
    def _score(self) -> tuple[list[int], list[int], int | None, str]:
        """The score by the core, the players numbered as in `players`."""
        legs = [
            (number % 2, leg.outcome, leg.captured_by_attackers, leg.captured_by_defenders)
            for number, leg in enumerate(self.legs)
        ]
        captures_count = self.format is MatchFormat.TWO_LEGS and self.tie_break is TieBreak.CAPTURES
        return match_score(legs, captures_count)

    def headers(self, leg: int) -> tuple[tuple[str, str], ...]:
        """Returns the record headers of a leg: players, match format, number of the leg.

        >>> dict(Match(MatchFormat.SINGLE, Sides("Ana", "Bran")).headers(1))
        {'Attackers': 'Ana', 'Defenders': 'Bran', 'Match': 'single', 'Leg': '1'}
        """
        sides = self.sides_of(leg)
        return (
            ("Attackers", sides.attackers),
            ("Defenders", sides.defenders),
            ("Match", self.format.value),
            ("Leg", str(leg)),
        )


def _check_line(text: str) -> None:
    if not text.strip() or _NOT_IN_A_LINE.search(text):
        raise MatchError.of_facts("bad_line", found=text)
