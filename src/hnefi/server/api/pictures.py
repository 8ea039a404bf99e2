"""Pictures of games as SVG, PNG and animated GIF, and QR codes, by HTTP."""

from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from hnefi.i18n import language_of
from hnefi.server.games.state import State
from hnefi.server.http.rendered import is_known
from hnefi.server.messages.http import QrRequest, QrView
from hnefi.server.messages.socket import GameId
from hnefi.server.picture_cache import digest_of
from hnefi.server.refusals import refused
from hnefi.server.service import Service
from hnefi.workers.pictures import PictureJob

Kind = Literal["svg", "png", "gif"]
_TYPES: dict[Kind, str] = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif"}
_FINAL = "public, max-age=86400"


def _job(
    state: State, leg: int, ply: int | None, kind: Kind, theme: str, lang: str
) -> tuple[PictureJob, bool]:
    """Returns the job of a picture, and whether it can never change: whether the leg is over.

    What does not show is always the same, so that the same picture is drawn once: an animation has all plies,
    and only a drawing has words, its title.

    Raises:
        Refused: `no_such_leg` or `no_such_ply`.
    """
    shown_lang = language_of(lang) if kind == "svg" else ""
    if not state.legs and leg == 1 and kind != "gif":
        _check_ply(ply, 0)
        start = state.created.start or str(state.rules.start)
        return PictureJob(kind, state.rules.to_json(), start, (), 0, theme, shown_lang), False
    shown = state.begun_leg(leg)
    game, moves = shown.game, tuple(str(one.move) for one in shown.game.plies)
    at = len(moves) if ply is None or kind == "gif" else ply
    _check_ply(at, len(moves))
    job = PictureJob(kind, game.rules.to_json(), str(game.start), moves, at, theme, shown_lang)
    return job, shown.outcome is not None


def _check_ply(ply: int | None, count: int) -> None:
    if ply is not None and ply > count:
        raise refused("no_such_ply", ply=ply, count=count)


def add_pictures(router: APIRouter, service: Service) -> None:
    """Adds the routes of pictures."""

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
        theme: Literal["driftwood", "firelight", "slate", "print"] = "driftwood",
        lang: Annotated[str, Query(max_length=8, pattern="^[a-z-]*$")] = "en",
    ) -> Response:
        """Returns a picture of a position, the last one without `ply`; as GIF, of a whole leg.

        Of a game that waits for its second player, it is the start position.

        It has an `ETag`. Pictures of a leg that is over may be cached for a day.
        """
        state = (await service.games.read(game)).state
        job, is_final = _job(state, leg, ply, kind, theme, lang)
        tag = f'W/"{digest_of(job)}"'
        headers = {"ETag": tag, "Cache-Control": _FINAL if is_final else "no-cache"}
        if is_known(request, tag):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        if kind == "svg":
            content = await service.drawings.run(job, request.scope)
        else:
            content = await service.pictures.picture(job, request.scope, is_final=is_final)
        what = f"{leg}" if kind == "gif" else f"{leg}-{job.ply}"
        headers["Content-Disposition"] = f'attachment; filename="{game}-{what}.{kind}"'
        return Response(content, media_type=_TYPES[kind], headers=headers)

    @router.post("/qr")
    async def qr(body: QrRequest, request: Request) -> QrView:
        """Returns a text as a QR code."""
        size, path = await service.drawings.run(body.text, request.scope)
        return QrView(size=size, path=path)
