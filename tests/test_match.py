"""Matches: sides, score, winner, tie-break, and the draw of sides."""

import hashlib
import pickle
import shutil
import subprocess
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hnefi import Game, Outcome, Reason, Setup, Side, variant, variant_ids
from hnefi.match import (
    Decision,
    Leg,
    Match,
    MatchError,
    MatchFormat,
    Sides,
    Standing,
    TieBreak,
    Verdict,
    draw_sides,
)

ESCAPE = Outcome(Side.DEFENDERS, Reason.CORNER)
CAPTURE = Outcome(Side.ATTACKERS, Reason.KING_CAPTURED)
DRAWN = Outcome(None, Reason.REPETITION)

outcomes = st.sampled_from([ESCAPE, CAPTURE, DRAWN])
legs = st.builds(Leg, outcomes, st.integers(0, 9), st.integers(0, 16))


def two_legs(*played: Leg, tie_break: TieBreak = TieBreak.CAPTURES) -> Match:
    """Returns a match in which X begins with the defenders."""
    return Match(MatchFormat.TWO_LEGS, Sides(attackers="Y", defenders="X"), played, tie_break)


def code_of(make: object) -> str:
    assert callable(make)
    with pytest.raises(MatchError) as caught:
        make()
    assert caught.value.detail.startswith(caught.value.code)
    return caught.value.code


# The example of the rules: X wins as white, 3 soldiers to 2; then Y wins as white, 4 soldiers each.
EXAMPLE = Leg(ESCAPE, captured_by_attackers=2, captured_by_defenders=3), Leg(ESCAPE, 4, 4)


@pytest.mark.parametrize(
    ("played", "standings", "winner", "decision"),
    [
        (EXAMPLE, (("X", 2, 7), ("Y", 2, 6)), "X", Decision.CAPTURES),
        ((Leg(ESCAPE, 8, 0), Leg(CAPTURE, 0, 16)), (("X", 4, 0), ("Y", 0, 24)), "X", Decision.POINTS),
        ((Leg(DRAWN, 0, 0), Leg(ESCAPE, 9, 0)), (("Y", 3, 0), ("X", 1, 9)), "Y", Decision.POINTS),
        ((Leg(DRAWN, 3, 2), Leg(DRAWN, 1, 1)), (("Y", 2, 4), ("X", 2, 3)), "Y", Decision.CAPTURES),
        ((Leg(ESCAPE, 2, 3), Leg(ESCAPE, 2, 3)), (("Y", 2, 5), ("X", 2, 5)), None, Decision.DRAWN),
    ],
)
def test_points_decide_then_captures(
    played: tuple[Leg, Leg],
    standings: tuple[tuple[str, int, int], ...],
    winner: str | None,
    decision: Decision,
) -> None:
    match = two_legs(*played)
    assert match.standings == tuple(Standing(who, Fraction(half, 2), n) for who, half, n in standings)
    assert match.verdict == Verdict(winner, decision)


def test_captures_decide_nothing_where_the_text_has_no_tie_break() -> None:
    match = two_legs(*EXAMPLE, tie_break=TieBreak.NONE)
    assert match.verdict == Verdict(None, Decision.DRAWN)
    assert [one.player for one in match.standings] == ["Y", "X"]


def test_variants_define_their_tie_break() -> None:
    by_captures = {one for one in variant_ids() if TieBreak.of(variant(one)) is TieBreak.CAPTURES}
    assert by_captures == {"tablut-geoludie", "tablut-geoludie-slow"}


def test_captures_do_not_decide_a_single_game() -> None:
    match = Match(MatchFormat.SINGLE, Sides("X", "Y"), (Leg(DRAWN, 5, 0),))
    assert match.verdict == Verdict(None, Decision.DRAWN)
    assert Match(MatchFormat.SINGLE, Sides("X", "Y"), (Leg(CAPTURE, 0, 9),)).verdict == Verdict(
        "X", Decision.POINTS
    )


def test_sides_are_swapped_for_the_second_leg() -> None:
    match = two_legs()
    assert (match.next_leg, match.next_sides) == (1, Sides(attackers="Y", defenders="X"))
    assert match.verdict is None
    match = match.play(Leg(CAPTURE, 1, 2))
    assert (match.next_leg, match.next_sides) == (2, Sides(attackers="X", defenders="Y"))
    assert match.verdict is None
    assert match.standings == (Standing("Y", Fraction(1), 1), Standing("X", Fraction(0), 2))
    match = match.play(Leg(CAPTURE, 1, 2))
    assert (match.next_leg, match.next_sides, match.is_over) == (None, None, True)


def test_the_players_are_known_by_their_sides() -> None:
    sides = Sides(attackers="X", defenders="Y")
    assert [sides.player(side) for side in Side] == ["X", "Y"]
    assert [sides.side(player) for player in ("X", "Y")] == list(Side)
    assert sides.swapped.swapped == sides
    assert two_legs().players == ("Y", "X")


def test_variants_define_their_match_format() -> None:
    assert MatchFormat.of(variant("tablut-geoludie")) is MatchFormat.TWO_LEGS
    assert MatchFormat.of(variant("brandub-globe")) is MatchFormat.SINGLE
    assert [form.legs for form in MatchFormat] == [1, 2]


def test_invalid_matches_are_refused() -> None:
    leg = Leg(ESCAPE, 0, 0)
    assert code_of(lambda: two_legs(leg, leg).play(leg)) == "match_over"
    assert code_of(lambda: Match(MatchFormat.SINGLE, Sides("X", "Y"), (leg, leg))) == "match_over"
    for number in (0, 3):
        assert code_of(lambda number=number: two_legs().sides_of(number)) == "no_such_leg"
    for played in ((), (leg,)):
        assert code_of(lambda played=played: two_legs(*played).standing("Z")) == "unknown_player"
    assert code_of(lambda: Sides("X", "X")) == "same_player"
    for name in (" ", "Y\n", "\ud800"):
        assert code_of(lambda name=name: Sides("X", name)) == "bad_line"
    assert code_of(lambda: Leg(ESCAPE, -1, 0)) == "negative_captures"


@given(legs, legs)
def test_the_laws_of_two_legs(first: Leg, second: Leg) -> None:
    match = two_legs(first, second)
    assert sum(one.points for one in match.standings) == 2
    assert sum(one.captures for one in match.standings) == sum(
        leg.captured_by(side) for leg in (first, second) for side in Side
    )
    mirrored = Match(
        MatchFormat.TWO_LEGS, Sides(attackers="X", defenders="Y"), (second, first), TieBreak.CAPTURES
    )
    assert mirrored.standing("X") == match.standing("X")
    assert mirrored.verdict == match.verdict
    assert pickle.loads(pickle.dumps(match)) == match


def test_a_leg_counts_the_soldiers_of_a_game_but_not_the_king() -> None:
    start = Setup("7t1/6T2/9/9/t1Tt5/9/3tK1t2/9/4t4 a")
    game = Game(variant("gwezboell-globe").rules, start)
    for move in ("a5-b5xc5", "g8-g9xh9", "b5-b6", "e3-e2", "g3-e3"):
        game = game.play(move)
    assert game.outcome == CAPTURE
    assert Leg.of(game) == Leg(CAPTURE, captured_by_attackers=1, captured_by_defenders=1)
    unfinished = game.parent
    assert unfinished is not None
    assert code_of(lambda: Leg.of(unfinished)) == "unfinished_game"


# ---- drawing of sides


def test_the_drawing_is_the_same_everywhere_and_for_ever() -> None:
    drawn = [draw_sides(["Ana", "Bran"], f"seed {number}").attackers for number in range(12)]
    assert "".join(name[0] for name in drawn) == "AABBAAABABAB"
    assert draw_sides(["Ségolène", "Đorđe"], "2027").attackers == "Đorđe"


def test_the_drawing_is_fair_and_can_be_checked_by_hand() -> None:
    """As documented: by the first digit of the hash of four lines, whatever the order of the players."""
    expected = []
    for seed in map(str, range(2000)):
        digest = hashlib.sha256(f"hnefi sides 1\n{seed}\nAna\nBran".encode()).hexdigest()
        expected.append("Ana" if digest[0] in "01234567" else "Bran")
        drawn = draw_sides(["Bran", "Ana"], seed)
        assert drawn == draw_sides(("Ana", "Bran"), seed)
        assert drawn.attackers == expected[-1]
    assert 900 < expected.count("Ana") < 1100


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="there is no sha256sum here")
def test_the_drawing_can_be_checked_in_a_shell() -> None:
    command = "printf 'hnefi sides 1\\n%s\\n%s\\n%s' '41 7' Ana Bran | sha256sum"
    digit = subprocess.run(command, shell=True, capture_output=True, text=True, check=True).stdout[0]
    assert draw_sides(["Ana", "Bran"], "41 7").attackers == ("Ana" if digit in "01234567" else "Bran")


def test_invalid_draws_of_sides_are_refused() -> None:
    assert code_of(lambda: draw_sides(["Ana"], "1")) == "not_two_players"
    assert code_of(lambda: draw_sides(["Ana", "Ana"], "1")) == "same_player"
    assert code_of(lambda: draw_sides(["Ana", "Bran"], "")) == "bad_line"
    assert code_of(lambda: draw_sides(["Ana", "Bran"], "1\n2")) == "bad_line"
    assert code_of(lambda: draw_sides(["Ana\nBran", "Cian"], "1")) == "bad_line"
