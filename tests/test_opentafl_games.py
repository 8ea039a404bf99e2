"""Parsing of OpenTafl records: tags, turns, addresses of variations, comments, clocks, faults."""

import io

import pytest

from hnefi import variant
from hnefi._core import Outcome, random_game
from hnefi.errors import IllegalMove, RecordError
from hnefi.formats import RawGame, ReadOptions, find_format, read_games, recognise
from hnefi.formats.lines import LONGEST_LINE
from hnefi.formats.opentafl.move import parse_move_text
from hnefi.pieces import Reason, Side
from hnefi.record import Record, format_records, variant_headers
from tests.codes import places_of
from tests.opentafl_games import BERSERK_HEADERS, FORM, GAME, RULES, plain, raw, read
from tests.test_formats import Endless
from tests.test_formats_damage import memory_of


def faults(text: str) -> list[tuple[str, int, int]]:
    return places_of(read(text))


# --- Reading --------------------------------------------------------------------------------------------


def test_tags_become_headers() -> None:
    found = raw(GAME)
    assert {name: found.header(name) for name in ("Event", "Date", "Attackers", "TimeControl")} == {
        "Event": "Spring fair",
        "Date": "2015-05-04",
        "Attackers": "Ana",
        "TimeControl": "3600+3",
    }
    assert (found.header("Result"), found.header("Reason")) == ("defenders", "resignation")
    assert (found.header("PuzzleMode"), found.header("PuzzleStart")) == ("loose", "2b")
    assert found.record().comments == ("Two lines.\n\nThe second one.",)


def test_turns_side_lines_and_their_comments() -> None:
    nodes = raw(GAME).record().nodes
    assert plain(nodes) == ["d2e2", "c4c5", "f4f5", "c5a5", "d6a6", "d5a5"]
    assert [node.comments for node in nodes[:4]] == [
        ("A usual opening.",),
        ("Two in a row.",),
        (),
        ("(hint: look at a4)",),
    ]
    assert [node.clock_ms for node in nodes[:3]] == [3_590_000, 3_580_000, None]
    (answer,) = nodes[1].variations
    assert plain(answer.nodes) == ["c4c6", "f4f5", "c6a6"]
    assert (answer.nodes[0].comments, answer.nodes[2].comments) == (("Another answer.",), ("It ends here.",))
    first, second = nodes[2].variations
    assert plain(first.nodes) == ["f4f6", "c5a5"]
    assert plain(first.nodes[1].variations[0].nodes) == ["c5b5"]
    assert plain(second.nodes) == ["f4f3"]
    assert [node.captures[0].name for node in nodes[4:]] == ["a5", "a6"]


def test_it_replays_by_the_rules_it_brings() -> None:
    found = raw(GAME)
    assert found.variant is not None
    assert found.variant.id == "opentafl-our-game"
    replay = found.replay()
    assert replay.faults == ()
    assert replay.outcome == Outcome(Side.DEFENDERS, Reason.RESIGNATION)


def test_it_replays_also_as_a_record_of_ours() -> None:
    text = find_format("tafl").write(raw(GAME)).text
    (again,) = read_games(io.BytesIO(text.encode()))
    assert isinstance(again, RawGame)
    assert again.replay().faults == ()


def test_the_last_turn_of_one_move_keeps_no_separator_in_its_comment() -> None:
    found = raw(f"{RULES}\n\n1. d2-e2 c4-c5\n[One.|Two.]\n\n2. f4-f5\n[The last move.|]\n")
    assert [node.comments for node in found.record().nodes] == [("One.",), ("Two.",), ("The last move.",)]


def test_comments_on_an_omitted_move_precede_the_variation() -> None:
    text = f"{RULES}\n\n1. d2-e2 c4-c5\n[|]\n1b.1.1a. ..... c4-c6\n[Before.|After.]\n"
    (line,) = raw(text).record().nodes[1].variations
    assert (line.comments, line.nodes[0].comments) == (("Before.",), ("After.",))


def test_a_resignation_among_the_moves_sets_the_result() -> None:
    found = raw(f"{RULES}\n\n1. d2-e2 c4-c5\n2. ---\n")
    assert (found.header("Result"), found.header("Reason")) == ("defenders", "resignation")
    assert raw(f"{RULES}\n\n1. d2-e2 ---\n").header("Result") == "attackers"


def test_a_reason_is_not_believed_where_the_rules_end_the_game() -> None:
    text = (
        "[result:-1]\n[termination:Black resigns]\n"
        "[rules:dim:5 esc:e cor: start:/5/t4/2K2/5/5/]\n\n1. a2-a1 Kc3-c5\n[|]\n"
    )
    found = raw(text)
    assert found.header("Reason") is None
    assert found.replay().faults == ()


def test_games_without_moves_stay_separate() -> None:
    games = [(("Event", "First"), *BERSERK_HEADERS), (("Site", "Tara"), *BERSERK_HEADERS), BERSERK_HEADERS]
    text = "".join(FORM.write(RawGame(headers, full_record=Record(headers))).text for headers in games)
    found = read(text)
    assert [one.headers for one in found if isinstance(one, RawGame)] == games
    assert all(one.record().nodes == () for one in found if isinstance(one, RawGame))


def test_our_variants_are_known_again() -> None:
    text = (
        "[rules:dim:9 esc:e ks:c cor: cens: cenh: start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/]"
    )
    kouvia = variant("tablut-kouvia")
    record = Record.from_game(random_game(kouvia.rules, 1, 4), variant_headers(kouvia))
    written = FORM.write(RawGame.of(record)).text
    assert "[variant:tablut-kouvia]" in written
    assert raw(written).header("Variant") == "tablut-kouvia"
    assert raw(f"{text}\n\n1. a4-a3\n[]").variant is not None


def test_several_games_in_one_file() -> None:
    found = read(f"{GAME}\n{GAME}\n[result:0]\n{RULES}\n\n1. d2-e2\n{GAME}")
    assert [one.game for one in found if isinstance(one, RawGame)] == [1, 2, 3, 4]
    assert [len(one.moves) for one in found if isinstance(one, RawGame)] == [6, 6, 1, 6]


def test_walkers_moves_and_all_others() -> None:
    assert [square.name for square in parse_move_text("e5-e8xe9/ce7/Nd8").captures] == ["e9", "e7", "d8"]
    assert len(parse_move_text("Ne6^=e8xce7/ne9/f8/d8++").captures) == 4
    assert parse_move_text("ge6-e8").special == "g"
    assert parse_move_text("Ke1-a1--").special == ""
    assert parse_move_text("c2-c3xKc4").captures == ()
    for wrong in ("", "e5", "e5-z9", "e5--e6", "e5-e6x", "qe5-e6", "e5-e6+++", "e5-e20"):
        with pytest.raises(IllegalMove):
            parse_move_text(wrong)


def test_it_is_recognised() -> None:
    assert recognise(GAME.encode()) is FORM
    assert recognise(RULES.encode()) is FORM
    assert recognise(format_records([raw(GAME).record()]).encode()).name == "tafl"


# --- Faults ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[nonsense]\n" + RULES, ("bad_tag", 1, 1)),
        (f"[site:a]\n[site:b]\n{RULES}", ("duplicate_header", 2, 1)),
        (f"[result:2]\n{RULES}", ("bad_outcome", 1, 9)),
        ("[rules:dim:7 esc:q start:/7/]", ("bad_rules_tag", 1, 8)),
        ("[rules:dim:5 esc:e start:/2g2/5/2K2/5/2t2/]", ("special_piece", 1, 8)),
        (f"{RULES}\n[position:/7/7/]", ("bad_position", 2, 11)),
        ("[site:a]", ("missing_rules_tag", 1, 1)),
        (f"{RULES}\n\n1. d2-e2 nonsense\n[|]", ("bad_move", 3, 10)),
        (f"{RULES}\n\nd2-e2\n", ("unexpected_token", 3, 1)),
        (f"{RULES}\n\n1. d2-e2 c4-c5\n3. f4-f5\n", ("wrong_number", 4, 1)),
        (f"{RULES}\n\n1. d2-e2 c4-c5\n5a.1.1a. f4-f5\n", ("unknown_address", 4, 1)),
        (f"{RULES}\n\n1. d2-e2\n1b.1.1a. ..... f4-f5\n", ("unknown_address", 4, 1)),
        (f"{RULES}\n\n1. d2-e2\n1a.1.1a.1.1a. f4-f5\n", ("unknown_address", 4, 1)),
        (f"{RULES}\n\n1. Gd2-e2 c4-c5\n", ("special_move", 3, 4)),
        (f"{RULES}\n\n1. d2-e2\n[without an end", ("unclosed_bracket", 4, 1)),
    ],
)
def test_a_fault_has_a_place(text: str, fault: tuple[str, int, int]) -> None:
    assert fault in faults(text)


def test_all_faults_of_a_game_are_reported_and_the_next_game_is_read() -> None:
    text = f"[result:7]\n{RULES}\n\n1. d2-e2 x\n[|]\n4. a1-a2\n"
    assert [code for code, _, _ in faults(text)] == ["bad_move", "bad_outcome"]
    found = read(f"{text}{GAME}")
    assert [one.game for one in found if isinstance(one, RawGame)] == [2]


def test_lenient_reading_keeps_what_can_be_read() -> None:
    text = f"[result:7]\n[zzz]\n{RULES}\n\n1. d2-e2 c4-c5\n[|]\n2. x f4-f5\n[|]\n3. a4-a5\n"
    found = raw(text, lenient=True)
    assert plain(found.record().nodes) == ["d2e2", "c4c5"]
    assert (found.is_cut, found.header("Result")) == (True, "*")
    assert [fault.code for fault in found.faults] == ["bad_tag", "bad_move"]


def test_a_fault_of_a_tag_alone_does_not_cut_the_game() -> None:
    found = raw(f"[result:1]\n[zzz]\n{RULES}\n\n1. d2-e2 c4-c5\n[|]\n", lenient=True)
    assert (found.is_cut, found.header("Result")) == (False, "attackers")
    assert [fault.code for fault in found.faults] == ["bad_tag"]


def test_at_most_a_hundred_faults_are_reported() -> None:
    text = RULES + "".join(f"\n{turn}. nonsense" for turn in range(1, 20_000))
    assert len(faults(text)) == 100


def test_side_lines_nested_ten_thousand_deep_are_one_fault() -> None:
    deep = f"1a{'.1.1a' * 10_000}. d2-e2"
    assert faults(f"{RULES}\n\n1. d2-e2 c4-c5\n[|]\n{deep}\n[]\n") == [("too_deep", 5, 1)]
    steps = [f"1a{'.1.1a' * depth}. d2-c2\n[]" for depth in range(1, 200)]
    found = read(f"{RULES}\n\n1. d2-e2 c4-c5\n[|]\n" + "\n".join(steps))
    assert {one.code for one in found if isinstance(one, RecordError)} == {"too_deep"}
    nested = raw(f"{RULES}\n\n1. d2-e2 c4-c5\n[|]\n" + "\n".join(steps[:64])).record()
    assert nested.nodes[0].depth == 64


@pytest.mark.parametrize("head", [b"[site:", b"1. d2-e2 [", b"", RULES.encode() + b"\n1. "])
def test_100_megabytes_without_an_end_take_bounded_memory(head: bytes) -> None:
    stream = io.BufferedReader(Endless(b"a", 100_000_000, head))
    count, faults, most = memory_of(FORM.read(stream, ReadOptions()))
    assert count == len(faults) > 0
    assert most < 6 * LONGEST_LINE
