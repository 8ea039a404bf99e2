"""A bot in forty lines: it plays against the computer of a server, with the engine of Hnefi as its head.

hnefi serve &
python examples/bot.py http://127.0.0.1:8730
"""

import json
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

from hnefi import Game, Move, Setup, variant
from hnefi.engine import Engine, Limit

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8730"
HEADERS = {"Content-Type": "application/json"}


def ask(method: str, path: str, body: object = None) -> Iterator[dict[str, Any]]:
    """Asks the server, and gives its answers, one for each line."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SERVER + path, data, HEADERS, method=method)
    with urllib.request.urlopen(request) as answer:
        yield from (json.loads(line) for line in answer if line.strip())


token = next(ask("POST", "/api/visitors"))["token"]
HEADERS["Authorization"] = f"Bearer {token}"
wish = {"variant": "brandub-globe", "opponent": "computer", "level": 2, "side": "attackers", "name": "bot"}
made = next(ask("POST", "/api/games", wish))
path, rules = f"/api/games/{made['game']}", variant(wish["variant"]).rules

with Engine(table_mib=8) as engine:
    for _ in ask("GET", f"{path}/events"):  # something happened: look, and move if it is our turn
        state = next(ask("GET", path))
        leg = state["legs"][-1]
        if state["status"] == "over":
            print(leg["outcome"])
            break
        if leg["turn"] == "attackers":
            game = Game.replay(rules, Setup(leg["start"]), [Move(ply["move"]) for ply in leg["plies"]])
            move = engine.play(game, Limit(nodes=3_000))
            seq = state["seq"]
            next(ask("POST", f"{path}/moves", {"id": f"m{seq}", "seq": seq, "move": str(move)}))
