"""Checking stored games: findings, shared parts, types of collections, and games of whole turns."""

import gzip
import os
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import pytest

from hnefi import Ply, Square, random_game, variant
from hnefi.checking import Checker
from hnefi.errors import VariantError
from hnefi.formats import (
    BROKEN,
    FAULTS,
    REMARKS,
    CheckResult,
    FindingKind,
    RawGame,
    check,
    find_format,
    read_games,
)
from hnefi.formats.game_types import STATUSES, GameType, game_types, parse_game_types
from hnefi.variants.model import Variant
from tests.test_formats_damage import line, read_lines

BRANDUB = variant("brandub-globe")
# No draw by quiet moves, which people would have to count.
CALM = BRANDUB.with_switches({"quiet_limit": "0"})
REPEATING = CALM.with_switches({"repetition": "3,defenders_lose"})


def judged(moves: str, played: Variant = CALM, *more: Variant, **headers: str) -> CheckResult:
    return check(RawGame(tuple(headers.items()), tuple(moves.split())), [played, *more])


def kinds(result: CheckResult) -> list[tuple[FindingKind, int, str]]:
    return [(found.kind, found.ply, found.move) for found in result.findings]


# --- Faults ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "kind", "ply"),
    [
        ("d2-c2 timeout d3-c3", FindingKind.NOT_A_MOVE, 2),
        ("d2-c2 d3-h3", FindingKind.OFF_BOARD, 2),
        ("d2-c2 b3-b2", FindingKind.NO_PIECE, 2),
        ("d2-c2 a4-a3", FindingKind.WRONG_SIDE, 2),
        ("d1-c1 d3-d1", FindingKind.BLOCKED, 2),
        ("d2-d3", FindingKind.BLOCKED, 1),
        ("d2-c3", FindingKind.AGAINST_RULES, 1),
        ("a4-a1", FindingKind.AGAINST_RULES, 1),
        ("d2-c2xd3", FindingKind.CAPTURE_NOT_MADE, 1),
    ],
)
def test_unplayable_games_have_a_kind_of_finding(moves: str, kind: FindingKind, ply: int) -> None:
    found = judged(moves)
    assert found.fault is not None
    assert (found.fault.kind, found.fault.ply, found.fault.move) == (kind, ply, moves.split()[ply - 1])
    assert found.agrees is None


CAPTURE = "d2-c2 d3-e3 f4-f3 c4-c3 d1-d3"


def test_a_capture_that_is_made_has_to_be_written() -> None:
    assert kinds(judged(f"{CAPTURE}xe3")) == []
    assert kinds(judged(CAPTURE)) == [(FindingKind.CAPTURE_NOT_WRITTEN, 5, "d1-d3")]
    assert judged(CAPTURE).fault.facts == {"written": "-", "made": "e3"}  # type: ignore[union-attr]


def test_moves_without_a_hyphen_state_no_captures() -> None:
    assert kinds(judged(CAPTURE.replace("-", ""))) == []


def test_the_numbers_of_captures_are_compared() -> None:
    moves = tuple(f"{CAPTURE}xe3".split())
    assert check(RawGame((), moves, captures=(1, 0)), [CALM]).findings == ()
    found = check(RawGame((), moves, captures=(2, 0)), [CALM])
    assert [(one.kind, one.facts) for one in found.findings] == [
        (FindingKind.CAPTURE_COUNT, {"written": "2/0", "made": "1/0"})
    ]


WON = "d2-c2 c4-c3 f4-f3 d4-c4 d1-e1 c4-c7 d7-e7 c7-a7"


def test_the_result_is_compared_where_the_game_ends_on_the_board() -> None:
    assert judged(WON, Result="defenders").agrees is True
    assert judged(WON, Result="*").agrees is None
    found = judged(WON, Result="attackers")
    assert found.agrees is False
    assert kinds(found) == [(FindingKind.WINNER, 8, "c7-a7")]
    assert judged("d2-c2", Result="attackers", Reason="resignation").findings == ()


def test_nothing_may_follow_an_escape() -> None:
    assert kinds(judged(f"{WON} e1-d1", Result="defenders")) == [(FindingKind.AFTER_END, 9, "e1-d1")]


# --- Remarks --------------------------------------------------------------------------------------------


def test_captures_of_a_move_that_was_tried_are_a_remark() -> None:
    tried = CAPTURE.replace("d1-d3", "d1-c1xe3")
    assert kinds(judged(tried)) == [(FindingKind.TRIED, 5, "d1-c1xe3")]
    assert judged(tried).fault is None


def test_moves_written_twice_are_left_out_and_counted_on() -> None:
    found = judged("d2-c2 d3-e3 d2-c2 d3-e3 f4-f3 c4-c3 d1-d3xe3")
    assert kinds(found) == [(FindingKind.TWICE, 3, "d2-c2")]
    assert found.plies == 5
    later = judged("d2-c2 d3-e3 d2-c2 d3-e3 f4-f3 c4-c3 d1-d6")
    assert kinds(later)[-1] == (FindingKind.BLOCKED, 7, "d1-d6")


def test_a_repetition_that_can_be_played_is_none_of_the_writing() -> None:
    assert judged("d1-c1 d3-c3 c1-d1 c3-d3 d1-c1 d3-c3").findings == ()


def test_the_other_side_may_have_begun() -> None:
    found = judged("d3-c3 d2-c2 c3-b3")
    assert kinds(found) == [(FindingKind.OTHER_SIDE, 1, "d3-c3")]
    assert found.plies == 3
    assert [one.kind for one in judged("d3-c3 c4-c5").findings] == [FindingKind.WRONG_SIDE]


def test_a_piece_that_is_named_twice_is_a_remark_also_where_it_is_counted_twice() -> None:
    moves = f"{CAPTURE}xe3xe3"
    found = judged(moves)
    assert kinds(found) == [(FindingKind.CAPTURED_TWICE, 5, "d1-d3xe3xe3")]
    for counts, expected in (((1, 0), 1), ((2, 0), 1), ((3, 0), 2)):
        raw = RawGame((), tuple(moves.split()), captures=counts)
        assert len(check(raw, [CALM]).findings) == expected


SHUFFLED = "d1-c1 d3-c3 c1-d1 c3-d3 d1-c1 d3-c3 c1-d1 c3-d3"


def test_playing_on_after_a_repetition_is_a_remark() -> None:
    assert judged(SHUFFLED, REPEATING, Result="attackers").findings == ()
    on = judged(f"{SHUFFLED} d1-e1 d3-e3", REPEATING, Result="defenders")
    assert kinds(on) == [(FindingKind.WENT_ON, 9, "d1-e1")]
    assert on.remarks[0].facts == {"reason": "repetition"}
    assert on.agrees is None
    assert on.plies == 10


def test_giving_up_after_a_repetition_is_a_remark_where_another_wins() -> None:
    found = judged(SHUFFLED, REPEATING, Result="defenders", Reason="resignation")
    assert kinds(found) == [(FindingKind.WENT_ON, 8, "c3-d3")]
    assert found.outcome is None


def test_the_rules_that_fit_are_chosen() -> None:
    slow = CALM.with_switches({"range": "1,1,1"})
    found = judged("d2-c2 d3-a3", slow, CALM)
    assert found.variant == CALM
    assert not found.findings
    assert judged("d2-c2 d3-d3", slow, CALM).variant == slow


def test_every_kind_is_a_fault_or_a_remark() -> None:
    assert set(FindingKind) == FAULTS | REMARKS
    assert not FAULTS & REMARKS
    assert BROKEN < FAULTS


def test_without_rules_there_is_nothing_to_check() -> None:
    with pytest.raises(ValueError, match="readings"):
        check(RawGame(), [])


# --- The table of game types ----------------------------------------------------------------------------

TABLE = """
[[type]]
number = 51
name = "Ours"
status = "games"
variant = "brandub-globe"
switches = ["quiet_limit=0"]
otherwise = [["quiet_limit=0", "first=defenders"]]
"""


def test_every_type_has_rules_that_there_are() -> None:
    for number, one in game_types().items():
        assert one.number == number
        readings = one.readings()
        assert bool(readings) is (one.status in ("published", "games", "supposed")), one.name
        assert set(one.note) in (set(), {"en", "fr"})
        assert len({played.rules for played in readings}) == len(readings)
    assert {one.status for one in game_types().values()} == set(STATUSES)


def test_a_custom_table_of_game_types_is_read() -> None:
    (one,) = parse_game_types(TABLE)
    assert [played.switches for played in one.readings()] == [
        {"quiet_limit": "0"},
        {"first": "defenders", "quiet_limit": "0"},
    ]


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("number = 51", "number = 0", "type 1.number"),
        ('name = "Ours"', "name = 3", "type 1.name"),
        ('"games"', '"sure"', "type 1.status"),
        ('variant = "brandub-globe"', "", "type 1.variant"),
        ('["quiet_limit=0"]', '["quiet_limit"]', "type 1.switches"),
        ("otherwise", "others", "type 1.others"),
        ("[[type]]", "[[types]]", "type"),
        ("[[type]]", "[[type", "-"),
    ],
)
def test_a_table_with_faults_is_refused_with_their_places(old: str, new: str, path: str) -> None:
    with pytest.raises(VariantError) as caught:
        parse_game_types(TABLE.replace(old, new, 1))
    assert path in [fault.path for fault in caught.value.faults]


# --- Counting -------------------------------------------------------------------------------------------


def test_games_are_counted_by_type() -> None:
    types = {one.number: one for one in parse_game_types(TABLE)} | {162: GameType(162, "Dice", "other_game")}
    checker = Checker(types)
    lines = [
        line(),
        line(moves=["d2-c2", "b3-b2"]),
        line(moves=["d3-c3"]),
        line(moves=WON.split(), winner="White"),
        line(moves=["a1"], type=162),
        line(type=163),
        "{",
    ]
    seen = [checker.check_game("ours.jsonl", found) for found in read_lines(*lines)]
    rows = {row.number: row for row in checker.tallies.values()}
    ours = rows[51]
    assert (ours.games, ours.replayed, ours.clean, ours.broken) == (4, 3, 3, 1)
    assert (ours.ended, ours.agreed, ours.plies) == (1, 1, 11)
    assert ours.share == 1.0
    assert ours.kinds == Counter({FindingKind.NO_PIECE: 1})
    assert [rows[number].share for number in (162, 163, 0)] == [None, None, None]
    assert [one.result.fault.kind for one in seen if one.result.fault] == [
        FindingKind.NO_PIECE,
        FindingKind.OTHER_GAME,
        FindingKind.UNKNOWN_RULES,
        FindingKind.UNREADABLE,
    ]
    place, example = ours.examples[FindingKind.NO_PIECE]
    assert (place.file, place.line, place.game, place.id) == ("ours.jsonl", 2, 2, "51-1-1")
    assert example.move == "b3-b2"


def test_kinds_can_be_passed_over() -> None:
    types = {one.number: one for one in parse_game_types(TABLE)}
    checker = Checker(types, ignored=frozenset({FindingKind.NO_PIECE}))
    (found,) = read_lines(line(moves=["d2-c2", "b3-b2"]))
    assert checker.check_game("-", found).result.fault is None


def test_games_without_a_type_are_played_by_what_is_given() -> None:
    raw = RawGame((), ("d2-c2",))
    assert Checker({}).check_game("-", raw).result.fault.kind is FindingKind.UNKNOWN_RULES  # type: ignore[union-attr]
    assert Checker({}, BRANDUB).check_game("-", raw).result.plies == 1
    named = RawGame((("Variant", "tablut-kouvia"), ("Switches", "quiet_limit=7")), ("e8-f8",))
    seen = Checker({}).check_game("-", named)
    assert seen.result.variant == variant("tablut-kouvia").with_switches({"quiet_limit": "7"})


# --- The collection, where it is at hand ----------------------------------------------------------------

COLLECTION = Path(
    os.environ.get("HNEFI_RECORDED_GAMES") or Path(__file__).parents[2] / "recorded-games.jsonl.gz"
)


@pytest.mark.deep
@pytest.mark.skipif(
    not COLLECTION.exists(), reason="no recorded games: name a file of them in HNEFI_RECORDED_GAMES"
)
def test_games_that_people_played_are_replayed() -> None:
    checker = Checker()
    with gzip.open(COLLECTION) as stream:
        for found in read_games(stream, file_format=find_format("jsonl")):  # type: ignore[call-overload]
            checker.check_game(COLLECTION.name, found)
    rows = checker.tallies.values()
    assert sum(row.agreed for row in rows) == sum(row.ended for row in rows) > 1000
    sound = sum(row.games - row.broken - row.without_rules for row in rows)
    assert sum(row.replayed for row in rows) / sound >= 0.995
    big = [row for row in rows if row.games >= 50 and row.share is not None]
    assert [row.name for row in big if row.share is not None and row.share < 0.96] == []
    assert [row.name for row in rows if row.name.startswith("-")] == []


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
