"""Sample games: each is a whole game by the present rules of its variant, decided and short."""

from pathlib import Path

import make_sample_games
import pytest

import hnefi
from hnefi import Record, Side, sample_game, variant
from hnefi.record import GLYPHS, load_records
from hnefi.sample_games import sample_game_file
from hnefi.variants.built_in import booklet_ids, built_in_ids

FOLDER = sample_game_file("brandub-globe").parent
IDS = sorted(path.stem for path in FOLDER.glob("*.tafl"))
every_game = pytest.mark.parametrize("name", IDS)


def recorded(name: str) -> Record:
    record = sample_game(name)
    assert record is not None, f"{name}: the rules have changed, run tools/make_sample_games.py {name}"
    return record


def test_every_built_in_variant_has_a_sample_game() -> None:
    assert list(built_in_ids()) == IDS


@every_game
def test_a_sample_game_follows_the_present_rules_to_their_end(name: str) -> None:
    record, played = recorded(name), variant(name)
    replay = record.replay()
    assert replay.faults == ()
    assert replay.called is not None
    assert replay.called.game.outcome == record.outcome
    assert record.outcome is not None
    assert record.outcome.winner is not None
    assert record.header("Variant") == name
    assert record.header("Revision") == str(played.revision)
    assert record.header("Rules") == played.rules.hash
    assert record.header("Start") is None


@every_game
def test_a_sample_game_is_played_with_the_calls_of_its_variant(name: str) -> None:
    record, calls = recorded(name), variant(name).calls
    if calls is None:
        assert record.header("Calls") == "off"
    else:
        assert record.header("Calls") == "auto"
        assert record.header("Sanction") == str(calls["sanction"])
        assert record.header("Replay") == str(calls["replay"])


@every_game
def test_a_sample_game_is_short_and_has_captures(name: str) -> None:
    game = recorded(name).replay().game
    assert game is not None
    fewest, _, _, most = make_sample_games.bounds(name)
    assert fewest <= game.ply_count <= most
    assert sum(len(ply.captures) for ply in game.plies) >= make_sample_games.LEAST_CAPTURES


@every_game
def test_a_marked_mistake_has_a_better_line(name: str) -> None:
    record = recorded(name)
    glyphs = [node.comments[0] for node in record.nodes if node.comments]
    assert set(glyphs) <= set(GLYPHS)
    assert glyphs.count("??") <= 1
    for node in record.nodes:
        assert bool(node.comments) == bool(node.variations)
        assert all(line.nodes[0].move != node.move for line in node.variations)


def test_both_sides_win_sample_games() -> None:
    for names in (booklet_ids(), IDS):
        wins = [record.result for record in map(recorded, names)]
        assert min(wins.count(side.value) for side in Side) >= len(names) // 4


def test_changed_rules_have_no_sample_game() -> None:
    changed = variant("brandub-globe").with_switches({"quiet_limit": "40"})
    assert sample_game(changed) is None
    assert sample_game(variant("brandub-globe")) == recorded("Brandub (Le Globe Joueur)")


def test_custom_rules_have_no_sample_game(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = hnefi.variants.format_variant(variant("brandub-globe"))
    path.write_text(text.replace('id = "brandub-globe"', 'id = "mine"'), encoding="utf-8")
    mine = hnefi.load_variant(path)
    assert mine.id == "mine"
    assert mine.rules == variant("brandub-globe").rules
    assert sample_game(mine) is None


def test_a_seed_gives_the_same_game_again() -> None:
    played = variant("brandub-globe")
    one, again, other = (make_sample_games.play(played, (6, 6), seed) for seed in (1, 1, 3))
    assert one is not None
    assert again is not None
    assert other is not None
    assert one.record == again.record
    assert one.record.nodes != other.record.nodes


@pytest.mark.deep
def test_the_tool_writes_an_annotated_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(make_sample_games, "sample_game_file", lambda name: tmp_path / f"{name}.tafl")
    monkeypatch.setattr(make_sample_games, "REVIEW_NODES", 1_000)
    monkeypatch.setattr("sys.argv", ["make_sample_games.py", "brandub-walker-7", "--games", "4"])
    assert make_sample_games.main() == 0
    (record,) = load_records(tmp_path / "brandub-walker-7.tafl").records
    assert record.replay().faults == ()
    assert record.header("Annotator") == "Hnefi nodes:1000"
    assert capsys.readouterr().out.startswith("brandub-walker-7: ")
