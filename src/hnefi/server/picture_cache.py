"""The picture cache: each picture is drawn once, however many requests ask for it at the same time.

The last pictures are in memory. Animations of finished legs are also files in the data folder: drawing one
takes up to a minute of processor time, it never changes, and it has to outlast a restart and a busy hour.
"""

import asyncio
import contextlib
import hashlib
import logging
import os
from pathlib import Path

from starlette.types import Scope

from hnefi import __version__
from hnefi.files import write_atomically
from hnefi.server.http.cached_work import CachedWork
from hnefi.server.http.costs import ChargedWorker
from hnefi.workers.pictures import PictureJob

_log = logging.getLogger(__name__)

_MAX_IN_MEMORY = 24
_BEGINS, _ENDS = b"GIF8", b";"


def digest_of(job: PictureJob) -> str:
    """Returns what identifies a picture: a digest of all that it shows, and of the version that draws it."""
    return hashlib.sha256(repr((__version__, job)).encode()).hexdigest()[:40]


class PictureCache:
    """Draws pictures in a worker process, and caches them."""

    def __init__(self, worker: ChargedWorker, folder: Path, max_mib: int) -> None:
        """Creates an empty cache in memory; files of earlier runs are used again.

        The folder is created with the first file. If its files take more than `max_mib`, the least recently
        used are deleted.
        """
        self._worker = worker
        self._folder = folder
        self._max_bytes = max_mib * 2**20
        self._pictures = CachedWork[str, bytes](_MAX_IN_MEMORY)

    def __len__(self) -> int:
        """Counts the pictures that are drawn or wait for it."""
        return self._pictures.running

    async def picture(self, job: PictureJob, scope: Scope, *, is_final: bool) -> bytes:
        """Returns a picture.

        The client of `scope` is charged if it is neither cached nor being drawn. One that `is_final` can
        never change, so that an animation is also stored in a file. Raises as `ChargedWorker.run`.
        """
        digest = digest_of(job)
        stores = is_final and job.kind == "gif"
        return await self._pictures.result(digest, lambda: self._draw(digest, job, scope, stores=stores))

    async def stop(self) -> None:
        """Stops drawing."""
        await self._pictures.stop()
        await self._worker.stop()

    async def _draw(self, digest: str, job: PictureJob, scope: Scope, *, stores: bool) -> bytes:
        if stores and (found := await asyncio.to_thread(self._read, digest)) is not None:
            return found
        picture: bytes = await self._worker.run(job, scope)
        if stores:
            await asyncio.to_thread(self._write, digest, picture)
        return picture

    def _path(self, digest: str) -> Path:
        return self._folder / f"{digest}.gif"

    def _read(self, digest: str) -> bytes | None:
        """Returns an animation, None if its file has gone or was cut off by a loss of power."""
        path = self._path(digest)
        try:
            found = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        return found if found.startswith(_BEGINS) and found.endswith(_ENDS) else None

    def _write(self, digest: str, picture: bytes) -> None:
        """Writes an animation, and deletes the least recently used ones if there are too many."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(self._path(digest), picture, mode=0o600)
            self._prune()
        except OSError as error:
            _log.warning("could not store an animation: %s", error)

    def _prune(self) -> None:
        facts = []
        for path in self._folder.iterdir():
            with contextlib.suppress(OSError):
                found = path.stat()
                facts.append((found.st_mtime_ns, found.st_size, path))
        size = sum(size for _, size, _ in facts)
        for _, bytes_freed, path in sorted(facts):
            if size <= self._max_bytes:
                return
            with contextlib.suppress(OSError):
                path.unlink()
            size -= bytes_freed
