"""Sheets of puzzles on paper: each puzzle once, its solution on the back, and nothing outside the page."""

import re
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest

from hnefi import variant
from hnefi.paper import PUZZLE_PAPERS, Imprint, PrintError, puzzle_sheets
from hnefi.puzzles import DIFFICULTIES, Attempt, puzzles
from tests.cli_runs import answer, printed, refusal
from tests.codes import has_code
from tests.pdf_files import MM, figures_of, pages_of, plain, root_of, sizes, tags_of, texts_of

BRANDUB = variant("brandub-globe")


def test_each_puzzle_is_on_one_sheet_and_its_solution_on_the_back() -> None:
    pdf = puzzle_sheets(BRANDUB, "en")
    pages, known = texts_of(pdf), {one.id: one for one in puzzles(BRANDUB)}
    fronts, backs = pages[::2], pages[1::2]
    assert [page.count("Moves:") for page in fronts[:-1]] == [4] * (len(fronts) - 1)
    assert "Moves:" not in "".join(backs)
    listed = [word for page in backs for word in page.split() if word in known]
    assert Counter(listed) == Counter(known.keys())
    for page in backs:
        for name in set(page.split()) & set(known):
            moves = [plain(str(move)) for move in Attempt.begin(known[name]).line()]
            # The line after the id has the moves, with their captures.
            found = plain(re.split(rf"{name}\s+", page)[1].splitlines()[0]).replace("–", "")
            assert found.startswith(moves[0])
            assert all(move in found for move in moves)
    for page in backs:
        # Sheets go from easy to hard, and have several themes.
        here = [known[name] for name in page.split() if name in known]
        levels = [DIFFICULTIES.index(one.difficulty) for one in here]
        assert levels == sorted(levels)
        assert len({one.theme for one in here}) > 1
    assert "The princes want to get the brannán to one of the refuges." in fronts[0]
    assert "Refuge" in fronts[0].replace("refuges", "")
    assert "each counts as made" in fronts[0]
    assert "each counts as made" not in texts_of(puzzle_sheets(variant("hist-tablut-9"), "en", number=1))[0]


def test_the_line_of_a_puzzle_wins_for_its_side() -> None:
    for one in puzzles(BRANDUB):
        game = one.new_game()
        for move in Attempt.begin(one).line():
            game = game.play(move)
        if one.theme != "only_move":
            assert game.outcome is not None
            assert game.outcome.winner is one.side


@pytest.mark.parametrize("paper", PUZZLE_PAPERS)
@pytest.mark.parametrize("imprint", [Imprint(), Imprint("A shop", url="https://example.org")])
@pytest.mark.parametrize("game", ["brandub-globe", "copenhagen-11"])
def test_four_puzzles_fit_on_a_page(paper: str, imprint: Imprint, game: str) -> None:
    pdf = puzzle_sheets(variant(game), "en", number=2, paper=paper, colour=True, imprint=imprint)
    reader = pages_of(pdf)
    assert len(reader.pages) == 2
    assert sizes(reader) == {{"a4": (210, 297), "a5": (148, 210)}[paper]}
    assert root_of(reader)["/Lang"] == "en"
    assert "/H2" in dict(tags_of(reader))
    assert len([alt for alt in figures_of(pdf) if "King: " in alt]) == 4
    text = pypdfium2.PdfDocument(pdf)[0].get_textpage()
    found, lines = text.search("Moves:"), []
    while place := found.get_next():
        lines.append(text.get_charbox(place[0])[1] / MM)
    assert len(lines) == 4
    width, height = {"a4": (210, 297), "a5": (148, 210)}[paper]
    assert min(lines) > imprint.foot(width, height) + 8


def test_sheets_of_one_kind_and_of_collected_puzzles(tmp_path: Path) -> None:
    target = tmp_path / "sheet.pdf"
    told = answer(
        "print", "puzzles", "brandub-globe", "--difficulty", "easy", "--sheet", "1", "-o", str(target)
    )
    assert (told["number"], told["bytes"]) == (1, target.stat().st_size)
    assert texts_of(target.read_bytes())[1].count("Easy") == 4
    own = tmp_path / "own.jsonl"
    position = str(next(one for one in puzzles(BRANDUB) if one.theme == "king_out").setup)
    printed("lab", "puzzles", "brandub-globe", "--position", position, "-o", str(own))
    printed("print", "puzzles", "brandub-globe", "--file", str(own), "-o", str(target))
    front, back = texts_of(target.read_bytes())
    assert front.count("Moves:") == 1
    assert "own-brandub-globe-1" in back


def test_what_has_no_puzzles_is_told() -> None:
    with pytest.raises(PrintError, check=has_code("no_puzzles")):
        puzzle_sheets(variant("fetlar-11"))
    with pytest.raises(PrintError, check=has_code("no_puzzles")):
        puzzle_sheets(BRANDUB.with_switches({"quiet_limit": 40}))
    told = refusal("print", "puzzles", "brandub-globe", "--sheet", "99", "-o", "x.pdf")
    assert told["code"] == "no_such_sheet"
    assert "fill 14" in told["message"]
