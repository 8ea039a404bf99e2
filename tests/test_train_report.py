"""Tests of the report of a training: a page with its pictures, in every language."""

import re
import warnings
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from hnefi import variant
from hnefi.train.charts import Bar, Line, Mark, Point, intervals_chart, lines_chart, reliability_chart, ticks
from hnefi.train.report import html_report

BRANDUB = variant("brandub-globe")
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
        page = html_report(report(True, None), BRANDUB, lang)
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
    page = html_report(report(False), BRANDUB, "en")
    assert len(pictures(page)) == 2
    assert "No candidate has won all its matches" in page


def test_pictures_keep_their_content_inside() -> None:
    def text(value: float) -> str:
        return f"{value:g}"

    drawn = [
        lines_chart([Line("a", [0.5], "first")], [Mark("b", 0.5)], "c", "d", text),
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
