"""Pictures of games as SVG, PNG and animated GIF, and QR codes, by HTTP."""

from collections import OrderedDict
from typing import Annotated, Literal

import segno
from fastapi import APIRouter, Path, Query, Request, Response

from hnefi import diagram
from hnefi._core import Game
from hnefi.i18n import language_of
from hnefi.server.games.state import State
from hnefi.server.http.throttle import Throttle
from hnefi.server.messages.http import QrRequest, QrView
from hnefi.server.refusals import refused
from hnefi.server.service import Service
from hnefi.workers.pictures import PictureJob, picture_worker

__all__ = ["add_pictures", "qr_view"]

Kind = Literal["svg", "png", "gif"]
GameId = Annotated[str, Path(min_length=1, max_length=32, pattern="^[A-Za-z0-9]+$")]
_TYPES: dict[Kind, str] = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif"}
_MAX_QUEUE = 6
_MAX_CACHED = 24
_PER_S, _BURST = 0.2, 20.0
_SVG_PX = 960


class _Pictures:
    """Draws pictures one at a time, and caches the last ones."""

    def __init__(self, throttle: Throttle) -> None:
        self._throttle = throttle
        self._worker = picture_worker()
        self._cache: OrderedDict[PictureJob, bytes] = OrderedDict()

    async def draw(self, job: PictureJob) -> bytes:
        """Returns a picture.

        Raises:
            HnefiError: `too_many_pictures` if the queue is full; `engine_busy` if it takes too long.
        """
        if job in self._cache:
            self._cache.move_to_end(job)
            return self._cache[job]
        async with self._throttle.slot():
            picture: bytes = await self._worker.run(job)
        self._cache[job] = picture
        if len(self._cache) > _MAX_CACHED:
            self._cache.popitem(last=False)
        return picture


def _job(
    state: State, number: int, ply: int | None, kind: Kind, theme: str, lang: str
) -> tuple[PictureJob, Game]:
    """Returns the job of a picture, and the game at that ply."""
    if not 1 <= number <= len(state.legs):
        raise refused("no_such_leg", leg=number)
    game = state.legs[number - 1].called.game
    moves = tuple(str(one.move) for one in game.plies)
    at = len(moves) if ply is None else min(ply, len(moves))
    shown = Game.replay(game.rules, game.start, moves[:at])
    return PictureJob(kind, game.rules.to_json(), str(game.start), moves, at, theme, lang), shown


def add_pictures(router: APIRouter, service: Service) -> None:
    """Adds the routes of pictures."""
    throttle = Throttle("too_many_pictures", _PER_S, _BURST, max_queue=_MAX_QUEUE)
    pictures = _Pictures(throttle)

    @router.get(
        "/games/{game}/picture.{kind}",
        response_class=Response,
        responses={200: {"content": {media_type: {} for media_type in _TYPES.values()}}},
    )
    async def picture(
        game: GameId,
        kind: Kind,
        request: Request,
        leg: Annotated[int, Query(ge=1, le=2)] = 1,
        ply: Annotated[int | None, Query(ge=0, le=10_000)] = None,
        theme: Literal["driftwood", "slate", "print"] = "driftwood",
        lang: Annotated[str, Query(max_length=8, pattern="^[a-z-]*$")] = "en",
    ) -> Response:
        """Returns a picture of a position, the last one without `ply`; as GIF, of a whole leg."""
        room = await service.rooms.room(game)
        job, shown = _job(room.state, leg, ply, kind, theme, language_of(lang))
        if kind == "svg":
            content = diagram.svg(shown, size_px=_SVG_PX, theme=theme, lang=job.lang).encode()
        else:
            throttle.admit(request)
            content = await pictures.draw(job)
        what = f"{leg}" if kind == "gif" else f"{leg}-{job.ply}"
        headers = {"Content-Disposition": f'attachment; filename="{room.id}-{what}.{kind}"'}
        return Response(content, media_type=_TYPES[kind], headers=headers)

    @router.post("/qr")
    async def qr(body: QrRequest) -> QrView:
        """Returns a text as a QR code."""
        return qr_view(body.text)


def qr_view(text: str) -> QrView:
    """Returns a text as a QR code.

    >>> qr_view("a").size
    29
    """
    code = segno.make(text, error="m", micro=False)
    rows = [list(row) for row in code.matrix_iter(border=4)]
    parts = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            end = x
            while end < len(row) and row[end]:
                end += 1
            if end > x:
                parts.append(f"M{x} {y}h{end - x}v1H{x}z")
            x = end + 1
    return QrView(size=len(rows), path="".join(parts))
