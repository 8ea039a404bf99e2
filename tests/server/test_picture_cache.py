"""The picture cache: requests for the same picture share one drawing; files are bounded."""

import asyncio
import os
from pathlib import Path

import pytest

from hnefi.server.http.costs import ChargedWorker
from hnefi.server.http.rate_limits import RateLimit
from hnefi.server.picture_cache import PictureCache, digest_of
from hnefi.workers.pictures import PictureJob
from tests.server.scopes import BUSY, FakeTime, GatedWorker, scope_of

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
