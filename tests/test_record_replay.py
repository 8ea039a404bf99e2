"""Replay of records: every contradiction to the rules is a fault with its ply and variation."""

import pytest

from hnefi import Outcome, Reason, Side
from hnefi.record import Record, explain_fault, variant_headers
from tests.record_texts import BLOCKED, BRANDUB, GWEZBOELL, P1, faults_of, gwezboell, replayed

# ---- announcements: the three sequences of the rules


def test_an_escape_that_was_not_called_is_refused() -> None:
    replay = gwezboell("1. c5-a5 2. g1-g2 taken_back 3. a5-a9 refused")
    assert replay.ok
    assert replay.called is not None
    assert str(replay.called.game.position.setup).startswith("9/9/9/9/K8/9/9/9/6t2 a")
    assert replay.called.must_replay is not None
    assert replay.called.must_replay.name == "g1"


def test_an_escape_after_a_refusal_counts() -> None:
    replay = gwezboell(
        "c5-a5 g1-g2 taken_back a5-a9 refused g1-b1 a5-a9", Result="defenders", Reason="corner"
    )
    assert replay.ok


def test_an_escape_that_was_called_counts() -> None:
    assert gwezboell("c5-a5!2 g1-g2 a5-a9", Result="defenders", Reason="corner").ok
    assert gwezboell("c5-a5!1 g1-g2 a5-a9", Result="defenders", Reason="corner").ok


# ---- contradictions: the headers


def test_a_record_needs_a_variant() -> None:
    assert faults_of(Record().replay()) == [(0, "missing_header")]
    missing = Record((("Variant", "brandub-globe"),)).replay()
    assert faults_of(missing) == [(0, "missing_rules")]
    assert missing.faults[0].parameters == {"expected": BRANDUB.rules.hash}
    assert missing.game == BRANDUB.new_game()


def test_a_misspelt_header_is_remarked_on() -> None:
    known = variant_headers(BRANDUB)
    headers = (*known, ("Atackers", "Ana"), ("Resutl", "draw"), ("Elo", "9"), ("Dates", "1"), ("Date", "2"))
    replay = Record(headers).replay()
    assert replay.ok
    assert [fault.parameters for fault in replay.faults] == [
        {"found": "Atackers", "expected": "Attackers"},
        {"found": "Resutl", "expected": "Result"},
    ]


def test_an_unknown_variant_cannot_be_replayed() -> None:
    replay = replayed(BRANDUB, "d2-c2", Variant="brandu")
    assert faults_of(replay) == [(0, "unknown_variant")]
    assert (replay.called, replay.game, replay.outcome) == (None, None, None)


def test_other_rules_of_the_same_name_are_reported() -> None:
    replay = replayed(BRANDUB, "1. d2-c2 2. d3-d7", Rules="0" * 64)
    assert faults_of(replay) == [(0, "rules_mismatch"), (2, "path_blocked")]
    assert replay.faults[0].parameters["expected"] == BRANDUB.rules.hash
    assert replay.faults[0].parameters["found"] == "0" * 64


def test_a_revision_does_not_matter_where_the_rules_agree() -> None:
    assert replayed(BRANDUB, "d2-c2", Revision="77").ok


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Switches": "quiet_limt=40"}, "bad_switch"),
        ({"Switches": "quiet_limit=many"}, "bad_switch"),
        ({"Start": "7/7/7 a"}, "bad_position"),
        ({"Start": "nonsense"}, "bad_position"),
        ({"Start": "7/7/7/3K3/7/7/2\\ud8004 a"}, "bad_position"),
    ],
)
def test_invalid_setup_headers_are_reported(headers: dict[str, str], code: str) -> None:
    replay = replayed(BRANDUB, "d2-c2", **headers)
    assert [fault.code for fault in replay.faults] == [code]
    assert replay.game is None


def test_invalid_rules_are_reported_with_all_their_faults() -> None:
    replay = replayed(BRANDUB, "d2-c2", Switches="throne=none")
    (fault,) = replay.faults
    assert fault.code == "bad_rules"
    assert len(explain_fault(fault, "en").splitlines()) == len(fault.faults) + 1 > 2


# ---- contradictions: the moves


def test_an_illegal_move_is_reported_with_its_ply_and_the_reason() -> None:
    replay = replayed(BRANDUB, "1. d2-c2 2. c4-c6 3. d6-d5 4. c6-a6")
    assert faults_of(replay) == [(3, "square_occupied")]
    assert replay.faults[0].parameters["square"] == "d5"
    assert replay.faults[0].error.code == "square_occupied"
    assert replay.game is not None
    assert replay.game.ply_count == 2


def test_a_move_after_the_end_is_reported() -> None:
    replay = gwezboell("1. c5-a5!2 2. g1-g2 3. a5-a9 4. g2-g3", Result="defenders", Reason="corner")
    assert faults_of(replay) == [(4, "game_over")]


def test_captures_that_are_not_made_are_reported_and_replay_continues() -> None:
    moves = "1. d2-c2xd3 2. c4-c3 3. d1-d2xd3/c3 4. c3-d3"
    replay = replayed(BRANDUB, moves)
    assert (1, "wrong_captures") in faults_of(replay)
    assert replay.faults[0].parameters["written"] == "d3"


def test_captures_that_are_not_written_are_no_contradiction() -> None:
    start = "3t3/7/7/t2K2t/7/t1Tt3/7 a 0"
    assert replayed(BRANDUB, "1. a2-b2xc2", Start=start).ok
    assert replayed(BRANDUB, "1. a2-b2", Start=start).ok
    assert faults_of(replayed(BRANDUB, "1. a2-d2xc2", Start=start)) == [(1, "path_blocked")]
    wrong = replayed(BRANDUB, "1. a2-b2xd2", Start=start)
    assert faults_of(wrong) == [(1, "wrong_captures")]
    assert wrong.faults[0].parameters["made"] == "c2"


def test_a_missing_pass_is_reported() -> None:
    assert faults_of(replayed(BRANDUB, "1. d4-d5 2. d5-d6 --", Start=f"{BLOCKED} d")) == [(2, "missing_pass")]
    assert faults_of(replayed(BRANDUB, "1. d4-d5", Start=f"{BLOCKED} d")) == [(1, "missing_pass")]
    assert faults_of(replayed(BRANDUB, "1. d4-d5 --", Start=f"{BLOCKED} a")) == [(1, "missing_pass")]


def test_an_extra_pass_is_reported() -> None:
    assert faults_of(replayed(BRANDUB, "-- 1. d2-c2")) == [(0, "unexpected_pass")]
    assert faults_of(replayed(BRANDUB, "1. d2-c2 -- 2. c4-c6")) == [(1, "unexpected_pass")]
    assert faults_of(replayed(BRANDUB, "1. d4-d5 -- --", Start=f"{BLOCKED} d")) == [(1, "unexpected_pass")]


# ---- contradictions: calls and refusals


def test_an_escape_that_the_rules_refuse_is_reported() -> None:
    replay = gwezboell("1. c5-a5 2. g1-g2 3. a5-a9", Result="defenders", Reason="corner")
    assert faults_of(replay) == [(3, "escape_refused"), (2, "move_taken_back"), (3, "end_not_reached")]


def test_a_refusal_that_the_rules_do_not_give_is_reported() -> None:
    replay = gwezboell("1. c5-a5!2 2. g1-g2 taken_back 3. a5-a9 refused", Result="defenders")
    assert faults_of(replay) == [(3, "escape_not_refused"), (2, "move_not_taken_back")]


def test_an_unfounded_takeback_is_reported() -> None:
    assert faults_of(gwezboell("1. c5-a5 2. g1-g2 taken_back")) == [(2, "move_not_taken_back")]
    assert faults_of(gwezboell("1. c5-a5 2. g1-g2 taken_back 3. a5-b5")) == [(2, "move_not_taken_back")]


def test_the_piece_that_has_to_be_replayed_is_replayed() -> None:
    start = "9/9/9/9/2K6/9/9/9/t5t2 d 0"
    moves = "1. c5-c4 2. g1-g2 taken_back 3. c4-c1 refused"
    assert faults_of(replayed(GWEZBOELL, moves, Start=start, Calls="manual")) == [
        (3, "escape_not_refused"),
        (2, "move_not_taken_back"),
    ]
    replay = gwezboell("1. c5-a5 2. g1-g2 taken_back 3. a5-a9 refused 2. a5-a6")
    assert faults_of(replay) == [(2, "not_your_piece")]
    two = "9/9/9/9/2K6/9/9/9/5t1t1 d 0"
    again = "1. c5-a5 2. h1-h2 taken_back 3. a5-a9 refused 2. f1-f2"
    assert faults_of(replayed(GWEZBOELL, again, Start=two, Calls="manual")) == [(2, "must_replay")]
    any_piece = {"Start": two, "Calls": "manual", "Replay": "any_piece"}
    assert replayed(GWEZBOELL, again, **any_piece).ok


def test_the_sanction_is_the_variants_unless_the_record_has_one() -> None:
    moves = "1. c5-a5 2. g1-g2 3. a5-a9"
    end = {"Result": "defenders", "Reason": "corner"}
    assert gwezboell(moves, Sanction="none", **end).ok
    assert replayed(GWEZBOELL, moves, Start=P1, **end).ok
    changed = GWEZBOELL.with_switches({"sanction": "none"})
    assert replayed(changed, moves, Start=P1, Calls="manual", **end).ok


def test_a_wrong_number_is_a_call_unless_the_record_says_otherwise() -> None:
    """Records from before a wrong number counted as forgotten are replayed as they were played."""
    start = "7/7/2K4/7/7/7/3t3 d"
    escape = "1. c5-a5!1 2. d1-d2 3. a5-a7"
    end = {"Result": "defenders", "Reason": "corner"}
    assert BRANDUB.calls is not None
    assert BRANDUB.calls["wrong_number"] == "forgotten"
    assert replayed(BRANDUB, escape, Start=start, Calls="manual", Sanction="replay", **end).ok
    forgotten = {"Start": start, "Calls": "manual", "WrongNumber": "forgotten"}
    refused = "1. c5-a5!1 2. d1-d2 taken_back 3. a5-a7 refused"
    assert replayed(BRANDUB, refused, **forgotten).ok
    assert "escape_refused" in [code for _, code in faults_of(replayed(BRANDUB, escape, **forgotten, **end))]
    assert replayed(
        GWEZBOELL,
        "1. c5-a5!1 2. g1-g2 taken_back 3. a5-a9 refused",
        Start=P1,
        Calls="manual",
        WrongNumber="forgotten",
    ).ok
    switched = GWEZBOELL.with_switches({"wrong_number": "forgotten"})
    assert replayed(switched, "1. c5-a5!1 2. g1-g2 taken_back 3. a5-a9 refused", Start=P1, Calls="manual").ok


@pytest.mark.parametrize(
    ("moves", "calls", "expected"),
    [
        ("1. c5-a5!2 2. g1-g2", "off", [(1, "call_not_expected")]),
        ("1. c5-a5!2 2. g1-g2!1", "manual", [(2, "call_by_attackers")]),
        ("1. c5-b5!1", "manual", [(1, "false_call")]),
        ("1. c5-b5!1", "auto", [(1, "false_call")]),
        ("1. c5-a5!1", "auto", [(1, "wrong_call")]),
        ("1. c5-a5!1", "manual", []),
        ("1. c5-a5", "auto", []),
        ("1. c5-a5!2", "auto", []),
    ],
)
def test_impossible_calls_are_reported(moves: str, calls: str, expected: list[tuple[int, str]]) -> None:
    assert faults_of(gwezboell(moves, Calls=calls)) == expected


# ---- contradictions: result and reason

ESCAPED = "c5-a5!2 g1-g2 a5-a9"
GOES_ON = "c5-a5!2 g1-g2"


@pytest.mark.parametrize(
    ("moves", "result", "reason", "expected"),
    [
        (ESCAPED, "defenders", "corner", []),
        (ESCAPED, "defenders", "-", []),
        (ESCAPED, "attackers", "corner", ["wrong_result"]),
        (ESCAPED, "draw", "agreement", ["wrong_result", "wrong_reason"]),
        (ESCAPED, "defenders", "edge", ["wrong_reason"]),
        (GOES_ON, "*", "-", []),
        (GOES_ON, "*", "time", ["reason_without_result"]),
        (GOES_ON, "defenders", "-", ["missing_reason"]),
        (GOES_ON, "defenders", "corner", ["end_not_reached"]),
        (GOES_ON, "draw", "quiet_moves", ["end_not_reached"]),
        (GOES_ON, "draw", "agreement", []),
        (GOES_ON, "attackers", "agreement", ["reason_contradicts_result"]),
        (GOES_ON, "attackers", "resignation", []),
        (GOES_ON, "draw", "resignation", ["reason_contradicts_result"]),
        (GOES_ON, "draw", "time", ["reason_contradicts_result"]),
        (GOES_ON, "draw", "abandoned", []),
        (GOES_ON, "defenders", "abandoned", []),
        (GOES_ON, "draw", "adjudication", []),
        (GOES_ON, "attackers", "adjudication", []),
    ],
)
def test_result_and_reason_are_those_of_the_rules(
    moves: str, result: str, reason: str, expected: list[str]
) -> None:
    replay = gwezboell(moves, Result=result, Reason=reason)
    assert faults_of(replay) == [(len(moves.split()), code) for code in expected]
    assert replay.game is not None
    if not expected:
        winner = None if result in ("draw", "*") else Side(result)
        found = replay.game.outcome
        assert (found and found.winner) == winner
        assert replay.outcome == found


def test_a_game_without_result_ends_as_its_moves_do() -> None:
    replay = gwezboell(ESCAPED, Result="*")
    assert replay.ok
    assert replay.outcome == Outcome(Side.DEFENDERS, Reason.CORNER)


# ---- side lines


def test_side_lines_are_played_from_where_they_branch_off() -> None:
    moves = "1. d2-c2 (1. d2-b2 2. c4-c7 {plays it out} (2. c4-c1)) (1. d6-c6) 2. c4-c6 (2. c4-c3 3. c2-c1)"
    assert replayed(BRANDUB, moves).ok


def test_a_fault_in_a_side_line_is_reported_with_its_path() -> None:
    moves = (
        "1. d2-c2 (1. d2-b2 2. c4-c7 (2. c4-c6) (2. c4-c9 3. d6-d5)) 2. c4-c6 (2. d7-d2 3. c2-c1) 3. d6-d5"
    )
    replay = replayed(BRANDUB, moves)
    assert [(fault.ply, fault.code, fault.path) for fault in replay.faults] == [
        (2, "not_on_board", ((1, 1), (2, 2))),
        (2, "not_your_piece", ((2, 1),)),
        (3, "square_occupied", ()),
    ]


def test_a_side_line_instead_of_a_move_that_cannot_be_played_is_played() -> None:
    replay = replayed(BRANDUB, "1. d2-d5 (1. d2-c2 2. c4-c6 3. d6-d5) 2. c4-c6 (2. c4-c5)")
    assert [(fault.ply, fault.path) for fault in replay.faults] == [(3, ((1, 1),)), (1, ())]


def test_passes_and_refusals_are_looked_for_in_side_lines_too() -> None:
    moves = "1. d4-d5 (1. d4-d3 -- 2. d3-c3 --) (1. d4-d6) -- (2. d5-e5) 2. d5-d6 (2. d5-c5) --"
    replay = replayed(BRANDUB, moves, Start=f"{BLOCKED} d")
    assert [(fault.ply, fault.code, fault.path) for fault in replay.faults] == [
        (1, "missing_pass", ((1, 2),)),
        (2, "missing_pass", ((2, 1),)),
        (2, "missing_pass", ((2, 1),)),
        (2, "missing_pass", ((2, 1),)),
    ]
    refused = (
        "1. c5-a5 2. g1-g2 taken_back 3. a5-a9 refused (3. a5-a1) (3. a5-a1 refused 2. g1-g3) "
        "2. g1-b1 (2. g1-g3 3. a5-a9) 3. a5-a9"
    )
    replay = gwezboell(refused, Result="defenders", Reason="corner")
    assert [(fault.ply, fault.code, fault.path) for fault in replay.faults] == [
        (3, "escape_refused", ((3, 1),))
    ]


def test_a_fault_is_reported_with_its_ply_and_side_line() -> None:
    replay = replayed(BRANDUB, "1. d2-c2 (1. d2-b2 2. c4-c7 (2. c4-c6 --))")
    (fault,) = replay.faults
    assert explain_fault(fault, "en") == (
        "Move 2 in variation 1.1/2.1: There is a pass here, although the side to move could move."
    )
    assert explain_fault(fault, "fr").startswith("Coup 2 de la variante de jeu 1.1/2.1\u00a0: ")
