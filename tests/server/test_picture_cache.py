"""The picture cache: requests for the same picture share one drawing; files are bounded."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hnefi.server.picture_cache import PictureCache, digest_of
from hnefi.server.refusals import Refused, refused
from hnefi.workers.pictures import PictureJob
from tests.codes import has_code

FILM = b"GIF89a" + bytes(400_000) + b";"
PER_MIB = 2
"""How many of these films fit in a MiB."""


def job(number: int = 0) -> PictureJob:
    return PictureJob("gif", "{}", "start", (f"move {number}",), 1, "driftwood", "")


class GatedWorker:
    """Draws a film when the gate opens, and counts."""

    def __init__(self, *, is_open: bool = True) -> None:
        self.gate = asyncio.Event()
        if is_open:
            self.gate.set()
        self.drawn = 0
        self.is_stopped = False

    async def run(self, _: object) -> bytes:
        self.drawn += 1
        await self.gate.wait()
        return FILM

    async def stop(self) -> None:
        self.is_stopped = True


@contextlib.asynccontextmanager
async def free_slot() -> AsyncIterator[None]:
    yield


def no_slot() -> contextlib.AbstractAsyncContextManager[None]:
    raise refused("too_many_pictures")


class Charges:
    """Counts what is charged, and refuses above a number."""

    def __init__(self, most: int = 100) -> None:
        self.most, self.count = most, 0

    def __call__(self) -> None:
        if self.count >= self.most:
            raise refused("too_many_pictures")
        self.count += 1


def cache(worker: GatedWorker, folder: Path, max_mib: int = 16) -> PictureCache:
    return PictureCache(worker, free_slot, folder, max_mib)  # type: ignore[arg-type]


async def film(pictures: PictureCache, number: int = 0, charges: Charges | None = None) -> bytes:
    return await pictures.picture(job(number), is_final=True, charge=charges or Charges())


async def begun(pictures: PictureCache, worker: GatedWorker, count: int) -> "list[asyncio.Task[bytes]]":
    """Begins requests for the same film, with one charge for all, and waits until it is drawn."""
    charges = Charges(1)
    tasks = [asyncio.create_task(film(pictures, charges=charges)) for _ in range(count)]
    while not worker.drawn:
        await asyncio.sleep(0)
    return tasks


async def test_requests_at_the_same_time_share_one_drawing_and_one_charge(tmp_path: Path) -> None:
    worker = GatedWorker(is_open=False)
    pictures = cache(worker, tmp_path)
    gone, *others = await begun(pictures, worker, 40)
    # One that goes away does not take the picture from the others.
    gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    worker.gate.set()
    assert set(await asyncio.gather(*others)) == {FILM}
    assert await film(pictures, charges=Charges(0)) == FILM
    assert worker.drawn == 1


async def test_a_refused_request_begins_no_drawing(tmp_path: Path) -> None:
    worker = GatedWorker()
    with pytest.raises(Refused, check=has_code("too_many_pictures")):
        await film(cache(worker, tmp_path), charges=Charges(0))
    full = PictureCache(worker, no_slot, tmp_path, 16)  # type: ignore[arg-type]
    for _ in range(2):
        with pytest.raises(Refused, check=has_code("too_many_pictures")):
            await film(full)
    assert worker.drawn == 0


async def test_stopping_ends_drawings(tmp_path: Path) -> None:
    worker = GatedWorker(is_open=False)
    pictures = cache(worker, tmp_path)
    (waiting,) = await begun(pictures, worker, 1)
    await pictures.stop()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert worker.is_stopped


async def test_the_least_recently_used_files_are_deleted(tmp_path: Path) -> None:
    worker = GatedWorker()
    pictures = cache(worker, tmp_path, max_mib=1)
    for number in range(PER_MIB):
        await film(pictures, number)
        os.utime(tmp_path / f"{digest_of(job(number))}.gif", (number, number))
    # A new cache has nothing in memory: reading the oldest file makes it the newest.
    pictures = cache(worker, tmp_path, max_mib=1)
    await film(pictures, 0)
    assert worker.drawn == PER_MIB
    await film(pictures, 9)
    assert {path.stem for path in tmp_path.iterdir()} == {digest_of(job(0)), digest_of(job(9))}


@pytest.mark.parametrize("content", [b"", FILM[:1000]], ids=["empty", "cut"])
async def test_a_file_that_was_cut_off_is_drawn_again(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / f"{digest_of(job())}.gif"
    path.write_bytes(content)
    assert await film(cache(GatedWorker(), tmp_path)) == path.read_bytes() == FILM


async def test_a_full_disk_does_not_take_the_picture_away(tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    assert await film(cache(GatedWorker(), tmp_path / "a file")) == FILM
