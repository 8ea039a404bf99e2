"""Pictures of games to keep and to send: as SVG, PNG and animated GIF; and addresses to be photographed."""

import asyncio
import json
import sys
from collections import OrderedDict
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import segno
from fastapi import APIRouter, Path, Query, Request, Response

from hnefi import diagram
from hnefi._core import Game
from hnefi.i18n import language_of
from hnefi.server.games.state import State
from hnefi.server.http.throttle import Desk
from hnefi.server.messages.http import QrRequest, QrView
from hnefi.server.refusals import refused
from hnefi.server.service import Service

__all__ = ["Painters", "add_pictures", "qr_view"]

Kind = Literal["svg", "png", "gif"]
GameId = Annotated[str, Path(min_length=1, max_length=32, pattern="^[A-Za-z0-9]+$")]
_TYPES: dict[Kind, str] = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif"}
_LONGEST_S = 100.0
_LONGEST_QUEUE = 6
_MEMORY_MIB = 1024
_MOST_KEPT = 24
_PER_S, _BURST = 0.2, 20.0
_SVG_PX = 960


@dataclass(frozen=True, slots=True)
class _Wish:
    """A picture: of a position, or of a whole leg."""

    kind: Kind
    rules: str
    start: str
    moves: tuple[str, ...]
    ply: int
    theme: str
    lang: str


class Painters:
    """Paints in processes of their own, one at a time, and keeps the last pictures."""

    def __init__(self, desk: Desk) -> None:
        """Begins with none.

        Args:
            desk: Where those wait for whom there is something to paint.
        """
        self._desk = desk
        self._kept: OrderedDict[_Wish, bytes] = OrderedDict()

    async def paint(self, wish: _Wish) -> bytes:
        """Gives a picture.

        Raises:
            Refused: `too_many_pictures`, if too many wait already; `engine_busy`, if it takes too long.
        """
        if wish in self._kept:
            self._kept.move_to_end(wish)
            return self._kept[wish]
        async with self._desk.turn():
            painted = await _run(wish)
        self._kept[wish] = painted
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return painted


async def _run(wish: _Wish) -> bytes:
    job: dict[str, Any] = {name: getattr(wish, name) for name in wish.__slots__}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "hnefi.workers.picture_main", str(_MEMORY_MIB)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_LONGEST_S):
            painted, _ = await process.communicate(json.dumps(job).encode())
    except TimeoutError:
        raise refused("engine_busy") from None
    finally:
        if process.returncode is None:
            process.kill()
            # To the end of its output: its pipes are closed only then.
            await process.communicate()
    if process.returncode != 0:
        raise refused("engine_busy")
    return painted


def _wish(
    state: State, number: int, ply: int | None, kind: Kind, theme: str, lang: str
) -> tuple[_Wish, Game]:
    """Gives what is to be painted, and the game as it stood then."""
    if not 1 <= number <= len(state.legs):
        raise refused("no_such_leg", leg=number)
    game = state.legs[number - 1].called.game
    moves = tuple(str(one.move) for one in game.plies)
    at = len(moves) if ply is None else min(ply, len(moves))
    seen = Game.replay(game.rules, game.start, moves[:at])
    wish = _Wish(kind, game.rules.to_json(), str(game.start), moves, at, theme, lang)
    return wish, seen


def add_pictures(router: APIRouter, service: Service) -> None:
    """Adds the addresses of pictures."""
    desk = Desk("too_many_pictures", _PER_S, _BURST, longest_queue=_LONGEST_QUEUE)
    painters = Painters(desk)

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
        """Gives a picture of a position, the last one without `ply`; as GIF, of a whole leg move by move."""
        room = await service.rooms.room(game)
        wish, seen = _wish(room.state, leg, ply, kind, theme, language_of(lang))
        if kind == "svg":
            content = diagram.svg(seen, size_px=_SVG_PX, theme=theme, lang=wish.lang).encode()
        else:
            desk.admit(request)
            content = await painters.paint(wish)
        what = f"{leg}" if kind == "gif" else f"{leg}-{wish.ply}"
        headers = {"Content-Disposition": f'attachment; filename="{room.id}-{what}.{kind}"'}
        return Response(content, media_type=_TYPES[kind], headers=headers)

    @router.post("/qr")
    async def qr(body: QrRequest) -> QrView:
        """Draws an address so that a telephone can read it."""
        return qr_view(body.text)


def qr_view(text: str) -> QrView:
    """Draws a text as a QR code.

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
