"""Pairings of a class: who plays whom in the next round, and who attacks.

A round is one of the rounds of the circle method, by which everybody meets everybody else once. Chosen is the
one with the fewest repeated pairings: as long as the same players are there, the rounds are a round robin.
Among those, it is the one after which sides are the most equal.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_SAT_OUT = 1_000_000
"""What a second pause of a player counts, compared with a repeated pairing: it comes last."""


class Pairing(NamedTuple):
    """Two players, by their numbers."""

    attackers: int
    defenders: int


def next_round(
    players: Iterable[int], played: Sequence[Pairing], sat_out: Sequence[int]
) -> tuple[list[Pairing], int | None]:
    """Returns the pairings of the next round, and who sits out if the number of players is odd.

    `played` are the pairings before, and `sat_out` those who sat out a round, once for each. Those who met
    before swap sides; otherwise those attack who have attacked less.

    >>> next_round([1, 2, 3, 4], [], [])
    ([Pairing(attackers=1, defenders=4), Pairing(attackers=2, defenders=3)], None)
    """
    ordered = sorted(set(players))
    met = Counter[frozenset[int | None]](frozenset(one) for one in played)
    pauses = Counter[int | None](sat_out)
    rounds = _circle([*ordered, *([None] if len(ordered) % 2 else [])])
    balance = _balance(played)
    best = min(rounds, key=lambda one: (_cost(one, met, pauses), _imbalance(one, balance)), default=[])
    pairs = [(first, second) for first, second in best if first is not None and second is not None]
    alone = next((one for pair in best if None in pair for one in pair if one is not None), None)
    return [_sides(first, second, played) for first, second in pairs], alone


def swapped_round(last: Iterable[Pairing], players: Iterable[int]) -> list[Pairing]:
    """Returns the pairings of a round again with the sides swapped, of those who are both there.

    >>> swapped_round([Pairing(1, 4), Pairing(2, 3)], [1, 2, 4])
    [Pairing(attackers=4, defenders=1)]
    """
    there = set(players)
    return [Pairing(one.defenders, one.attackers) for one in last if {*one} <= there]


_Round = list[tuple[int | None, int | None]]


def _circle(players: Sequence[int | None]) -> list[_Round]:
    """Returns the rounds of the circle method for an even number of players."""
    if not players:
        return []
    first, rest = players[0], list(players[1:])
    rounds = []
    for _ in rest:
        ring = [first, *rest]
        half = len(ring) // 2
        rounds.append(list(zip(ring[:half], reversed(ring[half:]), strict=True)))
        rest = [rest[-1], *rest[:-1]]
    return rounds


def _cost(one: _Round, met: Counter[frozenset[int | None]], pauses: Counter[int | None]) -> int:
    """Returns how much a round repeats: the squares of how often its pairs have met, and pauses."""
    cost = 0
    for first, second in one:
        if first is None or second is None:
            cost += _SAT_OUT * pauses[first if second is None else second]
        else:
            cost += met[frozenset((first, second))] ** 2
    return cost


def _balance(pairings: Sequence[Pairing]) -> Counter[int | None]:
    """Returns how much more often each player has attacked than defended."""
    balance = Counter[int | None](one.attackers for one in pairings)
    balance.subtract(one.defenders for one in pairings)
    return balance


def _imbalance(one: _Round, balance: Counter[int | None]) -> int:
    """Returns how unequal sides are after a round in which those attack who have attacked less."""
    unequal = 0
    for pair in one:
        less, more = sorted(balance[player] for player in pair)
        # Those who pause count as they are.
        unequal += (less + 1) ** 2 + (more - 1) ** 2 if None not in pair else less**2 + more**2
    return unequal


def _sides(first: int, second: int, pairings: Sequence[Pairing]) -> Pairing:
    """Returns two players with their sides."""
    last = next((one for one in reversed(pairings) if {*one} == {first, second}), None)
    if last is not None:
        return Pairing(last.defenders, last.attackers)
    balance = _balance(pairings)
    return Pairing(first, second) if balance[first] <= balance[second] else Pairing(second, first)
