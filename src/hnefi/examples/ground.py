"""Where examples are set up: the squares that matter, and those where other men are out of the way."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from hnefi._core import Rules, Square
from hnefi.pieces import Piece
from hnefi.words.stage import Place

__all__ = ["DIRECTIONS", "Ground", "distance", "step"]

DIRECTIONS: tuple[Place, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))


def step(place: Place, direction: Place, count: int = 1) -> Place:
    """Returns the place so many steps further, on the board or not."""
    return place[0] + count * direction[0], place[1] + count * direction[1]


def distance(first: Place, second: Place) -> int:
    """Counts the steps from one place to another."""
    return abs(first[0] - second[0]) + abs(first[1] - second[1])


def _place(square: Square) -> Place:
    return square.file, square.rank


@dataclass(frozen=True)
class Ground:
    """The board of two rule sets that differ in one rule.

    Attributes:
        pair: Both.
        stops: For both, the kinds that may stop on the throne, and those that may stop on a corner.
        has_ranks: Whether both know ranks.
    """

    pair: tuple[Rules, Rules]
    stops: tuple[Mapping[str, tuple[str, ...]], ...]
    has_ranks: bool

    @cached_property
    def size(self) -> int:
        """The side of the board, in squares."""
        return self.pair[0].size

    @cached_property
    def centre(self) -> Place:
        """The middle, throne or not."""
        return self.size // 2, self.size // 2

    @cached_property
    def corners(self) -> frozenset[Place]:
        """What is a corner by either rules, and the four squares that may be one."""
        last = self.size - 1
        usual = {(0, 0), (0, last), (last, 0), (last, last)}
        return frozenset(usual | {_place(square) for rules in self.pair for square in rules.corners})

    @cached_property
    def camps(self) -> tuple[Place, ...]:
        """The squares of all camps, in order."""
        found = {_place(square) for rules in self.pair for camp in rules.camps for square in camp}
        return tuple(sorted(found, key=lambda place: (place[1], place[0])))

    def has(self, place: Place) -> bool:
        """Checks whether a place is on the board."""
        return 0 <= place[0] < self.size and 0 <= place[1] < self.size

    def is_edge(self, place: Place) -> bool:
        """Checks whether a place is on the rim."""
        return not (0 < place[0] < self.size - 1 and 0 < place[1] < self.size - 1)

    @cached_property
    def spots(self) -> tuple[Place, ...]:
        """The places round which something may be otherwise: one of each sort, those in the open first."""
        c = self.size // 2
        found = [(2, 2), (c, c - 1), (c, c), (c, c - 2), (c - 1, c - 1), (1, 0), (2, 0), (1, 1), (2, 1)]
        found += [(3, 0), (c, 0), (1, 2), (0, 0)]
        block = self.camps[: max(1, len(self.camps) // 4)] if self.camps else ()
        for place in block:
            found += [place, *(step(place, direction) for direction in DIRECTIONS)]
        return tuple(place for place in dict.fromkeys(found) if self.has(place))

    @cached_property
    def _quiet_places(self) -> tuple[Place, ...]:
        """The ordinary places off the rim."""
        inner = range(1, self.size - 1)
        places = [(file, rank) for file in inner for rank in inner]
        special = {*self.corners, *self.camps, self.centre}
        return tuple(place for place in places if place not in special)

    def far_from(self, action: Place) -> Iterator[Place]:
        """Lists ordinary places, the farthest from the action first."""
        if action not in self._far:
            self._far[action] = sorted(self._quiet_places, key=lambda at: (-distance(at, action), at))
        yield from self._far[action]

    @cached_property
    def _far(self) -> dict[Place, list[Place]]:
        return {}

    def may_stand(self, place: Place, piece: Piece) -> bool:
        """Checks that a piece may have come to a place by both rules; the king begins on his throne."""
        kind = "king" if piece is Piece.KING else f"{piece.side.value}"
        if place == self.centre and piece is not Piece.KING:
            return all(
                kind in stops["throne"] or rules.throne is None
                for stops, rules in zip(self.stops, self.pair, strict=True)
            )
        if place in self.corners:
            return all(
                kind in stops["corner"] or not _is_corner(rules, place)
                for stops, rules in zip(self.stops, self.pair, strict=True)
            )
        return place not in self.camps or kind == "attackers"


def _is_corner(rules: Rules, place: Place) -> bool:
    return any(_place(square) == place for square in rules.corners)
