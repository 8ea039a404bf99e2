"""`hnefi play` with scripted input: moves, commands, matches, both languages."""

import re
from pathlib import Path

import pytest

from hnefi import format_move, variant, variant_ids, words
from hnefi.cli.play.line_input import ACTIONS, action_words
from hnefi.lessons import lessons
from hnefi.record import load_records
from tests.cli_runs import complaint, play, run, run_installed
from tests.samples import sampled

EXITS = "9/9/9/9/2K6/9/9/9/6t2 d"


pytestmark = pytest.mark.usefixtures("plain_play")


def moves_of(path: str | Path) -> str:
    """The movetext of the last game of a file."""
    reading = load_records(path)
    assert not reading.faults
    return " ".join(str(reading.records[-1]).split("\n\n")[-1].split())


def test_a_game_is_played_to_its_end() -> None:
    out = play(
        "brandub-globe", "-o", "game.tafl", "--position", "7/7/7/3K3/7/2t4/7 d", lines="d4-a4;c2-c3;a4-a7;"
    )
    assert "The king has escaped. The king’s side wins." in out
    assert "Game saved to game.tafl." in out
    record = load_records("game.tafl").records[0]
    assert (record.result, record.header("Reason")) == ("defenders", "corner")
    assert record.replay().ok


def test_the_board_is_shown_with_coordinates_and_the_last_move() -> None:
    out = play("brandub-globe", lines="d2-c2")
    assert "    a  b  c  d  e  f  g\n 7  □" in out
    assert " 2  ·  · [▲](·) ·  ·  ·  2\n" in out
    assert "\x1b" not in out


@pytest.mark.parametrize("typed", ["d2-c2", "d2c2", "D2 C2", "d2 - c2", "d2–c2", "d2>c2", "  d2-C2  "])
def test_a_move_may_be_typed_in_any_usual_form(typed: str) -> None:
    assert "Attackers: d2-c2" in play("brandub-globe", lines=typed)


def test_a_square_shows_where_its_piece_may_go_and_the_next_plays_it() -> None:
    out = play("brandub-globe", lines="c4;c3;d2;c2;c4;c3")
    assert "c4 holds a defender, but it is the other side’s turn." in out
    assert "d2 → a2, b2, c2, e2, f2, g2\n" in out
    assert "Attackers: d2-c2" in out
    assert "Defenders: c4-c3" in out


def test_typing_a_square_describes_it() -> None:
    out = play("brandub-globe", lines="d4;d1;e3;d3;h8")
    assert "d4 holds the king, but it is the other side’s turn." in out
    assert "d1 → " in out
    assert "e3 is empty, and no piece can move there." in out
    assert "h8 is not on this board." in out
    stuck = play("brandub-globe", "--position", "7/7/t6/Tt5/t2K3/7/7 d", lines="a4;d3;b3")
    assert "a4 holds a defender, which cannot move now." in stuck
    assert "d3 → a3" not in stuck
    assert "Defenders: d3-b3" in stuck


def test_a_capturing_move_lists_its_captures() -> None:
    out = play("brandub-globe", "--position", "7/7/3T3/1K1t3/1Tt1tT1/7/3T3 d", lines="d1")
    assert "d3xc3/d4/e3" in out
    out = play("brandub-globe", "--position", "7/7/3T3/1K1t3/1Tt1tT1/7/3T3 d", lines="d1-d3")
    assert "Defenders: d1-d3xc3/d4/e3" in out
    assert "Captured: 3 attackers (c3, d4, e3)." in out
    assert "Captured so far: 3 attackers." in out
    assert "The last attacker is captured. The king’s side wins." in out


def test_the_first_player_is_the_one_who_begins() -> None:
    out = play("tablut-geoludie", lines="e3-c3")
    assert "First player (defenders), move 1:" in out
    assert "Second player (attackers), move 2:" in out
    assert "First player (attackers), move 1:" in play("tablut-geoludie", "--switch", "first=attackers")
    assert "Second player (attackers), move 2:" in play(
        "tablut-geoludie", "--defenders", "Ana", lines="e3-c3"
    )


def test_an_illegal_move_is_refused_with_its_reason() -> None:
    out = play("brandub-globe", lines="d3-c3;a4-e4;a1-a2;d2-d2;d2-c3")
    assert "The piece on d3 is a defender, but it is for the attackers to move." in out
    assert out.count("Attackers, move 1:") == 6
    french = play("brandub-globe", "--lang", "fr", lines="d3-c3;a4-e4")
    assert "La pièce en d3 est un défenseur, mais c’est aux attaquants de jouer." in french
    assert "La route est barrée" in french


def test_invalid_input_is_reported_and_commands_are_suggested() -> None:
    out = play("brandub-globe", lines="hlep;unod;xyzzy")
    assert "Did you mean `help`?" in out
    assert "Did you mean `undo`?" in out
    assert "“xyzzy” is not a move" in out


def test_orders_are_understood_in_every_language() -> None:
    words = action_words()
    assert set(words.values()) == set(ACTIONS)
    assert words["annuler"] == words["undo"] == "undo"
    assert words["?"] == "help"
    out = play("brandub-globe", "--lang", "en", lines="d2-c2;annuler;/aide;REGLES")
    assert "Move undone." in out
    assert "undo the last move" in out


def test_help_names_every_order_and_the_signs_of_the_board() -> None:
    for language, word in (("en", "resign"), ("fr", "abandonner")):
        out = play("gwezboell-globe", "--lang", language, lines="?")
        assert f"  {word}" in out
    assert "▲ attacker, ○ defender, ♔ king, × throne, □ corner" in play("brandub-globe", lines="?")
    assert "Calls are made for you." in play("gwezboell-globe", lines="?")
    assert "c5-a5 !2" in play("gwezboell-globe", "--calls", "manual", lines="?")
    assert "calls" not in play("ard-ri-globe", lines="?")


def test_moves_are_taken_back_and_made_again() -> None:
    out = play("brandub-globe", lines="undo;d2-c2;c4-c6;undo;undo;undo;redo;redo;redo;undo 2;d2-b2;redo")
    assert out.count("There is no move to undo.") == 2
    assert "2 moves undone." in out
    assert "Expected a number, such as `undo 2`." in play("brandub-globe", lines="d2-c2;undo -1;undo all")
    assert out.count("There is no move to redo.") == 2
    assert out.rstrip().endswith("The game is unfinished and was not saved.")
    last = out.split("Attackers: d2-b2")[1]
    assert "[▲]" in last
    assert "Defenders, move 2:" in last


def test_the_start_names_the_doubt_that_changes_most_games() -> None:
    out = play("ard-ri-globe", lines="quit")
    assert "With `--switch quiet_limit=40`, for instance, the rule is: “Forty moves in a row" in out
    assert "`hnefi rules ard-ri-globe --why`" in out
    assert "Quarante coups de suite sans prise" in play("ard-ri-globe", "--lang", "fr", lines="quit")
    for args in (("ard-ri-globe", "--switch", "quiet_limit=40"), ("brandub-breyer",)):
        assert "our reading holds" not in play(*args, lines="quit")


def test_counters_are_shown_and_the_draw_is_foretold() -> None:
    out = play("brandub-globe", "--position", "7/7/7/3K3/7/2t4/7 a 3", lines="c2-c3")
    assert "Moves without a capture: 4 (draw at 20)." in out
    out = play("brandub-globe", "--position", "7/7/7/3K3/7/2t4/7 a 17", lines="c2-c3;d4-d3;c3-c2;")
    assert "No capture for 18 moves. 2 more make it a draw." in out
    assert "No capture for 19 moves. 1 more makes it a draw." in out
    assert "Too many moves without a capture. The game is drawn." in out
    french = play("brandub-globe", "--position", "7/7/7/3K3/7/2t4/7 a 17", "--lang", "fr", lines="c2-c3")
    assert "18 coups sans prise. Encore 2 et la partie est nulle." in french


def test_a_repetition_is_foretold() -> None:
    out = play("tablut-kouvia", lines="d1-c1;e3-d3;c1-d1;d3-e3")
    assert "This position has occurred 2 times; after 3, the game is drawn." in out


def test_a_forced_pass_is_announced() -> None:
    out = play("brandub-globe", "--position", "7/7/3K3/7/T6/tT5/7 d", lines="d5-d6")
    assert "The attackers cannot move, so they pass." in out
    assert "Defenders, move 2:" in out
    loaded = play("brandub-globe", "--position", "7/7/3K3/7/T6/tT5/7 a", "--lang", "fr", lines="")
    assert "Les attaquants ne peuvent pas jouer : ils passent." in loaded
    assert "Défenseurs, coup 1 :" in loaded


def test_a_draw_needs_both_and_giving_up_needs_a_yes() -> None:
    out = play("brandub-globe", lines="draw;no;draw;yes;")
    assert "Defenders: do you agree to a draw?" in out
    assert "Draw declined; the game goes on." in out
    assert "The game is over. Press Enter to finish" in out
    out = play("brandub-globe", "--lang", "fr", lines="abandon;non;abandon;oui;d2-c2;")
    assert "Attaquants : abandonner ?" in out
    assert "Les attaquants abandonnent. Le camp du roi gagne." in out
    assert "La partie est finie ; tapez `reprendre`" in out


def test_an_end_can_be_taken_back() -> None:
    play("brandub-globe", "-o", "game.tafl", lines="d2-c2;resign;yes;undo;c4-c6;quit")
    assert moves_of("game.tafl") == "1. d2-c2 2. c4-c6 *"


def test_the_language_changes_during_the_game() -> None:
    out = play("brandub-globe", lines="language fr;d2-c2;langue en;c4-c6;lang;lang xx")
    assert "Langue : français." in out
    assert "Défenseurs, coup 2 :" in out
    assert "Language: English." in out
    assert out.count("Langue : français.") == 2
    assert "Langue inconnue" in out
    out = play("brandub-globe", "--against", "computer", "--side", "attackers", lines="language fr;quit")
    assert "You (attackers), move 1:" in out
    assert "Vous (attaquants), coup 1 :" in out


def test_rules_moves_board_and_record_on_demand() -> None:
    out = play("brandub-globe", lines="rules;moves;moves d2;moves zz;record;turn;board")
    rules = words.rules(variant("brandub-globe"), "en")
    assert rules.title in out
    # During a game only the rules are printed.
    assert [section.is_rules for section in rules.sections if f"\n{section.heading}\n---" in out] == [
        True for _ in rules.rules_sections
    ]
    assert out.count("d2 → ") == 2
    assert "is not a square" in out
    assert '[Variant "brandub-globe"]' in out
    assert "    g  f  e  d  c  b  a\n 1" in out


def test_plain_mode_draws_no_board() -> None:
    out = play("brandub-globe", "--plain", lines="board;d2-c2;board;?")
    assert not set("▲○♔·×□") & set(out)
    assert "Attackers: a4, b4, d1, d2, d6, d7, f4, g4." in out
    assert "King: d4." in out
    assert "Last move: d2 to c2." in out
    assert "Attackers: d2-c2" in out
    # The captures are told when they change, and with the pieces.
    out = play("brandub-globe", "--plain", lines="d1-b1;c4-c1;d2-c2;board")
    before, after = out.split("Attackers: d2-c2")
    assert (before.count("Captured so far: 1 attacker."), after.count("Captured so far")) == (1, 1)
    assert "Last move: d2 to c2.\nCaptured so far: 1 attacker." in after


def test_a_variant_is_chosen_by_number_or_words() -> None:
    assert "Attackers, move 1:" in play(lines="7")
    out = play("--lang", "fr", lines="tablut;geoludie;échecs;0;99;tablut-kouvia;d1-c1")
    assert "« tablut » correspond à plusieurs variantes ; choisissez-en une." in out
    assert "Aucune variante ne correspond à « échecs »." in out
    assert "Attaquants : d1-c1" in out
    assert variant("brandub-globe").name() in play(lines=";")
    assert run("play", stdin="")[0] == 0


@pytest.mark.parametrize(("language", "word", "others"), [("en", "all", "more"), ("fr", "tout", "autres")])
def test_the_variants_to_begin_with_are_listed_first(language: str, word: str, others: str) -> None:
    first = play("--lang", language, lines="nonsense")
    begin = [name for name in variant_ids() if lessons(name)]
    assert re.findall(r"^ +\d+  (\S+)", first, re.MULTILINE)[: len(begin)] == begin
    assert f" {len(variant_ids()) - len(begin)} {others}" in first
    listed = re.findall(r"^ +\d+  (\S+) ", play("--lang", language, lines=word), re.MULTILINE)
    assert sorted(listed[len(begin) :]) == sorted(variant_ids())


def test_a_match_of_two_legs() -> None:
    args = ("tablut-geoludie", "--match", "--attackers", "Ana", "--defenders", "Bran", "-o", "match.tafl")
    out = play(*args, "--lang", "fr", lines="abandonner;oui;;abandonner;oui;")
    assert "Bran (défenseurs), coup 1 :" in out
    assert "Après la manche 1 :" in out
    assert "Ana (défenseurs), coup 1 :" in out
    assert "Le match est nul." in out
    records = load_records("match.tafl").records
    assert [record.header("Leg") for record in records] == ["1", "2"]
    assert [record.header("Attackers") for record in records] == ["Ana", "Bran"]
    won = play(*args[:-2], lines="resign;yes;;draw;yes;")
    assert "Ana wins the match." in won
    assert "Ana: 1½ (0 pieces captured)" in won
    assert "Bran: ½ (0 pieces captured)" in won


def test_a_change_of_language_changes_the_names_of_players_in_a_match() -> None:
    out = play("tablut-geoludie", "--match", lines="resign;yes;language fr;;nulle;oui;")
    before, _, after = out.partition("language fr")
    assert "First player (defenders)" in before
    assert "Second joueur (défenseurs), coup 1 :" in after
    assert "Second joueur : 1½ (0 pièce prise)" in after
    assert "Second joueur gagne le match." in after
    assert "player" not in after


@pytest.mark.parametrize(
    ("variant", "leg", "verdict"),
    [
        ("brandub-globe", "d1-b1;c4-c1;resign;yes;", "The match is drawn."),
        ("tablut-geoludie", "e3-a3;e2-a2;resign;yes;", "Ana has captured more pieces and wins the match."),
    ],
)
def test_captures_break_a_tie_only_if_the_variant_defines_it(variant: str, leg: str, verdict: str) -> None:
    args = (variant, "--match", "--attackers", "Ana", "--defenders", "Bran")
    out = play(*args, "-o", "match.tafl", lines=f"{leg};resign;yes;")
    assert "1 (1 piece captured)" in out
    assert verdict in out
    play(*args, "-o", "match.tafl", lines=leg)
    assert verdict in play("--resume", "match.tafl", lines="resign;yes;")


@pytest.mark.parametrize(
    ("args", "legs"),
    [
        (("tablut-geoludie",), 2),
        (("tablut-geoludie", "--against", "computer", "--level", "1", "--side", "defenders"), 2),
        (("tablut-geoludie", "--single"), 1),
        (("tablut-geoludie", "--position", EXITS), 1),
        (("tablut-geoludie", "--position", EXITS, "--match"), 2),
        (("brandub-globe",), 1),
        (("brandub-globe", "--match"), 2),
    ],
)
def test_a_game_has_the_legs_of_its_text_unless_asked_otherwise(args: tuple[str, ...], legs: int) -> None:
    out = play(*args, lines="resign;yes;;quit")
    assert ("After game 1" in out) == (legs == 2)


def test_one_game_and_a_match_exclude_each_other() -> None:
    status, _, errors = run("play", "brandub-globe", "--match", "--single")
    assert (status, "--single" in errors) == (2, True)


def test_sides_are_drawn_so_that_anyone_can_check() -> None:
    args = ("brandub-globe", "--attackers", "Bran", "--defenders", "Ana", "--seed", "2027-01-06 41 7")
    out = play(*args, lines="quit")
    assert "Sides drawn with “2027-01-06 41 7”: Ana plays the attackers." in out
    assert "Ana (attackers), move 1:" in out
    drawn = play("brandub-globe", "--draw", lines="record")
    assert '[SidesSeed "' in drawn
    assert "player (attackers), move 1:" in drawn


def test_names_that_are_no_names_are_refused() -> None:
    err = complaint("play", "brandub-globe", "--attackers", "Ana", "--defenders", "Ana", stdin="")
    assert "Ana" in err


def test_switches_change_the_game() -> None:
    out = play("brandub-globe", "--switch", "quiet_limit=1", lines="d2-c2;")
    assert "The game is over." in out
    args = ("gwezboell-globe", "-s", "replay=any_piece", "--calls", "manual", "--position", EXITS)
    assert "they play another." in play(*args, lines="c5-a5;g1-g2;a5-a9")


ODD_LINES = ["x" * 100_000, "\x00\x1b[31m", "d2-c2 " * 50, "!", "!!!", "-", "a1-", "½", "d2-c2!9", ":"]


@pytest.mark.parametrize("line", ODD_LINES)
def test_any_input_is_handled(line: str) -> None:
    out = play("brandub-globe", lines=line)
    assert "\x1b" not in out
    assert len(out) < 5000


def test_odd_bytes_and_no_keyboard_do_no_harm() -> None:
    done = run_installed("play", "brandub-globe", input=b"\xff\xfe\nd2-c2\n")
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"d2-c2" in done.stdout


@pytest.mark.parametrize("identity", sampled(variant_ids()))
def test_every_variant_can_be_played_in_both_languages(identity: str) -> None:
    move = format_move(variant(identity).new_game().legal_moves()[0])
    for language in ("en", "fr"):
        for mode in ("off", "auto", "manual") if variant(identity).calls else ("auto",):
            args = (identity, "--calls", mode, "--lang", language)
            out = play(*args, lines=f"{move};?;rules;undo;moves;record")
            assert move in out
            assert not re.search(r"\b(play|cli|words|error)\.[a-z]", out)
