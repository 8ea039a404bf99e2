"""Training: self-play, steered openings, networks in the engine, and the report with its pictures."""

import base64
import json
import math
import random
import re
import struct
import warnings
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from hnefi import variant
from hnefi._core import (
    Game,
    Rules,
    Searcher,
    derived_weights,
    evaluate,
    evaluation_term_names,
    random_game,
    self_play,
    steered_opening,
    train_network,
)
from hnefi.lab.openings import Openings
from hnefi.lab.players import parse_player
from hnefi.train.charts import Bar, Line, Point, intervals_chart, lines_chart, reliability_chart, ticks
from hnefi.train.positions import Positions, SelfPlaySettings
from hnefi.train.report import html_report

LOSSES = {"positions": 900, "nothing": 0.61, "score": 0.49, "learned": 0.4711, "quantised": 0.4713}


def match(verdict: bool | None, **limit: int) -> dict[str, Any]:
    """Returns the facts of a match that every game of was won, or half of them."""
    elo, bounds = (None, [35.0, None]) if verdict else (-3.0, [-20.0, 14.0])
    first = {"wins": 30, "draws": 2, "losses": 11, "elo": elo, "elo_bounds": bounds}
    return {**limit, "first": first, "sprt": {"accepted": verdict}}


def report(*verdicts: bool | None) -> dict[str, Any]:
    """Returns a report of a generation, with a network for each verdict."""
    candidates = [
        {
            "kind": "network",
            "result_share": 0.35,
            "samples": 61_234,
            "curve": [0.6, 0.55, 0.54],
            "held_out_curve": [0.5, 0.48, 0.47],
            "attackers": LOSSES,
            "defenders": LOSSES,
            "matches": [match(True, nodes=5000), match(verdict, time_ms=50)],
            "accepted": verdict is True,
        }
        for verdict in verdicts
    ]
    held_out = [{"score": 30 * n, "expected": 0.2 * n, "observed": 0.18 * n, "games": 20.0} for n in range(5)]
    calibration = {
        "scale": 90.0,
        "offset": 0.0,
        "margin": 10.0,
        "calibration": {"games": 400, "held_out": held_out},
    }
    facts = {"generation": 1, "positions": 61_234, "seconds": {"playing": 700, "matches": 9_000}}
    facts |= {"candidates": candidates, **({"calibration": calibration} if True in verdicts else {})}
    return {"nodes": 1000, "seed": 1, "command": "hnefi lab train <b>", "generations": [facts]}


def pictures(page: str) -> list[ET.Element]:
    """Returns the pictures of a page."""
    return [ET.fromstring(one) for one in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "Training for|61,234 positions|0.4711|undecided|won all its matches|12 min|2.5"),
        ("fr", "Entraînement pour|61 234 positions|0,4711|indécis|a gagné tous ses matchs|2,5"),
    ],
)
def test_the_page_has_pictures_and_words(lang: str, words: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page = html_report(report(True, None), variant("brandub-globe"), lang)
    plain = page.replace("\u202f", " ").replace("\u00a0", " ")
    assert [word for word in words.split("|") if word not in plain] == []
    assert f'<html lang="{lang}">' in page
    assert "hnefi lab train &lt;b&gt;" in page
    assert "http" not in page  # no other file is needed
    # The matches, the losses of both candidates, the calibration.
    assert len(pictures(page)) == 4
    for picture in pictures(page):
        assert picture.get("aria-label")


def test_a_page_without_a_winner_has_no_calibration() -> None:
    page = html_report(report(False), variant("brandub-globe"), "en")
    assert len(pictures(page)) == 2
    assert "No candidate has won all its matches" in page


def test_pictures_keep_their_content_inside() -> None:
    def text(value: float) -> str:
        return f"{value:g}"

    drawn = [
        lines_chart([Line("a", [0.5], "first")], {"b": 0.5}, "c", "d", text),
        intervals_chart(
            [Bar("a", None, None, None, "open", "b"), Bar("c", 900, 400, None, "won", "d")], "e", "f", text
        ),
        reliability_chart([Point(0.0, 0.0, 0.3, "a"), Point(1.0, 1.0, 0.3, "b")], "c", ("d", "e"), text),
    ]
    for one in drawn:
        picture = ET.fromstring(one)
        _, _, width, height = map(float, str(picture.get("viewBox")).split())
        for part in picture:
            for names, most in ((("x", "x1", "x2", "cx"), width), (("y", "y1", "y2", "cy"), height)):
                assert all(0 <= float(part.get(name, "0")) <= most for name in names)


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-0.3, 12), (0.471, 0.4712), (-900, 1_000)])
def test_ticks_are_few_and_within_bounds(low: float, high: float) -> None:
    found = ticks(low, high)
    assert 2 <= len(found) <= 7
    assert all(low <= tick <= high for tick in found)


RULES = variant("magpie-7").rules
AIMING = 8
GAMES_A_FILE = 16


def test_the_first_files_move_the_aim_and_later_ones_keep_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hnefi.train.positions.GAMES_A_FILE", GAMES_A_FILE)
    start = SelfPlaySettings(RULES.to_json(), 1, 5, None, even_score=-500, steered=True)
    positions = Positions(tmp_path, RULES)
    wanted = 1
    while len(list(tmp_path.iterdir())) < AIMING + 1:
        positions.play(wanted, start)
        wanted = positions.count(10**9) + 1
    aims = [positions.aim(number * GAMES_A_FILE, start).even_score for number in range(AIMING + 4)]
    assert aims[0] == -500
    # From there the defenders win nearly always, and the aim rises.
    assert aims[0] < aims[1] < aims[2]
    assert len({*aims[AIMING:]}) == 1
    assert min(aims[AIMING - 4 : AIMING]) <= aims[AIMING] <= max(aims[AIMING - 3 : AIMING + 1])
    # A file depends on those before it and on its number alone.
    third = tmp_path / f"{2 * GAMES_A_FILE:08}.bin"
    assert positions.aim(2 * GAMES_A_FILE, start).play(2 * GAMES_A_FILE) == third.read_bytes()
    assert positions.aim(GAMES_A_FILE, SelfPlaySettings(RULES.to_json(), 1, 5, None)).even_score == 0


def test_openings_of_matches_may_be_steered() -> None:
    def drawn(aim: int | None) -> list[tuple[str, ...]]:
        openings = Openings(seed=3, aim=aim).draw(RULES)
        return [tuple(map(str, moves)) for _, moves in zip(range(3), openings, strict=False)]

    assert len({*drawn(-100), *drawn(100), *drawn(None)}) == 9
    assert drawn(100) == drawn(100)
    assert all(len(moves) >= 6 for moves in drawn(100))


BRANDUB = variant("brandub-globe").rules
SAMPLE_BYTES = 32


@pytest.fixture(scope="module")
def samples() -> bytes:
    """Returns the positions of a thousand shallow games."""
    return self_play(BRANDUB, first=0, count=1200, nodes=1, threads=2)


def weights_with(network: str, rules: Rules = BRANDUB) -> str:
    """Returns the default weights with a network."""
    return json.dumps({**json.loads(derived_weights(rules)), "network": network})


def test_games_depend_on_numbers_and_seed_not_on_threads() -> None:
    def play(first: int, count: int, seed: int = 1, threads: int = 1) -> bytes:
        return self_play(BRANDUB, first=first, count=count, nodes=200, seed=seed, threads=threads)

    together = play(0, 12, threads=3)
    assert together == play(0, 5) + play(5, 7)
    assert len(together) % SAMPLE_BYTES == 0
    assert together != play(0, 12, seed=2)


def test_samples_are_quiet_positions_with_one_king_and_both_results(samples: bytes) -> None:
    results, turns, games = set(), set(), set()
    for start in range(0, len(samples), 3 * SAMPLE_BYTES):
        board = int.from_bytes(samples[start : start + 25], "little")
        pieces = [board >> 4 * number & 15 for number in range(49)]
        assert pieces.count(3) == 1
        assert 1 <= pieces.count(1) <= 8
        assert pieces.count(2) <= 4
        flags = samples[start + 25]
        turns.add(flags & 1)
        results.add(flags >> 1)
        games.add(int.from_bytes(samples[start + 28 : start + 32], "little"))
    assert turns == {0, 1}
    assert results >= {0, 2}
    assert len(games) > 500


@pytest.mark.parametrize(
    "layout", [{}, {"buckets": False, "width": 64}, {"buckets": False, "terms": True, "draws": False}]
)
def test_a_trained_network_knows_more_than_nothing_and_loses_little_in_integers(
    samples: bytes, layout: dict[str, Any]
) -> None:
    trained = train_network(BRANDUB, samples, epochs=4, facts='{"seed": 1}', **layout)
    assert trained is not None
    assert trained["curve"][-1] < trained["curve"][0]
    for side in ("attackers", "defenders"):
        losses = trained[side]
        assert losses["learned"] < losses["nothing"] - 0.01
        assert math.isclose(losses["quantised"], losses["learned"], abs_tol=0.01)
    assert train_network(BRANDUB, samples, epochs=4, facts='{"seed": 1}', **layout) == trained
    assert train_network(BRANDUB, samples, epochs=4, seed=2, **layout) != trained
    file = base64.b64decode(trained["network"])
    buckets, blocks = 10 if layout.get("buckets", True) else 1, layout.get("width", 32) // 32
    terms = len(evaluation_term_names()) if layout.get("terms") else 0
    assert file.startswith(b"hnefinet" + bytes((3, 7, 10, buckets, 2, blocks, terms)))
    assert file.endswith(b'{"seed": 1}')


def test_steered_openings_end_near_the_score_aimed_at() -> None:
    rules = variant("copenhagen-11").rules
    means = []
    for aim in (-300, 600):
        found = [steered_opening(rules, seed=seed, aim=aim) for seed in range(12)]
        openings = [moves for moves in found if moves is not None]
        assert len(openings) > 8
        assert len({str(moves) for moves in openings}) == len(openings)
        assert all(6 <= len(moves) <= 70 for moves in openings)
        games = [Game.replay(rules, None, moves) for moves in openings]
        assert all(game.outcome is None for game in games)
        scores = [Searcher(1).analyse(game, nodes=512).lines[0].score for game in games]
        means.append(sum(scores) / len(scores))
        assert abs(means[-1] - aim) < 250
    assert steered_opening(rules, seed=3, aim=600) == steered_opening(rules, seed=3, aim=600)


def test_steered_games_record_positions_beside_them_without_a_result() -> None:
    copenhagen = variant("copenhagen-11").rules
    played = self_play(copenhagen, first=0, count=6, nodes=100, even_score=300, steered=True)
    results = [played[at + 61] >> 1 & 3 for at in range(0, len(played), 68)]
    beside = results.count(3)
    assert 0.1 < beside / len(results) < 0.5
    trained = train_network(copenhagen, played * 20, epochs=1, buckets=False, terms=True)
    assert trained is None or trained["samples"] > 0


def test_too_few_samples_give_no_network(samples: bytes) -> None:
    assert train_network(BRANDUB, samples[: 50 * SAMPLE_BYTES]) is None


def random_network(size: int, layout: str, *, has_ranks: bool = False, seed: int = 1) -> str:
    """Returns a network of random weights for a board with all symmetries, in Base64."""
    buckets, terms = layout == "buckets", len(evaluation_term_names()) if layout == "terms" else 0
    rng, half = random.Random(seed), (size + 1) // 2
    classes = half * (half + 1) // 2
    used = classes if buckets else 1
    kinds, width = 4 if has_ranks else 2, 96 if layout == "wide" else 32
    file = b"hnefinet" + bytes((3, size, classes, used, kinds, width // 32, terms)) + struct.pack("<i", 190)

    def numbers(count: int, most: int) -> bytes:
        return struct.pack(f"<{count}h", *(rng.randint(-most, most) for _ in range(count)))

    file += numbers(classes * width, 300) + rng.randbytes(used * kinds * size * size * width)
    for _ in range(2):
        file += numbers(width, 200) + struct.pack("<i", rng.randint(-9000, 9000))
    if terms:
        file += numbers(terms * width, 300) + struct.pack(
            f"<{terms * 2}i", *(rng.randint(-900, 900) for _ in range(terms * 2))
        )
    return base64.b64encode(file + struct.pack("<I", 2) + b"{}").decode()


@pytest.mark.parametrize("layout", ["plain", "wide", "buckets", "terms"])
@pytest.mark.parametrize(
    "name", ["brandub-globe", "copenhagen-11", "berserk-11", "parlett-13", "alea-evangelii-19"]
)
def test_games_with_a_random_network_on_boards_of_every_width(name: str, layout: str) -> None:
    rules = variant(name).rules
    network = random_network(rules.size, layout, has_ranks=name == "berserk-11")
    weights = weights_with(network, rules)
    assert len({evaluate(random_game(rules, seed, 8), weights) for seed in range(20)}) > 10
    searcher = Searcher(4)
    for seed in range(3):
        game = random_game(rules, seed, 10)
        while game.turn is not None and game.ply_count < 40:
            report = searcher.analyse(game, nodes=600, weights=weights)
            assert report.lines[0].moves[0] in game.legal_moves()
            game = game.play(report.lines[0].moves[0])


def test_a_network_tells_commanders_and_knights_from_soldiers() -> None:
    rules = variant("berserk-11").rules
    weights = weights_with(random_network(11, "terms", has_ranks=True), rules)
    start = Game(rules).position
    scores = {
        evaluate(Game(rules, str(start).replace(*change, 1)), weights)
        for change in (("c", "c"), ("c", "t"), ("N", "T"))
    }
    assert len(scores) == 3
    with pytest.raises(ValueError, match="2 kinds of soldiers, expected 4"):
        evaluate(Game(rules), weights_with(random_network(11, "terms"), rules))


def test_samples_keep_commanders_and_knights() -> None:
    berserk = variant("berserk-11").rules
    played = self_play(berserk, first=0, count=16, nodes=50)
    board = int.from_bytes(played[:61], "little")
    pieces = [board >> 4 * number & 15 for number in range(121)]
    assert [pieces.count(one) for one in (3, 4, 7)] == [1, 4, 1]  # king, commanders, knight
    assert train_network(berserk, played, epochs=1, buckets=False) is not None
    # For rules without ranks, they are positions of other rules.
    assert train_network(variant("copenhagen-11").rules, played, epochs=1, buckets=False) is None


def test_a_bad_network_is_refused(samples: bytes) -> None:
    trained = train_network(BRANDUB, samples, epochs=1)
    assert trained is not None
    for network in ("", "AAAA", "no base64", trained["network"][:-4]):
        with pytest.raises(ValueError, match="network"):
            evaluate(Game(BRANDUB), weights_with(network))
    copenhagen = variant("copenhagen-11").rules
    with pytest.raises(ValueError, match="7 squares"):
        evaluate(Game(copenhagen), weights_with(trained["network"], copenhagen))


def test_weights_by_the_clock_are_a_player(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(derived_weights(BRANDUB), encoding="utf-8")
    timed, counted = parse_player(f"weights:{path}:20ms"), parse_player(f"weights:{path}:20")
    assert (timed.amount, timed.is_timed, timed.is_repeatable) == (20, True, False)
    assert (counted.amount, counted.is_timed, counted.is_repeatable) == (20, False, True)
    assert str(timed) != str(counted)
    player = timed.create()
    player.begin(1)
    assert player.choose(Game(BRANDUB)).move in Game(BRANDUB).legal_moves()
