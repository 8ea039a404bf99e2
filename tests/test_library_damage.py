"""Damage to the game library: invalid files, kills, two programs at once, a full disk."""

import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from hnefi.formats import read_games
from hnefi.library import (
    Adder,
    Library,
    LibraryError,
    Query,
    count_games,
    find_games,
    moves_played,
    variant_stats,
)
from tests.test_library import BRANDUB, add, played, raw


def code_of(error: pytest.ExceptionInfo[LibraryError]) -> str:
    return error.value.code


def test_invalid_libraries_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LibraryError) as missing:
        Library(tmp_path / "none.db")
    assert code_of(missing) == "no_library"
    for create in (False, True):
        with pytest.raises(LibraryError, match="it is a folder") as folder:
            Library(tmp_path, create=create)
        assert code_of(folder) == "cannot_read"
    (tmp_path / "text.db").write_text("no database at all, and long enough to be looked at\n" * 50)
    with pytest.raises(LibraryError) as text:
        Library(tmp_path / "text.db", create=True)
    assert code_of(text) == "not_a_library"
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE things (name TEXT)")
    other.close()
    with pytest.raises(LibraryError) as foreign:
        Library(tmp_path / "other.db", create=True)
    assert code_of(foreign) == "not_a_library"
    with Library(tmp_path / "new.db", create=True) as library, library.writing() as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(LibraryError) as newer:
        Library(tmp_path / "new.db")
    assert code_of(newer) == "newer_library"


def test_a_closed_library_is_called_closed(tmp_path: Path) -> None:
    library = Library(tmp_path / "games.db", create=True)
    library.close()
    for use in (library.count, lambda: add(library, raw(played(random.Random(1))))):
        with pytest.raises(LibraryError, match=r"^The library .*games\.db is closed\.$") as closed:
            use()
        assert code_of(closed) == "library_closed"


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
        assert code_of(full) == "cannot_write_library"
        assert "full" in full.value.parameters["why"]
        assert library.count() == 1
        assert library.check() == []
