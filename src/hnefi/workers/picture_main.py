"""A process that paints one picture: a job as JSON comes in, a file goes out.

Making pixels takes long; here it runs with little priority and limited memory, and holds nothing up.
"""

import io
import json
import sys
from typing import Any

import resvg_py
from PIL import Image

from hnefi import diagram
from hnefi._core import Game, Rules, Setup
from hnefi.workers.limits import limit_process

__all__ = ["main"]

_CPU_S = 90
_STILL_PX, _MOVING_PX = 960, 480
_MOVE_MS, _END_MS = 900, 3_000
_COLOURS = 96
# A longer game is shown with some moves left out, evenly.
_MOST_FRAMES = 240


def main() -> int:
    """Paints what the input asks for."""
    limit_process(int(sys.argv[1]), _CPU_S)
    job = json.load(sys.stdin)
    picture = _still(job) if job["kind"] == "png" else _moving(job)
    sys.stdout.buffer.write(picture)
    return 0


def _still(job: dict[str, Any]) -> bytes:
    return _pixels(_games(job)[job["ply"]], job, _STILL_PX)


def _moving(job: dict[str, Any]) -> bytes:
    """Paints the whole game; colours are those of its first picture, in which every piece stands."""
    games = _games(job)
    step = -(-len(games) // _MOST_FRAMES)
    # From the end, so that the last position is there in any case.
    chosen = games[::-1][::step][::-1]
    images = [Image.open(io.BytesIO(_pixels(game, job, _MOVING_PX))).convert("RGB") for game in chosen]
    palette = images[0].quantize(_COLOURS, dither=Image.Dither.NONE)
    frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    times = [_MOVE_MS] * (len(frames) - 1) + [_END_MS]
    written = io.BytesIO()
    frames[0].save(
        written,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=times,
        loop=0,
        optimize=True,
        disposal=1,
    )
    return written.getvalue()


def _games(job: dict[str, Any]) -> list[Game]:
    """Gives the game after each of its plies, the start first."""
    game = Game(Rules(job["rules"]), Setup(job["start"]))
    games = [game]
    for move in job["moves"]:
        game = game.play(move)
        games.append(game)
    return games


def _pixels(game: Game, job: dict[str, Any], size_px: int) -> bytes:
    drawn = diagram.svg(game, size_px=size_px, theme=job["theme"], lang=job["lang"])
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, sans_serif_family="DejaVu Sans"))


if __name__ == "__main__":
    sys.exit(main())
