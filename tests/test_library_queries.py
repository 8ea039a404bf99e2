"""Queries, keys and damage of a library: headers, dates, images of positions, invalid files, kills."""

import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from hnefi import Game, Move, all_variants, random_game
from hnefi.errors import VariantError
from hnefi.formats import read_games
from hnefi.library import (
    Adder,
    Library,
    LibraryError,
    Query,
    count_games,
    find_games,
    moves_played,
    opening_tree,
    player_stats,
    variant_stats,
)
from tests.test_library import BRANDUB, add, library, played, raw

__all__ = ["library"]


def test_games_are_found_by_their_headers(library: Library) -> None:
    rng = random.Random(4)
    facts = [
        ("Ann", "Bo", "2019-05-01", "attackers"),
        ("Bo", "Cy", "2020-06-01", "draw"),
        ("Cy", "Ann", "", "*"),
    ]
    for attackers, defenders, date, result in facts:
        game = played(rng, 6)
        add(library, raw(game, Attackers=attackers, Defenders=defenders, Date=date or "?", Result=result))

    def found(**asked: object) -> list[str]:
        query = Query(**asked)  # type: ignore[arg-type]
        names = [one.attackers for one in find_games(library, query)]
        assert len(names) == count_games(library, query)
        return names

    assert found() == ["Cy", "Bo", "Ann"]
    assert found(player="ann") == ["Cy", "Ann"]
    assert found(attackers="b") == ["Bo"]
    assert found(defenders="BO") == ["Ann"]
    assert found(result="draw") == ["Bo"]
    assert found(since="2020") == ["Bo"]
    assert found(until="2019") == ["Ann"]
    assert found(least_plies=7) == []
    assert found(source="some") == ["Cy", "Bo", "Ann"]
    assert found(source="other") == []
    assert found(ids=[1, 3]) == ["Cy", "Ann"]
    assert found(player="ann", position=BRANDUB.new_game().position) == ["Cy", "Ann"]
    assert found(player="%") == []


def test_names_are_found_in_any_case_as_statistics_count_them(library: Library) -> None:
    rng = random.Random(12)
    for plies, (attackers, defenders) in enumerate((("Émile", "Zoé"), ("ZOÉ", "éMILE"), ("Éa", "Straße")), 6):
        add(library, raw(played(rng, plies), Attackers=attackers, Defenders=defenders))
    assert {one.name: one.games for one in player_stats(library)}["Émile"] == 2
    assert [count_games(library, Query(player=name)) for name in ("émile", "ÉMILE", "zoé", "strasse")] == [
        2,
        2,
        2,
        1,
    ]
    assert count_games(library, Query(attackers="é", defenders="É")) == 2
    assert [one.attackers for one in find_games(library, Query(), order="attackers")] == [
        "ZOÉ",
        "Éa",
        "Émile",
    ]


def test_dates_are_found_however_they_are_written(library: Library) -> None:
    rng = random.Random(11)
    dates = ["2020/05/09", "9 May 2020", "10.5.2020", "2020.05.11", "", "2020", "spring"]
    for number, date in enumerate(dates):
        add(library, raw(played(rng, 6 + number), Date=date or "?"))

    def found(**asked: str) -> list[int]:
        return [one.id for one in find_games(library, Query(**asked), order="date")]  # type: ignore[arg-type]

    assert found() == [4, 3, 1, 6, 7, 5, 2]
    assert found(since="2020-05", until="2020-05") == [4, 3, 1]
    assert found(since="2020-05-10") == [4, 3]
    assert found(until="2020") == [4, 3, 1, 6]
    assert found(until="9999") == [4, 3, 1, 6]


def test_the_last_games_are_the_same_however_they_are_looked_for(library: Library) -> None:
    rng, reached = random.Random(7), BRANDUB.new_game().position
    for _ in range(3):
        add(library, *(raw(played(rng, 6)) for _ in range(12)))
    everything = [one.id for one in find_games(library, Query(variant=BRANDUB.id))]
    assert len(everything) == 36
    for asked in (Query(position=reached), Query(position=reached, variant=BRANDUB.id)):
        for limit, offset in ((100, 0), (5, 0), (5, 8)):
            found = [one.id for one in find_games(library, asked, limit=limit, offset=offset)]
            assert found == everything[offset : offset + limit]


def test_values_that_no_query_can_have_are_named(library: Library) -> None:
    with pytest.raises(TypeError, match=r"variant: .*Variant'>, expected the id of a variant"):
        Query(variant=BRANDUB)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"size: 1180591620717411303424, expected -\d+ to \d+"):
        Query(size=2**70)
    for name, wrong in (
        ("since", "spring"),
        ("until", "2019-02-30"),
        ("result", "White"),
        ("reason", "nope"),
    ):
        with pytest.raises(ValueError, match=rf"^{name}: {wrong}, expected "):
            Query(**{name: wrong})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"offset: -1180591620717411303424, expected"):
        list(find_games(library, Query(), offset=-(2**70)))
    with pytest.raises(ValueError, match="order: 'size', expected one of id, date"):
        list(find_games(library, Query(), order="size"))
    for name in ("depth", "least_games", "widest"):
        with pytest.raises(ValueError, match=f"^{name}: -1, expected at least 0$"):
            opening_tree(library, BRANDUB.new_game(), **{name: -1})  # type: ignore[arg-type]


def test_a_query_takes_every_name_of_a_variant_as_the_command_line_does(library: Library) -> None:
    add(library, raw(played(random.Random(5), 6, "copenhagen-11"), "copenhagen-11"))
    assert [count_games(library, Query(variant=name)) for name in ("Copenhagen", " copenhagen-11 ")] == [1, 1]
    with pytest.raises(VariantError, match="“brandub” matches several variants: brandub-breyer, "):
        Query(variant="brandub")
    assert count_games(library, Query(variant="of-games-alone")) == 0


def steps_of(game: Game) -> list[Game]:
    """Returns the games after each ply, from the start on."""
    steps = [game]
    while steps[-1].parent is not None:
        steps.append(steps[-1].parent)
    return steps[::-1]


def keys_by_hand(game: Game) -> list[int]:
    """The smallest key over all images: of each position one that all its images share."""
    found = []
    for step in steps_of(game):
        images = {step.position.transformed(one).canonical_key for one in game.rules.symmetries}
        assert images == {step.position.canonical_key}
        found.append(step.position.canonical_key)
    return found


@pytest.mark.parametrize("rules", ["brandub-globe", "tablut-geoludie", "foteviken-tablut-9", "copenhagen-11"])
def test_all_images_share_a_key_and_their_moves_a_number(rules: str) -> None:
    game = played(random.Random(rules), 24, rules)
    line = game.canonical_line()
    assert [key for key, _ in line] == keys_by_hand(game)
    assert [number is None for _, number in line] == [False] * game.ply_count + [True]
    position, table = game.rules, game.parent
    assert table is not None
    for symmetry in position.symmetries:
        image = table.position.transformed(symmetry)
        moves = table.position.legal_moves()
        mapped = [
            Move.of(*(game.rules.map_square(one, symmetry) for one in (move.from_square, move.to_square)))
            for move in moves
        ]
        assert image.canonical_moves(mapped) == table.position.canonical_moves(moves)


def test_lines_have_the_keys_and_moves_of_their_positions() -> None:
    """A line updates its keys from ply to ply, also where a king is captured or pieces have ranks."""
    reasons = set()
    for one in all_variants():
        game = random_game(one.rules, 2, 300)
        reasons.add(game.outcome and game.outcome.reason.value)
        line, steps = game.canonical_line(), steps_of(game)
        assert [key for key, _ in line] == [step.position.canonical_key for step in steps], one.id
        for (_, number), before, ply in zip(line, steps, game.plies, strict=False):
            assert [number] == before.position.canonical_moves([ply.move]), one.id
        assert game.moves_text() == " ".join(map(str, game.plies))
    assert "king_captured" in reasons


def test_other_positions_have_other_keys() -> None:
    rng = random.Random(5)
    seen: dict[int, set[str]] = {}
    for _ in range(60):
        game = played(rng)
        for position in (step.position for step in steps_of(game)):
            images = {str(position.transformed(one)).rsplit(" ", 1)[0] for one in game.rules.symmetries}
            assert seen.setdefault(position.canonical_key, images) == images
    assert len(seen) > 1000


def test_sides_to_move_and_sizes_are_distinguished() -> None:
    start = BRANDUB.new_game().position
    turned = Game(BRANDUB.rules, type(start.setup)(str(start.setup).replace(" a ", " d "))).position
    assert turned.turn is not start.turn
    assert turned.canonical_key != start.canonical_key


def refused(path: Path, message: str = ".", *, create: bool = False) -> str:
    """Opens a library that is none; returns the code of the error."""
    with pytest.raises(LibraryError, match=message) as error:
        Library(path, create=create)
    return error.value.code


def test_invalid_libraries_are_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.db") == "no_library"
    for create in (False, True):
        assert refused(tmp_path, "it is a folder", create=create) == "cannot_read"
    (tmp_path / "text.db").write_text("no database at all, and long enough to be looked at\n" * 50)
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE things (name TEXT)")
    other.close()
    for name in ("text.db", "other.db"):
        assert refused(tmp_path / name, create=True) == "not_a_library"
    with Library(tmp_path / "new.db", create=True) as library, library.writing() as connection:
        connection.execute("PRAGMA user_version = 99")
    assert refused(tmp_path / "new.db") == "newer_library"


def test_a_closed_library_is_called_closed(tmp_path: Path) -> None:
    library = Library(tmp_path / "games.db", create=True)
    library.close()
    for use in (library.count, lambda: add(library, raw(played(random.Random(1))))):
        with pytest.raises(LibraryError, match=r"^The library .*games\.db is closed\.$") as closed:
            use()
        assert closed.value.code == "library_closed"


def test_a_damaged_library_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    rng = random.Random(9)
    with Library(path, create=True) as library:
        add(library, *(raw(played(rng), Date=str(n)) for n in range(200)))
    whole = path.read_bytes()
    codes: set[str] = set()
    for seed in range(40):
        chance = random.Random(seed)
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 20, 400))):
            damaged[chance.randrange(100, len(damaged))] = chance.randrange(256)
        path.write_bytes(bytes(damaged[: chance.randrange(4096, len(damaged))] if seed % 4 == 0 else damaged))
        try:
            with Library(path) as library:
                library.check()
                list(find_games(library, Query(position=BRANDUB.new_game().position)))
                moves_played(library, BRANDUB.new_game().position)
                variant_stats(library)
        except LibraryError as error:
            codes.add(error.code)
    assert codes >= {"library_damaged"}
    assert codes <= {
        "library_damaged",
        "library_busy",
        "not_a_library",
        "cannot_write_library",
        "newer_library",
    }


def test_a_kill_while_adding_keeps_whole_batches_and_can_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    source = tmp_path / "games.moves"
    rng = random.Random(10)
    games = [played(rng, 12) for _ in range(600)]
    source.write_text("".join(" ".join(map(str, game.plies)) + "\n" for game in games))
    program = (
        "import sys; from hnefi.formats import *; from hnefi.library import *; from hnefi import variant;"
        "import hnefi.library.adder as adding; adding._BATCH = 50;"
        "played = variant('brandub-globe')\n"
        "library = Library(sys.argv[1], create=True); adder = Adder(library, default=played)\n"
        "games = read_games(sys.argv[2], ReadOptions(played), find_format('moves'))\n"
        "for n, one in enumerate(games):\n"
        "    adder.add('games.moves', one); print(n, flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path), str(source)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= 333:
                process.kill()
                break
    with Library(path) as library:
        kept = library.count()
        assert kept >= 250
        assert library.check() == []
        position = BRANDUB.new_game().position
        assert count_games(library, Query(position=position)) == kept
        with Adder(library, default=BRANDUB) as adder:
            for one in read_games(source):
                adder.add("games.moves", one)
        alike = len({tuple(map(str, game.plies)) for game in games})
        assert library.count() == alike == kept + adder.report.added


def test_two_programs_may_add_at_once(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    program = (
        "import sys, random; from hnefi import variant\n"
        "from hnefi.formats import RawGame; from hnefi.library import *\n"
        "rng = random.Random(sys.argv[2])\n"
        "with Library(sys.argv[1], create=True) as library:\n"
        "    for batch in range(12):\n"
        "        with Adder(library) as adder:\n"
        "            for n in range(10):\n"
        "                game = variant('brandub-globe').new_game()\n"
        "                for _ in range(6): game = game.play(rng.choice(game.legal_moves()))\n"
        "                names = (('Variant', 'brandub-globe'), ('Date', f'{sys.argv[2]}-{batch}-{n}'))\n"
        "                adder.add(sys.argv[2], RawGame(names, tuple(map(str, game.plies))))\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", program, str(path), name]) for name in ("one", "two")]
    assert [process.wait() for process in both] == [0, 0]
    with Library(path) as library:
        assert library.count() == 240
        assert count_games(library, Query(position=BRANDUB.new_game().position)) == 240
        assert library.check() == []


def test_a_full_disk_is_reported_and_loses_nothing(tmp_path: Path) -> None:
    rng = random.Random(11)
    with Library(tmp_path / "games.db", create=True) as library:
        add(library, raw(played(rng)))
        with library.reading() as connection:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
        library._connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(LibraryError) as full:
            add(library, *(raw(played(rng), Date=str(n)) for n in range(500)))
        assert full.value.code == "cannot_write_library"
        assert "full" in full.value.parameters["why"]
        assert library.count() == 1
        assert library.check() == []
