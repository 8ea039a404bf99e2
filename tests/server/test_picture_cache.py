"""The picture cache: requests for the same picture share one drawing; files are bounded."""

import asyncio
import os
from pathlib import Path

import pytest

from hnefi.server.http.costs import ChargedWorker
from hnefi.server.http.rate_limits import RateLimit
from hnefi.server.picture_cache import PictureCache, digest_of
from hnefi.workers.pictures import PictureJob
from hnefi.workers.worker import AsyncWorker
from tests.server.scopes import BUSY, FakeTime, scope_of

FILM = b"GIF89a" + bytes(400_000) + b";"
PER_MIB = 2
"""How many of these films fit in a MiB."""


def job(number: int = 0) -> PictureJob:
    return PictureJob("gif", "{}", "start", (f"move {number}",), 1, "driftwood", "")


class GatedWorker(AsyncWorker):
    """Draws a film when the gate opens, and counts."""

    def __init__(self, *, is_open: bool = True) -> None:
        self.gate = asyncio.Event()
        if is_open:
            self.gate.set()
        self.drawn = 0
        self.is_stopped = False
        self.cost_ms = 100.0

    async def run(self, _: object) -> bytes:
        self.drawn += 1
        await self.gate.wait()
        return FILM

    async def stop(self) -> None:
        self.is_stopped = True


def cache(
    worker: GatedWorker, folder: Path, max_mib: int = 16, limit: RateLimit | None = None
) -> PictureCache:
    return PictureCache(ChargedWorker(worker, limit or costs()), folder, max_mib)


def costs(ms: float = 1e9) -> RateLimit:
    return RateLimit("too_many_requests", 1.0, ms, for_address=1.0, now=FakeTime())


async def test_requests_at_the_same_time_share_one_drawing_and_one_charge(tmp_path: Path) -> None:
    worker, limit = GatedWorker(), costs(150.0)
    pictures = cache(worker, tmp_path, limit=limit)
    requests = [
        asyncio.create_task(pictures.picture(job(), scope_of(BUSY), is_final=True)) for _ in range(40)
    ]
    while not worker.drawn:
        await asyncio.sleep(0)
    worker.gate.set()
    assert set(await asyncio.gather(*requests)) == {FILM}
    assert await pictures.picture(job(), scope_of(BUSY), is_final=True) == FILM
    assert (worker.drawn, limit.wait_s(scope_of(BUSY), 51.0)) == (1, 1.0)


async def test_stopping_ends_drawings(tmp_path: Path) -> None:
    worker = GatedWorker()
    pictures = cache(worker, tmp_path)
    waiting = asyncio.create_task(pictures.picture(job(), scope_of(BUSY), is_final=True))
    while not worker.drawn:
        await asyncio.sleep(0)
    await pictures.stop()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert worker.is_stopped


async def test_the_least_recently_used_files_are_deleted(tmp_path: Path) -> None:
    worker = GatedWorker()
    worker.gate.set()
    pictures = cache(worker, tmp_path, max_mib=1)
    for number in range(PER_MIB):
        await pictures.picture(job(number), scope_of(BUSY), is_final=True)
        os.utime(tmp_path / f"{digest_of(job(number))}.gif", (number, number))
    # A new cache has nothing in memory: reading the oldest file makes it the newest.
    pictures = cache(worker, tmp_path, max_mib=1)
    await pictures.picture(job(0), scope_of(BUSY), is_final=True)
    assert worker.drawn == PER_MIB
    await pictures.picture(job(9), scope_of(BUSY), is_final=True)
    assert {path.stem for path in tmp_path.iterdir()} == {digest_of(job(0)), digest_of(job(9))}


@pytest.mark.parametrize("content", [b"", FILM[:1000]])
async def test_a_file_that_was_cut_off_is_drawn_again(tmp_path: Path, content: bytes) -> None:
    worker = GatedWorker()
    worker.gate.set()
    path = tmp_path / f"{digest_of(job())}.gif"
    path.write_bytes(content)
    assert await cache(worker, tmp_path).picture(job(), scope_of(BUSY), is_final=True) == FILM
    assert path.read_bytes() == FILM


async def test_a_full_disk_does_not_take_the_picture_away(tmp_path: Path) -> None:
    worker = GatedWorker()
    worker.gate.set()
    (tmp_path / "a file").touch()
    pictures = cache(worker, tmp_path / "a file")
    assert await pictures.picture(job(), scope_of(BUSY), is_final=True) == FILM
