"""Crash tests: kills a server during games, and compares its database with the acknowledged moves.

The clients are the oracle: each records its acknowledged moves, and resumes its game after every kill.
"""

import asyncio
import contextlib
import json
import random
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.exceptions import WebSocketException

from hnefi import Game, variant
from tests.server.serving import HttpClient, RunningServer, SocketClient

VARIANT = "brandub-globe"
EVENTS = "SELECT seq, message, body FROM event"
_RETRY_S = 0.1


@dataclass
class ClientGame:
    """A game played by one client on both seats, with its acknowledged moves."""

    id: str
    tokens: tuple[str, str]
    chance: random.Random
    acknowledged: dict[str, int] = field(default_factory=dict)
    """Message id → sequence number of its event."""

    moves: dict[str, str] = field(default_factory=dict)
    """Message id → move."""

    sent: tuple[str, str, int, int] | None = None
    """The unanswered message: its id, the move, the event it follows, the player."""

    is_over: bool = False
    refused: int = 0
    """Number of `not_saved` responses."""

    unanswered: int = 0
    """Number of messages sent again after a kill."""


def new_client_game(server: RunningServer, seed: int, clock: dict[str, Any] | None = None) -> ClientGame:
    """Creates a game with both seats taken."""
    ana, bran = HttpClient(server.address), HttpClient(server.address)
    wish = {"variant": VARIANT, "opponent": "friend", "side": "attackers"}
    made = ana.request("POST", "/api/games", {**wish, "clock": clock or {"kind": "none"}})
    bran.request("POST", f"/api/games/{made['game']}/join", {"invite": made["invite"]})
    return ClientGame(made["game"], (ana.token, bran.token), random.Random(seed))


async def play_on(
    server: RunningServer, game: ClientGame, pause_s: float = 0.0, other: RunningServer | None = None
) -> None:
    """Plays a game until it is over or the connection breaks; sends an unanswered message again.

    Args:
        server: The server.
        game: The game.
        pause_s: How long to wait after each move.
        other: Another process, for the second player.
    """
    servers = (server, other or server)
    players = [SocketClient(one, game.id, token) for one, token in zip(servers, game.tokens, strict=True)]
    try:
        await _play_on(game, players, pause_s)
    finally:
        for player in players:
            await player.close()


async def _play_on(game: ClientGame, players: list[SocketClient], pause_s: float) -> None:
    with contextlib.suppress(OSError, WebSocketException, TimeoutError, asyncio.IncompleteReadError):
        for player in players:
            await player.connect()
            while (first := await player.receive())["type"] != "state":
                if first["type"] == "reject":
                    assert first["code"] == "not_saved", first
                    raise ConnectionError("the database cannot be read")
            assert player.seq >= max(game.acknowledged.values(), default=0), "an old state is shown"
        seq, turn = players[0].seq, players[0].state["legs"][-1]["turn"]
        if game.sent is not None:
            game.unanswered += 1
        played = Game.replay(
            variant(VARIANT).rules, None, [ply["move"] for ply in players[0].state["legs"][-1]["plies"]]
        )
        while turn is not None:
            if game.sent is None:
                mover = 0 if turn == "attackers" else 1
                move = str(game.chance.choice(played.legal_moves()))
                game.sent = (f"m{seq}-{game.chance.randrange(10**9)}", move, seq, mover)
            message_id, move, after, mover = game.sent
            game.moves[message_id] = move
            await players[mover].send(type="move", id=message_id, seq=after, move=move)
            while (answer := await players[mover].receive())["type"] not in ("ack", "reject"):
                pass
            if answer["type"] == "reject":
                if answer["code"] != "not_saved":
                    raise AssertionError(answer)
                game.refused += 1
                await asyncio.sleep(_RETRY_S)
                continue
            game.acknowledged[message_id] = answer["seq"]
            game.sent = None
            if answer["seq"] > seq:
                seq = answer["seq"]
                played = played.play(move)
                turn = played.turn.value if played.turn else None
            await asyncio.sleep(pause_s)
        game.is_over = True


async def play_until_killed(
    server: RunningServer,
    games: list[ClientGame],
    moves: int,
    kill: Callable[[], object],
    other: RunningServer | None = None,
) -> None:
    """Plays all games concurrently, and kills a server after a number of further answers.

    With another process, the opponents of every second game have changed places.
    """
    until = _answered(games) + moves
    places = [(server, other or server), (other or server, server)]
    playing = [
        asyncio.create_task(play_on(places[number % 2][0], game, other=places[number % 2][1]))
        for number, game in enumerate(games)
    ]
    while _answered(games) < until and not all(task.done() for task in playing):
        await asyncio.sleep(0.002)
    kill()
    done = await asyncio.gather(*playing, return_exceptions=True)
    for result in done:
        if isinstance(result, BaseException):
            raise result


def _answered(games: list[ClientGame]) -> int:
    return sum(len(game.acknowledged) + game.refused for game in games)


def check(folder: Path, games: list[ClientGame]) -> int:
    """Compares the database with the acknowledged moves, and returns their number.

    Every acknowledged move is stored unchanged, once and in order. A stored move that was not acknowledged
    must be a pending one.
    """
    acknowledged = 0
    with contextlib.closing(sqlite3.connect(f"file:{folder / 'games.db'}?mode=ro", uri=True)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for game in games:
            rows = database.execute(f"{EVENTS} WHERE game = ? ORDER BY seq", (game.id,)).fetchall()
            acknowledged += check_game(game, rows)
    return acknowledged


def check_game(game: ClientGame, rows: Sequence[tuple[Any, ...]]) -> int:
    """Compares the stored events of a game with its acknowledged moves, and returns their number.

    Args:
        game: The game.
        rows: The number, the message and the body of each event.
    """
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1)), "a gap in the log"
    bodies = [(seq, message, json.loads(body)) for seq, message, body in rows]
    played = [(message, seq, body["move"]) for seq, message, body in bodies if body["kind"] == "moved"]
    moves = {message.partition(":")[2]: (seq, move) for message, seq, move in played}
    assert len(moves) == len(played), "a move is stored twice"
    for message_id, seq in game.acknowledged.items():
        assert moves.get(message_id) == (seq, game.moves[message_id]), "an acknowledged move is lost"
    pending = {game.sent[0]} if game.sent else set()
    assert set(moves) - set(game.acknowledged) <= pending, "a move that was not sent"
    Game.replay(variant(VARIANT).rules, None, [move for *_, move in played])
    return len(game.acknowledged)
