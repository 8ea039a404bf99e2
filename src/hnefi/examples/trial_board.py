"""The board on which examples are tried: the places that matter, and those out of the way."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from hnefi._core import Rules
from hnefi.pieces import Piece
from hnefi.staging import Coordinates, distance, may_stand, neighbours, place_of


@dataclass(frozen=True)
class TrialBoard:
    """The board of two rule sets that differ in one rule.

    Attributes:
        has_ranks: Whether both have ranks.
    """

    pair: tuple[Rules, Rules]
    has_ranks: bool

    @cached_property
    def size(self) -> int:
        """The side of the board, in squares."""
        return self.pair[0].size

    @cached_property
    def centre(self) -> Coordinates:
        """The place in the middle, throne or not."""
        return self.size // 2, self.size // 2

    @cached_property
    def corners(self) -> frozenset[Coordinates]:
        """The corners by either rules, and the four corners of the board."""
        last = self.size - 1
        of_board = {(0, 0), (0, last), (last, 0), (last, last)}
        return frozenset(of_board | {place_of(square) for rules in self.pair for square in rules.corners})

    @cached_property
    def camps(self) -> tuple[Coordinates, ...]:
        """The squares of all camps, by rank and file."""
        camps = {place_of(square) for rules in self.pair for camp in rules.camps for square in camp}
        return tuple(sorted(camps, key=lambda place: (place[1], place[0])))

    def has(self, place: Coordinates) -> bool:
        """Checks whether a place is on the board."""
        return 0 <= place[0] < self.size and 0 <= place[1] < self.size

    def is_edge(self, place: Coordinates) -> bool:
        """Checks whether a place is on the edge."""
        return not (0 < place[0] < self.size - 1 and 0 < place[1] < self.size - 1)

    @cached_property
    def spots(self) -> tuple[Coordinates, ...]:
        """The places around which rules may differ, one of each sort; those in the open first."""
        c = self.size // 2
        spots = [(2, 2), (c, c - 1), (c, c), (c, c - 2), (c - 1, c - 1), (1, 0), (2, 0), (1, 1), (2, 1)]
        spots += [(3, 0), (c, 0), (1, 2), (0, 0)]
        block = self.camps[: max(1, len(self.camps) // 4)] if self.camps else ()
        for place in block:
            spots += [place, *neighbours(place)]
        return tuple(place for place in dict.fromkeys(spots) if self.has(place))

    @cached_property
    def _ordinary_places(self) -> tuple[Coordinates, ...]:
        """The ordinary places off the edge."""
        inner = range(1, self.size - 1)
        places = [(file, rank) for file in inner for rank in inner]
        special = {*self.corners, *self.camps, self.centre}
        return tuple(place for place in places if place not in special)

    def far_from(self, action: Coordinates) -> Iterator[Coordinates]:
        """Iterates over ordinary places, the farthest from the action first."""
        if action not in self._far:
            self._far[action] = sorted(self._ordinary_places, key=lambda at: (-distance(at, action), at))
        yield from self._far[action]

    @cached_property
    def _far(self) -> dict[Coordinates, list[Coordinates]]:
        return {}

    def may_stand(self, pieces: Iterable[tuple[Coordinates, Piece]]) -> bool:
        """Checks that every piece could have reached its square under both rule sets.

        Only attackers may stand in camps.
        """
        placed = tuple(pieces)
        return all(may_stand(rules, placed) for rules in self.pair) and all(
            place not in self.camps or piece.side is Piece.ATTACKER.side for place, piece in placed
        )
