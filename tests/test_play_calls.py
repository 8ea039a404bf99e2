"""Calls in `hnefi play`: made by the program or typed, forgotten, wrong, in both languages."""

from pathlib import Path

import pytest

from hnefi.record import load_records
from tests.cli_runs import play
from tests.test_play import EXITS, moves_of

pytestmark = pytest.mark.usefixtures("plain_play")


def test_the_program_announces_roads_in_the_words_of_the_text() -> None:
    out = play("gwezboell-globe", "--position", EXITS, lines="c5-a5")
    assert "Tuichi! Two roads: only one can be shut." in out
    assert "2 open roads for the king: a1, a9." in out
    french = play("gwezboell-globe", "--position", EXITS, "--lang", "fr", lines="c5-a5;g1-a1")
    assert "Tuichi ! Deux routes : on n’en ferme qu’une." in french
    brandub = play("brandub-globe", "--position", "7/7/7/3K3/7/7/t6 d", "--lang", "fr", lines="d4-a4")
    assert "Une sortie ! Une route est ouverte." in brandub
    assert "1 route ouverte pour le roi : a7." in brandub


def test_threats_to_the_king_are_announced_if_the_variant_has_them() -> None:
    position = "9/9/2t6/1tK6/2t6/9/9/5t3/9 a"
    assert "Watch your king!" in play("tablut-geoludie", "--position", position, lines="f2-f6")
    french = play("tablut-geoludie", "--position", position, "--lang", "fr", lines="f2-f6")
    assert "Gare au roi !" in french
    assert "Le roi est en danger." in french
    assert "Watch" not in play("tablut-geoludie", "--position", position, "--calls", "off", lines="f2-f6")
    by_hand = play("tablut-geoludie", "--position", position, "--calls", "manual", lines="f2-f6 gare au roi")
    assert "Watch your king!" in by_hand
    assert "in danger" not in by_hand


def test_a_forgotten_call_is_punished_and_the_record_shows_it(tmp_path: Path) -> None:
    path = tmp_path / "game.tafl"
    args = ("gwezboell-globe", "--calls", "manual", "--position", EXITS, "-o", str(path))
    out = play(*args, lines="c5-a5;g1-g2;a5-a9;g1-b1;a5-a9;")
    assert "Neither “raichi” nor “tuichi” was called: the escape does not count. The attackers replay." in out
    assert "The piece on g1 must be replayed." in out
    assert "open" not in out.replace(str(tmp_path), "")
    assert "The king has escaped. The king’s side wins." in out
    assert moves_of(path) == "1. c5-a5 2. g1-g2 taken_back 3. a5-a9 refused 2. g1-b1 3. a5-a9 defenders"
    assert load_records(path).records[0].replay().ok


def test_a_wrong_number_is_punished_where_it_counts_as_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "game.tafl"
    position = "7/7/2K4/7/7/7/3t3 d"
    args = ("brandub-globe", "--calls", "manual", "--position", position, "-o", str(path))
    out = play(*args, lines="c5-a5 one exit;d1-d2;a5-a7;d1-b1;a5-a7;")
    assert "“two exits” was not called: the escape does not count. The attackers replay." in out
    assert moves_of(path).startswith("1. c5-a5!1 2. d1-d2 taken_back 3. a5-a7 refused 2. d1-b1")
    assert load_records(path).records[0].replay().ok
    lenient = play(*args[:-2], "--switch", "wrong_number=call", lines="c5-a5 one exit;d1-d2;a5-a7")
    assert "The king’s side wins." in lenient
    one_road = play(*args[:-3], "t6/7/2K4/7/7/7/3t3 d", lines="c5-a5 two exits;d1-d2;a5-a1")
    assert "“one exit” was not called" in one_road


@pytest.mark.parametrize("call", [" tuichi", "!2", " !2", "!", " deux", " TUICHI!", " raichi"])
def test_calls_are_typed_behind_the_move(call: str, tmp_path: Path) -> None:
    path = tmp_path / "game.tafl"
    args = ("gwezboell-globe", "--calls", "manual", "--position", EXITS, "-o", str(path))
    out = play(*args, lines=f"c5-a5{call};g1-g2;a5-a9;")
    if call in ("!", " deux"):
        assert ("is not a move" in out) == (call == " deux")
    else:
        assert "The king has escaped. The king’s side wins." in out
        assert moves_of(path).startswith(f"1. c5-a5!{1 if 'raichi' in call else 2} 2. g1-g2 3. a5-a9")
    assert load_records(path).records[0].replay().ok


def test_brandub_calls_have_their_names() -> None:
    args = ("brandub-globe", "--calls", "manual", "--position", "7/7/7/3K3/7/7/4t2 d")
    for call in ("two exits", "deux sorties"):
        assert "Two exits!" in play(*args, lines=f"d4-a4 {call}")
    assert "Deux sorties !" in play(*args, "--lang", "fr", lines="d4-a4 two exits")


def test_invalid_calls_are_refused() -> None:
    args = ("gwezboell-globe", "--calls", "manual", "--position", EXITS)
    out = play(*args, lines="c5-d5 raichi;raichi;c5-d5 gare;c5-a5;g1-g2 tuichi")
    assert "There is nothing to call after this move" in out
    assert "A call belongs to a move" in out
    assert "Only the king’s side calls open roads." in out
    off = play(
        "gwezboell-globe", "--calls", "off", "--position", EXITS, lines="c5-a5 tuichi;c5-a5;g1-g2;a5-a9"
    )
    assert "There are no calls in this game" in off
    assert "The king has escaped." in off
    auto = play("gwezboell-globe", "--position", EXITS, lines="c5-a5 raichi")
    assert "Tuichi!" in auto


@pytest.mark.parametrize(
    ("calls", "typed", "recorded"),
    [("auto", "", "!2"), ("manual", " tuichi", "!2"), ("manual", "", ""), ("off", "", "")],
)
def test_tuichi_is_reported_once_when_it_wins(tmp_path: Path, calls: str, typed: str, recorded: str) -> None:
    path = tmp_path / "game.tafl"
    args = ("tablut-kouvia", "--calls", calls, "--position", EXITS, "-o", str(path))
    out = play(*args, lines=f"c5-a5{typed};")
    assert "Tuichi! Two roads are open, and only one can be shut. The king’s side wins." in out
    assert out.count("Tuichi!") == 1
    assert moves_of(path) == f"1. c5-a5{recorded} defenders"
    assert load_records(path).records[0].replay().ok
    french = play(*args[:-2], "--lang", "fr", lines=f"c5-a5{typed};")
    assert "Tuichi ! Deux routes sont ouvertes, on n’en ferme qu’une. Le camp du roi gagne." in french


@pytest.mark.parametrize(
    ("variant_id", "one", "two", "danger"),
    [
        ("tablut-geoludie", "raichi", "tuichi", "gare au roi"),
        ("gwezboell-globe", "raichi", "tuichi", None),
        ("brandub-globe", "une sortie", "deux sorties", None),
    ],
)
def test_the_help_lists_the_calls_of_the_variant(
    variant_id: str, one: str, two: str, danger: str | None
) -> None:
    out = play(variant_id, "--calls", "manual", "--lang", "fr", lines="?")
    assert f"`c5-a5 {one}` ou `c5-a5 !1`" in out
    assert f"`c5-a5 {two}` ou `c5-a5 !2`" in out
    assert ("Les attaquants annoncent aussi" in out) == (danger is not None)
    assert danger is None or f"`f2-f6 {danger}`" in out


def test_a_refusal_can_be_taken_back() -> None:
    args = ("gwezboell-globe", "--calls", "manual", "--position", EXITS)
    out = play(*args, lines="c5-a5;g1-g2;a5-a9;undo;a5-b5")
    assert "Defenders: a5-b5" in out
