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

    def __init__(self) -> None:
        self.gate = asyncio.Event()
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


def test_requests_at_the_same_time_share_one_drawing_and_one_charge(tmp_path: Path) -> None:
    async def scenario() -> None:
        worker, charges = GatedWorker(), Charges(1)
        pictures = cache(worker, tmp_path)
        requests = [
            asyncio.create_task(pictures.picture(job(), is_final=True, charge=charges)) for _ in range(40)
        ]
        while not worker.drawn:
            await asyncio.sleep(0)
        worker.gate.set()
        assert set(await asyncio.gather(*requests)) == {FILM}
        assert await pictures.picture(job(), is_final=True, charge=charges) == FILM
        assert (worker.drawn, charges.count) == (1, 1)

    asyncio.run(scenario())


def test_a_client_that_goes_away_does_not_take_the_picture_from_others(tmp_path: Path) -> None:
    async def scenario() -> None:
        worker, charges = GatedWorker(), Charges()
        pictures = cache(worker, tmp_path)
        first, second = (
            asyncio.create_task(pictures.picture(job(), is_final=True, charge=charges)) for _ in range(2)
        )
        while not worker.drawn:
            await asyncio.sleep(0)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        worker.gate.set()
        assert await second == FILM
        assert worker.drawn == 1

    asyncio.run(scenario())


def test_a_refused_request_begins_no_drawing(tmp_path: Path) -> None:
    async def scenario() -> None:
        worker = GatedWorker()
        with pytest.raises(Refused, check=has_code("too_many_pictures")):
            await cache(worker, tmp_path).picture(job(), is_final=True, charge=Charges(0))
        full = PictureCache(worker, no_slot, tmp_path, 16)  # type: ignore[arg-type]
        for _ in range(2):
            with pytest.raises(Refused, check=has_code("too_many_pictures")):
                await full.picture(job(), is_final=True, charge=Charges())
        assert worker.drawn == 0

    asyncio.run(scenario())


def test_stopping_ends_drawings(tmp_path: Path) -> None:
    async def scenario() -> None:
        worker = GatedWorker()
        pictures = cache(worker, tmp_path)
        waiting = asyncio.create_task(pictures.picture(job(), is_final=True, charge=Charges()))
        while not worker.drawn:
            await asyncio.sleep(0)
        await pictures.stop()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert worker.is_stopped

    asyncio.run(scenario())


def test_the_least_recently_used_files_are_deleted(tmp_path: Path) -> None:
    async def scenario() -> None:
        worker, charges = GatedWorker(), Charges()
        worker.gate.set()
        pictures = cache(worker, tmp_path, max_mib=1)
        for number in range(PER_MIB):
            await pictures.picture(job(number), is_final=True, charge=charges)
            os.utime(tmp_path / f"{digest_of(job(number))}.gif", (number, number))
        # A new cache has nothing in memory: reading the oldest file makes it the newest.
        pictures = cache(worker, tmp_path, max_mib=1)
        await pictures.picture(job(0), is_final=True, charge=charges)
        assert worker.drawn == PER_MIB
        await pictures.picture(job(9), is_final=True, charge=charges)
        assert {path.stem for path in tmp_path.iterdir()} == {digest_of(job(0)), digest_of(job(9))}

    asyncio.run(scenario())


@pytest.mark.parametrize("content", [b"", FILM[:1000]])
def test_a_file_that_was_cut_off_is_drawn_again(tmp_path: Path, content: bytes) -> None:
    async def scenario() -> None:
        worker = GatedWorker()
        worker.gate.set()
        path = tmp_path / f"{digest_of(job())}.gif"
        path.write_bytes(content)
        assert await cache(worker, tmp_path).picture(job(), is_final=True, charge=Charges()) == FILM
        assert path.read_bytes() == FILM

    asyncio.run(scenario())


def test_a_full_disk_does_not_take_the_picture_away(tmp_path: Path) -> None:
    async def scenario() -> None:
        worker = GatedWorker()
        worker.gate.set()
        (tmp_path / "a file").touch()
        pictures = cache(worker, tmp_path / "a file")
        assert await pictures.picture(job(), is_final=True, charge=Charges()) == FILM

    asyncio.run(scenario())
