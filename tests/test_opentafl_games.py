"""OpenTafl's records: tags, turns, side lines with addresses, comments, clocks, puzzles; read and written."""

import io
import random
import re
import tracemalloc
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hnefi import variant, variants
from hnefi._core import Game, Move, Outcome, Setup, random_game
from hnefi.errors import IllegalMove, RecordError
from hnefi.formats import ReadOptions, Sheet, explain_gap, find_format, read_games, recognise
from hnefi.formats.lines import LONGEST_LINE
from hnefi.formats.opentafl.move import parse_move_text
from hnefi.i18n import explain
from hnefi.pieces import Reason, Side
from hnefi.record import Node, Record, Variation, format_records, parse_records, variant_headers

BRANDUB = variant("brandub-globe")
FORM = find_format("otg")
RULES = "[rules:dim:7 name:Our_Game surf:n ks:c cenh: cenhe: start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]"
GAME = f"""[date:2015.05.04]
[event:Spring fair]
[result:-1]
[attackers:Ana]
[defenders:Bran]
[termination:Black resigns]
[time-control:3600 3i]
{RULES}
[start-comment:Two lines.

The second one.]
[puzzle-mode:loose]
[puzzle-start:2b]

1. d2-e2 c4-c5
[3590 A usual opening.|3580 Two in a row.]

1b.1.1a. ..... c4-c6
[Another answer.]

1b.1.2a. f4-f5 c6-a6 \n[|It ends here.]

2. f4-f5 c5-a5
[|(hint: look at a4)]

2a.1.1a. f4-f6 c5-a5
[Instead.|]

2a.1.1a.1.1a. ..... c5-b5
[Inside the side line.]

2a.2.1a. f4-f3
[]

3. d6-a6xa5 d5-a5xa6
[|]
"""


def read(text: str | bytes, *, lenient: bool = False) -> list[Sheet | RecordError]:
    raw = text.encode() if isinstance(text, str) else text
    return list(FORM.read(io.BytesIO(raw), ReadOptions(lenient=lenient)))


def sheet(text: str, *, lenient: bool = False) -> Sheet:
    (found,) = read(text, lenient=lenient)
    assert isinstance(found, Sheet), found
    return found


def faults(text: str) -> list[tuple[str, int, int]]:
    found = [one for one in read(text) if isinstance(one, RecordError)]
    for fault in found:
        assert "{" not in explain(fault, "fr")
        assert explain(fault, "en") != str(fault), fault
    return [(fault.code, fault.line, fault.column) for fault in found]


def plain(nodes: tuple[Node, ...]) -> list[str]:
    return [f"{node.move.from_square.name}{node.move.to_square.name}" for node in nodes if node.move]


# --- Reading --------------------------------------------------------------------------------------------


def test_tags_become_headers() -> None:
    found = sheet(GAME)
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
    nodes = sheet(GAME).record().nodes
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
    found = sheet(GAME)
    assert found.variant is not None
    assert found.variant.id == "opentafl-our-game"
    replay = found.replay()
    assert replay.faults == ()
    assert replay.outcome == Outcome(Side.DEFENDERS, Reason.RESIGNATION)


def test_it_replays_also_as_a_record_of_ours() -> None:
    text = find_format("tafl").write(sheet(GAME)).text
    (again,) = read_games(io.BytesIO(text.encode()))
    assert isinstance(again, Sheet)
    assert again.replay().faults == ()


def test_what_is_said_of_a_move_that_is_left_out_comes_before_the_line() -> None:
    text = f"{RULES}\n\n1. d2-e2 c4-c5\n[|]\n1b.1.1a. ..... c4-c6\n[Before.|After.]\n"
    (line,) = sheet(text).record().nodes[1].variations
    assert (line.comments, line.nodes[0].comments) == (("Before.",), ("After.",))


def test_the_result_of_a_resignation_that_stands_among_the_moves() -> None:
    found = sheet(f"{RULES}\n\n1. d2-e2 c4-c5\n2. ---\n")
    assert (found.header("Result"), found.header("Reason")) == ("defenders", "resignation")
    assert sheet(f"{RULES}\n\n1. d2-e2 ---\n").header("Result") == "attackers"


def test_a_reason_is_not_believed_where_the_rules_end_the_game() -> None:
    text = (
        "[result:-1]\n[termination:Black resigns]\n"
        "[rules:dim:5 esc:e cor: start:/5/t4/2K2/5/5/]\n\n1. a2-a1 Kc3-c5\n[|]\n"
    )
    found = sheet(text)
    assert found.header("Reason") is None
    assert found.replay().faults == ()


def test_games_without_moves_stay_games_of_their_own() -> None:
    games = [(("Event", "First"), *BERSERK_HEADERS), (("Site", "Tara"), *BERSERK_HEADERS), BERSERK_HEADERS]
    text = "".join(FORM.write(Sheet(headers, tree=Record(headers))).text for headers in games)
    found = read(text)
    assert [one.headers for one in found if isinstance(one, Sheet)] == games
    assert all(one.record().nodes == () for one in found if isinstance(one, Sheet))


def test_our_variants_are_known_again() -> None:
    text = (
        "[rules:dim:9 esc:e ks:c cor: cens: cenh: start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/]"
    )
    kouvia = variant("tablut-kouvia")
    record = Record.from_game(random_game(kouvia.rules, 1, 4), variant_headers(kouvia))
    written = FORM.write(Sheet(record.headers, tree=record)).text
    assert "[variant:tablut-kouvia]" in written
    assert sheet(written).header("Variant") == "tablut-kouvia"
    assert sheet(f"{text}\n\n1. a4-a3\n[]").variant is not None


def test_several_games_in_one_file() -> None:
    found = read(f"{GAME}\n{GAME}\n[result:0]\n{RULES}\n\n1. d2-e2\n{GAME}")
    assert [one.game for one in found if isinstance(one, Sheet)] == [1, 2, 3, 4]
    assert [len(one.moves) for one in found if isinstance(one, Sheet)] == [6, 6, 1, 6]


def test_walkers_moves_and_all_others() -> None:
    assert parse_move_text("e5-e8xe9/f8++").info == "++"
    assert [square.name for square in parse_move_text("e5-e8xe9/ce7/Nd8").captures] == ["e9", "e7", "d8"]
    assert parse_move_text("Ne6^=e8xce7/ne9/f8/d8").kind == "^="
    assert parse_move_text("ge6-e8").special == "g"
    assert parse_move_text("Ke1-a1--").special == ""
    king = parse_move_text("c2-c3xKc4").king
    assert king is not None
    assert king.name == "c4"
    for wrong in ("", "e5", "e5-z9", "e5--e6", "e5-e6x", "qe5-e6", "e5-e6+++", "e5-e20"):
        with pytest.raises(IllegalMove):
            parse_move_text(wrong)


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
def test_a_fault_says_where(text: str, fault: tuple[str, int, int]) -> None:
    assert fault in faults(text)


def test_all_faults_of_a_game_are_told_and_the_next_game_is_read() -> None:
    text = f"[result:7]\n{RULES}\n\n1. d2-e2 x\n[|]\n4. a1-a2\n"
    assert [code for code, _, _ in faults(text)] == ["bad_move", "bad_outcome"]
    found = read(f"{text}{GAME}")
    assert [one.game for one in found if isinstance(one, Sheet)] == [2]


def test_lenient_reading_keeps_what_can_be_read() -> None:
    text = f"[result:7]\n[zzz]\n{RULES}\n\n1. d2-e2 c4-c5\n[|]\n2. x f4-f5\n[|]\n3. a4-a5\n"
    found = sheet(text, lenient=True)
    assert plain(found.record().nodes) == ["d2e2", "c4c5"]
    assert {gap.code for gap in found.gaps} == {"passed_over"}
    for gap in found.gaps:
        assert "{" not in explain_gap(gap, "fr")


def test_however_many_faults_there_are_a_hundred_are_told() -> None:
    text = RULES + "".join(f"\n{turn}. nonsense" for turn in range(1, 20_000))
    assert len(sheet(text, lenient=True).gaps) == 100
    assert len(faults(text)) == 100


def test_side_lines_nested_ten_thousand_deep_are_one_fault() -> None:
    deep = f"1a{'.1.1a' * 10_000}. d2-e2"
    assert faults(f"{RULES}\n\n1. d2-e2 c4-c5\n[|]\n{deep}\n[]\n") == [("too_deep", 5, 1)]
    steps = [f"1a{'.1.1a' * depth}. d2-c2\n[]" for depth in range(1, 200)]
    found = read(f"{RULES}\n\n1. d2-e2 c4-c5\n[|]\n" + "\n".join(steps))
    assert {one.code for one in found if isinstance(one, RecordError)} == {"too_deep"}
    nested = sheet(f"{RULES}\n\n1. d2-e2 c4-c5\n[|]\n" + "\n".join(steps[:64])).record()
    assert nested.nodes[0].depth == 64


class Endless(io.RawIOBase):
    """A file that begins with something and goes on with a letter."""

    def __init__(self, head: bytes, size: int) -> None:
        self._head = head
        self._left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        target = memoryview(buffer)  # type: ignore[arg-type]
        piece = self._head[: len(target)] or b"a" * min(len(target), self._left)
        self._left -= 0 if self._head else len(piece)
        self._head = self._head[len(target) :]
        target[: len(piece)] = piece
        return len(piece)


@pytest.mark.parametrize("head", [b"[site:", b"1. d2-e2 [", b"", RULES.encode() + b"\n1. "])
def test_100_megabytes_without_an_end_take_bounded_memory(head: bytes) -> None:
    tracemalloc.start()
    try:
        stream = io.BufferedReader(Endless(head, 100_000_000))
        found = list(FORM.read(stream, ReadOptions()))
        assert found
        assert all(isinstance(one, RecordError) for one in found)
        assert tracemalloc.get_traced_memory()[1] < 6 * LONGEST_LINE
    finally:
        tracemalloc.stop()


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_damaged_records_give_games_or_faults(seed: int) -> None:
    chance = random.Random(seed)
    text = bytearray(GAME.encode())
    for _ in range(chance.randrange(1, 8)):
        at = chance.randrange(len(text))
        text[at : at + chance.randrange(4)] = bytes(chance.choices(b"[]|:.1ab-x^=+ \n\xff", k=2))
    for lenient in (False, True):
        for one in read(bytes(text), lenient=lenient):
            assert isinstance(one, Sheet | RecordError)
            if isinstance(one, Sheet):
                one.replay()


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_nothing_breaks_the_reader(raw: bytes) -> None:
    for one in read(RULES.encode() + b"\n\n" + raw):
        assert isinstance(one, Sheet | RecordError)


# --- Round trips ----------------------------------------------------------------------------------------

PLAIN = [one.id for one in variants() if one.tree.get("special", {}).get("berserk", "none") == "none"]
COMMENTS = ("Well played.", "Deux lignes.\n\nLa seconde : «\u00a0oui\u00a0».", "(hint: a4)", "x")


def grown(game: Game, chance: random.Random, plies: int, depth: int) -> list[Node]:
    """A line of random moves with side lines, comments and clocks."""
    nodes: list[Node] = []
    for _ in range(plies):
        legal = game.legal_moves()
        if not legal:
            break
        move = chance.choice(legal)
        side: list[Variation] = []
        if depth and chance.random() < 0.3:
            for _ in range(chance.randrange(1, 3)):
                line = grown(game, chance, chance.randrange(1, 5), depth - 1)
                side.append(Variation(tuple(line)))
        after = game.play(move)
        if after.passed:
            break
        assert after.last is not None
        nodes.append(
            Node(
                move,
                after.last.captures,
                clock_ms=chance.choice([None, 1000 * chance.randrange(9999)]),
                comments=(chance.choice(COMMENTS),) if chance.random() < 0.4 else (),
                variations=tuple(side),
            )
        )
        game = after
    return nodes


def made_record(variant_id: str, seed: int) -> Record:
    chance = random.Random(seed)
    found = variant(variant_id)
    game = Game(found.rules)
    headers = {"Event": "Fair", "Attackers": "Ana [1]".replace("[1]", "1"), "Date": "2027-01-06"}
    if chance.random() < 0.3:
        game = Game(found.rules, random_game(found.rules, seed, 6).position.setup)
        if game.passed or game.outcome is not None or game.position.going is not None:
            game = Game(found.rules)
    nodes = grown(game, chance, chance.randrange(1, 12), 3)
    end = game
    for node in nodes:
        assert node.move is not None
        end = end.play(node.move)
    if end.outcome is None and chance.random() < 0.7:
        winner, reason = chance.choice(
            [(Side.ATTACKERS, Reason.RESIGNATION), (Side.DEFENDERS, Reason.TIME), (None, Reason.AGREEMENT)]
        )
        end = end.end(Outcome(winner, reason))
    facts = dict(Record.from_game(end, variant_headers(found)).headers)
    start = Setup(facts["Start"]) if "Start" in facts else None
    if start is not None:
        facts["Start"] = f"{str(start).rsplit(' ', 1)[0]} 0"
    both = {**headers, "TimeControl": "600+5", **facts}
    return Record(tuple(both.items()), tuple(nodes), ("Before the first move.",))


@settings(deadline=None)
@given(st.sampled_from(PLAIN), st.integers(0, 100_000))
def test_records_of_ours_come_back_whole(variant_id: str, seed: int) -> None:
    record = made_record(variant_id, seed)
    if record.header("Start") and Setup(str(record.header("Start"))) == variant(variant_id).rules.start:
        return
    written = FORM.write(Sheet(record.headers, tree=record))
    lost = {gap.code for gap in written.gaps if not gap.code.startswith("rules.")}
    assert lost <= {"many_captures"}
    back = sheet(written.text).record()
    ended = record.header("Reason")
    told = {Reason.RESIGNATION, Reason.TIME, Reason.AGREEMENT}
    kept = {"Reason"} if ended and Reason(ended) not in told else set()
    assert back.nodes == record.nodes
    assert back.comments == record.comments
    mine = {name: value for name, value in record.headers if name not in kept}
    theirs = {name: value for name, value in back.headers if name != "Termination"}
    assert theirs == mine
    assert FORM.write(Sheet(back.headers, tree=back)).text == written.text


def test_what_it_cannot_say_is_told() -> None:
    (record,) = parse_records(
        f'[Variant "brandub-globe"]\n[Rules "{BRANDUB.rules.hash}"]\n[Club "x"]\n'
        '[Start "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3 a 4"]\n\n'
        "1. d2-e2 @0:00:10 {a] b|c} {second} 2. c4-c5!1 *"
    )
    written = FORM.write(Sheet(record.headers, tree=record))
    codes = {gap.code for gap in written.gaps if not gap.code.startswith("rules.")}
    assert codes == {"header", "signs", "joined_comments", "clocks", "calls", "quiet_counter"}
    for gap in written.gaps:
        assert "{" not in explain_gap(gap, "fr")
    assert isinstance(read(written.text)[0], Sheet)


def test_a_forced_pass_cannot_be_written() -> None:
    with open("tests/records/forced-pass.tafl", encoding="utf-8") as file:  # noqa: PTH123
        record = parse_records(file.read())[0]
    with pytest.raises(RecordError, match="forced_pass"):
        FORM.write(Sheet(record.headers, tree=record))


def test_signs_of_danger_and_of_the_end() -> None:
    kouvia = variant("tablut-kouvia")
    start = "9/9/9/9/2K6/9/9/9/6t2 d 0"
    game = Game(kouvia.rules, Setup(start)).play("c5-c1")
    record = Record.from_game(game, variant_headers(kouvia))
    assert "Kc5-c1" in FORM.write(Sheet(record.headers, tree=record)).text
    brandub = Game(BRANDUB.rules, Setup("7/7/7/7/7/K6/6t d 0")).play("a2-a1")
    record = Record.from_game(brandub, variant_headers(BRANDUB))
    assert "1. Ka2-a1--" in FORM.write(Sheet(record.headers, tree=record)).text


def test_it_is_recognised() -> None:
    assert recognise(GAME.encode()) is FORM
    assert recognise(RULES.encode()) is FORM
    assert recognise(format_records([sheet(GAME).record()]).encode()).name == "tafl"


# --- Turns of several captures --------------------------------------------------------------------------

BERSERK = variant("berserk-11")
MIDWAY = "11/11/11/11/11/5K5/3t2t4/3T2T4/t10/11/11 a 0"
KNIGHT = "11/11/11/7t3/5t5/5K5/11/3t7/3N7/11/7t3 d 0"


def berserk_record(moves: str, start: str, switches: str = "") -> Record:
    found = BERSERK.with_switches(dict([switches.split("=")])) if switches else BERSERK
    game = Game(found.rules, Setup(start))
    for move in moves.split():
        game = game.play(move)
    return Record.from_game(game, variant_headers(found))


def written_turns(record: Record) -> list[str]:
    text = FORM.write(Sheet(record.headers, tree=record)).text
    return [line for line in text.splitlines() if line[:1].isdigit()]


def test_each_hop_of_a_turn_is_a_word() -> None:
    record = berserk_record("a3-d3 d3-g3 f6-f9 g5-g8", MIDWAY)
    assert written_turns(record) == ["1. a3-d3xd4 d3=g3xg4 Kf6-f9", "2. g5-g8"]
    back = sheet(FORM.write(Sheet(record.headers, tree=record)).text)
    assert back.record().nodes == record.nodes
    assert back.replay().faults == ()


def test_jumps_and_ranks_have_their_signs() -> None:
    assert written_turns(berserk_record("d3-d5", KNIGHT)) == ["1. Nd3^d5xd4"]
    over = "11/11/11/11/11/5K5/3T7/3c7/11/11/11 a 0"
    assert written_turns(berserk_record("d4-d6 f6-f8", over)) == ["1. cd4^d6 Kf6-f8"]
    taken = "11/11/11/11/11/5K5/11/3T1c1T3/11/7T3/t10 d 0"
    (turn,) = written_turns(berserk_record("d4-e4 a1-a2 h4-g4", taken))[1:]
    assert turn.endswith("h4-g4xcf4")


def test_the_end_of_a_turn_is_told_by_the_next_move() -> None:
    record = berserk_record("a3-d3 d3-d3 f6-f9 g5-g8", MIDWAY)
    written = FORM.write(Sheet(record.headers, tree=record))
    assert written_turns(record) == ["1. a3-d3xd4 Kf6-f9", "2. g5-g8"]
    assert "stops" in {gap.code for gap in written.gaps}
    back = sheet(written.text)
    assert len(back.record().nodes) == len(record.nodes) - 1
    replay = back.replay()
    assert replay.faults == ()
    assert replay.game is not None
    assert replay.game.plies == record.replay().game.plies  # type: ignore[union-attr]


def test_what_is_said_of_the_end_of_a_turn_stays() -> None:
    record = berserk_record("a3-d3 d3-d3 f6-f9", MIDWAY)
    hop, stop, king = record.nodes
    line = Variation((Node(Move("d3-g3")), Node(Move("f6-f8"))))
    answer = Variation((Node(Move("f6-f7")),))
    nodes = (
        replace(hop, comments=("One.",)),
        replace(stop, comments=("Enough.",), clock_ms=9000, variations=(line,)),
        replace(king, variations=(answer,)),
    )
    headers = (*record.headers, ("TimeControl", "600+5"))
    text = FORM.write(Sheet(headers, tree=Record(headers, nodes))).text
    back = sheet(text)
    first, second = back.record().nodes
    assert first.comments == ("One.\n\nEnough.",)
    assert first.clock_ms == 9000
    assert [plain(side.nodes) for side in second.variations] == [["d3g3", "f6f8"], ["f6f7"]]
    assert back.replay().faults == ()


def test_what_no_word_can_say_is_refused() -> None:
    def refused(record: Record) -> str:
        with pytest.raises(RecordError) as told:
            FORM.write(Sheet(record.headers, tree=record))
        for lang in ("en", "fr"):
            assert "{" not in explain(told.value, lang)
        return told.value.code

    midway = "11/11/11/11/11/5K5/3t2t4/6T4/3t7/11/11 a 0 d3"
    assert refused(berserk_record("d3-g3", midway)) == "long_turns"
    record = berserk_record("a3-d3 d3-g3 f6-f9", MIDWAY)
    only = Variation((Node(Move("d3-d3")),))
    nodes = (record.nodes[0], replace(record.nodes[1], variations=(only,)), record.nodes[2])
    assert refused(Record(record.headers, nodes)) == "long_turns"
    quiet = berserk_record("a3-d3 d3-d3", MIDWAY.replace("a 0", "a 9"), "no_move=loses")
    assert "stops" in {gap.code for gap in FORM.write(Sheet(quiet.headers, tree=quiet)).gaps}


def test_the_side_that_resigns_is_the_one_to_move() -> None:
    rules = FORM.write(Sheet(BERSERK_HEADERS, tree=Record(BERSERK_HEADERS))).text.partition("1.")[0]
    text = f"{rules}\n1. e1-e3 f5-e5\n2. e3-e2 ---\n"
    assert sheet(text).header("Result") == "attackers"
    drawn = re.search(r"start:[^]]*", rules)
    assert drawn is not None
    midway = rules.replace(drawn[0], "start:/11/11/t10/3T2T4/3t2t4/5K5/11/11/11/11/11/")
    assert sheet(f"{midway}\n1. a3-d3xd4 d3=g3xg4 ---\n").header("Result") == "attackers"
    assert sheet(f"{midway}\n1. a3-d3xd4 ---\n").header("Result") == "defenders"


BERSERK_HEADERS = (*variant_headers(BERSERK), ("Result", "*"))


def paths(nodes: Sequence[Node], before: tuple[str, ...] = ()) -> set[tuple[object, ...]]:
    """Every move of a record with all that is played before it and said of it; ends of turns are left out."""
    found: set[tuple[object, ...]] = set()
    for node in nodes:
        for variation in node.variations:
            found |= paths(variation.nodes, before)
        assert node.move is not None
        if not node.move.is_stop:
            before = (*before, str(node.move))
            found.add((before, node.captures, node.clock_ms, node.comments))
    return found


def bare_stops(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """The same record with nothing said at the end of a turn."""
    return tuple(
        replace(
            node,
            clock_ms=None if node.move and node.move.is_stop else node.clock_ms,
            comments=() if node.move and node.move.is_stop else node.comments,
            variations=tuple(replace(one, nodes=bare_stops(one.nodes)) for one in node.variations),
        )
        for node in nodes
    )


def ends_with_a_stop(nodes: Sequence[Node]) -> bool:
    last = nodes[-1].move if nodes else None
    lines = [one.nodes for node in nodes for one in node.variations]
    return (last is not None and last.is_stop) or any(map(ends_with_a_stop, lines))


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(["may", "must"]), st.integers(0, 100_000))
def test_records_with_turns_of_several_captures_come_back(berserk: str, seed: int) -> None:
    found = BERSERK.with_switches({"berserk": berserk})
    chance = random.Random(seed)
    game = Game(found.rules, random_game(found.rules, seed, chance.randrange(400)).position.setup)
    if game.outcome is not None or game.passed or game.position.going is not None:
        return
    nodes = bare_stops(grown(game, chance, 30, 2))
    headers = (*variant_headers(found), ("Start", str(game.start)), ("TimeControl", "9"), ("Result", "*"))
    record = Record(headers, nodes)
    try:
        text = FORM.write(Sheet(headers, tree=record)).text
    except RecordError as refused:
        if refused.code != "long_turns" or not ends_with_a_stop(nodes):
            raise
        return
    back = sheet(text)
    assert paths(back.record().nodes) == paths(nodes)
    assert {fault.code for fault in back.replay().faults} <= {"wrong_result"}
    assert FORM.write(back).text == text
