"""Tests of the search: against plain minimax in Python, and properties under random rules."""

import itertools
import json
import random

import pytest

from hnefi import Game, Move, Rules, Setup, Side, variant
from hnefi._core import Line, Report, Searcher, derived_weights, random_game
from tests.reference.random_rules import random_tree
from tests.small_positions import endgame_trees, random_positions
from tests.solver import WIN, minimax

SEED = 3


def depth_for(game: Game) -> int:
    """Returns a depth at which minimax in Python visits at most some thousand positions."""
    count = len(game.legal_moves())
    return 4 if count <= 4 else 3 if count <= 9 else 2


def check_plain_search(tree: str, game: Game, searcher: Searcher) -> None:
    """Compares the scores of the three best moves without pruning."""
    depth = depth_for(game)
    report = searcher.analyse(game, depth=depth, lines=3, pruning=False)
    scores = sorted((minimax(game.play(move), depth - 1, 1) for move in game.legal_moves()), reverse=True)
    if game.turn is Side.DEFENDERS:
        scores.reverse()
    where = f"{game.position} depth {depth} after {list(map(str, game.plies))}: {tree}"
    assert [line.score for line in report.lines] == scores[:3], where
    for line in report.lines:
        assert minimax(game.play(line.moves[0]), depth - 1, 1) == line.score, where


def test_search_without_pruning_is_minimax() -> None:
    searcher = Searcher(table_mib=1)
    for tree, game in itertools.islice(random_positions(SEED), 60):
        check_plain_search(tree, game, searcher)


@pytest.mark.deep
def test_search_without_pruning_is_minimax_on_a_thousand_positions() -> None:
    searcher = Searcher(table_mib=1)
    for size, count in ((5, 700), (7, 300)):
        for tree, game in itertools.islice(random_positions(SEED + size, size), count):
            check_plain_search(tree, game, searcher)


@pytest.mark.parametrize(("again", "result"), [("d2-c2", "draw"), ("d2-b2", "draw_in_a_row")])
def test_a_search_counts_repetitions_as_the_rules_do(again: str, result: str) -> None:
    """The position of the start comes back a third time, after the same moves or after others."""
    game = variant("brandub-breyer").with_switches({"repetition": f"3,{result}"}).new_game()
    for move in ("d2-c2", "d5-c5", "c2-d2", "c5-d5", again, "d5-c5", f"{again[3:]}-d2"):
        game = game.play(move)
    searcher = Searcher(table_mib=1)
    found = searcher.analyse(game, depth=1, moves=[Move("c5-d5")]).lines[0].score
    assert (found == 0) == (game.play("c5-d5").outcome is not None) == (again == "d2-c2")


def best_of(report: Report, game: Game) -> tuple[int, Move]:
    """Returns the score of the best move for the side to move, and the move."""
    line = report.lines[0]
    return (line.score if game.turn is Side.ATTACKERS else -line.score), line.moves[0]


def test_the_best_move_of_an_unfinished_iteration_counts_with_its_score() -> None:
    """Without pruning, each score is exact: the moves that were searched deeper can be searched alone."""
    searcher = Searcher(table_mib=1)
    changes = 0
    for seed in range(12):
        game = random_game(variant("brandub-globe").rules, seed, 6)
        if game.turn is None:
            continue
        finished = searcher.analyse(game, depth=2, pruning=False)
        for nodes in range(finished.nodes + 600, finished.nodes + 20_000, 1_500):
            report = searcher.analyse(game, nodes=nodes, pruning=False)
            assert report.depth == 2
            (score, move), (_, earlier) = best_of(report, game), best_of(finished, game)
            if (score, move) == best_of(finished, game):
                continue
            deeper, _ = best_of(searcher.analyse(game, depth=3, moves=[move], pruning=False), game)
            before, _ = best_of(searcher.analyse(game, depth=3, moves=[earlier], pruning=False), game)
            assert score == deeper >= before
            changes += move != earlier
            repeated = searcher.analyse(game, nodes=nodes, pruning=False)
            assert (repeated.lines, repeated.nodes) == (report.lines, report.nodes)
    assert changes > 5


def test_lines_of_unfinished_iterations_are_legal_and_longer_than_a_move() -> None:
    searcher = Searcher(table_mib=1)
    lengths = []
    for seed in range(40):
        game = random_game(variant("tablut-geoludie").rules, seed, 6)
        for nodes in (3_000, 5_000, 8_000, 12_000):
            line = searcher.analyse(game, nodes=nodes).lines[0]
            after = game
            for move in line.moves:
                after = after.play(move)
            if after.turn is not None and line.win_in is None:
                lengths.append(len(line.moves))
    assert len(lengths) > 100
    assert sum(length > 1 for length in lengths) > 0.95 * len(lengths)


def test_a_search_that_is_stopped_visits_few_more_positions() -> None:
    searcher = Searcher(table_mib=1)
    for name in ("brandub-globe", "tablut-kouvia"):
        before: list[int] = []

        def stop(report: Report, before: list[int] = before) -> None:
            before.append(report.nodes)
            if report.depth == 4:
                searcher.stop()

        last = searcher.analyse(variant(name).new_game(), on_report=stop)
        assert last.depth == 4
        # It looks at the signal after 512 positions; the next iteration would visit tens of thousands.
        assert before[3] <= last.nodes <= before[3] + 512


def test_a_forced_move_ends_the_search_of_a_move_to_play() -> None:
    rules = variant("brandub-globe").rules
    # One move of 32 closes the road of the king.
    for setup, move in (
        ("1t5/3t3/3T3/tt1K1t1/7/1t2TTt/2T4 a 2", "b2-d2"),
        ("3tT2/2t4/3T3/tt3tt/2T3T/t2K3/1t5 a 10", "f4-f2"),
    ):
        game = Game(rules, Setup(setup))
        to_play = Searcher(table_mib=1).analyse(game, depth=5, time_ms=10**9, usual_ms=10**9)
        to_know = Searcher(table_mib=1).analyse(game, depth=5, time_ms=10**9)
        assert to_play.depth < to_know.depth == 5
        assert [str(report.lines[0].moves[0]) for report in (to_play, to_know)] == [move, move]


def test_table_entries_of_other_weights_are_not_used() -> None:
    game = variant("brandub-globe").new_game()
    other = json.loads(derived_weights(game.rules))
    other["terms"]["attacker"] = 500
    used, fresh = Searcher(table_mib=16), Searcher(table_mib=16)  # so large that nothing is pushed out
    used.analyse(game, depth=4, weights=json.dumps(other))
    found, expected = used.analyse(game, depth=4), fresh.analyse(game, depth=4)
    assert (found.lines, found.nodes) == (expected.lines, expected.nodes)
    # The same weights, named or not, share what they remember.
    again = used.analyse(game, depth=4, weights=derived_weights(game.rules))
    assert again.nodes < expected.nodes / 1.5


def for_side(line: Line, side: Side) -> int:
    """Returns the score of a line for a side."""
    return line.score if side is Side.ATTACKERS else -line.score


def finds_proven_win(tree: str, game: Game, searcher: Searcher) -> bool | None:
    """Checks that a pruned search finds the win or loss of minimax; None if there is none to find."""
    side = game.turn
    assert side is not None
    depth = depth_for(game)
    exact = minimax(game, depth) * (1 if side is Side.ATTACKERS else -1)
    line = searcher.analyse(game, depth=depth + 4).lines[0]
    where = f"{game.position} after {list(map(str, game.plies))}: {tree}"
    if abs(exact) < WIN - depth:
        # A win the search claims within the depth would be one that is not there.
        assert line.win_in is None or abs(line.win_in) > depth, where
        return None
    found = for_side(line, side)
    assert (found > 0) == (exact > 0), where
    # What the table keeps does not know the past: a win by repetition may come later, or be a good score.
    loses = json.loads(tree)["ends"]["repetition"]["result"] in ("defenders_lose", "mover_loses")
    return loses or found == exact


def test_pruned_search_finds_all_proven_wins_and_no_false_ones() -> None:
    searcher = Searcher(table_mib=1)
    positions = itertools.islice(random_positions(SEED + 1), 150)
    found = [finds_proven_win(tree, game, searcher) for tree, game in positions]
    assert found.count(True) > 20
    assert False not in found


@pytest.mark.deep
def test_pruned_search_finds_nearly_all_proven_wins_in_many_positions() -> None:
    searcher = Searcher(table_mib=1)
    for size, count in ((5, 2000), (7, 500)):
        positions = itertools.islice(random_positions(SEED + 10 + size, size), count)
        found = [finds_proven_win(tree, game, searcher) for tree, game in positions]
        print(size, found.count(True), found.count(False))
        assert found.count(True) > 50
        # Pruning overlooks for some plies a quiet move of many that leaves the other side without a move.
        assert found.count(False) <= 0.01 * found.count(True)


def test_win_after_the_quiet_limit_is_no_win() -> None:
    searcher = Searcher(table_mib=1)
    spoilt = 0
    for tree, position in itertools.islice(endgame_trees(SEED, 4), 120):
        rules = Rules(json.dumps(tree))
        game = Game(rules, Setup(position))
        late = Game(rules, Setup(position.rsplit(" ", 1)[0] + " 3"))
        if game.turn is None or late.turn is None:
            continue
        line = searcher.analyse(game, depth=5).lines[0]
        last = searcher.analyse(late, depth=5).lines[0]
        # With one ply left, only an end by this very move or a capture keeps the game alive.
        if line.win_in is not None and abs(line.win_in) in (2, 3) and game.quiet < 2:
            captures = any(late.position.describe(move).captures for move in late.legal_moves())
            if not captures:
                assert last.score == 0, f"{position}: {tree}"
                spoilt += 1
    assert spoilt > 5


def play_legal_moves(seed: int, count: int, threads: int) -> None:
    """Plays engine moves under random rules, and checks that no line has an illegal move."""
    rng = random.Random(seed)
    searcher = Searcher(table_mib=1, threads=threads)
    played = 0
    while played < count:
        tree = json.dumps(random_tree(rng))
        game = Game(Rules(tree))
        for _ in range(40):
            if game.turn is None:
                break
            report = searcher.analyse(game, nodes=rng.choice([1, 50, 300]))
            line = game
            for move in report.lines[0].moves:
                assert line.is_legal(move), f"{line.position} {move}: {tree}"
                line = line.play(move)
            game = game.play(rng.choice([report.lines[0].moves[0], rng.choice(game.legal_moves())]))
            played += 1


def test_a_road_that_was_overlooked_before_may_be_answered_by_repetition() -> None:
    """Elsewhere an open road is lost unless it is closed, and no other answer is searched."""
    rules = variant("brandub-globe").with_switches({"repetition": "2,draw", "quiet_limit": "0"}).rules
    start = Game(rules, Setup("2t4/6t/7/K6/4T2/7/7 a"))
    game = start.play("c7-c5").play("a4-b4").play("c5-c6")
    assert game.turn is Side.DEFENDERS
    searcher = Searcher(table_mib=1)
    [line] = searcher.analyse(game, depth=4, moves=[Move("b4-a4")]).lines
    assert (line.score, [str(move) for move in line.moves]) == (0, ["b4-a4", "c6-c5"])
    fresh = Game(rules, Setup("7/2t3t/7/1K5/4T2/7/7 d"))
    [line] = searcher.analyse(fresh, depth=4, moves=[Move("b4-a4")]).lines
    assert line.score == -(WIN - 3)


def test_two_open_roads_are_lost_without_a_search() -> None:
    game = Game(variant("brandub-globe").rules, Setup("7/2t3t/7/1K5/4T2/7/7 d"))
    report = Searcher(table_mib=1).analyse(game, depth=6, moves=[Move("b4-a4")])
    assert report.lines[0].score == -(WIN - 3)
    assert report.nodes <= 2 * report.depth
    assert [str(move) for move in report.lines[0].moves][:1] == ["b4-a4"]
    check_is_played_to_its_end(game, report.lines[0])


def check_is_played_to_its_end(game: Game, line: Line) -> None:
    """Checks that the moves of a proven win end the game in as many plies as it says."""
    assert line.win_in is not None
    assert len(line.moves) == abs(line.win_in), game.position
    for move in line.moves:
        game = game.play(move)
    assert game.outcome is not None
    assert game.outcome.winner is (Side.ATTACKERS if line.win_in > 0 else Side.DEFENDERS)


def test_the_line_of_a_proven_win_ends_the_game() -> None:
    searcher = Searcher(table_mib=1)
    wins = 0
    for _, game in itertools.islice(random_positions(SEED + 5), 150):
        line = searcher.analyse(game, depth=6).lines[0]
        if line.win_in is not None:
            check_is_played_to_its_end(game, line)
            wins += 1
    assert wins > 20


@pytest.mark.parametrize("threads", [1, 2])
def test_engine_plays_legal_moves_under_random_rules(threads: int) -> None:
    play_legal_moves(SEED, 300, threads)


@pytest.mark.deep
def test_engine_plays_a_hundred_thousand_legal_moves() -> None:
    play_legal_moves(SEED + 1, 90_000, 1)
    play_legal_moves(SEED + 2, 10_000, 2)


def test_two_threads_find_the_same_wins() -> None:
    alone, together = Searcher(table_mib=1), Searcher(table_mib=1, threads=2)
    wins = 0
    for tree, game in itertools.islice(random_positions(SEED + 4), 60):
        first = alone.analyse(game, depth=5).lines[0]
        second = together.analyse(game, depth=5).lines[0]
        assert game.is_legal(second.moves[0])
        if first.win_in is not None and abs(first.win_in) <= 3:
            assert second.win_in == first.win_in, f"{game.position}: {tree}"
            wins += 1
    assert wins > 5


def test_two_threads_share_iterations() -> None:
    game = variant("brandub-globe").new_game()
    reports: list[Report] = []
    last = Searcher(table_mib=4, threads=2).analyse(game, depth=8, lines=3, on_report=reports.append)
    depths = [report.depth for report in reports]
    assert depths == sorted(set(depths))
    assert depths[-1] == last.depth == 8
    # Whichever thread was faster: all lines are there, of different moves, the best first.
    for report in reports:
        assert len({line.moves[0] for line in report.lines}) == 3
        assert [line.score for line in report.lines] == sorted(line.score for line in report.lines)[::-1]


def test_positions_of_all_threads_are_counted() -> None:
    game = variant("gwezboell-globe").new_game()
    counts = [Searcher(table_mib=4, threads=threads).analyse(game, nodes=40_000).nodes for threads in (1, 4)]
    # Each thread says every 512 positions how many it visited.
    assert all(39_000 < count < 45_000 for count in counts), counts
