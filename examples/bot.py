"""How do I write a bot that plays on a server, over its HTTP interface?

This one plays against the computer of the server, with the engine of Hnefi:

hnefi serve &
python examples/bot.py http://127.0.0.1:8730
"""

import argparse
import json
import urllib.request
from collections.abc import Iterator
from typing import Any

from hnefi import Game, Move, Setup, variant
from hnefi.engine import Engine, Limit

parser = argparse.ArgumentParser(description="Play a game against the computer of a Hnefi server.")
parser.add_argument("server", nargs="?", default="http://127.0.0.1:8730", help="default: %(default)s")
SERVER = parser.parse_args().server
HEADERS = {"Content-Type": "application/json"}


def send(method: str, path: str, body: object = None) -> Iterator[dict[str, Any]]:
    """Sends a request, and iterates over the JSON lines of the response."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SERVER + path, data, HEADERS, method=method)
    with urllib.request.urlopen(request) as response:
        yield from (json.loads(line) for line in response if line.strip())


token = next(send("POST", "/api/visitors"))["token"]
HEADERS["Authorization"] = f"Bearer {token}"
VARIANT = "brandub-globe"
options = {"variant": VARIANT, "opponent": "computer", "level": 2, "side": "attackers", "name": "bot"}
created = next(send("POST", "/api/games", options))
path, rules = f"/api/games/{created['game']}", variant(VARIANT).rules

with Engine(table_mib=8) as engine:
    for _ in send("GET", f"{path}/events"):  # after every event: move if it is our turn
        state = next(send("GET", path))
        leg = state["legs"][-1]
        if state["status"] == "over":
            print(leg["outcome"])
            break
        if leg["turn"] == "attackers":
            game = Game.replay(rules, Setup(leg["start"]), [Move(ply["move"]) for ply in leg["plies"]])
            move = engine.play(game, Limit(nodes=3_000))
            seq = state["seq"]
            next(send("POST", f"{path}/moves", {"id": f"m{seq}", "seq": seq, "move": str(move)}))
