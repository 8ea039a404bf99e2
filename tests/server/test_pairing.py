"""Pairing in classes: by hand, in rounds, who is left over."""

from collections import Counter
from itertools import combinations

import pytest
from starlette.testclient import TestClient

from hnefi.server.games.pairing import Pairing, next_round
from tests.server.test_classrooms import Room, code_of

pytestmark = pytest.mark.usefixtures("fresh_classes")


def test_pairings_by_hand_are_of_two_free_members_and_a_game_of_the_class(server: TestClient) -> None:
    room = Room(server, 3)
    assert code_of(room.pair(1, 1)) == "same_member"
    assert code_of(room.pair(1, 9)) == "unknown_member"
    assert code_of(room.pair(1, 2, "tablut-geoludie")) == "not_a_class_game"
    assert room.pair(1, 2, "ard-ri-globe").json()["games"][0]["variant"] == "ard-ri-globe"
    refused = room.pair(3, 1)
    assert (code_of(refused), refused.json()["facts"]) == ("member_playing", {"name": "Ana"})
    assert code_of(room.round()) == "too_few_members"


def test_rounds_are_a_round_robin_and_then_swap_the_sides(server: TestClient) -> None:
    room = Room(server, 4)
    for kind in ("next", "next", "next", "swapped"):
        assert room.round(kind=kind).status_code == 200
        room.finish()
    games = room.view()["games"]
    pairs = [(one["attackers"], one["defenders"]) for one in games]
    assert {frozenset(one) for one in pairs[:6]} == {frozenset(one) for one in combinations((1, 2, 3, 4), 2)}
    assert pairs[6:] == [(defenders, attackers) for attackers, defenders in pairs[4:6]]
    assert [one["round"] for one in games] == [1, 1, 2, 2, 3, 3, 4, 4]


@pytest.mark.parametrize("count", [4, 5, 7, 8, 15, 30])
def test_all_members_meet_before_any_two_meet_again_and_sides_stay_equal(count: int) -> None:
    pairings, pauses = list[Pairing](), list[int]()
    for _ in range(count - 1 + count % 2):
        found, alone = next_round(range(1, count + 1), pairings, pauses)
        pairings += found
        pauses += [] if alone is None else [alone]
        sides = Counter(one.attackers for one in pairings)
        sides.subtract(one.defenders for one in pairings)
        assert max(map(abs, sides.values())) <= 1 + count % 2
    assert len({frozenset(one) for one in pairings}) == len(pairings) == count * (count - 1) // 2
    assert sorted(pauses) == [*range(1, count + 1)] * (count % 2)
    # A second pause comes last, even after pairings that would be repeated.
    assert next_round([1, 2, 3], [Pairing(1, 2), Pairing(1, 3)], [1])[1] != 1


def test_a_round_pairs_those_who_are_here(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(server, 4)
    monkeypatch.setattr("hnefi.server.presence.HERE_S", -1.0)
    assert code_of(room.round()) == "too_few_members"
    assert not any(one["here"] for one in room.view()["members"])
    (paired,) = room.round(members=[2, 4]).json()["games"]
    assert (paired["attackers"], paired["defenders"]) == (2, 4)


def test_the_member_whom_a_round_leaves_over_knows_until_the_next_game(server: TestClient) -> None:
    room = Room(server, 3)

    def left_over() -> list[int]:
        return [one["number"] for one in room.view()["members"] if one["sits_out"]]

    assert left_over() == []
    room.round()
    [first] = left_over()
    assert room.view(room.pupils[first - 1])["members"][0]["sits_out"]
    room.finish()
    assert left_over() == [first]
    room.round()
    [second] = left_over()
    assert second != first
    room.finish()
    room.game(second, first)
    assert left_over() == []
