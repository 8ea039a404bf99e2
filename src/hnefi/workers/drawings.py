"""The drawing worker: SVG pictures and QR codes, which take hundredths of a second, in a worker process."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from hnefi._core import Game, Rules, Setup
from hnefi.workers.limits import Limits
from hnefi.workers.pictures import PictureJob
from hnefi.workers.worker import AsyncWorker, Handler

_LIMITS = Limits(memory_mib=512, niceness=3)
_TIMEOUT_S = 20.0
_SVG_PX = 960


@dataclass(frozen=True, slots=True)
class QrJob:
    """A text as a QR code."""

    text: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing: an SVG file, or the path of a QR code.

    Attributes:
        text: The file or path.
        size: The side of a QR code in modules, 0 for a picture.
    """

    text: str
    size: int


def drawing_worker() -> AsyncWorker:
    """Creates the worker; its process starts with the first drawing."""
    return AsyncWorker(_handler, _LIMITS, timeout_s=_TIMEOUT_S)


@contextmanager
def _handler() -> Iterator[Handler]:
    yield _draw


def _draw(job: PictureJob | QrJob) -> Drawing:
    if not isinstance(job, QrJob):
        return Drawing(_svg(job), 0)
    from hnefi.paper.qr_codes import qr_code

    size, path = qr_code(job.text)
    return Drawing(path, size)


def _svg(job: PictureJob) -> str:
    from hnefi import diagram

    game = Game.replay(Rules(job.rules), Setup(job.start), job.moves[: job.ply])
    return diagram.svg(game, size_px=_SVG_PX, theme=job.theme, lang=job.lang)
