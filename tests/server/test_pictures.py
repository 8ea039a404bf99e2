"""Pictures of games over HTTP."""

import io
from typing import Any

import pytest
import segno
from PIL import Image
from starlette.testclient import TestClient

from hnefi import diagram, variant
from tests.server.clients import Program, two_at_a_game
from tests.server.conftest import OWN, settings_in


@pytest.fixture
def game(server: TestClient) -> str:
    """A game of two moves."""
    game, ana, bran = two_at_a_game(server)
    ana.move(game, "d2-c2", 3)
    bran.move(game, "d3-c3", 4)
    return game


def picture(server: TestClient, game: str, kind: str, query: str = "") -> Any:
    return server.get(f"/api/games/{game}/picture.{kind}{query}")


def test_a_drawing_is_that_of_the_library(server: TestClient, game: str) -> None:
    answer = picture(server, game, "svg", "?ply=1&theme=slate&lang=fr")
    played = variant("brandub-globe").new_game().play("d2-c2")
    assert answer.text == diagram.svg(played, size_px=960, theme="slate", lang="fr")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.headers["content-disposition"] == f'attachment; filename="{game}-1-1.svg"'


def test_a_ply_that_has_not_been_played_is_the_last(server: TestClient, game: str) -> None:
    assert picture(server, game, "svg", "?ply=99").text == picture(server, game, "svg").text
    assert picture(server, game, "svg", "?ply=0").text != picture(server, game, "svg").text


def is_dark(pixel: object) -> bool:
    assert isinstance(pixel, tuple)
    return sum(pixel) < 200


def test_pixels_are_those_of_the_drawing(server: TestClient, game: str) -> None:
    start, end = (
        Image.open(io.BytesIO(picture(server, game, "png", query).content)).convert("RGB")
        for query in ("?ply=0", "")
    )
    assert start.size == end.size
    assert start.width == 960
    # d2 has been left, c2 been taken: what stood on the one stands on the other.
    unit = 960 / 8.04
    where = {"c": (round(3.02 * unit), round(6.02 * unit)), "d": (round(4.02 * unit), round(6.02 * unit))}
    dark = {
        name: {file: is_dark(image.getpixel(at)) for file, at in where.items()}
        for name, image in (("start", start), ("end", end))
    }
    assert dark == {"start": {"c": False, "d": True}, "end": {"c": True, "d": False}}


def test_a_film_shows_every_position(server: TestClient, game: str) -> None:
    film = Image.open(io.BytesIO(picture(server, game, "gif").content))
    assert (film.format, film.n_frames, film.size) == ("GIF", 3, (480, 480))  # type: ignore[attr-defined]
    # A picture that was painted is given again.
    assert picture(server, game, "gif").content == picture(server, game, "gif").content


@pytest.mark.parametrize(
    ("kind", "query", "status"),
    [
        ("svg", "?leg=2", 404),
        ("svg", "?leg=3", 422),
        ("svg", "?theme=no", 422),
        ("bmp", "", 422),
        ("png", "?ply=-1", 422),
    ],
)
def test_invalid_picture_requests_are_refused(
    server: TestClient, game: str, kind: str, query: str, status: int
) -> None:
    assert picture(server, game, kind, query).status_code == status


def test_pictures_are_rate_limited(tmp_path: object) -> None:
    from hnefi.server.app import create_app

    with TestClient(create_app(settings_in(tmp_path)), base_url=OWN) as server:
        game, _, _ = two_at_a_game(server)
        # The same picture costs no painting, but asking counts.
        statuses = [picture(server, game, "png").status_code for _ in range(25)]
    assert statuses[:20] == [200] * 20
    assert statuses[-1] == 429


def test_an_address_is_drawn_for_telephones(server: TestClient) -> None:
    text = "https://tafl.example/game/abc#secret"
    drawn = Program(server).post("/api/qr", {"text": text}).json()
    rows = [list(row) for row in segno.make(text, error="m", micro=False).matrix_iter(border=4)]
    painted = {
        (x, int(y))
        for part in drawn["path"].split("M")[1:]
        for start, y, length in [part.replace("h", " ").replace("v", " ").split()[:3]]
        for x in range(int(start), int(start) + int(length))
    }
    assert drawn["size"] == len(rows)
    assert painted == {(x, y) for y, row in enumerate(rows) for x, dark in enumerate(row) if dark}
    assert Program(server).post("/api/qr", {"text": "a" * 301}).status_code == 422
