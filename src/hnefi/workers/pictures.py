"""The workers that draw, in processes of their own.

The drawing worker draws SVG pictures and QR codes, which take hundredths of a second; the picture worker PNG
and animated GIF, which take up to a minute.
"""

import io
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from hnefi._core import Game, Rules, Setup
from hnefi.workers.limits import Limits
from hnefi.workers.worker import AsyncWorker, Handler

_CPU_S = 90
_TIMEOUT_S = 100.0
_DRAWING_LIMITS = Limits(memory_mib=512, niceness=3)
_DRAWING_TIMEOUT_S = 20.0
_STILL_PX, _ANIMATED_PX = 960, 480
_MOVE_MS, _END_MS = 900, 3_000
_COLOURS = 96
_MAX_FRAMES = 240
"""Of a longer game some positions are left out, evenly."""


@dataclass(frozen=True, slots=True)
class PictureJob:
    """A picture of a position as SVG or PNG, or of a whole leg as GIF."""

    kind: Literal["svg", "png", "gif"]
    rules: str
    start: str
    moves: tuple[str, ...]
    ply: int
    theme: str
    lang: str


def picture_worker(memory_mib: int) -> AsyncWorker:
    """Creates the worker. Each picture has a process of its own, whose limits hold for it alone."""
    limits = Limits(memory_mib, _CPU_S)
    return AsyncWorker(_handler, limits, timeout_s=_TIMEOUT_S, is_reused=False)


def drawing_worker() -> AsyncWorker:
    """Creates the worker; its process starts with the first drawing."""
    return AsyncWorker(_handler, _DRAWING_LIMITS, timeout_s=_DRAWING_TIMEOUT_S)


def _draw(job: PictureJob | str) -> bytes | tuple[int, str]:
    """Returns a picture as a file, or a text as a QR code: its modules a side, and its path."""
    if isinstance(job, str):
        from hnefi.paper.qr_codes import qr_code

        return qr_code(job)
    start = Game(Rules(job.rules), Setup(job.start))
    if job.kind == "gif":
        return _animation(list(accumulate(job.moves, Game.play, initial=start)), job)
    game = Game.replay(start.rules, start.start, job.moves[: job.ply])
    return _svg(game, job, _STILL_PX).encode() if job.kind == "svg" else _png(game, job, _STILL_PX)


def _handler() -> nullcontext[Handler]:
    return nullcontext(_draw)


def _animation(games: list[Game], job: PictureJob) -> bytes:
    """Returns an animated GIF; its palette is that of the first position, which has every kind of piece."""
    from PIL import Image

    step = -(-len(games) // _MAX_FRAMES)
    # Counted from the end, so that the last position is always shown.
    shown = games[::-1][::step][::-1]
    images = [Image.open(io.BytesIO(_png(game, job, _ANIMATED_PX))).convert("RGB") for game in shown]
    palette = images[0].quantize(_COLOURS, dither=Image.Dither.NONE)
    frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    times_ms = [_MOVE_MS] * (len(frames) - 1) + [_END_MS]
    file = io.BytesIO()
    frames[0].save(
        file,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=times_ms,
        loop=0,
        optimize=True,
        disposal=1,
    )
    return file.getvalue()


def _png(game: Game, job: PictureJob, size_px: int) -> bytes:
    import resvg_py

    drawing = _svg(game, job, size_px)
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, sans_serif_family="DejaVu Sans"))


def _svg(game: Game, job: PictureJob, size_px: int) -> str:
    from hnefi import diagram

    return diagram.svg(game, size_px=size_px, theme=job.theme, lang=job.lang)
