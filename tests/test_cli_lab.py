"""Tests of `hnefi lab calibrate`, `conversion`, `lengths`, `levels`, `prover` and `sample`."""

import json
from pathlib import Path
from types import ModuleType

import pytest

from hnefi import Game, Setup, Side, load_variant, variant
from hnefi._core import Searcher
from hnefi.cli.lab.arena import run_games
from hnefi.engine import weights_for
from hnefi.lab import conversion, lengths, prover, sample
from hnefi.lab.calibrating import Calibrating
from hnefi.lab.levels import select_matches
from hnefi.record import format_records, load_records
from hnefi.variants import format_variant
from hnefi.variants.built_in import booklet_ids
from tests.cli_runs import answer, refusal, run

FEW = ("lab", "calibrate", "ard-ri-globe", "--games", "16", "--nodes", "40")


def test_the_file_is_one_that_the_engine_reads(tmp_path: Path) -> None:
    path = tmp_path / "ard-ri-globe.json"
    found = answer(*FEW, "--output", str(path))
    assert json.loads(path.read_text(encoding="utf-8")) == found
    assert found["calibration"]["games"] == 16
    rules = variant("ard-ri-globe").rules
    used, before = weights_for(rules, tmp_path), weights_for(rules)
    assert used.calibration.scale == found["scale"]
    assert (used.text, used.mistake_odds, used.made) == (before.text, before.mistake_odds, before.made)


def test_rules_without_weights_keep_the_default_ones() -> None:
    found = answer("lab", "calibrate", "tyr-11", "--games", "8", "--nodes", "20")
    assert found["weights"] is None
    assert found["rules"] == variant("tyr-11").rules.hash


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [("en", "in held-out games (40 nodes per move)"), ("fr", "parties mises de côté (40 nœuds par coup)")],
)
def test_the_table_compares_what_was_expected(lang: str, sentence: str) -> None:
    code, out, err = run(*FEW, "--lang", lang)
    assert (code, err) == (0, "")
    assert sentence in out
    assert all(len(line) <= 110 for line in out.splitlines())


@pytest.mark.parametrize("folder", [(), ("--resume", "kept")])
def test_it_can_be_interrupted(
    folder: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(Calibrating, "run", stop)
        code, out, err = run(*FEW, *folder)
    assert (code, out) == (130, "")
    assert ("What was done is in kept" in err) == bool(folder)


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("--games", "1"), "bad_usage"),
        (("--nodes", "none"), "bad_usage"),
        (("--output", "/no/such/folder/w.json"), "cannot_write"),
    ],
)
def test_invalid_options_are_refused(args: tuple[str, ...], code: str) -> None:
    assert refusal("lab", "calibrate", "ard-ri-globe", *args)["code"] == code


CONVERSION = (
    *("lab", "conversion", "brandub-globe", "--positions", "4"),
    *("--nodes", "500", "--play-nodes", "300", "--judge", "2000"),
)


def test_won_positions_are_converted() -> None:
    found, again = (answer(*CONVERSION) for _ in range(2))
    assert found == again
    played = found.pop("positions")
    assert {one["winner"] for one in played} == {"attackers", "defenders"}
    assert found.pop("complete")
    assert found == {name: sum(one["result"] == name for one in played) for name in found}
    for one in played:
        game = Game(variant("brandub-globe").rules, Setup(one["position"]))
        for move in one["moves"].split():
            game = game.play(move)
        winner = game.outcome.winner if game.outcome is not None else None
        assert (one["result"] == "won") == (winner is not None and winner.value == one["winner"])
        assert game.ply_count == one["plies"] == len(one["scores"])


def test_an_odd_number_of_positions_has_one_more_of_the_attackers(monkeypatch: pytest.MonkeyPatch) -> None:
    def won(game: Game, weaker: Side, _: conversion.ConversionPlan):  # type: ignore[no-untyped-def]
        return game, weaker.opponent, conversion.best_line(game, Searcher(), 10)

    monkeypatch.setattr(conversion, "_first_won", won)
    plan = conversion.ConversionPlan(positions=3, nodes=10)
    found = sorted(one.winner for one in conversion.conversions(variant("brandub-globe"), plan))
    assert found == ["attackers", "attackers", "defenders"]


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = ("--resume", str(tmp_path / "kept"))
    plain, begun = conversion.best_move, list[Game]()

    def interrupted(game: Game, *arguments):  # type: ignore[no-untyped-def]
        begun.extend([game] if game.ply_count == 0 else [])
        if len(begun) > 1:
            raise KeyboardInterrupt
        return plain(game, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(conversion, "best_move", interrupted)
        code, out, err = run(*CONVERSION, *kept)
    rows = [line.split() for line in out.splitlines()[2:]]
    assert (code, sum(int(row[2]) for row in rows), "kept" in err) == (130, 1, True)
    assert [row[:2] for row in rows] == [["brandub-globe", side.value] for side in Side]
    assert answer(*CONVERSION, *kept) == answer(*CONVERSION)
    assert refusal(*CONVERSION, *kept, "--seed", "2")["code"] == "other_experiment"


def test_prover_plays_a_proven_win() -> None:
    one = variant("copenhagen-11")
    # The ring around the king is closed in three plies, which a search of 5,000 positions overlooks.
    enclosure = "2t4Kt2/1t1t1tt2t1/ttttt2tttt/11/11/11/11/2t8/10t/1t7t1/8t2 a 39"
    game = Game(one.rules, Setup(enclosure))
    move, score = conversion.best_move(game, Searcher(table_mib=1), 5_000, 500)
    assert (str(move), score) == ("c11-g11", 31_997)
    line = conversion.best_line(game, Searcher(table_mib=1), 10)
    assert not conversion.has_chances(game, line, Side.DEFENDERS, 0.5)
    assert conversion.has_chances(game, line, Side.ATTACKERS, 0.5)


LENGTHS = ("lab", "lengths", "--games", "2", "--nodes", "20")
GAMES = Path(__file__).parent / "records" / "brandub-globe.tafl"


def test_numbers_of_tables_have_the_decimal_mark_of_the_language() -> None:
    for lang, mark in (("en", "."), ("fr", ",")):
        line = run("lab", "lengths", "brandub-globe", "--games", "1", "--nodes", "5", "--lang", lang)[
            1
        ].splitlines()[-1]
        assert f"33{mark}7" in line.split()
        nearest = run("variants", "--like", "brandub-globe", "--lang", lang)[1]
        assert f"4{mark}0" in nearest.splitlines()[2].split()


def test_the_engine_gives_the_same_lengths_again() -> None:
    first, again = (answer(*LENGTHS, "ard-ri-globe") for _ in range(2))
    assert first == again
    (row,) = first["variants"]
    assert (first["complete"], row["variant"], row["by"], row["games"]) == (True, "ard-ri-globe", "engine", 2)
    assert 1 < row["choices"] < 100
    assert row["minutes"] % 5 == 0


def test_twenty_recorded_games_with_a_result_stand_for_a_variant(tmp_path: Path) -> None:
    games = [one for one in load_records(GAMES).records if one.result != "*" and len(one.nodes) >= 8]
    path = tmp_path / "games.tafl"
    for count, by in ((20, "people"), (19, "engine")):
        path.write_text(format_records((games * 20)[:count]), "utf-8")
        (row,) = answer(*LENGTHS, "brandub-globe", "--recorded", str(path))["variants"]
        assert (row["by"], row["games"]) == (by, 20 if by == "people" else 2)


def test_the_file_keeps_other_variants_and_recorded_games(tmp_path: Path) -> None:
    path = tmp_path / "lengths.json"
    people = {"plies": 41, "games": 25, "by": "people", "choices": 1.0}
    path.write_text(json.dumps({"variants": {"ard-ri-globe": people, "skalk-11": people}}))
    run(*LENGTHS, "ard-ri-globe", "brandub-globe", "--output", str(path))
    found = json.loads(path.read_text("utf-8"))
    assert list(found["variants"]) == ["ard-ri-globe", "brandub-globe", "skalk-11"]
    assert found["variants"]["skalk-11"] == people
    assert {**found["variants"]["ard-ri-globe"], "choices": 1.0} == people
    assert found["variants"]["ard-ri-globe"]["choices"] > 1


@pytest.mark.parametrize("content", ["[1, 2]", '{"variants": 3}', '{"variants": {"ard-ri-globe": [1]}}'])
def test_another_file_is_not_replaced(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.json"
    path.write_text(content)
    found = refusal(*LENGTHS, "ard-ri-globe", "--output", str(path))
    assert (found["code"], path.read_text("utf-8")) == ("would_be_lost", content)


PAGE = (Path(__file__).parents[1] / "docs/measurements/levels.md").read_text(encoding="utf-8")
TWO = ("brandub-globe", "ard-ri-globe")


def test_levels_are_measured_with_both_sides_and_written_down(tmp_path: Path) -> None:
    kept, page = tmp_path / "kept", tmp_path / "levels.md"
    settings = ("--resume", str(kept), "--games", "4", "--top-nodes", "500")
    code, out, err = run("lab", "levels", *TWO, *settings, "--only", "1-2,3-1")
    assert (code, err) == (0, "")
    assert [line.split()[:5] for line in out.splitlines()[2:]] == [
        [higher, "v", "1", rules, "4"] for higher in "23" for rules in TWO
    ]
    run("lab", "levels", "ard-ri-globe", *settings, "--slow-games", "2", "--only", "1-10")
    assert sorted(path.name for path in kept.iterdir()) == [
        "ard-ri-globe-10-1",
        "ard-ri-globe-2-1",
        "ard-ri-globe-3-1",
        "brandub-globe-2-1",
        "brandub-globe-3-1",
    ]
    manifest = json.loads((kept / "ard-ri-globe-10-1" / "manifest.json").read_text())
    assert manifest["players"][0] | {"nodes": 500, "time_ms": 0} == manifest["players"][0]
    assert manifest["both_sides"]
    page.write_text(PAGE, "utf-8")
    _, out, _ = run("lab", "levels", "--resume", str(kept), "--games", "0", "--document", str(page))
    assert f"- core: {manifest['made_by']['core']}" in out
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# The levels, measured\n\n18 games. Each opening")
    written, before = (
        [line for line in one.splitlines()[3:] if not line.startswith("|")] for one in (text, PAGE)
    )
    assert written == before
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| 2 v 1 | brandub-globe |")]
    assert len(rows) == 1
    assert int(rows[0][2]) == 4 == sum(map(int, rows[0][3:6]))
    run("lab", "levels", "brandub-globe", *settings, "--only", "1-2")
    assert len((kept / "brandub-globe-2-1" / "games.jsonl").read_text().splitlines()) == 4


@pytest.mark.deep
def test_the_beginner_plays_all_its_games(tmp_path: Path) -> None:
    kept, page = tmp_path / "kept", tmp_path / "levels.md"
    page.write_text(PAGE, "utf-8")
    line = ("lab", "levels", "brandub-globe", "hist-brandubh-7", "--only", "beginner", "--games", "4")
    run(*line, "--resume", str(kept), "--document", str(page))
    assert len(list(kept.iterdir())) == 6
    text = page.read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| brandub-globe | ")]
    assert rows[0][1].startswith("× ")
    assert int(rows[0][2].partition(" ")[0]) >= 80
    assert "| 1 v beginner | hist-brandubh-7 | 4 |" in text


def test_all_levels_one_and_two_apart_play() -> None:
    matches = select_matches()
    assert len(matches) == len(set(matches)) == (9 + 8) * len(booklet_ids()) + 3 * 9 + 5 * 4
    assert [match.higher for match in matches] == sorted(match.higher for match in matches)
    assert select_matches("4-3", ["tablut-kouvia"]) == [("tablut-kouvia", 4, 3)]
    beginners = select_matches("beginner", ["brandub-globe"], 10)
    assert [match.higher for match in beginners] == list(range(1, 11))
    for wrong in ("chess", "3", "0-1", "9-11", "4-4", "3-4-5"):
        found = refusal("lab", "levels", "--only", wrong)
        assert (found["code"], wrong in found["message"]) == ("bad_usage", True)
    assert refusal("lab", "levels", "--document", "missing.md")["code"] == "bad_usage"
    found = refusal("lab", "levels", "--resume", "kept", "--document", "missing.md")
    assert found["code"] == "cannot_read"


def test_a_match_ends_when_it_is_decided(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    line = ("lab", "levels", "brandub-globe", "--only", "1-10", "--games", "60", "--slow-games", "60")
    first, again = (answer(*line, "--top-nodes", "3000", "--resume", str(kept)) for _ in range(2))
    assert first == again
    assert 16 <= first["matches"][0]["first"]["games"] < 40


def test_an_interruption_keeps_the_matches_of_rules_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(format_variant(variant("brandub-globe")).replace('id = "brandub-globe"', 'id = "mine"'))

    def interrupted(experiment, *arguments):  # type: ignore[no-untyped-def]
        results, _ = run_games(experiment, *arguments)
        return results, str(experiment.first) == "level:1"

    monkeypatch.setattr("hnefi.cli.lab.levels.run_games", interrupted)
    line = ("lab", "levels", str(mine), "--only", "beginner", "--games", "2", "--resume", str(tmp_path))
    code, out, err = run(*line)
    assert (code, str(tmp_path) in err) == (130, True)
    assert [line.split()[:4] for line in out.splitlines()[2:]] == [
        [str(level), "v", "beginner", "mine"] for level in (1, 2)
    ]


PROVER = ("lab", "prover", "--games", "3", "--play-nodes", "100", "--nodes", "1000", "--large-nodes", "2000")


def test_every_game_is_proved_disproved_or_unclear() -> None:
    found = answer(*PROVER, "ard-ri-globe", "brandub-globe")
    assert found["complete"]
    assert [one["variant"] for one in found["variants"]] == ["ard-ri-globe", "brandub-globe"]
    for one in found["variants"]:
        assert one["proven"] + one["disproven"] + one["unknown"] + one["short"] == 3
        assert one["quick"] == len(one["efforts"]) <= one["proven"]
        assert sum(one["efforts"]) <= one["expanded"] <= 3 * 1000


def test_wins_nearer_to_the_end_are_easier() -> None:
    near, far = (answer(*PROVER, "ard-ri-globe", "--back", back)["variants"][0] for back in "19")
    assert near["proven"] == 3
    assert near["expanded"] < far["expanded"]


SAMPLE = ("lab", "sample", "--games", "1", "--nodes", "1000")


def test_an_annotated_game_of_rules_of_ones_own_is_written(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    text = format_variant(variant("brandub-walker-7"))
    mine.write_text(text.replace('id = "brandub-walker-7"', 'id = "mine"'), "utf-8")
    (found,) = answer(*SAMPLE, str(mine), "-o", str(tmp_path / "games"))["variants"]
    assert (found["variant"], found["games"], found["levels"]) == ("mine", 1, [7, 6])
    (record,) = load_records(found["file"]).records
    assert record.replay(lambda _: load_variant(mine)).faults == ()
    assert record.header("Annotator") == "Hnefi nodes:1000"
    assert sum(bool(node.variations) for node in record.nodes) == found["mistakes"] > 0
    assert len([node for node in record.nodes if node.move]) == found["plies"]


def test_only_sample_games_are_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = (*SAMPLE, "ard-ri-globe")
    assert run(*line) == run(*line)
    path = tmp_path / "ard-ri-globe.tafl"
    path.write_text('[Variant "ard-ri-globe"]\n\n1. c5-b5 *\n', "utf-8")
    assert refusal(*line)["code"] == "other_games"
    assert path.read_text("utf-8").endswith("1. c5-b5 *\n")


def test_a_variant_without_a_game_that_counts_has_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample, "LEAST_CAPTURES", 40)
    code, out, _ = run(*SAMPLE, "ard-ri-globe", "-o", str(tmp_path))
    assert (code, out.splitlines()[-1].split()) == (1, ["ard-ri-globe", "0", *"–––––––"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "module", "name"),
    [(LENGTHS, lengths, "play_on"), (PROVER, prover, "decided_games"), (SAMPLE, sample, "play_sample")],
)
def test_an_interruption_keeps_the_variants_that_are_done(
    line: tuple[str, ...], module: ModuleType, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, last = getattr(module, name), variant("brandub-globe").rules.hash

    def interrupted(one, *arguments):  # type: ignore[no-untyped-def]
        if one.rules.hash == last:
            raise KeyboardInterrupt
        return plain(one, *arguments)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, name, interrupted)
    code, out, err = run(*line, "ard-ri-globe", "brandub-globe")
    assert (code, "ard-ri-globe" in out, "brandub-globe" in out, bool(err)) == (130, True, False, True)
    assert [path.name for path in tmp_path.iterdir()] == ["ard-ri-globe.tafl"] * (module is sample)
