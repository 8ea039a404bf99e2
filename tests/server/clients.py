"""Clients of a server inside the test: a browser and a program."""

from typing import Any

from httpx2 import Client, Response
from starlette.testclient import TestClient

from tests.server.conftest import OWN

FRIENDLY = {"variant": "brandub-globe", "opponent": "friend", "side": "attackers", "name": "Ana"}


class Program:
    """A program: its secret is in a header."""

    def __init__(self, server: Client) -> None:
        self.server = server
        self.token: str = server.post("/api/visitors").json()["token"]

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def get(self, path: str) -> Response:
        return self.server.get(path, headers=self.headers)

    def post(self, path: str, body: object = None, **more: Any) -> Response:
        return self.server.post(path, json=body, headers={**self.headers, **more.pop("headers", {})}, **more)

    def state(self, game: str) -> Any:
        return self.get(f"/api/games/{game}").json()

    def do(self, game: str, action: str, seq: int | None = None, message: str | None = None) -> Response:
        """Sends a command, which is for the board of now unless an event is given."""
        at = self.state(game)["seq"] if seq is None else seq
        return self.post(
            f"/api/games/{game}/commands", {"id": message or f"{action}{at}", "seq": at, "do": action}
        )

    def move(self, game: str, move: str, seq: int, message: str = "m") -> Response:
        return self.post(f"/api/games/{game}/moves", {"id": f"{message}{seq}", "seq": seq, "move": move})


class Browser:
    """A browser: it sends its secret in a cookie, and an `Origin` header."""

    def __init__(self, server: TestClient, origin: str = OWN) -> None:
        self.client = TestClient(server.app, base_url=OWN, follow_redirects=False)
        # The application already runs; this client only keeps cookies of its own.
        self.client.portal = server.portal
        self.headers = {"Origin": origin, "Sec-Fetch-Site": "same-origin"}

    def post(self, path: str, body: object = None, **more: Any) -> Response:
        headers = {**self.headers, **more.pop("headers", {})}
        return self.client.post(path, json=body, headers=headers, **more)

    def get(self, path: str, **more: Any) -> Response:
        return self.client.get(path, **more)


def two_at_a_game(server: Client, **changes: object) -> tuple[str, Program, Program]:
    """Returns a game with both seats taken, after three events."""
    ana, bran = Program(server), Program(server)
    made = ana.post("/api/games", {**FRIENDLY, **changes}).json()
    joined = bran.post(f"/api/games/{made['game']}/join", {"invite": made["invite"], "name": "Bran"})
    assert joined.status_code == 200, joined.text
    return made["game"], ana, bran


def rematch(game: str, ana: Program, bran: Program) -> Any:
    """Ends a game; returns the state of the next one between the two."""
    for who, what in ((ana, "resign"), (bran, "offer_rematch"), (ana, "accept_rematch")):
        assert who.do(game, what).status_code == 200
    return ana.state(ana.state(game)["rematch"])


def refused(answer: Response) -> tuple[int, str]:
    """Returns the status and the code of a refusal, which also has words."""
    body = answer.json()
    assert body["message"]
    return answer.status_code, body["code"]
