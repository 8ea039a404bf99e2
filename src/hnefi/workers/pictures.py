"""The picture worker: draws PNG and animated GIF, which takes up to a minute, in a worker process."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from hnefi._core import Game, Rules, Setup
from hnefi.workers.limits import Limits
from hnefi.workers.worker import AsyncWorker, Handler

_CPU_S = 90
_TIMEOUT_S = 100.0
_STILL_PX, _ANIMATED_PX = 960, 480
_MOVE_MS, _END_MS = 900, 3_000
_COLOURS = 96
_MAX_FRAMES = 240
"""Of a longer game some positions are left out, evenly."""


@dataclass(frozen=True, slots=True)
class PictureJob:
    """A picture of a position as PNG, or of a whole leg as GIF."""

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


@contextmanager
def _handler() -> Iterator[Handler]:
    yield _draw


def _draw(job: PictureJob) -> bytes:
    """Returns the picture as a file."""
    games = _games(job)
    return _animation(games, job) if job.kind == "gif" else _png(games[job.ply], job, _STILL_PX)


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


def _games(job: PictureJob) -> list[Game]:
    """Returns the game after each of its plies, the start first."""
    game = Game(Rules(job.rules), Setup(job.start))
    games = [game]
    for move in job.moves:
        game = game.play(move)
        games.append(game)
    return games


def _png(game: Game, job: PictureJob, size_px: int) -> bytes:
    import resvg_py

    from hnefi import diagram

    drawing = diagram.svg(game, size_px=size_px, theme=job.theme, lang=job.lang)
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, sans_serif_family="DejaVu Sans"))
