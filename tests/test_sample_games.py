"""Sample games: each is a whole game by the present rules of its variant, decided and short."""

from pathlib import Path

import pytest

import hnefi
from hnefi import Record, Side, sample_game, variant
from hnefi.lab.sample import LEAST_CAPTURES, play_sample, plies_of
from hnefi.record import GLYPHS
from hnefi.sample_games import sample_game_file
from hnefi.variants.built_in import booklet_ids, built_in_ids
from tests.variant_files import renamed

FOLDER = sample_game_file("brandub-globe").parent
IDS = sorted(path.stem for path in FOLDER.glob("*.tafl"))
every_game = pytest.mark.parametrize("name", IDS)


def recorded(name: str) -> Record:
    record = sample_game(name)
    assert record is not None, f"{name}: the rules have changed, see hnefi lab sample"
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
    fewest, _, _, most = plies_of(variant(name).rules.size)
    assert fewest <= game.ply_count <= most
    assert sum(len(ply.captures) for ply in game.plies) >= LEAST_CAPTURES


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
    path.write_text(renamed("brandub-globe", "mine"), encoding="utf-8")
    mine = hnefi.load_variant(path)
    assert mine.id == "mine"
    assert mine.rules == variant("brandub-globe").rules
    assert sample_game(mine) is None


def test_a_seed_gives_the_same_game_again() -> None:
    played = variant("brandub-globe")
    one, again, other = (play_sample(played, (6, 6), seed) for seed in (1, 1, 3))
    assert one is not None
    assert again is not None
    assert other is not None
    assert one.record == again.record
    assert one.record.nodes != other.record.nodes
