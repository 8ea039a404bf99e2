"""Diagrams and annotated games on paper."""

import struct
from pathlib import Path

import pytest

import hnefi
from hnefi import paper
from hnefi.formats import FORMATS, RawGame
from hnefi.paper.annotated_games import annotated_game_document
from hnefi.record import Record, read_records
from tests.cli_runs import answer, refusal, run
from tests.pdf_files import dark_runs, pages_of, plain, root_of, sizes, tags_of, text_of

RECORDS = Path(__file__).parent / "records"
GAME = RECORDS / "brandub-globe.tafl"
MOVE = ("7/7/3T3/1K1t3/1Tt1tT1/7/3T3 d", "d1-d3")


def record_of(name: str) -> Record:
    return read_records((RECORDS / f"{name}.tafl").read_bytes()).records[0]


# --- Diagrams -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("square", [4, 6, 12.5])
def test_squares_of_a_diagram_have_their_size(square: float) -> None:
    game = hnefi.variant("brandub-globe").new_game()
    pdf = paper.diagram_file(game, ".pdf", "en", square=square)
    (width, height), *_ = sizes(pages_of(pdf))
    assert 7 * square < width < 10 * square
    assert abs(height - width) <= 1
    page = pages_of(pdf).pages[0].mediabox
    centre = float(page.width) / (72 / 25.4) / 2
    # The lower part of the second row from the top, beside its holes.
    lines = dark_runs(pdf, 0, y_mm=centre - 1.6 * square)
    apart = [b - a for a in lines for b in lines]
    assert sum(abs(distance - square) < 0.03 for distance in apart) >= 5


def test_diagrams_have_the_chosen_format(tmp_path: Path) -> None:
    starts = {".pdf": b"%PDF-", ".svg": b"<svg", ".png": b"\x89PNG"}
    for suffix, start in starts.items():
        target = tmp_path / f"move{suffix}"
        found = answer("print", "diagram", "brandub-globe", *MOVE, "--square", "6", "-o", str(target))
        content = target.read_bytes()
        assert content.startswith(start)
        assert (found["square"], found["bytes"]) == (6, len(content))
    width, _ = struct.unpack(">II", (tmp_path / "move.png").read_bytes()[16:24])
    millimetres = width / 300 * 25.4
    assert 42 < millimetres < 6 * 9


def test_a_diagram_shows_the_position_and_describes_it() -> None:
    game = hnefi.variant("brandub-globe").new_game().play("d2-c2")
    reader = pages_of(paper.diagram_file(game, ".pdf", "fr"))
    (figure,) = [alt for tag, alt in tags_of(reader) if tag == "/Figure"]
    assert "c2" in figure
    assert root_of(reader)["/Lang"] == "fr"
    assert b"c2" in paper.diagram_file(game, ".svg", "en")


def test_unknown_endings_of_diagrams_are_refused() -> None:
    assert refusal("print", "diagram", "brandub-globe", "-o", "x.gif")["code"] == "bad_usage"
    assert refusal("print", "diagram", "brandub-globe", "8/8 a", "-o", "x.pdf")["code"].startswith("bad_")
    with pytest.raises(ValueError, match=r"\.pdf, \.svg, \.png"):
        paper.diagram_file(hnefi.variant("brandub-globe").new_game(), ".gif")


# --- Annotated games ------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_game_on_paper_has_its_headers_moves_comments_variations_and_calls(lang: str) -> None:
    pdf = paper.annotated_game(record_of("brandub-globe"), lang)
    text = text_of(pdf)
    for part in ("Ana–Bran", "2027", "d2–b2", "b6×b5", "Thefirstmangoes", "a5–e5", "c4–c6"):
        assert part in text, part
    assert {"en": "oneexit", "fr": "unesortie"}[lang] in text
    figures = [alt for tag, alt in tags_of(pages_of(pdf)) if tag == "/Figure"]
    assert len(figures) >= 3
    assert len(pdf) < 200_000


def test_diagrams_stand_at_comments_key_moments_and_the_end() -> None:
    items = annotated_game_document(record_of("brandub-globe"), "en").data["items"]
    kinds = [item["kind"] for item in items]
    boards = [item["board"]["caption"] for item in items if item["kind"] == "board"]
    assert kinds[-1] == "board"
    assert any("First capture" in caption or "first capture" in caption for caption in boards)
    assert kinds.count("move") == 12


def test_refused_escapes_passes_and_games_without_moves_are_printed() -> None:
    text = text_of(paper.annotated_game(record_of("refused-escape"), "en"))
    assert "refused" in text
    assert "takenback" in text
    assert len(pages_of(paper.annotated_game(record_of("forced-pass"), "fr")).pages) == 1
    empty = Record((("Variant", "brandub-globe"), ("Result", "*")))
    assert len(pages_of(paper.annotated_game(empty, "en")).pages) == 1


def test_changed_rules_are_called_by_the_name_they_were_given() -> None:
    facts = (("Variant", "tablut-kouvia"), ("Title", "Winter"), ("Result", "*"))
    changed = Record((*facts, ("Switches", "quiet_limit=7")))
    documents = [annotated_game_document(record, "en").data for record in (changed, Record(facts))]
    assert [(data["title"], data["variant"]) for data in documents] == [
        ("Winter", "Winter"),
        ("Tablut (Kouviadenn)", "Tablut (Kouviadenn)"),
    ]


def test_every_format_that_is_read_can_be_printed(tmp_path: Path) -> None:
    for one in FORMATS:
        written = one.write(RawGame.of(record_of("brandub-globe")))
        source, target = tmp_path / f"game{one.extensions[0]}", tmp_path / f"{one.name}.pdf"
        source.write_text(written.text, encoding="utf-8")
        found = answer(
            "print", "game", str(source), "--variant", "brandub-globe", "-o", str(target), "--lang", "en"
        )
        assert found["variant"] == "brandub-globe", one.name
        assert "d2–b2" in text_of(target.read_bytes()), one.name


def test_every_sample_game_can_be_printed_in_colour() -> None:
    record = hnefi.sample_game("copenhagen-11")
    assert record is not None
    document = annotated_game_document(record, "fr", colour=True, paper="a5")
    assert sum(item["kind"] == "board" for item in document.data["items"]) >= 2
    assert len(paper.to_pdf(document)) < 1_000_000


def test_games_with_faults_and_missing_games_are_refused() -> None:
    faulty = refusal("print", "game", str(RECORDS / "faulty.tafl"), "-o", "x.pdf")
    assert faulty["code"] == "unusable_record"
    assert refusal("print", "game", str(GAME), "--game", "9", "-o", "x.pdf")["code"] == "no_such_game"
    assert refusal("print", "game", "missing.tafl", "-o", "x.pdf")["code"] == "cannot_read"
    code, out, err = run("print", "game", str(GAME), "--lang", "en")
    assert (code, out) == (2, "")
    assert "--output" in err


def test_long_names_are_broken_and_names_without_letters_are_refused(tmp_path: Path) -> None:
    record = record_of("brandub-globe")
    long = record.with_headers({"Attackers": "x" * 300})
    assert plain("x" * 60) in text_of(paper.annotated_game(long, "en"))
    hebrew = record.with_headers({"Attackers": "הנפאטאפל"})
    source = tmp_path / "game.tafl"
    source.write_text(f"{hebrew}\n", encoding="utf-8")
    error = refusal("print", "game", str(source), "-o", "x.pdf")
    assert error["code"] == "unprintable_letters"
