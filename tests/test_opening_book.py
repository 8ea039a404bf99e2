"""Tests of opening books: building, the files that ship, moves of levels, the command."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from hnefi import EngineError, Game, variant
from hnefi.cli.book.building import build
from hnefi.cli.book.showing import show
from hnefi.engine import Engine, Limit, book_for, level
from hnefi.engine.book import book_move, book_score, read_book
from hnefi.formats import FormatError
from hnefi.lab.book import BookBuilding, BookPlan, format_book
from hnefi.lab.recorded import recorded_games
from hnefi.variants.built_in import booklet_ids
from hnefi.variants.files import format_variant
from tests.cli_runs import answer, printed, refusal, run

ROOT = Path(__file__).parents[1]
BOOKS = {path.stem: path for path in sorted((ROOT / "src/hnefi/books").glob("*.json"))}
BRANDUB = variant("brandub-globe")
PLAN = BookPlan(BRANDUB, positions=40, nodes=200, games=16)


def built(plan: BookPlan = PLAN, folder: Path | None = None, jobs: int = 1) -> BookBuilding:
    building = BookBuilding(plan)
    building.run(lambda *_: None, folder, jobs)
    return building


def test_a_building_is_repeated_by_any_number_of_jobs_and_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    whole = built().content()
    assert built(jobs=3).content() == whole
    steps: list[tuple[str, int]] = []

    def stop(step: str, done: int, _: int) -> None:
        steps.append((step, done))
        if done and len(steps) in (4, 8, 12):
            raise KeyboardInterrupt

    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            BookBuilding(PLAN).run(stop, tmp_path)
        with (tmp_path / "book.jsonl").open("ab") as file:
            file.write(b'{"game": "d1-c')
    building = BookBuilding(PLAN)
    building.run(stop, tmp_path)
    assert building.content() == whole
    assert steps[-1] == ("playing", PLAN.games)


def test_scores_are_led_back_and_games_are_counted(tmp_path: Path) -> None:
    content = built().content()
    positions = content["positions"]
    assert len(positions) == PLAN.positions
    for line, rows in positions.items():
        values = [row[1] for row in rows if len(row) == 3 or row[1]]
        is_attackers = len(line.split()) % 2 == 0
        assert values[0] == (max(values) if is_attackers else min(values))
        for move, value, searches, *_ in rows:
            after = positions.get(f"{line} {move}".strip())
            if searches and after:
                assert after[0][1] == value
                assert searches >= 1 + max(row[2] for row in after)
    assert sum(sum(row[3]) for row in positions[""] if len(row) > 3) == PLAN.games
    path = tmp_path / "brandub-globe.json"
    path.write_text(format_book(content), encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8")) == content
    assert len(read_book(path, BRANDUB.rules)) == PLAN.positions


def test_recorded_games_of_a_truncated_file_are_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "games.tafl.gz"
    path.write_bytes(gzip.compress((ROOT / "tests/records/brandub-globe.tafl").read_bytes())[:-20])
    with pytest.raises(FormatError, match=r"games\.tafl\.gz"):
        list(recorded_games(path, BRANDUB))


def test_recorded_games_are_counted_with_their_results() -> None:
    games = list(recorded_games(ROOT / "tests/records/brandub-globe.tafl", BRANDUB))
    assert games
    building = BookBuilding(replace(PLAN, games=0), {"brandub-globe.tafl": games * 2})
    building.run(lambda *_: None)
    content = building.content()
    counted = {row[0]: row[4] for row in content["positions"][""] if len(row) > 4}
    assert sum(map(sum, counted.values())) == 2 * len(games)
    assert content["made"]["recorded"] == [{"file": "brandub-globe.tafl", "games": 2 * len(games)}]


@pytest.mark.parametrize("name", BOOKS)
def test_the_books_that_ship_are_those_of_their_variants(name: str) -> None:
    played = variant(name)
    book = book_for(played.rules)
    assert book is not None
    assert (book.variant, len(book) >= 300) == (name, True)
    assert book.moves(played.new_game().position)[0].searches >= 4
    assert BOOKS[name].stat().st_size < 45_000
    assert BOOKS[name].read_text("utf-8") == format_book(json.loads(BOOKS[name].read_text("utf-8")))


@pytest.mark.parametrize("name", BOOKS)
def test_the_books_that_ship_say_what_the_engine_says(name: str) -> None:
    """A book that was built before the evaluation of its game changed does not."""
    game = variant(name).new_game()
    book = book_for(game.rules)
    assert book is not None
    with Engine() as engine:
        searched = engine.analyse(game, Limit(nodes=20_000)).last().lines[0].score
    assert abs(book_score(book.moves(game.position)[0], game.rules).chances - searched.chances) < 0.15


def test_the_games_with_booklets_have_books() -> None:
    assert set(booklet_ids()) <= BOOKS.keys()


def test_strong_levels_vary_within_the_book_and_others_have_none() -> None:
    game = BRANDUB.new_game()
    book = book_for(game.rules)
    assert book is not None
    best = book.moves(game.position)[0].score
    with Engine(table_mib=1, proves=False) as engine:
        chosen = {engine.play(game, level(8), seed=seed) for seed in range(20)}
        assert len(chosen) >= 4
        allowed = {move for one in book.moves(game.position) if best - one.score <= 12 for move in one.moves}
        assert chosen <= allowed
        assert engine.play(game, level(9), seed=1) == engine.play(game, level(9), seed=1)
        # The book of a variant is not that of others.
        other = BRANDUB.with_switches({"quiet_limit": "40"}).new_game()
        assert book_move(other, 1) is None
        assert book_move(game, 1) in allowed
        assert engine.play(game, Limit(nodes=50), seed=2, book=True) in allowed
    assert [one.number for one in map(level, range(1, 11)) if one.book] == [8, 9, 10]


def test_a_weak_level_plays_from_the_book_when_asked() -> None:
    game = variant("copenhagen-11").new_game()
    book = book_for(variant("copenhagen-11"))
    assert book is not None
    known = {move for one in book.book.moves(game.position) for move in one.moves}
    with Engine(table_mib=1) as engine:
        assert {engine.play(game, level(1), seed=seed, book=True) for seed in range(6)} <= known
        assert engine.play(game, Limit(), book=True) in known


def test_a_level_without_the_book_searches() -> None:
    game = BRANDUB.new_game()
    few = replace(level(8), nodes=300, depth=1)
    with Engine(table_mib=1, proves=False) as engine:
        moves = {
            book: {engine.play(game, few, seed=seed, book=book) for seed in range(8)}
            for book in (None, False)
        }
    assert moves[None] != moves[False]


def test_a_file_that_is_no_book_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HNEFI_BOOKS", str(tmp_path))
    path = tmp_path / "mine.json"
    rules = BRANDUB.rules
    path.write_text(json.dumps({"format": "hnefi book 1", "rules": rules.hash, "positions": {"a1-a2": []}}))
    with pytest.raises(EngineError, match="a1-a2 is not a legal move") as caught:
        book_for(rules)
    assert (caught.value.code, caught.value.parameters["path"]) == ("bad_book", str(path))


BOOK = {"format": "hnefi book 1", "rules": BRANDUB.rules.hash, "positions": {}}
NO_BOOKS = [
    (b"", "en", "not valid JSON at line 1, column 1; expected here: a value, such as `7`"),
    (b'{\n "caf\xe9', "fr", "il n’est pas en UTF-8 valide à la ligne 2, colonne 6."),
    (b"[" * 100_000, "en", "not valid JSON; expected: fewer brackets within brackets"),
    (b"9" * 10_000, "fr", "pas en JSON valide ; attendu : un nombre"),
    ({"positions": {"": [["d2-c9", 1, 2]]}}, "fr", '5, colonne 1, ["d2-c9",1,2] n’est pas un coup légal.'),
    ({"positions": {"d2-c9": []}}, "en", "at line 5, column 1, d2-c9 is not a legal move."),
    ({"positions": {"": 3}}, "en", "at line 5, column 1, 3 is not a legal move."),
    ({"positions": {"d2-c2": [], "d2-e2": []}}, "en", "6, column 1, a position occurs a second time."),
    ({"positions": 3}, "en", "“positions” is missing, or of another kind; expected: {…}."),
    ({"format": "x"}, "en", "“format” is “x”; expected: hnefi book 1."),
    ({"made": [1]}, "fr", "vaut «\xa0[1]\xa0»\u202f; attendu\xa0: {…}."),
]


@pytest.mark.parametrize(("content", "lang", "words"), NO_BOOKS)
def test_the_faults_of_a_book_are_told_with_their_place(
    tmp_path: Path, content: bytes | dict[str, object], lang: str, words: str
) -> None:
    path = tmp_path / "mine.json"
    text = content if isinstance(content, bytes) else json.dumps(BOOK | content, indent=0).encode()
    path.write_bytes(text)
    code, _, err = run("book", "show", "brandub-globe", "--file", str(path), "--lang", lang)
    assert code == 2
    assert str(path) in err
    assert words in err


def test_a_folder_is_no_book(tmp_path: Path) -> None:
    message = refusal("book", "show", "brandub-globe", "--file", str(tmp_path))["message"]
    assert message == f"The opening book {tmp_path} cannot be used: it is a folder."


def test_a_book_of_the_user_goes_before_the_one_that_ships(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HNEFI_BOOKS", str(tmp_path / "own"))
    quick = ("--positions", "10", "--nodes", "100", "--self-play", "2")
    built = answer("book", "build", "brandub-globe", *quick)
    assert Path(built["file"]).parent == tmp_path / "own"
    found = answer("book", "show", "brandub-globe")
    assert (found["positions"], found["made"]["nodes"]) == (10, 100)


def test_the_quick_example_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for member in (build, show):
        assert len(member.examples) >= 2
    monkeypatch.chdir(tmp_path)
    out = printed(*build.examples[0][0].split())
    assert "A book of 20 positions was written to quick.json." in out


@pytest.mark.parametrize(
    ("lang", "word"), [("en", "Sources: 400 positions"), ("fr", "400 positions étudiées")]
)
def test_the_moves_of_a_position_are_shown(lang: str, word: str) -> None:
    out = printed("book", "show", "brandub-globe", "--lang", lang)
    assert word in out
    game = Game(BRANDUB.rules)
    first = answer("book", "show", "brandub-globe")["moves"][0]
    assert game.is_legal(game.play(first["move"]).plies[0].move)
    assert len(first["equal"]) == 7
    assert first["self_play"]["games"] > 0


def test_a_variant_or_position_without_a_book_is_reported(tmp_path: Path) -> None:
    code, out, _ = run("book", "show", "tyr-11", "--switch", "quiet_limit=30")
    assert (code, "`hnefi book build tyr-11 --switch=quiet_limit=30`" in out) == (1, True)
    own = tmp_path / "oak tafl.toml"
    own.write_text(
        format_variant(variant("tyr-11").with_switches({"quiet_limit": "30"})).replace("tyr-11", "oak"),
        "utf-8",
    )
    assert f"for oak. `hnefi book build '{own}'` makes one." in run("book", "show", str(own))[1]
    code, out, _ = run("book", "show", "brandub-globe", "d2-a2", "d3-a3")
    assert (code, "not in the book" in out) == (1, True)


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("build", "brandub-globe", "--output", "/no/such/folder/b.json"), "cannot_write"),
        (("build", "brandub-globe", "--games", "no-such-file.tafl"), "cannot_read"),
        (("show", "brandub-globe", "d1-e2"), "not_in_line"),
    ],
)
def test_invalid_arguments_are_refused(args: tuple[str, ...], code: str) -> None:
    assert refusal("book", *args)["code"] == code


def test_a_folder_of_books_that_is_none_is_refused_before_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "books").write_text("a file")
    monkeypatch.setenv("HNEFI_BOOKS", str(tmp_path / "books"))
    monkeypatch.setattr(BookBuilding, "run", lambda *_: pytest.fail("searched"))
    assert refusal("book", "build", "brandub-globe")["code"] == "not_a_folder"
