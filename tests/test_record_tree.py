"""Move trees: round trips with records, and notation by the rules."""

import random
from dataclasses import replace

import pytest

from hnefi import Game, Move, Setup, Variant, variant, variant_ids
from hnefi.errors import IllegalMove, RecordError
from hnefi.record import GLYPHS, MoveTree, Record, Status, TreePly, parse_records, variant_headers
from tests.record_texts import BLOCKED
from tests.samples import sampled


def tree_of(text: str, variant_id: str = "brandub-globe") -> MoveTree:
    (record,) = parse_records(text)
    return MoveTree.of(record, Game(variant(variant_id).rules))


def shape(tree: MoveTree) -> list[tuple[int, str]]:
    return [(ply.parent, str(ply.move)) for ply in tree.plies]


def random_tree(start: Game, luck: random.Random, size: int) -> MoveTree:
    games, plies = [start], [TreePly(-1, luck.choice(start.legal_moves()))]
    games = [start.play(plies[0].move)]
    for _ in range(size):
        parent = luck.choice([len(plies) - 1, len(plies) - 1, luck.randrange(-1, len(plies))])
        before = start if parent < 0 else games[parent]
        if before.outcome is not None:
            continue
        move = luck.choice(before.legal_moves())
        plies.append(
            TreePly(
                parent,
                move,
                luck.choice(["", "", *GLYPHS]),
                ("said",) if luck.random() < 0.3 else (),
                clock_ms=luck.choice([None, 5_000]),
            )
        )
        games.append(before.play(move))
    return MoveTree((("Event", "Spring fair"),), ("first",), tuple(plies))


@pytest.mark.parametrize("variant_id", sampled(variant_ids()))
def test_trees_round_trip_as_text(variant_id: str) -> None:
    for seed in range(4):
        round_trip(variant(variant_id), seed)


def round_trip(one: Variant, seed: int) -> None:
    start = Game(one.rules)
    tree = random_tree(start, random.Random(seed), 60)
    record = tree.record(start, dict(variant_headers(one)))
    assert parse_records(str(record)) == [record]
    assert record.replay().faults == ()
    again = MoveTree.of(record, start)
    assert sorted(str(ply.move) + ply.glyph for ply in again.plies) == sorted(
        str(ply.move) + ply.glyph for ply in tree.plies
    )
    assert again.record(start, {}) == record
    assert MoveTree.of(again.record(start, {}), start) == again


def test_alternatives_have_the_same_parent_and_the_main_line_is_first() -> None:
    tree = tree_of("{Begin.} 1. d2-c2 {!} {A} ({Or} 1. d6-c6 {?!} (1. d6-e6) 2. d5-c5) 2. d5-c5 *")
    assert shape(tree) == [(-1, "d2-c2"), (-1, "d6-c6"), (-1, "d6-e6"), (1, "d5-c5"), (0, "d5-c5")]
    assert [ply.glyph for ply in tree.plies] == ["!", "?!", "", "", ""]
    assert (tree.comments, tree.plies[0].comments, tree.plies[1].before) == (("Begin.",), ("A",), ("Or",))


def test_a_line_ends_before_the_first_move_that_is_not_legal() -> None:
    assert shape(tree_of("1. d2-c2 2. a1-a2 (2. d5-c5) 3. d6-c6 *")) == [(-1, "d2-c2"), (0, "d5-c5")]


UNCALLED = Setup("3t3/7/1t5/6t/3K3/1T5/7 d 0")
UNCALLED_GAME = Game(variant("brandub-globe").rules, UNCALLED)
REFUSED = "1. d3-d1 {wait} 2. b5-b6 taken_back @0:00:09 3. d1-a1 refused {!?} (3. d1-d2) 2. b5-b6"


def refused(text: str) -> tuple[MoveTree, Record]:
    (record,) = parse_records(text)
    headers = {"Start": str(UNCALLED), "Calls": "manual", "Sanction": "replay", "WrongNumber": "forgotten"}
    headers |= {"Result": record.result} | ({} if record.result == "*" else {"Reason": "corner"})
    record = record.with_headers({**dict(variant_headers("brandub-globe")), **headers})
    return MoveTree.of(record, UNCALLED_GAME), record


@pytest.mark.parametrize("end", ["3. d1-g1 (3. d1-d2) defenders", "*"])
def test_a_refused_escape_comes_back_beside_the_move_played_again(end: str) -> None:
    tree, record = refused(f"{REFUSED} {end}")
    assert record.replay().ok
    assert shape(tree)[:4] == [(-1, "d3-d1"), (0, "b5-b6"), (0, "b5-b6"), (2, "d1-a1")]
    assert [ply.status for ply in tree.plies[1:4]] == [Status.PLAYED, Status.TAKEN_BACK, Status.REFUSED]
    assert tree.record(UNCALLED_GAME, {}) == record


def test_a_refused_escape_of_a_variation_stays_in_it() -> None:
    aside = "({Or} 2. b5-c5 taken_back 3. d1-g1 refused 2. b5-d5 3. d1-d2)"
    tree, record = refused(f"1. d3-d1 2. b5-b6 (2. b5-e5) {aside} (2. b5-b4) 3. d1-d2 *")
    assert record.replay().ok
    assert tree.record(UNCALLED_GAME, {}) == record
    also_in_main, record = refused(f"{REFUSED} (2. b5-e5) {aside} (2. b5-b4) 3. d1-d2 *")
    assert also_in_main.record(UNCALLED_GAME, {}) == record


def test_the_moves_of_a_variation_that_is_a_refused_escape_alone_count_in_it() -> None:
    tree, record = refused("1. d3-d1 2. b5-b6 (2. b5-c5 taken_back 3. d1-g1 refused) 3. d1-d2 *")
    written = tree.record(UNCALLED_GAME, {})
    assert [node.move for node in written.nodes] == [node.move for node in record.nodes]
    (line,) = written.nodes[1].variations
    assert [(str(node.move), node.status) for node in line.nodes] == [
        ("b5-c5", Status.PLAYED),
        ("d1-g1", Status.PLAYED),
    ]


def test_a_refused_escape_may_end_a_record_and_counts_once_moves_follow_it() -> None:
    tree, record = refused("1. d3-d1 2. b5-b6 taken_back 3. d1-d2 refused *")
    assert tree.record(UNCALLED_GAME, {}) == record
    longer = replace(tree, plies=(*tree.plies, TreePly(2, Move("b6-b5")))).record(UNCALLED_GAME, {})
    assert [node.status for node in longer.nodes] == [Status.PLAYED] * 4
    alone = replace(tree, plies=tree.plies[:2]).record(UNCALLED_GAME, {})
    assert [node.status for node in alone.nodes] == [Status.PLAYED] * 2


def test_a_forced_pass_is_written_by_the_rules_and_is_no_ply() -> None:
    (record,) = parse_records("1. d4-d5 -- {Alone.} 2. d5-d6 (2. d5-c5 --) -- *")
    start = Game(variant("brandub-globe").rules, Setup(f"{BLOCKED} d"))
    tree = MoveTree.of(record, start)
    assert [(str(ply.move), ply.comments) for ply in tree.plies] == [
        ("d4-d5", ("Alone.",)),
        ("d5-d6", ()),
        ("d5-c5", ()),
    ]
    assert [node.is_pass for node in tree.record(start, {}).nodes] == [False, True, False, True]


def test_the_result_is_that_of_the_rules_and_else_what_players_can_agree_upon() -> None:
    rules = variant("gwezboell-globe").rules
    start = Game(rules, Setup("9/9/9/9/9/t8/9/9/3K4t d 0"))
    won = MoveTree((("Result", "draw"), ("Reason", "agreement")), (), (TreePly(-1, Move("d1-a1")),))
    assert won.record(start, {}).result == "defenders"
    drawn = MoveTree(won.headers, (), (TreePly(-1, Move("d1-d2")),)).record(start, {})
    assert (drawn.result, drawn.header("Reason")) == ("draw", "agreement")
    stale = MoveTree((("Result", "defenders"), ("Reason", "corner")), (), ()).record(start, {})
    assert (stale.result, stale.header("Reason")) == ("*", None)


def test_invalid_trees_are_refused() -> None:
    start = Game(variant("brandub-globe").with_switches({"quiet_limit": "0"}).rules)
    move = start.legal_moves()[0]
    with pytest.raises(RecordError, match="does not come before it"):
        MoveTree((), (), (TreePly(3, move),)).record(start, {})
    with pytest.raises(IllegalMove):
        MoveTree((), (), (TreePly(-1, Move("d5-c5")),)).record(start, {})
    with pytest.raises(RecordError, match="deep"):
        nested(start, 65).record(start, {})
    assert nested(start, 64).record(start, {}).nodes[0].depth == 64


def nested(start: Game, depth: int) -> MoveTree:
    """Returns a tree in which each variation has a variation at its second move."""
    plies: list[TreePly] = []
    game, parent, luck = start, -1, random.Random(1)
    for _ in range(depth):
        main, side = luck.sample(shuffling(game), 2)
        plies += [TreePly(parent, main), TreePly(parent, side)]
        parent, game = len(plies) - 1, game.play(side)
    return MoveTree((), (), tuple(plies))


def shuffling(game: Game) -> list[Move]:
    """Returns moves after which the game goes on with all its pieces."""
    after = {move: game.play(move) for move in game.legal_moves()}
    return [move for move, then in after.items() if then.turn is not None and not then.plies[-1].captures]
