"""Writing of OpenTafl records, and round trips, with turns of several captures."""

import random
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hnefi import all_variants, variant
from hnefi._core import Game, Move, Outcome, Setup, random_game
from hnefi.errors import RecordError
from hnefi.formats import RawGame, explain_gap
from hnefi.i18n import explain
from hnefi.pieces import Reason, Side
from hnefi.record import Node, Record, Variation, load_records, parse_records, variant_headers
from tests.opentafl_games import BERSERK, BERSERK_HEADERS, BRANDUB, FORM, plain, raw, read
from tests.samples import examples

# --- Round trips ----------------------------------------------------------------------------------------

PLAIN = [one.id for one in all_variants() if one.tree.special.berserk == "none"]
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
    headers = {"Event": "Fair", "Attackers": "Ana 1", "Date": "2027-01-06"}
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


@given(st.sampled_from(PLAIN), st.integers(0, 100_000))
def test_native_records_round_trip(variant_id: str, seed: int) -> None:
    record = made_record(variant_id, seed)
    if record.header("Start") and Setup(str(record.header("Start"))) == variant(variant_id).rules.start:
        return
    written = FORM.write(RawGame.of(record))
    lost = {gap.code for gap in written.gaps if not gap.code.startswith("rules.")}
    assert lost <= {"many_captures", "header"}
    back = raw(written.text).record()
    ended = record.header("Reason")
    written_reasons = {Reason.RESIGNATION, Reason.TIME, Reason.AGREEMENT}
    omitted = {"Reason"} if ended and Reason(ended) not in written_reasons else set()
    assert {gap.facts["name"] for gap in written.gaps if gap.code == "header"} == omitted
    assert back.nodes == record.nodes
    assert back.comments == record.comments
    mine = {name: value for name, value in record.headers if name not in omitted}
    theirs = {name: value for name, value in back.headers if name != "Termination"}
    assert theirs == mine
    assert FORM.write(RawGame.of(back)).text == written.text


def test_record_parts_without_opentafl_equivalent_are_gaps() -> None:
    (record,) = parse_records(
        f'[Variant "brandub-globe"]\n[Rules "{BRANDUB.rules.hash}"]\n[Club "x"]\n'
        '[Start "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3 a 4"]\n\n'
        "1. d2-e2 @0:00:10 {a] b|c} {second} 2. c4-c5!1 *"
    )
    written = FORM.write(RawGame.of(record))
    codes = {gap.code for gap in written.gaps if not gap.code.startswith("rules.")}
    assert codes == {"header", "signs", "joined_comments", "clocks", "calls", "quiet_counter"}
    for gap in written.gaps:
        assert "{" not in explain_gap(gap, "fr")
    assert isinstance(read(written.text)[0], RawGame)


def test_glyphs_come_back_and_comments_before_a_variation_stand_behind_its_first_move() -> None:
    headers = "".join(f'[{name} "{value}"]\n' for name, value in variant_headers(BRANDUB))
    (record,) = parse_records(
        f'{headers}[TimeControl "600+5"]\n[Result "*"]\n\n'
        "1. d2-c2 {??} {loses} ({lead} 1. d2-e2 {!} {so} @0:00:09) 2. d5-c5 ({kept} 2. d3-c3) *"
    )
    written = FORM.write(RawGame.of(record))
    codes = [gap.code for gap in written.gaps if not gap.code.startswith("rules.")]
    assert sorted(codes) == ["joined_comments", "moved_comments"]
    back = raw(written.text).record()
    assert " ".join(str(back).partition("\n\n")[2].split()) == (
        "1. d2-c2 {??} {loses} (1. d2-e2 @0:00:09 {!} {lead\\ \\ so}) 2. d5-c5 ({kept} 2. d3-c3) *"
    )
    (joined,) = parse_records(f"{headers}\n{{one}} {{two}} 1. d2-c2 ({{lead}} 1. d2-e2) *")
    codes = [gap.code for gap in FORM.write(RawGame.of(joined)).gaps if not gap.code.startswith("rules.")]
    assert sorted(codes) == ["joined_comments", "moved_comments"]


def test_a_forced_pass_cannot_be_written() -> None:
    (record,) = load_records("tests/records/forced-pass.tafl").records
    with pytest.raises(RecordError, match="has a forced pass"):
        FORM.write(RawGame.of(record))


def test_signs_of_danger_and_of_the_end() -> None:
    kouvia = variant("tablut-kouvia")
    start = "9/9/9/9/2K6/9/9/9/6t2 d 0"
    game = Game(kouvia.rules, Setup(start)).play("c5-c1")
    record = Record.from_game(game, variant_headers(kouvia))
    assert "Kc5-c1" in FORM.write(RawGame.of(record)).text
    brandub = Game(BRANDUB.rules, Setup("7/7/7/7/7/K6/6t d 0")).play("a2-a1")
    record = Record.from_game(brandub, variant_headers(BRANDUB))
    assert "1. Ka2-a1--" in FORM.write(RawGame.of(record)).text


# --- Several captures in one turn --------------------------------------------------------------------------


MIDWAY = "11/11/11/11/11/5K5/3t2t4/3T2T4/t10/11/11 a 0"
KNIGHT = "11/11/11/7t3/5t5/5K5/11/3t7/3N7/11/7t3 d 0"


def berserk_record(moves: str, start: str, switches: str = "") -> Record:
    found = BERSERK.with_switches(dict([switches.split("=")])) if switches else BERSERK
    game = Game(found.rules, Setup(start))
    for move in moves.split():
        game = game.play(move)
    return Record.from_game(game, variant_headers(found))


def written_turns(record: Record) -> list[str]:
    text = FORM.write(RawGame.of(record)).text
    return [line for line in text.splitlines() if line[:1].isdigit()]


def test_each_hop_of_a_turn_is_a_word() -> None:
    record = berserk_record("a3-d3 d3-g3 f6-f9 g5-g8", MIDWAY)
    assert written_turns(record) == ["1. a3-d3xd4 d3=g3xg4 Kf6-f9", "2. g5-g8"]
    back = raw(FORM.write(RawGame.of(record)).text)
    assert back.record().nodes == record.nodes
    assert back.replay().faults == ()


def test_jumps_and_ranks_have_their_signs() -> None:
    assert written_turns(berserk_record("d3-d5", KNIGHT)) == ["1. Nd3^d5xd4"]
    over = "11/11/11/11/11/5K5/3T7/3c7/11/11/11 a 0"
    assert written_turns(berserk_record("d4-d6 f6-f8", over)) == ["1. cd4^d6 Kf6-f8"]
    taken = "11/11/11/11/11/5K5/11/3T1c1T3/11/7T3/t10 d 0"
    (turn,) = written_turns(berserk_record("d4-e4 a1-a2 h4-g4", taken))[1:]
    assert turn.endswith("h4-g4xcf4")


def test_the_end_of_a_turn_is_implied_by_the_next_move() -> None:
    record = berserk_record("a3-d3 d3-d3 f6-f9 g5-g8", MIDWAY)
    written = FORM.write(RawGame.of(record))
    assert written_turns(record) == ["1. a3-d3xd4 Kf6-f9", "2. g5-g8"]
    assert "stops" in {gap.code for gap in written.gaps}
    back = raw(written.text)
    assert len(back.record().nodes) == len(record.nodes) - 1
    replay = back.replay()
    assert replay.faults == ()
    assert replay.game is not None
    assert replay.game.plies == record.replay().game.plies  # type: ignore[union-attr]


def test_comments_at_the_end_of_a_turn_are_kept() -> None:
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
    text = FORM.write(RawGame(headers, full_record=Record(headers, nodes))).text
    back = raw(text)
    first, second = back.record().nodes
    assert first.comments == ("One.\n\nEnough.",)
    assert first.clock_ms == 9000
    assert [plain(side.nodes) for side in second.variations] == [["d3g3", "f6f8"], ["f6f7"]]
    assert back.replay().faults == ()


def test_a_variation_that_begins_with_the_end_of_a_turn_has_separate_lines() -> None:
    record = berserk_record("f6-f7 a3-d3 d3-g3", MIDWAY.replace(" a ", " d "))
    king, hop, onwards = record.nodes
    inner = Variation((Node(Move("f7-f9")),))
    line = (Node(Move("d3-d3")), Node(Move("f7-f8"), variations=(inner,)), Node(Move("g5-g8")))
    nodes = (king, hop, replace(onwards, variations=(Variation(line),)))
    text = FORM.write(RawGame(record.headers, full_record=Record(record.headers, nodes))).text
    assert [found for found in text.splitlines() if found[:1].isdigit()] == [
        "1. Kf6-f7 a3-d3xd4 d3=g3xg4",
        "1c.1.1a. ..... ..... Kf7-f8 g5-g8",
        "1c.1.1c.1.1a. ..... ..... Kf7-f9",
    ]
    back = raw(text)
    assert paths(back.record().nodes) == paths(nodes)
    assert back.replay().faults == ()


def test_values_without_notation_are_refused() -> None:
    def refused(record: Record) -> str:
        with pytest.raises(RecordError) as caught:
            FORM.write(RawGame.of(record))
        for lang in ("en", "fr"):
            assert "{" not in explain(caught.value, lang)
        return caught.value.code

    midway = "11/11/11/11/11/5K5/3t2t4/6T4/3t7/11/11 a 0 d3"
    assert refused(berserk_record("d3-g3", midway)) == "long_turns"
    record = berserk_record("a3-d3 d3-g3 f6-f9", MIDWAY)
    only = Variation((Node(Move("d3-d3")),))
    nodes = (record.nodes[0], replace(record.nodes[1], variations=(only,)), record.nodes[2])
    assert refused(Record(record.headers, nodes)) == "long_turns"
    quiet = berserk_record("a3-d3 d3-d3", MIDWAY.replace("a 0", "a 9"), "no_move=loses")
    assert "stops" in {gap.code for gap in FORM.write(RawGame.of(quiet)).gaps}


def test_the_side_that_resigns_is_the_one_to_move() -> None:
    rules = FORM.write(RawGame(BERSERK_HEADERS, full_record=Record(BERSERK_HEADERS))).text.partition("1.")[0]
    text = f"{rules}\n1. e1-e3 f5-e5\n2. e3-e2 ---\n"
    assert raw(text).header("Result") == "attackers"
    drawn = re.search(r"start:[^]]*", rules)
    assert drawn is not None
    midway = rules.replace(drawn[0], "start:/11/11/t10/3T2T4/3t2t4/5K5/11/11/11/11/11/")
    assert raw(f"{midway}\n1. a3-d3xd4 d3=g3xg4 ---\n").header("Result") == "attackers"
    assert raw(f"{midway}\n1. a3-d3xd4 ---\n").header("Result") == "defenders"


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


@examples(20)
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
        text = FORM.write(RawGame(headers, full_record=record)).text
    except RecordError as refused:
        if refused.code != "long_turns" or not ends_with_a_stop(nodes):
            raise
        return
    back = raw(text)
    assert paths(back.record().nodes) == paths(nodes)
    assert {fault.code for fault in back.replay().faults} <= {"wrong_result"}
    assert FORM.write(back).text == text
