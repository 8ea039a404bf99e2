"""Turns of several hops checked in recorded games: first hops alone, all captures behind the first."""

from collections.abc import Sequence
from itertools import groupby

import pytest

from hnefi import Ply, Square, random_game, variant
from hnefi.formats import FindingKind, RawGame, check
from tests.test_checking import kinds

TURNS = variant("simple-tafl-11").with_switches({"berserk": "may", "repetition": "0,none"})


def first_hops(seed: int) -> tuple[str, ...]:
    """A random game as a site writes it that keeps the first hop of a turn alone, and no stops."""
    plies = random_game(TURNS.rules, seed, 160).plies
    begun = [ply for index, ply in enumerate(plies) if not index or plies[index - 1].side is not ply.side]
    return tuple(str(ply).replace("/", "x") for ply in begun)


@pytest.mark.parametrize("seed", range(12))
def test_a_game_of_first_hops_goes_to_its_end(seed: int) -> None:
    found = check(RawGame((), first_hops(seed)), [TURNS])
    assert found.fault is None
    # Where nothing that follows tells of a hop, the shorter turn is taken.
    assert {one.kind for one in found.findings} <= {FindingKind.HOPS}


@pytest.mark.parametrize(("seed", "ply", "move"), [(9, 81, "g6-e6xd6"), (46, 54, "e5-f5xg5")])
def test_hops_that_are_not_written_are_a_remark(seed: int, ply: int, move: str) -> None:
    written = first_hops(seed)
    found = check(RawGame((), written), [TURNS])
    assert kinds(found) == [(FindingKind.HOPS, ply, move)]
    assert found.plies > len(written)
    assert check(RawGame((), written), [TURNS.with_switches({"berserk": "none"})]).fault is not None


@pytest.mark.parametrize("seed", range(12))
def test_a_game_with_every_hop_and_stop_is_played_as_it_is_written(seed: int) -> None:
    plies = random_game(TURNS.rules, seed, 160).plies
    found = check(RawGame((), tuple(map(str, plies))), [TURNS])
    assert found.game is not None
    assert (found.findings, found.game.plies) == ((), plies)


def turns_of(plies: Sequence[Ply]) -> list[list[Ply]]:
    return [list(turn) for _, turn in groupby(plies, key=lambda ply: ply.side)]


def taken_by(turn: Sequence[Ply]) -> set[Square]:
    return {square for ply in turn for square in ply.captures}


def with_all_captures(plies: Sequence[Ply]) -> tuple[str, ...]:
    """A game as a site writes it that puts every capture of a turn behind its first hop."""
    taken = [[square.name for ply in turn for square in ply.captures] for turn in turns_of(plies)]
    return tuple(
        "x".join([str(turn[0].move), *names]) for turn, names in zip(turns_of(plies), taken, strict=True)
    )


@pytest.mark.parametrize("seed", range(12))
def test_captures_written_for_a_turn_determine_its_hops(seed: int) -> None:
    plies = random_game(TURNS.rules, seed, 160).plies
    found = check(RawGame((), with_all_captures(plies)), [TURNS])
    assert found.game is not None
    assert found.fault is None
    assert {one.kind for one in found.findings} <= {FindingKind.HOPS}
    turns = zip(turns_of(plies), turns_of(found.game.plies), strict=True)
    for played, read in turns:
        assert taken_by(played) == taken_by(read)


def test_captures_that_no_turn_makes_are_a_fault() -> None:
    plies = random_game(TURNS.rules, 9, 160).plies
    written = list(with_all_captures(plies))
    written[0] += "xa1"
    assert kinds(check(RawGame((), tuple(written)), [TURNS]))[0] == (
        FindingKind.CAPTURE_NOT_MADE,
        1,
        written[0],
    )
