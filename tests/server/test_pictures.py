"""Pictures of games over HTTP, and their cache: one drawing for all who ask, files that are bounded."""

import asyncio
import io
import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest
import resvg_py
import segno
from PIL import Image
from starlette.testclient import TestClient

from hnefi import diagram, variant
from hnefi.server.http.costs import ChargedWorker
from hnefi.server.http.rate_limits import RateLimit
from hnefi.server.picture_cache import PictureCache, digest_of
from hnefi.workers.pictures import PictureJob
from hnefi.workers.worker import AsyncWorker
from tests.server.clients import FRIENDLY, Program, two_at_a_game
from tests.server.conftest import client_of
from tests.server.scopes import BUSY, FakeTime, GatedWorker, scope_of


def played_game(server: TestClient) -> tuple[str, Program]:
    """Returns a game of two moves, and the program of the attackers."""
    game, ana, bran = two_at_a_game(server)
    ana.move(game, "d2-c2", 3)
    bran.move(game, "d3-c3", 4)
    return game, ana


@pytest.fixture
def game(server: TestClient) -> str:
    return played_game(server)[0]


def picture(server: TestClient, game: str, kind: str, query: str = "", known: str = "") -> Any:
    headers = {"If-None-Match": known} if known else {}
    return server.get(f"/api/games/{game}/picture.{kind}{query}", headers=headers)


def test_a_drawing_is_that_of_the_library_and_the_last_position_without_a_ply(
    server: TestClient, game: str
) -> None:
    answer = picture(server, game, "svg", "?ply=1&theme=slate&lang=fr")
    played = variant("brandub-globe").new_game().play("d2-c2")
    assert answer.text == diagram.svg(played, size_px=960, theme="slate", lang="fr")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.headers["content-disposition"] == f'attachment; filename="{game}-1-1.svg"'
    last, second, first = (picture(server, game, "svg", query).text for query in ("", "?ply=2", "?ply=0"))
    assert last == second != first


def test_pixels_are_those_of_the_drawing(server: TestClient, game: str) -> None:
    # d2 has been left, c2 been taken: what stood on the one stands on the other.
    # The pixels are above the holes.
    unit, found, sizes = 960 / 8.04, [], set()
    for query in ("?ply=0", ""):
        image = Image.open(io.BytesIO(picture(server, game, "png", query).content)).convert("L")
        pixels: Any = image.load()
        found.append([pixels[round(file * unit), round(5.92 * unit)] < 67 for file in (3.02, 4.02)])
        sizes.add(image.size)
    assert [width for width, _ in sizes] == [960]
    assert found == [[False, True], [True, False]]


def test_a_film_shows_every_position(server: TestClient, game: str) -> None:
    film = Image.open(io.BytesIO(picture(server, game, "gif").content))
    assert (film.format, film.n_frames, film.size) == ("GIF", 3, (480, 480))  # type: ignore[attr-defined]
    # A picture that was painted is given again.
    assert picture(server, game, "gif").content == picture(server, game, "gif").content


@pytest.mark.parametrize(
    ("kind", "query", "status"),
    [
        ("svg", "?leg=2", 404),
        ("svg", "?ply=3", 404),
        ("png", "?leg=1&ply=99", 404),
        ("svg", "?leg=3", 422),
        ("svg", "?theme=no", 422),
        ("bmp", "", 422),
        ("png", "?ply=-1", 422),
    ],
)
def test_invalid_picture_requests_are_refused(
    server: TestClient, game: str, kind: str, query: str, status: int
) -> None:
    assert picture(server, game, kind, query).status_code == status


def test_a_move_that_was_not_played_is_refused_with_a_sentence(server: TestClient, game: str) -> None:
    answer = server.get(f"/api/games/{game}/picture.svg?ply=99", headers={"Accept-Language": "fr"})
    assert answer.json() == {
        "code": "no_such_ply",
        "message": "Il n’y a pas de coup 99 dans cette manche, qui en compte 2.",
        "facts": {"ply": "99", "count": "2"},
    }


def test_a_game_that_waits_has_pictures_of_its_start(server: TestClient) -> None:
    waiting = Program(server).post("/api/games", FRIENDLY).json()["game"]
    for kind, begin in (("svg", b"<svg"), ("png", b"\x89PNG")):
        assert begin in picture(server, waiting, kind).content[:200]
    assert [picture(server, waiting, "png", f"?ply={ply}").status_code for ply in (0, 1)] == [200, 404]
    assert picture(server, waiting, "gif").json()["code"] == "no_such_leg"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[PictureJob]:
    """Draws every picture at once, as the same bytes, and lists what was drawn."""
    jobs: list[PictureJob] = []
    run = AsyncWorker.run

    async def draw(worker: AsyncWorker, job: PictureJob) -> object:
        if job.kind == "svg":
            return await run(worker, job)
        jobs.append(job)
        return b"GIF89a;"

    monkeypatch.setattr(AsyncWorker, "run", draw)
    return jobs


def ended(server: TestClient) -> str:
    """Returns a game that is over after two moves."""
    game, ana = played_game(server)
    assert ana.do(game, "resign", 5).status_code == 200
    return game


def test_a_film_of_a_finished_game_is_drawn_once(tmp_path: Path, drawn: list[PictureJob]) -> None:
    with client_of(tmp_path) as server:
        game = ended(server)
        # Neither the ply nor the language shows in a film.
        queries = ("", "?leg=1", "?ply=0", "?ply=1", "?lang=fr", "?lang=en&ply=2")
        films = {picture(server, game, "gif", query).content for query in queries}
        assert len(films) == len(drawn) == 1
        assert picture(server, game, "gif", "?theme=slate").status_code == 200
        assert len(drawn) == 2
    folder = tmp_path / "animations"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()] == [0o600] * 2
    # After a restart it is read from its file.
    with client_of(tmp_path) as server:
        assert picture(server, game, "gif").content in films
    assert len(drawn) == 2


def test_a_film_of_a_game_that_goes_on_is_not_stored(tmp_path: Path, drawn: list[PictureJob]) -> None:
    with client_of(tmp_path) as server:
        game, ana, _ = two_at_a_game(server)
        before, again = picture(server, game, "gif"), picture(server, game, "gif")
        assert (again.content, len(drawn)) == (before.content, 1)
        ana.move(game, "d2-c2", 3)
        after = picture(server, game, "gif")
        assert len(drawn) == 2
        assert before.headers["etag"] != after.headers["etag"]
        assert after.headers["cache-control"] == "no-cache"
    assert not (tmp_path / "animations").exists()


@pytest.mark.parametrize("kind", ["svg", "png", "gif"])
def test_a_client_that_has_a_picture_does_not_get_it_again(
    own_server: TestClient, kind: str, drawn: list[PictureJob]
) -> None:
    game = ended(own_server)
    first = picture(own_server, game, kind)
    assert first.headers["cache-control"] == "public, max-age=86400"
    tag = first.headers["etag"]
    for known in (tag, f'"other", {tag}', "*"):
        again = picture(own_server, game, kind, known=known)
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert again.headers["cache-control"] == first.headers["cache-control"]
    assert picture(own_server, game, kind, known='W/"other"').status_code == 200
    assert len(drawn) == (kind != "svg")
    assert picture(own_server, game, kind, "?theme=slate").headers["etag"] != tag


def test_the_language_does_not_show_in_a_picture() -> None:
    played = variant("brandub-globe").new_game().play("d2-c2")
    drawings = [diagram.svg(played, size_px=96, lang=lang) for lang in ("en", "fr")]
    english, french = (
        resvg_py.svg_to_bytes(svg_string=one, sans_serif_family="DejaVu Sans") for one in drawings
    )
    assert english == french


def test_an_address_is_drawn_for_telephones(server: TestClient) -> None:
    text = "https://tafl.example/game/abc#secret"
    drawn = Program(server).post("/api/qr", {"text": text}).json()
    rows = [list(row) for row in segno.make(text, error="m", micro=False).matrix_iter(border=4)]
    painted = {
        (x, int(y))
        for start, y, length in re.findall(r"M(\d+) ([\d.]+)h(\d+)", drawn["path"])
        for x in range(int(start), int(start) + int(length))
    }
    assert drawn["size"] == len(rows)
    assert painted == {(x, y) for y, row in enumerate(rows) for x, dark in enumerate(row) if dark}


FILM = b"GIF89a" + bytes(400_000) + b";"
PER_MIB = 2
"""How many of these films fit in a MiB."""


def job(number: int = 0) -> PictureJob:
    return PictureJob("gif", "{}", "start", (f"move {number}",), 1, "driftwood", "")


@pytest.fixture
def worker() -> GatedWorker:
    """A worker that draws a film at once."""
    drawing = GatedWorker(FILM, 100.0)
    drawing.may_answer.set()
    return drawing


def cache(worker: GatedWorker, folder: Path, max_mib: int = 16) -> PictureCache:
    limit = RateLimit("too_many_requests", 1.0, 1e9, for_address=1.0, now=FakeTime())
    return PictureCache(ChargedWorker(worker, limit), folder, max_mib)


async def test_stopping_ends_drawings(worker: GatedWorker, tmp_path: Path) -> None:
    worker.may_answer.clear()
    pictures = cache(worker, tmp_path)
    waiting = asyncio.create_task(pictures.picture(job(), scope_of(BUSY), is_final=True))
    while not worker.jobs:
        await asyncio.sleep(0)
    await pictures.stop()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert worker.is_stopped


async def test_the_least_recently_used_files_are_deleted(worker: GatedWorker, tmp_path: Path) -> None:
    pictures = cache(worker, tmp_path, max_mib=1)
    for number in range(PER_MIB):
        await pictures.picture(job(number), scope_of(BUSY), is_final=True)
        os.utime(tmp_path / f"{digest_of(job(number))}.gif", (number, number))
    # A new cache has nothing in memory: reading the oldest file makes it the newest.
    pictures = cache(worker, tmp_path, max_mib=1)
    await pictures.picture(job(0), scope_of(BUSY), is_final=True)
    assert len(worker.jobs) == PER_MIB
    await pictures.picture(job(9), scope_of(BUSY), is_final=True)
    assert {path.stem for path in tmp_path.iterdir()} == {digest_of(job(0)), digest_of(job(9))}


@pytest.mark.parametrize("content", [b"", FILM[:1000]])
async def test_a_file_that_was_cut_off_is_drawn_again(
    worker: GatedWorker, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / f"{digest_of(job())}.gif"
    path.write_bytes(content)
    assert await cache(worker, tmp_path).picture(job(), scope_of(BUSY), is_final=True) == FILM
    assert path.read_bytes() == FILM


async def test_a_full_disk_does_not_take_the_picture_away(worker: GatedWorker, tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    pictures = cache(worker, tmp_path / "a file")
    assert await pictures.picture(job(), scope_of(BUSY), is_final=True) == FILM
