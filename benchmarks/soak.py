"""Memory of the server under steady use: `python -m benchmarks.soak --minutes 60`.

In each round new games are created, followed, played at a steady rate and resigned, and all connections are
closed. Pages, pictures and states are read between the moves. A line for each round shows the memory of the
server process, and what it holds. The memory of the first ten minutes does not count: caches fill up.
"""

import argparse
import asyncio
import json
import secrets
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from benchmarks.server import HOST, Load, start_server
from benchmarks.sockets import Socket, open_socket

WARM_UP_S = 600.0
READS_PER_ROUND = 40
PATHS = (
    "/",
    "/en/",
    "/en/rules/brandub-globe",
    "/fr/rules/tablut-kouvia",
    "/api/games/{game}",
    "/api/games/{game}/record",
)
HELD = ("hnefi_rooms", "hnefi_connections", "hnefi_deadlines")


async def play_round(load: Load, games: int, per_s: float, seconds: float) -> int:
    """Plays one round of games, and returns the number of moves."""
    load.games = []
    tokens = await asyncio.to_thread(load.create_games, games)
    await load.connect(tokens)
    spectators = [
        await open_socket(HOST, load.server.port, secrets.token_urlsafe(32), ignore) for _ in range(20)
    ]
    for spectator in spectators:
        spectator.send(type="hello", v=1, game=load.games[0].id)
    reading = asyncio.create_task(read_pages(load, seconds))
    figures = await load.play(per_s, seconds)
    await reading
    for game in (game for game in load.games if game.played < len(game.moves)):
        game.sockets[0].send(type="command", id="end", seq=game.seq, do="resign")
    await asyncio.sleep(2.0)
    for socket in (*spectators, *(socket for game in load.games for socket in game.sockets)):
        socket.close()
    return len(figures.latencies_ms)


def ignore(_: Socket, __: bytes) -> None:
    """Ignores a message."""


async def read_pages(load: Load, seconds: float) -> None:
    """Reads pages, states and records, spread over the round."""
    for number in range(READS_PER_ROUND):
        await asyncio.sleep(seconds / READS_PER_ROUND)
        path = PATHS[number % len(PATHS)].format(game=load.games[number % len(load.games)].id)
        await asyncio.to_thread(read_page, f"http://{HOST}:{load.server.port}{path}")


def read_page(address: str) -> None:
    """Reads a page to its end."""
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            answer.read()
    except urllib.error.HTTPError as error:
        error.close()


def held(load: Load) -> dict[str, int]:
    """Returns what the server holds, by the names of its metrics."""
    with urllib.request.urlopen(f"http://{HOST}:{load.metrics_port}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    return {
        name: int(float(line.split()[1])) for line in lines for name in HELD if line.startswith(f"{name} ")
    }


async def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="how long it lasts (60)")
    parser.add_argument("--games", type=int, default=200, help="how many games a round has (200)")
    parser.add_argument("--per-s", type=float, default=100.0, help="how many moves a second are played (100)")
    parser.add_argument("--round-s", type=float, default=60.0, help="how long a round lasts in seconds (60)")
    parser.add_argument("--json", action="store_true", help="print each round as a line of JSON")
    words = parser.parse_args()
    begun, rounds = time.monotonic(), list[dict[str, float]]()
    with tempfile.TemporaryDirectory() as folder:
        load = start_server(Path(folder))
        try:
            while (passed := time.monotonic() - begun) < words.minutes * 60:
                moves = await play_round(load, words.games, words.per_s, words.round_s)
                row = {
                    "seconds": round(passed),
                    "moves": moves,
                    "mib": round(load.memory_mib(), 1),
                    **held(load),
                }
                rounds.append(row)
                text = json.dumps(row) if words.json else "  ".join(f"{name} {row[name]}" for name in row)
                print(text, flush=True)
        finally:
            load.server.kill()
    later = [row["mib"] for row in rounds if row["seconds"] > WARM_UP_S]
    if not words.json and len(later) > 1:
        total = int(sum(row["moves"] for row in rounds))
        print(f"{total} moves; after the first {WARM_UP_S / 60:.0f} minutes {later[0]} to {later[-1]} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
