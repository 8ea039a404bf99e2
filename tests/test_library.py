"""Game library: adding, searching, removing, duplicates, statistics."""

import hashlib
import io
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hnefi import Game, Record, parse_records, random_game, sample_game, variant
from hnefi.errors import RecordError
from hnefi.formats import RawGame, ReadOptions, find_format, read_games
from hnefi.library import (
    Adder,
    Library,
    Query,
    Results,
    count_games,
    find_games,
    moves_played,
    opening_tree,
    player_stats,
    remove_games,
    variant_stats,
)
from hnefi.record import variant_headers
from hnefi.record.faults import record_error

BRANDUB = variant("brandub-globe")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "games.db", create=True) as opened:
        yield opened


def played(rng: random.Random, longest: int = 40, rules: str = "brandub-globe") -> Game:
    return random_game(variant(rules).rules, rng.randrange(2**32), longest)


def raw(game: Game, rules: str = "brandub-globe", **headers: str) -> RawGame:
    named = variant_headers(variant(rules))
    return RawGame((*named, *headers.items()), tuple(map(str, game.plies)))


def add(library: Library, *raws: RawGame | Record | RecordError, keep_faulty: bool = False) -> Adder:
    with Adder(library, keep_faulty=keep_faulty) as adder:
        for one in raws:
            adder.add("some.tafl", one)
    return adder


def test_added_games_are_found_unchanged(library: Library) -> None:
    rng = random.Random(1)
    games = [played(rng) for _ in range(30)]
    adder = add(
        library, *(raw(game, Attackers=f"Player {n}", Date="2020-01-02") for n, game in enumerate(games))
    )
    assert (adder.report.added, adder.report.faulty) == (30, 0)
    found = list(find_games(library, Query()))
    assert [one.game().plies for one in reversed(found)] == [game.plies for game in games]
    assert [one.attackers for one in reversed(found)] == [f"Player {n}" for n in range(30)]
    for one, game in zip(reversed(found), games, strict=True):
        assert not one.record().replay().faults
        if game.outcome is not None:
            assert one.reason == game.outcome.reason.value


def test_side_lines_comments_and_clocks_are_kept(library: Library) -> None:
    headers = '[Variant "brandub-globe"]\n[Attackers "One"]\n[Result "*"]\n'
    text = f"{headers}\n1. d2-c2 {{a comment}} ( 1. d2-b2 d3-c3 ) d3-e3 *"
    (record,) = parse_records(text)
    add(library, record)
    (found,) = find_games(library, Query())
    assert found.record().nodes == record.nodes


def test_the_digest_of_a_game_is_that_of_its_moves_without_captures(library: Library) -> None:
    game = played(random.Random(1))
    assert any(ply.captures for ply in game.plies)
    add(library, raw(game))
    ((found,),) = sqlite3.connect(library.path).execute("SELECT likeness FROM games")
    text = f"{game.rules.hash} {game.start} {' '.join(str(ply.move) for ply in game.plies)}"
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    assert found == int.from_bytes(digest, "big", signed=True)


def test_a_game_is_there_once_however_often_it_is_added(library: Library) -> None:
    game = played(random.Random(2))
    named = {"Attackers": "Ann", "Defenders": "Bo", "Date": "2020-01-02"}
    add(library, raw(game, **named))
    again = add(library, raw(game, **named), raw(game), raw(game, Attackers="ANN"), raw(game, Attackers="?"))
    assert (again.report.added, again.report.known) == (0, 4)
    other = add(library, raw(game, **(named | {"Defenders": "Cy"})), raw(game, **(named | {"Date": "2021"})))
    assert other.report.added == 2
    assert library.count() == 3


def test_a_game_takes_what_its_file_adds(library: Library) -> None:
    game = played(random.Random(3))
    add(library, raw(game, Attackers="Ann"), raw(played(random.Random(4))))
    more = {"Attackers": "Ann", "Defenders": "Bo", "Event": "Club"}
    report = add(library, raw(game, **more)).report
    assert (report.added, report.updated, report.known) == (0, 1, 0)
    # What says less than before, and what another file says, changes nothing.
    with Adder(library) as other:
        other.add("other.tafl", raw(game, **(more | {"Event": "Cup"})))
    assert (other.report.known, add(library, raw(game, Defenders="Bo")).report.known) == (1, 1)
    (found,) = find_games(library, Query(player="Bo"))
    assert (found.id, found.attackers, found.record().header("Event")) == (1, "Ann", "Club")
    assert library.count() == 2


def test_a_game_with_another_result_is_another_game(library: Library) -> None:
    text = '[Variant "brandub-globe"]\n[Date "{1}"]\n[Result "{0}"]\n\n1. d2-c2 {0}\n'
    days = {"attackers": "27.11.2026", "defenders": "2026-11-27", "*": "7.3.2019"}
    records = [parse_records(text.format(*one))[0] for one in days.items()]
    assert add(library, *records).report.added == 3
    # A day that comes first is a date too: days are sought and sorted by the year.
    found = find_games(library, Query(since="2026"))
    assert {(one.result, one.date) for one in found} == {
        ("attackers", "2026-11-27"),
        ("defenders", "2026-11-27"),
    }


def test_faulty_games_stay_out_or_are_kept_to_the_fault(library: Library) -> None:
    headers = (("Variant", "brandub-globe"), ("Result", "attackers"), ("Reason", "resignation"))
    wrong = RawGame(headers, ("d2-c2", "d3-e3", "a1-a2", "d5-c5"))
    unknown = RawGame((("Variant", "chess"),), ("d2-c2",))
    assert (
        add(library, wrong, unknown, record_error("bad_move", (1, 1), game=1, ply=1, text="?")).report.faulty
        == 3
    )
    assert library.count() == 0
    two_faults = [record_error(code, (1, 1), game=4) for code in ("bad_header", "bad_encoding")]
    assert add(library, *two_faults).report.faulty == 1
    kept = add(library, wrong, unknown, keep_faulty=True)
    assert (kept.report.added, kept.report.kept_short, kept.report.faulty) == (1, 1, 1)
    (found,) = find_games(library, Query())
    assert (found.plies, found.fault) == (2, "no_piece")
    assert (found.result, found.reason) == ("*", "")


@pytest.mark.parametrize("wrong", ["a1-a2", "c2-b2xb3"])
def test_an_annotated_record_is_kept_to_the_fault(library: Library, wrong: str) -> None:
    text = '[Variant "brandub-globe"]\n\n1. d2-c2 {One.} 2. d3-e3 (2. d3-c3) 3. #### {Three.} 4. d5-c5 *'
    kept = add(library, RawGame.of(parse_records(text.replace("####", wrong))[0]), keep_faulty=True)
    assert kept.report.kept_short == 1
    (found,) = find_games(library, Query())
    record = found.record()
    assert [(str(node.move), node.comments) for node in record.nodes] == [("d2-c2", ("One.",)), ("d3-e3", ())]
    assert record.nodes[1].variations
    assert (found.plies, found.game().ply_count, found.result) == (2, 2, "*")
    # Moves alone are kept as far as with comments.
    bare = RawGame((("Variant", "brandub-globe"),), ("d2-c2", "d3-e3", wrong, "d5-c5"))
    assert add(library, bare, keep_faulty=True).report.known == 1


@pytest.mark.parametrize("reason", ["corner", None])
def test_a_decided_game_without_a_result_has_that_of_the_board(library: Library, reason: str | None) -> None:
    record = sample_game("brandub-globe")
    assert record is not None
    record = record.with_headers({"Result": "*", "Reason": reason})
    assert add(library, record).report.added == 1
    (found,) = find_games(library, Query())
    assert (found.result, found.reason) == ("defenders", "corner")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('[Start "7/7/7/3K3/7/2t4/7 a 19"]\n[Result "*"]\n\n1. c2-c3 *', None),
        ('[Start "7/7/7/3K3/7/2t4/7 a 19"]\n[Result "*"]\n\n1. d2-c2 *', "no_piece"),
        ('[Start "rubbish"]\n[Result "*"]\n\n1. d2-c2 *', "unreadable"),
        (f'[Rules "{"0" * 64}"]\n[Result "*"]\n\n1. d2-c2 *', "contradiction"),
        ('[Result "attackers"]\n[Reason "corner"]\n\n1. d2-c2 attackers', "contradiction"),
        ('[Result "*"]\n\n1. d2-c2 (1. d2-d9) *', "contradiction"),
        ('[Switches "quiet_limit=many"]\n[Result "*"]\n\n1. d2-c2 *', "unknown_rules"),
        ('[Result "*"]\n\n1. d2-d9 *', "off_board"),
    ],
)
def test_a_record_is_judged_as_replay_judges_it(library: Library, text: str, kind: str | None) -> None:
    record = parse_records(f'[Variant "brandub-globe"]\n{text}\n')[0]
    assert record.replay().ok == (kind is None)
    adder = add(library, record)
    assert adder.report.added == (kind is None)
    assert [one.value for tally in adder.tallies for one in tally.kinds] == ([] if kind is None else [kind])


def test_a_file_may_name_another_variant_than_the_default(library: Library) -> None:
    record = sample_game("brandub-globe")
    assert record is not None
    with Adder(library, default=variant("tablut-kouvia")) as adder:
        adder.add("one.tafl", record)
    assert adder.report.added == 1


def test_an_annotated_record_may_leave_out_the_stops_of_turns(library: Library) -> None:
    game = random_game(variant("berserk-11").rules, 0, 200)
    whole = Record.from_game(game, variant_headers("berserk-11"))
    nodes = [node for node in whole.nodes if not (node.move and node.move.is_stop)]
    assert len(nodes) < len(whole.nodes)
    nodes[0] = replace(nodes[0], comments=("The first.",))
    add(library, RawGame.of(replace(whole, nodes=tuple(nodes))))
    (found,) = find_games(library, Query())
    assert found.record().nodes == tuple(nodes)
    assert found.game().plies == game.plies


def test_a_text_that_is_no_move_is_kept_to_the_fault_too(library: Library) -> None:
    (cut,) = read_games(
        io.BytesIO(b"d2-c2 d3-e3 zz d5-c5,0,0,Black\n"),
        ReadOptions(BRANDUB, lenient=True),
        find_format("csv"),
    )
    kept = add(library, cut, keep_faulty=True)
    assert (kept.report.added, kept.report.kept_short, kept.report.faulty) == (1, 1, 0)
    (found,) = find_games(library, Query())
    assert (found.plies, found.fault, found.result) == (2, "not_a_move", "*")


def brute_force(games: list[Game], position_key: int) -> Counter[int]:
    """How many games play which move at a position, -1 where they go no further."""
    found: Counter[int] = Counter()
    for game in games:
        first = next((move for key, move in game.canonical_line() if key == position_key), "none")
        if first != "none":
            found[-1 if first is None else int(first)] += 1
    return found


def test_positions_are_found_as_brute_force_finds_them(library: Library) -> None:
    rng = random.Random(3)
    games: list[Game] = []
    for batch in range(24):  # more than eight runs, so that they are merged
        some = [played(rng, rng.randrange(1, 12)) for _ in range(25)]
        games += some
        add(library, *(raw(game, Date=f"{batch}-{n}") for n, game in enumerate(some)))
    keys = Counter(key for game in games for key in {key for key, _ in game.canonical_line()})
    for key, _ in keys.most_common(100):
        game = next(game for game in games if key in {key for key, _ in game.canonical_line()})
        while game.position.canonical_key != key:
            parent = game.parent
            assert parent is not None
            game = parent
        wanted = brute_force(games, key)
        assert count_games(library, Query(position=game.position)) == wanted.total()
        shown = {
            -1 if one.move is None else game.position.canonical_moves([one.move])[0]: one.results.games
            for one in moves_played(library, game.position)
        }
        assert shown == dict(wanted)
        image = game.position.transformed(game.rules.symmetries[-1])
        assert len(list(find_games(library, Query(position=image)))) == wanted.total()


def test_positions_are_found_in_games_of_other_rules_unless_one_is_asked_for(library: Library) -> None:
    moves = ("d2-c2", "d3-e3")
    add(library, *(RawGame((("Variant", name),), moves) for name in ("brandub-globe", "brandub-walker-7")))
    position = BRANDUB.new_game().position
    assert count_games(library, Query(position=position)) == 2
    assert count_games(library, Query(position=position, variant="brandub-globe")) == 1
    assert count_games(library, Query(position=position, variant="copenhagen-11")) == 0
    assert [
        one.results.games for one in moves_played(library, position, Query(variant="brandub-walker-7"))
    ] == [1]


def test_long_lists_come_in_pages_and_miss_nothing(library: Library) -> None:
    rng = random.Random(6)
    add(library, *(raw(played(rng, 3), Date=str(n)) for n in range(1203)))
    ids = [one.id for one in find_games(library, Query())]
    assert ids == list(range(1203, 0, -1))
    assert [one.id for one in find_games(library, Query(), 5, 1000)] == list(range(203, 198, -1))
    assert [one.id for one in find_games(library, Query(position=BRANDUB.new_game().position))] == ids


def test_an_opening_tree_counts_what_was_played(library: Library) -> None:
    lines = [
        ("d2-c2", "d3-e3", "g4-g5"),
        ("d2-e2", "d3-c3"),
        ("d6-c6",),
        ("b4-b3",),
        ("d2-b2",),
        ("a4-a3", "d3-c3"),
    ]
    results = ("attackers", "draw", "defenders", "attackers", "*", "*")
    raws = [
        RawGame((("Variant", "brandub-globe"), ("Date", str(n)), ("Result", result)), moves)
        for n, (moves, result) in enumerate(zip(lines, results, strict=True))
    ]
    assert add(library, *raws).report.added == 6
    tree = opening_tree(library, BRANDUB.new_game(), depth=2, least_games=1)
    assert tree.results.games == 6
    assert tree.results == Results(2, 1, 1, 2)
    first = tree.choices[0]
    assert first.results.games == 4  # four images of one move
    assert first.results.share == (2 + 0.5) / 4
    assert sum(one.results.games for one in first.choices) == 2
    assert (tree.rare, tree.crowded) == (0, 0)
    assert opening_tree(library, BRANDUB.new_game(), depth=1, least_games=5).choices == ()
    narrow = opening_tree(library, BRANDUB.new_game(), depth=2, least_games=1, widest=1)
    assert (len(narrow.choices), narrow.crowded) == (1, len(tree.choices) - 1)
    frequent = opening_tree(library, BRANDUB.new_game(), depth=2, least_games=2)
    assert (frequent.rare, frequent.crowded) == (len(tree.choices) - len(frequent.choices), 0)
    assert frequent.choices[0].rare == len(first.choices) - len(frequent.choices[0].choices)


def test_statistics_add_up(library: Library) -> None:
    rng = random.Random(7)
    add(
        library,
        *(raw(played(rng, 9), Attackers="Ann", Defenders=f"P{n % 3}", Date=str(n)) for n in range(12)),
    )
    add(library, *(raw(played(rng, 9, "tablut-geoludie"), "tablut-geoludie", Date=str(n)) for n in range(3)))
    stats = variant_stats(library)
    assert [(one.variant, one.results.games) for one in stats] == [
        ("brandub-globe", 12),
        ("tablut-geoludie", 3),
    ]
    assert all(one.reasons.total() == one.results.games for one in stats)
    people = player_stats(library)
    assert [(one.name, one.attacking.games, one.defending.games) for one in people[:1]] == [("Ann", 12, 0)]
    assert sum(one.defending.games for one in people) == 12


def test_removed_games_leave_every_table(library: Library) -> None:
    rng = random.Random(8)
    games = [played(rng, 8) for _ in range(300)]
    add(
        library, *(raw(game, Attackers="Ann" if n % 2 else "Bo", Date=str(n)) for n, game in enumerate(games))
    )
    assert remove_games(library, Query(player="ann")) == 150
    left = [game for n, game in enumerate(games) if n % 2 == 0]
    position = BRANDUB.new_game().position
    assert library.count() == count_games(library, Query(position=position)) == 150
    shown = sum(one.results.games for one in moves_played(library, position))
    assert shown == brute_force(left, position.canonical_key).total()
    assert library.check() == []


def test_games_that_went_on_are_kept_under_rules_that_let_them(library: Library) -> None:
    rules = variant("fetlar-11")
    back = ("d1-d2", "f4-e4", "d2-d1", "e4-f4") * 3
    add(
        library,
        RawGame(
            (*variant_headers(rules), ("Result", "attackers"), ("Reason", "resignation")), (*back, "d1-d2")
        ),
    )
    (found,) = find_games(library, Query())
    assert found.plies == 13
    assert found.game().ply_count == 13
    assert not found.record().replay().faults


def test_custom_rules_are_stored_with_their_games(library: Library) -> None:
    own = BRANDUB.with_switches({"quiet_limit": "2"})
    add(library, RawGame(variant_headers(own), ("d2-c2", "d3-e3")))
    (found,) = find_games(library, Query(variant="brandub-globe"))
    assert (found.switches, found.result, found.reason) == ("quiet_limit=2", "draw", "quiet_moves")
