"""Tests of experiments: openings, games, folders and worker processes."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import pytest

from hnefi import Game, Move, Outcome, Reason, Side, random_game, variant
from hnefi._core import Searcher, derived_weights
from hnefi.engine import book_for, weights_for
from hnefi.errors import EngineError
from hnefi.i18n import explain
from hnefi.lab.append_log import AppendLog
from hnefi.lab.balance import balance_experiment, balance_report, stored_experiments, subfolder
from hnefi.lab.errors import LabError
from hnefi.lab.folder import Folder, parse_games
from hnefi.lab.games import Experiment, PlayedGame, Task, format_game, parse_game, play_game
from hnefi.lab.openings import Openings
from hnefi.lab.players import Choice, Player, parse_player
from hnefi.lab.results import Results, record_games
from hnefi.lab.runner import play_games, tasks
from hnefi.measure import Tally
from hnefi.variants.built_in import booklet_ids
from tests.codes import has_code
from tests.samples import sampled

BRANDUB = variant("brandub-globe")


def experiment(first: str = "nodes:300", second: str = "nodes:100", max_plies: int = 1000) -> Experiment:
    return Experiment(BRANDUB.rules, parse_player(first), parse_player(second), max_plies=max_plies)


def lines(of: Experiment, games: Sequence[PlayedGame]) -> list[str]:
    return [format_game(of, game) for game in sorted(games, key=lambda game: game.number)]


class Scripted(Player):
    """A player with scripted moves and errors."""

    def __init__(self, *moves: str | Exception) -> None:
        self._moves = list(moves)
        self.seeds: list[int] = []

    def begin(self, seed: int, /) -> None:
        self.seeds.append(seed)

    def choose(self, game: Game) -> Choice:
        action = self._moves.pop(0) if self._moves else str(game.legal_moves()[0])
        if isinstance(action, Exception):
            raise action
        return Choice(Move(action) if self._moves else game.legal_moves()[0], 2, 10)


def test_openings_of_the_book_are_played_once_with_each_side() -> None:
    openings = Openings(from_book=True)
    lines = list(openings.draw(BRANDUB.rules))
    book = book_for(BRANDUB.rules)
    assert book is not None
    assert len(lines) == len(set(lines)) > 30
    assert all(book.moves(Game.replay(BRANDUB.rules, None, line).position)[0].searches >= 4 for line in lines)
    player = parse_player("nodes:1")
    found = list(tasks(Experiment(BRANDUB.rules, player, player, openings), 1_000))
    assert [task.opening for task in found] == [line for line in lines for _ in Side]
    assert [task.number for task in found] == list(range(2 * len(lines)))
    with pytest.raises(LabError, match="no opening book"):
        next(openings.draw(variant("tawlbwrdd-bell-11").rules))


@pytest.mark.parametrize("name", sampled(booklet_ids(), "brandub-globe", "tablut-kouvia"))
def test_openings_are_long_enough_different_and_open(name: str) -> None:
    rules = variant(name).rules
    drawn = list(islice(Openings(plies=4, seed=3).draw(rules), 30))
    keys = set()
    for moves in drawn:
        game = Game.replay(rules, None, moves)
        assert (game.ply_count, game.outcome) == (4, None)
        found = Searcher(table_mib=1).analyse(game, depth=3)
        assert found.lines[0].win_in is None
        keys.add(min(game.position.transformed(one).zobrist for one in rules.symmetries))
    assert len(keys) == 30
    assert drawn == list(islice(Openings(plies=4, seed=3).draw(rules), 30))
    assert drawn != list(islice(Openings(plies=4, seed=4).draw(rules), 30))


def test_decided_openings_are_left_out() -> None:
    """Many random games of sixteen plies are decided; none of them is an opening."""
    searcher = Searcher(table_mib=1)

    def is_decided(game: Game) -> bool:
        return game.outcome is not None or searcher.analyse(game, depth=3).lines[0].win_in is not None

    assert sum(is_decided(random_game(BRANDUB.rules, seed, 16)) for seed in range(200)) > 20
    for moves in islice(Openings(plies=16).draw(BRANDUB.rules), 40):
        assert not is_decided(Game.replay(BRANDUB.rules, None, moves))


def test_openings_become_longer_when_a_length_is_exhausted() -> None:
    lengths = [len(moves) for moves in islice(Openings(plies=0).draw(BRANDUB.rules), 20)]
    assert lengths[0] == 0
    assert set(lengths) == {0, 2}
    assert all(one <= other for one, other in pairwise(lengths))


def test_rules_without_an_open_opening_are_an_error() -> None:
    # The first move without a capture ends the game.
    rules = BRANDUB.with_switches({"quiet_limit": "1"}).rules
    with pytest.raises(LabError, check=has_code("no_opening")):
        next(Openings(plies=4).draw(rules))


def test_every_opening_is_played_with_both_sides() -> None:
    chosen = experiment()
    played = list(tasks(chosen, 12))
    assert [task.number for task in played] == list(range(12))
    for one, other in zip(played[::2], played[1::2], strict=True):
        assert one.opening == other.opening
        assert {chosen.first_side(one.number), chosen.first_side(other.number)} == set(Side)
        assert chosen.pair(one.number) == chosen.pair(other.number)
    assert len({task.opening for task in played}) == 6


def test_finished_tasks_are_skipped_and_the_others_stay_the_same() -> None:
    chosen = experiment()
    everything = {task.number: task for task in tasks(chosen, 10)}
    rest = list(tasks(chosen, 10, done={0, 1, 4, 7}))
    assert [task.number for task in rest] == [2, 3, 5, 6, 8, 9]
    assert all(everything[task.number] == task for task in rest)


def test_several_processes_play_the_same_games_as_one() -> None:
    chosen = experiment("level:4", "nodes:200")
    one = play_games(chosen, 8, jobs=1)
    two = play_games(chosen, 8, jobs=2)
    assert lines(chosen, one.games) == lines(chosen, two.games)
    assert one.pairs == two.pairs
    assert sum(one.pairs) == 4


def test_more_nodes_win_more_games() -> None:
    results = play_games(experiment("nodes:3000", "level:1"), 20, jobs=2)
    assert results.first.score > 0.7


def test_an_illegal_move_or_an_error_loses_the_game() -> None:
    chosen = experiment()
    task = Task(0, ())
    cheat = play_game(chosen, task, (Scripted("d2-d2", ""), Scripted()))
    assert cheat.outcome == Outcome(Side.DEFENDERS, Reason.ABANDONED)
    assert cheat.fault
    died = play_game(chosen, Task(1, ()), (Scripted(EngineError("engine_died", "gone")), Scripted()))
    assert died.outcome == Outcome(Side.ATTACKERS, Reason.ABANDONED)
    assert died.fault == "engine_died"


def test_a_game_over_the_ply_limit_is_a_draw() -> None:
    found = play_game(experiment(max_plies=6), Task(0, ()), (Scripted(), Scripted()))
    assert (len(found.moves), found.outcome) == (6, Outcome(None, Reason.ABANDONED))
    assert (found.nodes, found.depth, found.fault) == ((30, 30), (2.0, 2.0), "")


def test_each_game_has_a_distinct_and_reproducible_seed() -> None:
    players = (Scripted(), Scripted())
    for number in (0, 1, 0):
        play_game(experiment(max_plies=2), Task(number, ()), players)
    seeds = players[0].seeds
    assert seeds[0] == seeds[2] != seeds[1]
    assert players[1].seeds != seeds


def test_a_game_is_written_and_read_back() -> None:
    chosen = experiment()
    for game in play_games(chosen, 6).games:
        assert parse_game(format_game(chosen, game), "games.jsonl:1") == game


@pytest.mark.parametrize(
    "line", ["", "{}", "[]", "null", '{"game": 1}', "\x00", '{"game": 0, "winner": "x"}']
)
def test_invalid_games_are_refused(line: str) -> None:
    chosen = experiment()
    kept = format_game(chosen, play_games(chosen, 1).games[0])
    with pytest.raises(LabError, check=has_code("bad_game")) as caught:
        parse_games(Path("games.jsonl"), f"{kept}\n{line}\n{kept}\n".encode())
    assert str(caught.value).startswith("games.jsonl:2: “")


def test_a_folder_is_continued_and_drops_an_incomplete_line(tmp_path: Path) -> None:
    chosen = experiment()
    whole = play_games(chosen, 10)
    folder = Folder(tmp_path, BRANDUB, chosen)
    play_games(chosen, 4, folder=folder)
    folder.close()
    games = tmp_path / "games.jsonl"
    assert len(games.read_text().splitlines()) == 4
    games.write_text(games.read_text() + format_game(chosen, whole.games[5])[:40])
    again = Folder(tmp_path, BRANDUB, chosen)
    assert len(again.games) == 4
    results = play_games(chosen, 10, folder=again)
    again.close()
    assert lines(chosen, results.games) == lines(chosen, whole.games)
    assert games.read_text().splitlines() == [format_game(chosen, game) for game in results.games]


def test_games_beyond_the_requested_number_are_not_counted(tmp_path: Path) -> None:
    chosen = experiment()
    folder = Folder(tmp_path, BRANDUB, chosen)
    play_games(chosen, 6, folder=folder)
    assert len(play_games(chosen, 4, folder=folder).games) == 4
    folder.close()


OTHERS = {
    "players.1.player": (experiment("nodes:301"), '"nodes:300"', '"nodes:301"'),
    "openings.seed": (replace(experiment(), openings=Openings(seed=2)), "1", "2"),
    "openings.plies": (replace(experiment(), openings=Openings(plies=6)), "4", "6"),
    "openings.aim": (replace(experiment(), openings=Openings(aim=9)), "-", "9"),
    "max_plies": (experiment(max_plies=50), "1000", "50"),
    "both_sides": (replace(experiment(), both_sides=False), "true", "false"),
}


@pytest.mark.parametrize("key", OTHERS)
def test_results_of_another_experiment_are_not_mixed_in(tmp_path: Path, key: str) -> None:
    Folder(tmp_path, BRANDUB, experiment()).close()
    other, found, expected = OTHERS[key]
    with pytest.raises(LabError, check=has_code("other_experiment")) as caught:
        Folder(tmp_path, BRANDUB, other)
    facts = caught.value.parameters
    assert (facts["found"], facts["expected"]) == (f"{key} = {found}", f"{key} = {expected}")


def test_results_of_another_build_are_not_mixed_in(tmp_path: Path) -> None:
    Folder(tmp_path, BRANDUB, experiment()).close()
    manifest = tmp_path / "manifest.json"
    facts = json.loads(manifest.read_text())
    assert {"hnefi", "core", "python", "system"} <= set(facts["made_by"])
    facts["made_by"]["core"] = "0" * 16
    manifest.write_text(json.dumps(facts))
    with pytest.raises(LabError) as caught:
        Folder(tmp_path, BRANDUB, experiment())
    assert caught.value.parameters["found"] == f'core = "{"0" * 16}"'


def test_a_folder_is_used_by_one_process_at_a_time(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    first = Folder(tmp_path, BRANDUB, experiment())
    with pytest.raises(LabError, check=has_code("folder_in_use")):
        Folder(tmp_path, BRANDUB, experiment())
    first.close()
    (tmp_path / "games.jsonl").write_text("{}\n")
    for _ in range(2):  # one whose games are refused is closed
        with pytest.raises(LabError, check=has_code("bad_game")):
            Folder(tmp_path, BRANDUB, experiment())


def test_an_invalid_folder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    (tmp_path / "manifest.json").write_text("{")
    (tmp_path / "games.jsonl").write_text("[]\n")
    for path in (file, tmp_path):
        with pytest.raises(LabError, check=has_code("bad_folder")):
            Folder(path, BRANDUB, experiment())
    with pytest.raises(LabError, check=has_code("bad_folder")):
        AppendLog(tmp_path / "games.jsonl", {})
    for open_file in (
        lambda: Folder(file, BRANDUB, experiment()),
        lambda: AppendLog(file / "games.jsonl", {}),
    ):
        with pytest.raises(LabError) as caught:
            open_file()
        assert str(file) == caught.value.parameters["path"]
        french = f"{file} ne peut pas servir de dossier d’expérience\u00a0: ce n’est pas un dossier."
        assert explain(caught.value, "fr") == french


def test_an_experiment_is_not_put_among_other_files(tmp_path: Path) -> None:
    (tmp_path / ".manifest.json.x1").write_text("left of a killed process")
    (tmp_path / "thesis.odt").write_text("")
    with pytest.raises(LabError, match=r"has other files, such as thesis\.odt\.") as caught:
        Folder(tmp_path, BRANDUB, experiment())
    assert (caught.value.code, len([*tmp_path.iterdir()])) == ("foreign_folder", 2)
    (tmp_path / "thesis.odt").unlink()
    Folder(tmp_path, BRANDUB, experiment()).close()


def test_results_count_sides_players_and_pairs() -> None:
    chosen = experiment()
    results = Results(chosen)
    for number, (winner, reason) in enumerate(
        [
            (Side.ATTACKERS, Reason.KING_CAPTURED),  # the first player has the attackers: won
            (Side.ATTACKERS, Reason.KING_CAPTURED),  # the defenders: lost
            (None, Reason.QUIET_MOVES),
            (Side.DEFENDERS, Reason.CORNER),  # won
            (Side.DEFENDERS, Reason.CORNER),  # lost, and its pair is not complete
        ]
    ):
        results.add(PlayedGame(number, (Move("d2-c2"),) * 10, 4, Outcome(winner, reason)))
    assert results.first == Tally(2, 1, 2)
    assert results.first_with(Side.ATTACKERS) == Tally(1, 1, 1)
    assert results.second_with(Side.ATTACKERS) == Tally(1, 0, 1)
    assert results.side(Side.ATTACKERS) == Tally(2, 1, 2)
    assert results.pairs == (0, 0, 1, 1, 0)
    assert results.mean_plies == 10
    assert results.endings[0] == (Outcome(Side.ATTACKERS, Reason.KING_CAPTURED), 2)
    assert sum(n for _, n in results.endings) == 5


def test_records_of_an_experiment_replay_without_faults() -> None:
    chosen = experiment("level:2", "nodes:100", max_plies=30)
    results = play_games(chosen, 8)
    records = list(record_games(results, BRANDUB))
    assert len(records) == 8
    for number, record in enumerate(records):
        replayed = record.replay()
        assert replayed.faults == ()
        assert record.outcome == sorted(results.games, key=lambda game: game.number)[number].outcome
        side = "Attackers" if number % 2 == 0 else "Defenders"
        assert record.header(side) == "level:2"


@pytest.mark.parametrize(
    "text",
    [
        *("", "3", "level:0", "level:11", "level:x", "levl:3", "level:10:0"),
        *("nodes:", "nodes:-1", "nodes:1e3", "time:0ms"),
    ],
)
def test_invalid_player_names_are_refused(text: str) -> None:
    with pytest.raises(LabError) as caught:
        parse_player(text)
    assert caught.value.code == "bad_player"
    assert "level:1…10" in caught.value.parameters["expected"]


def test_player_names_are_parsed_and_formatted(tmp_path: Path) -> None:
    for text in ("beginner", "level:3", "level:10:5000", "nodes:20000", "time:250ms", "some-engine --fast"):
        assert str(parse_player(text)) == text
    assert [parse_player(text).is_repeatable for text in ("level:3", "nodes:9", "time:9ms")] == [
        True,
        True,
        False,
    ]
    weights = tmp_path / "w.json"
    weights.write_text('{"a": 1}')
    named = str(parse_player(f"weights:{weights}:500"))
    weights.write_text('{"rules": "x", "weights": {"a": 1}, "scale": 200.0}')
    assert named == str(parse_player(f"weights:{weights}:500"))
    weights.write_text('{"a": 2}')
    assert named != str(parse_player(f"weights:{weights}:500"))
    with pytest.raises(LabError, check=has_code("bad_weights")):
        parse_player(f"weights:{tmp_path / 'none.json'}:500")


def test_players_use_given_weights_and_refuse_invalid_ones(tmp_path: Path) -> None:
    weights = tmp_path / "own.json"
    weights.write_text(weights_for(BRANDUB.rules).text or derived_weights(BRANDUB.rules))
    same = play_games(experiment(f"weights:{weights}:200", f"weights:{weights}:200"), 2)
    assert [game.moves for game in same.games] == [
        game.moves for game in play_games(experiment("nodes:200", "nodes:200"), 2).games
    ]
    weights.write_text('{"nonsense": 1}')
    with pytest.raises(LabError, check=has_code("bad_weights")):
        play_games(experiment(f"weights:{weights}:200"), 2)


def test_a_player_that_cannot_be_created_is_an_error() -> None:
    with pytest.raises(EngineError, check=has_code("engine_not_started")):
        play_games(experiment("nodes:100", "/nowhere/engine"), 2)
    with pytest.raises(LabError, check=has_code("bad_player")):
        play_games(experiment("nodes:100", "no-such-engine-anywhere"), 2)


def test_balance_plays_one_game_per_opening_and_reports_the_claims(tmp_path: Path) -> None:
    player = parse_player("nodes:100")
    for name in ("tablut-geoludie", "tablut-geoludie-slow", "brandub-globe"):
        chosen = variant(name)
        balanced = balance_experiment(chosen, player, Openings(), 60)
        folder = Folder(subfolder(tmp_path, chosen, player), chosen, balanced, "hnefi lab balance")
        results = play_games(balanced, 6, folder=folder)
        folder.close()
        assert len({game.moves[:4] for game in results.games}) == 6
    twice = tmp_path / "brandub-globe-nodes-100" / "games.jsonl"
    twice.write_bytes(twice.read_bytes() * 2 + b'{"game": 7')
    kept = stored_experiments(tmp_path)
    assert [len(one.results.games) for one in kept] == [6, 6, 6]
    assert [one.rules for one in kept] == ["brandub-globe", "tablut-geoludie", "tablut-geoludie-slow"]
    for language, words in (("en", "Géoludie text says"), ("fr", "Ce que dit le texte")):
        text = balance_report(kept, language)
        assert words in text
        assert text.count("| brandub-globe |") >= 2
        assert "seed 1" in text or "graine 1" in text
    assert "Géoludie" not in balance_report(kept[:2], "en").split("##", 2)[2]
