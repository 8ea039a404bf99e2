"""Records of games: they replay to the same game, and matches are read from their legs."""

import gzip
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hnefi import (
    CalledGame,
    Game,
    IllegalMove,
    Move,
    Outcome,
    Reason,
    RecordError,
    Setup,
    Side,
    Variant,
    variant,
    variant_ids,
)
from hnefi._core import random_game
from hnefi.match import Decision, Leg, Match, MatchError, MatchFormat, Sides, TieBreak, Verdict
from hnefi.record import (
    Node,
    PlayedMove,
    Record,
    Replay,
    Status,
    explain_fault,
    format_records,
    load_records,
    parse_records,
    read_match,
    save_records,
    variant_headers,
)
from tests.record_texts import BLOCKED, BRANDUB, GWEZBOELL, P1, SAMPLES, faults_of
from tests.samples import examples, sampled

# ---- what was played is written down and replayed


@pytest.mark.parametrize("variant_id", sampled(variant_ids()))
@examples(10)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 120))
def test_every_game_comes_back_from_its_record(variant_id: str, seed: int, plies: int) -> None:
    played = variant(variant_id)
    game = random_game(played.rules, seed, plies)
    record = Record.from_game(game, variant_headers(played))
    (read,) = parse_records(str(record))
    assert read == record
    replay = read.replay()
    assert replay.faults == ()
    assert replay.game == game
    assert replay.outcome == game.outcome
    assert [node.captures for node in record.nodes if node.move] == [ply.captures for ply in game.plies]


def play_with_calls(
    start: CalledGame, chooser: random.Random, plies: int
) -> tuple[CalledGame, list[PlayedMove]]:
    """Plays at random, with escapes where there are any and calls that are often forgotten."""
    called, played = start, []
    for _ in range(plies):
        if called.game.outcome is not None:
            break
        moves = called.legal_moves()
        owed = [move for move in moves if move.to_square in called.open_roads]
        move = chooser.choice(owed) if owed and chooser.random() < 0.8 else chooser.choice(moves)
        after = called.play(move)
        call = chooser.choice((0, 0, 1, 2)) if after.required and not after.refused else 0
        if called.game.turn is Side.ATTACKERS or start.mode == "off":
            call = 0
        called = called.play(move, call)
        played.append(PlayedMove(move, call, chooser.randrange(10**7)))
    return called, played


@pytest.mark.parametrize("mode", ["off", "auto", "manual"])
@pytest.mark.parametrize("replay_rule", ["same_piece", "any_piece"])
@pytest.mark.parametrize(
    ("sanction", "wrong_number"), [("replay", "call"), ("replay", "forgotten"), ("until_called", "call")]
)
@examples(10)
@given(seed=st.integers(0, 2**32))
def test_every_game_with_calls_comes_back_from_its_record(
    mode: str, sanction: str, replay_rule: str, wrong_number: str, seed: int
) -> None:
    setup = Setup("9/9/9/9/2K6/9/3T5/2t6/6t2 d")
    protocol = {"sanction": sanction, "replay": replay_rule, "wrong_number": wrong_number}
    start = CalledGame(Game(GWEZBOELL.rules, setup), mode, **protocol)
    called, played = play_with_calls(start, random.Random(seed), 30)
    record = Record.from_calls(start, played, variant_headers(GWEZBOELL))
    (read,) = parse_records(str(record))
    assert read == record
    replay = read.replay()
    assert faults_of(replay) == []
    assert replay.called is not None
    assert replay.game == called.game
    assert (replay.called.open_roads, replay.called.must_replay) == (called.open_roads, called.must_replay)


def test_refused_escapes_do_occur_in_these_games() -> None:
    setup = Setup("9/9/9/9/2K6/9/3T5/2t6/6t2 d")
    start = CalledGame(Game(GWEZBOELL.rules, setup), "manual", sanction="replay")
    statuses = [
        node.status
        for seed in range(20)
        for node in Record.from_calls(start, play_with_calls(start, random.Random(seed), 30)[1]).nodes
    ]
    assert statuses.count(Status.REFUSED) == statuses.count(Status.TAKEN_BACK) > 5


def test_a_refused_escape_and_the_move_taken_back_stay_in_the_record() -> None:
    start = GWEZBOELL.new_called_game("manual", Setup(P1))
    moves = [("c5-a5", 590), ("g1-g2", 580), ("a5-a9", 570), ("g1-b1", 560), ("a5-a9", 550)]
    played = [PlayedMove(Move(move), clock_ms=seconds * 1000) for move, seconds in moves]
    record = Record.from_calls(start, played, variant_headers(GWEZBOELL))
    assert str(record).splitlines()[-2:] == [
        "1. c5-a5 @0:09:50 2. g1-g2 taken_back @0:09:40 3. a5-a9 refused @0:09:30",
        "2. g1-b1 @0:09:20 3. a5-a9 @0:09:10 defenders",
    ]
    headers = dict(record.headers)
    assert (headers["Calls"], headers["Sanction"], headers["Replay"]) == ("manual", "replay", "same_piece")
    assert headers["Start"] == P1
    replay = record.replay()
    assert replay.ok
    assert replay.outcome == Outcome(Side.DEFENDERS, Reason.CORNER)


def test_automatic_calls_are_written_to_the_record() -> None:
    start = GWEZBOELL.new_called_game("auto", Setup(P1))
    played = [PlayedMove(Move(move)) for move in ("c5-a5", "g1-g2", "a5-a9")]
    record = Record.from_calls(start, played, variant_headers(GWEZBOELL))
    assert [node.call for node in record.nodes] == [2, 0, 0]
    assert record.replay().ok


def test_a_forced_pass_is_written() -> None:
    game = Game(BRANDUB.rules, Setup(f"{BLOCKED} d")).play("d4-d5").play("d5-d6")
    record = Record.from_game(game, dict(variant_headers(BRANDUB)), clocks_ms=[1000])
    assert str(record).endswith("\n\n1. d4-d5 @0:00:01 -- 2. d5-d6 -- *")
    assert record.replay().ok


def test_records_that_replay_would_call_faulty_are_not_made() -> None:
    game = BRANDUB.new_game().play("d2-c2")
    start, played = BRANDUB.new_called_game("off"), [PlayedMove(Move("d2-c2"))]
    for winner, reason in ((None, Reason.RESIGNATION), (Side.ATTACKERS, Reason.AGREEMENT)):
        outcome, refused = Outcome(winner, reason), f"The reason {reason.value} does not match the result"
        with pytest.raises(RecordError, match=refused):
            Record.from_game(game.end(outcome))
        with pytest.raises(RecordError, match=refused):
            Record.from_calls(start, played, outcome=outcome)
    for clock in (1.5, "1500", -1):
        with pytest.raises(RecordError, match=f"“{clock}” is not a clock; expected"):
            Record.from_game(game, clocks_ms=[clock])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="clocks_ms: 3, expected at most 1, one for each ply"):
        Record.from_game(game, clocks_ms=[1500, 3, 9])


def test_a_node_takes_its_move_as_text() -> None:
    assert Node("d2-c2") == Node(Move("d2-c2"))  # type: ignore[arg-type]
    with pytest.raises(IllegalMove):
        Node("d2")  # type: ignore[arg-type]


def test_a_forced_pass_before_the_first_move_is_written() -> None:
    game = Game(BRANDUB.rules, Setup(f"{BLOCKED} a")).play("d4-d5")
    record = Record.from_game(game, variant_headers(BRANDUB))
    assert str(record).endswith("\n\n-- 1. d4-d5 -- *")
    assert record.replay().ok
    called = CalledGame(Game(BRANDUB.rules, Setup(f"{BLOCKED} a")), "off")
    assert (
        Record.from_calls(called, [PlayedMove(Move("d4-d5"))], variant_headers(BRANDUB)).nodes == record.nodes
    )


def test_a_forced_pass_that_ends_the_game_is_written() -> None:
    repeated = BRANDUB.with_switches({"repetition": "2,draw"})
    game = Game(repeated.rules, Setup("7/7/3K3/7/T6/tT5/7 d")).play("d5-d6").play("d6-d5")
    assert game.outcome == Outcome(None, Reason.REPETITION)
    record = Record.from_game(game, variant_headers(repeated))
    assert str(record).endswith("\n\n1. d5-d6 -- 2. d6-d5 -- draw")
    assert record.replay().ok


def test_how_the_players_ended_a_game_is_written() -> None:
    agreed = Outcome(None, Reason.AGREEMENT)
    game = BRANDUB.new_game().play("d2-c2").end(agreed)
    record = Record.from_game(game, [("Result", "attackers"), *variant_headers(BRANDUB)])
    assert record.headers[0] == ("Result", "draw")
    assert record.outcome == agreed
    replay = record.replay()
    assert replay.ok
    assert replay.game == game
    start = BRANDUB.new_called_game("off")
    assert Record.from_calls(start, [PlayedMove(Move("d2-c2"))], outcome=agreed).outcome == agreed


def test_switches_are_kept_and_replayed() -> None:
    changed = BRANDUB.with_switches({"quiet_limit": "40"})
    record = Record.from_game(changed.new_game().play("d2-c2"), variant_headers(changed))
    assert record.header("Switches") == "quiet_limit=40"
    assert record.header("Rules") != BRANDUB.rules.hash
    replay = record.replay()
    assert replay.ok
    assert replay.game is not None
    assert replay.game.rules == changed.rules


def test_a_custom_lookup_finds_the_variant() -> None:
    asked: list[str] = []

    def lookup(name: str) -> Variant:
        asked.append(name)
        return BRANDUB

    record = Record((("Variant", "mine"), ("Rules", BRANDUB.rules.hash)), (Node(Move("d2-c2")),))
    assert record.replay(lookup).ok
    assert asked == ["mine"]
    assert faults_of(record.replay()) == [(0, "unknown_variant")]


def test_a_move_that_cannot_be_played_is_not_written_down() -> None:
    with pytest.raises(IllegalMove):
        Record.from_calls(BRANDUB.new_called_game("off"), [PlayedMove(Move("d2-d5"))])


# ---- the records kept as samples


@pytest.mark.parametrize("name", ["brandub-globe", "forced-pass", "refused-escape", "two-legs"])
def test_a_sample_is_written_in_one_form_and_agrees_with_its_rules(name: str, tmp_path: Path) -> None:
    path = SAMPLES / f"{name}.tafl"
    reading = load_records(path)
    assert reading.faults == ()
    assert format_records(reading.records) == path.read_text(encoding="utf-8")
    packed = tmp_path / "games.TAFL.gz"
    save_records(packed, reading.records)
    assert gzip.decompress(packed.read_bytes()) == path.read_bytes()
    assert load_records(packed) == reading
    packed.write_bytes(packed.read_bytes()[:-9])
    with pytest.raises(RecordError, match="damaged or truncated"):
        load_records(packed)
    for record in reading.records:
        replay = record.replay()
        assert replay.ok
        assert replay.outcome == record.outcome == Outcome(Side.DEFENDERS, Reason.CORNER)


OTHER_RULES = "The game was played by other rules ({}) than revision 2 of this variant ({})."


def test_every_fault_of_the_faulty_sample_is_reported() -> None:
    reading = load_records(SAMPLES / "faulty.tafl")
    assert reading.numbers == (1, 3)
    found = [explain_fault(fault, "en") for fault in reading.faults]
    for record in reading.records:
        found += [explain_fault(fault, "en") for fault in record.replay().faults]
    assert found == [
        "Line 12, column 1: The header Result appears twice.",
        "Line 14, column 13: “c4-z6” is not a move; expected a move such as d1-c1.",
        "Line 14, column 19: This comment is not closed: a closing brace is missing.",
        "Move 3: d5 is occupied by a defender.",
        OTHER_RULES.format("0" * 64, BRANDUB.rules.hash),
        "Move 1: This move captures nothing; as written, it captures b2.",
        "Move 2: The header Reason says `king_captured`; by the rules, the game is not over.",
    ]


# ---- matches from records


def two_legs() -> list[Replay]:
    return [record.replay() for record in load_records(SAMPLES / "two-legs.tafl").records]


def with_headers(replay: Replay, **changes: str | None) -> Replay:
    return replace(replay, record=replay.record.with_headers(changes))


def test_a_match_is_read_from_the_records_of_its_legs() -> None:
    match = read_match(two_legs())
    corner = Outcome(Side.DEFENDERS, Reason.CORNER)
    played = Leg(corner, 1, 2), Leg(corner, 1, 1)
    assert match == Match(MatchFormat.TWO_LEGS, Sides("Bran", "Ana"), played, TieBreak.CAPTURES)
    assert match.verdict == Verdict("Ana", Decision.CAPTURES)
    for number, leg in enumerate(two_legs(), start=1):
        assert dict(match.headers(number)).items() <= dict(leg.record.headers).items()


def test_the_variant_of_the_records_defines_the_tie_break() -> None:
    legs = [replace(leg, variant=BRANDUB) for leg in two_legs()]
    assert read_match(legs).verdict == Verdict(None, Decision.DRAWN)
    written = """[Attackers "Ana"]
[Defenders "Bran"]
[Match "two_legs"]
[Leg "1"]
[Variant "brandub-globe"]
[Result "defenders"]
[Reason "resignation"]

1. d1-b1 2. c4-c1xb1 defenders

[Attackers "Bran"]
[Defenders "Ana"]
[Match "two_legs"]
[Leg "2"]
[Variant "brandub-globe"]
[Result "defenders"]
[Reason "resignation"]

defenders
"""
    match = read_match([record.replay() for record in parse_records(written)])
    assert match.standing("Bran").captures == 1
    assert match.verdict == Verdict(None, Decision.DRAWN)


def test_an_unfinished_match_has_a_next_leg() -> None:
    first, second = two_legs()
    assert read_match([first]).next_leg == 2
    unfinished = replace(second, outcome=None, called=BRANDUB.new_called_game("off"))
    assert read_match([first, unfinished]) == read_match([first])
    unplayable = replace(second, outcome=None, called=None)
    assert read_match([first, unplayable]) == read_match([first])


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("no_match", lambda _first, _second: []),
        ("no_match", lambda first, _: [with_headers(first, Match=None)]),
        ("no_match", lambda first, second: [first, with_headers(second, Attackers=None)]),
        ("wrong_leg", lambda _, second: [second]),
        ("wrong_leg", lambda first, _: [first, first]),
        ("wrong_leg", lambda first, second: [first, with_headers(second, Match="single")]),
        ("wrong_leg", lambda first, second: [with_headers(first, Match="single"), second]),
        ("wrong_leg", lambda first, second: [first, second, second]),
        ("wrong_sides", lambda first, second: [first, with_headers(second, Attackers="Cian")]),
        (
            "wrong_sides",
            lambda first, second: [first, with_headers(second, Attackers="Bran", Defenders="Ana")],
        ),
        ("unfinished_leg", lambda first, second: [replace(first, outcome=None, called=None), second]),
    ],
)
def test_records_that_form_no_match_are_reported(
    code: str, change: Callable[[Replay, Replay], list[Replay]]
) -> None:
    with pytest.raises(RecordError) as caught:
        read_match(change(*two_legs()))
    assert caught.value.code == code
    assert explain_fault(caught.value, "fr") != caught.value.detail


def test_a_match_of_one_player_is_refused() -> None:
    first, _ = two_legs()
    with pytest.raises(MatchError, match="Ana"):
        read_match([with_headers(first, Attackers="Ana")])
