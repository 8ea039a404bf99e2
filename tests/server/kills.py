"""Kills a server while games are played on it, and compares what it kept with what it had acknowledged.

The clients are the oracle: each notes what was acknowledged to it, and plays on after every kill.
"""

import asyncio
import contextlib
import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.exceptions import WebSocketException

from hnefi import Game, variant
from tests.server.serving import Asker, Player, RunningServer

VARIANT = "brandub-globe"
_RETRY_S = 0.1


@dataclass
class Table:
    """A game that one program plays on both seats, and what it was told is kept."""

    game: str
    tokens: tuple[str, str]
    chance: random.Random
    acknowledged: dict[str, int] = field(default_factory=dict)
    """The ids of messages, and the events they became."""

    moves: dict[str, str] = field(default_factory=dict)
    """The ids of messages, and the moves they asked for."""

    sent: tuple[str, str, int, int] | None = None
    """The unanswered message: its id, the move, the event it follows, the player."""

    is_over: bool = False
    refused: int = 0
    """How often the server answered `not_saved`."""

    unanswered: int = 0
    """How often a message was repeated after a kill."""


def new_table(server: RunningServer, seed: int, clock: dict[str, Any] | None = None) -> Table:
    """Creates a game with both seats taken."""
    ana, bran = Asker(server.address), Asker(server.address)
    wish = {"variant": VARIANT, "opponent": "friend", "side": "attackers"}
    made = ana.ask("POST", "/api/games", {**wish, "clock": clock or {"kind": "none"}})
    bran.ask("POST", f"/api/games/{made['game']}/join", {"invite": made["invite"]})
    return Table(made["game"], (ana.token, bran.token), random.Random(seed))


async def play_on(server: RunningServer, table: Table, pause_s: float = 0.0) -> None:
    """Plays a table until the game is over or the connection breaks; what was not answered is asked again."""
    players = [Player(server, table.game, token) for token in table.tokens]
    try:
        await _play_on(table, players, pause_s)
    finally:
        for player in players:
            await player.close()


async def _play_on(table: Table, players: list[Player], pause_s: float) -> None:
    with contextlib.suppress(OSError, WebSocketException, TimeoutError, asyncio.IncompleteReadError):
        for player in players:
            await player.connect()
            await player.hear_until("state")
        seq, turn = players[0].seq, players[0].state["legs"][-1]["turn"]
        if table.sent is not None:
            table.unanswered += 1
        game = Game.replay(
            variant(VARIANT).rules, None, [ply["move"] for ply in players[0].state["legs"][-1]["plies"]]
        )
        while turn is not None:
            if table.sent is None:
                mover = 0 if turn == "attackers" else 1
                move = str(table.chance.choice(game.legal_moves()))
                table.sent = (f"m{seq}-{table.chance.randrange(10**9)}", move, seq, mover)
            message_id, move, after, mover = table.sent
            table.moves[message_id] = move
            await players[mover].say(type="move", id=message_id, seq=after, move=move)
            while (answer := await players[mover].hear())["type"] not in ("ack", "reject"):
                pass
            if answer["type"] == "reject":
                if answer["code"] != "not_saved":
                    raise AssertionError(answer)
                table.refused += 1
                await asyncio.sleep(_RETRY_S)
                continue
            table.acknowledged[message_id] = answer["seq"]
            table.sent = None
            if answer["seq"] > seq:
                seq = answer["seq"]
                game = game.play(move)
                turn = game.turn.value if game.turn else None
            await asyncio.sleep(pause_s)
        table.is_over = True


async def play_until_killed(
    server: RunningServer, tables: list[Table], moves: int, kill: Callable[[], object]
) -> None:
    """Plays all tables at once, and kills the server when so many more moves were answered."""
    until = _answered(tables) + moves
    playing = [asyncio.create_task(play_on(server, table)) for table in tables]
    while _answered(tables) < until and not all(task.done() for task in playing):
        await asyncio.sleep(0.002)
    kill()
    done = await asyncio.gather(*playing, return_exceptions=True)
    for result in done:
        if isinstance(result, BaseException):
            raise result


def _answered(tables: list[Table]) -> int:
    return sum(len(table.acknowledged) + table.refused for table in tables)


def check(folder: Path, tables: list[Table]) -> int:
    """Compares the database with what was acknowledged; gives how many moves were.

    Nothing acknowledged may be missing or be another move, nothing may be there twice or out of order, and
    nothing that nobody asked for.
    """
    acknowledged = 0
    with contextlib.closing(sqlite3.connect(f"file:{folder / 'games.db'}?mode=ro", uri=True)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for table in tables:
            rows = database.execute(
                "SELECT seq, message, json_extract(body, '$.kind'), json_extract(body, '$.move') FROM event"
                " WHERE game = ? ORDER BY seq",
                (table.game,),
            ).fetchall()
            assert [row[0] for row in rows] == list(range(1, len(rows) + 1)), "a hole in the log"
            moves = {row[1].partition(":")[2]: (row[0], row[3]) for row in rows if row[2] == "moved"}
            assert len(moves) == sum(1 for row in rows if row[2] == "moved"), "a move is there twice"
            for message_id, seq in table.acknowledged.items():
                assert moves.get(message_id) == (seq, table.moves[message_id]), "an acknowledged move is lost"
            pending = {table.sent[0]} if table.sent else set()
            assert set(moves) - set(table.acknowledged) <= pending, "a move that nobody asked for"
            Game.replay(variant(VARIANT).rules, None, [row[3] for row in rows if row[2] == "moved"])
            acknowledged += len(table.acknowledged)
    return acknowledged
